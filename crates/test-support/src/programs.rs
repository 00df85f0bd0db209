//! Java programs and test frameworks that the agent is tried on, and what they need to run.
//!
//! All are pinned here and nowhere else. Each set is a whole class path: nothing is resolved, so that what runs is known.

use std::path::PathBuf;

use crate::maven::{FetchError, fetch};

/// Eclipse's compiler, which runs as `org.eclipse.jdt.internal.compiler.batch.Main`.
pub const ECJ: &[&str] = &["org.eclipse.jdt:ecj:3.40.0"];

/// Compressors for several formats.
pub const COMPRESSORS: &[&str] = &[
    "org.apache.commons:commons-compress:1.27.1",
    "commons-io:commons-io:2.18.0",
    "org.apache.commons:commons-lang3:3.17.0",
    "commons-codec:commons-codec:1.18.0",
    "org.tukaani:xz:1.10",
];

/// Parsers of Java, JSON and XML.
pub const PARSERS: &[&str] = &[
    "com.github.javaparser:javaparser-core:3.26.3",
    "com.fasterxml.jackson.core:jackson-databind:2.18.3",
    "com.fasterxml.jackson.core:jackson-core:2.18.3",
    "com.fasterxml.jackson.core:jackson-annotations:2.18.3",
    "xerces:xercesImpl:2.6.2",
];

/// JUnit's launcher with its engines, in one jar; runs as `org.junit.platform.console.ConsoleLauncher`.
pub const JUNIT: &[&str] = &["org.junit.platform:junit-platform-console-standalone:1.12.1"];

/// JUnit 6: the same launcher.
pub const JUNIT_6: &[&str] = &["org.junit.platform:junit-platform-console-standalone:6.0.0"];

/// JUnit 4 with JUnit 3; runs as `org.junit.runner.JUnitCore` or `junit.textui.TestRunner`.
pub const JUNIT_4: &[&str] = &["junit:junit:4.13.2", "org.hamcrest:hamcrest-core:1.3"];

/// TestNG 6; runs as `org.testng.TestNG`.
pub const TESTNG_6: &[&str] =
    &["org.testng:testng:6.14.3", "com.beust:jcommander:1.72", "org.apache-extras.beanshell:bsh:2.0b6"];

/// TestNG 7.
pub const TESTNG_7: &[&str] =
    &["org.testng:testng:7.10.2", "org.jcommander:jcommander:1.83", "org.slf4j:slf4j-api:2.0.13"];

/// A library with its tests.
pub const TESTED_LIBRARY: &[&str] =
    &["commons-cli:commons-cli:1.9.0", "commons-cli:commons-cli:1.9.0:tests", "commons-io:commons-io:2.18.0"];

/// Kotlin's compiler, which runs as `org.jetbrains.kotlin.cli.jvm.K2JVMCompiler`; large.
pub const KOTLIN_COMPILER: &[&str] = &[
    "org.jetbrains.kotlin:kotlin-compiler-embeddable:2.1.20",
    "org.jetbrains.kotlin:kotlin-stdlib:2.1.20",
    "org.jetbrains.kotlin:kotlin-script-runtime:2.1.20",
    "org.jetbrains.kotlin:kotlin-reflect:2.1.20",
    "org.jetbrains.kotlin:kotlin-daemon-embeddable:2.1.20",
    "org.jetbrains.intellij.deps:trove4j:1.0.20200330",
    "org.jetbrains.kotlinx:kotlinx-coroutines-core-jvm:1.10.1",
    "org.jetbrains:annotations:13.0",
];

/// What Kotlin programs run with.
pub const KOTLIN: &[&str] = &[
    "org.jetbrains.kotlin:kotlin-stdlib:2.1.20",
    "org.jetbrains.kotlinx:kotlinx-coroutines-core-jvm:1.10.1",
    "org.jetbrains:annotations:13.0",
];

/// What Kotlin tests run with, beside [`KOTLIN`] and [`JUNIT`].
pub const KOTLIN_TEST: &[&str] =
    &["org.jetbrains.kotlin:kotlin-test:2.1.20", "org.jetbrains.kotlin:kotlin-test-junit5:2.1.20"];

/// Mockito, which changes classes while they are loaded.
pub const MOCKITO: &[&str] = &[
    "org.mockito:mockito-core:5.16.1",
    "net.bytebuddy:byte-buddy:1.17.5",
    "net.bytebuddy:byte-buddy-agent:1.17.5",
    "org.objenesis:objenesis:3.3",
];

/// Spring Boot with its test support.
pub const SPRING_BOOT: &[&str] = &[
    "org.springframework.boot:spring-boot:3.4.4",
    "org.springframework.boot:spring-boot-autoconfigure:3.4.4",
    "org.springframework.boot:spring-boot-test:3.4.4",
    "org.springframework.boot:spring-boot-test-autoconfigure:3.4.4",
    "org.springframework:spring-core:6.2.5",
    "org.springframework:spring-jcl:6.2.5",
    "org.springframework:spring-beans:6.2.5",
    "org.springframework:spring-context:6.2.5",
    "org.springframework:spring-aop:6.2.5",
    "org.springframework:spring-expression:6.2.5",
    "org.springframework:spring-test:6.2.5",
    "io.micrometer:micrometer-observation:1.14.5",
    "io.micrometer:micrometer-commons:1.14.5",
    "jakarta.annotation:jakarta.annotation-api:2.1.1",
    "org.assertj:assertj-core:3.26.3",
    "net.bytebuddy:byte-buddy:1.17.5",
];

/// Everything that the usual tests need.
#[must_use]
pub fn all() -> Vec<&'static str> {
    [
        ECJ,
        COMPRESSORS,
        PARSERS,
        JUNIT,
        JUNIT_6,
        JUNIT_4,
        TESTNG_6,
        TESTNG_7,
        TESTED_LIBRARY,
        KOTLIN,
        KOTLIN_TEST,
        KOTLIN_COMPILER,
        MOCKITO,
        SPRING_BOOT,
    ]
    .concat()
}

/// The class path of some of these sets.
///
/// # Errors
///
/// Fails when something is not in the cache and cannot be fetched.
pub fn class_path(sets: &[&[&str]]) -> Result<Vec<PathBuf>, FetchError> {
    fetch(&sets.concat())
}
