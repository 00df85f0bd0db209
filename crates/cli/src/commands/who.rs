//! `probity who`: the units that cover a line or a method.

use std::collections::BTreeSet;
use std::io::Write;

use clap::Args;
use clap::error::ErrorKind;
use probity_classpath::Source;
use probity_engine::who::{LineName, MethodName, Who, who_covers, who_entered};
use serde::Serialize;

use crate::commands::Verdict;
use crate::commands::store_input::{StoreArguments, warn_about};
use crate::error::CliError;
use crate::output::{counted, write_json};
use crate::terminal::Messages;

/// The arguments of `probity who`.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true)]
pub(crate) struct WhoArguments {
    /// A line of a source file, such as src/shop/Cart.java:42, or a method, such as shop.Cart#pay or shop.Cart#pay(I)V.
    #[arg(value_name = "FILE:LINE|CLASS#METHOD")]
    place: String,

    /// For a line: class files, folders and archives as they are now.
    #[arg(long, value_name = "CLASSES", num_args = 1..)]
    classes: Vec<String>,

    #[command(flatten)]
    store: StoreArguments,
}

#[derive(Serialize)]
struct WhoObject<'w> {
    place: &'w str,
    units: &'w BTreeSet<String>,
    unknown: &'w BTreeSet<String>,
}

/// Runs the command.
pub(crate) fn run(
    arguments: &WhoArguments,
    messages: &Messages,
    data: &mut dyn Write,
) -> Result<Verdict, CliError> {
    let place = &arguments.place;
    let who = if let Some(method) = MethodName::parse(place) {
        of_method(arguments, &method, messages)?
    } else if let Some(line) = LineName::parse(place) {
        of_line(arguments, &line, messages)?
    } else {
        return Err(usage(format!("'{place}' is neither FILE:LINE nor CLASS#METHOD\n")));
    };
    if !who.unknown.is_empty() {
        let units = counted(who.unknown.len(), "unit", "units");
        messages.warning(&format_args!(
            "{units} used another version of the class, or one whose shape is not stored; whether they cover {place} is not known"
        ));
    }
    if arguments.store.json {
        write_json(data, &WhoObject { place, units: &who.units, unknown: &who.unknown })?;
    } else {
        who.units.iter().try_for_each(|unit| writeln!(data, "{unit}"))?;
    }
    data.flush()?;
    Ok(if who.unknown.is_empty() { Verdict::Clean } else { Verdict::Findings })
}

fn usage(problem: String) -> CliError {
    CliError::Usage(clap::Error::raw(ErrorKind::ValueValidation, problem))
}

fn of_method(arguments: &WhoArguments, method: &MethodName, messages: &Messages) -> Result<Who, CliError> {
    let store = arguments.store.store();
    let (traces, shapes) = (store.load(), store.shapes());
    warn_about(traces.problems(), messages);
    warn_about(shapes.problems(), messages);
    let who = who_entered(&traces, &shapes, method);
    if who.is_known || !who.unknown.is_empty() {
        return Ok(who);
    }
    Err(CliError::NotFound {
        what: format!(
            "{}: no unit used a class with the method {}",
            store.folder().display(),
            arguments.place
        ),
        hint: "give the whole name of the class, and the name of the method as in the class file".to_owned(),
    })
}

fn of_line(arguments: &WhoArguments, line: &LineName, messages: &Messages) -> Result<Who, CliError> {
    if arguments.classes.is_empty() {
        return Err(usage("lines are found in classes: give them with --classes\n".to_owned()));
    }
    let (mut sources, mut unusable) = (Vec::new(), Vec::new());
    for place in &arguments.classes {
        match Source::open(place) {
            Ok(source) => sources.push(source),
            Err(error) => unusable.push(error),
        }
    }
    if !unusable.is_empty() {
        return Err(CliError::Inputs(unusable));
    }
    let traces = arguments.store.store().load();
    warn_about(traces.problems(), messages);
    let (who, errors) = who_covers(&traces, &sources, line);
    errors.iter().for_each(|error| messages.warning(error));
    if who.is_known {
        return Ok(who);
    }
    Err(CliError::NotFound {
        what: format!("{}: no class that was given has code there", arguments.place),
        hint: "give the classes of this source file, with lines, and a line with code".to_owned(),
    })
}
