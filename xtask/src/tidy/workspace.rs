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

/// The platform for which it is looked what is linked: the one on which the agent is used most.
const PLATFORM: &str = "x86_64-unknown-linux-gnu";

/// The crates, and for every package (theirs and others) the packages that end up in what is built from it.
#[derive(Debug, Clone, Default)]
pub(super) struct Workspace {
    pub(super) members: Vec<Member>,
    pub(super) linked: BTreeMap<String, Vec<String>>,
}

impl Workspace {
    /// Asks cargo.
    pub(super) fn load() -> Result<Self, Failure> {
        let metadata = ["metadata", "--format-version", "1", "--filter-platform", PLATFORM];
        let json = processes::output_of(processes::cargo(metadata))?;
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
    targets: Vec<Target>,
}

#[derive(Deserialize)]
struct Target {
    kind: Vec<String>,
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

    /// The normal dependencies of each package, by name. A procedural macro is not among them, nor what it is made of:
    /// it runs inside the compiler.
    fn linked(&self) -> BTreeMap<String, Vec<String>> {
        let packages: BTreeMap<&str, &Package> =
            self.packages.iter().map(|package| (package.id.as_str(), package)).collect();
        let name_of = |id: &str| packages.get(id).map_or(id, |package| &package.name).to_owned();
        let is_linked = |dependency: &&NodeDependency| {
            let is_macro = packages.get(dependency.pkg.as_str()).is_some_and(|package| package.is_macro());
            !is_macro && dependency.dep_kinds.iter().any(|kind| kind.kind.is_none())
        };
        let mut linked: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for node in &self.resolve.nodes {
            let targets = node.deps.iter().filter(is_linked).map(|dependency| name_of(&dependency.pkg));
            linked.entry(name_of(&node.id)).or_default().extend(targets);
        }
        linked
    }
}

impl Package {
    fn is_macro(&self) -> bool {
        self.targets.iter().any(|target| target.kind.iter().any(|kind| kind == "proc-macro"))
    }

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
                {"name": "probity-c", "kind": "build"}, {"name": "outside", "kind": null}],
                "targets": [{"kind": ["lib"]}, {"kind": ["test"]}]},
            {"id": "b 1", "name": "probity-b", "manifest_path": "/r/crates/b/Cargo.toml", "dependencies": [],
                "targets": [{"kind": ["lib"]}]},
            {"id": "c 1", "name": "probity-c", "manifest_path": "/r/crates/c/Cargo.toml", "dependencies": [],
                "targets": [{"kind": ["lib"]}]},
            {"id": "o 1", "name": "outside", "manifest_path": "/x/Cargo.toml", "dependencies": [],
                "targets": [{"kind": ["lib"]}, {"kind": ["custom-build"]}]},
            {"id": "m 1", "name": "outside-macros", "manifest_path": "/m/Cargo.toml", "dependencies": [],
                "targets": [{"kind": ["proc-macro"]}]}],
        "workspace_members": ["a 1", "b 1", "c 1"],
        "resolve": {"nodes": [
            {"id": "a 1", "deps": [
                {"pkg": "b 1", "dep_kinds": [{"kind": null}]}, {"pkg": "o 1", "dep_kinds": [{"kind": null}]},
                {"pkg": "c 1", "dep_kinds": [{"kind": "dev"}, {"kind": "build"}]}]},
            {"id": "b 1", "deps": []}, {"id": "c 1", "deps": []},
            {"id": "o 1", "deps": [{"pkg": "m 1", "dep_kinds": [{"kind": null}]}]}, {"id": "m 1", "deps": []}]}}"#;

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

    #[test]
    fn a_macro_is_not_linked() {
        let metadata: Metadata = serde_json::from_str(METADATA).expect("well formed");
        let workspace = metadata.into_workspace(Path::new("/r"));
        assert_eq!(workspace.linked["outside"], [""; 0]);
        let linked = METADATA.replace("proc-macro", "lib");
        let metadata: Metadata = serde_json::from_str(&linked).expect("well formed");
        assert_eq!(metadata.into_workspace(Path::new("/r")).linked["outside"], ["outside-macros"]);
    }
}
