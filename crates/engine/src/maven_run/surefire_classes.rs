//! Takes Surefire's own classes out of traces.
//!
//! They run around each test and in threads of their own, so that what is recorded of them differs from run to run. They are those of
//! a released version of the plugin, which stands in the trace; when it changes, everything runs.

use probity_trace::{FileState, Trace};

/// Where Surefire's jars are in a repository.
const JARS: &str = "/org/apache/maven/surefire/";

/// The packages of what is in them, as folders.
const PACKAGES: [&str; 2] = ["org/apache/maven/surefire/", "org/apache/maven/plugin/surefire/"];

/// Removes what belongs to Surefire: classes in its jars, and names that nobody else has.
pub(super) fn remove(trace: &mut Trace) {
    let is_own_name = |name: &str| PACKAGES.iter().any(|package| name.starts_with(package));
    trace.classes.retain(|class| !(class.place.contains(JARS) && class.place.ends_with(".jar")));
    // The project itself may have such classes, and then they are not absent.
    trace.absent_classes.retain(|name| !is_own_name(name));
    trace.files.retain(|file| {
        let is_looked_for = PACKAGES.iter().any(|package| file.path.contains(&format!("/{package}")));
        !(file.state == FileState::Absent && is_looked_for && file.path.ends_with(".class"))
    });
}

#[cfg(test)]
mod tests {
    use probity_shape::ContentId;
    use probity_trace::{ClassUse, FileUse, Hits};

    use super::*;

    #[test]
    fn only_what_belongs_to_surefire_is_removed() {
        let class = |name: &str, place: &str| ClassUse {
            name: name.into(),
            content: ContentId::of(b""),
            place: place.into(),
            hits: Hits::default(),
            inherited: Hits::default(),
            reasons: Vec::new(),
        };
        let file = |path: &str| FileUse { path: path.to_owned(), state: FileState::Absent };
        let mut trace = Trace {
            classes: vec![
                class(
                    "org/apache/maven/surefire/A",
                    "/m/org/apache/maven/surefire/surefire-api/3.5.6/surefire-api-3.5.6.jar",
                ),
                class("org/apache/maven/surefire/B", "target/classes"),
            ],
            absent_classes: vec!["org/apache/maven/surefire/C".to_owned(), "shop/D".to_owned()],
            files: vec![
                file("target/classes/org/apache/maven/surefire/A.class"),
                file("target/classes/shop/D.class"),
            ],
            ..Trace::default()
        };
        remove(&mut trace);
        assert_eq!(trace.classes.len(), 1);
        assert_eq!(trace.absent_classes, ["shop/D"]);
        assert_eq!(trace.files, [file("target/classes/shop/D.class")]);
    }
}
