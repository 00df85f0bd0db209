//! Claims that are wrong, each with a case that shows it, kept as text.

use std::fs;
use std::path::PathBuf;

use probity_model::collectors::Collector;
use probity_model::laws::controls::CONTROLS;
use probity_model::laws::{Law, examine, laws, named};
use probity_model::linked::Linked;
use probity_model::names::{ClassName, MethodName};
use probity_model::program::{Body, Class, Method, Program};
use probity_model::run::with_test;
use probity_model::text::Case;
use probity_model::typing;
use std::sync::Arc;

fn pinned(name: &str) -> Case {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/pinned").join(format!("{name}.txt"));
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let case = Case::parse(&text).unwrap_or_else(|wrong| panic!("{}: {wrong}", path.display()));
    assert_eq!(Case::parse(&case.to_string()).as_ref(), Ok(&case), "{name} is not read as it is printed");
    case
}

fn control(id: &str) -> &'static Law {
    CONTROLS.iter().find(|control| control.id == id).expect("there is such a claim")
}

#[test]
fn each_wrong_claim_has_a_case_against_it() {
    for control in CONTROLS {
        let case = pinned(&control.id.to_lowercase());
        let counterexample = control.verdict(&case).expect_err(control.id);
        assert_eq!(Case::parse(&counterexample.to_string()).as_ref(), Ok(&case), "{}", control.id);
    }
}

#[test]
fn the_laws_hold_in_every_case_against_a_wrong_claim() {
    for control in CONTROLS {
        let case = pinned(&control.id.to_lowercase());
        for law in laws() {
            law.verdict(&case).unwrap_or_else(|counterexample| panic!("{counterexample}"));
        }
    }
}

#[test]
fn figure_1_is_caught_and_only_the_right_sets_have_the_class() {
    let case = pinned("figure-1");
    let class = ClassName::of_program(1).expect("is a name");
    let has = |collector| examine(&case, |exam| exam.set(collector).contains(class)).expect("ends");
    for collector in Collector::SAFE {
        assert!(has(collector), "{collector:?}");
    }
    for collector in [Collector::Published, Collector::Coded, Collector::AtInitialiserEntry] {
        assert!(!has(collector), "{collector:?}");
    }
    for id in ["X1", "X1c", "X3"] {
        assert!(control(id).verdict(&case).is_err(), "{id}");
    }
    for law in laws() {
        law.verdict(&case).unwrap_or_else(|counterexample| panic!("{counterexample}"));
    }
    assert_eq!(named("M6").map(|law| law.verdict(&case).map_err(|wrong| wrong.detail)), Some(Ok(0)));
}

/// A program whose root declares a method `main` that is not static is well-formed, and no test can be added to it: that is why the
/// laws are about one program and one test, and not about tests that fit every program.
#[test]
fn no_test_fits_every_program() {
    let mut object = Class::empty(ClassName::OBJECT);
    let mut main = Method::without_result(MethodName::MAIN, Body::trivial());
    main.signature.is_static = false;
    object.methods.push(main);
    let program = Program::default().with(ClassName::OBJECT, Arc::new(object));
    assert_eq!(typing::check(&program, &Linked::new(&program)), Ok(()));
    let with_test = with_test(&program, &Arc::new(Class::test(Body::trivial())));
    let found = typing::check_test(&with_test, &Linked::new(&with_test));
    assert_eq!(found, Err(typing::IllFormed::Override(ClassName::TEST, MethodName::MAIN)));
}
