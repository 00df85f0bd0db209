//! Finds the JDKs and the Maven of this machine.
//!
//! Everything that starts a JVM or a build asks this crate where the tools are, so that there is one order of
//! preference and one wording when something is missing. The crate looks at folders and, where a folder does not tell
//! its version, asks the tool itself. It must never install, download or change anything, never print, and never read
//! the environment behind the caller's back: what it looks at is in the [`Environment`] that it is given.

mod environment;
mod jdk;
mod maven;
mod version;

pub use environment::Environment;
pub use jdk::{Jdk, JdkNotFound, RejectedHome, UnsuitableJdk, all_jdks, best_jdk};
pub use maven::{Maven, MavenNotFound, RejectedMaven, find_maven, maven_programs, maven_search_places};
pub use version::feature_version;
