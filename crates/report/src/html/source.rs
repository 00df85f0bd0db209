//! A source file with a mark on each line that has code.
//!
//! Lines stand in chunks of the same height, so that a browser lays out only those that can be seen: a file of 50,000
//! lines opens as fast as a small one, and can still be searched, linked to and printed. A line names the set of test units that
//! cover it, if that is known; scripts show what is known of a line in a panel of its own.

use super::highlight::{Highlighter, escape};
use super::layout::message;
use crate::line_units::FileUnits;
use probity_coverage::{Line, Lines, Status};
use std::fmt::Write;

/// How many lines a chunk has; the style sheet knows it too.
const CHUNK: usize = 100;
/// How many parts the overview beside the text has at most.
const OVERVIEW_PARTS: u32 = 400;

/// Writes the source with its marks.
pub(super) fn write(file: &str, text: &str, lines: &Lines, units: Option<&FileUnits>, out: &mut String) {
    // As people number lines: a carriage return ends one with the line feed that follows it.
    let count = text.lines().count();
    if let Some(last) = lines.last().filter(|&last| last as usize > count) {
        let problem = format!(
            "This source file ends at line {count}, but the classes have code on line {last}: it is of another version, \
             so marks may be on the wrong lines."
        );
        message(&problem, out);
    }
    overview(lines, count as u32, out);
    out.push_str("<div class=source id=source tabindex=-1>");
    let mut highlighter = Highlighter::new(file);
    for (position, line) in text.lines().enumerate() {
        if position % CHUNK == 0 {
            out.push_str(if position == 0 { "<div class=k>" } else { "</div><div class=k>" });
        }
        let number = position as u32 + 1;
        open_line(number, &lines.get(number), units.and_then(|units| units.set_of(number)), out);
        highlighter.line(line, out);
        close_line(&lines.get(number), out);
    }
    out.push_str(if count == 0 { "</div>" } else { "</div></div>" });
}

fn open_line(number: u32, line: &Line, units: Option<usize>, out: &mut String) {
    // A string takes everything.
    let _ = write!(out, "<p id=L{number}");
    if let Some(set) = units {
        let _ = write!(out, " data-u={set}");
    }
    let class = match line.status() {
        Status::Empty => "",
        Status::NotCovered => "n",
        Status::PartlyCovered => "p",
        Status::FullyCovered => "f",
    };
    if !class.is_empty() {
        let branches = if line.branches.total() > 0 { " b" } else { "" };
        let _ = write!(out, " class=\"{class}{branches}\"");
        // Of a line that is simply covered there is no more to say.
        if line.status() != Status::FullyCovered || line.branches.total() > 0 {
            let _ = write!(out, " title=\"{}\"", description(line));
        }
    }
    let _ = write!(out, "><a href=#L{number}>{number}</a>");
}

fn close_line(line: &Line, out: &mut String) {
    if let Some(missing) = missing(line) {
        let _ = write!(out, "<small>{missing}</small>");
    }
    out.push_str("</p>\n");
}

/// What is missing on a line that was reached, or of the branches of one that was not.
fn missing(line: &Line) -> Option<String> {
    let (branches, instructions) = (line.branches, line.instructions);
    if branches.missed > 0 {
        Some(format!("{} of {} branches missed", branches.missed, branches.total()))
    } else if instructions.missed > 0 && instructions.covered > 0 {
        Some(format!("{} of {} instructions missed", instructions.missed, instructions.total()))
    } else {
        None
    }
}

/// All that is known of a line.
fn description(line: &Line) -> String {
    let part = |counter: probity_coverage::Counter, what: &str| {
        let plural = if counter.total() == 1 {
            ""
        } else if what == "branch" {
            "es"
        } else {
            "s"
        };
        match (counter.missed, counter.covered) {
            (0, covered) => format!("{covered} {what}{plural} covered"),
            (missed, 0) => format!("{missed} {what}{plural} missed"),
            (missed, _) => format!("{missed} of {} {what}{plural} missed", counter.total()),
        }
    };
    let mut parts = vec![part(line.instructions, "instruction")];
    if line.branches.total() > 0 {
        parts.push(part(line.branches, "branch"));
    }
    parts.join(", ")
}

/// The whole file as a strip: where something is missed.
fn overview(lines: &Lines, count: u32, out: &mut String) {
    if count == 0 {
        return;
    }
    let parts = count.min(OVERVIEW_PARTS);
    let mut statuses = vec![Status::Empty; parts as usize];
    for (number, line) in lines.iter() {
        let part = u64::from(number.saturating_sub(1)) * u64::from(parts) / u64::from(count);
        if let Some(status) = statuses.get_mut(part as usize) {
            *status = status.and(line.status());
        }
    }
    let _ = write!(
        out,
        "<svg id=overview class=overview viewBox=\"0 0 1 {parts}\" preserveAspectRatio=none data-lines={count} \
         aria-hidden=true>"
    );
    for (at, status) in statuses.iter().enumerate() {
        let class = match status {
            Status::Empty => continue,
            Status::NotCovered => "n",
            Status::PartlyCovered => "p",
            Status::FullyCovered => "f",
        };
        let _ = write!(out, "<rect class={class} y={at} width=1 height=1 />");
    }
    out.push_str("</svg>");
}

/// The lines of a file whose text is not there.
pub(super) fn write_ranges(lines: &Lines, out: &mut String) {
    let all = [("Missed lines", Status::NotCovered), ("Partly covered lines", Status::PartlyCovered)];
    for (title, status) in all {
        let ranges = ranges(lines, status);
        if !ranges.is_empty() {
            let _ = write!(out, "<p><b>{title}:</b> ");
            escape(&ranges.join(", "), out);
            out.push_str("</p>");
        }
    }
}

/// The lines with a status, those in a row together. Lines without code between them do not part them.
fn ranges(lines: &Lines, wanted: Status) -> Vec<String> {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    let mut goes_on = false;
    for (number, line) in lines.iter().filter(|(_, line)| line.status() != Status::Empty) {
        let is_wanted = line.status() == wanted;
        match ranges.last_mut() {
            Some((_, last)) if is_wanted && goes_on => *last = number,
            _ if is_wanted => ranges.push((number, number)),
            _ => {}
        }
        goes_on = is_wanted;
    }
    let text = |(first, last): (u32, u32)| {
        if first == last { first.to_string() } else { format!("{first}–{last}") }
    };
    ranges.into_iter().map(text).collect()
}
