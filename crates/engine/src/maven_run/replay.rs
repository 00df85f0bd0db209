//! Writes the results of units that were left out into the folder in which Surefire writes its own, so that whoever reads the
//! folder sees the whole suite.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::Path;

use probity_buildtool::maven::description::TestExecution;
use probity_report::{JavaDate, TestCaseResult, TestSuiteResult, test_suite_xml};
use probity_trace::paths::percent_decoded;
use probity_trace::{Outcome, Test};

use super::{FreshUnit, MavenProblem};

/// The property that says when a result was recorded.
const RECORDED: &str = "probity.recorded";

/// Writes the results; gives what could not be written.
pub(super) fn write(execution: &TestExecution, units: &[FreshUnit]) -> Vec<MavenProblem> {
    let Some(folder) = execution.reports.as_deref().filter(|_| !units.is_empty()) else { return Vec::new() };
    let style = if execution.plugin_version.starts_with("2.") { Style::Two } else { Style::Three };
    let mut problems = Vec::new();
    for unit in units {
        let suffix = execution.report_suffix.as_ref().map(|suffix| format!("-{suffix}")).unwrap_or_default();
        let file = folder.join(format!("TEST-{}{suffix}.xml", unit.unit));
        let written =
            fs::create_dir_all(folder).and_then(|()| replace(&file, &test_suite_xml(&suite(unit, style))));
        if let Err(error) = written {
            problems.push(MavenProblem::NotReplayed { file, error });
        }
    }
    problems
}

fn replace(file: &Path, text: &str) -> io::Result<()> {
    let beside = file.with_extension("xml.partial");
    fs::write(&beside, text)?;
    fs::rename(&beside, file)
}

/// How a version of Surefire writes names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// `name{int}[1]`, and calls of TestNG's methods are not told apart.
    Two,
    /// `name(int)[1]`.
    Three,
}

fn suite(unit: &FreshUnit, style: Style) -> TestSuiteResult {
    let recorded = JavaDate(i64::try_from(unit.began).unwrap_or_default());
    let mut cases: Vec<TestCaseResult> =
        unit.tests.iter().map(|test| case(&unit.unit, test, style)).collect();
    if style == Style::Three {
        number_repeated(&mut cases);
    }
    TestSuiteResult {
        name: unit.unit.clone(),
        micros: unit.micros,
        properties: vec![(RECORDED.to_owned(), recorded.to_string())],
        cases,
    }
}

fn case(unit: &str, test: &Test, style: Style) -> TestCaseResult {
    let (class, name) = names(unit, &test.id, style);
    TestCaseResult {
        class,
        name,
        micros: test.micros,
        is_skipped: test.outcome == Outcome::Skipped,
        is_failed: test.outcome == Outcome::Failed,
    }
}

/// Tests of one name are told apart by numbers: TestNG has one name for all calls of a method.
fn number_repeated(cases: &mut [TestCaseResult]) {
    let mut seen: HashMap<(String, String), (usize, usize)> = HashMap::new();
    for case in &*cases {
        seen.entry((case.class.clone(), case.name.clone())).or_default().0 += 1;
    }
    for case in cases {
        if let Some((count, number)) = seen.get_mut(&(case.class.clone(), case.name.clone()))
            && *count > 1
        {
            *number += 1;
            case.name = format!("{}[{number}]", case.name);
        }
    }
}

/// The class and the name of a test, as Surefire has them, from the name that its framework has for it: `name(class)` for JUnit 3 and 4, a list of
/// segments for the JUnit Platform, `class.name` for TestNG.
fn names(unit: &str, id: &str, style: Style) -> (String, String) {
    let found = if id.starts_with("[engine:") {
        platform_names(id, style)
    } else if let Some((name, class)) = id.strip_suffix(')').and_then(|id| id.rsplit_once('(')) {
        Some((class.to_owned(), name.to_owned()))
    } else {
        id.rsplit_once('.').map(|(class, name)| (class.to_owned(), name.to_owned()))
    };
    found.unwrap_or_else(|| (unit.to_owned(), id.to_owned()))
}

fn platform_names(id: &str, style: Style) -> Option<(String, String)> {
    let segments = id.strip_prefix('[')?.strip_suffix(']')?.split("]/[");
    let mut class = String::new();
    let mut name = String::new();
    for segment in segments {
        let (kind, value) = segment.split_once(':')?;
        let value = percent_decoded(value)?;
        match kind {
            "class" | "runner" => class = value,
            "nested-class" => class = format!("{class}${value}"),
            "method" => name = method_name(&value, style).trim_end_matches("()").to_owned(),
            "test-template" | "test-factory" => name = method_name(&value, style),
            // JUnit 3 and 4 on the platform.
            "test" => {
                let (test, of) = value.strip_suffix(')').and_then(|value| value.rsplit_once('('))?;
                (class, name) = (of.to_owned(), test.to_owned());
            }
            _ => match value.strip_prefix('#') {
                Some(number) => name.push_str(&format!("[{number}]")),
                None if kind == "engine" => {}
                None => name = value,
            },
        }
    }
    (!class.is_empty() && !name.is_empty()).then_some((class, name))
}

/// A method with the simple names of its parameters.
fn method_name(method: &str, style: Style) -> String {
    let Some((name, parameters)) = method.strip_suffix(')').and_then(|method| method.split_once('(')) else {
        return method.to_owned();
    };
    let simple = |parameter: &str| parameter.trim().rsplit(['.', '$']).next().unwrap_or_default().to_owned();
    let parameters: Vec<String> = parameters.split(',').map(simple).collect();
    let parameters = parameters.join(", ");
    match style {
        Style::Three => format!("{name}({parameters})"),
        Style::Two if parameters.is_empty() => name.to_owned(),
        Style::Two => format!("{name}{{{parameters}}}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_surefire() {
        let of = |id: &str, style| {
            let (class, name) = names("a.UnitTest", id, style);
            format!("{class} {name}")
        };
        let names = |id: &str| of(id, Style::Three);
        assert_eq!(names("t(a.B$C)"), "a.B$C t");
        assert_eq!(names("t[0: x (y)](a.B)"), "a.B t[0: x (y)]");
        assert_eq!(names("a.B.t"), "a.B t");
        assert_eq!(names("odd"), "a.UnitTest odd");
        let jupiter = |rest: &str| names(&format!("[engine:junit-jupiter]/[class:a.B]{rest}"));
        assert_eq!(jupiter("/[method:t()]"), "a.B t");
        assert_eq!(
            jupiter("/[nested-class:C]/[nested-class:D]/[method:t(java.util.Map$Entry, int%5B%5D)]"),
            "a.B$C$D t(Entry, int[])"
        );
        assert_eq!(jupiter("/[test-template:p(int)]/[test-template-invocation:#2]"), "a.B p(int)[2]");
        assert_eq!(jupiter("/[test-factory:d()]/[dynamic-container:#1]/[dynamic-test:#3]"), "a.B d()[1][3]");
        let template =
            "[engine:junit-jupiter]/[class:a.B]/[test-template:p(int)]/[test-template-invocation:#2]";
        assert_eq!(of(template, Style::Two), "a.B p{int}[2]");
        assert_eq!(names("[engine:junit-vintage]/[runner:a.B]/[test:t(a.B)]"), "a.B t");
        assert_eq!(names("[engine:other]/[feature:x]"), "a.UnitTest [engine:other]/[feature:x]");
    }

    #[test]
    fn tests_of_one_name_are_numbered() {
        let test = |id: &str| Test { id: id.to_owned(), outcome: Outcome::Passed, micros: 1 };
        let unit = FreshUnit {
            unit: "a.B".to_owned(),
            tests: vec![test("a.B.t"), test("a.B.u"), test("a.B.t")],
            ..FreshUnit::default()
        };
        let names: Vec<String> = suite(&unit, Style::Three).cases.into_iter().map(|case| case.name).collect();
        assert_eq!(names, ["t[1]", "u", "t[2]"]);
    }
}
