//! Programs of the model on real JVMs: the same end, the same static fields, the same objects, the same classes failed.

mod jvm;

use jvm::{Judge, Verdict};
use probity_model::emit::Form;
use probity_model::generate::{Subject, subject};
use probity_model::random::Chance;
use probity_test_support::java::test_jdks;

const PROGRAMS: u64 = 600;

fn subjects(seed: u64) -> Vec<Subject> {
    (0..PROGRAMS).map(|task| subject(&mut Chance::of_task(seed, task))).collect()
}

#[test]
fn jvms_do_what_the_model_says() {
    for jdk in test_jdks() {
        let judge = Judge::new(&jdk).expect("the driver compiles");
        let mut verdict = Verdict::default();
        for (form, seed) in Form::ALL.into_iter().zip(40..) {
            verdict.add(judge.judge(&subjects(seed), form).expect("the JVM runs"));
        }
        assert_eq!(verdict.differences.first(), None, "{} differ", verdict.differences.len());
        assert_eq!((verdict.same, verdict.not_written), (PROGRAMS as usize * 4, 0));
        assert!(verdict.thrown > 300 && verdict.failed > 200, "{verdict:?}");
    }
}

/// What HotSpot links is what the model calls the initialisation of; an agent is told of exactly these classes.
#[test]
fn jvms_link_the_classes_whose_initialisation_is_called() {
    for jdk in test_jdks() {
        let judge = Judge::new(&jdk).expect("the driver compiles");
        let mut verdict = Verdict::default();
        for (form, seed) in Form::ALL.into_iter().take(2).zip(40..) {
            verdict.add(judge.judge_links(&subjects(seed), form).expect("the JVM runs"));
        }
        assert_eq!(verdict.differences.first(), None, "{} differ", verdict.differences.len());
        assert_eq!(verdict.linked_same, PROGRAMS as usize * 2);
    }
}
