//! Several tests in one machine, one after the other.
//!
//! Classes are initialised once, by whichever test comes first, so what a later test does shows less than it depends on. What
//! happens while a class is initialised is therefore kept with the class, and every test that uses the class later depends on it
//! too. A test that meets a class which an earlier test left failed has no record at all. What remains is pollution: a test, or an
//! initialiser, that takes another path because of values that earlier tests left. No record of such a run tells what the test
//! does alone.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::collectors::Collector;
use crate::linked::Linked;
use crate::names::{CLASS_LIMIT, ClassName, ClassSet, MethodName};
use crate::program::{Class, Program};
use crate::run::{NoEnd, run, test_program};
use crate::state::{Initialisation, State, Status};
use crate::step::Dialect;

/// Places that control came to, in order.
pub type Path = Vec<(ClassName, MethodName, u16)>;

/// What one test did in a machine that others had used before.
#[derive(Clone, Debug)]
pub struct UnitRecord {
    /// The state in which it ended.
    pub end: State,
    /// What collectors collected, without regard to earlier tests.
    pub collected: BTreeMap<Collector, ClassSet>,
    /// What it depends on by the rule of closures; none if it met a class that an earlier test left failed.
    pub closed: Option<ClassSet>,
    /// The path of the test itself.
    pub path: Path,
    /// The paths of the initialisers that ran so far, in this test or before.
    pub initialisers: BTreeMap<ClassName, Path>,
}

impl UnitRecord {
    /// Whether the test, or an initialiser that it needs, took another path than it does alone.
    #[must_use]
    pub fn is_polluted(&self, alone: &Self) -> bool {
        let same = |(class, path): (&ClassName, &Path)| self.initialisers.get(class) == Some(path);
        self.path != alone.path || !alone.initialisers.iter().all(same)
    }
}

/// Runs tests one after the other in one machine.
///
/// # Errors
///
/// Fails when one of them has no end.
pub fn sequence(program: &Program, tests: &[Arc<Class>]) -> Result<Vec<UnitRecord>, NoEnd> {
    let mut machine = Machine { uses: [ClassSet::EMPTY; CLASS_LIMIT], initialisers: BTreeMap::new() };
    let mut records: Vec<UnitRecord> = Vec::new();
    for test in tests {
        let whole = test_program(program, test);
        let linked = Linked::new(&whole);
        let start = match records.last() {
            Some(before) => before.end.clone().start_again(),
            None => State::start(&linked),
        };
        records.push(machine.run(&linked, start)?);
    }
    Ok(records)
}

struct Machine {
    /// For each class, what was used while it was initialised.
    uses: [ClassSet; CLASS_LIMIT],
    initialisers: BTreeMap<ClassName, Path>,
}

impl Machine {
    fn run(&mut self, linked: &Linked<'_>, start: State) -> Result<UnitRecord, NoEnd> {
        // The class of the next test is another one, though all have one name.
        self.initialisers.remove(&ClassName::TEST);
        if let Some(uses) = self.uses.get_mut(ClassName::TEST.index()) {
            *uses = ClassSet::EMPTY;
        }
        let failed: ClassSet =
            start.statics.iter().filter(|part| part.status == Status::Error).map(|part| part.class).collect();
        let mut collected: BTreeMap<Collector, ClassSet> =
            Collector::ALL.into_iter().map(|collector| (collector, collector.start(linked))).collect();
        let (mut used, mut meets_failed, mut path) = (ClassSet::EMPTY, false, Path::new());
        let end = run(linked, start, Dialect::Theory, |state| {
            for (collector, set) in &mut collected {
                *set = set.union(collector.collect(linked, state));
            }
            if let Some(Initialisation::Calling(class, _)) =
                state.frames.last().map(|frame| &frame.initialisation)
            {
                meets_failed |= failed.contains(*class);
            }
            used = used.union(self.see(linked, state, &mut path));
        })?;
        let base = Collector::Repaired.start(linked);
        let closed = (!meets_failed).then(|| base.union(self.closure(linked, used)));
        Ok(UnitRecord { end, collected, closed, path, initialisers: self.initialisers.clone() })
    }

    /// Takes note of a state, for the test and for the initialisers that are running; gives what the step uses.
    fn see(&mut self, linked: &Linked<'_>, state: &State, path: &mut Path) -> ClassSet {
        let used = Collector::Repaired.collect(linked, state);
        let running = state.frames.iter().filter(|frame| frame.method == MethodName::CLINIT);
        let mut innermost = None;
        for frame in running {
            if let Some(uses) = self.uses.get_mut(frame.class.index()) {
                *uses = uses.union(used);
            }
            innermost = Some(frame.class);
        }
        if let Some(frame) = state.frames.last()
            && frame.initialisation == Initialisation::None
        {
            let path = match innermost {
                Some(class) => self.initialisers.entry(class).or_default(),
                None => path,
            };
            path.push((frame.class, frame.method, frame.at));
        }
        used
    }

    /// What follows from using classes: all above them, and what was used while these were initialised.
    fn closure(&self, linked: &Linked<'_>, used: ClassSet) -> ClassSet {
        let mut closed = used;
        loop {
            let more = closed.iter().fold(closed, |set, class| {
                let of_class = self.uses.get(class.index()).copied().unwrap_or_default();
                set.union(linked.above(class)).union(of_class)
            });
            if more == closed {
                return closed;
            }
            closed = more;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Case;

    const CASE: &str = "program
        class C0 extends Object
          static method clinit () void stack 1 locals 0
            invokestatic C1 m0 0
            return
          end
          static method m0 () void stack 1 locals 0
            push unit
            return
          end
        end
        class C1 extends Object
          static method clinit () void stack 1 locals 0
            CLINIT
          end
          static method m0 () void stack 1 locals 0
            push unit
            return
          end
        end
        test
        class Test extends Object
          static method clinit () void stack 1 locals 0
            push unit
            return
          end
          static method main () void stack 1 locals 0
            invokestatic C0 m0 0
            pop
            push unit
            return
            pop
            push unit
            return
            catch 0 1 Throwable at 4 keep 0
          end
        end
        ";

    fn two_runs(initialiser: &str) -> Vec<UnitRecord> {
        let case = Case::parse(&CASE.replace("CLINIT", initialiser)).expect("is a case");
        let test = case.tests.first().expect("has a test");
        sequence(&case.program, &[Arc::clone(test), Arc::clone(test)]).expect("end")
    }

    #[test]
    fn a_later_test_depends_on_what_initialised_its_classes() {
        let [c0, c1] = [0, 1].map(ClassName::wrapped);
        let records = two_runs("push unit\n return");
        let [first, second] = records.as_slice() else { panic!("two tests were run") };
        let smart =
            |record: &UnitRecord| record.collected.get(&Collector::Smart).copied().expect("was collected");
        assert!(smart(first).contains(c0) && smart(first).contains(c1));
        assert!(!smart(second).contains(c0) && !smart(second).contains(c1));
        let closed = second.closed.expect("has a record");
        assert!(closed.contains(c0) && closed.contains(c1));
        assert!(!second.is_polluted(first));
    }

    #[test]
    fn a_test_that_meets_a_failed_class_has_no_record() {
        let records = two_runs("new Error\n throw");
        assert_eq!(records.iter().map(|record| record.closed.is_some()).collect::<Vec<_>>(), [true, false]);
    }
}
