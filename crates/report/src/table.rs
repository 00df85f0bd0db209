//! A table of packages for a terminal.
//!
//! What is missed most comes first, so that it is seen without scrolling. Colours are the caller's: it gives the text that
//! switches them on and off, or none.

use crate::Report;
use crate::summary::{packages_by_missed, percent};
use probity_coverage::{Counter, Counters};
use std::fmt::Write;

/// How many packages are listed unless all are wanted: about a screen.
const MOST_PACKAGES: usize = 40;

/// The name of a package is not made shorter than this, whatever the width.
const NARROWEST_NAME: usize = 12;

/// How a table looks.
#[derive(Clone, Copy, Debug, Default)]
pub struct TableOptions {
    /// How many characters a line may have; names of packages are cut to fit.
    pub width: Option<usize>,
    /// List all packages, however many there are.
    pub all_packages: bool,
    /// Colours.
    pub styles: TableStyles,
}

/// The text that switches colours on and off; empty for none.
#[derive(Clone, Copy, Debug, Default)]
pub struct TableStyles {
    /// For headings.
    pub heading: &'static str,
    /// For a high percentage.
    pub high: &'static str,
    /// For one in the middle.
    pub middle: &'static str,
    /// For a low one.
    pub low: &'static str,
    /// Back to normal.
    pub plain: &'static str,
}

impl TableStyles {
    fn of(&self, percent: Option<u64>) -> &'static str {
        match percent {
            None => "",
            Some(0..50) => self.low,
            Some(50..80) => self.middle,
            Some(80..) => self.high,
        }
    }
}

/// Takes one counter of several.
type Taken = fn(&Counters) -> Counter;

/// The columns behind the name: their headings and what they count.
const COLUMNS: [(&str, Taken); 3] = [
    ("lines", |counters| counters.lines),
    ("branches", |counters| counters.branches),
    ("methods", |counters| counters.methods),
];

const MISSED: &str = "missed";

/// The report as a table of packages.
#[must_use]
pub fn write_table(report: &Report, options: &TableOptions) -> String {
    let packages = packages_by_missed(report);
    let listed = if options.all_packages { packages.len() } else { packages.len().min(MOST_PACKAGES) };
    let total = report.root.counters();
    let rows = packages.iter().take(listed).map(|(name, counters)| (name.as_str(), counters));
    let rows: Vec<(&str, &Counters)> = rows.chain([("total", &total)]).collect();
    let mut table = Table::new(&rows, options);
    table.heading();
    for (position, (name, counters)) in rows.iter().enumerate() {
        if position == listed && packages.len() > listed {
            let _ = writeln!(table.out, "and {} more packages", packages.len() - listed);
        }
        table.row(name, counters);
    }
    table.out
}

struct Table {
    out: String,
    styles: TableStyles,
    name_width: usize,
    /// For each column the widths of the percentage and of the number of things missed.
    widths: [(usize, usize); COLUMNS.len()],
}

impl Table {
    fn new(rows: &[(&str, &Counters)], options: &TableOptions) -> Table {
        let widths = COLUMNS.map(|(heading, counter)| {
            let missed = rows.iter().map(|(_, counters)| counter(counters).missed.to_string().len());
            (heading.len().max("100 %".len()), missed.max().unwrap_or_default().max(MISSED.len()))
        });
        let numbers: usize = widths.iter().map(|(percent, missed)| percent + missed + 4).sum();
        let longest = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or_default();
        let longest = longest.max("package".len());
        let room = options.width.map_or(longest, |width| width.saturating_sub(numbers).max(NARROWEST_NAME));
        Table { out: String::new(), styles: options.styles, name_width: longest.min(room), widths }
    }

    fn heading(&mut self) {
        let Table { styles: TableStyles { heading, plain, .. }, name_width, .. } = *self;
        // A string takes everything.
        let _ = write!(self.out, "{heading}{:name_width$}", "package");
        for ((heading, _), (percent_width, missed_width)) in COLUMNS.iter().zip(self.widths) {
            let _ = write!(self.out, "  {heading:>percent_width$}  {MISSED:>missed_width$}");
        }
        let _ = writeln!(self.out, "{plain}");
    }

    fn row(&mut self, name: &str, counters: &Counters) {
        let name_width = self.name_width;
        let _ = write!(self.out, "{:name_width$}", cut(name, name_width));
        for ((_, counter), (percent_width, missed_width)) in COLUMNS.iter().zip(self.widths) {
            let counter = counter(counters);
            let percent = percent(counter);
            let style = self.styles.of(percent);
            let plain = if style.is_empty() { "" } else { self.styles.plain };
            let percent = percent.map_or_else(|| "n/a".to_owned(), |percent| format!("{percent} %"));
            let _ = write!(
                self.out,
                "  {style}{percent:>percent_width$}{plain}  {:>missed_width$}",
                counter.missed
            );
        }
        self.out.push('\n');
    }
}

/// A name that is not longer than a width: the end says more than the start.
fn cut(name: &str, width: usize) -> String {
    let length = name.chars().count();
    if length <= width {
        return name.to_owned();
    }
    let end: String = name.chars().skip(length + 1 - width).collect();
    format!("…{end}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ReportNode;
    use probity_coverage::{BundleCoverage, PackageCoverage};

    fn package(name: &str, lines: (u32, u32), branches: (u32, u32)) -> PackageCoverage {
        let counter = |(missed, covered)| Counter { missed, covered };
        let counters = Counters {
            instructions: counter(lines),
            lines: counter(lines),
            branches: counter(branches),
            methods: counter((0, 1)),
            ..Counters::default()
        };
        PackageCoverage { name: name.to_owned(), classes: Vec::new(), source_files: Vec::new(), counters }
    }

    fn report(packages: Vec<PackageCoverage>) -> Report {
        let mut counters = Counters::default();
        packages.iter().for_each(|package| counters += package.counters);
        let root = ReportNode::Bundle(BundleCoverage { name: "all".to_owned(), packages, counters });
        Report { sessions: Vec::new(), root }
    }

    fn small() -> Report {
        report(vec![
            package("", (1, 199), (0, 0)),
            package("org/example/application", (1_234_567, 2), (1, 1)),
            package("org/empty", (0, 0), (0, 0)),
        ])
    }

    #[test]
    fn columns_are_aligned_and_the_most_missed_comes_first() {
        let expected = "\
package                  lines   missed  branches  missed  methods  missed
org.example.application    0 %  1234567      50 %       1    100 %       0
default                   99 %        1       n/a       0    100 %       0
total                      0 %  1234568      50 %       1    100 %       0
";
        assert_eq!(write_table(&small(), &TableOptions::default()), expected);
    }

    #[test]
    fn names_are_cut_to_the_width() {
        let options = TableOptions { width: Some(68), ..TableOptions::default() };
        let table = write_table(&small(), &options);
        assert!(table.contains("\n…mple.application  "), "{table}");
        assert!(table.lines().all(|line| line.chars().count() == 68), "{table}");
        let narrow = TableOptions { width: Some(1), ..TableOptions::default() };
        assert!(write_table(&small(), &narrow).contains("\n…application  "));
    }

    #[test]
    fn long_lists_are_cut_unless_all_is_wanted() {
        let many =
            report((0..50).map(|number| package(&format!("p{number}"), (number, 1), (0, 0))).collect());
        let table = write_table(&many, &TableOptions::default());
        assert_eq!(table.lines().count(), 43);
        assert!(table.contains("\np10 ") && !table.contains("\np9 "), "{table}");
        assert!(table.contains("\nand 10 more packages\ntotal "), "{table}");
        let all = TableOptions { all_packages: true, ..TableOptions::default() };
        assert_eq!(write_table(&many, &all).lines().count(), 52);
    }

    #[test]
    fn colour_changes_nothing_but_colour() {
        let styles = TableStyles { heading: "<b>", high: "<g>", middle: "<y>", low: "<r>", plain: "</>" };
        let coloured = write_table(&small(), &TableOptions { styles, ..TableOptions::default() });
        assert!(coloured.contains("<r>  0 %</>") && coloured.contains("<y>    50 %</>"), "{coloured}");
        let mut plain = coloured;
        for style in ["<b>", "<g>", "<y>", "<r>", "</>"] {
            plain = plain.replace(style, "");
        }
        assert_eq!(plain, write_table(&small(), &TableOptions::default()));
    }
}
