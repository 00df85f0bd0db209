//! All programs of a small space, and whether a collector is safe on all pairs of them.
//!
//! Pairs need not be looked at one by one. A program's set of classes, with the definitions of exactly these classes, is a key; a
//! collector is safe on the whole space if every program that has the same definitions under a key ends as the key's program does. So every
//! program is run once for each test, and looked up under every set. The space is a product of choices for each class, so a key is a
//! number, and the tables are small.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;

use crate::collectors::Collector;
use crate::generate::{Assembler, field, method};
use crate::linked::Linked;
use crate::names::{ClassName, ClassSet, FieldName, MethodName};
use crate::program::{Class, Instruction as I, Method, Program, Value};
use crate::run::{run, test_program, with_test};
use crate::state::State;
use crate::step::Dialect;
use crate::typing;

/// A space of programs: for each class, all that it may be.
#[derive(Debug)]
pub struct Space {
    choices: Vec<Vec<Arc<Class>>>,
    /// The tests.
    pub tests: Vec<Arc<Class>>,
}

/// What one collector came to for one test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SpaceCount {
    /// Programs that were looked up under a set that is not all classes, and found.
    pub hits: u64,
    /// Hits of programs that end differently, or not at all.
    pub wrong: u64,
    /// Hits of programs that end in the same way with another set.
    pub other_set: u64,
}

/// What came of one test.
#[derive(Clone, Debug, Default)]
pub struct TestReport {
    /// Programs that are well-formed with the test, and were run.
    pub runs: u64,
    /// By collector, in the order of [`Collector::ALL`].
    pub collectors: [SpaceCount; Collector::ALL.len()],
}

impl TestReport {
    /// Adds another report.
    pub fn add(&mut self, other: &Self) {
        self.runs += other.runs;
        for (count, more) in self.collectors.iter_mut().zip(&other.collectors) {
            count.hits += more.hits;
            count.wrong += more.wrong;
            count.other_set += more.other_set;
        }
    }
}

/// How one program ended: a hash of the state, and which classes each collector collected, in bits.
#[derive(Clone, Copy, Default)]
struct Ended {
    state: u64,
    sets: [u8; Collector::ALL.len()],
}

impl Space {
    /// The rich space of so many classes: any superclass, a static field or none, two methods or none, and initialisers that do nothing,
    /// throw, make an object of the next class, call it, or set the field.
    #[must_use]
    pub fn rich(classes: u8) -> Self {
        let choices = (0..classes).map(|number| choices(number, classes)).collect();
        Self { choices, tests: tests(classes) }
    }

    /// How many programs there are, well-formed or not.
    #[must_use]
    pub fn len(&self) -> usize {
        self.choices.iter().map(Vec::len).product()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The program of a number.
    #[must_use]
    pub fn program(&self, number: usize) -> Program {
        let mut rest = number;
        let classes = self.choices.iter().zip(0..).filter_map(|(choices, class)| {
            let choice = rest % choices.len().max(1);
            rest /= choices.len().max(1);
            Some((ClassName::wrapped(class), Arc::clone(choices.get(choice)?)))
        });
        Program { classes: classes.collect() }
    }

    /// Which programs of a range are well-formed.
    #[must_use]
    pub fn well_formed(&self, numbers: Range<usize>) -> Vec<bool> {
        numbers
            .map(|number| {
                let program = self.program(number);
                typing::check(&program, &Linked::new(&program)).is_ok()
            })
            .collect()
    }

    /// The definitions of some classes of a program, as a number.
    fn restricted(&self, number: usize, set: u8) -> usize {
        let (mut rest, mut key) = (number, 0);
        for (choices, class) in self.choices.iter().zip(0..) {
            if set & (1 << class) != 0 {
                key = key * choices.len() + rest % choices.len().max(1);
            }
            rest /= choices.len().max(1);
        }
        key
    }

    /// How many restrictions to some classes there are.
    fn restrictions(&self, set: u8) -> usize {
        let chosen = self.choices.iter().zip(0..).filter(|(_, class)| set & (1 << class) != 0);
        chosen.map(|(choices, _)| choices.len()).product()
    }

    /// Runs a test on all well-formed programs and compares.
    #[must_use]
    pub fn try_test(&self, test: &Arc<Class>, well_formed: &[bool]) -> TestReport {
        let mut report = TestReport::default();
        let mut ends: Vec<Option<Option<Ended>>> = Vec::with_capacity(well_formed.len());
        for (number, _) in well_formed.iter().enumerate() {
            let program = Some(number).filter(|number| well_formed.get(*number) == Some(&true));
            let ended = program.and_then(|number| self.run(number, test));
            report.runs += u64::from(ended.is_some());
            ends.push(ended);
        }
        for (place, count) in report.collectors.iter_mut().enumerate() {
            let all = (1_u8 << self.choices.len()) - 1;
            for set in 0..all {
                self.compare(&ends, place, set, count);
            }
        }
        report
    }

    /// Runs one program; none if it is not well-formed with the test, and no end if it has none.
    fn run(&self, number: usize, test: &Arc<Class>) -> Option<Option<Ended>> {
        let program = self.program(number);
        let with_test = with_test(&program, test);
        typing::check_test(&with_test, &Linked::new(&with_test)).ok()?;
        let whole = test_program(&program, test);
        let linked = Linked::new(&whole);
        let mut sets = [ClassSet::EMPTY; Collector::ALL.len()];
        let end = run(&linked, State::start(&linked), Dialect::Theory, |state| {
            for (set, collector) in sets.iter_mut().zip(Collector::ALL) {
                *set = set.union(collector.collect(&linked, state));
            }
        });
        let Ok(end) = end else { return Some(None) };
        let mut hasher = DefaultHasher::new();
        end.hash(&mut hasher);
        Some(Some(Ended { state: hasher.finish(), sets: sets.map(bits) }))
    }

    /// Writes down how the programs ended that have a set, and looks every program up.
    fn compare(&self, ends: &[Option<Option<Ended>>], place: usize, set: u8, count: &mut SpaceCount) {
        let own = |ended: &Ended| ended.sets.get(place).copied().unwrap_or_default();
        let mut table: Vec<Option<u64>> = vec![None; self.restrictions(set)];
        for (number, ended) in ends.iter().enumerate() {
            if let Some(Some(ended)) = ended
                && own(ended) == set
                && let Some(entry) = table.get_mut(self.restricted(number, set))
            {
                *entry = Some(ended.state);
            }
        }
        if table.iter().all(Option::is_none) {
            return;
        }
        for (number, ended) in ends.iter().enumerate() {
            let Some(ended) = ended else { continue };
            let Some(Some(known)) = table.get(self.restricted(number, set)) else { continue };
            count.hits += 1;
            match ended {
                Some(ended) if ended.state == *known => count.other_set += u64::from(own(ended) != set),
                _ => count.wrong += 1,
            }
        }
    }
}

/// The classes of a program in a set, as bits.
fn bits(set: ClassSet) -> u8 {
    set.iter()
        .filter_map(ClassName::number_in_program)
        .filter(|number| *number < 8)
        .fold(0, |bits, number| bits | 1 << number)
}

/// All that a class may be.
fn choices(number: u8, classes: u8) -> Vec<Arc<Class>> {
    let (name, next) = (ClassName::wrapped(number), ClassName::wrapped((number + 1) % classes));
    let others = (0..classes).filter(|other| *other != number).map(ClassName::wrapped);
    let mut all = Vec::new();
    for superclass in std::iter::once(ClassName::OBJECT).chain(others) {
        for with_field in [false, true] {
            for of_class in methods(number, next) {
                for initialiser in initialisers(name, next) {
                    let mut class = Class::empty(superclass);
                    class.fields.extend(with_field.then(|| field(0)));
                    class.methods = std::iter::once(initialiser).chain(of_class.clone()).collect();
                    all.push(Arc::new(class));
                }
            }
        }
    }
    all
}

fn initialisers(name: ClassName, next: ClassName) -> Vec<Method> {
    let f0 = FieldName::numbered(0);
    let bodies: [&[(I, i8)]; 5] = [
        &[],
        &[(I::New(ClassName::ERROR), 1), (I::Throw, -1)],
        &[(I::New(next), 1), (I::Pop, -1)],
        &[(I::Invokestatic { class: next, method: MethodName::numbered(0), arguments: 0 }, 1), (I::Pop, -1)],
        &[(I::Push(Value::Integer(2)), 1), (I::Putstatic { class: name, field: f0, declared_in: name }, -1)],
    ];
    bodies.map(|body| Method::initialiser(written(body, Value::Unit))).into()
}

/// A body that does something and gives a value, unless it ends by throwing.
fn written(actions: &[(I, i8)], result: Value) -> crate::program::Body {
    let mut code = Assembler::default();
    actions.iter().for_each(|(instruction, change)| code.add(*instruction, *change));
    if actions.last().map(|(last, _)| *last) != Some(I::Throw) {
        code.push(result);
        code.add(I::Return, -1);
    }
    code.finish(0)
}

/// The methods that a class may have: a static one, which may touch the next class, and one of objects.
fn methods(number: u8, next: ClassName) -> Vec<Vec<Method>> {
    let result = Value::Integer(i32::from(number) + 1);
    let plain = method(0, written(&[], result));
    let touching = method(0, written(&[(I::New(next), 1), (I::Pop, -1)], result));
    let of_objects = method(1, written(&[], result));
    let mut all = Vec::new();
    for first in [None, Some(plain), Some(touching)] {
        for second in [None, Some(of_objects.clone())] {
            all.push(first.iter().cloned().chain(second).collect());
        }
    }
    all
}

/// Every use of a class alone, and pairs of uses where the first is protected.
fn tests(classes: u8) -> Vec<Arc<Class>> {
    let mut alone: Vec<Vec<(I, i8)>> = Vec::new();
    let mut first: Vec<Vec<(I, i8)>> = Vec::new();
    let names = || (0..classes).map(ClassName::wrapped);
    for class in names() {
        let make = vec![(I::New(class), 1), (I::Pop, -1)];
        let call =
            vec![(I::Invokestatic { class, method: MethodName::numbered(0), arguments: 0 }, 1), (I::Pop, -1)];
        alone.push(vec![
            (I::New(class), 1),
            (I::Invoke { method: MethodName::numbered(1), arguments: 0 }, 0),
            (I::Pop, -1),
        ]);
        alone.extend([make.clone(), call.clone()]);
        first.extend([make, call]);
        for declared_in in names() {
            let f0 = FieldName::numbered(0);
            alone.push(vec![(I::Getstatic { class, field: f0, declared_in }, 1), (I::Pop, -1)]);
            let put = I::Putstatic { class, field: f0, declared_in };
            alone.push(vec![(I::Push(Value::Integer(9)), 1), (put, -1)]);
        }
    }
    let mut tests: Vec<Arc<Class>> =
        alone.iter().map(|actions| Arc::new(Class::test(written(actions, Value::Unit)))).collect();
    for one in &first {
        tests.extend(
            first.iter().filter(|two| *two != one).map(|two| Arc::new(Class::test(protected(one, two)))),
        );
    }
    tests
}

/// A body that does one thing, whatever it throws, and then another.
fn protected(one: &[(I, i8)], two: &[(I, i8)]) -> crate::program::Body {
    let mut code = Assembler::default();
    one.iter().for_each(|(instruction, change)| code.add(*instruction, *change));
    let end = code.here();
    code.add(I::Goto(2), 0);
    code.handle(0, end, ClassName::THROWABLE);
    code.add(I::Pop, -1);
    code.land(end);
    two.iter().for_each(|(instruction, change)| code.add(*instruction, *change));
    code.push(Value::Unit);
    code.add(I::Return, -1);
    code.finish(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_classes_are_safe_for_safe_collectors_and_for_no_other() {
        let space = Space::rich(2);
        assert_eq!(space.len(), 120 * 120);
        let well_formed = space.well_formed(0..space.len());
        let mut all = TestReport::default();
        for test in &space.tests {
            all.add(&space.try_test(test, &well_formed));
        }
        assert!(all.runs > 50_000, "{all:?}");
        for (collector, count) in Collector::ALL.into_iter().zip(all.collectors) {
            assert!(count.hits > 1_000, "{collector:?}: {count:?}");
            if collector.is_safe() {
                assert_eq!((count.wrong, count.other_set), (0, 0), "{collector:?}");
            } else {
                assert!(count.wrong > 0, "{collector:?}: {count:?}");
            }
        }
    }

    #[test]
    fn numbers_and_restrictions_belong_together() {
        let space = Space::rich(3);
        assert_eq!(space.len(), 180 * 180 * 180);
        let number = 7 + 180 * (50 + 180 * 91);
        assert_eq!(space.restricted(number, 0b101), 7 * 180 + 91);
        assert_eq!(space.restricted(number, 0), 0);
        assert_eq!(space.restrictions(0b011), 180 * 180);
    }
}
