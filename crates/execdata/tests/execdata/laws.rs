//! What must hold for all execution data: nothing is lost on the way, and the order of adding up does not matter.

use proptest::collection::vec;
use proptest::prelude::*;

use probity_execdata::format::{
    Block, Blocks, ClassData, Probes, Session, write_class, write_header, write_session,
};
use probity_execdata::store::Store;
use probity_execdata::utf;

/// Hits of a class whose name and number of probes follow from its id, as they do for real classes.
fn class() -> impl Strategy<Value = ClassData<Vec<u8>>> {
    (0..6_u64, any::<[u8; 4]>()).prop_map(|(id, bits)| {
        let count = 3 + 5 * id as usize;
        let bits = bits[..count.div_ceil(8)].to_vec();
        let probes = Probes::packed(count, bits).expect("as many bytes as it takes");
        ClassData { id, name: format!("p/C{id}").into_bytes(), probes }
    })
}

fn session() -> impl Strategy<Value = Session<Vec<u8>>> {
    (".{0,8}", any::<i64>(), -2..3_i64).prop_map(|(id, start_millis, dump_millis)| Session {
        id: utf::encode(&id),
        start_millis,
        dump_millis,
    })
}

fn store() -> impl Strategy<Value = Store> {
    (vec(session(), 0..4), vec(class(), 0..8)).prop_map(|(sessions, classes)| {
        let mut store = Store::default();
        sessions.iter().for_each(|session| store.add_session(session));
        classes.iter().for_each(|class| store.add_class(class).expect("fits"));
        store
    })
}

fn sum(stores: &[&Store]) -> Store {
    let mut sum = Store::default();
    stores.iter().for_each(|store| sum.merge(store).expect("fits"));
    sum
}

fn classes(store: &Store) -> Vec<&ClassData<Vec<u8>>> {
    store.classes().collect()
}

/// Sessions in an order that does not depend on when they were added.
fn sorted_sessions(store: &Store) -> Vec<(i64, i64, &[u8])> {
    let mut sessions: Vec<_> = store
        .sessions()
        .into_iter()
        .map(|session| (session.dump_millis, session.start_millis, session.id.as_slice()))
        .collect();
    sessions.sort_unstable();
    sessions
}

proptest! {
    #[test]
    fn a_class_is_read_as_it_was_written(id: u64, name in ".{0,20}", hits in vec(any::<bool>(), 1..200)) {
        let bytes: Vec<u8> = hits.iter().map(|hit| u8::from(*hit) * 7).collect();
        let mut content = Vec::new();
        write_header(&mut content);
        write_class(&mut content, id, &utf::encode(&name), &bytes);
        let blocks: Vec<_> = Blocks::new(&content).collect::<Result<_, _>>().expect("well formed");
        match blocks[..] {
            [Block::Class(class)] => {
                prop_assert_eq!(class.id, id);
                prop_assert_eq!(utf::to_text(class.name), name);
                prop_assert_eq!(class.probes.iter().collect::<Vec<_>>(), hits);
            }
            _ => prop_assert!(blocks.is_empty() && !hits.contains(&true)),
        }
    }

    #[test]
    fn a_session_is_read_as_it_was_written(id in ".{0,20}", start: i64, dump: i64) {
        let mut content = Vec::new();
        write_header(&mut content);
        write_session(&mut content, &id, start, dump);
        let blocks: Vec<_> = Blocks::new(&content).collect::<Result<_, _>>().expect("well formed");
        let id = utf::encode(&id);
        prop_assert_eq!(blocks, [Block::Session(Session { id: &id[..], start_millis: start, dump_millis: dump })]);
    }

    #[test]
    fn a_file_holds_all_but_classes_without_hits(store in store()) {
        let mut content = Vec::new();
        store.write(&mut content);
        let mut read = Store::default();
        read.load(&content).expect("well formed");
        prop_assert_eq!(read.sessions(), store.sessions());
        let hit: Vec<_> = store.classes().filter(|class| class.probes.hit_count() > 0).collect();
        prop_assert_eq!(classes(&read), hit);
    }

    #[test]
    fn one_file_after_another_is_a_file(one in store(), other in store()) {
        let mut content = Vec::new();
        one.write(&mut content);
        other.write(&mut content);
        let mut read = Store::default();
        read.load(&content).expect("well formed");
        let mut again = Vec::new();
        read.write(&mut again);
        let mut expected = Vec::new();
        sum(&[&one, &other]).write(&mut expected);
        prop_assert_eq!(again, expected);
    }

    #[test]
    fn the_order_of_adding_does_not_matter(one in store(), other in store()) {
        let (there, back) = (sum(&[&one, &other]), sum(&[&other, &one]));
        prop_assert_eq!(classes(&there), classes(&back));
        prop_assert_eq!(sorted_sessions(&there), sorted_sessions(&back));
    }

    #[test]
    fn the_grouping_of_adding_does_not_matter(one in store(), other in store(), third in store()) {
        let left = sum(&[&sum(&[&one, &other]), &third]);
        let right = sum(&[&one, &sum(&[&other, &third])]);
        prop_assert_eq!(&left, &right);
        prop_assert_eq!(left.sessions(), right.sessions());
    }

    #[test]
    fn adding_again_changes_no_class(one in store()) {
        let twice = sum(&[&one, &one]);
        prop_assert_eq!(classes(&twice), classes(&one));
    }

    #[test]
    fn what_was_taken_away_and_added_again_is_there(one in store(), other in store()) {
        let mut rest = one.clone();
        rest.subtract(&other).expect("fits");
        for (rest, before) in rest.classes().zip(one.classes()) {
            let taken = other.class(before.id).map(|class| &class.probes);
            for (index, (left, was)) in rest.probes.iter().zip(before.probes.iter()).enumerate() {
                let is_taken = taken.is_some_and(|probes| probes.iter().nth(index) == Some(true));
                prop_assert_eq!(left, was && !is_taken);
            }
        }
        rest.subtract(&one).expect("fits");
        prop_assert!(rest.classes().all(|class| class.probes.hit_count() == 0));
    }
}
