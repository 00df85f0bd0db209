//! Programs of the model under the agent: what its traces name is compared with what the model says must be recorded.
//!
//! Each program stands in a package of its own and is a unit of its own, so one JVM runs many of them and none is in the trace of
//! another. A class that the model asks for and a trace does not have is a hole; one that the trace has beyond those must have a reason
//! that the model gives.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use probity_engine::recording::read_recordings;
use probity_model::emit::{self, Expected, Extra, Form};
use probity_model::generate::{Subject, subject};
use probity_model::names::{ClassName, ClassSet, MethodName};
use probity_model::random::Chance;
use probity_model::text::Case;
use probity_shape::{BodyShape, ContentId, MethodShape, Shape};
use probity_test_support::java::{Compilation, CompiledClasses, Program, installed_jdks};
use probity_test_support::programs;
use probity_toolchain::Jdk;
use probity_trace::{ClassUse, Hits, Trace};

use super::failed;
use crate::failure::Failure;

/// How many programs one JVM runs.
const BATCH: usize = 500;

/// What came of programs that were traced.
#[derive(Debug, Default)]
pub struct AgentReport {
    /// The version of the JDK.
    pub jdk: String,
    /// Programs whose traces have all classes that the model asks for, and no other without a reason.
    pub right: usize,
    /// Among them, those whose traces have these classes and no other.
    pub equal: usize,
    /// The classes that the model asks for, over all programs.
    pub asked_for: usize,
    /// The classes that were recorded beyond those, by reason.
    pub extra: BTreeMap<Extra, usize>,
    /// The bodies that were entered, over all programs; traces have the same.
    pub entered: usize,
    /// Programs that cannot be written as class files.
    pub not_written: usize,
    /// Differences, each with the whole case.
    pub differences: Vec<String>,
}

impl AgentReport {
    fn differ(&mut self, written: &Written<'_>, what: &str) {
        let (program, tests) = (written.subject.program.clone(), vec![written.subject.test.clone()]);
        let case = Case { program, tests, revisions: Vec::new() };
        self.differences.push(format!("{what}\nfor\n{case}"));
    }
}

/// Traces programs on each JDK, a quarter of them in each form.
///
/// # Errors
///
/// Fails when there is no JDK or no agent, or one cannot be run.
pub fn under_agent(seed: u64, programs: u64, progress: &dyn Fn(&str)) -> Result<Vec<AgentReport>, Failure> {
    let mut reports = Vec::new();
    for jdk in &installed_jdks() {
        let judge = Judge::new(jdk).map_err(failed)?;
        let mut report = AgentReport { jdk: jdk.version().to_string(), ..AgentReport::default() };
        for (form, number) in Form::ALL.into_iter().zip(0..) {
            let share = (number * programs).div_ceil(4)..((number + 1) * programs).div_ceil(4);
            let subjects: Vec<Subject> =
                share.map(|task| subject(&mut Chance::of_task(seed, task))).collect();
            for batch in subjects.chunks(BATCH) {
                judge.judge(batch, form, &mut report).map_err(failed)?;
            }
        }
        progress(&format!("JDK {}: {} programs are traced as the model says", report.jdk, report.right));
        reports.push(report);
    }
    if reports.is_empty() {
        return Err(failed("there is no JDK to run the agent in".to_owned()));
    }
    Ok(reports)
}

/// The agent's library, which cargo builds as a dependency of this crate.
fn agent_library() -> Result<PathBuf, String> {
    let executable = env::current_exe().map_err(|error| error.to_string())?;
    let name = format!("{}probity_agent{}", env::consts::DLL_PREFIX, env::consts::DLL_SUFFIX);
    // Tests are among the dependencies themselves.
    let places = [executable.with_file_name("deps").join(&name), executable.with_file_name(&name)];
    let found = places.iter().find(|place| place.is_file());
    found.cloned().ok_or_else(|| {
        format!("{} is not there", places.map(|place| place.display().to_string()).join(" or "))
    })
}

/// A body, by its class and its name.
type EnteredBody = (ClassName, MethodName);

/// A JVM with the agent.
struct Judge<'j> {
    jdk: &'j Jdk,
    libraries: Vec<PathBuf>,
    units: CompiledClasses,
    agent: PathBuf,
}

/// A program that was written as class files.
struct Written<'s> {
    subject: &'s Subject,
    expected: Expected,
}

impl Written<'_> {
    /// The bodies that only one of model and trace has as entered. Initialisers that do nothing may not be written, and do not count.
    fn different_bodies(&self, traced: &BTreeSet<EnteredBody>) -> Vec<String> {
        let expected = &self.expected.entered;
        let missing = expected.difference(traced).filter(|body| !self.does_nothing(**body));
        let missing =
            missing.map(|(class, method)| format!("{class}.{method} was entered, and not in the trace"));
        let more = traced.difference(expected);
        let more = more.map(|(class, method)| format!("{class}.{method} was entered in the trace only"));
        missing.chain(more).collect()
    }

    fn does_nothing(&self, (class, method): EnteredBody) -> bool {
        let class = match class {
            ClassName::TEST => Some(&self.subject.test),
            _ => self.subject.program.class(class),
        };
        let method = class.and_then(|class| class.method(method));
        method.is_some_and(|method| method.name == MethodName::CLINIT && method.body.is_trivial())
    }
}

impl<'j> Judge<'j> {
    fn new(jdk: &'j Jdk) -> Result<Self, String> {
        let libraries = programs::class_path(&[programs::JUNIT_4]).map_err(|error| error.to_string())?;
        let units = Compilation::with(jdk)
            .class_path(&libraries)
            .source("Units.java", include_str!("Units.java"))
            .compile()
            .map_err(|error| error.to_string())?;
        Ok(Judge { jdk, libraries, units, agent: agent_library()? })
    }

    /// Runs programs in one form under the agent, and compares their traces with what the model says.
    fn judge(&self, subjects: &[Subject], form: Form, report: &mut AgentReport) -> Result<(), String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let (classes, recordings) = (folder.path().join("classes"), folder.path().join("recordings"));
        let written = write(subjects, form, &classes, report).map_err(|error| error.to_string())?;
        let outcomes = self.run(&classes, &recordings, written.len())?;
        let mut traces: BTreeMap<String, Trace> = BTreeMap::new();
        let recorded = read_recordings(&recordings, folder.path(), |trace| {
            traces.insert(trace.unit.clone(), trace);
        });
        let recorded = recorded.map_err(|error| error.to_string())?;
        if let Some(problem) = recorded.problems.first() {
            return Err(problem.to_string());
        }
        let mut outcomes = outcomes.lines();
        for (number, written) in written.iter().enumerate() {
            let package = format!("p{number}/");
            let outcome = outcomes.next().unwrap_or_default();
            match traces.get(&format!("p{number}.Test")) {
                None => report.differ(written, "it has no trace"),
                Some(trace) => {
                    let traced = Traced { package: &package, outcome, trace, shapes: &recorded.shapes };
                    compare(written, &traced, report);
                }
            }
        }
        Ok(())
    }

    fn run(&self, classes: &Path, recordings: &Path, count: usize) -> Result<String, String> {
        let agent =
            format!("-agentpath:{}=output=none,traces={}", self.agent.display(), recordings.display());
        let output = Program::with(self.jdk, "Units")
            .class_path(&self.libraries)
            .class_path([self.units.folder(), classes.to_owned()])
            .jvm_argument(agent)
            .jvm_argument("-XX:TieredStopAtLevel=1")
            .argument(count.to_string())
            .run_successfully()
            .map_err(|error| error.to_string())?;
        if output.stderr.is_empty() { Ok(output.stdout) } else { Err(output.stderr) }
    }
}

/// Writes the programs that can be written, each into a package that has its number.
fn write<'s>(
    subjects: &'s [Subject],
    form: Form,
    folder: &Path,
    report: &mut AgentReport,
) -> io::Result<Vec<Written<'s>>> {
    let mut written = Vec::new();
    for subject in subjects {
        let package = format!("p{}/", written.len());
        let classes = emit::classes_in(&subject.program, &subject.test, form, &package);
        let (Ok(classes), Ok(expected)) = (classes, emit::expected(&subject.program, &subject.test)) else {
            report.not_written += 1;
            continue;
        };
        fs::create_dir_all(folder.join(&package))?;
        for class in classes {
            fs::write(folder.join(format!("{package}{}.class", class.name)), class.bytes)?;
        }
        written.push(Written { subject, expected });
    }
    Ok(written)
}

/// What became of a program under the agent.
struct Traced<'t> {
    package: &'t str,
    outcome: &'t str,
    trace: &'t Trace,
    shapes: &'t BTreeMap<ContentId, Shape>,
}

fn compare(written: &Written<'_>, traced: &Traced<'_>, report: &mut AgentReport) {
    let expected = &written.expected;
    let mut problems = traced.problems();
    if Some(traced.outcome) != expected.observation.lines().next() {
        problems.push(format!("it {}", traced.outcome));
    }
    let recorded: ClassSet = traced.own().map(|(class, _)| class).collect();
    let (missing, more) = (expected.smart.without(recorded), recorded.without(expected.smart));
    if !missing.is_empty() {
        problems.push(format!("{missing} must be in the trace and are not"));
    }
    let unexplained = more.iter().filter(|class| !expected.extra.contains_key(class));
    problems.extend(unexplained.map(|class| {
        format!("{class} is in the trace for no reason but {}", traced.reasons(class).join(", "))
    }));
    let entered = traced.entered();
    problems.extend(written.different_bodies(&entered));
    if !problems.is_empty() {
        return report.differ(written, &format!("{}\n{recorded} are in the trace", problems.join("\n")));
    }
    report.right += 1;
    report.equal += usize::from(more.is_empty());
    report.asked_for += expected.smart.len() as usize;
    report.entered += entered.len();
    for reason in more.iter().filter_map(|class| expected.extra.get(&class)) {
        *report.extra.entry(*reason).or_default() += 1;
    }
}

impl Traced<'_> {
    /// The classes of the program.
    fn own(&self) -> impl Iterator<Item = (ClassName, &ClassUse)> {
        let name = |used: &ClassUse| used.name.strip_prefix(self.package)?.parse().ok();
        self.trace.classes.iter().filter_map(move |used| Some((name(used)?, used)))
    }

    /// What should be in no such trace at all: a reason not to trust it, classes of other programs, and classes that it looked for and
    /// that were not there.
    fn problems(&self) -> Vec<String> {
        let distrust = self.trace.distrust.iter().map(|why| format!("the trace is distrusted: {why}"));
        let foreign = self.trace.classes.iter().map(|used| &*used.name);
        let foreign = foreign.filter(|name| is_of_a_program(name) && !name.starts_with(self.package));
        let foreign = foreign.map(|name| format!("{name} is in the trace"));
        let absent = self.trace.absent_classes.iter().filter(|name| is_of_a_program(name));
        let absent = absent.map(|name| format!("{name} is there, and absent in the trace"));
        distrust.chain(foreign).chain(absent).collect()
    }

    /// The reasons that the trace itself gives for a class.
    fn reasons(&self, class: ClassName) -> Vec<String> {
        let uses = self.own().filter(|(name, _)| *name == class);
        let reasons = uses.flat_map(|(_, used)| &used.reasons);
        reasons
            .map(|reason| format!("{:?} {}", reason.why, reason.of.as_deref().unwrap_or_default()))
            .collect()
    }

    /// The bodies of the program that were entered, without constructors, which the model does not have.
    fn entered(&self) -> BTreeSet<EnteredBody> {
        let mut entered = BTreeSet::new();
        for (class, used) in self.own() {
            let methods = self.shapes.get(&used.content).into_iter().flat_map(|shape| &shape.methods);
            let hit =
                |method: &&MethodShape| method.body.as_ref().is_some_and(|body| is_hit(body, &used.hits));
            entered.extend(methods.filter(hit).filter_map(|method| Some((class, method_name(method)?))));
        }
        entered
    }
}

fn is_hit(body: &BodyShape, hits: &Hits) -> bool {
    body.entry_probe.is_some_and(|probe| hits.has(probe)) || hits.has_any(body.probes.clone())
}

/// The model's name of a method.
fn method_name(method: &MethodShape) -> Option<MethodName> {
    if method.name == "<clinit>" { Some(MethodName::CLINIT) } else { method.name.parse().ok() }
}

/// Whether a class is in one of the numbered packages.
fn is_of_a_program(name: &str) -> bool {
    name.strip_prefix('p').is_some_and(|rest| rest.starts_with(|digit: char| digit.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A program of which much is used, and what the model says of it.
    fn written(subject: &Subject) -> Written<'_> {
        let expected = emit::expected(&subject.program, &subject.test).expect("it ends");
        Written { subject, expected }
    }

    fn subject_with(smart: u32) -> Subject {
        let mut subjects = (0..).map(|task| subject(&mut Chance::of_task(5, task)));
        let is_meant = |subject: &Subject| {
            let expected = emit::expected(&subject.program, &subject.test).expect("it ends");
            expected.smart.len() >= smart
                && !expected.extra.is_empty()
                && expected.observation.starts_with("ended")
        };
        subjects.find(is_meant).expect("there are such programs")
    }

    /// What is different if these classes and bodies are in the trace of the package `p7`.
    fn differences(written: &Written<'_>, names: &[String], bodies: &BTreeSet<EnteredBody>) -> String {
        let shape = |class: &str| {
            let name = class.strip_prefix("p7/").unwrap_or(class);
            let form = Form::ALL[0];
            let classes = emit::classes_in(&written.subject.program, &written.subject.test, form, "p7/");
            let classes = classes.expect("can be written").into_iter();
            let class = classes.into_iter().find(|class| class.name.to_string() == name)?;
            probity_shape::ShapeReader::new().read(&class.bytes).ok()
        };
        let shapes: BTreeMap<ContentId, Shape> =
            names.iter().filter_map(|name| shape(name)).map(|shape| (shape.content, shape)).collect();
        let class_use = |name: &String| {
            let shape = shapes.values().find(|shape| shape.name == *name);
            let is_entered = |method: &&MethodShape| {
                let known =
                    name.strip_prefix("p7/").and_then(|name| name.parse().ok()).zip(method_name(method));
                known.is_some_and(|body| bodies.contains(&body))
            };
            let entered = shape.into_iter().flat_map(|shape| &shape.methods).filter(is_entered);
            let hits = entered.filter_map(|method| method.body.as_ref());
            ClassUse {
                name: name.as_str().into(),
                content: shape.map_or_else(|| ContentId::of(b""), |shape| shape.content),
                place: "".into(),
                hits: hits.flat_map(|body| body.entry_probe.into_iter().chain(body.probes.clone())).collect(),
                inherited: Hits::default(),
                reasons: Vec::new(),
            }
        };
        let trace = Trace { classes: names.iter().map(class_use).collect(), ..Trace::default() };
        let mut report = AgentReport::default();
        compare(
            written,
            &Traced { package: "p7/", outcome: "ended", trace: &trace, shapes: &shapes },
            &mut report,
        );
        assert_eq!(report.right + report.differences.len(), 1);
        report.differences.concat()
    }

    fn names(classes: ClassSet) -> Vec<String> {
        classes.iter().map(|class| format!("p7/{class}")).collect()
    }

    #[test]
    fn what_is_missing_or_has_no_reason_is_a_difference() {
        let subject = subject_with(4);
        let written = written(&subject);
        let Expected { smart, entered, extra, .. } = &written.expected;
        assert_eq!(differences(&written, &names(*smart), entered), "");
        let explained = extra.keys().fold(*smart, |set, class| set.with(*class));
        assert_eq!(differences(&written, &names(explained), entered), "");
        for class in smart.iter() {
            let rest = smart.without(ClassSet::of(class));
            let said = differences(&written, &names(rest), entered);
            assert!(said.contains(&format!("{{{class}}} must be in the trace and are not")), "{said}");
        }
        let strange = ClassName::of_program(40).expect("a name");
        let said = differences(&written, &names(smart.with(strange)), entered);
        assert!(said.starts_with("C40 is in the trace for no reason"), "{said}");
        let foreign = [names(*smart), vec!["p70/C0".to_owned()]].concat();
        let said = differences(&written, &foreign, entered);
        assert!(said.starts_with("p70/C0 is in the trace"), "{said}");
    }

    #[test]
    fn a_body_that_only_one_has_is_a_difference() {
        let subject = subject_with(4);
        let written = written(&subject);
        let Expected { smart, entered, .. } = &written.expected;
        let main = (ClassName::TEST, MethodName::MAIN);
        let said = differences(&written, &names(*smart), &BTreeSet::new());
        assert!(said.contains("Test.main was entered, and not in the trace"), "{said}");
        let without = Expected {
            entered: entered.iter().copied().filter(|body| *body != main).collect(),
            ..written.expected.clone()
        };
        let less = Written { subject: &subject, expected: without };
        let said = differences(&less, &names(*smart), entered);
        assert!(said.starts_with("Test.main was entered in the trace only"), "{said}");
    }
}
