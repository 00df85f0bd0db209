//! Which test units cover which lines, for those who show lines.
//!
//! Many lines are covered by the same units, so each set of units is kept once for a file.

use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The units of all source files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineUnits {
    names: Vec<String>,
    files: HashMap<(String, String), FileUnits>,
}

/// The units of one source file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileUnits {
    /// The positions of the units that cover something of the file, among all names.
    units: Vec<usize>,
    /// Sets of units, by their place in `units`.
    sets: Vec<Vec<usize>>,
    lines: BTreeMap<u32, usize>,
}

impl LineUnits {
    /// No file is known yet; units are named by their position in the names.
    #[must_use]
    pub fn new(names: Vec<String>) -> Self {
        Self { names, files: HashMap::new() }
    }

    /// Says which units cover each line of a source file.
    pub fn add_file(&mut self, package: &str, file: &str, lines: &BTreeMap<u32, BTreeSet<usize>>) {
        let units: BTreeSet<usize> = lines.values().flatten().copied().collect();
        let units: Vec<usize> = units.into_iter().collect();
        let mut sets: Vec<Vec<usize>> = Vec::new();
        let mut known: HashMap<&BTreeSet<usize>, usize> = HashMap::new();
        let mut of_lines = BTreeMap::new();
        for (line, covering) in lines {
            let set = *known.entry(covering).or_insert_with(|| {
                let places = covering.iter().filter_map(|unit| units.binary_search(unit).ok());
                sets.push(places.collect());
                sets.len() - 1
            });
            of_lines.insert(*line, set);
        }
        self.files.insert((package.to_owned(), file.to_owned()), FileUnits { units, sets, lines: of_lines });
    }

    /// The units of a source file.
    #[must_use]
    pub fn of(&self, package: &str, file: &str) -> Option<&FileUnits> {
        self.files.get(&(package.to_owned(), file.to_owned()))
    }

    /// The names of the units that cover something of a file.
    pub fn names<'a>(&'a self, file: &'a FileUnits) -> impl ExactSizeIterator<Item = &'a str> {
        file.units.iter().map(|&unit| self.names.get(unit).map_or("", String::as_str))
    }
}

impl FileUnits {
    /// The number of the set of units that cover a line.
    #[must_use]
    pub fn set_of(&self, line: u32) -> Option<usize> {
        self.lines.get(&line).copied()
    }

    /// The sets, by their numbers: places among the names of the file.
    #[must_use]
    pub fn sets(&self) -> &[Vec<usize>] {
        &self.sets
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_with_the_same_units_share_a_set() {
        let mut units = LineUnits::new(vec!["A".to_owned(), "B".to_owned(), "C".to_owned()]);
        let set = |units: &[usize]| units.iter().copied().collect::<BTreeSet<_>>();
        let lines = BTreeMap::from([(3, set(&[0, 2])), (4, set(&[2])), (9, set(&[0, 2]))]);
        units.add_file("p", "X.java", &lines);
        let file = units.of("p", "X.java").unwrap();
        assert_eq!(units.names(file).collect::<Vec<_>>(), ["A", "C"]);
        assert_eq!(file.set_of(3), file.set_of(9));
        assert_eq!(file.sets(), [vec![0, 1], vec![1]]);
        assert_eq!(file.set_of(5), None);
        assert!(units.of("q", "X.java").is_none());
    }
}
