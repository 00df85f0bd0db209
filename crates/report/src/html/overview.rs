//! The pages above source files: groups, bundles, packages, all classes, and sessions.

use super::file_names::fragment;
use super::highlight::escape;
use super::layout::{message, summary};
use super::table::{Row, Table, sort_by_missed};
use super::{PackagePlace, class_anchor, display_name};
use crate::{JavaDate, Report, ReportNode};
use probity_coverage::names::package_name;
use probity_coverage::{BundleCoverage, Counters};
use std::fmt::Write;

/// How many notes are shown above an overview; all of them are on the page of the sessions.
const MOST_NOTES: usize = 5;

/// Parts of a group, most missed first.
pub(super) fn group(node: &ReportNode, folders: &[String], notes: &[String], out: &mut String) {
    let ReportNode::Group { children, .. } = node else { return };
    let total = node.counters();
    some_notes(notes, out);
    summary(&total, out);
    let counters: Vec<Counters> = children.iter().map(ReportNode::counters).collect();
    let parts = children.iter().zip(folders).zip(&counters);
    let mut rows: Vec<Row<'_>> = parts
        .map(|((child, folder), counters)| {
            Row::new(child.name().to_owned(), format!("{folder}/index.html"), counters)
        })
        .collect();
    sortable("groups", "Group", &total, &mut rows, out);
}

/// Packages of a bundle, most missed first.
pub(super) fn bundle(
    bundle: &BundleCoverage,
    packages: &[PackagePlace<'_>],
    notes: &[String],
    out: &mut String,
) {
    some_notes(notes, out);
    if packages.is_empty() {
        return message("There are no classes with code in this report.", out);
    }
    summary(&bundle.counters, out);
    out.push_str("<p class=switch><a aria-current=page href=index.html>Packages</a> <a href=classes.html>All classes</a></p>");
    let mut rows: Vec<Row<'_>> = packages
        .iter()
        .map(|place| {
            let link = format!("{}/index.html", place.folder);
            Row::new(package_name(&place.package.name), link, &place.package.counters)
        })
        .collect();
    sortable("packages", "Package", &bundle.counters, &mut rows, out);
}

/// All classes of a bundle, most missed first.
pub(super) fn classes(bundle: &BundleCoverage, packages: &[PackagePlace<'_>], out: &mut String) {
    out.push_str("<p class=switch><a href=index.html>Packages</a> <a aria-current=page href=classes.html>All classes</a></p>");
    let mut rows = Vec::new();
    for place in packages {
        let package = package_name(&place.package.name);
        for mut row in class_rows(place, &format!("{}/", place.folder)) {
            row.note = Some(package.clone());
            rows.push(row);
        }
    }
    sort_by_missed(&mut rows);
    let table = Table {
        id: "classes",
        element: "Class",
        total: Some(&bundle.counters),
        has_bars: false,
        is_of_methods: false,
    };
    table.write(&rows, out);
}

/// Classes and source files of a package, most missed first.
pub(super) fn package(place: &PackagePlace<'_>, out: &mut String) {
    let counters = &place.package.counters;
    summary(counters, out);
    out.push_str("<h2>Classes</h2>");
    let mut rows = class_rows(place, "");
    sortable("classes", "Class", counters, &mut rows, out);
    let files = place.files.iter().filter_map(|view| view.source.map(|source| (view, source)));
    let mut rows: Vec<Row<'_>> = files
        .map(|(view, source)| Row::new(source.name.clone(), view.page.clone(), &source.counters))
        .collect();
    if !rows.is_empty() {
        out.push_str("<h2>Source files</h2>");
        sortable("files", "Source file", counters, &mut rows, out);
    }
}

fn class_rows<'r>(place: &PackagePlace<'r>, folder: &str) -> Vec<Row<'r>> {
    let classes = place.files.iter().flat_map(|view| view.classes.iter().map(move |class| (view, *class)));
    classes
        .map(|(view, class)| {
            let link = format!("{folder}{}#{}", view.page, fragment(&class_anchor(class)));
            Row::new(display_name(class), link, &class.counters)
        })
        .collect()
}

fn sortable(id: &str, element: &str, total: &Counters, rows: &mut [Row<'_>], out: &mut String) {
    sort_by_missed(rows);
    Table { id, element, total: Some(total), has_bars: true, is_of_methods: false }.write(rows, out);
}

fn some_notes(notes: &[String], out: &mut String) {
    notes.iter().take(MOST_NOTES).for_each(|note| message(note, out));
    if notes.len() > MOST_NOTES {
        let _ = write!(out, "<p><a href=sessions.html>{} more messages</a></p>", notes.len() - MOST_NOTES);
    }
}

/// When the data was recorded, and what could not be used.
pub(super) fn sessions(report: &Report, notes: &[String], out: &mut String) {
    out.push_str("<h2>Sessions</h2>");
    if report.sessions.is_empty() {
        message("No exec file was given: nothing counts as executed.", out);
    } else {
        out.push_str("<div class=scroll><table id=sessions><thead><tr><th scope=col>Session<th scope=col>Start<th scope=col>Dump</thead><tbody>");
        for session in &report.sessions {
            out.push_str("<tr><th scope=row>");
            escape(&session.id, out);
            let (start, dump) = (JavaDate(session.start_millis), JavaDate(session.dump_millis));
            // A string takes everything.
            let _ = write!(out, "</th><td>{start}<td>{dump}</tr>");
        }
        out.push_str("</tbody></table></div>");
    }
    if !notes.is_empty() {
        out.push_str("<h2>Messages</h2>");
        notes.iter().for_each(|note| message(note, out));
    }
}
