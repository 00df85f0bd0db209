//! `probity store`: how much a store holds, whether it is whole, and how to make it smaller, copy it and merge it.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use probity_engine::recording::remove_left_behind;
use probity_engine::store::{Problem, Pruned, Retention, Store};
use probity_report::JavaDate;
use serde::Serialize;

use crate::args::exit_codes;
use crate::commands::Verdict;
use crate::commands::store_input::{StoreArguments, warn_about};
use crate::error::CliError;
use crate::files::write_whole;
use crate::output::{counted, write_json};
use crate::terminal::Messages;

/// The commands for stores.
#[derive(Debug, Subcommand)]
pub(crate) enum StoreCommand {
    /// Show how much is in a store.
    #[command(after_help = exit_codes!("Files that cannot be used count as absent; a warning says so.",))]
    Info(StoreArguments),
    /// Look at every bit of a store.
    #[command(after_help = exit_codes!(findings: "some files are damaged or cannot be used"))]
    Verify(StoreArguments),
    /// Keep the newest traces of each unit and what they need, in few files.
    #[command(after_help = exit_codes!("Damaged files and what killed runs left behind are removed; files of newer versions stay.",))]
    Prune(PruneArguments),
    /// Write everything in a store into one file.
    #[command(after_help = exit_codes!(findings: "the file is written, but some files of the store cannot be used and are missing"))]
    Export(FileArguments),
    /// Add everything in an exported file to a store.
    #[command(after_help = exit_codes!())]
    Import(FileArguments),
}

/// The arguments of `probity store prune`.
#[derive(Debug, Args)]
pub(crate) struct PruneArguments {
    /// How many traces of each unit are kept.
    #[arg(long, value_name = "N", default_value_t = Retention::USUAL.traces_per_unit as u64, value_parser = clap::value_parser!(u64).range(1..))]
    keep: u64,

    #[command(flatten)]
    store: StoreArguments,
}

/// The arguments of `probity store export` and `import`.
#[derive(Debug, Args)]
pub(crate) struct FileArguments {
    /// The exported file.
    #[arg(value_name = "FILE")]
    file: PathBuf,

    #[command(flatten)]
    store: StoreArguments,
}

/// Runs a command for stores.
pub(crate) fn run(
    command: &StoreCommand,
    messages: &Messages,
    data: &mut dyn Write,
) -> Result<Verdict, CliError> {
    let verdict = match command {
        StoreCommand::Info(arguments) => info(arguments, messages, data),
        StoreCommand::Verify(arguments) => verify(arguments, messages, data),
        StoreCommand::Prune(arguments) => prune(arguments, messages, data),
        StoreCommand::Export(arguments) => export(arguments, messages, data),
        StoreCommand::Import(arguments) => import(arguments, data),
    }?;
    data.flush()?;
    Ok(verdict)
}

#[derive(Serialize)]
struct InfoObject {
    store: String,
    units: usize,
    traces: usize,
    pairs: usize,
    shapes: usize,
    runs: usize,
    files: usize,
    bytes: u64,
    last_run: Option<RunObject>,
    problems: Vec<ProblemObject>,
}

#[derive(Serialize)]
struct RunObject {
    began: u64,
    command: String,
    exit: Option<i32>,
}

/// A file that cannot be used.
#[derive(Serialize)]
struct ProblemObject {
    file: String,
    offset: u64,
    error: String,
}

impl ProblemObject {
    fn all(problems: &[Problem]) -> Vec<ProblemObject> {
        let one = |problem: &Problem| ProblemObject {
            file: shown(&problem.file),
            offset: problem.damage.offset,
            error: problem.damage.to_string(),
        };
        problems.iter().map(one).collect()
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

fn info(arguments: &StoreArguments, messages: &Messages, data: &mut dyn Write) -> Result<Verdict, CliError> {
    let store = arguments.store();
    let contents = store.contents();
    warn_about(&contents.problems, messages);
    let ((trace_files, trace_bytes), (shape_files, shape_bytes)) =
        (contents.trace_files, contents.shape_files);
    let last = contents.runs.last();
    if arguments.json {
        let object = InfoObject {
            store: shown(store.folder()),
            units: contents.units,
            traces: contents.traces,
            pairs: contents.pairs,
            shapes: contents.shapes,
            runs: contents.runs.len(),
            files: trace_files + shape_files,
            bytes: trace_bytes + shape_bytes,
            last_run: last.map(|run| RunObject {
                began: run.began,
                command: run.command.clone(),
                exit: run.exit,
            }),
            problems: ProblemObject::all(&contents.problems),
        };
        write_json(data, &object)?;
        return Ok(Verdict::Clean);
    }
    writeln!(data, "store     {}", store.folder().display())?;
    writeln!(data, "units     {}", contents.units)?;
    let uses = counted(contents.pairs, "use of a class", "uses of classes");
    writeln!(data, "traces    {} with {uses}, in {}", contents.traces, files(trace_files, trace_bytes))?;
    writeln!(data, "shapes    {}, in {}", contents.shapes, files(shape_files, shape_bytes))?;
    writeln!(data, "runs      {}", contents.runs.len())?;
    if let Some(run) = last {
        let exit = run.exit.map_or_else(|| "no exit code".to_owned(), |exit| format!("exit code {exit}"));
        writeln!(data, "last run  {}, {exit}: {}", JavaDate(run.began.cast_signed()), run.command)?;
    }
    Ok(Verdict::Clean)
}

fn files(count: usize, bytes: u64) -> String {
    format!("{} of {bytes} bytes", counted(count, "file", "files"))
}

#[derive(Serialize)]
struct VerifiedObject {
    files: usize,
    traces: usize,
    shapes: usize,
    problems: Vec<ProblemObject>,
}

fn verify(
    arguments: &StoreArguments,
    messages: &Messages,
    data: &mut dyn Write,
) -> Result<Verdict, CliError> {
    let verified = arguments.store().verify();
    for problem in &verified.problems {
        messages.error(problem, Some(problem.hint()));
    }
    if arguments.json {
        let object = VerifiedObject {
            files: verified.files,
            traces: verified.traces,
            shapes: verified.shapes,
            problems: ProblemObject::all(&verified.problems),
        };
        write_json(data, &object)?;
    } else {
        let whole = counted(verified.files - verified.problems.len().min(verified.files), "file", "files");
        let (traces, shapes) =
            (counted(verified.traces, "trace", "traces"), counted(verified.shapes, "shape", "shapes"));
        writeln!(data, "{whole} whole: {traces}, {shapes}")?;
    }
    Ok(if verified.problems.is_empty() { Verdict::Clean } else { Verdict::Findings })
}

/// What there was and what there is.
#[derive(Serialize)]
struct PrunedObject {
    traces: [usize; 2],
    shapes: [usize; 2],
    runs: [usize; 2],
    files: [usize; 2],
    bytes: [u64; 2],
    problems: Vec<ProblemObject>,
}

fn prune(arguments: &PruneArguments, messages: &Messages, data: &mut dyn Write) -> Result<Verdict, CliError> {
    let keep = usize::try_from(arguments.keep).unwrap_or(usize::MAX);
    let store = arguments.store.store();
    let Pruned { traces, shapes, runs, files, bytes, problems } = if store.folder().is_dir() {
        remove_left_behind(store.folder());
        store.prune(&Retention { traces_per_unit: keep, ..Retention::USUAL })?
    } else {
        Pruned::default()
    };
    warn_about(&problems, messages);
    if arguments.store.json {
        let problems = ProblemObject::all(&problems);
        write_json(data, &PrunedObject { traces, shapes, runs, files, bytes, problems })?;
        return Ok(Verdict::Clean);
    }
    for (what, [before, now]) in [("traces", traces), ("shapes", shapes), ("runs", runs), ("files", files)] {
        writeln!(data, "{what:6}  {before} -> {now}")?;
    }
    writeln!(data, "bytes   {} -> {}", bytes[0], bytes[1])?;
    Ok(Verdict::Clean)
}

#[derive(Serialize)]
struct ExportedObject {
    file: String,
    bytes: usize,
    problems: Vec<ProblemObject>,
}

fn export(arguments: &FileArguments, messages: &Messages, data: &mut dyn Write) -> Result<Verdict, CliError> {
    let (exported, problems) = arguments.store.store().export();
    write_whole(&arguments.file, &exported)?;
    warn_about(&problems, messages);
    if arguments.store.json {
        let (file, problems) = (shown(&arguments.file), ProblemObject::all(&problems));
        write_json(data, &ExportedObject { file, bytes: exported.len(), problems })?;
    } else {
        writeln!(data, "{}: {} bytes written", arguments.file.display(), exported.len())?;
    }
    Ok(if problems.is_empty() { Verdict::Clean } else { Verdict::Findings })
}

#[derive(Serialize)]
struct ImportedObject {
    files: usize,
    new_files: usize,
}

fn import(arguments: &FileArguments, data: &mut dyn Write) -> Result<Verdict, CliError> {
    let store: Store = arguments.store.store();
    let imported = store.import(&arguments.file)?;
    if arguments.store.json {
        write_json(data, &ImportedObject { files: imported.files, new_files: imported.new_files })?;
    } else {
        let files = counted(imported.files, "file", "files");
        writeln!(data, "{}: {files}, {} new", store.folder().display(), imported.new_files)?;
    }
    Ok(Verdict::Clean)
}
