//! Rules as they are written on the command line, short or in JaCoCo's words.
//!
//! What a rule means is in `probity_coverage::check`; here text becomes a rule, or a complaint that names the place and
//! the words that are valid there.

use std::fmt;
use std::str::FromStr;

use probity_coverage::check::{Counted, Decimal, Element, Limit, Rule, Value, Wildcards};

/// A rule, and how it was written.
#[derive(Debug, Clone)]
pub(super) struct WrittenRule {
    pub(super) text: String,
    pub(super) rule: Rule,
}

/// What is wrong with a rule, and where.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RuleSyntaxError {
    /// The position of the character, from 1.
    character: usize,
    problem: String,
}

impl fmt::Display for RuleSyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at character {}: {}", self.character, self.problem)
    }
}

impl std::error::Error for RuleSyntaxError {}

/// The values in the short form, behind the counter; without one it is the covered ratio.
const SHORT_VALUES: [(&str, Value); 5] = [
    ("total", Value::TotalCount),
    ("missed", Value::MissedCount),
    ("covered", Value::CoveredCount),
    ("missed-ratio", Value::MissedRatio),
    ("covered-ratio", Value::CoveredRatio),
];

/// The names before an equals sign.
const KEYS: [&str; 7] = ["include", "exclude", "element", "counter", "value", "minimum", "maximum"];

impl FromStr for WrittenRule {
    type Err = RuleSyntaxError;

    fn from_str(text: &str) -> Result<WrittenRule, RuleSyntaxError> {
        let rule = Reading { text, parts: Parts::default() }.rule()?;
        Ok(WrittenRule { text: text.to_owned(), rule })
    }
}

/// What was read of a rule.
#[derive(Default)]
struct Parts<'t> {
    element: Option<Element>,
    includes: Vec<&'t str>,
    excludes: Vec<&'t str>,
    /// Limits in the short form.
    limits: Vec<Limit>,
    counter: Option<Counted>,
    value: Option<Value>,
    minimum: Option<Number<'t>>,
    maximum: Option<Number<'t>>,
}

/// A number, and where it is written.
#[derive(Clone, Copy)]
struct Number<'t> {
    text: &'t str,
    decimal: Decimal,
}

struct Reading<'t> {
    text: &'t str,
    parts: Parts<'t>,
}

type Read<T> = Result<T, RuleSyntaxError>;

impl<'t> Reading<'t> {
    fn rule(mut self) -> Read<Rule> {
        let rest = self.element_in_front()?;
        for item in items(rest) {
            self.item(item)?;
        }
        let jacoco_limit = self.jacoco_limit()?;
        let Parts { element, includes, excludes, mut limits, .. } = self.parts;
        limits.extend(jacoco_limit);
        let mut rule = Rule { limits, ..Rule::default() };
        rule.element = element.unwrap_or(rule.element);
        if !includes.is_empty() {
            rule.includes = Wildcards::new(&includes.join(":"));
        }
        if !excludes.is_empty() {
            rule.excludes = Wildcards::new(&excludes.join(":"));
        }
        if rule.limits.is_empty() {
            let end = self.text.len();
            return Err(error_at(
                self.text,
                end,
                "there is no limit; write one such as line>=80%".to_owned(),
            ));
        }
        Ok(rule)
    }

    /// Takes `class:` and the like from the front; gives what follows.
    fn element_in_front(&mut self) -> Read<&'t str> {
        let text = self.text;
        let Some((word, rest)) = text.split_once(':').filter(|(word, _)| !word.contains(['=', '<', '>']))
        else {
            return Ok(text);
        };
        self.parts.element = Some(self.word(word, "element", &Element::WORDS)?);
        Ok(rest)
    }

    fn item(&mut self, item: &'t str) -> Read<()> {
        let Some(at) = item.find(['=', '<', '>']) else {
            let problem = format!("'{}' is neither a limit such as line>=80% nor NAME=TEXT", item.trim());
            return Err(self.error(item, problem));
        };
        let (word, operator) = item.split_at(at);
        if let Some(number) = operator.strip_prefix(">=") {
            let mut limit = self.short_limit(word)?;
            limit.minimum = Some(self.number(number, limit.value)?);
            self.parts.limits.push(limit);
        } else if let Some(number) = operator.strip_prefix("<=") {
            let mut limit = self.short_limit(word)?;
            limit.maximum = Some(self.number(number, limit.value)?);
            self.parts.limits.push(limit);
        } else if let Some(setting) = operator.strip_prefix('=') {
            self.setting(word, setting)?;
        } else {
            return Err(self.error(operator, "limits are written with >= or <=".to_owned()));
        }
        Ok(())
    }

    /// The counter and the value before `>=` or `<=`.
    fn short_limit(&self, words: &'t str) -> Read<Limit> {
        let (counter, value) = match words.split_once('-') {
            Some((counter, value)) => (counter, self.word(value, "value", &SHORT_VALUES)?),
            None => (words, Value::CoveredRatio),
        };
        let counted = self.word(counter, "counter", &Counted::WORDS)?;
        Ok(Limit { counted, value, ..Limit::default() })
    }

    fn setting(&mut self, key: &'t str, setting: &'t str) -> Read<()> {
        let was_there = match key.trim() {
            "include" | "includes" => return push(&mut self.parts.includes, setting),
            "exclude" | "excludes" => return push(&mut self.parts.excludes, setting),
            "element" => {
                let element = self.word(setting, "element", &Element::WORDS)?;
                self.parts.element.replace(element).is_some()
            }
            "counter" => {
                let counter = self.word(setting, "counter", &Counted::WORDS)?;
                self.parts.counter.replace(counter).is_some()
            }
            "value" => {
                let value = self.word(setting, "value", &Value::WORDS)?;
                self.parts.value.replace(value).is_some()
            }
            "minimum" => {
                let number = Number { text: setting, decimal: self.decimal(setting)? };
                self.parts.minimum.replace(number).is_some()
            }
            "maximum" => {
                let number = Number { text: setting, decimal: self.decimal(setting)? };
                self.parts.maximum.replace(number).is_some()
            }
            other => {
                let valid = KEYS.join(", ");
                let problem = format!("there is no '{other}'; valid before = are {valid}");
                return Err(self.error(key, problem));
            }
        };
        if was_there {
            return Err(self.error(key, format!("'{}' is given twice", key.trim())));
        }
        Ok(())
    }

    /// The limit that JaCoCo's words make up together, if any of them is there.
    fn jacoco_limit(&self) -> Read<Option<Limit>> {
        let Parts { counter, value, minimum, maximum, .. } = &self.parts;
        if minimum.is_none() && maximum.is_none() {
            return match (counter, value) {
                (None, None) => Ok(None),
                _ => {
                    let problem = "a counter or value has no limit; add minimum=NUMBER or maximum=NUMBER";
                    Err(error_at(self.text, self.text.len(), problem.to_owned()))
                }
            };
        }
        let mut limit = Limit::default();
        limit.counted = counter.unwrap_or(limit.counted);
        limit.value = value.unwrap_or(limit.value);
        for number in [minimum, maximum].into_iter().flatten() {
            self.check_unit(number.text, limit.value)?;
        }
        limit.minimum = minimum.map(|number| number.decimal);
        limit.maximum = maximum.map(|number| number.decimal);
        Ok(Some(limit))
    }

    fn number(&self, text: &'t str, value: Value) -> Read<Decimal> {
        self.check_unit(text, value)?;
        self.decimal(text)
    }

    fn decimal(&self, text: &'t str) -> Read<Decimal> {
        text.parse().map_err(|problem| self.error(text, format!("'{}' {problem}", text.trim())))
    }

    /// A percentage of a count would be a hundredth of one thing, which nobody means.
    fn check_unit(&self, text: &'t str, value: Value) -> Read<()> {
        if text.trim_end().ends_with('%') && !value.is_ratio() {
            let problem = format!("a {value} has no percentage; did you mean the ratio?");
            return Err(self.error(text, problem));
        }
        Ok(())
    }

    /// What a word stands for, in capitals or not.
    fn word<T: Copy>(&self, written: &'t str, what: &str, words: &[(&str, T)]) -> Read<T> {
        let wanted = written.trim();
        let found = words.iter().find(|(word, _)| word.eq_ignore_ascii_case(wanted));
        found.map(|(_, meaning)| *meaning).ok_or_else(|| {
            let valid: Vec<String> = words.iter().map(|(word, _)| word.to_ascii_lowercase()).collect();
            let problem = format!("there is no {what} '{wanted}'; valid are {}", valid.join(", "));
            self.error(written, problem)
        })
    }

    /// An error at the first character of a part of the text that is not a space.
    fn error(&self, part: &'t str, problem: String) -> RuleSyntaxError {
        let part = part.trim_start();
        // A part of a text starts where its address says.
        let offset = (part.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        error_at(self.text, offset, problem)
    }
}

fn push<'t>(patterns: &mut Vec<&'t str>, more: &'t str) -> Read<()> {
    patterns.push(more.trim());
    Ok(())
}

fn error_at(text: &str, offset: usize, problem: String) -> RuleSyntaxError {
    let before = text.char_indices().take_while(|(at, _)| *at < offset).count();
    RuleSyntaxError { character: before + 1, problem }
}

/// The parts between those commas that a limit or a name with an equals sign follows: the names of methods have commas
/// of their own.
fn items(text: &str) -> Vec<&str> {
    let mut items = Vec::new();
    let mut start = 0;
    for (comma, _) in text.match_indices(',') {
        let (Some(item), Some(rest)) = (text.get(start..comma), text.get(comma + 1..)) else { continue };
        if starts_item(rest) {
            items.push(item);
            start = comma + 1;
        }
    }
    items.extend(text.get(start..));
    items
}

fn starts_item(text: &str) -> bool {
    let word = text.trim_start();
    let behind =
        word.trim_start_matches(|character: char| character.is_ascii_alphabetic() || character == '-');
    behind.len() < word.len() && behind.trim_start().starts_with(['=', '<', '>'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(text: &str) -> Rule {
        text.parse::<WrittenRule>().unwrap_or_else(|error| panic!("{text}: {error}")).rule
    }

    fn limit(counted: Counted, value: Value, minimum: Option<&str>, maximum: Option<&str>) -> Limit {
        let decimal = |text: &str| text.parse().expect("is a number");
        Limit { counted, value, minimum: minimum.map(decimal), maximum: maximum.map(decimal) }
    }

    #[test]
    fn a_short_rule_is_about_everything_that_is_covered() {
        let expected = limit(Counted::Lines, Value::CoveredRatio, Some("80%"), None);
        assert_eq!(rule("line>=80%"), Rule { limits: vec![expected], ..Rule::default() });
        assert_eq!(rule(" LINE >= 80% "), rule("line>=0.80"));
    }

    #[test]
    fn elements_values_and_names_can_be_said() {
        let of_branches = limit(Counted::Branches, Value::CoveredRatio, Some("0.6"), None);
        let of_lines = limit(Counted::Lines, Value::MissedCount, None, Some("5"));
        let expected = Rule {
            element: Element::Class,
            includes: Wildcards::new("a.*:b.*"),
            excludes: Wildcards::new("*Test"),
            limits: vec![of_branches, of_lines],
        };
        assert_eq!(
            rule("class:branch>=0.6, line-missed<=5, include=a.*, include=b.*, exclude=*Test"),
            expected
        );
        let complexity = limit(Counted::Complexity, Value::TotalCount, None, Some("10"));
        assert_eq!(rule("method:complexity-total<=10").limits, [complexity]);
        assert_eq!(
            rule("method-missed-ratio<=10%").limits,
            [limit(Counted::Methods, Value::MissedRatio, None, Some("0.10"))]
        );
    }

    #[test]
    fn jacocos_words_are_understood() {
        let expected = Rule {
            element: Element::SourceFile,
            includes: Wildcards::new("a/*:b/*"),
            limits: vec![limit(Counted::Lines, Value::CoveredCount, Some("1"), Some("9"))],
            ..Rule::default()
        };
        let written =
            "element=SOURCEFILE,counter=LINE,value=COVEREDCOUNT,minimum=1,maximum=9,includes=a/*:b/*";
        assert_eq!(rule(written), expected);
        assert_eq!(
            rule("minimum=0.8").limits,
            [limit(Counted::Instructions, Value::CoveredRatio, Some("0.8"), None)]
        );
    }

    #[test]
    fn commas_in_the_names_of_methods_are_part_of_them() {
        let read = rule("method:line>=1,include=a.B.m(int, long[]):a.B.n(int,int),exclude=x");
        assert_eq!(read.includes, Wildcards::new("a.B.m(int, long[]):a.B.n(int,int)"));
        assert_eq!(read.excludes, Wildcards::new("x"));
    }

    #[test]
    fn errors_name_the_place_and_the_valid_words() {
        let values = "total, missed, covered, missed-ratio, covered-ratio";
        let counters = "instruction, branch, line, complexity, method, class";
        let cases = [
            (
                "clas:line>=1",
                1,
                "there is no element 'clas'; valid are bundle, package, class, sourcefile, method, group".to_owned(),
            ),
            ("class: lin>=1", 8, format!("there is no counter 'lin'; valid are {counters}")),
            ("line-mised<=1", 6, format!("there is no value 'mised'; valid are {values}")),
            ("line>=8O%", 7, "'8O%' is no number such as 0.8, 80% or 5".to_owned()),
            ("line>=", 7, "'' is no number such as 0.8, 80% or 5".to_owned()),
            ("line>80%", 5, "limits are written with >= or <=".to_owned()),
            ("line-missed<=5%", 14, "a missed count has no percentage; did you mean the ratio?".to_owned()),
            (
                "line>=1,only=x",
                9,
                "there is no 'only'; valid before = are include, exclude, element, counter, value, minimum, maximum".to_owned(),
            ),
            ("ü:line>=1", 1, "there is no element 'ü'; valid are bundle, package, class, sourcefile, method, group".to_owned()),
            ("include=ü", 10, "there is no limit; write one such as line>=80%".to_owned()),
            ("", 1, "'' is neither a limit such as line>=80% nor NAME=TEXT".to_owned()),
            ("line", 1, "'line' is neither a limit such as line>=80% nor NAME=TEXT".to_owned()),
            ("counter=LINE", 13, "a counter or value has no limit; add minimum=NUMBER or maximum=NUMBER".to_owned()),
            ("minimum=1,minimum=1", 11, "'minimum' is given twice".to_owned()),
            ("value=MISSEDCOUNT,maximum=5%", 27, "a missed count has no percentage; did you mean the ratio?".to_owned()),
        ];
        for (text, character, problem) in cases {
            let error = text.parse::<WrittenRule>().expect_err(text);
            assert_eq!(error, RuleSyntaxError { character, problem }, "{text}");
        }
    }
}
