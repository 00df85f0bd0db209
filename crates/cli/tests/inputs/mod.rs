//! The files that the commands under test are given.
//!
//! Classes are valid and as small as they can be. Nothing here may depend on a JDK.

use std::fs;
use std::path::Path;

/// Writes all files into a folder.
pub(crate) fn write_all(folder: &Path) {
    let write = |name: &str, content: &[u8]| {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().expect("is below the folder")).expect("creates folders");
        fs::write(path, content).expect("writes");
    };
    let (old, new) = (class("a/Old", 52), class("a/New", 61));
    let good = archive(&[("a/Old.class", &old), ("a/New.class", &new), ("lib/x.jar", b"")]);
    let many: Vec<_> = (0..3000).map(|number| format!("many/C{number}.class")).collect();
    let many: Vec<_> = many.iter().map(|name| (name.as_str(), new.as_slice())).collect();

    write("Old.class", &old);
    write("classes/a/Old.class", &old);
    write("classes/a/New.class", &new);
    write("classes/notes.txt", b"notes");
    write("Text.class", b"this is text");
    write("notes.txt", b"this is text");
    write("good.jar", &good);
    write("many.jar", &archive(&many));
    write("cut.jar", &good[..good.len() / 2]);
    write(
        "damaged.jar",
        &archive(&[("a/Text.class", b"this is text"), ("../up.class", &old), ("a/Old.class", &old)]),
    );
}

/// A public class without members.
fn class(name: &str, major: u16) -> Vec<u8> {
    let mut bytes = vec![0xCA, 0xFE, 0xBA, 0xBE, 0, 0];
    bytes.extend(major.to_be_bytes());
    bytes.extend([0, 5]);
    for (text, class_index) in [(name, 2_u16), ("java/lang/Object", 4)] {
        bytes.push(7);
        bytes.extend(class_index.to_be_bytes());
        bytes.push(1);
        bytes.extend(u16::try_from(text.len()).expect("short").to_be_bytes());
        bytes.extend(text.as_bytes());
    }
    bytes.extend([0, 0x21, 0, 1, 0, 3]);
    bytes.extend([0; 8]);
    bytes
}

/// An archive with these members, stored.
fn archive(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = rawzip::ZipArchiveWriter::new(&mut bytes);
    for (name, content) in members {
        let name = rawzip::path::EntryPath::verbatim(name.as_bytes());
        let (mut entry, config) = writer.new_file(name).start().expect("starts a member");
        let mut data = config.wrap(&mut entry);
        std::io::Write::write_all(&mut data, content).expect("writes a member");
        let (_, descriptor) = data.finish().expect("ends the data");
        entry.finish(descriptor).expect("ends a member");
    }
    writer.finish().expect("ends the archive");
    bytes
}
