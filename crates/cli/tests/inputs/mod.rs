//! The files that the commands under test are given.
//!
//! Classes are as small as they can be, and valid but for the damage that a test is about. Nothing here may depend on
//! a JDK.

mod archives;
mod classes;
mod damage;
mod exec_files;
#[path = "../support/packed_archive.rs"]
mod packed_archive;
mod shop;
mod traces;

use std::fs;
use std::path::Path;

use archives::archive;
use classes::class;
pub(crate) use damage::{bad_files, beginnings};

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
    exec_files::write_all(&write);
    shop::write_all(&write);
    traces::write_all(folder);
    for (name, content) in bad_files() {
        write(name, &content);
    }
}
