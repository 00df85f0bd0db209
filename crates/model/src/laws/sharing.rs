//! Laws about several tests in one machine.

use super::{Checked, Effort, Exam, Law, ensure, law};
use crate::collectors::Collector;
use crate::shared::{UnitRecord, sequence};

pub(super) const LAWS: &[Law] = &[
    law(
        "U1",
        Effort::Steps,
        "alone, a test uses no class that its closed record does not have, unless it is polluted",
        u1,
    ),
    law("U2", Effort::Steps, "the selection by closed records is safe for tests that are not polluted", u2),
];

/// The records of the tests behind the first, each with the record of the same test alone.
fn pairs(exam: &Exam<'_>) -> Vec<(UnitRecord, UnitRecord)> {
    let tests = &exam.case.tests;
    if tests.len() < 2 || !exam.is_valid {
        return Vec::new();
    }
    let Ok(together) = sequence(&exam.case.program, tests) else { return Vec::new() };
    let alone = tests.iter().map(|test| sequence(&exam.case.program, std::slice::from_ref(test)));
    let alone = alone.filter_map(|records| records.ok()?.pop());
    together.into_iter().zip(alone).skip(1).collect()
}

fn u1(exam: &Exam<'_>) -> Checked {
    let mut checks = 0;
    for (together, alone) in pairs(exam) {
        let Some(closed) = together.closed.filter(|_| !together.is_polluted(&alone)) else { continue };
        checks += 1;
        let smart = alone.collected.get(&Collector::Smart).copied().unwrap_or_default();
        ensure(smart.is_subset(closed), || format!("{smart} alone, {closed} by closures"))?;
    }
    Ok(checks)
}

fn u2(exam: &Exam<'_>) -> Checked {
    let mut deselected = 0;
    let pairs = pairs(exam);
    for revised in exam.revisions.iter().filter(|revised| revised.is_valid) {
        for ((together, alone), test) in pairs.iter().zip(exam.case.tests.iter().skip(1)) {
            let closed = together.closed.filter(|_| !together.is_polluted(alone));
            if closed.is_none_or(|closed| !closed.intersection(revised.changed).is_empty()) {
                continue;
            }
            deselected += 1;
            let now = sequence(revised.program, std::slice::from_ref(test))
                .ok()
                .and_then(|mut records| records.pop());
            ensure(now.is_some_and(|now| now.end == alone.end), || "the test ends differently".to_owned())?;
        }
    }
    Ok(deselected)
}
