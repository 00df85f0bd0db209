//! `probity check-coverage`: compares coverage with rules, as JaCoCo's `check` goal does.
//!
//! It counts exactly what `probity report` counts, from the same arguments. Violations are data and go to standard
//! output; a rule that cannot be read stops the command before anything is counted.

mod rule_syntax;

use std::io::Write;

use clap::Args;
use probity_coverage::check::{Checker, Outcome, Rule};
use serde::Serialize;

use crate::commands::Verdict;
use crate::commands::coverage_input::{CoverageInput, CoverageInputArguments};
use crate::error::CliError;
use crate::output::{counted, write_json};
use crate::terminal::Messages;
use rule_syntax::WrittenRule;

/// The arguments of `probity check-coverage`.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true)]
pub(crate) struct CheckCoverageArguments {
    #[command(flatten)]
    input: CoverageInputArguments,

    /// A rule that the coverage must keep, such as 'line>=80%'. Can be given several times.
    #[arg(long = "rule", value_name = "RULE", num_args = 1.., required = true)]
    rules: Vec<WrittenRule>,

    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// How rules are written, for the help.
pub(crate) const RULES_HELP: &str = "\
Rules:
  [ELEMENT:]COUNTER[-VALUE]>=NUMBER or <=NUMBER, and after commas more limits, include=NAMES, exclude=NAMES
  ELEMENT  bundle (if none is given), package, class, sourcefile, method; group, for which nothing is checked
  COUNTER  instruction, branch, line, complexity, method, class
  VALUE    covered-ratio (if none is given), missed-ratio, covered, missed, total
  NUMBER   0.8 or 80% for a ratio, which is between 0 and 1; 5 for a count
  NAMES    names with * for any text and ? for one character, separated by colons: bundles by name, packages and
           classes as in org.example.Outer.Inner, source files as in org/example/File.java, methods as in
           org.example.Type.name(int, java.lang.String)
  JaCoCo's words do as well: element=CLASS,counter=LINE,value=MISSEDCOUNT,maximum=5,includes=a.*:b.*,excludes=*Test

Examples:
  --rule 'line>=80%'
  --rule 'class:branch>=0.6,include=org.example.*,exclude=*Test'
  --rule 'method:complexity-missed<=5'";

/// Runs the command.
pub(crate) fn run(
    arguments: &CheckCoverageArguments,
    messages: &Messages,
    data: &mut dyn Write,
) -> Result<Verdict, CliError> {
    let input = CoverageInput::load(&arguments.input, messages)?;
    let rules: Vec<Rule> = arguments.rules.iter().map(|written| written.rule.clone()).collect();
    let mut checker = Checker::new(&rules);
    for (_, bundle) in input.report.root.bundles() {
        checker.bundle(bundle);
    }
    let outcome = checker.finish();
    warn_of_idle_rules(&arguments.rules, &outcome, messages);
    if arguments.json {
        write_json(data, &CheckObject::new(&arguments.rules, &outcome))?;
    } else {
        print(&arguments.rules, &outcome, data)?;
    }
    data.flush()?;
    Ok(if outcome.violations.is_empty() { input.verdict() } else { Verdict::Findings })
}

/// A rule with a mistake in its names would hold for ever.
fn warn_of_idle_rules(rules: &[WrittenRule], outcome: &Outcome, messages: &Messages) {
    for (rule, count) in rules.iter().zip(&outcome.elements_of_rules) {
        if *count == 0 {
            messages.warning(&format_args!("the rule '{}' applies to nothing", rule.text));
        }
    }
}

fn print(rules: &[WrittenRule], outcome: &Outcome, data: &mut dyn Write) -> std::io::Result<()> {
    for violation in &outcome.violations {
        writeln!(data, "{violation}")?;
    }
    if outcome.violations.is_empty() {
        let (rules, elements) =
            (counted(rules.len(), "rule", "rules"), counted(outcome.elements, "element", "elements"));
        writeln!(data, "{rules} checked on {elements}: no violations")?;
    }
    Ok(())
}

#[derive(Serialize)]
struct CheckObject<'c> {
    rules: usize,
    elements: usize,
    violations: Vec<ViolationRecord<'c>>,
}

#[derive(Serialize)]
struct ViolationRecord<'c> {
    rule: &'c str,
    element: String,
    name: &'c str,
    message: String,
}

impl<'c> CheckObject<'c> {
    fn new(rules: &'c [WrittenRule], outcome: &'c Outcome) -> CheckObject<'c> {
        let violations = outcome.violations.iter().map(|violation| ViolationRecord {
            rule: rules.get(violation.rule).map_or("", |written| &written.text),
            element: violation.element.to_string(),
            name: &violation.name,
            message: violation.to_string(),
        });
        CheckObject { rules: rules.len(), elements: outcome.elements, violations: violations.collect() }
    }
}
