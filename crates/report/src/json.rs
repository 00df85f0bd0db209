//! Coverage as JSON, for programs. The schema is in `docs/report-json.md`.

use crate::{Report, ReportNode, SessionInfo};
use probity_coverage::{
    BundleCoverage, ClassCoverage, Counter, Counters, PackageCoverage, SourceFileCoverage,
};
use serde_json::{Map, Value, json};

/// The version of the schema; it grows when something is changed or removed, not when something is added.
const SCHEMA_VERSION: u32 = 1;

/// The report as JSON.
#[must_use]
pub fn write_json(report: &Report) -> String {
    let mut object = node(&report.root);
    object.insert("schema".to_owned(), json!(SCHEMA_VERSION));
    object.insert("sessions".to_owned(), report.sessions.iter().map(session).collect());
    let mut text = Value::Object(object).to_string();
    text.push('\n');
    text
}

fn session(session: &SessionInfo) -> Value {
    json!({ "id": session.id, "start": session.start_millis, "dump": session.dump_millis })
}

fn node(node_: &ReportNode) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("name".to_owned(), json!(node_.name()));
    object.insert("counters".to_owned(), counters(&node_.counters()));
    match node_ {
        ReportNode::Bundle(BundleCoverage { packages, .. }) => {
            object.insert("packages".to_owned(), packages.iter().map(package).collect());
        }
        ReportNode::Group { children, .. } => {
            let groups = children.iter().map(|child| Value::Object(node(child)));
            object.insert("groups".to_owned(), groups.collect());
        }
    }
    object
}

fn package(package: &PackageCoverage) -> Value {
    json!({
        "name": package.name,
        "counters": counters(&package.counters),
        "classes": package.classes.iter().map(class).collect::<Value>(),
        "files": package.source_files.iter().map(file).collect::<Value>(),
    })
}

fn class(class: &ClassCoverage) -> Value {
    let methods = class.methods.iter().map(|method| {
        json!({
            "name": method.name,
            "descriptor": method.descriptor,
            "line": method.lines.first(),
            "counters": counters(&method.counters),
        })
    });
    json!({
        "name": class.name,
        "id": format!("{:016x}", class.id),
        "file": class.source_file,
        "counters": counters(&class.counters),
        "methods": methods.collect::<Value>(),
    })
}

/// A line is its number and four counts, so that large reports stay small.
fn file(file: &SourceFileCoverage) -> Value {
    let lines = file.lines.iter().filter(|(_, line)| line.instructions.total() > 0).map(|(number, line)| {
        let (instructions, branches) = (line.instructions, line.branches);
        json!([number, instructions.missed, instructions.covered, branches.missed, branches.covered])
    });
    json!({ "name": file.name, "counters": counters(&file.counters), "lines": lines.collect::<Value>() })
}

fn counters(counters: &Counters) -> Value {
    let counter = |counter: Counter| json!({ "missed": counter.missed, "covered": counter.covered });
    json!({
        "instructions": counter(counters.instructions),
        "branches": counter(counters.branches),
        "lines": counter(counters.lines),
        "complexity": counter(counters.complexity),
        "methods": counter(counters.methods),
        "classes": counter(counters.classes),
    })
}
