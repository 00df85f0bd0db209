//! Rewritten bodies of real classes must verify on every tested JDK, just as the original ones do.
//!
//! A class that a JVM refuses, mostly because something that it refers to is missing, must be refused in the same way
//! after it was rewritten. All insertions on the whole corpus are for `cargo xtask verify-rewrite`.

use std::thread;

use probity_test_support::corpus::{self, Part};
use probity_test_support::java::test_jdks;
use probity_toolchain::Jdk;

use crate::class_set::ClassSet;
use crate::comparison::{compare, link, rewrite_all};
use crate::insertions::Insertions;

const SEED: u64 = 20;

#[test]
fn rewritten_classes_verify_like_the_original_ones() {
    let mut set = ClassSet::default();
    for jar in corpus::fetched(Part::Sample).expect("the jars of the sample") {
        set.add_jar(&jar.path).expect("a jar of the sample");
    }
    assert!(set.classes.len() > 10_000, "{} classes", set.classes.len());
    thread::scope(|scope| {
        for jdk in test_jdks() {
            let set = &set;
            scope.spawn(move || check(&jdk, set));
        }
    });
}

fn check(jdk: &Jdk, set: &ClassSet) {
    let before = link(jdk, &set.classes).expect("answers");
    for insertions in Insertions::ALL {
        let rewritten = rewrite_all(&set.classes, insertions, SEED).expect("it can be done");
        assert!(rewritten.too_large * 1000 < rewritten.bodies, "{} bodies too large", rewritten.too_large);
        let comparison = compare(&set.classes, &before, &link(jdk, &rewritten.classes).expect("answers"));
        let differences = &comparison.differences;
        assert!(
            differences.is_empty(),
            "{jdk}, {}: {} differences\n{}",
            insertions.name(),
            differences.len(),
            differences.iter().take(10).cloned().collect::<Vec<_>>().join("\n")
        );
        assert!(comparison.linked > 9_000, "{jdk}: only {} classes were linked", comparison.linked);
        assert_eq!(comparison.linked + comparison.refused_alike, set.classes.len(), "{jdk}");
    }
}
