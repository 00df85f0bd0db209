//! The rule that `unsafe` stays in the two places that talk to the JVM.
//!
//! The compiler forbids it too, by the workspace's lints; but a crate can leave those, and this rule cannot be left.

use super::finding::Finding;
use super::lexer::{Kind, tokens};
use super::tree::Tree;

const ALLOWED: &[&str] = &["crates/jvmti-sys/", "crates/agent/src/ffi/", "crates/agent/src/ffi.rs"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    tree.with_extension(".rs")
        .filter(|(path, _)| !ALLOWED.iter().any(|allowed| path.starts_with(allowed)))
        .flat_map(|(path, text)| check_file(path, text))
        .collect()
}

fn check_file(path: &str, text: &str) -> Vec<Finding> {
    tokens(text)
        .into_iter()
        .filter(|token| token.kind == Kind::Name("unsafe"))
        .map(|token| {
            Finding::error(
                format!("{path}:{}", token.line),
                "unsafe code is only for crates/jvmti-sys and crates/agent/src/ffi",
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsafe_code_is_found_outside_its_places() {
        let code = "fn f() {\n    unsafe { g() }\n}\n";
        let tree = Tree::of(&[
            ("crates/select/src/lib.rs", code),
            ("crates/select/tests/t.rs", "#[unsafe(no_mangle)] fn f() {}"),
            ("crates/agent/src/hooks.rs", code),
            ("crates/agent/src/ffi/calls.rs", code),
            ("crates/jvmti-sys/src/lib.rs", code),
        ]);
        let places: Vec<String> = check(&tree).into_iter().map(|finding| finding.place).collect();
        assert_eq!(
            places,
            ["crates/agent/src/hooks.rs:2", "crates/select/src/lib.rs:2", "crates/select/tests/t.rs:1"]
        );
    }

    #[test]
    fn the_word_elsewhere_is_fine() {
        let code = "#![forbid(unsafe_code)]\n// unsafe\nconst X: &str = \"unsafe\"; /* unsafe */ fn not_unsafe() {}\n";
        assert_eq!(check(&Tree::of(&[("crates/select/src/lib.rs", code)])), []);
    }
}
