//! Which JDKs the tests run on.
//!
//! Two versions stand for all: the oldest and the newest long-term release that the product is tested with. A machine
//! without any of them cannot test anything about class files in a JVM, and a test must never pass because of that.

use probity_toolchain::{Environment, Jdk, all_jdks};

/// The feature versions that tests are run on, where installed.
pub const TESTED_VERSIONS: [u32; 2] = [17, 25];

/// One JDK for each of [`TESTED_VERSIONS`] that is installed, in that order.
#[must_use]
pub fn installed_jdks() -> Vec<Jdk> {
    let found = all_jdks(&Environment::of_this_process());
    let of_version = |version| found.iter().find(|jdk| jdk.feature_version() == version).cloned();
    TESTED_VERSIONS.into_iter().filter_map(of_version).collect()
}

/// As [`installed_jdks`], for tests that cannot do without.
///
/// # Panics
///
/// Panics when none is installed, and says what to install.
#[must_use]
pub fn test_jdks() -> Vec<Jdk> {
    let jdks = installed_jdks();
    let [oldest, newest] = TESTED_VERSIONS;
    assert!(
        !jdks.is_empty(),
        "this test needs a JDK {oldest} or {newest}: install one (on Debian: apt-get install \
         openjdk-{oldest}-jdk-headless) or set JAVA_HOME to it"
    );
    jdks
}
