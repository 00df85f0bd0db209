//! Which crate may use which: the architecture as a table.
//!
//! A crate may name in its manifest what its row allows and nothing else, so a new arrow between crates is a change of
//! this file that a reviewer sees. Rows for crates that do not exist yet say where they will stand. The direction may
//! never turn round; a test checks that the table has no cycle.

/// A crate's row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    /// The package.
    pub(super) name: &'static str,
    /// The crates that it may be built from.
    pub(super) may_use: &'static [&'static str],
    /// The crates that its tests may use beside the test support and everything below the crate itself.
    pub(super) tests_may_use: &'static [&'static str],
}

/// What the tests of every crate may use, with everything below it.
pub(super) const TEST_SUPPORT: &str = "probity-test-support";

/// The crate that is loaded into other people's programs.
pub(super) const AGENT: &str = "probity-agent";

/// The crates from elsewhere that may end up in the agent. No argument parser, no database, no async runtime.
///
/// After `jni-sys` comes `rustix`, which locks exec files as Java does, with what it needs on Linux. Cargo
/// also names `errno` and `libc`, which `rustix` has only with features that tests elsewhere in the workspace ask for.
pub(super) const AGENT_MAY_LINK: &[&str] =
    &["jni-sys", "rustix", "bitflags", "linux-raw-sys", "errno", "libc"];

const fn row(name: &'static str, may_use: &'static [&'static str]) -> Row {
    Row { name, may_use, tests_may_use: &[] }
}

impl Row {
    const fn tests_may_use(self, crates: &'static [&'static str]) -> Self {
        Row { tests_may_use: crates, ..self }
    }
}

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    // The ground: these know nothing of Probity's ideas.
    row("probity-classfile", &[]).tests_may_use(&["probity-classpath"]),
    row("probity-classpath", &[]),
    row("probity-toolchain", &[]),
    row("probity-jvmti-sys", &[]),
    row("probity-execdata", &[]),
    row("probity-wire", &[]),

    // What is recorded.
    row("probity-instrument", &["probity-classfile"]).tests_may_use(&["probity-classpath"]),
    row("probity-shape", &["probity-classfile", "probity-instrument"]).tests_may_use(&["probity-classpath"]),
    row("probity-trace", &["probity-shape", "probity-wire"]),
    row("probity-store", &["probity-shape", "probity-trace"]),
    row(AGENT, &["probity-classfile", "probity-execdata", "probity-instrument", "probity-jvmti-sys", "probity-wire"]),

    // What is concluded from it.
    row("probity-select", &["probity-shape", "probity-trace"]),
    row("probity-coverage", &["probity-classfile", "probity-instrument", "probity-shape", "probity-trace"]),
    row("probity-report", &["probity-shape", "probity-coverage"]).tests_may_use(&["probity-classpath"]),

    // The product.
    row("probity-buildtool", &["probity-toolchain"]),
    row("probity-engine", &[
        "probity-buildtool", "probity-classfile", "probity-classpath", "probity-coverage", "probity-execdata", "probity-instrument",
        "probity-report", "probity-select", "probity-shape", "probity-store", "probity-toolchain", "probity-trace", "probity-wire",
    ]),
    row("probity-check", &["probity-engine"]),
    row("probity-cli", &[
        "probity-check", "probity-classfile", "probity-classpath", "probity-coverage", "probity-engine",
        "probity-execdata", "probity-report", "probity-trace", "probity-wire",
    ]).tests_may_use(&[AGENT]),

    // For development only: leaves that no crate of the product is built from.
    row(TEST_SUPPORT, &["probity-toolchain"]),
    row("probity-model", &["probity-classfile"]),
    row("probity-fuzz", &[
        TEST_SUPPORT, AGENT, "probity-classfile", "probity-classpath", "probity-coverage", "probity-engine", "probity-instrument",
        "probity-model", "probity-select", "probity-shape", "probity-store", "probity-toolchain", "probity-trace",
    ]),
    row("probity-bench", &[
        TEST_SUPPORT, "probity-classfile", "probity-classpath", "probity-coverage", "probity-engine",
        "probity-execdata", "probity-instrument", "probity-select", "probity-shape", "probity-store", "probity-toolchain", "probity-trace",
    ]),
    row("xtask", &[TEST_SUPPORT, "probity-toolchain"]),
];

/// The row of a crate.
pub(super) fn row_of(name: &str) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.name == name)
}

/// A way down the table from one crate to another, both included.
pub(super) fn way_down(from: &str, to: &str) -> Option<Vec<&'static str>> {
    let row = row_of(from)?;
    if row.may_use.contains(&to) {
        return Some(vec![row.name, row_of(to)?.name]);
    }
    let rest = row.may_use.iter().find_map(|next| way_down(next, to))?;
    Some([&[row.name], &rest[..]].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_crate_has_one_row_and_uses_crates_that_have_one() {
        for row in ROWS {
            assert_eq!(ROWS.iter().filter(|other| other.name == row.name).count(), 1, "{}", row.name);
            for used in row.may_use.iter().chain(row.tests_may_use) {
                assert!(row_of(used).is_some(), "{} uses {used}, which has no row", row.name);
            }
        }
    }

    /// Rows are ordered so that each stands below those that it uses, which a cycle could not satisfy.
    #[test]
    fn the_direction_never_turns_round() {
        let mut lower = vec![TEST_SUPPORT];
        for row in ROWS {
            for used in row.may_use {
                assert!(lower.contains(used), "{} uses {used}, which comes after it", row.name);
            }
            lower.push(row.name);
        }
    }

    #[test]
    fn nothing_of_the_product_is_built_from_development_crates() {
        let development = [TEST_SUPPORT, "probity-model", "probity-fuzz", "probity-bench", "xtask"];
        for row in ROWS.iter().filter(|row| !development.contains(&row.name)) {
            assert!(!row.may_use.iter().any(|used| development.contains(used)), "{}", row.name);
        }
    }

    #[test]
    fn ways_down_are_found() {
        assert_eq!(
            way_down("probity-store", "probity-instrument"),
            Some(vec!["probity-store", "probity-shape", "probity-instrument"])
        );
        assert_eq!(way_down("probity-shape", "probity-store"), None);
    }
}
