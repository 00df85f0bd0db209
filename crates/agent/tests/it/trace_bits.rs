//! With traces the execution data is the same as without, and the units have all of it between them.

use crate::bits::assert_jacocos_bits;
use crate::execution_data::name_of;
use crate::harness::Recording;
use crate::traces::{Traced, trace_with};
use probity_wire::{Message, Used};
use std::collections::{BTreeMap, BTreeSet};

/// All hits of JaCoCo's probes in a recording, whoever is responsible for them, by the id of the class.
fn all_hits(traced: &Traced) -> BTreeMap<u64, BTreeSet<usize>> {
    let mut hits: BTreeMap<u64, BTreeSet<usize>> = BTreeMap::new();
    let jvm = traced.jvm();
    let classes: BTreeMap<u32, (u64, u32)> =
        jvm.classes().map(|class| (class.number, (class.id, class.probes))).collect();
    let mut add = |used: &Used| {
        for (class, bits) in &used.hits {
            let (id, probes) = classes[class];
            let is_hit = |probe: &usize| bits.get(probe / 8).is_some_and(|byte| byte >> (probe % 8) & 1 == 1);
            hits.entry(id).or_default().extend((0..probes as usize).filter(is_hit));
        }
    };
    for message in &jvm.messages {
        match message {
            Message::Unit(unit) => add(&unit.used),
            Message::Outside(used) => add(used),
            _ => {}
        }
    }
    hits.retain(|_, probes| !probes.is_empty());
    hits
}

#[test]
fn execution_data_is_that_of_jacoco_and_the_union_of_all_units() {
    assert_jacocos_bits(|program, options| {
        let traced = trace_with(program, options);
        assert_union(&traced);
        Recording { output: traced.output, data: traced.data }
    });
}

/// What units and the rest used is what the execution data says.
fn assert_union(traced: &Traced) {
    let union = all_hits(traced);
    for class in traced.data.classes() {
        let hits = class.probes.iter().enumerate().filter(|(_, hit)| *hit);
        let hits: BTreeSet<usize> = hits.map(|(probe, _)| probe).collect();
        assert_eq!(union.get(&class.id), Some(&hits), "{}", name_of(class));
    }
}
