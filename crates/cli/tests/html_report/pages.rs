//! What people do with the pages: read marks, sort, search, follow links, press keys, print.

use std::fs;
use std::path::{Path, PathBuf};

use probity_test_support::browser::Browser;
use serde_json::{Value, json};

use crate::shop::{LineCounts, Shop};

/// The key that confirms, for WebDriver.
const ENTER: &str = "\u{e007}";
const ESCAPE: &str = "\u{e00c}";

pub(crate) fn browser() -> Browser {
    Browser::start(1400, 900).unwrap_or_else(|error| panic!("{error}"))
}

pub(crate) fn ask(browser: &Browser, expression: &str) -> Value {
    browser.value(expression).unwrap_or_else(|error| panic!("{error}"))
}

/// Waits until an expression has a value.
pub(crate) fn expect(browser: &Browser, expression: &str, wanted: &Value) {
    let value = browser.value_becomes(expression, wanted).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(value, *wanted, "{expression}");
}

/// Leaves a picture where people can look at it.
pub(crate) fn take_picture(browser: &Browser, name: &str) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pictures");
    fs::create_dir_all(&folder).expect("makes the folder");
    let picture = browser.screenshot().expect("takes a picture");
    assert!(picture.starts_with(b"\x89PNG"));
    fs::write(folder.join(format!("{name}.png")), picture).expect("writes");
}

fn source_page(package: &str, file: &str) -> PathBuf {
    let folder = if package.is_empty() { "default".to_owned() } else { package.replace('/', ".") };
    Shop::get().html().join(folder).join(format!("{file}.html"))
}

/// The marks that a line with such counts must have.
fn mark([mi, ci, mb, cb]: LineCounts) -> String {
    let status = match (mi + mb, ci + cb) {
        (0, _) => "f",
        (_, 0) => "n",
        _ => "p",
    };
    format!("{status}{}", if mb + cb > 0 { " b" } else { "" })
}

#[test]
fn lines_have_the_marks_that_jacocos_numbers_ask_for() {
    let browser = browser();
    let files = Shop::get().jacoco_lines();
    assert_eq!(files.len(), 3, "{files:?}");
    for ((package, file), lines) in files {
        browser.open(&source_page(&package, &file), "").expect("opens");
        let shown = ask(
            &browser,
            "[...document.querySelectorAll('.source p[class]')].map((line) => [Number(line.id.slice(1)), line.className])",
        );
        let wanted: Vec<Value> =
            lines.iter().map(|(number, counts)| json!([number, mark(*counts)])).collect();
        assert_eq!(shown, Value::Array(wanted), "{package}/{file}");
        for (number, [_, _, missed, covered]) in lines {
            if missed > 0 {
                let said = ask(&browser, &format!("document.querySelector('#L{number} small').textContent"));
                assert_eq!(said, json!(format!("{missed} of {} branches missed", missed + covered)));
            }
        }
        let starts = ask(
            &browser,
            "new Set([...document.querySelectorAll('.source p > a')].map((link) => link.getBoundingClientRect().left)).size",
        );
        assert_eq!(starts, json!(1), "all lines start below each other");
        assert_eq!(browser.complaints().expect("answers"), Vec::<String>::new());
    }
    browser.open(&source_page("shop/cart", "Cart.java"), "#L24").expect("opens");
    take_picture(&browser, "source");
}

#[test]
fn the_text_of_the_source_is_shown_as_it_is() {
    let browser = browser();
    browser.open(&source_page("shop/cart", "Cart.java"), "").expect("opens");
    let line = ask(
        &browser,
        "[...document.querySelector('#L12').childNodes].slice(1).map((node) => node.textContent).join('')",
    );
    assert_eq!(line, json!("            throw new IllegalArgumentException(\"<nothing> & \\\"none\\\"\");"));
    let marks = ask(&browser, "[...document.querySelectorAll('#L12 b, #L12 u')].map((mark) => mark.tagName)");
    assert_eq!(marks, json!(["B", "B", "U"]));
    assert_eq!(ask(&browser, "document.title"), json!("Cart.java · Shop & <Sons>"));
}

/// The first cells of the rows, as they stand.
const ROWS: &str = "[...document.querySelectorAll('table tbody tr th')].map((cell) => cell.textContent)";

#[test]
fn tables_are_sorted_by_each_column_and_remember_it() {
    let browser = browser();
    let index = Shop::get().html().join("index.html");
    browser.open(&index, "").expect("opens");
    let mut packages = Shop::get().jacoco_packages();
    packages.sort_by_key(|(_, missed, total)| std::cmp::Reverse((*missed, *total)));
    let names: Vec<&str> = packages.iter().map(|(name, ..)| name.as_str()).collect();
    assert_eq!(ask(&browser, ROWS), json!(names), "most missed first");
    take_picture(&browser, "bundle");

    browser.click("th[data-key=instructions] button").expect("clicks");
    let reversed: Vec<&str> = names.iter().rev().copied().collect();
    assert_eq!(ask(&browser, ROWS), json!(reversed), "the other way round");
    browser.click("th[data-key=name] button").expect("clicks");
    assert_eq!(ask(&browser, ROWS), json!(["default", "shop.cart", "shop.price"]));
    browser.click("th[data-key=instructions-percent] button").expect("clicks");
    packages.sort_by(|(_, missed, total), (_, other, all)| (other * total).cmp(&(missed * all)));
    let by_percent: Vec<&str> = packages.iter().map(|(name, ..)| name.as_str()).collect();
    assert_eq!(ask(&browser, ROWS), json!(by_percent), "least covered first");

    let address = browser.address().expect("answers");
    assert!(address.ends_with("#sort=packages,instructions-percent,ascending"), "{address}");
    browser.open(&index, "#sort=packages,name,descending").expect("opens");
    assert_eq!(
        ask(&browser, ROWS),
        json!(["shop.price", "shop.cart", "default"]),
        "an order can be linked to"
    );
    assert_eq!(ask(&browser, "document.querySelector('th[aria-sort]').dataset.key"), json!("name"));
}

#[test]
fn search_finds_classes_methods_and_packages_by_key() {
    let browser = browser();
    browser.open(&Shop::get().html().join("index.html"), "").expect("opens");
    let first = "document.querySelector('#results [aria-selected=true]')?.textContent";
    let cases = [
        ("Counter", "classCart.Countershop.cart", "shop.cart/Cart.java.html#Cart%24Counter"),
        ("isEm", "methodisEmpty()shop.cart.Cart", "shop.cart/Cart.java.html#Cart.isEmpty()"),
        ("shop.pr", "packageshop.price", "shop.price/index.html"),
        ("plain", "classPlaindefault", "default/Plain.html#Plain"),
    ];
    for (text, result, address) in cases {
        browser.press("/").expect("presses");
        browser.type_into("#search", text).expect("types");
        expect(&browser, first, &json!(result));
        take_picture(&browser, "search");
        browser.press(ENTER).expect("presses");
        expect(&browser, &format!("location.href.endsWith({})", json!(address)), &json!(true));
        browser.open(&Shop::get().html().join("index.html"), "").expect("opens");
    }
    browser.press("/").expect("presses");
    browser.type_into("#search", "no such thing").expect("types");
    expect(
        &browser,
        "document.querySelector('#results').textContent",
        &json!("Nothing is called like this."),
    );
    browser.press(ESCAPE).expect("presses");
    expect(&browser, "document.querySelector('#results').hidden", &json!(true));
    assert_eq!(browser.complaints().expect("answers"), Vec::<String>::new());
}

/// Whether a line can be seen.
fn is_seen(browser: &Browser, line: u32) -> Value {
    let place = format!("document.querySelector('#L{line}').getBoundingClientRect()");
    ask(browser, &format!("{place}.top > 0 && {place}.bottom < innerHeight"))
}

#[test]
fn links_lead_to_lines_and_keys_to_what_is_missed() {
    let browser = browser();
    let page = source_page("shop/price", "Price.java");
    browser.open(&page, "#L21").expect("opens");
    assert_eq!(is_seen(&browser, 21), json!(true));
    assert_eq!(ask(&browser, "document.querySelector('#L21').classList.contains('chosen')"), json!(true));
    let panel = ask(&browser, "document.querySelector('#line-panel').textContent");
    assert!(panel.as_str().is_some_and(|text| text.starts_with("Line 21")), "{panel}");
    browser.open(&page, "#L9-L12").expect("opens");
    assert_eq!(ask(&browser, "document.querySelectorAll('.source p.chosen').length"), json!(4));

    let lines = Shop::get().jacoco_lines();
    let lines = &lines[&("shop/price".to_owned(), "Price.java".to_owned())];
    let missed =
        |number: u32| lines.get(&number).is_some_and(|counts| mark(*counts) != "f" && mark(*counts) != "f b");
    let runs: Vec<u32> =
        lines.keys().copied().filter(|&number| missed(number) && !missed(number - 1)).collect();
    assert!(runs.len() > 1, "{runs:?}");
    browser.open(&page, "").expect("opens");
    for run in runs.iter().chain(runs.first()) {
        browser.press("n").expect("presses");
        expect(&browser, "location.hash", &json!(format!("#L{run}")));
        assert_eq!(is_seen(&browser, *run), json!(true));
    }
    browser.press("p").expect("presses");
    expect(&browser, "location.hash", &json!(format!("#L{}", runs[runs.len() - 1])));
    browser.press("u").expect("presses");
    expect(&browser, "document.title", &json!("shop.price · Shop & <Sons>"));
    browser.press("jj").expect("presses");
    expect(&browser, "document.querySelectorAll('tr.chosen').length", &json!(1));
    browser.press("?").expect("presses");
    expect(&browser, "document.querySelector('dialog').open", &json!(true));
}

#[test]
fn classes_and_methods_have_anchors_and_lead_to_their_lines() {
    let browser = browser();
    browser.open(&source_page("shop/cart", "Cart.java"), "#Cart$Counter").expect("opens");
    assert_eq!(ask(&browser, "document.querySelector(':target').textContent"), json!("Cart.Counter"));
    browser.click("[id='Cart.isEmpty()'] a").expect("clicks");
    expect(&browser, "location.hash", &json!("#L24"));
    let names = ask(
        &browser,
        "[...document.querySelectorAll('#methods-0 tbody th')].map((cell) => cell.textContent)",
    );
    assert!(names.to_string().contains("never(List[], Map.Entry)"), "{names}");
    browser.open(&Shop::get().html().join("default/Plain.html"), "").expect("opens");
    let said = ask(&browser, "[...document.querySelectorAll('.message')].map((one) => one.textContent)");
    assert_eq!(
        said,
        json!([
            "Plain was compiled without line numbers: its lines are not known.",
            "The class does not say which source file it comes from."
        ])
    );
    browser.open(&Shop::get().html().join("shop.price/index.html"), "").expect("opens");
    assert!(ask(&browser, ROWS).to_string().contains("Price.new Runnable() {...}"));
    take_picture(&browser, "package");
}

#[test]
fn there_is_a_light_and_a_dark_look_and_a_page_for_paper() {
    let browser = browser();
    let page = source_page("shop/cart", "Cart.java");
    browser.open(&page, "").expect("opens");
    let background = "getComputedStyle(document.body).backgroundColor";
    let (light, dark) = (json!("rgb(255, 255, 255)"), json!("rgb(13, 17, 23)"));
    for (system, before, after) in [("light", &light, &dark), ("dark", &dark, &light)] {
        ask(&browser, "localStorage.clear()");
        browser.emulate("screen", system).expect("answers");
        browser.open(&page, "").expect("opens");
        assert_eq!(ask(&browser, background), *before, "as the system wants it");
        browser.press("t").expect("presses");
        assert_eq!(ask(&browser, background), *after, "as the reader wants it");
        browser.open(&page, "").expect("opens");
        assert_eq!(ask(&browser, background), *after, "and it stays so");
    }
    ask(&browser, "localStorage.setItem('probity-theme', 'dark')");
    browser.open(&page, "").expect("opens");
    take_picture(&browser, "source-dark");
    browser.emulate("print", "dark").expect("answers");
    assert_eq!(ask(&browser, background), light, "paper is light");
    assert_eq!(ask(&browser, "getComputedStyle(document.querySelector('#tools')).display"), json!("none"));
    take_picture(&browser, "paper");
    assert!(browser.print().expect("prints").starts_with(b"%PDF"));
}
