//! What every page has: its head, the way to it, search, and how to change the look.

use super::Page;
use super::highlight::escape;
use super::table::{bar, grouped, percent};
use probity_coverage::Counters;
use std::fmt::Write;

/// How a page of this program is known.
pub(super) const GENERATOR: &str = "<meta name=generator content=Probity>";

/// Writes a page around its contents.
pub(super) fn page(page: &Page<'_>, contents: impl FnOnce(&mut String)) -> String {
    let mut out = String::with_capacity(16 * 1024);
    let root = "../".repeat(page.depth());
    out.push_str("<!doctype html>\n<html lang=en><head><meta charset=utf-8>");
    out.push_str(GENERATOR);
    out.push_str("<meta name=viewport content=\"width=device-width, initial-scale=1\"><title>");
    escape(&page.title, &mut out);
    if let Some(first) = page.crumbs.first() {
        out.push_str(" · ");
        escape(&first.name, &mut out);
    }
    // A string takes everything.
    let _ = write!(
        out,
        "</title><link rel=stylesheet href=\"{root}assets/probity.css\">\
         <script src=\"{root}assets/probity.js\" data-root=\"{root}\"></script></head><body>"
    );
    header(page, &root, &mut out);
    out.push_str("<main>");
    contents(&mut out);
    let _ = writeln!(
        out,
        "</main><footer>Made by Probity {} · <a href=\"{root}sessions.html\">Sessions</a></footer></body></html>",
        env!("CARGO_PKG_VERSION")
    );
    out
}

fn header(page: &Page<'_>, root: &str, out: &mut String) {
    out.push_str("<header><nav class=crumbs aria-label=Path>");
    for (position, crumb) in page.crumbs.iter().enumerate() {
        let up = "../".repeat(page.depth().saturating_sub(position));
        let _ = write!(out, "<a href=\"{up}index.html\">");
        escape(&crumb.name, out);
        out.push_str("</a><span aria-hidden=true>›</span>");
    }
    out.push_str("<span aria-current=page>");
    escape(&page.title, out);
    // Without scripts there is nothing to search with, so the script makes the box.
    let _ =
        write!(out, "</span></nav><div id=tools data-index=\"{root}assets/search-index.js\"></div></header>");
}

/// All counters of an element at a glance.
pub(super) fn summary(counters: &Counters, out: &mut String) {
    out.push_str("<dl class=summary>");
    let Counters { instructions, branches, lines, methods, classes, complexity } = *counters;
    let all = [
        ("Instructions", instructions),
        ("Branches", branches),
        ("Lines", lines),
        ("Methods", methods),
        ("Classes", classes),
        ("Complexity", complexity),
    ];
    for (name, counter) in all.into_iter().filter(|(_, counter)| counter.total() > 0) {
        let (missed, total) = (grouped(counter.missed), grouped(counter.total()));
        let _ = write!(out, "<div><dt>{name}</dt><dd><b>{}</b>", percent(counter));
        bar(counter, counter.total(), out);
        let _ = write!(out, "<small>{missed} of {total} missed</small></dd></div>");
    }
    out.push_str("</dl>");
}

/// Something that the reader must know.
pub(super) fn message(text: &str, out: &mut String) {
    out.push_str("<p class=message role=note>");
    escape(text, out);
    out.push_str("</p>");
}
