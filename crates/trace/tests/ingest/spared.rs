//! What counts for a unit because an earlier one did it before: objects that live on behind static fields.

use crate::made::{Writer, both, class, hits_of, names, why};
use probity_shape::Use;
use probity_trace::{Hits, Trace, Why};
use probity_wire::{ClassMessage, Origin};

/// All classes of the caches.
const CACHES: [&str; 8] =
    ["Cache", "Computer", "Rounds", "Rates", "Elsewhere", "SecondCache", "Origin", "Unrelated"];

fn with_caches() -> Writer {
    let mut writer = Writer::new();
    writer.load_all(&CACHES);
    writer
}

fn inherited(trace: &Trace, name: &str) -> Hits {
    class(trace, name).map(|class| class.inherited.clone()).unwrap_or_default()
}

#[test]
fn what_filled_a_cache_counts_for_those_who_find_it_filled() {
    let mut writer = with_caches();
    let first =
        writer.ran(&["Cache.get", "Computer.compute", "Rounds.up", "Computer.other", "Unrelated.work"]);
    writer.unit(1, "First", first);
    let second = writer.ran(&["Cache.get"]);
    writer.unit(2, "Second", second);
    let traces = writer.traces();
    let (first, second) = (&traces[0], &traces[1]);
    assert_eq!(names(second), ["Cache", "Computer", "Rates", "Rounds", "SecondCache"]);
    assert_eq!(inherited(second, "Computer"), hits_of("Computer", "compute"));
    assert_eq!(inherited(second, "Rounds"), hits_of("Rounds", "up"));
    assert!(why(second, "Rounds").contains(&(Why::OtherUnit, None)));
    assert!(why(second, "Rates").contains(&(Why::Named(Use::StaticField), Some("Computer"))));
    assert_eq!(class(second, "Computer").unwrap().hits, Hits::default());
    assert!(second.distrust.is_empty(), "{:?}", second.distrust);
    assert!(why(first, "Rounds").iter().all(|(why, _)| *why != Why::OtherUnit));
    assert!(first.classes.iter().all(|class| class.inherited.is_empty()));
}

/// The first of the two fills the cache; what the second does in between does not hide it, nor does who comes in between.
#[test]
fn all_earlier_units_count() {
    let mut writer = with_caches();
    for (number, name, methods) in [
        (1, "First", &["Cache.get", "Computer.compute"][..]),
        (2, "Second", &["Cache.get"]),
        (3, "Third", &["Cache.get", "Rounds.up"]),
        (4, "Fourth", &["Cache.get"]),
    ] {
        let used = writer.ran(methods);
        writer.unit(number, name, used);
    }
    let traces = writer.traces();
    assert_eq!(inherited(&traces[2], "Computer"), hits_of("Computer", "compute"));
    assert_eq!(inherited(&traces[3], "Computer"), hits_of("Computer", "compute"));
    assert_eq!(inherited(&traces[3], "Rounds"), hits_of("Rounds", "up"));
    assert_eq!(inherited(&traces[1], "Rounds"), Hits::default());
}

/// The unit itself never comes near the second cache.
#[test]
fn what_was_spared_to_those_who_spare_counts_too() {
    let mut writer = with_caches();
    let first = writer.ran(&["SecondCache.get", "Origin.value"]);
    writer.unit(1, "First", first);
    let second = writer.ran(&["Cache.get", "Computer.compute", "Rounds.up", "SecondCache.get"]);
    writer.unit(2, "Second", second);
    let third = writer.ran(&["Cache.get"]);
    writer.unit(3, "Third", third);
    let traces = writer.traces();
    assert_eq!(inherited(&traces[1], "Origin"), hits_of("Origin", "value"));
    assert_eq!(inherited(&traces[2], "Origin"), hits_of("Origin", "value"));
}

/// A static field that is named in a block that did not run counts if an earlier unit used it.
#[test]
fn what_is_named_counts_if_an_earlier_unit_did_it_in_another_way() {
    let mut writer = with_caches();
    let first = writer.ran(&["Cache.put", "Elsewhere.make", "Rounds.up"]);
    writer.unit(1, "First", first);
    let second = writer.ran(&["Cache.get", "Computer.compute"]);
    writer.unit(2, "Second", second);
    let second = &writer.traces()[1];
    assert_eq!(inherited(second, "Rounds"), hits_of("Rounds", "up"));
    // It would not do that itself.
    assert!(!names(second).contains(&"Elsewhere"));
}

#[test]
fn an_initialiser_that_was_spared_something_counts_with_it() {
    let mut writer = with_caches();
    writer.load_all(&["UsesCacheAtOnce"]);
    let first = writer.ran(&["Cache.get", "Computer.compute"]);
    writer.unit(1, "First", first);
    let initialiser = writer.ran(&["UsesCacheAtOnce.<clinit>", "Cache.get"]);
    writer.once("UsesCacheAtOnce", initialiser.clone());
    let second = both(writer.ran(&["UsesCacheAtOnce.id"]), initialiser);
    writer.unit(2, "Second", second);
    let third = writer.ran(&["UsesCacheAtOnce.id"]);
    writer.unit(3, "Third", third);
    let traces = writer.traces();
    assert_eq!(inherited(&traces[1], "Computer"), hits_of("Computer", "compute"));
    assert_eq!(inherited(&traces[2], "Computer"), hits_of("Computer", "compute"));
}

#[test]
fn methods_that_the_jdk_calls_count_for_who_makes_the_object() {
    let mut writer = Writer::new();
    writer.load_all(&["LoaderCache", "Loader", "LoaderUser"]);
    let first =
        writer.ran(&["LoaderUser.use", "LoaderCache.get", "Loader.<init>", "Loader.apply", "Loader.other"]);
    writer.unit(1, "First", first);
    let second = writer.ran(&["LoaderUser.use", "LoaderCache.get", "Loader.<init>"]);
    writer.unit(2, "Second", second);
    assert_eq!(inherited(&writer.traces()[1], "Loader"), hits_of("Loader", "apply"));
}

/// Two units that take two branches, and a static field that both read.
fn branches(classes: &[&str]) -> Trace {
    let mut writer = Writer::new();
    writer.load_all(&["Signs", "Sign", "Kind", "Left", "Right"]);
    writer.load_all(classes);
    let first = writer.ran(&["Signs.pick", "Left.make"]);
    writer.unit(1, "First", first);
    let second = writer.ran(&["Signs.pick", "Right.make"]);
    writer.unit(2, "Second", second);
    writer.traces().remove(1)
}

#[test]
fn objects_that_never_change_share_nothing() {
    assert_eq!(inherited(&branches(&[]), "Left"), Hits::default());
}

#[test]
fn objects_of_a_class_below_may_change() {
    assert_eq!(inherited(&branches(&["ChangingSign"]), "Left"), hits_of("Left", "make"));
}

#[test]
fn fields_of_libraries_are_left_open() {
    let mut writer = Writer::new();
    let in_archive =
        |message: &mut ClassMessage| message.origin = Origin::Location(b"file:/lib.jar".to_vec());
    writer.load_with("Cache", in_archive);
    writer.load_all(&CACHES);
    let first = writer.ran(&["Cache.get", "Computer.compute"]);
    writer.unit(1, "First", first);
    let second = writer.ran(&["Cache.get"]);
    writer.unit(2, "Second", second);
    assert_eq!(inherited(&writer.traces()[1], "Computer"), Hits::default());
}

#[test]
fn who_shares_state_with_a_unit_that_did_not_end_is_distrusted() {
    let mut writer = with_caches();
    let first = writer.ran(&["Cache.get"]);
    writer.part(1, "First", first);
    let second = writer.ran(&["Cache.get"]);
    writer.unit(2, "Second", second);
    let third = writer.ran(&["Unrelated.work"]);
    writer.unit(3, "Third", third);
    let traces = writer.traces();
    assert_eq!(traces[0].distrust, ["it shares state with First, which did not end"]);
    assert!(traces[1].distrust.is_empty());
}
