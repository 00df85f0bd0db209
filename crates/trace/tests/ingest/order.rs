//! Rules for all recordings: the order of messages does not change what counts, and a message more never takes a
//! dependency away.

use crate::made::{World, Writer, hits_of, traces_of};
use probity_trace::{ClassCache, Hits, Ingest, Recording, Trace};
use probity_wire::{Fact, Message, Used};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Methods that can run.
const METHODS: [&str; 12] = [
    "UsesStatic.get",
    "Child.run",
    "UsesHolder.id",
    "Holder.id",
    "UsesSubHolder.id",
    "SubHolder.own",
    "Deep.make",
    "Branches.pick",
    "Left.make",
    "Library.call",
    "ATest.test",
    "BTest.test",
];

const CLASSES: [&str; 18] = [
    "Base",
    "FarFace",
    "Face",
    "Middle",
    "Child",
    "Constants",
    "UsesStatic",
    "Deep",
    "Deeper",
    "Holder",
    "UsesHolder",
    "SubHolder",
    "UsesSubHolder",
    "Left",
    "Branches",
    "Library",
    "ATest",
    "BTest",
];

/// What one message says: who, which methods, and bits of the methods' probes to leave out.
#[derive(Clone, Debug)]
struct Step {
    owner: u8,
    methods: Vec<(usize, u64)>,
    fact: u8,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let methods = proptest::collection::vec((0..METHODS.len(), any::<u64>()), 0..4);
    let step = (0..8_u8, methods, 0..12_u8);
    proptest::collection::vec(step.prop_map(|(owner, methods, fact)| Step { owner, methods, fact }), 1..8)
}

const UNITS: [&str; 5] = ["ATest", "BTest", "CTest", "DTest", "ETest"];

/// Classes and facts come first, so that the rest can be in any order; and a part of each unit, since a class that turns out
/// to be a test is no longer everybody's.
fn start() -> (Writer, Vec<u32>) {
    let mut writer = Writer::new();
    writer.load_all(&CLASSES);
    let text = |text: &str| text.as_bytes().to_vec();
    let linked = writer.load("Left");
    let inspected = writer.load("Child");
    let facts = vec![
        writer.fact(Fact::Linked(linked)),
        writer.fact(Fact::Inspected(inspected)),
        writer.fact(Fact::Named(text("Deep"))),
        writer.fact(Fact::Named(text("not.There"))),
        writer.fact(Fact::FileRead(text("data"))),
        writer.fact(Fact::Resource(text("resource"))),
        writer.fact(Fact::Unknown(text("odd"))),
    ];
    for (number, unit) in (3..).zip(UNITS) {
        writer.part(number, unit, Used::default());
    }
    (writer, facts)
}

fn messages(writer: &mut Writer, facts: &[u32], steps: &[Step]) -> Vec<Message> {
    let mut messages = Vec::new();
    for step in steps {
        let mut used = Used::default();
        for (method, mask) in &step.methods {
            let (class, method) = METHODS[*method].split_once('.').unwrap();
            let hits: Hits =
                hits_of(class, method).iter().filter(|probe| mask >> (probe % 64) & 1 == 1).collect();
            used.hits.push((writer.load(class), hits.as_bytes().to_vec()));
        }
        used.facts.extend(facts.get(step.fact as usize));
        messages.push(match step.owner {
            0 => Message::Outside(used),
            1 => Message::Once { class: writer.load("Holder"), used },
            2 => Message::Once { class: writer.load("Deep"), used },
            owner => {
                let name = UNITS[usize::from(owner) - 3];
                writer.part(u32::from(owner), name, used);
                writer.messages.pop().unwrap()
            }
        });
    }
    messages
}

fn traces(start: &Writer, messages: &[Message]) -> Vec<Trace> {
    let all = [&start.messages[..], messages, &[Message::Done { units: (3..8).collect() }]].concat();
    let mut traces = traces_of(&all, &mut World::default());
    traces.sort_by(|one, other| one.unit.cmp(&other.unit));
    traces
}

/// Everything that a trace depends on, without the reasons.
fn dependencies(trace: &Trace) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for class in &trace.classes {
        all.insert(format!("class {}", class.name));
        all.extend(class.all_hits().iter().map(|probe| format!("probe {probe} of {}", class.name)));
        all.extend(class.reasons.iter().map(|reason| format!("{} {:?}", class.name, reason.why)));
    }
    all.extend(trace.absent_classes.iter().map(|name| format!("absent {name}")));
    all.extend(trace.files.iter().map(|file| format!("{file:?}")));
    all.extend(trace.resources.iter().map(|resource| format!("{resource:?}")));
    all.extend(trace.distrust.iter().cloned());
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn the_order_of_messages_changes_nothing(steps in steps(), turn in any::<prop::sample::Index>()) {
        let (mut writer, facts) = start();
        let messages = messages(&mut writer, &facts, &steps);
        let mut turned = messages.clone();
        turned.rotate_left(turn.index(messages.len()));
        let (one, other) = (traces(&writer, &messages), traces(&writer, &turned));
        prop_assert_eq!(one.len(), other.len());
        for (one, other) in one.iter().zip(&other) {
            prop_assert_eq!(dependencies(one), dependencies(other));
        }
        let rows = |messages: &[Message]| {
            let recording = Recording::new([&writer.messages[..], messages].concat());
            Ingest::new(&recording, &mut World::default(), &mut World::default(), None, &mut ClassCache::default()).all_hits()
        };
        prop_assert_eq!(rows(&messages), rows(&turned));
    }

    #[test]
    fn a_message_more_never_takes_a_dependency_away(steps in steps(), more in steps()) {
        let (mut writer, facts) = start();
        let few = messages(&mut writer, &facts, &steps);
        let more = messages(&mut writer, &facts, &more);
        let before = traces(&writer, &few);
        let after = traces(&writer, &[few, more].concat());
        for trace in &before {
            let same = after.iter().find(|other| other.unit == trace.unit).unwrap();
            let lost: Vec<_> = dependencies(trace).difference(&dependencies(same)).cloned().collect();
            prop_assert!(lost.is_empty(), "{} lost {lost:?}", trace.unit);
        }
    }
}
