//! Rules on a small bundle. What JaCoCo says of many rules on a real one is compared in the tests of the command.

use super::*;
use crate::class::ClassCoverage;
use crate::class::MethodCoverage;
use crate::lines::Lines;
use crate::tree::BundleBuilder;

fn counters(missed: u32, covered: u32) -> Counters {
    let counter = Counter { missed, covered };
    Counters {
        instructions: counter,
        lines: counter,
        methods: Counter::one(covered > 0),
        classes: Counter::one(covered > 0),
        complexity: counter,
        ..Counters::default()
    }
}

fn bundle() -> BundleCoverage {
    let mut builder = BundleBuilder::new();
    for (name, missed, covered) in [("a/B", 1, 2), ("a/B$C", 4, 0), ("d/E", 0, 7)] {
        let counters = counters(missed, covered);
        let (lines, descriptor) = (Lines::default(), "(I)V".to_owned());
        let method = MethodCoverage { name: "m".to_owned(), descriptor, lines, counters };
        let class = ClassCoverage {
            id: 0,
            name: name.to_owned(),
            super_name: None,
            interfaces: Vec::new(),
            source_file: Some("F.java".to_owned()),
            methods: vec![method],
            lines: Lines::default(),
            counters,
            fragments: Vec::new(),
        };
        builder.add(class).expect("names differ");
    }
    builder.build("all")
}

fn limit(counted: Counted, value: Value, minimum: &str, maximum: &str) -> Limit {
    let bound = |text: &str| (!text.is_empty()).then(|| text.parse().expect("is a number"));
    Limit { counted, value, minimum: bound(minimum), maximum: bound(maximum) }
}

fn outcome(rules: &[Rule]) -> (Vec<String>, Outcome) {
    let mut checker = Checker::new(rules);
    checker.bundle(&bundle());
    let outcome = checker.finish();
    (outcome.violations.iter().map(ToString::to_string).collect(), outcome)
}

fn rule(element: Element, limit: Limit) -> Rule {
    Rule { element, limits: vec![limit], ..Rule::default() }
}

#[test]
fn messages_are_those_of_jacoco() {
    let at_least = |minimum| limit(Counted::Instructions, Value::CoveredRatio, minimum, "");
    let cases = [
        (
            Element::Bundle,
            at_least("0.65"),
            "bundle all: instructions covered ratio is 0.64, but expected minimum is 0.65",
        ),
        (
            Element::Package,
            at_least("90%"),
            "package a: instructions covered ratio is 0.28, but expected minimum is 0.90",
        ),
        (
            Element::Class,
            limit(Counted::Complexity, Value::MissedCount, "", "3"),
            "class a.B.C: complexity missed count is 4, but expected maximum is 3",
        ),
        (
            Element::SourceFile,
            limit(Counted::Methods, Value::TotalCount, "", "1.0"),
            "source file a/F.java: methods total count is 2.0, but expected maximum is 1.0",
        ),
        (
            Element::Method,
            limit(Counted::Lines, Value::MissedRatio, "", "0.4"),
            "method a.B.C.m(int): lines missed ratio is 1.0, but expected maximum is 0.4",
        ),
    ];
    for (element, limit, message) in cases {
        assert_eq!(outcome(&[rule(element, limit)]).0, [format!("Rule violated for {message}")]);
    }
}

#[test]
fn a_limit_that_is_reached_is_kept() {
    let exactly = limit(Counted::Instructions, Value::CoveredRatio, "1.0", "1.0");
    let of_one = Rule { includes: Wildcards::new("d.*"), ..rule(Element::Class, exactly) };
    assert_eq!(outcome(&[of_one]).0, [""; 0]);
}

#[test]
fn a_ratio_of_nothing_keeps_every_limit_and_no_branches_are_none() {
    assert_eq!(
        outcome(&[rule(Element::Bundle, limit(Counted::Branches, Value::CoveredRatio, "1", ""))]).0,
        [""; 0]
    );
    assert_eq!(
        outcome(&[rule(Element::Bundle, limit(Counted::Branches, Value::CoveredCount, "1", ""))]).0,
        ["Rule violated for bundle all: branches covered count is 0, but expected minimum is 1"]
    );
}

#[test]
fn a_limit_that_is_no_ratio_is_told_before_anything_else() {
    for (minimum, maximum, message) in [
        ("80", "", "given minimum ratio is 80"),
        ("0.9", "1.01", "given maximum ratio is 1.01"),
        ("-0.0000001", "2", "given minimum ratio is -1E-7"),
    ] {
        let limit = limit(Counted::Branches, Value::MissedRatio, minimum, maximum);
        let expected = format!("Rule violated for bundle all: {message}, but must be between 0.0 and 1.0");
        assert_eq!(outcome(&[rule(Element::Bundle, limit)]).0, [expected]);
    }
}

#[test]
fn rules_apply_by_name_and_are_counted() {
    let nothing_covered = limit(Counted::Instructions, Value::CoveredCount, "", "0");
    let with = |element, includes, excludes| Rule {
        includes: Wildcards::new(includes),
        excludes: Wildcards::new(excludes),
        ..rule(element, nothing_covered.clone())
    };
    let rules = [
        with(Element::Method, "*.m(int)", "d.*"),
        with(Element::Class, "a.?:d.*", ""),
        with(Element::Class, "nobody", ""),
        with(Element::Group, "*", ""),
    ];
    let (messages, outcome) = outcome(&rules);
    assert_eq!(
        messages,
        [
            "Rule violated for class a.B: instructions covered count is 2, but expected maximum is 0",
            "Rule violated for method a.B.m(int): instructions covered count is 2, but expected maximum is 0",
            "Rule violated for class d.E: instructions covered count is 7, but expected maximum is 0",
        ]
    );
    assert_eq!((outcome.elements, outcome.elements_of_rules), (4, vec![2, 2, 0, 0]));
}
