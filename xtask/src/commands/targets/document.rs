//! The document about the targets.

use std::fmt::Write as _;

use super::results::Results;
use crate::surroundings::Surroundings;

const TEXT: &str = "\
Question: do the assertions of JaCoCo's own validation targets hold when our agent records and our report counts?

The targets are small programs whose comments say for each line whether its instructions are covered fully, partly or not at
all, and how many of its branches were missed and covered. Each is compiled, run by its test with our agent and assertions
enabled, and the classes that were recorded, and those that the test names, are reported as XML. What comments and tests
assert is then checked against that. Beside the comments these are the checks that all targets have in common (lines are in
the file; instructions and branches have lines) and those that a test has of its own (numbers of methods, order of events).
JaCoCo 0.8.15's command reports the same classes and data; *same report* says for how many targets the XML is the same, byte
for byte. ECJ is tried in two versions: targets are written for the lines of the one that JaCoCo is built with, 3.41.0, and
a newer one may put code on other lines. An assertion that fails where the report is the same fails for JaCoCo too.

Not measured: tests that are about JaCoCo's own parts and not about a target; modules that the checkout does not have or
that need a newer JDK; Kotlin, Groovy and Scala on other JDKs than the first.
";

pub(super) fn document(
    version: &str,
    surroundings: &Surroundings,
    rows: &[(&'static str, String, Results)],
) -> String {
    let mut out = format!(
        "# JaCoCo's validation targets\n\n{TEXT}\nCommand, which also writes this file; the folder is a checkout of JaCoCo \
         {version}, which is not part of this project:\n\n    cargo xtask compare targets --from FOLDER\n\n{surroundings}\n"
    );
    out.push_str("## Result\n\n");
    out.push_str("| module | compiler | targets | same report | checked | held | failed | skipped |\n");
    out.push_str("| --- | --- | --: | --: | --: | --: | --: | --: |\n");
    for (module, compiler, results) in rows {
        row(&mut out, module, compiler, results);
    }
    let mut total = Results::default();
    for (_, _, results) in rows {
        total.targets += results.targets;
        total.same_report += results.same_report;
        total.held += results.held;
        total.failed.extend_from_slice(&results.failed);
        total.skipped.extend_from_slice(&results.skipped);
    }
    row(&mut out, "**total**", "", &total);
    list(&mut out, "Failed", rows, |results| &results.failed);
    list(&mut out, "Skipped", rows, |results| &results.skipped);
    out
}

fn row(out: &mut String, module: &str, compiler: &str, results: &Results) {
    let Results { targets, same_report, held, failed, skipped } = results;
    // A string takes everything.
    let _ = writeln!(
        out,
        "| {module} | {compiler} | {targets} | {same_report} | {} | {held} | {} | {} |",
        results.checked(),
        failed.len(),
        skipped.len()
    );
}

fn list(
    out: &mut String,
    title: &str,
    rows: &[(&'static str, String, Results)],
    of: fn(&Results) -> &Vec<(String, String)>,
) {
    let _ = writeln!(out, "\n## {title}\n");
    let mut any = false;
    for (module, compiler, results) in rows {
        for (what, why) in of(results) {
            any = true;
            let _ = writeln!(out, "- {module}, {compiler}: `{what}`: {why}");
        }
    }
    if !any {
        out.push_str("None.\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_are_listed_and_added_up() {
        let failed = vec![("A.java:3 assertEmpty()".to_owned(), "found fully covered".to_owned())];
        let results = Results { targets: 2, same_report: 2, held: 5, failed, skipped: Vec::new() };
        let text = document("1.2", &Surroundings::default(), &[("java5", "javac 17".to_owned(), results)]);
        assert!(text.contains("| java5 | javac 17 | 2 | 2 | 6 | 5 | 1 | 0 |"), "{text}");
        assert!(text.contains("- java5, javac 17: `A.java:3 assertEmpty()`: found fully covered"), "{text}");
        assert!(text.ends_with("## Skipped\n\nNone.\n"), "{text}");
    }
}
