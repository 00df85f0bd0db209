//! Stores with traces of the small project, and what can go wrong with a store.

use std::fs;
use std::path::Path;

use probity_shape::{ContentId, ShapeReader};
use probity_store::{Run, Store};
use probity_trace::{
    ClassUse, Environment, FileState, FileUse, Hits, Outcome, Reason, ResourceUse, SettingUse, Test, Trace,
    Why,
};

use super::classes::class_with_lines;

/// Writes a store that is whole, one with a damaged file, one of a newer version and one with nothing that can be used.
pub(crate) fn write_all(folder: &Path) {
    let cart = class_with_lines("shop/Cart", "Cart.java");
    let shelf = class_with_lines("shop/store/Shelf", "Shelf.java");
    let old_cart = class_with_lines("shop/Cart", "OldCart.java");
    let whole = Store::at(folder.join("traced/.probity"));
    fs::create_dir_all(folder.join("traced/module")).expect("creates folders");

    let old = Trace { began: 1_600_000_000_000, ..cart_test(&old_cart, &shelf) };
    add(&whole, &[old], &[&old_cart], 1_600_000_000_000, Some(1));
    let traces = [cart_test(&cart, &shelf), shelf_test(&shelf), old_test(&old_cart)];
    add(&whole, &traces, &[&cart, &shelf], 1_700_000_000_000, Some(0));

    for (name, change) in [("damaged", flip as fn(Vec<u8>) -> Vec<u8>), ("cut", cut), ("newer", make_newer)] {
        let store = Store::at(folder.join(format!("traced-{name}")));
        add(&store, &[shelf_test(&shelf)], &[&shelf], 1_700_000_000_000, None);
        let known = files(&store);
        add(&store, &[cart_test(&cart, &shelf)], &[], 1_700_000_000_000, None);
        for file in files(&store).into_iter().filter(|file| !known.contains(file)) {
            let changed = change(fs::read(&file).expect("is there"));
            fs::write(&file, changed).expect("writes");
        }
    }
    fs::write(folder.join("no-store"), "a file").expect("writes");
    write_orders(&Store::at(folder.join("traced-orders")), &cart, &shelf);
}

/// Traces of the same units in two orders: one unit ran more in the second, read another file and came by a class through another
/// unit; one has only a class more that was linked; one is alike in both.
fn write_orders(store: &Store, cart: &[u8], shelf: &[u8]) {
    let plain = Trace { distrust: Vec::new(), ..cart_test(cart, shelf) };
    let mut other = Trace { began: plain.began + 60_000, ..plain.clone() };
    other.classes[0].hits = Hits::from_iter([0, 1, 2]);
    other.files[0].state = FileState::File(ContentId([2; 16]));
    let by = (Why::OtherUnit, Some("shop/OldTest"));
    other.classes.push(used("shop/Till", shelf, &[], &[by]));
    let mut linked = Trace { began: plain.began + 60_000, ..shelf_test(shelf) };
    linked.classes.insert(0, used("shop/Cart", cart, &[], &[(Why::Linked, None)]));
    add(store, &[plain, shelf_test(shelf), old_test(cart)], &[cart, shelf], 1_700_000_000_000, Some(0));
    add(store, &[other, linked, old_test(cart)], &[], 1_700_000_060_000, Some(0));
}

fn flip(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes[100] ^= 1;
    bytes
}

fn cut(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.truncate(bytes.len() - 1);
    bytes
}

fn make_newer(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes[15] = 9;
    bytes
}

fn files(store: &Store) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(store.folder().join("traces")).expect("is there");
    entries.map(|entry| entry.expect("is listed").path()).collect()
}

fn add(store: &Store, traces: &[Trace], classes: &[&[u8]], began: u64, exit: Option<i32>) {
    let mut reader = ShapeReader::new();
    let shapes: Vec<_> = classes.iter().map(|class| reader.read(class).expect("has a shape")).collect();
    let run = Run { began, command: "java -jar junit-console.jar".to_owned(), exit };
    store.add_run(traces, &shapes, &run).expect("adds");
}

fn used(name: &str, bytes: &[u8], probes: &[u32], reasons: &[(Why, Option<&str>)]) -> ClassUse {
    let reason = |&(why, of): &(Why, Option<&str>)| Reason { why, of: of.map(Into::into) };
    ClassUse {
        name: name.into(),
        content: ContentId::of(bytes),
        place: "shop/classes".into(),
        hits: Hits::from_iter(probes.iter().copied()),
        inherited: Hits::default(),
        reasons: reasons.iter().map(reason).collect(),
    }
}

fn environment() -> Environment {
    Environment {
        agent: "0.1.0".to_owned(),
        jdk: "17.0.9 Somebody".to_owned(),
        flags: vec!["-ea".to_owned()],
        class_path: vec!["shop/classes".to_owned(), "lib/junit.jar".to_owned()],
    }
}

fn test(id: &str, outcome: Outcome) -> Test {
    Test { id: id.to_owned(), outcome, micros: 700 }
}

/// Ran `pay` up to its first end; `Shelf` is only a supertype.
fn cart_test(cart: &[u8], shelf: &[u8]) -> Trace {
    let hash = Some(ContentId([0xAB; 16]));
    Trace {
        unit: "shop.CartTest".to_owned(),
        framework: "JUnit 5".to_owned(),
        began: 1_700_000_000_000,
        micros: 12_345,
        tests: vec![test("pays()", Outcome::Passed), test("closes()", Outcome::Failed)],
        environment: environment(),
        classes: vec![
            used("shop/Cart", cart, &[0], &[(Why::Ran, None), (Why::Once, Some("shop/Shop"))]),
            used("shop/store/Shelf", shelf, &[], &[(Why::Supertype, Some("shop/Cart"))]),
        ],
        absent_classes: vec!["shop/CartBeanInfo".to_owned()],
        files: vec![
            FileUse { path: "prices.txt".to_owned(), state: FileState::File(ContentId([1; 16])) },
            FileUse { path: "rebates.txt".to_owned(), state: FileState::Absent },
        ],
        resources: vec![ResourceUse { name: "shop.properties".to_owned(), found: None }],
        properties: vec![SettingUse { name: Some("user.dir".to_owned()), value: hash }],
        variables: vec![SettingUse { name: None, value: hash }],
        reads_stack_traces: true,
        distrust: vec!["a native library was loaded".to_owned()],
        ..Trace::default()
    }
}

/// Ran everything of `Shelf`.
fn shelf_test(shelf: &[u8]) -> Trace {
    Trace {
        unit: "shop.store.ShelfTest".to_owned(),
        framework: "JUnit 5".to_owned(),
        began: 1_700_000_001_000,
        micros: 100,
        tests: vec![test("holds()", Outcome::Passed)],
        environment: environment(),
        classes: vec![used("shop/store/Shelf", shelf, &[0, 1, 2], &[(Why::Ran, None)])],
        ..Trace::default()
    }
}

/// Ran a `Cart` of another version.
fn old_test(old_cart: &[u8]) -> Trace {
    Trace {
        unit: "shop.OldTest".to_owned(),
        framework: "JUnit 4".to_owned(),
        began: 1_700_000_002_000,
        classes: vec![used("shop/Cart", old_cart, &[2], &[(Why::Ran, None)])],
        environment: environment(),
        ..Trace::default()
    }
}
