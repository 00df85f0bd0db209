//! Coverage of some lines only, such as those that a change touches.
//!
//! What stays is put together by the same rules as a whole bundle, so every report can show it. Instructions, branches and
//! lines are those of the lines that stay. A method stays if one of them has code of it; it counts as covered if one of them
//! was executed, and keeps its whole complexity, which belongs to no line. A class stays if a method does.

use crate::class::{ClassCoverage, MethodCoverage};
use crate::counter::{Counter, Counters};
use crate::lines::{LineSums, Lines};
use crate::tree::{BundleCoverage, package_of};
use std::ops::RangeInclusive;

/// Some lines of a source file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineSet {
    /// In order, apart from each other.
    ranges: Vec<RangeInclusive<u32>>,
}

impl LineSet {
    /// Whether a line is in the set.
    #[must_use]
    pub fn contains(&self, line: u32) -> bool {
        let after = self.ranges.partition_point(|range| *range.start() <= line);
        let range = after.checked_sub(1).and_then(|at| self.ranges.get(at));
        range.is_some_and(|range| range.contains(&line))
    }

    /// The lines as ranges, in order, apart from each other.
    #[must_use]
    pub fn ranges(&self) -> &[RangeInclusive<u32>] {
        &self.ranges
    }
}

impl FromIterator<RangeInclusive<u32>> for LineSet {
    fn from_iter<I: IntoIterator<Item = RangeInclusive<u32>>>(ranges: I) -> Self {
        let mut sorted: Vec<_> = ranges.into_iter().filter(|range| !range.is_empty()).collect();
        sorted.sort_by_key(|range| *range.start());
        let mut apart: Vec<RangeInclusive<u32>> = Vec::with_capacity(sorted.len());
        for range in sorted {
            match apart.last_mut() {
                Some(last) if *range.start() <= last.end().saturating_add(1) => {
                    *last = *last.start()..=*range.end().max(last.end());
                }
                _ => apart.push(range),
            }
        }
        Self { ranges: apart }
    }
}

impl BundleCoverage {
    /// What the bundle is if nothing counts but the lines that are given for each package and source file. Classes without a
    /// source file are left out.
    #[must_use]
    pub fn restricted<'l>(self, lines: impl Fn(&str, &str) -> Option<&'l LineSet>) -> Self {
        let classes = self.packages.into_iter().flat_map(|package| package.classes);
        let kept = classes.filter_map(|class| {
            let file = class.source_file.as_deref()?;
            let lines = lines(package_of(&class.name), file)?;
            class.restricted(lines).map(Box::new)
        });
        Self::of(kept.collect(), &self.name)
    }
}

impl ClassCoverage {
    fn restricted(mut self, kept: &LineSet) -> Option<Self> {
        self.methods = self.methods.into_iter().filter_map(|method| method.restricted(kept)).collect();
        if self.methods.is_empty() {
            return None;
        }
        self.lines = self.lines.restricted(kept);
        let mut counters = Counters::default();
        self.methods.iter().for_each(|method| counters += method.counters);
        counters.lines = self.lines.counter();
        counters.classes = Counter::one(counters.methods.covered > 0);
        self.counters = counters;
        Some(self)
    }
}

impl MethodCoverage {
    fn restricted(mut self, kept: &LineSet) -> Option<Self> {
        self.lines = self.lines.restricted(kept);
        let (instructions, branches) = self.lines.totals();
        if instructions.total() == 0 {
            return None;
        }
        self.counters = Counters {
            instructions,
            branches,
            lines: self.lines.counter(),
            methods: Counter::one(instructions.covered > 0),
            ..self.counters
        };
        Some(self)
    }
}

impl Lines {
    fn restricted(&self, kept: &LineSet) -> Self {
        let mut sums = LineSums::default();
        for (number, line) in self.iter().filter(|(number, _)| kept.contains(*number)) {
            if line.instructions.total() > 0 || line.branches.total() > 0 {
                sums.add(number, line.instructions, line.branches);
            }
        }
        sums.take()
    }

    fn totals(&self) -> (Counter, Counter) {
        let instructions = self.iter().map(|(_, line)| line.instructions).sum();
        (instructions, self.iter().map(|(_, line)| line.branches).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::class::finish_class;
    use crate::tree::BundleBuilder;
    use proptest::prelude::*;

    #[test]
    fn ranges_are_joined() {
        let set = LineSet::from_iter([7..=9, 1..=2, 3..=3, 8..=8, 20..=20]);
        assert_eq!(set.ranges(), [1..=3, 7..=9, 20..=20]);
        let contained: Vec<u32> = (0..=30).filter(|&line| set.contains(line)).collect();
        assert_eq!(contained, [1, 2, 3, 7, 8, 9, 20]);
        assert!(!LineSet::default().contains(1));
    }

    fn counter() -> impl Strategy<Value = Counter> {
        (0..3_u32, 0..3_u32).prop_map(|(missed, covered)| Counter { missed, covered })
    }

    fn method() -> impl Strategy<Value = Vec<(u32, Counter, Counter)>> {
        prop::collection::vec((1..40_u32, counter(), counter()), 0..12)
    }

    /// A class as the analysis makes them: branches are on lines with instructions.
    fn class(name: String, methods: Vec<Vec<(u32, Counter, Counter)>>) -> ClassCoverage {
        let mut class = ClassCoverage {
            id: 1,
            name,
            super_name: None,
            interfaces: Vec::new(),
            source_file: Some("A.java".to_owned()),
            methods: Vec::new(),
            lines: Lines::default(),
            counters: Counters::default(),
            fragments: Vec::new(),
        };
        for code in methods {
            let mut sums = LineSums::default();
            for (line, instructions, branches) in code {
                sums.add(line, instructions + Counter::one(branches.covered > 0), branches);
            }
            let lines = sums.take();
            let (instructions, branches) = lines.totals();
            if instructions.total() == 0 {
                continue;
            }
            let itself = Counter::one(instructions.covered > 0);
            let counters = Counters {
                instructions,
                branches,
                lines: lines.counter(),
                complexity: itself,
                methods: itself,
                classes: Counter::default(),
            };
            let (name, descriptor) = ("m".to_owned(), "()V".to_owned());
            class.methods.push(MethodCoverage { name, descriptor, lines, counters });
        }
        finish_class(&mut class, &mut LineSums::default());
        class
    }

    fn bundle() -> impl Strategy<Value = BundleCoverage> {
        let classes = prop::collection::vec(prop::collection::vec(method(), 1..4), 1..5);
        classes.prop_map(|classes| {
            let mut builder = BundleBuilder::new();
            for (number, methods) in classes.into_iter().enumerate() {
                let class = class(format!("p{}/C{number}", number % 2), methods);
                if !class.methods.is_empty() {
                    builder.add(class).expect("names differ");
                }
            }
            builder.build("b")
        })
    }

    proptest! {
        #[test]
        fn all_lines_are_the_whole(bundle in bundle()) {
            let all = LineSet::from_iter([0..=u32::MAX]);
            prop_assert_eq!(bundle.clone().restricted(|_, _| Some(&all)), bundle.clone());
            prop_assert!(bundle.restricted(|_, _| None).packages.is_empty());
        }

        #[test]
        fn parts_add_up(bundle in bundle(), chosen in prop::collection::vec(any::<bool>(), 50)) {
            let part = |wanted: bool| -> LineSet {
                (0..50).filter(|line| chosen[*line as usize] == wanted).map(|line| line..=line).collect()
            };
            let parts = [part(true), part(false)].map(|set| bundle.clone().restricted(|_, _| Some(&set)));
            let [one, other] = parts.map(|part| part.counters);
            let whole = bundle.counters;
            prop_assert_eq!(one.instructions + other.instructions, whole.instructions);
            prop_assert_eq!(one.branches + other.branches, whole.branches);
            prop_assert_eq!(one.lines + other.lines, whole.lines);
            // A method may be in both parts, but in one of them it is, and it is covered in one if it is at all.
            let methods = one.methods + other.methods;
            prop_assert!(methods.total() >= whole.methods.total());
            prop_assert!(methods.covered >= whole.methods.covered);
        }
    }
}
