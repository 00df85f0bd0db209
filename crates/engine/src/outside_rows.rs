//! What ran outside all units, kept like the trace of a unit.
//!
//! A full run covers it, so a report that is to equal one needs it. It is no unit: it is never selected, and it shows nothing about
//! any unit. Of each environment the newest counts.

use probity_trace::{ClassHits, ClassUse, Environment, Hits, OUTSIDE, Reason, Trace, Why};
use std::collections::BTreeMap;

/// What the JVMs of one run covered outside all units, for each environment.
pub(crate) fn outside_traces(
    began: u64,
    jvms: impl Iterator<Item = (Environment, Vec<ClassHits>)>,
) -> Vec<Trace> {
    let mut classes: BTreeMap<Environment, BTreeMap<(String, [u8; 16]), ClassUse>> = BTreeMap::new();
    for (environment, rows) in jvms {
        let of_environment = classes.entry(environment).or_default();
        for row in rows {
            let Some(content) = row.content else { continue };
            let used = of_environment.entry((row.name.clone(), content.0)).or_insert_with(|| ClassUse {
                name: row.name.into(),
                content,
                place: "".into(),
                hits: Hits::default(),
                inherited: Hits::default(),
                reasons: vec![Reason { why: Why::Outside, of: None }],
            });
            used.hits.add(&row.hits);
        }
    }
    let with_rows = classes.into_iter().filter(|(_, classes)| !classes.is_empty());
    let traces = with_rows.map(|(environment, classes)| Trace {
        unit: OUTSIDE.to_owned(),
        framework: "none".to_owned(),
        began,
        environment,
        classes: classes.into_values().collect(),
        ..Trace::default()
    });
    traces.collect()
}
