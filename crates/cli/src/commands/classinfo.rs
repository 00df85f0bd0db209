//! `probity classinfo`: how much there is to cover in classes, in the layout of JaCoCo's command.

use std::io::Write;

use clap::Args;
use probity_coverage::{ClassCoverage, Counters};
use probity_execdata::store::Store;
use serde::Serialize;

use crate::commands::{Verdict, sources};
use crate::error::CliError;
use crate::terminal::Messages;

/// The arguments of `probity classinfo`.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true)]
pub(crate) struct ClassinfoArguments {
    /// Class files, folders, archives, or jrt:JDK_HOME for the classes of a JDK.
    #[arg(value_name = "CLASSES", required = true)]
    places: Vec<String>,

    /// Show methods and lines too.
    #[arg(long)]
    verbose: bool,

    /// Print one JSON object.
    #[arg(long, conflicts_with = "quiet")]
    json: bool,

    /// Print nothing on standard output.
    #[arg(long)]
    quiet: bool,
}

/// Runs the command.
pub(crate) fn run(
    arguments: &ClassinfoArguments,
    messages: &Messages,
    data: &mut dyn Write,
) -> Result<Verdict, CliError> {
    let analysis = sources::analyzed(&arguments.places, &Store::default(), None, messages)?;
    let mut classes = analysis.classes.classes();
    if arguments.json {
        let classes = classes.map(|class| ClassRecord::new(class, arguments.verbose)).collect();
        serde_json::to_writer(&mut *data, &ClassinfoObject { classes }).map_err(std::io::Error::from)?;
        writeln!(data)?;
    } else if !arguments.quiet {
        writeln!(data, "  INST   BRAN   LINE   METH   CXTY   ELEMENT")?;
        classes.try_for_each(|class| print_class(class, arguments.verbose, data))?;
    }
    data.flush()?;
    let failed = analysis.problems.iter().any(probity_engine::analysis::Problem::is_failure);
    Ok(if failed { Verdict::Findings } else { Verdict::Clean })
}

fn print_class(class: &ClassCoverage, verbose: bool, data: &mut dyn Write) -> std::io::Result<()> {
    print_element(&class.counters, &format!("class 0x{:016x} {}", class.id, class.name), data)?;
    if !verbose {
        return Ok(());
    }
    for (position, method) in class.methods.iter().enumerate() {
        print_element(&method.counters, &format!("+- method {}{}", method.name, method.descriptor), data)?;
        let margin = if position + 1 < class.methods.len() { '|' } else { ' ' };
        for (number, line) in method.lines.iter().filter(|(_, line)| line.instructions.total() > 0) {
            let (instructions, branches) = (line.instructions.total(), line.branches.total());
            let rest = " ".repeat(24);
            writeln!(data, "{instructions:6} {branches:6}{rest}{margin}  +- line {number}")?;
        }
    }
    Ok(())
}

fn print_element(counters: &Counters, element: &str, data: &mut dyn Write) -> std::io::Result<()> {
    let Totals { instructions, branches, lines, methods, complexity } = Totals::of(counters);
    writeln!(data, "{instructions:6} {branches:6} {lines:6} {methods:6} {complexity:6}   {element}")
}

#[derive(Serialize)]
struct Totals {
    instructions: u32,
    branches: u32,
    lines: u32,
    methods: u32,
    complexity: u32,
}

impl Totals {
    fn of(counters: &Counters) -> Totals {
        Totals {
            instructions: counters.instructions.total(),
            branches: counters.branches.total(),
            lines: counters.lines.total(),
            methods: counters.methods.total(),
            complexity: counters.complexity.total(),
        }
    }
}

#[derive(Serialize)]
struct ClassinfoObject {
    classes: Vec<ClassRecord>,
}

#[derive(Serialize)]
struct ClassRecord {
    id: String,
    name: String,
    #[serde(flatten)]
    totals: Totals,
    #[serde(skip_serializing_if = "Option::is_none")]
    methods_list: Option<Vec<MethodRecord>>,
}

#[derive(Serialize)]
struct MethodRecord {
    name: String,
    descriptor: String,
    first_line: Option<u32>,
    last_line: Option<u32>,
    #[serde(flatten)]
    totals: Totals,
}

impl ClassRecord {
    fn new(class: &ClassCoverage, verbose: bool) -> ClassRecord {
        let methods = class.methods.iter().map(|method| MethodRecord {
            name: method.name.clone(),
            descriptor: method.descriptor.clone(),
            first_line: method.lines.first(),
            last_line: method.lines.last(),
            totals: Totals::of(&method.counters),
        });
        ClassRecord {
            id: format!("{:016x}", class.id),
            name: class.name.clone(),
            totals: Totals::of(&class.counters),
            methods_list: verbose.then(|| methods.collect()),
        }
    }
}
