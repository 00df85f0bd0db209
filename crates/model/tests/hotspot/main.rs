//! Programs of the model on real JVMs: the same end, the same static fields, the same objects, the same classes failed.

mod jvm;

use jvm::{Judge, Verdict};
use probity_model::campaign::{Plan, case};
use probity_model::emit::Form;
use probity_model::generate::{Subject, subject};
use probity_model::jvm::is_valid_program;
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

/// Edits make programs that the generator does not: members moved, hidden, static or not, other superclasses, other handlers.
#[test]
fn jvms_do_what_the_model_says_of_revisions() {
    let plan = Plan { seed: 77, revisions: 5, steps_every: 1 };
    let revisions: Vec<Subject> = (0..300)
        .flat_map(|number| {
            let (case, _) = case(&plan, number);
            let test = case.tests.first().expect("has a test").clone();
            let valid = case.revisions.into_iter().filter(|program| is_valid_program(program, &test));
            valid.map(|program| Subject { program, test: test.clone() }).collect::<Vec<_>>()
        })
        .collect();
    assert!(revisions.len() > 700, "{}", revisions.len());
    let written_with = Form { with_frames: true, with_empty_initialisers: false };
    for jdk in test_jdks() {
        let verdict =
            Judge::new(&jdk).expect("compiles").judge(&revisions, written_with).expect("the JVM runs");
        assert_eq!(verdict.differences.first(), None, "{} differ", verdict.differences.len());
        assert!(verdict.same * 20 > revisions.len() * 19, "{} of {}", verdict.same, revisions.len());
    }
}
