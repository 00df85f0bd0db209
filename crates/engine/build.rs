//! Makes a fingerprint of the code that counts coverage, so that results kept by another version are never used.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::{fs, io};

/// The crates whose code decides what is counted.
const CRATES: [&str; 3] = ["classfile", "instrument", "coverage"];

fn main() -> io::Result<()> {
    let mut hasher = DefaultHasher::new();
    for name in CRATES {
        let folder = Path::new("..").join(name).join("src");
        println!("cargo::rerun-if-changed={}", folder.display());
        for file in files_below(&folder)? {
            file.hash(&mut hasher);
            fs::read(&file)?.hash(&mut hasher);
        }
    }
    println!("cargo::rustc-env=PROBITY_ANALYSIS_FINGERPRINT={:016x}", hasher.finish());
    Ok(())
}

/// All files, in an order of their own.
fn files_below(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(files_below(&path)?);
        } else {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
