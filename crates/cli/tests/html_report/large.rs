//! Reports of large projects still open, sort, search and link.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

use probity_test_support::java::{Compilation, test_jdks};
use serde_json::json;

use crate::pages::{browser, expect, take_picture};

const CLASSES: usize = 10_000;
const METHODS: usize = 1_000;
const LINES_PER_METHOD: usize = 50;

/// A class with 50,000 lines.
fn long_source() -> String {
    let mut source = String::from("package large; class Long {\n");
    for method in 0..METHODS {
        let _ = writeln!(source, "static int m{method}(int a) {{");
        for line in 0..LINES_PER_METHOD - 2 {
            let _ = match line % 4 {
                0 => writeln!(source, "    a += a > {line} ? 1 : 2; // \"line\" {line}"),
                _ => writeln!(source, "    /* nothing happens here, {line} */"),
            };
        }
        source.push_str("return a; }\n");
    }
    source.push_str("}\n");
    source
}

/// 10,000 classes in ten packages, all made from one by changing its name.
fn many_classes(folder: &Path) {
    let source = "package many0; public class C0000 { public int m(int a) { return a > 0 ? 1 : 2; } }";
    let jdk = test_jdks().remove(0);
    let compiled =
        Compilation::with(&jdk).release(8).option("-g").source("many0/C0000.java", source).compile();
    let compiled = compiled.expect("compiles");
    let template = fs::read(compiled.class_file("many0/C0000")).expect("is there");
    for number in 0..CLASSES {
        let (package, class) = (format!("many{}", number / 1000), format!("C{:04}", number % 1000));
        let mut bytes = template.clone();
        for (old, new) in [("many0", &package), ("C0000", &class)] {
            let places: Vec<usize> =
                (0..bytes.len()).filter(|&at| bytes[at..].starts_with(old.as_bytes())).collect();
            for at in places {
                bytes[at..at + new.len()].copy_from_slice(new.as_bytes());
            }
        }
        fs::create_dir_all(folder.join(&package)).expect("makes the folder");
        fs::write(folder.join(package).join(format!("{class}.class")), bytes).expect("writes");
    }
}

#[test]
fn ten_thousand_classes_and_fifty_thousand_lines_are_no_trouble() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("temporary folder");
    let path = |name: &str| folder.path().join(name);
    many_classes(&path("classes"));
    let source = long_source();
    let lines = source.lines().count();
    assert!(lines >= 50_000, "{lines}");
    fs::create_dir_all(path("src/large")).expect("makes the folder");
    fs::write(path("src/large/Long.java"), &source).expect("writes");
    let jdk = test_jdks().remove(0);
    let long = Compilation::with(&jdk).release(8).option("-g").source("large/Long.java", &source).compile();
    let long = long.expect("compiles");
    let mut command = Command::new(env!("CARGO_BIN_EXE_probity"));
    command.arg("report").arg("--classes").arg(path("classes")).arg(long.folder());
    command.arg("--sources").arg(path("src"));
    command.arg("--format").arg(format!("html={}", path("html").display()));
    let output = command.output().expect("runs");
    assert!(output.status.success(), "{output:?}");

    let browser = browser();
    browser.open(&path("html/classes.html"), "").expect("opens");
    expect(&browser, "document.querySelectorAll('tbody tr').length", &json!(CLASSES + 1));
    browser.click("th[data-key=name] button").expect("clicks");
    expect(&browser, "document.querySelector('tbody th a').textContent", &json!("C0000"));
    expect(&browser, "[...document.querySelectorAll('tbody th a')].pop().textContent", &json!("Long"));
    browser.press("/").expect("presses");
    browser.type_into("#search", "C0777").expect("types");
    // A class, its file and its constructor in each of ten packages.
    expect(&browser, "document.querySelectorAll('#results [role=option]').length", &json!(30));
    take_picture(&browser, "many-classes");

    let last = lines - 1;
    browser.open(&path("html/large/Long.java.html"), &format!("#L{last}")).expect("opens");
    let place = format!("document.querySelector('#L{last}').getBoundingClientRect()");
    expect(&browser, &format!("{place}.top > 0 && {place}.bottom < innerHeight"), &json!(true));
    expect(&browser, "document.querySelectorAll('.source p').length", &json!(lines));
    take_picture(&browser, "long-file");
    browser.press("p").expect("presses");
    expect(&browser, "Number(location.hash.slice(2)) < 50000", &json!(true));
    assert_eq!(browser.complaints().expect("answers"), Vec::<String>::new());
}
