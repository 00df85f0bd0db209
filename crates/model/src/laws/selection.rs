//! Laws about selections: of the collectors, and of Probity's own levels.

use super::{Checked, Effort, Exam, Law, Revised, ensure, examine_in, law};
use crate::collectors::Collector;
use crate::levels::Level;
use crate::observe::observe;
use crate::step::Dialect;

pub(super) const LAWS: &[Law] = &[
    law("R1", Effort::Steps, "sameness of outcomes is an equivalence, and the same states look the same", r1),
    law(
        "R2",
        Effort::Runs,
        "an outcome that is deselected at every step of a chain is still an outcome at its end",
        r2,
    ),
    law("R3", Effort::Runs, "a larger set deselects less", r3),
    law("P0", Effort::Runs, "the selection by the repaired set is safe", p0),
    law("P1", Effort::Runs, "the class level is safe", |exam| level(exam, Level::Class)),
    law("P2", Effort::Runs, "the method level is safe", |exam| level(exam, Level::Method)),
    law("P3", Effort::Runs, "the method level that counts used members is safe", |exam| {
        level(exam, Level::MethodByUse)
    }),
    law("P4", Effort::Runs, "the edge level is safe", |exam| level(exam, Level::Edge)),
    law("P5", Effort::Runs, "a finer level deselects whatever a coarser one does", p5),
    law("P6", Effort::Runs, "touched classes can be worked out from the bodies that were run", p6),
    law("P7", Effort::Runs, "a larger trace holds less often", p7),
    law("P8", Effort::Runs, "the levels are safe even if the new program is not well-formed", p8),
    law("H1", Effort::Steps, "all of these selections are safe by HotSpot's rules, too", h1),
];

/// What decides whether a test need not be run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Selector {
    /// The classes that a collector collected.
    Collector(Collector),
    /// A trace at a level.
    Level(Level),
}

impl Selector {
    /// All of them, those that must never be wrong first.
    pub fn all() -> impl Iterator<Item = Self> {
        Collector::ALL.into_iter().map(Self::Collector).chain(Level::ALL.into_iter().map(Self::Level))
    }

    /// Whether it must never be wrong.
    #[must_use]
    pub fn is_safe(self) -> bool {
        match self {
            Self::Collector(collector) => collector.is_safe(),
            Self::Level(level) => level.is_safe(),
        }
    }

    /// A short name for tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Collector(collector) => collector.name(),
            Self::Level(level) => level.name(),
        }
    }

    /// Whether the test need not be run on a revision.
    #[must_use]
    pub fn deselects(self, exam: &Exam<'_>, revised: &Revised<'_>) -> bool {
        match self {
            Self::Collector(collector) => exam.set(collector).intersection(revised.changed).is_empty(),
            Self::Level(level) => exam.trace.holds(exam.whole, revised.whole, level),
        }
    }
}

/// Whether a selection is right about every revision; gives the number of deselections.
///
/// With `seen_only`, outcomes are compared by what can be seen of them.
pub(super) fn is_safe(exam: &Exam<'_>, selector: Selector, seen_only: bool) -> Checked {
    let mut deselected = 0;
    for revised in exam.revisions.iter().filter(|revised| exam.is_valid && revised.is_valid) {
        if selector.deselects(exam, revised) {
            deselected += 1;
            ensure(is_right(exam, revised, seen_only), || {
                format!(
                    "{} skips the test, but it ends differently:\n{}",
                    selector.name(),
                    difference(exam, revised)
                )
            })?;
        }
    }
    Ok(deselected)
}

/// Whether the test does in a revision what it did.
fn is_right(exam: &Exam<'_>, revised: &Revised<'_>, seen_only: bool) -> bool {
    match revised.end() {
        Ok(end) if seen_only => observe(&exam.linked, &exam.end) == observe(&revised.linked, end),
        Ok(end) => *end == exam.end,
        Err(_) => false,
    }
}

fn difference(exam: &Exam<'_>, revised: &Revised<'_>) -> String {
    let behind = match revised.end() {
        Ok(end) => observe(&revised.linked, end),
        Err(no_end) => format!("{no_end:?}"),
    };
    format!("{}became\n{behind}", observe(&exam.linked, &exam.end))
}

/// For each selector and each valid revision, whether the test is deselected, and if so whether that is wrong as a whole and
/// for those who look from outside.
pub fn deselections<'e>(exam: &'e Exam<'e>) -> impl Iterator<Item = (Selector, bool, bool)> + 'e {
    let valid = exam.revisions.iter().filter(|revised| exam.is_valid && revised.is_valid);
    valid.flat_map(move |revised| {
        Selector::all().filter(move |selector| selector.deselects(exam, revised)).map(move |selector| {
            let is_wrong = !is_right(exam, revised, false);
            (selector, is_wrong, is_wrong && !is_right(exam, revised, true))
        })
    })
}

/// Two ways to compare outcomes are used: by whole states, and by what can be seen.
fn r1(exam: &Exam<'_>) -> Checked {
    let mut checks = 0;
    let of_revisions = exam.revisions.iter().filter_map(|revised| {
        let end = revised.end().as_ref().ok()?;
        Some((end, observe(&revised.linked, end), revised.smart()))
    });
    let own = (&exam.end, observe(&exam.linked, &exam.end), exam.set(Collector::Smart));
    let outcomes: Vec<_> = of_revisions.chain([own]).collect();
    let same = |one: usize, two: usize| match (outcomes.get(one), outcomes.get(two)) {
        (Some(one), Some(two)) => (one.0 == two.0 && one.2 == two.2, one.1 == two.1),
        _ => (false, false),
    };
    for one in 0..outcomes.len() {
        ensure(same(one, one) == (true, true), || "an outcome is not itself".to_owned())?;
        for two in 0..outcomes.len() {
            let (as_state, as_seen) = same(one, two);
            ensure(same(two, one) == (as_state, as_seen), || "sameness has a direction".to_owned())?;
            ensure(!as_state || as_seen, || "the same state looks different".to_owned())?;
            for three in (0..outcomes.len()).filter(|_| as_state) {
                ensure(same(one, three).0 == same(two, three).0, || {
                    "sameness does not carry over".to_owned()
                })?;
                checks += 1;
            }
        }
    }
    Ok(checks)
}

/// The revisions are a chain; each pair is judged with the set of the first program.
fn r2(exam: &Exam<'_>) -> Checked {
    let mut checks = 0;
    if !exam.is_valid {
        return Ok(0);
    }
    for collector in Collector::SAFE {
        let mut before = &exam.case.program;
        for (number, revised) in exam.revisions.iter().take_while(|revised| revised.is_valid).enumerate() {
            if !exam.set(collector).intersection(before.changed(revised.program)).is_empty() {
                break;
            }
            ensure(is_right(exam, revised, false), || {
                format!("{} at revision {number}:\n{}", collector.name(), difference(exam, revised))
            })?;
            checks += u64::from(number > 0);
            before = revised.program;
        }
    }
    Ok(checks)
}

fn r3(exam: &Exam<'_>) -> Checked {
    let mut checks = 0;
    let sets = Collector::ALL.map(|collector| (collector, exam.set(collector)));
    for revised in &exam.revisions {
        for (one, small) in sets {
            for (two, large) in sets {
                if small.is_subset(large) && small != large {
                    checks += 1;
                    let (one, two) = (Selector::Collector(one), Selector::Collector(two));
                    ensure(!two.deselects(exam, revised) || one.deselects(exam, revised), || {
                        format!("{} deselects what {} does not", two.name(), one.name())
                    })?;
                }
            }
        }
    }
    Ok(checks)
}

fn p0(exam: &Exam<'_>) -> Checked {
    is_safe(exam, Selector::Collector(Collector::Repaired), false)
}

fn level(exam: &Exam<'_>, level: Level) -> Checked {
    is_safe(exam, Selector::Level(level), false)
}

fn p5(exam: &Exam<'_>) -> Checked {
    let mut checks = 0;
    for revised in &exam.revisions {
        let holds = Level::SAFE.map(|level| exam.trace.holds(exam.whole, revised.whole, level));
        for (pair, levels) in holds.windows(2).zip(Level::SAFE.windows(2)) {
            if let [coarse, fine] = pair {
                ensure(!coarse || *fine, || format!("{levels:?}: {coarse}, {fine}"))?;
            }
        }
        checks += 1;
    }
    Ok(checks)
}

fn p6(exam: &Exam<'_>) -> Checked {
    let by_bodies = exam.trace.touched_by_bodies(exam.whole, &exam.linked);
    let touched = exam.trace.touched;
    ensure(by_bodies == touched && touched == exam.set(Collector::Repaired), || {
        format!("{by_bodies} by bodies, {touched} by events")
    })?;
    Ok(1)
}

/// The trace is made larger by all of one body that was entered.
fn p7(exam: &Exam<'_>) -> Checked {
    let mut checks = 0;
    let mut larger = exam.trace.clone();
    for ((class, method), trace) in &mut larger.entered {
        let body =
            exam.whole.class(*class).and_then(|class| class.method(*method)).map(|method| &method.body);
        let count = body.map_or(0, |body| body.instructions.len()) as u16;
        trace.run.extend(0..count);
        trace.ways.extend((1..count).map(|at| (at - 1, at)));
        trace.exceptions.extend((0..count).map(|at| (at, None)));
    }
    for revised in &exam.revisions {
        for level in Level::SAFE {
            let holds = |trace: &crate::levels::Trace| trace.holds(exam.whole, revised.whole, level);
            ensure(!holds(&larger) || holds(&exam.trace), || format!("{level:?}: the larger trace holds"))?;
            checks += 1;
        }
    }
    Ok(checks)
}

fn p8(exam: &Exam<'_>) -> Checked {
    let mut deselected = 0;
    for revised in exam.revisions.iter().filter(|revised| exam.is_valid && !revised.is_valid) {
        for selector in Level::SAFE.map(Selector::Level) {
            if selector.deselects(exam, revised) {
                deselected += 1;
                ensure(is_right(exam, revised, false), || {
                    format!("{} skips the test:\n{}", selector.name(), difference(exam, revised))
                })?;
            }
        }
    }
    Ok(deselected)
}

fn h1(exam: &Exam<'_>) -> Checked {
    let by_hotspot = |exam: &Exam<'_>| {
        let safe = Selector::all().filter(|selector| selector.is_safe());
        safe.map(|selector| is_safe(exam, selector, false)).sum::<Checked>()
    };
    examine_in(exam.case, Dialect::HotSpot, by_hotspot).unwrap_or(Ok(0))
}
