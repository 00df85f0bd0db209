//! Leaves out the units whose traces still hold.
//!
//! A trace counts for an execution only if it was recorded in one with the same configuration: which tests of a class run, with what
//! arguments and in which JVM is not told by classes. Everything else is decided by [`select`].

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use probity_buildtool::maven::description::TestExecution;
use probity_execdata::store::Store as ExecData;
use probity_shape::ContentId;
use probity_store::Store;
use probity_trace::{OUTSIDE, Trace};

use super::{FreshUnit, Selection, ingest};
use crate::selection::{ClassPathNow, Level, SelectionRequest, State, select};

/// Leaves out what the traces of a store show to be fresh.
#[derive(Debug)]
pub struct StoredSelection<'a> {
    /// Where traces are kept.
    pub store: &'a Store,
    /// The root of the build.
    pub root: &'a Path,
    /// How closely changes are looked at.
    pub level: Level,
}

impl StoredSelection<'_> {
    fn selected(
        &self,
        execution: &TestExecution,
        is_asked: &dyn Fn(&str) -> bool,
    ) -> crate::selection::Selection {
        let mark = ingest::mark(execution, self.root);
        let counts = |trace: &Trace| {
            let is_same = trace.environment.flags.last() == Some(&mark);
            is_same
                && (trace.unit == OUTSIDE
                    || is_asked(&trace.unit) && ingest::properties_hold(trace, execution))
        };
        let mut variables: BTreeMap<OsString, OsString> = std::env::vars_os().collect();
        variables.extend(execution.variables.iter().map(|(name, value)| (name.into(), value.into())));
        select(&SelectionRequest {
            store: self.store,
            project: self.root,
            class_path: ClassPathNow::Tests(&execution.class_path),
            environment: None,
            variables: &variables,
            level: self.level,
            counts: Some(&counts),
        })
    }
}

impl Selection for StoredSelection<'_> {
    fn leave_out(&self, execution: &TestExecution) -> Vec<FreshUnit> {
        if execution.class_path.is_empty() {
            return Vec::new();
        }
        let fresh =
            self.selected(execution, &|_| true).units.into_iter().filter(|unit| unit.state == State::Fresh);
        fresh.filter_map(|unit| unit.trace).map(FreshUnit::of).collect()
    }

    fn covered(&self, execution: &TestExecution) -> ExecData {
        self.selected(execution, &|unit| execution.left_out.iter().any(|left_out| left_out == unit)).covered
    }
}

/// What a JDK says of itself; something that is never the same if nobody knows.
pub(super) fn jdk(execution: &TestExecution) -> String {
    let home = execution.java.as_deref().and_then(Path::parent).and_then(Path::parent);
    let release = home.and_then(|home| std::fs::read_to_string(home.join("release")).ok());
    release.unwrap_or_else(|| {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        format!("unknown {} {}", std::process::id(), now.as_nanos())
    })
}

/// The class path, if there is a module on it: then what runs the tests makes a module path of some of it, and which entries stand where is
/// not known before the run.
pub(super) fn modules(execution: &TestExecution, root: &Path) -> String {
    if !execution.class_path.iter().any(|entry| entry.join("module-info.class").is_file()) {
        return String::new();
    }
    let relative = |entry: &PathBuf| entry.strip_prefix(root).unwrap_or(entry).display().to_string();
    execution.class_path.iter().map(relative).collect::<Vec<_>>().join("\n")
}

/// The variables at which a JVM looks without anybody asking.
const JVM_VARIABLES: [&str; 7] =
    ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "_JAVA_OPTIONS"];

/// What the JVM of an execution takes from its environment.
pub(super) fn jvm_variables(execution: &TestExecution) -> String {
    let value = |name: &str| {
        let own = execution.variables.get(name).map(OsString::from);
        own.or_else(|| std::env::var_os(name)).unwrap_or_default()
    };
    JVM_VARIABLES.map(|name| format!("{name}={}\n", value(name).to_string_lossy())).concat()
}

/// A hash of all properties that Surefire sets, as one.
pub(super) fn all_properties(set: &BTreeMap<String, String>) -> ContentId {
    let mut text = String::new();
    for (name, value) in set {
        text.push_str(&format!("{}:{name}={}:{value}\n", name.len(), value.len()));
    }
    ContentId::of(text.as_bytes())
}
