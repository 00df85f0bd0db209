//! The rule that the agent stays small: what is linked into it is in a table.
//!
//! The agent lives in other people's programs, so each crate in it is weight and risk there. The rule sleeps until there
//! is an agent.

use std::collections::BTreeSet;

use super::crate_table::{AGENT, AGENT_MAY_LINK};
use super::finding::Finding;
use super::workspace::Workspace;

pub(super) fn check(workspace: &Workspace) -> Vec<Finding> {
    let Some(agent) = workspace.members.iter().find(|member| member.name == AGENT) else {
        return Vec::new();
    };
    ways_to_everything_linked(workspace)
        .into_iter()
        .filter_map(|way| {
            let last = *way.last()?;
            let is_allowed = workspace.is_member(last) || AGENT_MAY_LINK.contains(&last);
            let message = || format!("the agent may not contain {last}: {}", way.join(" -> "));
            (!is_allowed).then(|| Finding::error(&agent.manifest, message()))
        })
        .collect()
}

/// For each package in the agent the shortest way to it.
fn ways_to_everything_linked(workspace: &Workspace) -> Vec<Vec<&str>> {
    let mut seen = BTreeSet::from([AGENT]);
    let mut ways = vec![vec![AGENT]];
    let mut next = 0;
    while let Some(way) = ways.get(next).cloned() {
        next += 1;
        let linked = way.last().and_then(|last| workspace.linked.get(*last));
        for name in linked.into_iter().flatten() {
            if seen.insert(name) {
                ways.push([&way[..], &[name.as_str()]].concat());
            }
        }
    }
    ways
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::tidy::workspace::Member;

    fn workspace(members: &[&str], linked: &[(&str, &[&str])]) -> Workspace {
        let member = |name: &&str| Member {
            name: (*name).to_owned(),
            manifest: format!("{name}/Cargo.toml"),
            uses: Vec::new(),
        };
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        Workspace {
            members: members.iter().map(member).collect(),
            linked: linked
                .iter()
                .map(|(name, uses)| ((*name).to_owned(), owned(uses)))
                .collect::<BTreeMap<_, _>>(),
        }
    }

    #[test]
    fn a_crate_that_comes_in_through_another_is_found_with_its_way() {
        let linked: &[(&str, &[&str])] = &[
            ("probity-agent", &["jni-sys", "probity-instrument"]),
            ("probity-instrument", &["handy"]),
            ("handy", &["tokio", "jni-sys"]),
        ];
        let found = check(&workspace(&["probity-agent", "probity-instrument"], linked));
        let messages: Vec<&str> = found.iter().map(|finding| finding.message.as_str()).collect();
        assert_eq!(
            messages,
            [
                "the agent may not contain handy: probity-agent -> probity-instrument -> handy",
                "the agent may not contain tokio: probity-agent -> probity-instrument -> handy -> tokio",
            ]
        );
    }

    #[test]
    fn without_an_agent_there_is_nothing_to_check() {
        assert_eq!(check(&workspace(&["probity-cli"], &[("probity-cli", &["tokio"])])), []);
    }
}
