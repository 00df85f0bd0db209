//! In how many JVMs a suite runs.

use std::fmt;

/// How test classes are put into JVMs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// All in one.
    OneJvm,
    /// Several JVMs at the same time, each with a part of the classes.
    Forks,
    /// A JVM for each class, for some of the classes.
    JvmPerClass,
}

/// How many JVMs run at the same time.
pub(crate) const FORKS: usize = 3;

/// How many test classes have a JVM of their own: as many as one has the time for.
const CLASSES_ALONE: usize = 8;

impl Layout {
    pub(crate) const ALL: [Layout; 3] = [Layout::OneJvm, Layout::Forks, Layout::JvmPerClass];

    /// The test classes of each JVM.
    pub(crate) fn parts(self, classes: &[String]) -> Vec<Vec<String>> {
        let every =
            |count: usize| move |first: usize| classes.iter().skip(first).step_by(count).cloned().collect();
        match self {
            Layout::OneJvm => vec![classes.to_vec()],
            Layout::Forks => (0..FORKS).map(every(FORKS)).collect(),
            Layout::JvmPerClass => {
                let step = classes.len().div_ceil(CLASSES_ALONE).max(1);
                classes.iter().step_by(step).map(|class| vec![class.clone()]).collect()
            }
        }
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Layout::OneJvm => "one JVM",
            Layout::Forks => "forks",
            Layout::JvmPerClass => "a JVM per class",
        })
    }
}
