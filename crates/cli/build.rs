//! Puts the agent's library into the command, if it was told where the library is.
//!
//! `cargo xtask dist` tells it by a variable. A command that is built without is for development: it finds the library
//! beside itself.
#![allow(clippy::print_stdout, reason = "this is how a build script speaks to cargo")]

use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The file that goes into the command.
const LIBRARY_VARIABLE: &str = "PROBITY_AGENT_LIBRARY";

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed={LIBRARY_VARIABLE}");
    let output = env::var_os("OUT_DIR").map(PathBuf::from).unwrap_or_default();
    let library = env::var_os(LIBRARY_VARIABLE).filter(|path| !path.is_empty()).map(PathBuf::from);
    let expression = match &library {
        None => "None".to_owned(),
        Some(library) => embedded(library, &output)?,
    };
    fs::write(output.join("carried_library.rs"), expression)
}

/// The library is copied, so that what the compiler reads has the same name everywhere.
fn embedded(library: &Path, output: &Path) -> io::Result<String> {
    println!("cargo::rerun-if-changed={}", library.display());
    fs::copy(library, output.join("carried_library"))?;
    Ok("Some(include_bytes!(concat!(env!(\"OUT_DIR\"), \"/carried_library\")))".to_owned())
}
