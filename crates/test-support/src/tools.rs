//! Java libraries that tests take as the truth: ASM about class files, JaCoCo about probes, others about
//! the formats that they read.
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

/// The parsers of Jenkins' coverage plugin, which read many formats.
pub const JENKINS_COVERAGE: &[&str] = &[
    "edu.hm.hafner:coverage-model:0.66.0",
    "edu.hm.hafner:codingstyle:5.25.0",
    "com.google.errorprone:error_prone_annotations:2.45.0",
    "com.github.spotbugs:spotbugs-annotations:4.9.8",
    "org.apache.commons:commons-lang3:3.20.0",
    "commons-io:commons-io:2.21.0",
    "one.util:streamex:0.8.4",
];

/// The part of Sonar's scanner that reads its generic coverage format.
pub const SONAR_SCANNER: &[&str] = &[
    "org.sonarsource.sonarqube:sonar-scanner-engine:9.7.0.61563",
    "org.sonarsource.api.plugin:sonar-plugin-api:9.11.0.290",
    "com.fasterxml.staxmate:staxmate:2.4.0",
    "org.codehaus.woodstox:stax2-api:4.2.1",
    "com.fasterxml.woodstox:woodstox-core:6.2.1",
    "commons-io:commons-io:2.21.0",
    "org.slf4j:slf4j-api:1.7.36",
];

/// What the extension for Maven is compiled with. Its build script looks for them in the cache.
#[must_use]
pub fn extension_libraries() -> Vec<&'static str> {
    include_str!("../../../jvm/maven-extension/libraries.txt")
        .lines()
        .filter(|line| !line.is_empty())
        .collect()
}

/// Everything in this module, for fetching ahead.
#[must_use]
pub fn all() -> Vec<&'static str> {
    let jacoco = [JACOCO_CORE, JACOCO_REPORT, JACOCO_AGENT, JACOCO_COMMAND];
    [ASM, &jacoco, JENKINS_COVERAGE, SONAR_SCANNER, &extension_libraries()].concat()
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
