//! Results of tests as JUnit's XML, in the dialect that Surefire writes and everybody reads.

use std::fmt::Write as _;

use crate::xml_text::escaped;

/// The tests of a class, and how they ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestSuiteResult {
    /// The name of the class.
    pub name: String,
    /// How long it took, in microseconds.
    pub micros: u64,
    /// Names and values that say more about it.
    pub properties: Vec<(String, String)>,
    /// The tests.
    pub cases: Vec<TestCaseResult>,
}

/// A test, and how it ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestCaseResult {
    /// The name of its class.
    pub class: String,
    /// Its own name.
    pub name: String,
    /// How long it took, in microseconds.
    pub micros: u64,
    /// Whether it was not run, or an assumption did not hold.
    pub is_skipped: bool,
    /// Whether it failed.
    pub is_failed: bool,
}

/// The results of a class.
#[must_use]
pub fn test_suite_xml(suite: &TestSuiteResult) -> String {
    let count = |is_one: fn(&TestCaseResult) -> bool| suite.cases.iter().filter(|case| is_one(case)).count();
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"{}\" time=\"{}\" tests=\"{}\" errors=\"0\" skipped=\"{}\" failures=\"{}\">\n",
        attribute(&suite.name),
        seconds(suite.micros),
        suite.cases.len(),
        count(|case| case.is_skipped),
        count(|case| case.is_failed),
    );
    xml.push_str("  <properties>\n");
    for (name, value) in &suite.properties {
        // Writing into a text cannot fail.
        let _ = writeln!(xml, "    <property name=\"{}\" value=\"{}\"/>", attribute(name), attribute(value));
    }
    xml.push_str("  </properties>\n");
    suite.cases.iter().for_each(|case| push_case(case, &mut xml));
    xml.push_str("</testsuite>\n");
    xml
}

fn push_case(case: &TestCaseResult, xml: &mut String) {
    let (name, class, time) = (attribute(&case.name), attribute(&case.class), seconds(case.micros));
    let _ = write!(xml, "  <testcase name=\"{name}\" classname=\"{class}\" time=\"{time}\"");
    let inside = match (case.is_failed, case.is_skipped) {
        (true, _) => "<failure/>",
        (false, true) => "<skipped/>",
        (false, false) => {
            xml.push_str("/>\n");
            return;
        }
    };
    let _ = writeln!(xml, ">\n    {inside}\n  </testcase>");
}

/// A text as the value of an attribute. XML has no way to write most control characters.
fn attribute(text: &str) -> String {
    let mut value = String::new();
    for c in escaped(text).chars() {
        match c {
            '\n' => value.push_str("&#10;"),
            '\r' => value.push_str("&#13;"),
            '\t' => value.push_str("&#9;"),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => value.push('\u{fffd}'),
            c => value.push(c),
        }
    }
    value
}

/// A number of seconds with three digits behind the point.
fn seconds(micros: u64) -> String {
    let millis = micros.saturating_add(500) / 1000;
    format!("{}.{:03}", millis / 1000, millis % 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_written_as_surefire_does() {
        let case = |name: &str, is_skipped, is_failed| TestCaseResult {
            class: "shop.A$B".to_owned(),
            name: name.to_owned(),
            micros: 1_234_567,
            is_skipped,
            is_failed,
        };
        let suite = TestSuiteResult {
            name: "shop.A".to_owned(),
            micros: 400,
            properties: vec![("p".to_owned(), "\"v\"".to_owned())],
            cases: vec![
                case("one<1>\n\u{1}", false, false),
                case("two", true, false),
                case("three", false, true),
            ],
        };
        let xml = test_suite_xml(&suite);
        let expected = r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="shop.A" time="0.000" tests="3" errors="0" skipped="1" failures="1">
  <properties>
    <property name="p" value="&quot;v&quot;"/>
  </properties>
  <testcase name="one&lt;1&gt;&#10;�" classname="shop.A$B" time="1.235"/>
  <testcase name="two" classname="shop.A$B" time="1.235">
    <skipped/>
  </testcase>
  <testcase name="three" classname="shop.A$B" time="1.235">
    <failure/>
  </testcase>
</testsuite>
"#;
        assert_eq!(xml, expected);
    }
}
