//! Every link of every page leads somewhere, and no page asks for anything from elsewhere.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::shop::Shop;

/// All files below a folder, relative to it.
fn files_below(folder: &Path) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).expect("is a folder") {
            let path = entry.expect("is listed").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.insert(path.strip_prefix(folder).expect("is below").to_owned());
            }
        }
    }
    found
}

/// The values of an attribute, whether in quotes or not.
fn values<'t>(page: &'t str, attribute: &str) -> Vec<&'t str> {
    let mut values = Vec::new();
    for rest in page.split(&format!(" {attribute}=")).skip(1) {
        values.push(match rest.strip_prefix('"') {
            Some(rest) => rest.split('"').next().unwrap_or_default(),
            None => rest.split([' ', '>']).next().unwrap_or_default(),
        });
    }
    values
}

fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        match (first, after) {
            (b'%', [high, low, after @ ..]) => {
                let digits = [*high, *low];
                let digits = std::str::from_utf8(&digits).expect("is ASCII");
                bytes.push(u8::from_str_radix(digits, 16).expect("is hexadecimal"));
                rest = after;
            }
            _ => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).expect("is UTF-8")
}

fn unescaped(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

/// A path without `..`.
fn normal(path: &Path) -> PathBuf {
    let mut parts = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => assert!(parts.pop(), "{} leaves the report", path.display()),
            other => parts.push(other),
        }
    }
    parts
}

#[test]
fn every_link_leads_to_a_file_and_an_anchor() {
    let html = Shop::get().html();
    let files = files_below(&html);
    let pages: BTreeMap<&Path, String> = files
        .iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "html"))
        .map(|path| (path.as_path(), fs::read_to_string(html.join(path)).expect("is text")))
        .collect();
    let anchors: BTreeMap<&Path, BTreeSet<String>> = pages
        .iter()
        .map(|(path, page)| (*path, values(page, "id").into_iter().map(unescaped).collect()))
        .collect();
    let mut reached = BTreeSet::from([PathBuf::from("index.html")]);
    for (path, page) in &pages {
        for link in values(page, "href").into_iter().chain(values(page, "src")) {
            assert!(!link.contains(':') && !link.starts_with('/'), "{}: {link}", path.display());
            let (file, anchor) =
                link.split_once('#').map_or((link, None), |(file, anchor)| (file, Some(anchor)));
            let target = match file {
                "" => path.to_path_buf(),
                file => normal(&path.parent().expect("is a file").join(file)),
            };
            assert!(files.contains(&target), "{}: {link} leads nowhere", path.display());
            if let Some(anchor) = anchor {
                let anchor = percent_decoded(anchor);
                let known = anchors.get(target.as_path()).is_some_and(|anchors| anchors.contains(&anchor));
                assert!(known, "{}: {link} has no anchor {anchor}", path.display());
            }
            reached.insert(target);
        }
    }
    let only_on_demand = BTreeSet::from([PathBuf::from("assets/search-index.js")]);
    let never_linked: Vec<_> =
        files.difference(&reached).filter(|path| !only_on_demand.contains(*path)).collect();
    assert!(never_linked.is_empty(), "{never_linked:?}");
}

#[test]
fn pages_have_no_script_or_style_of_their_own() {
    let html = Shop::get().html();
    for path in
        files_below(&html).into_iter().filter(|path| path.extension().is_some_and(|name| name == "html"))
    {
        let page = fs::read_to_string(html.join(&path)).expect("is text");
        for forbidden in [" style=", "<style", "javascript:", " onclick=", "http://", "https://"] {
            assert!(!page.contains(forbidden), "{}: {forbidden}", path.display());
        }
        let inline = page.split("<script").skip(1).any(|script| !script.trim_start().starts_with("src="));
        assert!(!inline, "{}", path.display());
    }
}
