//! `probity matrix`: which unit covers what, as entities by units.

use std::io::Write;

use clap::{Args, ValueEnum};
use probity_engine::matrix::{Matrix, matrix};
use probity_engine::traces::with_dots;
use serde::Serialize;

use crate::commands::Verdict;
use crate::commands::store_input::{StoreArguments, warn_about};
use crate::error::CliError;
use crate::output::{counted, write_json};
use crate::terminal::Messages;

/// The arguments of `probity matrix`.
#[derive(Debug, Args)]
pub(crate) struct MatrixArguments {
    /// The form of the output.
    #[arg(long, value_enum, default_value_t = Format::Csv)]
    format: Format,

    /// Classes of libraries as well.
    #[arg(long)]
    libraries: bool,

    #[command(flatten)]
    store: StoreArguments,
}

/// The form of the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A line for each entity, a column for each unit.
    Csv,
    /// One JSON object.
    Json,
}

#[derive(Serialize)]
struct MatrixObject<'m> {
    units: &'m [String],
    entities: Vec<EntityObject<'m>>,
}

#[derive(Serialize)]
struct EntityObject<'m> {
    class: String,
    version: String,
    method: &'m str,
    probe: u32,
    units: &'m [usize],
}

/// Runs the command.
pub(crate) fn run(
    arguments: &MatrixArguments,
    messages: &Messages,
    data: &mut dyn Write,
) -> Result<Verdict, CliError> {
    let store = arguments.store.store();
    let (traces, shapes) = (store.load(), store.shapes());
    warn_about(traces.problems(), messages);
    warn_about(shapes.problems(), messages);
    let matrix = matrix(&traces, &shapes, arguments.libraries);
    if !matrix.unknown.is_empty() {
        let classes = counted(matrix.unknown.len(), "class has", "classes have");
        messages.warning(&format_args!("{classes} no stored shape and no entities"));
    }
    if arguments.format == Format::Json || arguments.store.json {
        write_json(data, &object(&matrix))?;
    } else {
        write_csv(&matrix, data)?;
    }
    data.flush()?;
    Ok(if matrix.unknown.is_empty() { Verdict::Clean } else { Verdict::Findings })
}

fn object(matrix: &Matrix) -> MatrixObject<'_> {
    let entities = matrix.entities.iter().map(|entity| EntityObject {
        class: with_dots(&entity.class),
        version: entity.content.to_string(),
        method: &entity.method,
        probe: entity.probe,
        units: &entity.units,
    });
    MatrixObject { units: &matrix.units, entities: entities.collect() }
}

/// No name of a class, a method or a unit has a quote in it; descriptors have no commas, but nothing is taken for granted.
fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

fn write_csv(matrix: &Matrix, data: &mut dyn Write) -> Result<(), CliError> {
    let names: Vec<String> = matrix.units.iter().map(|unit| field(unit)).collect();
    writeln!(data, "class,version,method,probe,{}", names.join(","))?;
    for entity in &matrix.entities {
        let bits: Vec<&str> = (0..matrix.units.len())
            .map(|unit| if entity.units.binary_search(&unit).is_ok() { "1" } else { "0" })
            .collect();
        let (class, method) = (field(&with_dots(&entity.class)), field(&entity.method));
        writeln!(data, "{class},{},{method},{},{}", entity.content, entity.probe, bits.join(","))?;
    }
    Ok(())
}
