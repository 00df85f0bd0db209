//! What was found, as text for people and as JSON.

use std::fmt::Write as _;

use probity_model::campaign::Tally;
use probity_model::collectors::Collector;
use probity_model::laws::controls::CONTROLS;
use probity_model::laws::{Selector, laws};
use serde_json::{Map, Value, json};

use super::{AgentReport, HotSpotReport, SpaceReport};

/// Everything that was found.
#[derive(Debug, Default)]
pub struct Report {
    /// The seed.
    pub seed: u64,
    /// Random programs.
    pub random: Option<Tally>,
    /// All programs of a space.
    pub space: Option<SpaceReport>,
    /// JVMs.
    pub hotspot: Vec<HotSpotReport>,
    /// JVMs with the agent.
    pub agent: Vec<AgentReport>,
    /// Program runs in a second on one core.
    pub runs_per_second: Option<f64>,
}

/// Fewer programs than this may miss the wrong claims that are rarely seen.
const ENOUGH_FOR_CONTROLS: u64 = 20_000;

impl Report {
    /// Everything that is not as it should be, in sentences.
    #[must_use]
    pub fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        if let Some(tally) = &self.random {
            problems.extend(tally.counterexamples.iter().map(ToString::to_string));
            for selector in Selector::all().filter(|selector| selector.is_safe()) {
                let count = tally.selections.get(selector.name()).copied().unwrap_or_default();
                if count.wrong > 0 {
                    problems.push(format!("{} is wrong in {} cases", selector.name(), count.wrong));
                }
            }
            for control in CONTROLS.iter().filter(|_| tally.programs >= ENOUGH_FOR_CONTROLS) {
                if tally.controls.get(control.id).is_none_or(|count| count.failures == 0) {
                    problems.push(format!("nothing was found against {control:?}"));
                }
            }
        }
        if let Some(space) = &self.space {
            for (collector, count) in Collector::ALL.into_iter().zip(space.sum.collectors) {
                if collector.is_safe() && (count.wrong > 0 || count.other_set > 0) {
                    problems.push(format!("{} is wrong in the space: {count:?}", collector.name()));
                }
                if !collector.is_safe() && count.wrong == 0 {
                    problems.push(format!("nothing in the space is against {}", collector.name()));
                }
            }
        }
        problems.extend(self.hotspot.iter().flat_map(|report| report.differences.iter().cloned()));
        problems.extend(self.agent.iter().flat_map(|report| report.differences.iter().cloned()));
        problems
    }

    /// As JSON.
    #[must_use]
    pub fn json(&self) -> Value {
        json!({
            "seed": self.seed,
            "random": self.random.as_ref().map(random_json),
            "space": self.space.as_ref().map(space_json),
            "hotspot": self.hotspot.iter().map(|report| json!({
                "jdk": report.jdk, "same": report.same, "thrown": report.thrown, "failed": report.failed,
                "linked_same": report.linked_same,
                "not_written": report.not_written, "different": report.differences.len(),
            })).collect::<Vec<_>>(),
            "agent": self.agent.iter().map(agent_json).collect::<Vec<_>>(),
            "runs_per_second": self.runs_per_second,
            "problems": self.problems(),
        })
    }

    /// As tables.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = format!("seed {}\n", self.seed);
        if let Some(tally) = &self.random {
            random_text(&mut text, tally);
        }
        if let Some(space) = &self.space {
            space_text(&mut text, space);
        }
        for report in &self.hotspot {
            let HotSpotReport { jdk, same, thrown, failed, linked_same, not_written, differences } = report;
            let different = differences.len();
            let _ = writeln!(
                text,
                "\nJDK {jdk}: {same} programs as the model says ({thrown} with an exception, {failed} with a class that \
                 failed), {linked_same} link the classes that the model says, {not_written} not written, {different} different"
            );
        }
        self.agent.iter().for_each(|report| agent_text(&mut text, report));
        if let Some(speed) = self.runs_per_second {
            let _ = writeln!(text, "\n{speed:.0} program runs a second on one core");
        }
        text
    }
}

fn random_json(tally: &Tally) -> Value {
    let count = |counts: &std::collections::BTreeMap<&'static str, probity_model::campaign::LawCount>| {
        let entry = |(id, count): (&&'static str, &probity_model::campaign::LawCount)| {
            let of_law = json!({
                "cases": count.cases, "applied": count.applied, "checks": count.checks, "failures": count.failures,
            });
            ((*id).to_owned(), of_law)
        };
        counts.iter().map(entry).collect::<Map<_, _>>()
    };
    let selections = tally.selections.iter().map(|(name, count)| {
        let of_selection =
            json!({ "deselected": count.deselected, "wrong": count.wrong, "wrong_seen": count.wrong_seen });
        ((*name).to_owned(), of_selection)
    });
    let edits = tally
        .edits
        .iter()
        .map(|(edit, (made, valid))| (format!("{edit:?}"), json!({ "made": made, "well_formed": valid })));
    json!({
        "programs": tally.programs,
        "without_end": tally.without_end,
        "broken_programs": tally.broken_programs,
        "revisions": tally.revisions,
        "valid_revisions": tally.valid_revisions,
        "changed_outcomes": tally.changed_outcomes,
        "laws": count(&tally.laws),
        "wrong_claims": count(&tally.controls),
        "selections": selections.collect::<Map<_, _>>(),
        "edits": edits.collect::<Map<_, _>>(),
    })
}

fn space_json(space: &SpaceReport) -> Value {
    let collectors = Collector::ALL.into_iter().zip(space.sum.collectors).map(|(collector, count)| {
        let of_collector = json!({ "hits": count.hits, "wrong": count.wrong, "other_set": count.other_set });
        (collector.name().to_owned(), of_collector)
    });
    json!({
        "classes": space.classes, "programs": space.programs, "well_formed": space.well_formed,
        "tests": space.tests, "runs": space.sum.runs, "collectors": collectors.collect::<Map<_, _>>(),
    })
}

fn agent_json(report: &AgentReport) -> Value {
    let extra = report.extra.iter().map(|(reason, count)| (reason.to_string(), json!(count)));
    json!({
        "jdk": report.jdk, "right": report.right, "equal": report.equal, "asked_for": report.asked_for, "entered": report.entered,
        "extra": extra.collect::<Map<_, _>>(), "not_written": report.not_written, "different": report.differences.len(),
    })
}

fn agent_text(text: &mut String, report: &AgentReport) {
    let AgentReport { jdk, right, equal, asked_for, entered, extra, not_written, differences } = report;
    let different = differences.len();
    let extra: Vec<String> = extra.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
    let extra = if extra.is_empty() { "none".to_owned() } else { extra.join(", ") };
    let _ = writeln!(
        text,
        "\nJDK {jdk} with the agent: {right} traces have the classes that the model asks for and the bodies that it enters ({equal} have \
         no other class), {not_written} programs not written, {different} different; {asked_for} classes and {entered} bodies; classes \
         beyond those: {extra}"
    );
}

fn random_text(text: &mut String, tally: &Tally) {
    let Tally {
        programs, broken_programs, without_end, revisions, valid_revisions, changed_outcomes, ..
    } = tally;
    let _ = writeln!(
        text,
        "{programs} random programs ({broken_programs} not well-formed, {without_end} more without end), {revisions} revisions, \
         {valid_revisions} well-formed, {changed_outcomes} in which the test ends differently\n\n\
         | law | cases | applied | checks | failures | |\n|---|---:|---:|---:|---:|---|"
    );
    for law in laws().chain(CONTROLS) {
        let counts =
            tally.laws.get(law.id).or_else(|| tally.controls.get(law.id)).copied().unwrap_or_default();
        let (id, cases, applied, checks) = (law.id, counts.cases, counts.applied, counts.checks);
        let _ = writeln!(
            text,
            "| {id} | {cases} | {applied} | {checks} | {} | {} |",
            counts.failures, law.statement
        );
    }
    let _ = writeln!(text, "\n| selection | skipped | wrong | wrong to see |\n|---|---:|---:|---:|");
    for selector in Selector::all() {
        let count = tally.selections.get(selector.name()).copied().unwrap_or_default();
        let name = selector.name();
        let _ = writeln!(text, "| {name} | {} | {} | {} |", count.deselected, count.wrong, count.wrong_seen);
    }
}

fn space_text(text: &mut String, space: &SpaceReport) {
    let SpaceReport { classes, programs, well_formed, tests, sum } = space;
    let _ = writeln!(
        text,
        "\nall {programs} programs of {classes} classes, {well_formed} well-formed, {tests} tests, {} runs\n\n\
         | collector | hits | wrong | other set |\n|---|---:|---:|---:|",
        sum.runs
    );
    for (collector, count) in Collector::ALL.into_iter().zip(sum.collectors) {
        let name = collector.name();
        let _ = writeln!(text, "| {name} | {} | {} | {} |", count.hits, count.wrong, count.other_set);
    }
}
