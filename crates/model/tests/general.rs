//! The laws that follow from the general definitions alone, on a toy with choice and on the machine.

use std::collections::BTreeMap;

use probity_model::campaign::{Plan, case};
use probity_model::collectors::Collector;
use probity_model::jvm::Machine;
use probity_model::laws::{examine, generic_laws};
use probity_model::random::Chance;
use probity_model::run::FUEL;
use probity_model::semantics::{CollectionSelection, big, ends_of_test};
use probity_model::toy::{Toy, evolved, graph};

#[derive(Default)]
struct Counts(BTreeMap<&'static str, (u64, u64)>);

impl Counts {
    fn add<S: CollectionSelection>(
        &mut self,
        semantics: &S,
        revisions: &[S::Program],
        test: &S::Test,
        fuel: u32,
    ) {
        for (id, _, checked) in generic_laws(semantics, revisions, test, fuel) {
            let count = self.0.entry(id).or_default();
            match checked {
                Ok(checks) => count.0 += checks,
                Err(_) => count.1 += 1,
            }
        }
    }
}

#[test]
fn the_toy_obeys_the_general_laws() {
    let mut counts = Counts::default();
    let mut with_choice = 0;
    for task in 0..3_000 {
        let mut chance = Chance::of_task(5, task);
        let old = graph(&mut chance);
        let new = evolved(&mut chance, &old);
        let newer = evolved(&mut chance, &new);
        let toy = Toy { forgets: false };
        counts.add(&toy, &[old.clone(), new, newer], &0, 20);
        let whole = toy.test_program(&old, &0);
        with_choice += usize::from(big(&toy, &whole, &toy.start(&whole), 20).expect("ends").len() > 1);
    }
    for (id, (checks, failures)) in &counts.0 {
        assert!(*failures == 0 && *checks > 100, "{id}: {checks} checks, {failures} failures");
    }
    assert!(with_choice > 1_000, "only {with_choice} programs have several outcomes");
}

#[test]
fn a_toy_that_forgets_is_caught() {
    let mut counts = Counts::default();
    for task in 0..3_000 {
        let mut chance = Chance::of_task(5, task);
        let old = graph(&mut chance);
        let new = evolved(&mut chance, &old);
        let newer = evolved(&mut chance, &new);
        counts.add(&Toy { forgets: true }, &[old, new, newer], &0, 20);
    }
    let failing: Vec<_> =
        counts.0.iter().filter(|(_, (_, failures))| *failures > 0).map(|(id, _)| *id).collect();
    assert_eq!(failing, ["G7", "G8"]);
}

#[test]
fn the_machine_obeys_the_general_laws_and_is_the_one_that_runs_fast() {
    let plan = Plan { seed: 6, revisions: 2, steps_every: 1 };
    let mut counts = Counts::default();
    for number in 0..150 {
        let (case, _) = case(&plan, number);
        let test = case.tests.first().expect("has a test");
        let revisions = [std::slice::from_ref(&case.program), &case.revisions].concat();
        for collector in Collector::SAFE {
            counts.add(&Machine { collector }, &revisions, test, FUEL);
        }
        examine(&case, |exam| {
            for collector in Collector::ALL {
                let found = ends_of_test(&Machine { collector }, &case.program, test, FUEL).expect("ends");
                assert_eq!(found, [(exam.end.clone(), exam.set(collector))], "{collector:?}");
            }
        });
    }
    for (id, (checks, failures)) in &counts.0 {
        assert!(*failures == 0 && *checks > 10, "{id}: {checks} checks, {failures} failures");
    }
}
