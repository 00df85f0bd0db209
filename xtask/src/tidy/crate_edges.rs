//! The rule that crates depend on each other only as the table allows.

use super::crate_table::{TEST_SUPPORT, row_of, way_down};
use super::finding::Finding;
use super::workspace::{Member, Purpose, Workspace};

pub(super) fn check(workspace: &Workspace) -> Vec<Finding> {
    workspace.members.iter().flat_map(check_member).collect()
}

fn check_member(member: &Member) -> Vec<Finding> {
    if row_of(&member.name).is_none() {
        let message =
            format!("{} has no row in xtask/src/tidy/crate_table.rs: say what it may use", member.name);
        return vec![Finding::error(&member.manifest, message)];
    }
    let forbidden = member.uses.iter().filter(|(used, purpose)| !is_allowed(&member.name, used, *purpose));
    forbidden
        .map(|(used, purpose)| Finding::error(&member.manifest, explain(&member.name, used, *purpose)))
        .collect()
}

fn is_allowed(from: &str, to: &str, purpose: Purpose) -> bool {
    let Some(row) = row_of(from) else {
        return false;
    };
    if row.may_use.contains(&to) {
        return true;
    }
    purpose == Purpose::Tests
        && (row.tests_may_use.contains(&to)
            || to == TEST_SUPPORT
            || way_down(from, to).is_some()
            || way_down(TEST_SUPPORT, to).is_some())
}

fn explain(from: &str, to: &str, purpose: Purpose) -> String {
    let what = match purpose {
        Purpose::Product => "depends on",
        Purpose::Tests => "has tests that depend on",
    };
    let edge = format!("{from} {what} {to}, which xtask/src/tidy/crate_table.rs does not allow");
    match way_down(to, from) {
        Some(way) => format!("{edge}: the direction is {}", way.join(" -> ")),
        None => edge,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(name: &str, uses: &[(&str, Purpose)]) -> Vec<Finding> {
        let member = Member {
            name: name.to_owned(),
            manifest: format!("{name}/Cargo.toml"),
            uses: uses.iter().map(|(used, purpose)| ((*used).to_owned(), *purpose)).collect(),
        };
        check(&Workspace { members: vec![member], ..Workspace::default() })
    }

    #[test]
    fn an_arrow_against_the_direction_is_found_with_the_right_way() {
        let found = findings("probity-shape", &[("probity-store", Purpose::Product)]);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].place, "probity-shape/Cargo.toml");
        assert!(found[0].message.contains("probity-store -> probity-shape"), "{}", found[0].message);
    }

    #[test]
    fn an_arrow_past_the_table_is_found() {
        let found = findings("probity-cli", &[("probity-store", Purpose::Product)]);
        assert_eq!(found.len(), 1, "the store is below, but not for the command to use directly");
    }

    #[test]
    fn test_support_is_for_tests_only() {
        assert_eq!(findings("probity-classfile", &[(TEST_SUPPORT, Purpose::Product)]).len(), 1);
        assert_eq!(findings("probity-classfile", &[(TEST_SUPPORT, Purpose::Tests)]), []);
    }

    #[test]
    fn tests_may_use_what_is_below_but_not_what_is_above() {
        assert_eq!(findings("probity-cli", &[("probity-store", Purpose::Tests)]), []);
        assert_eq!(findings("probity-classpath", &[("probity-toolchain", Purpose::Tests)]), []);
        assert_eq!(findings("probity-classfile", &[("probity-shape", Purpose::Tests)]).len(), 1);
    }

    #[test]
    fn an_unknown_crate_is_found() {
        let found = findings("probity-surprise", &[]);
        assert!(found[0].message.contains("has no row"), "{found:?}");
    }
}
