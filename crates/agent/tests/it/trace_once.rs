//! What happens once in a JVM is recorded with the class to which it belongs, and with whoever ran it.

use crate::harness::said;
use crate::traces::{TracedJvm, compile_one, trace};
use probity_test_support::java::{Program, test_jdks};

/// The nested classes of the program that the initialiser of one of them used.
fn used_once(jvm: &TracedJvm, class: &str) -> Option<Vec<String>> {
    let used = jvm.once(&format!("Once${class}"))?;
    Some(used.nested_of("Once").into_iter().map(str::to_owned).collect())
}

#[test]
fn initialisers_have_what_they_use() {
    for jdk in test_jdks() {
        let classes = compile_one(&jdk, "Once", include_str!("java/Once.java"));
        let traced = trace(&Program::with(&jdk, "Once").class_path([classes.folder()]));
        assert_eq!(traced.output.stdout, "3\n3\n", "{}", traced.output);
        assert_eq!(said(&traced.output), [""; 0]);
        let jvm = traced.jvm();
        let expected: [(&str, &[&str]); 9] = [
            ("Deep", &["Deep", "Helper"]),
            ("Outer", &["Deep", "Helper", "Late", "Outer"]),
            ("Throwing", &["Helper", "Throwing"]),
            ("OnThread", &["OnThread", "Threaded"]),
            ("Parent", &["Parent", "ParentUses"]),
            ("Child", &["Child", "ChildUses"]),
            ("WithDefault", &["InterfaceUses", "WithDefault"]),
            ("Bootstrap", &["Bootstrap", "Linked"]),
            ("Closed", &[]),
        ];
        for (class, uses) in expected {
            // What reaches nothing else has nothing.
            assert_eq!(used_once(jvm, class).unwrap_or_default(), uses, "{class}");
        }
        // Whoever ran them has all of it too, and nothing after an exception counts as inside.
        let unit = jvm.unit("Once");
        for class in ["Deep", "Late", "Threaded", "AfterThrow", "MainMeanwhile", "Closed", "Linked"] {
            assert!(unit.used.hits.contains_key(&format!("Once${class}")), "{class}");
        }
    }
}
