//! `probity trace show`: what a unit used, and why.

use std::io::{self, Write};

use clap::Args;
use probity_engine::trace_description::{Dependency, TraceDescription, describe};
use probity_engine::traces::find_unit;
use probity_report::JavaDate;
use serde::Serialize;

use crate::commands::store_input::{StoreArguments, warn_about};
use crate::error::CliError;
use crate::output::{counted, write_json};
use crate::terminal::Messages;

/// The arguments of `probity trace show`.
#[derive(Debug, Args)]
pub(crate) struct ShowArguments {
    /// The test class; without its package if only one is called so.
    #[arg(value_name = "UNIT")]
    unit: String,

    /// Which of its traces: the start of an id that is listed as an older one. Otherwise the newest.
    #[arg(long, value_name = "ID")]
    id: Option<String>,

    #[command(flatten)]
    store: StoreArguments,
}

pub(super) fn run(
    arguments: &ShowArguments,
    messages: &Messages,
    data: &mut dyn Write,
) -> Result<(), CliError> {
    let store = arguments.store.store();
    let traces = store.load();
    warn_about(traces.problems(), messages);
    let unit = find_unit(&traces, &arguments.unit).map_err(|unknown| CliError::NotFound {
        what: format!("{}: {unknown}", store.folder().display()),
        hint: unknown.hint(),
    })?;
    let start = arguments.id.as_deref().unwrap_or_default();
    let wanted = traces.of_unit(unit).find(|trace| trace.id().to_string().starts_with(start));
    let trace = wanted.ok_or_else(|| CliError::NotFound {
        what: format!("{}: {unit} has no trace with the id {start}", store.folder().display()),
        hint: "leave --id out to see the newest, and the ids of the others".to_owned(),
    })?;
    let shapes = store.shapes();
    warn_about(shapes.problems(), messages);
    let others = traces.of_unit(unit).map(|other| other.id()).filter(|id| *id != trace.id());
    let others: Vec<String> = others.map(|id| id.to_string()).collect();
    let description = describe(trace, &shapes);
    if arguments.store.json {
        return write_json(data, &TraceObject::new(&description, &others));
    }
    Ok(write_text(&description, &others, data)?)
}

#[derive(Serialize)]
struct TraceObject<'d> {
    unit: &'d str,
    id: &'d str,
    framework: &'d str,
    began: u64,
    micros: u64,
    outcome: &'d str,
    tests: Vec<TestObject<'d>>,
    environment: EnvironmentObject<'d>,
    classes: Vec<ClassObject<'d>>,
    absent: &'d [String],
    files: Vec<DependencyObject<'d>>,
    resources: Vec<DependencyObject<'d>>,
    properties: Vec<DependencyObject<'d>>,
    variables: Vec<DependencyObject<'d>>,
    notes: &'d [String],
    overlaps: &'d [String],
    distrust: &'d [String],
    others: &'d [String],
}

#[derive(Serialize)]
struct TestObject<'d> {
    id: &'d str,
    outcome: &'d str,
    micros: u64,
}

#[derive(Serialize)]
struct EnvironmentObject<'d> {
    agent: &'d str,
    jdk: &'d str,
    flags: &'d [String],
    class_path: &'d [String],
}

#[derive(Serialize)]
struct ClassObject<'d> {
    name: &'d str,
    content: &'d str,
    place: &'d str,
    methods: Option<&'d [String]>,
    why: &'d [String],
}

#[derive(Serialize)]
struct DependencyObject<'d> {
    name: Option<&'d str>,
    state: &'d str,
    hash: Option<&'d str>,
}

fn dependencies(list: &[Dependency]) -> Vec<DependencyObject<'_>> {
    list.iter()
        .map(|one| DependencyObject {
            name: one.name.as_deref(),
            state: one.state,
            hash: one.hash.as_deref(),
        })
        .collect()
}

impl<'d> TraceObject<'d> {
    fn new(trace: &'d TraceDescription, others: &'d [String]) -> Self {
        let environment = &trace.environment;
        let tests = trace.tests.iter();
        let classes = trace.classes.iter();
        TraceObject {
            unit: &trace.unit,
            id: &trace.id,
            framework: &trace.framework,
            began: trace.began,
            micros: trace.micros,
            outcome: trace.outcome,
            tests: tests
                .map(|test| TestObject { id: &test.id, outcome: test.outcome, micros: test.micros })
                .collect(),
            environment: EnvironmentObject {
                agent: &environment.agent,
                jdk: &environment.jdk,
                flags: &environment.flags,
                class_path: &environment.class_path,
            },
            classes: classes
                .map(|class| ClassObject {
                    name: &class.name,
                    content: &class.content,
                    place: &class.place,
                    methods: class.methods.as_deref(),
                    why: &class.why,
                })
                .collect(),
            absent: &trace.absent,
            files: dependencies(&trace.files),
            resources: dependencies(&trace.resources),
            properties: dependencies(&trace.properties),
            variables: dependencies(&trace.variables),
            notes: &trace.notes,
            overlaps: &trace.overlaps,
            distrust: &trace.distrust,
            others,
        }
    }
}

fn write_text(trace: &TraceDescription, others: &[String], data: &mut dyn Write) -> io::Result<()> {
    let (date, millis) = (JavaDate(trace.began.cast_signed()), trace.micros as f64 / 1000.0);
    writeln!(data, "{}: {} in {millis:.3} ms, {date}, {}", trace.unit, trace.outcome, trace.framework)?;
    for why in &trace.distrust {
        writeln!(data, "  not to be trusted: {why}")?;
    }
    trace.notes.iter().try_for_each(|note| writeln!(data, "  {note}"))?;
    write_list(&trace.overlaps, "units at the same time", data)?;
    writeln!(data, "{}", counted(trace.tests.len(), "test", "tests"))?;
    for test in &trace.tests {
        writeln!(data, "  {}: {} in {:.3} ms", test.id, test.outcome, test.micros as f64 / 1000.0)?;
    }
    writeln!(data, "{}", counted(trace.classes.len(), "class", "classes"))?;
    for class in &trace.classes {
        writeln!(data, "  {} ({}): {}", class.name, class.place, class.why.join("; "))?;
        match &class.methods {
            Some(methods) => methods.iter().try_for_each(|method| writeln!(data, "    {method}"))?,
            None => writeln!(data, "    methods are not known: its shape is not stored")?,
        }
    }
    write_list(&trace.absent, "absent classes", data)?;
    write_dependencies(&trace.files, "files", data)?;
    write_dependencies(&trace.resources, "resources", data)?;
    write_dependencies(&trace.properties, "system properties", data)?;
    write_dependencies(&trace.variables, "environment variables", data)?;
    let environment = &trace.environment;
    writeln!(data, "environment")?;
    writeln!(data, "  JDK {}, agent {}", environment.jdk, environment.agent)?;
    environment.flags.iter().try_for_each(|flag| writeln!(data, "  {flag}"))?;
    environment.class_path.iter().try_for_each(|place| writeln!(data, "  {place}"))?;
    write_list(others, "other traces of the unit, the newest first", data)
}

fn write_list(list: &[String], heading: &str, data: &mut dyn Write) -> io::Result<()> {
    if list.is_empty() {
        return Ok(());
    }
    writeln!(data, "{heading}")?;
    list.iter().try_for_each(|line| writeln!(data, "  {line}"))
}

fn write_dependencies(list: &[Dependency], heading: &str, data: &mut dyn Write) -> io::Result<()> {
    let line = |one: &Dependency| format!("{}: {}", one.name.as_deref().unwrap_or("all of them"), one.state);
    write_list(&list.iter().map(line).collect::<Vec<_>>(), heading, data)
}
