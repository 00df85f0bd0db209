//! Tables of elements and their counters.
//!
//! A row carries all its counts in one attribute, from which scripts sort; without scripts the order is that in which the
//! most is missed first. Bars are drawn by attributes, since strict servers let a page have no styles of its own.

use super::highlight::escape;
use probity_coverage::{Counter, Counters};
use std::fmt::Write;

/// How wide the longest bar is.
const BAR_WIDTH: u64 = 100;

/// One element of a table.
pub(super) struct Row<'r> {
    pub(super) name: String,
    /// What is said of it in small letters, such as its package.
    pub(super) note: Option<String>,
    pub(super) link: Option<String>,
    pub(super) anchor: Option<String>,
    pub(super) counters: &'r Counters,
}

impl<'r> Row<'r> {
    pub(super) fn new(name: String, link: String, counters: &'r Counters) -> Self {
        Self { name, note: None, link: Some(link), anchor: None, counters }
    }
}

/// How a table is.
pub(super) struct Table<'t> {
    /// What is in it, for people and for scripts.
    pub(super) id: &'t str,
    /// What its elements are called.
    pub(super) element: &'t str,
    /// The sum; left out where the page says it already.
    pub(super) total: Option<&'t Counters>,
    /// Whether it has bars; very long tables do without.
    pub(super) has_bars: bool,
    /// Whether its elements are methods: they stay in the order of the source, and have no methods and classes in them.
    pub(super) is_of_methods: bool,
}

/// Puts what has the most missed instructions first, and of those the largest.
pub(super) fn sort_by_missed(rows: &mut [Row<'_>]) {
    rows.sort_by_key(|row| {
        let instructions = row.counters.instructions;
        std::cmp::Reverse((instructions.missed, instructions.total()))
    });
}

impl Table<'_> {
    /// Writes the table.
    pub(super) fn write(&self, rows: &[Row<'_>], out: &mut String) {
        let order = if self.is_of_methods { "source" } else { "missed" };
        // A string takes everything.
        let _ = write!(
            out,
            "<div class=scroll><table class=counts id={} data-sortable={order}><caption>missed/total</caption><thead><tr>",
            self.id
        );
        heading(self.element, "name", "", out);
        for (title, key) in [("Instructions", "instructions"), ("Branches", "branches"), ("Lines", "lines")] {
            heading(title, key, " class=n", out);
            heading("%", &format!("{key}-percent"), &format!(" class=n title=\"{title} covered\""), out);
        }
        if !self.is_of_methods {
            heading("Methods", "methods", " class=n", out);
            heading("Classes", "classes", " class=n", out);
        }
        heading("Complexity", "complexity", " class=n", out);
        out.push_str("</tr></thead><tbody>");
        let widest = |of: fn(&Counters) -> Counter| rows.iter().map(|row| of(row.counters).total()).max();
        let scale = [widest(|counters| counters.instructions), widest(|counters| counters.branches)];
        rows.iter().for_each(|row| self.row(row, scale.map(Option::unwrap_or_default), out));
        out.push_str("</tbody>");
        if let Some(total) = self.total {
            out.push_str("<tfoot><tr><th scope=row>Total</th>");
            self.cells(total, [0, 0], out);
            out.push_str("</tr></tfoot>");
        }
        out.push_str("</table></div>");
    }

    fn row(&self, row: &Row<'_>, scale: [u32; 2], out: &mut String) {
        out.push_str("<tr");
        if let Some(anchor) = &row.anchor {
            out.push_str(" id=\"");
            escape(anchor, out);
            out.push('"');
        }
        let _ = write!(out, " data-c=\"{}\"><th scope=row>", counts(row.counters));
        if let Some(link) = &row.link {
            let _ = write!(out, "<a href=\"{link}\">");
        }
        escape(&row.name, out);
        out.push_str(if row.link.is_some() { "</a>" } else { "" });
        if let Some(note) = &row.note {
            out.push_str(" <small>");
            escape(note, out);
            out.push_str("</small>");
        }
        out.push_str("</th>");
        self.cells(row.counters, scale, out);
        out.push_str("</tr>");
    }

    fn cells(&self, counters: &Counters, scale: [u32; 2], out: &mut String) {
        let [instructions, branches] = scale;
        for (counter, scale) in [(counters.instructions, instructions), (counters.branches, branches)] {
            out.push_str("<td class=n>");
            missed_of_total(counter, out);
            if self.has_bars && scale > 0 {
                bar(counter, scale, out);
            }
            percent_cell(counter, out);
        }
        out.push_str("<td class=n>");
        missed_of_total(counters.lines, out);
        percent_cell(counters.lines, out);
        let inner: &[Counter] = if self.is_of_methods { &[] } else { &[counters.methods, counters.classes] };
        for &counter in inner.iter().chain([&counters.complexity]) {
            out.push_str("<td class=n>");
            missed_of_total(counter, out);
        }
    }
}

fn heading(title: &str, key: &str, attributes: &str, out: &mut String) {
    let _ = write!(out, "<th scope=col data-key={key}{attributes}><button type=button>{title}</button></th>");
}

/// What scripts sort by: missed and covered of each counter, in the order of the columns.
fn counts(counters: &Counters) -> String {
    let Counters { instructions, branches, lines, methods, classes, complexity } = *counters;
    let pairs = [instructions, branches, lines, methods, classes, complexity];
    let numbers: Vec<String> =
        pairs.iter().flat_map(|pair| [pair.missed, pair.covered]).map(|number| number.to_string()).collect();
    numbers.join(" ")
}

fn missed_of_total(counter: Counter, out: &mut String) {
    if counter.total() > 0 {
        let (missed, total) = (grouped(counter.missed), grouped(counter.total()));
        let _ = write!(out, "<span class=m>{missed}</span><span class=t>/{total}</span>");
    }
}

fn percent_cell(counter: Counter, out: &mut String) {
    let _ = write!(out, "<td class=n>{}", percent(counter));
}

/// Missed and covered side by side, at the scale of the largest in the table.
pub(super) fn bar(counter: Counter, scale: u32, out: &mut String) {
    let width = |count: u32| (u64::from(count) * BAR_WIDTH).div_ceil(u64::from(scale.max(1))).min(BAR_WIDTH);
    let missed = width(counter.missed);
    let covered = width(counter.covered).min(BAR_WIDTH - missed);
    let _ = write!(out, "<svg class=bar width={BAR_WIDTH} height=8 aria-hidden=true>");
    if missed > 0 {
        let _ = write!(out, "<rect class=n width={missed} height=8 />");
    }
    if covered > 0 {
        let _ = write!(out, "<rect class=f x={missed} width={covered} height=8 />");
    }
    out.push_str("</svg>");
}

/// The covered part in whole percent, rounded down as JaCoCo does: only what is wholly covered is 100 %.
pub(super) fn percent(counter: Counter) -> String {
    match counter.total() {
        0 => "n/a".to_owned(),
        total => format!("{}%", u64::from(counter.covered) * 100 / u64::from(total)),
    }
}

/// A number with its digits in groups of three.
pub(super) fn grouped(number: u32) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        let percents = [(0, 0), (1, 999), (0, 5), (5, 0)];
        assert_eq!(
            percents.map(|(missed, covered)| percent(Counter { missed, covered })),
            ["n/a", "99%", "100%", "0%"]
        );
    }

    #[test]
    fn bars_show_every_part_that_there_is() {
        let mut out = String::new();
        bar(Counter { missed: 1, covered: 999_999 }, 1_000_000, &mut out);
        assert!(out.contains("<rect class=n width=1 "), "{out}");
        assert!(out.contains("<rect class=f x=1 width=99 "), "{out}");
        out.clear();
        bar(Counter { missed: 0, covered: u32::MAX / 2 }, u32::MAX, &mut out);
        assert_eq!(out.matches("<rect").count(), 1, "{out}");
    }
}
