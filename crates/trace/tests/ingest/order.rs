//! Rules for all recordings: the order of messages does not change what counts, and a message more never takes a
//! dependency away.

use crate::made::{World, Writer, bytes_of, hits_of, traces_of};
use probity_trace::{ClassCache, Hits, Ingest, Recording, Trace};
use probity_wire::{Fact, Message, Origin, StartMessage, UnitMessage, Used};
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Methods that can run.
const METHODS: [&str; 18] = [
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
    "Cache.get",
    "Cache.put",
    "Computer.compute",
    "Rounds.up",
    "SecondCache.get",
    "Origin.value",
];

const CLASSES: [&str; 24] = [
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
    "Cache",
    "Computer",
    "Rounds",
    "Rates",
    "SecondCache",
    "Origin",
];

/// What one message says: who, which methods, and bits of the methods' probes to leave out.
#[derive(Clone, Debug)]
struct Step {
    owner: u8,
    methods: Vec<(usize, u64)>,
    fact: u8,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let methods = vec((0..METHODS.len(), any::<u64>()), 0..4);
    let step = (0..8_u8, methods, 0..12_u8);
    vec(step.prop_map(|(owner, methods, fact)| Step { owner, methods, fact }), 1..8)
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

/// Any message, with numbers so small that they often mean something.
fn any_message() -> impl Strategy<Value = Message> {
    let number = || 0..6_u32;
    let text = || prop::sample::select(vec!["", "a", "Left", "[LLeft;", "[I", "ä/../$", "java.x", "/", ".."]);
    let numbers = move || vec(number(), 0..3);
    let hits = vec((number(), vec(any::<u8>(), 0..4)), 0..3);
    let used = (hits, numbers(), numbers()).prop_map(|(hits, facts, absent)| Used { hits, facts, absent });
    let unit = (number(), text(), numbers(), numbers(), used.clone()).prop_map(
        |(number, name, overlaps, inside, used)| UnitMessage {
            number,
            name: name.into(),
            overlaps,
            inside,
            used,
            ..UnitMessage::default()
        },
    );
    let fact = (0..12_u8, number(), text()).prop_map(|(kind, class, text)| {
        let text = text.as_bytes().to_vec();
        match kind {
            0 => Fact::Linked(class),
            1 => Fact::Inspected(class),
            2 => Fact::Named(text),
            3 => Fact::UsedByHidden(text),
            4 => Fact::FileRead(text),
            5 => Fact::FileTested(text),
            6 => Fact::FolderListed(text),
            7 => Fact::FileWritten(text),
            8 => Fact::Resource(text),
            9 => Fact::Property { name: text, value: None },
            10 => Fact::AllProperties,
            _ => Fact::Unknown(text),
        }
    });
    let class =
        (number(), prop::sample::select(CLASSES.to_vec()), 0..4_u8).prop_map(|(number, name, kind)| {
            let mut message = Writer::new().message(name);
            message.number = number;
            match kind {
                0 => message.origin = Origin::Made(bytes_of(name)),
                1 => message.origin = Origin::Made(b"no class".to_vec()),
                2 => message.not_recorded = Some(b"no".to_vec()),
                _ => {}
            }
            Message::Class(message)
        });
    prop_oneof![
        3 => class,
        1 => Just(Message::Start(StartMessage::default())),
        3 => (number(), fact).prop_map(|(number, fact)| Message::Fact { number, fact }),
        2 => (number(), used.clone()).prop_map(|(class, used)| Message::Once { class, used }),
        1 => used.prop_map(Message::Outside),
        3 => unit.prop_map(Message::Unit),
        2 => numbers().prop_map(|units| Message::Done { units }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Whatever stands in a recording, traces come out; and what does not fit together is not trusted.
    #[test]
    fn no_messages_make_it_fail(messages in vec(any_message(), 0..25)) {
        let recording = Recording::new(messages.clone());
        let traces = traces_of(&messages, &mut World::default());
        prop_assert!(recording.start().is_some() || traces.iter().all(|trace| !trace.distrust.is_empty()));
    }
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
