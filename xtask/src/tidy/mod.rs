//! The rules of the repository's structure that no compiler checks.
//!
//! Each rule is a function from a small model in memory (the files as a [`Tree`], the crates as a [`Workspace`]) to what
//! it finds, so that each can be shown to find a planted violation. Only [`Tree::load`] and [`Workspace::load`] touch
//! the disk or start a program; a rule must never do either.

mod agent_closure;
mod code_map;
mod crate_edges;
mod crate_table;
mod entry_points;
mod finding;
mod lexer;
mod links;
mod long_files;
mod module_docs;
mod purity;
mod tree;
mod unsafe_code;
mod workspace;

use std::path::Path;

use crate::failure::Failure;
pub(crate) use finding::{Finding, Severity};
use tree::Tree;
use workspace::Workspace;

/// Everything that breaks a rule.
pub(crate) fn check(root: &Path) -> Result<Vec<Finding>, Failure> {
    let tree = Tree::load(root)?;
    let workspace = Workspace::load()?;
    Ok([
        crate_edges::check(&workspace),
        agent_closure::check(&workspace),
        code_map::check(&tree),
        module_docs::check(&tree),
        unsafe_code::check(&tree),
        purity::check(&tree),
        entry_points::check(&tree),
        links::check(&tree),
        long_files::check(&tree),
    ]
    .concat())
}
