//! What a test class did in one run: the result of each of its methods.
//!
//! Two outcomes are the same only if they would look the same to whoever reads a report: same methods, same results, same
//! exceptions with the same messages. Times and traces do not count.

use std::fmt;

/// How a test class ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TestOutcome {
    /// There is no such class.
    Absent,
    /// It ran. The results are sorted, by the names that JUnit shows.
    Ran(Vec<(String, MethodResult)>),
}

/// How a test method ended, or the class around it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum MethodResult {
    /// It passed.
    Passed,
    /// It was not run.
    Ignored,
    /// An assumption did not hold.
    Assumption {
        /// What was said about it.
        message: String,
    },
    /// It failed.
    Failed {
        /// The class of the exception.
        exception: String,
        /// Its message, or nothing.
        message: String,
    },
}

impl TestOutcome {
    /// Whether the class ran and some part of it failed.
    #[must_use]
    pub fn failed(&self) -> bool {
        match self {
            TestOutcome::Absent => false,
            TestOutcome::Ran(results) => {
                results.iter().any(|(_, result)| matches!(result, MethodResult::Failed { .. }))
            }
        }
    }
}

impl fmt::Display for TestOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let results = match self {
            TestOutcome::Absent => return f.write_str("absent"),
            TestOutcome::Ran(results) if results.is_empty() => return f.write_str("no tests"),
            TestOutcome::Ran(results) => results,
        };
        for (index, (method, result)) in results.iter().enumerate() {
            let separator = if index == 0 { "" } else { ", " };
            write!(f, "{separator}{method} {result}")?;
        }
        Ok(())
    }
}

impl fmt::Display for MethodResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MethodResult::Passed => f.write_str("passed"),
            MethodResult::Ignored => f.write_str("ignored"),
            MethodResult::Assumption { message } => write!(f, "assumption: {message}"),
            MethodResult::Failed { exception, message } => write!(f, "failed: {exception}: {message}"),
        }
    }
}

/// What the program that runs tests wrote, read line by line.
///
/// A line has parts between tabs: `class` and a name, `absent`, or a result with the method and what belongs to it; `end`
/// stands after the last of a class. A line that is none of these is given back.
pub(super) fn read_results(text: &str) -> Result<Vec<(String, TestOutcome)>, String> {
    let mut finished = Vec::new();
    let mut name = String::new();
    let mut results = Vec::new();
    for line in text.lines() {
        let parts: Vec<String> = line.split('\t').map(unescaped).collect();
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        let result = match parts.as_slice() {
            ["class", class] => {
                name = (*class).to_owned();
                continue;
            }
            ["absent"] => {
                finished.push((std::mem::take(&mut name), TestOutcome::Absent));
                continue;
            }
            ["end"] => {
                results.sort();
                finished.push((std::mem::take(&mut name), TestOutcome::Ran(std::mem::take(&mut results))));
                continue;
            }
            ["passed", method] => (*method, MethodResult::Passed),
            ["ignored", method] => (*method, MethodResult::Ignored),
            ["assumption", method, message] => {
                (*method, MethodResult::Assumption { message: (*message).to_owned() })
            }
            ["failed", method, exception, message] => (
                *method,
                MethodResult::Failed { exception: (*exception).to_owned(), message: (*message).to_owned() },
            ),
            _ => return Err(line.to_owned()),
        };
        results.push((result.0.to_owned(), result.1));
    }
    Ok(finished)
}

fn unescaped(part: &str) -> String {
    let mut text = String::with_capacity(part.len());
    let mut characters = part.chars();
    while let Some(character) = characters.next() {
        text.push(match character {
            '\\' => match characters.next() {
                Some('t') => '\t',
                Some('n') => '\n',
                Some('r') => '\r',
                Some(other) => other,
                None => '\\',
            },
            other => other,
        });
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_read_and_sorted() {
        let text = "class\tT\nfailed\tu(T)\tE\ta\\tb\\\\\\n\npassed\tt(T)\nend\nclass\tU\nabsent\nclass\tV\n";
        let outcomes = read_results(text).expect("results");
        let failed = MethodResult::Failed { exception: "E".into(), message: "a\tb\\\n".into() };
        let ran = TestOutcome::Ran(vec![("t(T)".into(), MethodResult::Passed), ("u(T)".into(), failed)]);
        assert!(ran.failed());
        assert_eq!(outcomes, [("T".into(), ran), ("U".into(), TestOutcome::Absent)]);
    }

    #[test]
    fn a_line_that_is_not_a_result_is_given_back() {
        assert_eq!(read_results("class\tT\npassed\n"), Err("passed".into()));
    }
}
