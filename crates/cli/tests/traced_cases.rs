//! Every case is recorded in its first revision, and the trace of each test whose result changes names what is different in the
//! second: a class, a file, something that was looked for and not there, or a setting. Otherwise a selection would skip the
//! test.
//!
//! `PROBITY_CASE=part-of-a-name` runs only the cases with such names and shows what their traces name.

#![allow(clippy::print_stdout, reason = "what traces name is shown to who asks for one case")]

#[path = "support/agent_library.rs"]
mod agent_library;

use std::collections::BTreeMap;
use std::env;
use std::path::{Path, PathBuf};

use agent_library::agent_library;
use probity_engine::recording::read_recordings;
use probity_test_support::cases::{
    Case, CaseError, Change, FoundClass, Revision, WhatChanged, Workshop, try_each,
};
use probity_trace::Trace;

/// The variable that restricts the run to some cases.
const ONLY: &str = "PROBITY_CASE";

/// The cases whose second revision only adds state that an earlier test leaves behind. Nothing that the later test did names it, so no
/// trace of it can: when the earlier test has run again it is seen that it now writes what the later one reads.
const SEEN_ONLY_AFTERWARDS: [&str; 1] = ["new_initialiser_in_earlier_test_pollutes"];

/// The cases with a class that has no room for the probes of coverage, of which the agent tells. It is traced all the same.
const TOO_LARGE_FOR_COVERAGE: [&str; 1] = ["method_near_size_limit"];

#[test]
fn the_trace_of_each_test_that_changes_names_what_is_different() {
    let only = env::var(ONLY).ok();
    let mut cases = Case::load_all().unwrap_or_else(|error| panic!("{error}"));
    cases.retain(|case| only.as_ref().is_none_or(|part| case.name.contains(part.as_str())));
    cases.retain(|case| !case.changes.is_empty());
    cases.retain(|case| !SEEN_ONLY_AFTERWARDS.contains(&case.name.as_str()));
    assert!(!cases.is_empty(), "no case has such a name");
    let told = try_each(&cases, Case::jdk, try_case);
    let told = told.unwrap_or_else(|error| panic!("{error}"));
    assert!(told.is_empty(), "{} of {} cases:\n{}", told.len(), cases.len(), told.join("\n"));
}

fn try_case(case: &Case, workshop: &Workshop) -> Result<Vec<String>, CaseError> {
    let folder = tempfile::tempdir().expect("temporary folder");
    let recordings = tempfile::tempdir().expect("temporary folder");
    let before = workshop.build(case, Revision::Before, folder.path())?;
    let classes_before = before.classes()?;
    let agent = format!(
        "-agentpath:{}=output=none,traces={}",
        agent_library().display(),
        recordings.path().display()
    );
    let run = before.tests().jvm_argument(agent).run()?;
    let mut folders = before.layout().class_path();
    folders.push(before.layout().working_folder());
    let traces = traces(recordings.path(), folder.path());
    let after = workshop.build(case, Revision::After, folder.path())?;
    let classes_after = after.classes()?;
    let different = WhatChanged::between(case, &classes_before, &classes_after);
    let mut problems: Vec<String> =
        run.output.stderr.lines().filter(|line| line.starts_with("probity: ")).map(str::to_owned).collect();
    if TOO_LARGE_FOR_COVERAGE.contains(&case.name.as_str()) {
        problems.retain(|line| !line.contains("is not recorded: the method's body would have"));
    }
    for test in &case.changes {
        let Some(trace) = traces.get(test) else {
            problems.push(format!("{test} has no trace"));
            continue;
        };
        let place = Place { project: folder.path(), folders: &folders };
        let reasons = reasons(trace, &different, &classes_after, &place);
        if env::var(ONLY).is_ok() {
            println!("{}: {test}: {reasons:?}\n{trace:#?}", case.name);
        }
        if reasons.is_empty() {
            problems.push(format!("{test} is not told of {:?}", Shown(&different)));
        }
    }
    Ok(problems)
}

/// What is different, in few words.
struct Shown<'a>(&'a WhatChanged);

impl std::fmt::Debug for Shown<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} {:?} settings: {}", self.0.classes, self.0.files, self.0.settings)
    }
}

fn traces(recordings: &Path, project: &Path) -> BTreeMap<String, Trace> {
    let mut traces = BTreeMap::new();
    let recorded = read_recordings(recordings, project, |trace| {
        traces.insert(trace.unit.clone(), trace);
    });
    let recorded = recorded.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(recorded.jvms, 1);
    traces
}

/// Where the files of a case stand.
struct Place<'a> {
    project: &'a Path,
    /// The working folder, and those of the class path, which have copies.
    folders: &'a [PathBuf],
}

impl Place<'_> {
    /// A file of a case wherever it stands, as a trace names it.
    fn of<'p>(&'p self, path: &'p str) -> impl Iterator<Item = PathBuf> + 'p {
        let all = self.folders.iter().map(move |folder| folder.join(path));
        all.map(|whole| whole.strip_prefix(self.project).map(Path::to_owned).unwrap_or(whole))
    }
}

/// Why the trace does not hold in the second revision.
fn reasons(
    trace: &Trace,
    different: &WhatChanged,
    after: &BTreeMap<String, FoundClass>,
    place: &Place<'_>,
) -> Vec<String> {
    let mut reasons: Vec<String> = trace.distrust.clone();
    for (name, change) in &different.classes {
        let internal = name.replace('.', "/");
        let uses = trace.classes.iter().filter(|used| *used.name == *internal);
        let is_stale = match change {
            Change::Added => trace.absent_classes.contains(&internal),
            _ => uses.clone().any(|used| {
                after.get(name).is_none_or(|class| probity_shape::ContentId::of(&class.bytes) != used.content)
                    || *change == Change::Moved
            }),
        };
        if is_stale {
            reasons.push(format!("class {name}"));
        }
    }
    let classes = different.classes.keys().map(|name| format!("{}.class", name.replace('.', "/")));
    let files = different.files.keys().chain(different.sources.keys()).cloned();
    for path in files.chain(classes) {
        let names = |used: &str| place.of(&path).any(|whole| whole.starts_with(used));
        reasons.extend(trace.files.iter().filter(|used| names(&used.path)).map(|used| used.path.clone()));
        let is_resource = |name: &str| path.ends_with(name.trim_end_matches('*'));
        reasons.extend(
            trace.resources.iter().filter(|used| is_resource(&used.name)).map(|used| used.name.clone()),
        );
    }
    if different.settings {
        let settings = trace.properties.iter().chain(&trace.variables);
        reasons.extend(settings.map(|used| format!("{:?}", used.name)));
        if !trace.environment.flags.is_empty() {
            reasons.push("flags of the JVM".to_owned());
        }
    }
    if trace.starts_processes {
        reasons.push("it starts processes".to_owned());
    }
    reasons
}
