//! `cargo xtask fetch`: brings what the tests need into the cache, with one run of Maven.

use probity_test_support::corpus::{self, Part};
use probity_test_support::{maven, programs, projects, tools};

use crate::failure::Failure;
use crate::setup::{self, Tool};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Also fetches the whole corpus of jars, which only some benchmarks and long checks need (about 250 MB).
    #[arg(long)]
    all: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    setup::ensure(&[Tool::Jdk, Tool::Maven])?;
    fetch(if arguments.all { Part::All } else { Part::Sample })
}

/// Fetches the tools that tests compare with, the programs that they run, and a part of the corpus.
pub(crate) fn fetch(part: Part) -> Result<(), Failure> {
    let projects = projects::sample();
    let mut artifacts = tools::all();
    artifacts.extend(programs::all());
    artifacts.extend(projects.iter().map(String::as_str));
    artifacts.extend(corpus::jars(part).iter().map(|jar| jar.artifact));
    let missing = maven::missing(&artifacts)?;
    if missing.is_empty() {
        eprintln!("all {} artifacts are in the cache", artifacts.len());
        return Ok(());
    }
    eprintln!("fetching {} of {} artifacts from Maven's repository", missing.len(), artifacts.len());
    maven::fetch(&artifacts)?;
    Ok(())
}
