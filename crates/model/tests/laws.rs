//! The laws of the safety argument on twenty thousand random programs with a hundred thousand revisions.

use probity_model::campaign::{Plan, Tally, campaign};
use probity_model::laws::controls::CONTROLS;
use probity_model::laws::{Selector, laws};

const PLAN: Plan = Plan { seed: 2020, revisions: 5, steps_every: 7 };
const PROGRAMS: u64 = 20_500;

fn tally() -> Tally {
    let half = PROGRAMS / 2;
    std::thread::scope(|scope| {
        let first = scope.spawn(|| campaign(&PLAN, 0..half));
        let mut all = campaign(&PLAN, half..PROGRAMS);
        all.add(first.join().expect("does not panic"));
        all
    })
}

#[test]
fn laws_hold_and_wrong_claims_are_caught() {
    let tally = tally();
    assert!(tally.programs >= 20_000, "{} programs", tally.programs);
    assert!(tally.revisions >= 100_000, "{} revisions", tally.revisions);
    if let Some(counterexample) = tally.counterexamples.first() {
        panic!("{counterexample}");
    }
    for law in laws() {
        let count = tally.laws.get(law.id).copied().unwrap_or_default();
        assert!(
            count.applied >= 30,
            "{law:?} was put to the test in {} cases of {}",
            count.applied,
            count.cases
        );
    }
    for selector in Selector::all().filter(|selector| selector.is_safe()) {
        let count = tally.selections.get(selector.name()).copied().unwrap_or_default();
        assert!(count.deselected > 1_000 && count.wrong == 0, "{}: {count:?}", selector.name());
    }
    for control in CONTROLS {
        let count = tally.controls.get(control.id).copied().unwrap_or_default();
        assert!(count.failures > 0, "{control:?} was not caught in {} cases", count.applied);
    }
}
