//! Exec files, good and bad.

use probity_execdata::{write_class, write_header, write_session};

/// Writes all of them.
pub(crate) fn write_all(write: &dyn Fn(&str, &[u8])) {
    let first = first();
    let mut unknown = first.clone();
    unknown.extend([0x77, 0, 0]);
    write("first.exec", &first);
    write("second.exec", &second());
    write("small.exec", &one_class(0xCAFE, b"a/First", &[1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]));
    write("empty.exec", b"");
    write("cut.exec", &first[..first.len() - 1]);
    write("old.exec", &[0x01, 0xC0, 0xC0, 0x10, 0x06]);
    write("unknown.exec", &unknown);
    write("other-name.exec", &one_class(0xCAFE, b"a/Impostor", &[1; 12]));
    write("other-length.exec", &one_class(0xCAFE, b"a/First", &[1; 13]));
}

/// A session and two classes.
pub(crate) fn first() -> Vec<u8> {
    let mut out = Vec::new();
    write_header(&mut out);
    write_session(&mut out, "host-1f", 1_700_000_000_000, 1_700_000_060_999);
    write_class(&mut out, 0xCAFE, b"a/First", &[0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
    write_class(&mut out, 0xE731_3B45_802B_E212, b"a/Second", &[1]);
    out
}

/// An earlier session with more hits, in two parts as if appended.
pub(crate) fn second() -> Vec<u8> {
    let mut out = Vec::new();
    write_header(&mut out);
    write_session(&mut out, "host-2", 1_600_000_000_000, 1_600_000_000_001);
    write_header(&mut out);
    write_class(&mut out, 0xCAFE, b"a/First", &[1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    write_class(&mut out, 0x1, &[b'b', b'/', 0xC3, 0xBC], &[1; 1000]);
    out
}

fn one_class(id: u64, name: &[u8], probes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    write_header(&mut out);
    write_class(&mut out, id, name, probes);
    out
}
