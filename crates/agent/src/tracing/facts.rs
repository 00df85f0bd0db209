//! Numbers for facts, so that each is written once.

use probity_wire::Fact;
use std::collections::HashMap;

/// All facts of this JVM.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    numbers: HashMap<Fact, u32>,
    /// The facts that look for a class by name: their number and the name.
    names: Vec<(u32, Box<[u8]>)>,
}

impl Facts {
    /// The number of a fact, and whether it is new.
    pub(crate) fn number(&mut self, fact: &Fact) -> (u32, bool) {
        if let Some(&number) = self.numbers.get(fact) {
            return (number, false);
        }
        let number = self.numbers.len() as u32;
        self.numbers.insert(fact.clone(), number);
        if let Fact::Named(name) = fact {
            self.names.push((number, name.as_slice().into()));
        }
        (number, true)
    }

    /// The name that a fact looks for.
    pub(crate) fn name_of(&self, number: u32) -> Option<&[u8]> {
        let at = self.names.binary_search_by_key(&number, |(number, _)| *number).ok()?;
        self.names.get(at).map(|(_, name)| &**name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fact_has_one_number_and_names_are_found_by_it() {
        let mut facts = Facts::default();
        assert_eq!(facts.number(&Fact::ChildProcess), (0, true));
        assert_eq!(facts.number(&Fact::Named(b"a/B".to_vec())), (1, true));
        assert_eq!(facts.number(&Fact::ChildProcess), (0, false));
        assert_eq!(facts.name_of(1), Some(&b"a/B"[..]));
        assert_eq!(facts.name_of(0), None);
    }
}
