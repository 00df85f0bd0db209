//! `cargo xtask dist`: builds one command that carries the agent's library, and tries it where nothing else is.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use probity_test_support::java::{Compilation, Program, installed_jdks};
use probity_test_support::{maven, tools};
use probity_toolchain::Jdk;

use crate::failure::Failure;
use crate::processes;
use crate::root::repository_root;
use crate::setup::{self, Tool};

/// The profile, and the folder that cargo puts into its target folder for it.
const PROFILE: &str = "dist";

pub(crate) fn run() -> Result<(), Failure> {
    setup::ensure(&[Tool::Jdk, Tool::Maven])?;
    maven::fetch(&tools::extension_libraries())?;
    let folder = build_folder();
    processes::run(build("probity-agent"))?;
    let mut command = build("probity-cli");
    command.env("PROBITY_AGENT_LIBRARY", folder.join(library_name()));
    processes::run(command)?;
    let product = folder.join(format!("probity{}", env::consts::EXE_SUFFIX));
    try_alone(&product)?;
    let size = fs::metadata(&product).map_or(0, |metadata| metadata.len());
    println!("{} ({:.1} MB) carries the agent", product.display(), size as f64 / 1e6);
    Ok(())
}

fn build(package: &str) -> Command {
    processes::cargo(["build", "--locked", "--profile", PROFILE, "--package", package])
}

fn build_folder() -> PathBuf {
    let target = env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let target =
        target.map_or_else(|| repository_root().join("target"), |folder| repository_root().join(folder));
    target.join(PROFILE)
}

fn library_name() -> String {
    format!("{}probity_agent{}", env::consts::DLL_PREFIX, env::consts::DLL_SUFFIX)
}

/// Runs a copy of the product in a folder where nothing else is, and a program on each JDK with what it unpacks.
fn try_alone(product: &Path) -> Result<(), Failure> {
    let folder =
        tempfile::tempdir().map_err(|source| Failure::Unreadable { path: env::temp_dir(), source })?;
    let alone = folder.path().join("probity");
    fs::copy(product, &alone).map_err(|source| Failure::Unreadable { path: product.to_owned(), source })?;
    let library = agent_path(&alone, folder.path())?;
    if library != agent_path(&alone, folder.path())? {
        return Err(Failure::Unexpected("the second call names another library than the first".to_owned()));
    }
    println!("{} printed {}", product.display(), library.display());
    unpack_extension(&alone, folder.path())?;
    installed_jdks().iter().try_for_each(|jdk| record(jdk, &library, folder.path()))
}

/// What `probity agent-path` prints when its cache is in this folder.
fn agent_path(product: &Path, folder: &Path) -> Result<PathBuf, Failure> {
    let mut command = Command::new(product);
    command.arg("agent-path").current_dir(folder).env("XDG_CACHE_HOME", folder.join("cache"));
    let printed = String::from_utf8_lossy(&processes::output_of(command)?).into_owned();
    let path = PathBuf::from(printed.trim_end());
    if path.is_file() && path.starts_with(folder.join("cache")) {
        Ok(path)
    } else {
        Err(Failure::Unexpected(format!(
            "`probity agent-path` printed {printed:?}, which is no file of its cache"
        )))
    }
}

/// Runs the command with a program that does nothing instead of Maven: it must have an extension to give to it.
fn unpack_extension(product: &Path, folder: &Path) -> Result<(), Failure> {
    let mut command = Command::new(product);
    command.args(["mvn", "--maven", "true", "test"]).current_dir(folder);
    command.env("XDG_CACHE_HOME", folder.join("cache"));
    processes::output_of(command)?;
    let unpacked = fs::read_dir(folder.join("cache/probity/maven")).map_or(0, Iterator::count);
    if unpacked == 1 {
        return Ok(());
    }
    Err(Failure::Unexpected("the command does not unpack its extension for Maven".to_owned()))
}

const GREETING: &str = "recorded";

/// Runs a small program with the agent; it must do what it does, and its class must be in the execution data.
fn record(jdk: &Jdk, library: &Path, folder: &Path) -> Result<(), Failure> {
    let source = format!(
        "public class Greeter {{ public static void main(String[] a) {{ System.out.print(\"{GREETING}\"); }} }}"
    );
    let classes = Compilation::with(jdk).source("Greeter.java", &source).compile()?;
    let data = folder.join(format!("{}.exec", jdk.feature_version()));
    let argument = format!("-agentpath:{}=destfile={}", library.display(), data.display());
    let program = Program::with(jdk, "Greeter").class_path([classes.folder()]).jvm_argument(argument);
    let output = program.run_successfully()?;
    let recorded = fs::read(&data).map_err(|source| Failure::Unreadable { path: data, source })?;
    let names_class = recorded.windows(7).any(|bytes| bytes == b"Greeter");
    if output.stdout != GREETING || !output.stderr.is_empty() || !names_class {
        let message = format!("a program on JDK {} was not recorded: {output}", jdk.version());
        return Err(Failure::Unexpected(message));
    }
    println!("a program on JDK {} was recorded", jdk.version());
    Ok(())
}
