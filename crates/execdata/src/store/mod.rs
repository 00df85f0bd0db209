//! Adds up execution data: what several runs hit is what any of them hit.
//!
//! Classes are told apart by their id. The same id with another name or another number of probes is data of two
//! different classes and never merged. Sessions are kept all, also equal ones.

mod error;

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

pub use error::{LoadError, MergeError};

use crate::file::{self, ExecFileError};
use crate::format::{Block, Blocks, ClassData, Session, write_class_packed, write_header, write_session_raw};
use crate::utf;

/// The sum of execution data.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Store {
    sessions: Vec<Session<Vec<u8>>>,
    classes: BTreeMap<u64, ClassData<Vec<u8>>>,
}

impl Store {
    /// Adds everything in a file with this content.
    ///
    /// # Errors
    ///
    /// Fails at the first block that cannot be read or added; those before it have been added.
    pub fn load(&mut self, content: &[u8]) -> Result<(), LoadError> {
        let mut blocks = Blocks::new(content);
        while let Some(block) = blocks.next().transpose()? {
            let offset = blocks.last_offset();
            match block {
                Block::Session(session) => self.add_session(&session),
                Block::Class(class) => {
                    self.add_class(&class).map_err(|error| LoadError::Merge { offset, error })?;
                }
            }
        }
        Ok(())
    }

    /// Adds everything in a file.
    ///
    /// # Errors
    ///
    /// As [`Store::load`], and when the file cannot be read.
    pub fn load_file(&mut self, path: &Path) -> Result<(), ExecFileError> {
        self.load(&file::read(path)?).map_err(|error| ExecFileError::content(path, error))
    }

    /// Adds a session.
    pub fn add_session<B: AsRef<[u8]>>(&mut self, session: &Session<B>) {
        let Session { ref id, start_millis, dump_millis } = *session;
        self.sessions.push(Session { id: id.as_ref().to_vec(), start_millis, dump_millis });
    }

    /// Adds the hits of a class.
    ///
    /// # Errors
    ///
    /// Fails when a class with this id is there and is another one; nothing has changed then.
    pub fn add_class<B: AsRef<[u8]>>(&mut self, class: &ClassData<B>) -> Result<(), MergeError> {
        if let Some(kept) = self.classes.get_mut(&class.id) {
            check_same_class(kept, class)?;
            kept.probes.combine(&class.probes, |kept, added| kept | added);
            return Ok(());
        }
        let ClassData { id, ref name, ref probes } = *class;
        self.classes.insert(id, ClassData { id, name: name.as_ref().to_vec(), probes: probes.to_owned() });
        Ok(())
    }

    /// Adds everything that another store has.
    ///
    /// # Errors
    ///
    /// Fails at the first class that cannot be added; those with smaller ids have been added.
    pub fn merge(&mut self, other: &Store) -> Result<(), MergeError> {
        other.sessions.iter().for_each(|session| self.add_session(session));
        other.classes.values().try_for_each(|class| self.add_class(class))
    }

    /// Takes away the hits that another store has. Classes that are not here are passed over; sessions stay.
    ///
    /// # Errors
    ///
    /// Fails at the first class that is another one here; the hits of those with smaller ids have been taken away.
    pub fn subtract(&mut self, other: &Store) -> Result<(), MergeError> {
        for class in other.classes.values() {
            if let Some(kept) = self.classes.get_mut(&class.id) {
                check_same_class(kept, class)?;
                kept.probes.combine(&class.probes, |kept, taken| kept & !taken);
            }
        }
        Ok(())
    }

    /// All sessions in the order of the time at which their data was written; those with the same time in the order in
    /// which they were added.
    #[must_use]
    pub fn sessions(&self) -> Vec<&Session<Vec<u8>>> {
        let mut sessions: Vec<_> = self.sessions.iter().collect();
        sessions.sort_by_key(|session| session.dump_millis);
        sessions
    }

    /// The classes in the order of their ids.
    pub fn classes(&self) -> impl ExactSizeIterator<Item = &ClassData<Vec<u8>>> {
        self.classes.values()
    }

    /// The class with this id.
    #[must_use]
    pub fn class(&self, id: u64) -> Option<&ClassData<Vec<u8>>> {
        self.classes.get(&id)
    }

    /// The names of all classes, in modified UTF-8.
    #[must_use]
    pub fn names(&self) -> HashSet<&[u8]> {
        self.classes.values().map(|class| class.name.as_slice()).collect()
    }

    /// Writes a file with everything: header, sessions, and the classes of which something was hit.
    pub fn write(&self, out: &mut Vec<u8>) {
        write_header(out);
        for session in self.sessions() {
            write_session_raw(out, &session.id, session.start_millis, session.dump_millis);
        }
        for class in self.classes() {
            write_class_packed(out, class.id, &class.name, &class.probes);
        }
    }
}

fn check_same_class<B: AsRef<[u8]>>(
    kept: &ClassData<Vec<u8>>,
    other: &ClassData<B>,
) -> Result<(), MergeError> {
    if !utf::is_same_text(&kept.name, other.name.as_ref()) {
        let (kept_name, other_name) = (utf::to_visible(&kept.name), utf::to_visible(other.name.as_ref()));
        return Err(MergeError::DifferentNames { id: kept.id, kept: kept_name, other: other_name });
    }
    let (kept_count, other_count) = (kept.probes.len(), other.probes.len());
    if kept_count != other_count {
        let name = utf::to_visible(&kept.name);
        return Err(MergeError::DifferentLengths { id: kept.id, name, kept: kept_count, other: other_count });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Probes;

    fn session(id: &str, dump_millis: i64) -> Session<&[u8]> {
        Session { id: id.as_bytes(), start_millis: 0, dump_millis }
    }

    fn class(id: u64, name: &str, count: usize, bits: u8) -> ClassData<Vec<u8>> {
        let probes = Probes::packed(count, vec![bits]).expect("at most eight probes");
        ClassData { id, name: name.as_bytes().to_vec(), probes }
    }

    fn store(classes: &[ClassData<Vec<u8>>]) -> Store {
        let mut store = Store::default();
        classes.iter().for_each(|class| store.add_class(class).expect("fits"));
        store
    }

    #[test]
    fn sessions_are_all_kept_and_come_in_the_order_of_their_data() {
        let mut store = Store::default();
        for (id, dump_millis) in [("b", 5), ("a", 5), ("c", 1), ("b", 5)] {
            store.add_session(&session(id, dump_millis));
        }
        let ids: Vec<_> = store.sessions().iter().map(|session| utf::to_text(&session.id)).collect();
        assert_eq!(ids, ["c", "b", "a", "b"]);
    }

    #[test]
    fn hits_of_the_same_class_are_added() {
        let sum = store(&[class(1, "A", 4, 0b0001), class(2, "B", 4, 0b0001), class(1, "A", 4, 0b1100)]);
        assert_eq!(sum.class(1), Some(&class(1, "A", 4, 0b1101)));
        assert_eq!(sum.class(2), Some(&class(2, "B", 4, 0b0001)));
        assert_eq!(sum.names(), HashSet::from([&b"A"[..], b"B"]));
    }

    #[test]
    fn another_class_with_the_same_id_is_refused_and_changes_nothing() {
        let mut sum = store(&[class(0xAB, "A", 4, 1)]);
        let error = sum.add_class(&class(0xAB, "B", 4, 2)).expect_err("another name");
        assert_eq!(error.to_string(), "different classes with the id 00000000000000ab: A and B");
        let error = sum.add_class(&class(0xAB, "A", 5, 2)).expect_err("another length");
        assert_eq!(error.to_string(), "different classes A with the id 00000000000000ab: 4 and 5 probes");
        assert_eq!(sum, store(&[class(0xAB, "A", 4, 1)]));
        assert!(sum.subtract(&store(&[class(0xAB, "A", 5, 2)])).is_err());
    }

    #[test]
    fn what_another_store_has_is_taken_away_and_no_more() {
        let mut rest = store(&[class(1, "A", 4, 0b1101), class(2, "B", 4, 0b1)]);
        rest.subtract(&store(&[class(1, "A", 4, 0b0111), class(3, "C", 4, 0b1)])).expect("same classes");
        assert_eq!(rest, store(&[class(1, "A", 4, 0b1000), class(2, "B", 4, 0b1)]));
    }

    #[test]
    fn a_class_that_does_not_fit_is_told_with_its_place() {
        let mut content = Vec::new();
        store(&[class(1, "A", 4, 1)]).write(&mut content);
        let second = content.len() as u64 + 5;
        store(&[class(1, "B", 4, 1)]).write(&mut content);
        let error = Store::default().load(&content).expect_err("A and B");
        assert_eq!(
            error.to_string(),
            format!("different classes with the id 0000000000000001: A and B (byte {second})")
        );
    }
}
