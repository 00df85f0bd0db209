//! What counts for a unit, rule by rule, on made-up recordings of real classes.

use crate::made::{World, Writer, both, bytes_of, class, hits_of, names, shape_of, traces_with, why};
use probity_shape::Use;
use probity_trace::{ClassCache, Hits, Why};
use probity_wire::{Fact, Origin, Used};
use std::collections::BTreeSet;

#[test]
fn a_static_field_counts_although_no_code_of_its_class_ran() {
    let mut writer = Writer::new();
    writer.load_all(&["UsesStatic", "Constants", "Base"]);
    let used = writer.ran(&["UsesStatic.get"]);
    writer.unit(1, "T", used);
    let [trace] = &writer.traces()[..] else { panic!("one trace") };
    assert_eq!(names(trace), ["Constants", "UsesStatic"]);
    assert_eq!(why(trace, "UsesStatic"), [(Why::Ran, None)]);
    assert_eq!(why(trace, "Constants"), [(Why::Named(Use::StaticField), Some("UsesStatic"))]);
    let constants = class(trace, "Constants").unwrap();
    assert_eq!(constants.content, shape_of("Constants").content);
    assert_eq!(&*constants.place, "target/classes");
    assert!(constants.hits.is_empty() && constants.inherited.is_empty());
    assert_eq!(class(trace, "UsesStatic").unwrap().hits, hits_of("UsesStatic", "get"));
    assert!(trace.distrust.is_empty(), "{:?}", trace.distrust);
}

#[test]
fn all_supertypes_count_and_so_does_the_interface_of_a_default_method() {
    let mut writer = Writer::new();
    writer.load_all(&["Base", "FarFace", "Face", "Middle", "Child"]);
    let used = writer.ran(&["Child.run"]);
    writer.unit(1, "T", used);
    let traces = writer.traces();
    assert_eq!(names(&traces[0]), ["Base", "Child", "Face", "FarFace", "Middle"]);
    assert_eq!(why(&traces[0], "Face"), [(Why::Supertype, Some("Middle"))]);
    assert_eq!(why(&traces[0], "FarFace"), [(Why::Supertype, Some("Face"))]);
    assert!(class(&traces[0], "Middle").unwrap().is_there_because(Why::Supertype));
    assert!(class(&traces[0], "Middle").unwrap().is_there_because(Why::Named(Use::New)));
}

#[test]
fn a_supertype_that_was_not_recorded_is_not_passed_over() {
    let mut writer = Writer::new();
    writer.load_all(&["Base", "Face", "Middle", "Child"]);
    let used = writer.ran(&["Child.run"]);
    writer.unit(1, "T", used);
    assert_eq!(writer.traces()[0].distrust, ["FarFace is a supertype of Face and was not recorded"]);
}

/// The initialiser of `Holder` runs in the first unit; the second inherits what it used.
#[test]
fn what_an_initialiser_used_counts_for_every_unit_that_uses_the_class() {
    let mut writer = Writer::new();
    writer.load_all(&["UsesHolder", "Holder", "Deep", "Deeper", "UsesStatic", "Constants"]);
    let initialiser = writer.ran(&["Holder.<clinit>", "Deep.make"]);
    writer.once("Holder", initialiser.clone());
    let first = both(writer.ran(&["UsesHolder.id", "Holder.id"]), initialiser);
    writer.unit(1, "First", first);
    let second = writer.ran(&["UsesHolder.id", "Holder.id"]);
    writer.unit(2, "Second", second);
    let third = writer.ran(&["UsesStatic.get"]);
    writer.unit(3, "Third", third);
    let traces = writer.traces();
    let (first, second, third) = (&traces[0], &traces[1], &traces[2]);
    assert_eq!(names(first), names(second));
    let named = (Why::Named(Use::StaticCall), Some("Holder"));
    // The static field that `Deep` reads may hold an object that the first unit has changed.
    assert_eq!(why(second, "Deep"), [named, (Why::Once, Some("Holder")), (Why::OtherUnit, None)]);
    assert!(names(second).contains(&"Deeper"));
    assert_eq!(class(first, "Deep").unwrap().hits, hits_of("Deep", "make"));
    assert!(class(first, "Deep").unwrap().inherited.is_empty());
    // Alone, it would have covered that itself.
    assert_eq!(class(second, "Deep").unwrap().hits, hits_of("Deep", "make"));
    let mut holder = hits_of("Holder", "id");
    holder.add(&hits_of("Holder", "<clinit>"));
    assert_eq!(class(second, "Holder").unwrap().hits, holder);
    assert!(class(second, "Holder").unwrap().inherited.is_empty());
    assert_eq!(names(third), ["Constants", "UsesStatic"]);
}

#[test]
fn what_the_initialiser_of_a_superclass_used_counts_too() {
    let mut writer = Writer::new();
    writer.load_all(&["UsesSubHolder", "SubHolder", "Holder", "Deep", "Deeper"]);
    let initialiser = writer.ran(&["Holder.<clinit>", "Deep.make"]);
    writer.once("Holder", initialiser);
    let used = writer.ran(&["UsesSubHolder.id"]);
    writer.unit(1, "T", used);
    let trace = &writer.traces()[0];
    assert_eq!(names(trace), ["Deep", "Deeper", "Holder", "SubHolder", "UsesSubHolder"]);
    assert_eq!(class(trace, "Deep").unwrap().hits, hits_of("Deep", "make"));
}

#[test]
fn an_initialiser_that_did_not_end_makes_later_units_distrusted() {
    let mut writer = Writer::new();
    writer.load_all(&["UsesHolder", "Holder", "Deep", "Deeper", "UsesStatic", "Constants"]);
    let first = writer.ran(&["UsesHolder.id", "Holder.<clinit>"]);
    writer.unit(1, "First", first);
    let second = writer.ran(&["UsesHolder.id"]);
    writer.unit(2, "Second", second);
    let third = writer.ran(&["UsesStatic.get"]);
    writer.unit(3, "Third", third);
    let traces = writer.traces();
    assert!(traces[0].distrust.is_empty(), "{:?}", traces[0].distrust);
    assert_eq!(traces[1].distrust, ["it uses Holder, whose initialiser did not end before"]);
    assert!(traces[2].distrust.is_empty());
}

#[test]
fn code_that_certainly_did_not_run_brings_nothing_in() {
    let pick = hits_of("Branches", "pick");
    let pick: Vec<u32> = pick.iter().collect();
    let shape = shape_of("Branches");
    let body = shape.methods.iter().find(|method| method.name == "pick").unwrap().body.clone().unwrap();
    let entry = body.entry_probe;
    let with = |probes: &[u32]| {
        let mut writer = Writer::new();
        writer.load_all(&["Branches", "Left", "Right"]);
        let number = writer.load("Branches");
        let hits: Hits = probes.iter().copied().chain(entry).collect();
        let used = Used { hits: vec![(number, hits.as_bytes().to_vec())], ..Used::default() };
        writer.unit(1, "T", used);
        let trace = writer.traces().remove(0);
        names(&trace).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(with(&pick), ["Branches", "Left", "Right"]);
    let probes: Vec<u32> = body.probes.clone().collect();
    // The second return only: the way to the first has a probe, in front of the line in which `Left.make` is called.
    assert_eq!(with(&probes[2..]), ["Branches", "Right"]);
    // The first return only: `Right.make` may have thrown in another call.
    assert_eq!(with(&probes[..2]), ["Branches", "Left", "Right"]);
    // A return without the way to it: the method was running already.
    assert_eq!(with(&probes[1..2]), ["Branches", "Left", "Right"]);
}

/// In the first JVM no code of `Branches` runs, so nobody asks for the ways through it.
#[test]
fn what_is_kept_from_one_jvm_is_enough_for_the_next() {
    let mut cache = ClassCache::default();
    let mut first = Writer::new();
    first.load_all(&["Branches", "Left", "Right"]);
    let number = first.load("Branches");
    let used = first.met([Fact::Linked(number)]);
    first.unit(1, "T", used);
    let traces = traces_with(&first.messages, &mut World::default(), &mut cache);
    assert_eq!(names(&traces[0]), ["Branches"]);
    let mut second = Writer::new();
    second.load_all(&["Branches", "Left", "Right"]);
    let body =
        shape_of("Branches").methods.into_iter().find(|method| method.name == "pick").unwrap().body.unwrap();
    let hits: Hits = [body.probes.end - 1].into_iter().chain(body.entry_probe).collect();
    let used = Used { hits: vec![(number, hits.as_bytes().to_vec())], ..Used::default() };
    second.unit(1, "T", used);
    let traces = traces_with(&second.messages, &mut World::default(), &mut cache);
    assert_eq!(names(&traces[0]), ["Branches", "Right"]);
}

#[test]
fn a_class_that_is_not_there_counts_as_absent() {
    let mut world = World::default();
    world.absent.insert("Gone".to_owned());
    let mut writer = Writer::new();
    let used = writer.ran(&["NamesGone.get"]);
    writer.unit(1, "T", used);
    let trace = &writer.traces_in(&mut world)[0];
    assert_eq!(names(trace), ["NamesGone"]);
    assert_eq!(trace.absent_classes, ["Gone"]);
    // There and never loaded: it did not matter.
    let trace = &writer.traces()[0];
    assert!(trace.absent_classes.is_empty() && names(trace) == ["NamesGone"]);
}

#[test]
fn names_that_were_looked_for_are_found_in_all_their_forms() {
    let mut writer = Writer::new();
    writer.load_all(&["Left", "Right"]);
    let named = |name: &str| Fact::Named(name.as_bytes().to_vec());
    let facts = ["[LLeft;", "Right", "not.There", "java.lang.Missing", "[[I"].map(named);
    let mut used = writer.met(facts);
    used.absent = vec![used.facts[2], used.facts[3]];
    writer.unit(1, "T", used);
    let trace = &writer.traces()[0];
    assert_eq!(why(trace, "Left"), [(Why::LookedUp, None)]);
    assert_eq!(why(trace, "Right"), [(Why::LookedUp, None)]);
    assert_eq!(trace.absent_classes, ["not/There"]);
    assert!(trace.distrust.is_empty(), "{:?}", trace.distrust);
}

#[test]
fn who_looks_at_a_class_meets_its_signatures_and_annotations() {
    let mut world = World::default();
    world.absent.insert("Problem".to_owned());
    let mut writer = Writer::new();
    writer.load_all(&["Marker", "Level", "Value", "Bound", "Arg", "Result", "Part", "InspectedBase"]);
    let number = writer.load("Inspected");
    let used = writer.met([Fact::Inspected(number)]);
    writer.unit(1, "T", used);
    let trace = &writer.traces_in(&mut world)[0];
    for name in ["Value", "Arg", "Result"] {
        assert_eq!(why(trace, name), [(Why::Signature, Some("Inspected"))], "{name}");
    }
    for name in ["Bound", "Part"] {
        assert_eq!(why(trace, name), [(Why::Signature, Some("InspectedBase"))], "{name}");
    }
    // The JDK looks at the type of an annotation to read it.
    assert_eq!(
        why(trace, "Marker"),
        [(Why::Inspected, Some("Inspected")), (Why::Signature, Some("Inspected"))]
    );
    assert_eq!(why(trace, "Level"), [(Why::Signature, Some("Marker"))]);
    assert!(class(trace, "InspectedBase").unwrap().is_there_because(Why::Supertype));
    assert!(class(trace, "InspectedBase").unwrap().is_there_because(Why::Inspected));
    assert_eq!(trace.absent_classes, ["Problem"]);
}

#[test]
fn linked_classes_and_nest_hosts_count() {
    let mut writer = Writer::new();
    writer.load("Outer");
    let number = writer.load("Outer$Inner");
    let used = writer.met([Fact::Linked(number), Fact::UsedByHidden(b"Left".to_vec())]);
    writer.load("Left");
    writer.unit(1, "T", used);
    let trace = &writer.traces()[0];
    assert_eq!(why(trace, "Outer$Inner"), [(Why::Linked, None)]);
    assert_eq!(why(trace, "Outer"), [(Why::NestHost, Some("Outer$Inner"))]);
    assert_eq!(why(trace, "Left"), [(Why::Made, None)]);
}

#[test]
fn a_class_that_was_made_is_not_listed_but_all_that_it_names_counts() {
    let mut writer = Writer::new();
    writer.load_all(&["Proxied", "Result", "Arg"]);
    let bytes = bytes_of("MadeOne");
    let number = writer.load_with("MadeOne", |message| message.origin = Origin::Made(bytes));
    let used = writer.met([Fact::Linked(number)]);
    writer.unit(1, "T", used);
    let trace = &writer.traces()[0];
    assert_eq!(names(trace), ["Arg", "Proxied", "Result"]);
    assert_eq!(why(trace, "Proxied"), [(Why::Supertype, Some("MadeOne")), (Why::Made, Some("MadeOne"))]);
    assert_eq!(why(trace, "Arg"), [(Why::Made, Some("MadeOne"))]);
    assert!(trace.distrust.is_empty(), "{:?}", trace.distrust);
}

#[test]
fn a_class_that_the_program_defined_counts_as_made_unless_its_file_may_have_changed() {
    let mut writer = Writer::new();
    writer.load_all(&["Proxied", "Result", "Arg"]);
    let origin =
        Origin::Claimed { location: b"file:/project/target/classes/".to_vec(), bytes: bytes_of("MadeOne") };
    let number = writer.load_with("MadeOne", |message| message.origin = origin);
    let used = writer.met([Fact::Linked(number)]);
    writer.unit(1, "T", used);
    let of = |world: World| writer.traces_in(&mut { world }).remove(0);
    let made_one = || BTreeSet::from(["MadeOne".to_owned()]);
    for (world, expected) in [
        (World::default(), "as it is there"),
        (World { absent: made_one(), ..World::default() }, "made"),
        (World { changed: made_one(), is_old: true, ..World::default() }, "made"),
        (World { changed: made_one(), ..World::default() }, "has changed in"),
        (World { unreadable: made_one(), ..World::default() }, "permission denied"),
    ] {
        let trace = of(world);
        let is_listed = names(&trace).contains(&"MadeOne");
        let is_trusted = trace.distrust.is_empty();
        match expected {
            "as it is there" => assert!(is_listed && is_trusted, "{:?}", trace.distrust),
            "made" => assert!(!is_listed && is_trusted, "{:?}", trace.distrust),
            reason => assert!(trace.distrust.iter().any(|why| why.contains(reason)), "{:?}", trace.distrust),
        }
        if expected == "made" {
            assert_eq!(names(&trace), ["Arg", "Proxied", "Result"]);
        }
    }
}

#[test]
fn a_class_that_is_not_recorded_makes_all_units_distrusted_from_then_on() {
    let mut writer = Writer::new();
    let used = writer.ran(&["Left.make"]);
    writer.unit(1, "Before", used.clone());
    writer.load_with("Right", |message| message.not_recorded = Some(b"it is too large".to_vec()));
    writer.unit(2, "After", used.clone());
    writer.unit(3, "LongAfter", used);
    let traces = writer.traces();
    assert!(traces[0].distrust.is_empty());
    assert_eq!(traces[1].distrust, ["Right is not recorded: it is too large"]);
    assert_eq!(traces[2].distrust, traces[1].distrust);
}

#[test]
fn classes_of_the_jdk_are_not_listed_and_other_modules_of_an_image_are_not_passed_over() {
    let at = |place: &str| {
        let mut writer = Writer::new();
        let place = place.as_bytes().to_vec();
        let number = writer.load_with("Left", |message| message.origin = Origin::Location(place));
        let used = writer.met([Fact::Inspected(number)]);
        writer.unit(1, "T", used);
        let mut world = World::default();
        world.absent.insert("Left".to_owned());
        writer.traces_in(&mut world).remove(0)
    };
    for jdk in ["jrt:/java.base", "jrt:/jdk.compiler"] {
        let trace = at(jdk);
        assert!(trace.classes.is_empty() && trace.distrust.is_empty(), "{:?}", trace.distrust);
    }
    assert_eq!(at("jrt:/my.module").distrust.len(), 1);
}

#[test]
fn a_class_that_changed_or_cannot_be_had_makes_those_distrusted_that_use_it() {
    for (name, is_there) in [("Constants", true), ("Constants", false)] {
        let mut world = World::default();
        let set = if is_there { &mut world.changed } else { &mut world.absent };
        set.insert(name.to_owned());
        let mut writer = Writer::new();
        writer.load(name);
        let used = writer.ran(&["UsesStatic.get"]);
        writer.unit(1, "Uses", used);
        let used = writer.ran(&["Left.make"]);
        writer.unit(2, "Other", used);
        let traces = writer.traces_in(&mut world);
        let reason = traces[0].distrust.join("\n");
        assert!(reason.contains(if is_there { "has changed" } else { "cannot be read again" }), "{reason}");
        assert!(traces[1].distrust.is_empty());
    }
}

#[test]
fn probes_that_were_counted_otherwise_are_noticed() {
    let mut writer = Writer::new();
    let number = writer.load_with("Left", |message| (message.probes, message.entry_probes) = (0, 0));
    let used = writer.met([Fact::Linked(number)]);
    writer.unit(1, "T", used);
    let number = writer.load("Right");
    writer.unit(2, "U", Used { hits: vec![(number, vec![0, 0, 0, 1])], ..Used::default() });
    writer.unit(3, "V", Used { hits: vec![(999, vec![1])], facts: vec![77], absent: vec![] });
    let traces = writer.traces();
    assert_eq!(traces[0].distrust, ["Left was loaded without probes, so nobody knows what ran in it"]);
    assert_eq!(traces[1].distrust, ["Right has hits of probes that it does not have"]);
    assert_eq!(
        traces[2].distrust,
        ["it met fact 77, which was not recorded", "it ran class 999, which was not recorded"]
    );
}

#[test]
fn what_ran_outside_all_units_belongs_to_each() {
    let mut writer = Writer::new();
    writer.load_all(&["Library", "LibraryHelper"]);
    let used = writer.ran(&["Library.call"]);
    writer.outside(used);
    let used = writer.ran(&["Left.make"]);
    writer.unit(1, "T", used);
    let trace = &writer.traces()[0];
    assert_eq!(names(trace), ["Left", "Library", "LibraryHelper"]);
    assert_eq!(why(trace, "Library"), [(Why::Outside, None)]);
    assert_eq!(class(trace, "Library").unwrap().inherited, hits_of("Library", "call"));
    assert!(class(trace, "Library").unwrap().hits.is_empty());
    assert_eq!(why(trace, "LibraryHelper"), [(Why::Named(Use::StaticField), Some("Library"))]);
}

#[test]
fn what_is_done_with_test_classes_outside_counts_for_those_who_use_them() {
    let mut writer = Writer::new();
    writer.load_all(&["ATest", "BTest", "ATest$Nested", "SubOfATest"]);
    let facts = ["ATest", "ATest$Nested", "BTest"].map(|name| Fact::Inspected(writer.load(name)));
    let discovery = writer.met(facts);
    let discovery = both(discovery, writer.ran(&["ATest.<init>", "BTest.<init>"]));
    let discovery = both(discovery, writer.met([Fact::Named(b"BTest".to_vec())]));
    writer.outside(discovery);
    let used = writer.ran(&["ATest.test"]);
    writer.unit(1, "ATest", used);
    let used = writer.ran(&["BTest.test"]);
    writer.unit(2, "BTest", used);
    let used = writer.ran(&["SubOfATest.more"]);
    writer.unit(3, "SubOfATest", used);
    let traces = writer.traces();
    assert_eq!(names(&traces[0]), ["ATest", "ATest$Nested"]);
    assert_eq!(class(&traces[0], "ATest").unwrap().inherited, hits_of("ATest", "<init>"));
    assert_eq!(names(&traces[1]), ["BTest"]);
    assert!(names(&traces[2]).contains(&"ATest"));
    assert_eq!(class(&traces[2], "ATest").unwrap().inherited, hits_of("ATest", "<init>"));
    assert!(!names(&traces[2]).contains(&"BTest"));
}

#[test]
fn units_around_and_beside_a_unit_count_for_it() {
    let mut writer = Writer::new();
    let suite = writer.ran(&["Left.make"]);
    let beside = writer.ran(&["Right.make"]);
    let own = writer.ran(&["UsesStatic.get"]);
    writer.load("Constants");
    writer.part(1, "Suite", suite);
    writer.part(2, "Own", own).inside = vec![1];
    writer.part(3, "Beside", beside).overlaps = vec![2];
    writer.done(&[1, 2, 3]);
    let traces = writer.traces();
    let own = &traces[1];
    assert_eq!(own.unit, "Own");
    assert_eq!(names(own), ["Constants", "Left", "Right", "UsesStatic"]);
    assert_eq!(why(own, "Left"), [(Why::OtherUnit, None)]);
    assert_eq!(class(own, "Right").unwrap().inherited, hits_of("Right", "make"));
    assert_eq!(own.overlaps, ["Beside"]);
    assert_eq!(traces[2].overlaps, ["Own"]);
    assert!(own.distrust.is_empty());
    // Who does not run the suite does not run what is in it.
    assert_eq!(names(&traces[0]), ["Constants", "Left", "UsesStatic"]);
    assert_eq!(why(&traces[0], "UsesStatic"), [(Why::OtherUnit, None)]);
}

#[test]
fn a_unit_beside_one_that_did_not_end_is_distrusted() {
    let mut writer = Writer::new();
    writer.part(1, "Suite", Used::default());
    writer.part(2, "Own", Used::default()).inside = vec![1, 9];
    writer.done(&[2]);
    let traces = writer.traces();
    assert_eq!(traces.len(), 1);
    assert_eq!(
        traces[0].distrust,
        [
            "it ran inside or beside Suite, which did not end",
            "it ran inside or beside unit 9, of which nothing was recorded"
        ]
    );
}

#[test]
fn two_versions_of_a_name_are_both_listed_and_two_of_the_same_bytes_are_one() {
    let mut writer = Writer::new();
    writer.load_all(&["Constants", "UsesStatic"]);
    writer.load_with("Constants", |message| message.number = 1000);
    let used = writer.ran(&["UsesStatic.get"]);
    writer.unit(1, "T", used);
    let trace = &writer.traces()[0];
    assert_eq!(names(trace), ["Constants", "UsesStatic"]);
    let mut world = World::default();
    world.changed.insert("Constants".to_owned());
    assert!(!writer.traces_in(&mut world)[0].distrust.is_empty());
}
