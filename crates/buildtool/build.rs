//! Compiles the extension for Maven and puts it into the crate.
//!
//! It needs a JDK and the libraries that the extension is compiled with, which `cargo xtask fetch` brings into the cache; Maven's own local
//! repository does as well. It fetches nothing. Where something is missing the build goes on, and the command says what
//! was missing when somebody asks for Maven.
#![allow(clippy::print_stdout, reason = "this is how a build script speaks to cargo")]

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use probity_toolchain::{Environment, best_jdk};

/// The folder of the extension, from that of the crate.
const SOURCES: &str = "../../jvm/maven-extension";

/// The JDK that compiles it, at least.
const OLDEST_JDK: u32 = 17;

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={SOURCES}");
    for variable in ["PROBITY_CACHE", "XDG_CACHE_HOME", "HOME", "JAVA_HOME"] {
        println!("cargo::rerun-if-env-changed={variable}");
    }
    let output = env::var_os("OUT_DIR").map(PathBuf::from).unwrap_or_default();
    let expression = match extension(&output) {
        Ok(()) => "Ok(include_bytes!(concat!(env!(\"OUT_DIR\"), \"/extension.jar\")))".to_owned(),
        Err(missing) => {
            println!("cargo::warning=`probity mvn` will not work in this build: {}", first_line(&missing));
            format!("Err({missing:?})")
        }
    };
    fs::write(output.join("extension.rs"), expression)
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// Makes `extension.jar`; otherwise says what is missing.
fn extension(output: &Path) -> Result<(), String> {
    let libraries = libraries()?;
    let jdk = best_jdk(&Environment::of_this_process(), OLDEST_JDK).map_err(|error| error.to_string())?;
    let sources = Path::new(SOURCES).join("src");
    let classes = output.join("classes");
    // What an earlier build left there may be of a class that is gone.
    let _: io::Result<()> = fs::remove_dir_all(&classes);
    fs::create_dir_all(&classes).map_err(|error| format!("{}: {error}", classes.display()))?;
    let mut javac = Command::new(jdk.javac());
    javac
        .args([
            "--release",
            "8",
            "-proc:none",
            "-Xlint:all,-options",
            "-Werror",
            "-encoding",
            "UTF-8",
            "-g",
            "-d",
        ])
        .arg(&classes);
    javac.arg("-classpath").arg(env::join_paths(libraries).map_err(|error| error.to_string())?);
    javac.args(java_files(&sources).map_err(|error| format!("{}: {error}", sources.display()))?);
    run(&mut javac)?;
    let mut jar = Command::new(jdk.tool("jar"));
    // The same sources give the same bytes.
    jar.args(["--create", "--date=2000-01-01T00:00:00Z", "--file"]).arg(output.join("extension.jar"));
    jar.arg("-C").arg(&classes).arg(".").arg("-C").arg(Path::new(SOURCES).join("resources")).arg(".");
    run(&mut jar)
}

fn run(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = [output.stdout, output.stderr].concat();
    Err(format!("the extension for Maven cannot be compiled: {}", String::from_utf8_lossy(&said)))
}

/// The libraries, from the cache or from Maven's local repository.
fn libraries() -> Result<Vec<PathBuf>, String> {
    let list = Path::new(SOURCES).join("libraries.txt");
    let list = fs::read_to_string(&list).map_err(|error| format!("{}: {error}", list.display()))?;
    let repositories = repositories();
    let mut found = Vec::new();
    for coordinates in list.lines().filter(|line| !line.is_empty()) {
        let path = path_of(coordinates).ok_or_else(|| format!("{coordinates} is no name of a library"))?;
        let mut places = repositories.iter().map(|repository| repository.join(&path));
        let place = places.find(|place| place.is_file());
        // One that is missing is looked for again by the next build.
        let watched = place.clone().or_else(|| repositories.first().map(|repository| repository.join(&path)));
        println!("cargo::rerun-if-changed={}", watched.unwrap_or_default().display());
        found.push(place.ok_or_else(|| {
            format!("{coordinates} is neither in the cache nor in Maven's local repository; `cargo xtask fetch` brings it")
        })?);
    }
    Ok(found)
}

/// Where libraries are looked for: the cache of `cargo xtask fetch`, then Maven's own.
fn repositories() -> Vec<PathBuf> {
    let folder = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let cache = folder("PROBITY_CACHE")
        .or_else(|| folder("XDG_CACHE_HOME").map(|cache| cache.join("probity")))
        .or_else(|| folder("HOME").map(|home| home.join(".cache").join("probity")));
    let own = folder("HOME").map(|home| home.join(".m2").join("repository"));
    cache.map(|cache| cache.join("maven")).into_iter().chain(own).collect()
}

/// Where a library is in a repository.
fn path_of(coordinates: &str) -> Option<PathBuf> {
    let mut parts = coordinates.split(':');
    let (group, artifact, version) = (parts.next()?, parts.next()?, parts.next()?);
    let folder: PathBuf = group.split('.').chain([artifact, version]).collect();
    Some(folder.join(format!("{artifact}-{version}.jar")))
}

fn java_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(java_files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "java") {
            files.push(path);
        }
    }
    files.sort_unstable();
    Ok(files)
}
