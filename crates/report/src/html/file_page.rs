//! The page of a source file: its classes, their methods, and the source.

use super::file_names::fragment;
use super::highlight::escape;
use super::layout::{message, summary};
use super::table::{Row, Table};
use super::{FileView, class_anchor, display_name, source};
use crate::line_units::{FileUnits, LineUnits};
use probity_coverage::names::method_name;
use probity_coverage::{ClassCoverage, Lines, MethodCoverage};
use std::fmt::Write;

/// Writes what is on the page.
pub(super) fn write(view: &FileView<'_>, text: Option<&str>, units: Option<&LineUnits>, out: &mut String) {
    let (counters, lines) = match (view.source, view.classes.first()) {
        (Some(file), _) => (&file.counters, &file.lines),
        (None, Some(class)) => (&class.counters, &class.lines),
        (None, None) => return,
    };
    summary(counters, out);
    for class in view.classes.iter().filter(|class| class.lines.first().is_none()) {
        let problem =
            format!("{} was compiled without line numbers: its lines are not known.", display_name(class));
        message(&problem, out);
    }
    let source_is_shown = text.is_some() && view.source.is_some();
    members(view, source_is_shown, out);
    match (view.source, text) {
        (Some(file), Some(text)) => {
            out.push_str("<h2>Source</h2>");
            let of_file = units.and_then(|units| units.of(&file.package, &file.name));
            source::write(&file.name, text, &file.lines, of_file, out);
            if let (Some(units), Some(of_file)) = (units, of_file) {
                write_units(units, of_file, out);
            }
        }
        (Some(file), None) => {
            let path = if file.package.is_empty() { String::new() } else { format!("{}/", file.package) };
            let problem = format!(
                "The source file {path}{} was not found. Give the folder that it is in with --sources.",
                file.name
            );
            without_source(&problem, lines, out);
        }
        (None, _) => without_source("The class does not say which source file it comes from.", lines, out),
    }
}

/// The units that cover something of the file, and the sets of them that its lines name.
fn write_units(units: &LineUnits, of_file: &FileUnits, out: &mut String) {
    let names = units.names(of_file);
    // A string takes everything.
    let _ = write!(
        out,
        "<details id=units><summary><h2>Tests</h2> <small>{} with something of this file</small></summary><ol>",
        names.len()
    );
    for name in names {
        out.push_str("<li>");
        escape(name, out);
        out.push_str("</li>");
    }
    out.push_str("</ol></details><ul id=unit-sets hidden>");
    for set in of_file.sets() {
        let places: Vec<String> = set.iter().map(ToString::to_string).collect();
        let _ = write!(out, "<li>{}</li>", places.join(" "));
    }
    out.push_str("</ul>");
}

fn without_source(problem: &str, lines: &Lines, out: &mut String) {
    out.push_str("<h2>Source</h2>");
    message(problem, out);
    source::write_ranges(lines, out);
}

/// The classes, each with its methods.
fn members(view: &FileView<'_>, source_is_shown: bool, out: &mut String) {
    let methods: usize = view.classes.iter().map(|class| class.methods.len()).sum();
    // A string takes everything.
    let _ = write!(
        out,
        "<details open id=members><summary><h2>Classes and methods</h2> <small>{} and {methods}</small></summary>",
        view.classes.len()
    );
    for (position, class) in view.classes.iter().enumerate() {
        class_section(position, class, source_is_shown, out);
    }
    out.push_str("</details>");
}

fn class_section(position: usize, class: &ClassCoverage, source_is_shown: bool, out: &mut String) {
    let anchor = class_anchor(class);
    out.push_str("<h3 id=\"");
    escape(&anchor, out);
    // A string takes everything.
    let _ = write!(out, "\"><a href=\"#{}\">", fragment(&anchor));
    escape(&display_name(class), out);
    out.push_str("</a></h3>");
    let rows: Vec<Row<'_>> =
        class.methods.iter().map(|method| method_row(class, method, source_is_shown)).collect();
    let table = Table {
        id: &format!("methods-{position}"),
        element: "Method",
        total: Some(&class.counters),
        has_bars: true,
        is_of_methods: true,
    };
    table.write(&rows, out);
}

fn method_row<'r>(class: &ClassCoverage, method: &'r MethodCoverage, source_is_shown: bool) -> Row<'r> {
    let name = method_name(&class.name, &method.name, &method.descriptor);
    let line = method.lines.first().filter(|_| source_is_shown);
    Row {
        anchor: Some(format!("{}.{name}", class_anchor(class))),
        name,
        note: None,
        link: line.map(|line| format!("#L{line}")),
        counters: &method.counters,
    }
}
