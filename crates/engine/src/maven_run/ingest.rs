//! From what the JVMs of one execution left behind to traces.
//!
//! It is done while Maven still runs: Surefire's own files, such as the jar that names the class path, are there as long as Maven is.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use probity_buildtool::maven::description::TestExecution;
use probity_shape::{ContentId, Shape};
use probity_trace::{FileState, FileUse, Trace};

use super::stored::{self, all_properties};
use super::surefire_classes;
use crate::outside_rows::outside_traces;
use crate::recording::{Recorded, RecordingProblem, read_recordings, remove_recordings};

/// What came of some executions.
#[derive(Debug, Default)]
pub(super) struct Ingested {
    pub(super) jvms: usize,
    pub(super) traces: Vec<Trace>,
    /// What was covered outside all units, for each environment.
    pub(super) outside: Vec<Trace>,
    pub(super) shapes: BTreeMap<ContentId, Shape>,
    /// The bytes of the project's classes.
    pub(super) classes: BTreeMap<ContentId, Vec<u8>>,
    pub(super) problems: Vec<RecordingProblem>,
}

impl Ingested {
    pub(super) fn add(&mut self, other: Ingested) {
        self.jvms += other.jvms;
        self.traces.extend(other.traces);
        self.outside.extend(other.outside);
        self.shapes.extend(other.shapes);
        self.classes.extend(other.classes);
        self.problems.extend(other.problems);
    }
}

/// Reads the recordings of an execution and removes them, so that none is read twice.
pub(super) fn execution(folder: &Path, execution: &TestExecution, root: &Path, began: u64) -> Ingested {
    let mut traces = Vec::new();
    let read = read_recordings(folder, root, |trace| traces.push(trace));
    // A JVM that ran no test has nothing to tell.
    traces.retain(|trace| trace.framework != "none");
    let mark = mark(execution, root);
    let own = OwnFiles::of(execution, root);
    // A version that is still being worked on says nothing about its classes.
    let is_released = !execution.plugin_version.is_empty() && !execution.plugin_version.contains("SNAPSHOT");
    for trace in &mut traces {
        if is_released {
            surefire_classes::remove(trace);
        }
        trace.files.retain(|file| !own.has(file));
        trace.environment.flags.push(mark.clone());
        fill_in_properties(trace, &execution.properties);
    }
    remove_recordings(folder);
    // Without a folder nothing was recorded, which the number of JVMs says.
    let Recorded { jvms, shapes, classes, outside, mut environments, problems, .. } =
        read.unwrap_or_default();
    environments.iter_mut().for_each(|environment| environment.flags.push(mark.clone()));
    let outside = outside_traces(began, environments.into_iter().zip(outside));
    Ingested { jvms, traces, outside, shapes, classes, problems }
}

/// Where Surefire puts files of its own, relative to the root.
struct OwnFiles {
    /// What it makes for each run and then removes. The configuration says what is in there.
    temporary: Option<PathBuf>,
    /// Where results are written. Surefire looks whether the folder is there, and makes it.
    reports: Option<PathBuf>,
}

impl OwnFiles {
    fn of(execution: &TestExecution, root: &Path) -> Self {
        let root = fs::canonicalize(root).unwrap_or_else(|_| root.to_owned());
        let relative = |path: &Path| path.strip_prefix(&root).unwrap_or(path).to_owned();
        let parameter = |name: &str| execution.parameters.get(name)?.first();
        let build = parameter("projectBuildDirectory").map(Path::new);
        let temporary = build.zip(parameter("tempDir")).map(|(build, folder)| relative(&build.join(folder)));
        Self { temporary, reports: execution.reports.as_deref().map(relative) }
    }

    /// Whether a file says nothing about a test.
    fn has(&self, file: &FileUse) -> bool {
        let path = Path::new(&file.path);
        let is_only_looked_for = matches!(file.state, FileState::Absent | FileState::Exists { .. });
        self.temporary.as_deref().is_some_and(|folder| path.starts_with(folder))
            || is_only_looked_for && self.reports.as_deref() == Some(path)
    }
}

/// What stands last among the flags of a JVM, for everything that decides how the tests of an execution run and that classes do not tell: the
/// configuration, the arguments, the JDK, and what a JVM takes from its environment.
pub(super) fn mark(execution: &TestExecution, root: &Path) -> String {
    let parts = [
        execution.configuration(root),
        stored::jdk(execution),
        stored::jvm_variables(execution),
        stored::modules(execution, root),
    ];
    let hash = ContentId::of(parts.join("\n").as_bytes());
    format!("{} {} {hash}", execution.plugin, execution.plugin_version)
}

/// Surefire sets system properties after the JVM has started, so the recording does not have their values.
fn fill_in_properties(trace: &mut Trace, set: &BTreeMap<String, String>) {
    for used in &mut trace.properties {
        match &used.name {
            Some(name) => {
                used.value = set.get(name).map(|value| ContentId::of(value.as_bytes())).or(used.value);
            }
            None => used.value = Some(all_properties(set)),
        }
    }
}

/// Whether the properties that a unit read have their values in an execution with the same mark. What the arguments of the JVM set is told by the
/// mark, so only what Surefire sets, or did set, can be different.
pub(super) fn properties_hold(trace: &Trace, execution: &TestExecution) -> bool {
    let set = &execution.properties;
    trace.properties.iter().all(|used| match &used.name {
        None => used.value == Some(all_properties(set)),
        Some(name) => match set.get(name) {
            Some(value) => used.value == Some(ContentId::of(value.as_bytes())),
            None => used.value.is_none() || used.value == given(trace, name),
        },
    })
}

/// The value of a property that the arguments of the JVM set.
fn given(trace: &Trace, name: &str) -> Option<ContentId> {
    let values =
        trace.environment.flags.iter().filter_map(|flag| flag.strip_prefix("-D")?.strip_prefix(name));
    values.filter_map(|rest| rest.strip_prefix('=')).next_back().map(|value| ContentId::of(value.as_bytes()))
}

#[cfg(test)]
mod tests {
    use probity_trace::SettingUse;

    use super::*;

    #[test]
    fn files_of_surefire_say_nothing_about_a_test() {
        let text = "reports=/p/core/target/surefire-reports\nparameter projectBuildDirectory=/p/core/target\n\
             parameter tempDir=surefire\n";
        let own = OwnFiles::of(&TestExecution::parse(text), Path::new("/p"));
        let has = |path: &str, state| own.has(&FileUse { path: path.to_owned(), state });
        let content = FileState::File(ContentId::of(b""));
        assert!(has("core/target/surefire/surefire123tmp", FileState::Absent));
        assert!(has("core/target/surefire-reports", FileState::Absent));
        assert!(has("core/target/surefire-reports", FileState::Exists { is_folder: true }));
        assert!(!has("core/target/surefire-reports", FileState::Listing(ContentId::of(b""))));
        assert!(!has("core/target/surefire-reports/TEST-a.xml", content));
        assert!(!has("core/target/classes/a.txt", content));
        assert!(
            !OwnFiles::of(&TestExecution::default(), Path::new("/p"))
                .has(&FileUse { path: "a".to_owned(), state: FileState::Absent })
        );
    }

    #[test]
    fn what_surefire_sets_counts_where_it_is_read() {
        let execution = |lines: &str| TestExecution::parse(lines);
        let used = |name: Option<&str>| SettingUse { name: name.map(str::to_owned), value: None };
        let recorded = |properties: Vec<SettingUse>, lines: &str| {
            let mut trace = Trace { properties, ..Trace::default() };
            fill_in_properties(&mut trace, &execution(lines).properties);
            trace
        };
        let one = recorded(vec![used(Some("a")), used(Some("b"))], "property a=1\n");
        assert!(properties_hold(&one, &execution("property a=1\nproperty c=1\n")));
        for other in ["property a=2\n", "property a=1\nproperty b=1\n", ""] {
            assert!(!properties_hold(&one, &execution(other)), "{other}");
        }
        let all = recorded(vec![used(None)], "property a=1\n");
        assert!(properties_hold(&all, &execution("property a=1\n")));
        assert!(!properties_hold(&all, &execution("property a=1\nproperty c=1\n")));
        let mut given = recorded(Vec::new(), "");
        given.environment.flags = vec!["-Dab=0".to_owned(), "-Da=x".to_owned()];
        given.properties = vec![SettingUse { name: Some("a".to_owned()), value: Some(ContentId::of(b"x")) }];
        assert!(properties_hold(&given, &execution("")));
        assert!(!properties_hold(&given, &execution("property a=1\n")));
    }
}
