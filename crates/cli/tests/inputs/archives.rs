//! Archives, honest ones and such as lie about what is in them.

use std::io::Write;

/// An archive with these members, stored.
pub(super) fn archive(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = rawzip::ZipArchiveWriter::new(&mut bytes);
    for (name, content) in members {
        let name = rawzip::path::EntryPath::verbatim(name.as_bytes());
        let (mut entry, config) = writer.new_file(name).start().expect("starts a member");
        let mut data = config.wrap(&mut entry);
        data.write_all(content).expect("writes a member");
        let (_, descriptor) = data.finish().expect("ends the data");
        entry.finish(descriptor).expect("ends a member");
    }
    writer.finish().expect("ends the archive");
    bytes
}

/// A field of an entry of the directory, which is what a JVM goes by.
#[derive(Clone, Copy)]
pub(super) enum Field {
    Checksum = 16,
    Size = 24,
}

/// The archive with a field of its first member changed in the directory.
pub(super) fn with_field(mut archive: Vec<u8>, field: Field, value: u32) -> Vec<u8> {
    let record = archive.windows(4).position(|bytes| bytes == b"PK\x01\x02").expect("has a directory");
    let at = record + field as usize;
    archive[at..at + 4].copy_from_slice(&value.to_le_bytes());
    archive
}
