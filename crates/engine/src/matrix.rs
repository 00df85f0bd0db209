//! Which unit covers what, as a matrix: entities by units.
//!
//! An entity is a probe of JaCoCo's, which stands on one way through a method. Units are those of the newest traces; of a class that
//! units used in several versions each version has entities of its own.

use crate::traces::newest;
use probity_shape::ContentId;
use probity_store::{Shapes, Traces};
use std::collections::{BTreeMap, BTreeSet};

/// Entities by units.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Matrix {
    /// The units, sorted.
    pub units: Vec<String>,
    /// The entities, by class, method and number.
    pub entities: Vec<Entity>,
    /// The classes whose methods are not known, by internal name.
    pub unknown: BTreeSet<String>,
}

/// A probe, and who hits it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entity {
    /// The internal name of the class.
    pub class: String,
    /// The version of the class.
    pub content: ContentId,
    /// The name and descriptor of the method.
    pub method: String,
    /// The number of the probe in the method.
    pub probe: u32,
    /// The positions of the units that hit it, ascending.
    pub units: Vec<usize>,
}

/// The matrix of the newest traces. Only classes of folders count unless others are wanted: libraries would be most of it.
#[must_use]
pub fn matrix(traces: &Traces, shapes: &Shapes, with_libraries: bool) -> Matrix {
    let mut units: Vec<_> = newest(traces).collect();
    units.sort_unstable_by(|one, other| one.unit().cmp(other.unit()));
    let mut hits: BTreeMap<(String, ContentId), Vec<(usize, probity_trace::Hits)>> = BTreeMap::new();
    for (position, trace) in units.iter().enumerate() {
        for class in trace.classes().filter(|class| with_libraries || !class.place().ends_with(".jar")) {
            let found = hits.entry((class.name().to_owned(), class.content())).or_default();
            found.push((position, class.hits()));
        }
    }
    let mut matrix =
        Matrix { units: units.iter().map(|trace| trace.unit().to_owned()).collect(), ..Matrix::default() };
    for ((class, content), rows) in hits {
        let Some(shape) = shapes.get(content) else {
            matrix.unknown.insert(class);
            continue;
        };
        for method in &shape.methods {
            let Some(body) = &method.body else { continue };
            matrix.entities.extend(body.probes.clone().map(|probe| Entity {
                class: class.clone(),
                content,
                method: format!("{}{}", method.name, method.descriptor),
                probe: probe - body.probes.start,
                units: rows.iter().filter(|(_, hits)| hits.has(probe)).map(|(unit, _)| *unit).collect(),
            }));
        }
    }
    matrix.entities.sort_unstable();
    matrix
}
