//! Limits on coverage, checked as JaCoCo's `check` goal checks them, with the same messages in the same order.
//!
//! Numbers are compared as whole numbers and never as floating point. JaCoCo compares doubles; the answers are the same
//! for limits of up to six decimals, whatever is counted, since such limits are further from any other ratio of two
//! counters than a double is from the ratio it stands for.

mod decimal;

use crate::counter::{Counter, Counters};
use crate::names::{package_name, qualified_class_name, qualified_method_name};
use crate::tree::{BundleCoverage, PackageCoverage};
pub use decimal::{Decimal, DecimalError};
pub use probity_instrument::Wildcards;
use std::cmp::Ordering;
use std::fmt;

/// What a rule is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// Bundles as a whole.
    Bundle,
    /// Packages.
    Package,
    /// Classes.
    Class,
    /// Source files.
    SourceFile,
    /// Methods.
    Method,
    /// Groups of bundles. As in JaCoCo, such a rule can be written but nothing is checked for it.
    Group,
}

impl Element {
    /// All of them, with JaCoCo's words.
    pub const WORDS: [(&'static str, Element); 6] = [
        ("BUNDLE", Element::Bundle),
        ("PACKAGE", Element::Package),
        ("CLASS", Element::Class),
        ("SOURCEFILE", Element::SourceFile),
        ("METHOD", Element::Method),
        ("GROUP", Element::Group),
    ];
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bundle => "bundle",
            Self::Package => "package",
            Self::Class => "class",
            Self::SourceFile => "source file",
            Self::Method => "method",
            Self::Group => "group",
        })
    }
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// Instructions.
    Instructions,
    /// Ways out of instructions that have more than one.
    Branches,
    /// Lines with code.
    Lines,
    /// Cyclomatic complexity.
    Complexity,
    /// Methods with code.
    Methods,
    /// Classes with code.
    Classes,
}

impl Counted {
    /// All of them, with JaCoCo's words.
    pub const WORDS: [(&'static str, Counted); 6] = [
        ("INSTRUCTION", Counted::Instructions),
        ("BRANCH", Counted::Branches),
        ("LINE", Counted::Lines),
        ("COMPLEXITY", Counted::Complexity),
        ("METHOD", Counted::Methods),
        ("CLASS", Counted::Classes),
    ];

    fn of(self, counters: &Counters) -> Counter {
        match self {
            Self::Instructions => counters.instructions,
            Self::Branches => counters.branches,
            Self::Lines => counters.lines,
            Self::Complexity => counters.complexity,
            Self::Methods => counters.methods,
            Self::Classes => counters.classes,
        }
    }
}

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Instructions => "instructions",
            Self::Branches => "branches",
            Self::Lines => "lines",
            Self::Complexity => "complexity",
            Self::Methods => "methods",
            Self::Classes => "classes",
        })
    }
}

/// Which number of a counter is limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// How many there are.
    TotalCount,
    /// How many were missed.
    MissedCount,
    /// How many were covered.
    CoveredCount,
    /// The missed part, from 0 to 1.
    MissedRatio,
    /// The covered part, from 0 to 1.
    CoveredRatio,
}

impl Value {
    /// All of them, with JaCoCo's words.
    pub const WORDS: [(&'static str, Value); 5] = [
        ("TOTALCOUNT", Value::TotalCount),
        ("MISSEDCOUNT", Value::MissedCount),
        ("COVEREDCOUNT", Value::CoveredCount),
        ("MISSEDRATIO", Value::MissedRatio),
        ("COVEREDRATIO", Value::CoveredRatio),
    ];

    /// Whether it is a part of something, not a number of things.
    #[must_use]
    pub fn is_ratio(self) -> bool {
        matches!(self, Self::MissedRatio | Self::CoveredRatio)
    }

    /// The value as numerator and denominator; a denominator of zero says that there is none.
    fn of(self, counter: Counter) -> (u32, u32) {
        match self {
            Self::TotalCount => (counter.total(), 1),
            Self::MissedCount => (counter.missed, 1),
            Self::CoveredCount => (counter.covered, 1),
            Self::MissedRatio => (counter.missed, counter.total()),
            Self::CoveredRatio => (counter.covered, counter.total()),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TotalCount => "total count",
            Self::MissedCount => "missed count",
            Self::CoveredCount => "covered count",
            Self::MissedRatio => "missed ratio",
            Self::CoveredRatio => "covered ratio",
        })
    }
}

/// A side on which a value is limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The least that is allowed.
    Minimum,
    /// The most that is allowed.
    Maximum,
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Minimum => "minimum",
            Self::Maximum => "maximum",
        })
    }
}

/// What one value must keep to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limit {
    /// What is counted.
    pub counted: Counted,
    /// Which number of it.
    pub value: Value,
    /// The least that is allowed.
    pub minimum: Option<Decimal>,
    /// The most that is allowed.
    pub maximum: Option<Decimal>,
}

impl Default for Limit {
    /// The covered part of instructions, without bounds.
    fn default() -> Self {
        Self { counted: Counted::Instructions, value: Value::CoveredRatio, minimum: None, maximum: None }
    }
}

impl Limit {
    fn breach(&self, counters: &Counters) -> Option<Breach> {
        let bounds = [(Bound::Minimum, self.minimum), (Bound::Maximum, self.maximum)];
        let bounds = bounds.into_iter().filter_map(|(bound, limit)| limit.map(|limit| (bound, limit)));
        if let Some((bound, given)) =
            bounds.clone().find(|(_, limit)| self.value.is_ratio() && !limit.is_ratio())
        {
            return Some(Breach::NoRatio { bound, given });
        }
        let (numerator, denominator) = self.value.of(self.counted.of(counters));
        if denominator == 0 {
            return None;
        }
        bounds.into_iter().find_map(|(bound, expected)| {
            let broken = match bound {
                Bound::Minimum => Ordering::Greater,
                Bound::Maximum => Ordering::Less,
            };
            (expected.compare(numerator, denominator) == broken).then(|| {
                let actual = match bound {
                    Bound::Minimum => Decimal::floor(numerator, denominator, expected.scale()),
                    Bound::Maximum => Decimal::ceiling(numerator, denominator, expected.scale()),
                };
                Breach::Outside { counted: self.counted, value: self.value, actual, bound, expected }
            })
        })
    }
}

/// How a limit is not kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Breach {
    /// The limit itself is wrong: it is for a ratio but not between 0 and 1.
    NoRatio {
        /// Which side.
        bound: Bound,
        /// The limit.
        given: Decimal,
    },
    /// The value is on the wrong side of the limit.
    Outside {
        /// What was counted.
        counted: Counted,
        /// Which number of it.
        value: Value,
        /// The number, rounded away from the limit to as many decimals.
        actual: Decimal,
        /// Which side.
        bound: Bound,
        /// The limit.
        expected: Decimal,
    },
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRatio { bound, given } => {
                let given = given.in_java();
                write!(f, "given {bound} ratio is {given}, but must be between 0.0 and 1.0")
            }
            Self::Outside { counted, value, actual, bound, expected } => {
                write!(f, "{counted} {value} is {actual}, but expected {bound} is {expected}")
            }
        }
    }
}

/// Limits for all elements of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The kind.
    pub element: Element,
    /// The names of elements that it applies to.
    pub includes: Wildcards,
    /// The names of those that it does not apply to all the same.
    pub excludes: Wildcards,
    /// The limits.
    pub limits: Vec<Limit>,
}

impl Default for Rule {
    /// A rule for all bundles, without limits.
    fn default() -> Self {
        let (includes, excludes) = (Wildcards::new("*"), Wildcards::new(""));
        Self { element: Element::Bundle, includes, excludes, limits: Vec::new() }
    }
}

impl Rule {
    fn applies_to(&self, element: Element, name: &str) -> bool {
        self.element == element
            && self.includes.matches(name.as_bytes())
            && !self.excludes.matches(name.as_bytes())
    }
}

/// A limit that an element does not keep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The position of the rule.
    pub rule: usize,
    /// The kind of the element.
    pub element: Element,
    /// Its name.
    pub name: String,
    /// How the limit is not kept.
    pub breach: Breach,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Rule violated for {} {}: {}", self.element, self.name, self.breach)
    }
}

/// Checks rules on one bundle after the other.
#[derive(Debug)]
pub struct Checker<'r> {
    rules: &'r [Rule],
    outcome: Outcome,
}

/// What came of checking.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The violations, in the order of the elements; for one element in the order of the rules.
    pub violations: Vec<Violation>,
    /// To how many elements some rule applied.
    pub elements: usize,
    /// To how many elements each rule applied.
    pub elements_of_rules: Vec<usize>,
}

impl<'r> Checker<'r> {
    /// A checker that has checked nothing yet.
    #[must_use]
    pub fn new(rules: &'r [Rule]) -> Self {
        let elements_of_rules = vec![0; rules.len()];
        Self { rules, outcome: Outcome { elements_of_rules, ..Outcome::default() } }
    }

    /// What came of it.
    #[must_use]
    pub fn finish(self) -> Outcome {
        self.outcome
    }

    /// Checks a bundle and all that is in it.
    pub fn bundle(&mut self, bundle: &BundleCoverage) {
        self.element(Element::Bundle, &bundle.counters, || bundle.name.clone());
        bundle.packages.iter().for_each(|package| self.package(package));
    }

    fn package(&mut self, package: &PackageCoverage) {
        self.element(Element::Package, &package.counters, || package_name(&package.name));
        for class in &package.classes {
            self.element(Element::Class, &class.counters, || qualified_class_name(&class.name));
            for method in &class.methods {
                self.element(Element::Method, &method.counters, || {
                    qualified_method_name(&class.name, &method.name, &method.descriptor)
                });
            }
        }
        for file in &package.source_files {
            self.element(Element::SourceFile, &file.counters, || format!("{}/{}", file.package, file.name));
        }
    }

    /// The name is made only if some rule asks for it: there are many methods.
    fn element(&mut self, element: Element, counters: &Counters, name: impl FnOnce() -> String) {
        if !self.rules.iter().any(|rule| rule.element == element) {
            return;
        }
        let (name, outcome) = (name(), &mut self.outcome);
        let mut applied = false;
        for ((position, rule), count) in self.rules.iter().enumerate().zip(&mut outcome.elements_of_rules) {
            if !rule.applies_to(element, &name) {
                continue;
            }
            applied = true;
            *count += 1;
            let breaches = rule.limits.iter().filter_map(|limit| limit.breach(counters));
            outcome.violations.extend(breaches.map(|breach| Violation {
                rule: position,
                element,
                name: name.clone(),
                breach,
            }));
        }
        outcome.elements += usize::from(applied);
    }
}

#[cfg(test)]
mod tests;
