//! Random cases by the thousand: what was tried, how often each law applied, and what failed.
//!
//! A campaign is given by a seed and a range of numbers; each number gives one case, whoever asks for it and in whatever order. Nothing here
//! prints or knows the time.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::collectors::Collector;
use crate::evolve::{self, Edit};
use crate::generate;
use crate::laws::controls::CONTROLS;
use crate::laws::{Counterexample, Effort, Exam, Law, deselections, examine, laws, stuck};
use crate::linked::Linked;
use crate::names::ClassSet;
use crate::program::Program;
use crate::random::Chance;
use crate::run::{run, test_program};
use crate::state::State;
use crate::step::Dialect;
use crate::text::Case;

/// What a campaign tries.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Where chance starts.
    pub seed: u64,
    /// How many revisions each program gets.
    pub revisions: usize,
    /// Laws about every step are tried on one case of so many.
    pub steps_every: u64,
}

/// How often a law was put to the test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LawCount {
    /// The cases in which it was tried.
    pub cases: u64,
    /// The cases in which it had something to say.
    pub applied: u64,
    /// How often it was put to the test in them.
    pub checks: u64,
    /// The cases in which it failed.
    pub failures: u64,
}

/// How often a selection skipped a test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SelectionCount {
    /// Skipped.
    pub deselected: u64,
    /// Skipped although the test ends in another state.
    pub wrong: u64,
    /// Skipped although what can be seen of the test's end is different.
    pub wrong_seen: u64,
}

/// What a campaign found.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Programs that were run.
    pub programs: u64,
    /// Programs that had no end and so gave no case.
    pub without_end: u64,
    /// Programs that were broken on purpose.
    pub broken_programs: u64,
    /// Revisions.
    pub revisions: u64,
    /// Revisions that are well-formed.
    pub valid_revisions: u64,
    /// Well-formed revisions in which the test ends in another state.
    pub changed_outcomes: u64,
    /// Revisions by the kind of edit, and how many of them are well-formed.
    pub edits: BTreeMap<Edit, (u64, u64)>,
    /// The laws.
    pub laws: BTreeMap<&'static str, LawCount>,
    /// The claims that are wrong.
    pub controls: BTreeMap<&'static str, LawCount>,
    /// The selections.
    pub selections: BTreeMap<&'static str, SelectionCount>,
    /// The first counterexamples against laws.
    pub counterexamples: Vec<Counterexample>,
    /// The first counterexample against each claim that is wrong.
    pub caught: BTreeMap<&'static str, Counterexample>,
}

/// How many counterexamples are kept.
const KEPT: usize = 5;

impl Tally {
    /// Adds another tally.
    pub fn add(&mut self, other: Self) {
        self.programs += other.programs;
        self.without_end += other.without_end;
        self.broken_programs += other.broken_programs;
        self.revisions += other.revisions;
        self.valid_revisions += other.valid_revisions;
        self.changed_outcomes += other.changed_outcomes;
        for (edit, (made, valid)) in other.edits {
            let count = self.edits.entry(edit).or_default();
            *count = (count.0 + made, count.1 + valid);
        }
        add_counts(&mut self.laws, other.laws);
        add_counts(&mut self.controls, other.controls);
        for (name, more) in other.selections {
            let count = self.selections.entry(name).or_default();
            count.deselected += more.deselected;
            count.wrong += more.wrong;
            count.wrong_seen += more.wrong_seen;
        }
        self.counterexamples.extend(other.counterexamples);
        self.counterexamples.truncate(KEPT);
        for (name, case) in other.caught {
            self.caught.entry(name).or_insert(case);
        }
    }

    /// Tries one case.
    fn try_case(&mut self, case: &Case, edits: &[Edit], with_steps: bool) {
        let was_run = examine(case, |exam| {
            self.count_revisions(exam, edits);
            for law in laws().filter(|law| with_steps || law.effort == Effort::Runs) {
                self.try_law(law, exam, false);
            }
            for control in CONTROLS.iter().filter(|law| with_steps || law.effort == Effort::Runs) {
                self.try_law(control, exam, true);
            }
            for (selector, is_wrong, is_seen) in deselections(exam) {
                let count = self.selections.entry(selector.name()).or_default();
                count.deselected += 1;
                count.wrong += u64::from(is_wrong);
                count.wrong_seen += u64::from(is_seen);
            }
        });
        if was_run.is_none() {
            self.without_end += 1;
            self.counterexamples.extend(stuck(case));
        }
    }

    fn count_revisions(&mut self, exam: &Exam<'_>, edits: &[Edit]) {
        self.programs += 1;
        self.broken_programs += u64::from(!exam.is_valid);
        for (revised, edit) in exam.revisions.iter().zip(edits) {
            let is_valid = exam.is_valid && revised.is_valid;
            let count = self.edits.entry(*edit).or_default();
            *count = (count.0 + 1, count.1 + u64::from(is_valid));
            self.revisions += 1;
            self.valid_revisions += u64::from(is_valid);
            self.changed_outcomes += u64::from(is_valid && revised.end().as_ref() != Ok(&exam.end));
        }
    }

    fn try_law(&mut self, law: &'static Law, exam: &Exam<'_>, is_control: bool) {
        let counts = if is_control { &mut self.controls } else { &mut self.laws };
        let count = counts.entry(law.id).or_default();
        count.cases += 1;
        match law.check(exam) {
            Ok(checks) => {
                count.applied += u64::from(checks > 0);
                count.checks += checks;
            }
            Err(detail) => {
                count.applied += 1;
                count.failures += 1;
                let found = || Counterexample { law: law.id, detail, case: exam.case.clone() };
                if is_control {
                    self.caught.entry(law.id).or_insert_with(found);
                } else if self.counterexamples.len() < KEPT {
                    self.counterexamples.push(found());
                }
            }
        }
    }
}

fn add_counts(to: &mut BTreeMap<&'static str, LawCount>, from: BTreeMap<&'static str, LawCount>) {
    for (name, more) in from {
        let count = to.entry(name).or_default();
        count.cases += more.cases;
        count.applied += more.applied;
        count.checks += more.checks;
        count.failures += more.failures;
    }
}

/// Tries the cases of these numbers.
#[must_use]
pub fn campaign(plan: &Plan, numbers: Range<u64>) -> Tally {
    let mut tally = Tally::default();
    for number in numbers {
        let (case, edits) = case(plan, number);
        tally.try_case(&case, &edits, number % plan.steps_every.max(1) == 0);
    }
    tally
}

/// One case in so many starts from a broken program, and one has revisions of revisions.
const BROKEN_EVERY: u64 = 16;
const CHAIN_EVERY: u64 = 4;

/// The case of a number, with the edits that made its revisions.
#[must_use]
pub fn case(plan: &Plan, number: u64) -> (Case, Vec<Edit>) {
    let mut chance = Chance::of_task(plan.seed, number);
    let mut program = generate::program(&mut chance);
    let tests: Vec<_> = (0..3).map(|_| generate::test(&mut chance, &program)).collect();
    if number % BROKEN_EVERY == BROKEN_EVERY - 1 {
        program = broken(&mut chance, program);
    }
    let touched = tests.first().map_or(ClassSet::EMPTY, |test| touched(&test_program(&program, test)));
    let mut case = Case { program, tests, revisions: Vec::new() };
    let mut edits = Vec::new();
    let is_chain = number % CHAIN_EVERY == 1;
    while edits.len() < plan.revisions {
        let before = case.revisions.last().filter(|_| is_chain).unwrap_or(&case.program);
        if let Some((revision, edit)) = evolve::revision(&mut chance, before, touched) {
            case.revisions.push(revision);
            edits.push(edit);
        }
    }
    (case, edits)
}

/// The program after some edits that often break it.
fn broken(chance: &mut Chance, program: Program) -> Program {
    let breaking =
        [Edit::FlipStatic, Edit::RemoveMethod, Edit::RemoveField, Edit::RemoveClass, Edit::ChangeBranch];
    let names = program.names();
    (0..3).fold(program, |program, _| {
        let edit = chance.pick(&breaking).copied().unwrap_or(Edit::RemoveField);
        evolve::apply(chance, &program, names, edit).unwrap_or(program)
    })
}

fn touched(whole: &Program) -> ClassSet {
    let linked = Linked::new(whole);
    let mut set = ClassSet::EMPTY;
    // Edits may be aimed at whatever was touched, even if the run has no end.
    let _ = run(&linked, State::start(&linked), Dialect::Theory, |state| {
        set = set.union(Collector::Smart.collect(&linked, state));
    });
    set
}
