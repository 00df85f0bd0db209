//! The crates of the workspace and what they depend on, as cargo tells it.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use crate::failure::Failure;
use crate::processes;
use crate::root::repository_root;

/// What a dependency is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// It is part of what is built, or runs while it is built.
    Product,
    /// It is for tests only.
    Tests,
}

/// A crate of the workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Member {
    pub(super) name: String,
    /// The path of its manifest, relative to the root.
    pub(super) manifest: String,
    /// The other crates of the workspace that it names.
    pub(super) uses: Vec<(String, Purpose)>,
}

/// The crates, and for every package (theirs and others) the packages that end up in what is built from it.
#[derive(Debug, Clone, Default)]
pub(super) struct Workspace {
    pub(super) members: Vec<Member>,
    pub(super) linked: BTreeMap<String, Vec<String>>,
}

impl Workspace {
    /// Asks cargo.
    pub(super) fn load() -> Result<Self, Failure> {
        let json = processes::output_of(processes::cargo(["metadata", "--format-version", "1"]))?;
        let metadata: Metadata = serde_json::from_slice(&json).map_err(Failure::Metadata)?;
        Ok(metadata.into_workspace(repository_root()))
    }

    pub(super) fn is_member(&self, name: &str) -> bool {
        self.members.iter().any(|member| member.name == name)
    }
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    workspace_members: Vec<String>,
    resolve: Resolve,
}

#[derive(Deserialize)]
struct Package {
    id: String,
    name: String,
    manifest_path: String,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    kind: Option<String>,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    deps: Vec<NodeDependency>,
}

#[derive(Deserialize)]
struct NodeDependency {
    pkg: String,
    dep_kinds: Vec<DependencyKind>,
}

#[derive(Deserialize)]
struct DependencyKind {
    kind: Option<String>,
}

impl Metadata {
    fn into_workspace(self, root: &Path) -> Workspace {
        let members: Vec<&Package> =
            self.packages.iter().filter(|package| self.workspace_members.contains(&package.id)).collect();
        let names: Vec<&str> = members.iter().map(|package| package.name.as_str()).collect();
        Workspace {
            members: members.iter().map(|package| package.as_member(root, &names)).collect(),
            linked: self.linked(),
        }
    }

    /// The normal dependencies of each package, by name.
    fn linked(&self) -> BTreeMap<String, Vec<String>> {
        let names: BTreeMap<&str, &str> =
            self.packages.iter().map(|package| (package.id.as_str(), package.name.as_str())).collect();
        let name_of = |id: &str| names.get(id).map_or(id, |name| name).to_owned();
        let is_linked =
            |dependency: &&NodeDependency| dependency.dep_kinds.iter().any(|kind| kind.kind.is_none());
        let mut linked: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for node in &self.resolve.nodes {
            let targets = node.deps.iter().filter(is_linked).map(|dependency| name_of(&dependency.pkg));
            linked.entry(name_of(&node.id)).or_default().extend(targets);
        }
        linked
    }
}

impl Package {
    fn as_member(&self, root: &Path, members: &[&str]) -> Member {
        let purpose = |kind: &Option<String>| match kind.as_deref() {
            Some("dev") => Purpose::Tests,
            _ => Purpose::Product,
        };
        let manifest = Path::new(&self.manifest_path);
        Member {
            name: self.name.clone(),
            manifest: manifest.strip_prefix(root).unwrap_or(manifest).to_string_lossy().replace('\\', "/"),
            uses: self
                .dependencies
                .iter()
                .filter(|dependency| members.contains(&dependency.name.as_str()))
                .map(|dependency| (dependency.name.clone(), purpose(&dependency.kind)))
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const METADATA: &str = r#"{
        "packages": [
            {"id": "a 1", "name": "probity-a", "manifest_path": "/r/crates/a/Cargo.toml", "dependencies": [
                {"name": "probity-b", "kind": null}, {"name": "probity-c", "kind": "dev"},
                {"name": "probity-c", "kind": "build"}, {"name": "outside", "kind": null}]},
            {"id": "b 1", "name": "probity-b", "manifest_path": "/r/crates/b/Cargo.toml", "dependencies": []},
            {"id": "c 1", "name": "probity-c", "manifest_path": "/r/crates/c/Cargo.toml", "dependencies": []},
            {"id": "o 1", "name": "outside", "manifest_path": "/x/Cargo.toml", "dependencies": []}],
        "workspace_members": ["a 1", "b 1", "c 1"],
        "resolve": {"nodes": [
            {"id": "a 1", "deps": [
                {"pkg": "b 1", "dep_kinds": [{"kind": null}]}, {"pkg": "o 1", "dep_kinds": [{"kind": null}]},
                {"pkg": "c 1", "dep_kinds": [{"kind": "dev"}, {"kind": "build"}]}]},
            {"id": "b 1", "deps": []}, {"id": "c 1", "deps": []}, {"id": "o 1", "deps": []}]}}"#;

    #[test]
    fn metadata_is_read_into_members_and_what_is_linked() {
        let metadata: Metadata = serde_json::from_str(METADATA).expect("well formed");
        let workspace = metadata.into_workspace(Path::new("/r"));
        let a = &workspace.members[0];
        assert_eq!(a.manifest, "crates/a/Cargo.toml");
        let uses: Vec<(&str, Purpose)> =
            a.uses.iter().map(|(name, purpose)| (name.as_str(), *purpose)).collect();
        assert_eq!(
            uses,
            [("probity-b", Purpose::Product), ("probity-c", Purpose::Tests), ("probity-c", Purpose::Product)]
        );
        assert_eq!(workspace.linked["probity-a"], ["probity-b", "outside"]);
        assert!(workspace.is_member("probity-b") && !workspace.is_member("outside"));
    }
}
