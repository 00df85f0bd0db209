//! What units that need not run cover, in terms of today's classes.

use crate::recording::add_row;
use crate::selection::now::Now;
use probity_execdata::store::Store as ExecData;
use probity_select::{Found, Tree, carry, carry_what_is_known};
use probity_shape::{ContentId, Shape};
use probity_trace::{ClassHits, ClassUse, Hits, Trace};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The hits of today's classes, by name and bytes.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    classes: BTreeMap<(String, ContentId), (Arc<Shape>, Hits)>,
}

impl Rows {
    /// Adds the row of a unit, whole or not at all.
    pub(crate) fn add(&mut self, trace: &Trace, tree: &Now<'_>) -> Result<(), String> {
        let mut found = Vec::new();
        for used in trace.classes.iter().filter(|used| !used.hits.is_empty()) {
            let shape = tree.shape(used.content).ok_or_else(|| unknown(used))?;
            let now = match tree.class(&used.name, &used.place) {
                Found::Class { content, .. } if content == used.content => Arc::clone(&shape),
                Found::Class { content, .. } => tree.shape(content).ok_or_else(|| unknown(used))?,
                Found::Absent => return Err(format!("{} is gone", used.name)),
                Found::Unreadable(why) => return Err(why),
            };
            let walk = |old, new| tree.body_walk((shape.content, old), (now.content, new));
            let hits = carry(used, &shape, &now, walk).map_err(|error| format!("{}: {error}", used.name))?;
            found.push((now, hits));
        }
        found.into_iter().for_each(|(shape, hits)| self.add_class(shape, &hits));
        Ok(())
    }

    /// Adds what is known of a row of no unit.
    pub(crate) fn add_outside(&mut self, trace: &Trace, tree: &Now<'_>) {
        for used in &trace.classes {
            let (Some(shape), Some(now)) = (tree.shape(used.content), tree.shape_of(&used.name)) else {
                continue;
            };
            self.add_class(now.clone(), &carry_what_is_known(used, &shape, &now));
        }
    }

    fn add_class(&mut self, shape: Arc<Shape>, hits: &Hits) {
        let key = (shape.name.clone(), shape.content);
        self.classes.entry(key).or_insert_with(|| (shape, Hits::default())).1.add(hits);
    }

    /// As JaCoCo would have recorded it.
    pub(crate) fn into_data(self) -> ExecData {
        let mut data = ExecData::default();
        for ((name, content), (shape, hits)) in self.classes {
            let probes = shape.probe_count();
            let row = ClassHits { name, class_id: shape.class_id, probes, content: Some(content), hits };
            // Two classes with one id cannot both be told; JaCoCo's own data has the same gap.
            let _ = add_row(&mut data, &row);
        }
        data
    }
}

fn unknown(used: &ClassUse) -> String {
    format!("{} is not understood", used.name)
}
