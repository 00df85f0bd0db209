//! Java libraries that tests take as the truth: ASM about class files, JaCoCo about probes.
//!
//! All are pinned here and nowhere else, in versions that belong together. They are only ever asked by tests; nothing
//! of them may become part of the product.

use std::path::PathBuf;

use crate::maven::{FetchError, fetch};

/// ASM, in the version that [`JACOCO_CORE`] is built with.
pub const ASM: &[&str] = &[
    "org.ow2.asm:asm:9.10.1",
    "org.ow2.asm:asm-tree:9.10.1",
    "org.ow2.asm:asm-commons:9.10.1",
    "org.ow2.asm:asm-analysis:9.10.1",
    "org.ow2.asm:asm-util:9.10.1",
];

/// The part of JaCoCo that places probes and reads execution data.
pub const JACOCO_CORE: &str = "org.jacoco:org.jacoco.core:0.8.15";

/// The part of JaCoCo that writes reports.
pub const JACOCO_REPORT: &str = "org.jacoco:org.jacoco.report:0.8.15";

/// JaCoCo's agent, as a jar for `-javaagent`.
pub const JACOCO_AGENT: &str = "org.jacoco:org.jacoco.agent:0.8.15:runtime";

/// JaCoCo's command, in one jar with everything that it needs.
pub const JACOCO_COMMAND: &str = "org.jacoco:org.jacoco.cli:0.8.15:nodeps";

/// Everything in this module, for fetching ahead.
#[must_use]
pub fn all() -> Vec<&'static str> {
    [ASM, &[JACOCO_CORE, JACOCO_REPORT, JACOCO_AGENT, JACOCO_COMMAND]].concat()
}

/// The class path of a program that uses ASM.
///
/// # Errors
///
/// Fails when ASM is not in the cache and cannot be fetched.
pub fn asm_class_path() -> Result<Vec<PathBuf>, FetchError> {
    fetch(ASM)
}

/// The class path of a program that uses JaCoCo's core, and with it ASM.
///
/// # Errors
///
/// Fails when they are not in the cache and cannot be fetched.
pub fn jacoco_class_path() -> Result<Vec<PathBuf>, FetchError> {
    fetch(&[ASM, &[JACOCO_CORE, JACOCO_REPORT]].concat())
}

/// The jar of [`JACOCO_AGENT`].
///
/// # Errors
///
/// Fails when it is not in the cache and cannot be fetched.
pub fn jacoco_agent() -> Result<PathBuf, FetchError> {
    fetch(&[JACOCO_AGENT]).map(|mut jars| jars.swap_remove(0))
}

/// The jar of [`JACOCO_COMMAND`].
///
/// # Errors
///
/// Fails when it is not in the cache and cannot be fetched.
pub fn jacoco_command() -> Result<PathBuf, FetchError> {
    fetch(&[JACOCO_COMMAND]).map(|mut jars| jars.swap_remove(0))
}
