//! The Java program that links classes, compiled once per process.

use std::fs;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use probity_toolchain::Jdk;

use crate::java::{Compilation, JavaError};

/// The class that has the `main` method.
pub(super) const MAIN_CLASS: &str = "LinkClasses";

/// The oldest Java that tests run on. The program is compiled for it, so that one compilation serves all JDKs.
const RELEASE: u32 = 17;

/// The class files of the program by file name. They are kept as bytes, because a folder would outlive the process.
static COMPILED: Mutex<Vec<(String, Vec<u8>)>> = Mutex::new(Vec::new());

/// Writes the class files of the program into a folder.
pub(super) fn write_into(folder: &Path, jdk: &Jdk) -> Result<(), JavaError> {
    let mut compiled = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    if compiled.is_empty() {
        *compiled = compile(jdk)?;
    }
    for (name, bytes) in compiled.iter() {
        let file = folder.join(name);
        fs::write(&file, bytes).map_err(|source| JavaError::Io { action: "write", path: file, source })?;
    }
    Ok(())
}

fn compile(jdk: &Jdk) -> Result<Vec<(String, Vec<u8>)>, JavaError> {
    let source = include_str!("../../java/LinkClasses.java");
    let classes = Compilation::with(jdk).release(RELEASE).source("LinkClasses.java", source).compile()?;
    let mut files = Vec::new();
    for file in classes.class_files()? {
        let bytes =
            fs::read(&file).map_err(|source| JavaError::Io { action: "read", path: file.clone(), source })?;
        files.push((file.file_name().unwrap_or_default().to_string_lossy().into_owned(), bytes));
    }
    Ok(files)
}
