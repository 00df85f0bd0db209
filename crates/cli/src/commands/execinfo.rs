//! `probity execinfo`: shows what is in exec files.
//!
//! The text is JaCoCo's, file by file and block by block, apart from the time zone; the JSON is everything added up. A
//! file that cannot be read never keeps the others from being shown as text, but an incomplete sum is not shown at all.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use probity_execdata::file::{self, ExecFileError};
use probity_execdata::format::{Block, Blocks};
use probity_execdata::store::Store;
use probity_execdata::utf;
use serde::Serialize;

use crate::commands::Verdict;
use crate::error::CliError;
use crate::output::write_json;

use probity_report::JavaDate;

/// The arguments of `probity execinfo`.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true)]
pub(crate) struct ExecinfoArguments {
    /// Exec files that this program's agent or JaCoCo's has recorded.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Print one JSON object with the content of all files added up.
    #[arg(long)]
    json: bool,

    /// Print nothing, and only see whether the files can be read.
    #[arg(long, conflicts_with = "json")]
    quiet: bool,
}

/// Runs the command.
pub(crate) fn run(arguments: &ExecinfoArguments, data: &mut dyn Write) -> Result<Verdict, CliError> {
    let unusable = if arguments.json {
        show_sum(&arguments.files, data)?
    } else if arguments.quiet {
        show_each(&arguments.files, &mut std::io::sink())?
    } else {
        show_each(&arguments.files, data)?
    };
    data.flush()?;
    if unusable.is_empty() { Ok(Verdict::Clean) } else { Err(CliError::ExecFiles(unusable)) }
}

fn show_each(files: &[PathBuf], data: &mut dyn Write) -> Result<Vec<ExecFileError>, CliError> {
    let mut unusable = Vec::new();
    for path in files {
        let shown = match file::read(path) {
            Ok(content) => show(path, &content, data)?,
            Err(error) => Err(error),
        };
        unusable.extend(shown.err());
    }
    Ok(unusable)
}

/// Shows the blocks of a file up to its end or the first that cannot be read.
fn show(path: &Path, content: &[u8], data: &mut dyn Write) -> Result<Result<(), ExecFileError>, CliError> {
    writeln!(data, "[INFO] Loading exec file {}.", path.display())?;
    writeln!(data, "CLASS ID         HITS/PROBES   CLASS NAME")?;
    let mut outcome = Ok(());
    for block in Blocks::new(content) {
        match block {
            Ok(block) => show_block(&block, data)?,
            Err(error) => outcome = Err(ExecFileError::content(path, error)),
        }
    }
    writeln!(data)?;
    Ok(outcome)
}

fn show_block(block: &Block<'_>, data: &mut dyn Write) -> Result<(), CliError> {
    match block {
        Block::Session(session) => {
            let id = utf::to_visible(session.id);
            let (start, dump) = (JavaDate(session.start_millis), JavaDate(session.dump_millis));
            writeln!(data, "Session \"{id}\": {start} - {dump}")?;
        }
        Block::Class(class) => {
            let name = utf::to_visible(class.name);
            let (hit, probes) = (class.probes.hit_count(), class.probes.len());
            writeln!(data, "{:016x}  {hit:3} of {probes:3}   {name}", class.id)?;
        }
    }
    Ok(())
}

#[derive(Serialize)]
struct Sum {
    sessions: Vec<SessionRecord>,
    classes: Vec<ClassRecord>,
}

#[derive(Serialize)]
struct SessionRecord {
    id: String,
    start: i64,
    dump: i64,
}

#[derive(Serialize)]
struct ClassRecord {
    id: String,
    name: String,
    probes: usize,
    hit: usize,
    bits: String,
}

fn show_sum(files: &[PathBuf], data: &mut dyn Write) -> Result<Vec<ExecFileError>, CliError> {
    let mut store = Store::default();
    let unusable: Vec<_> = files.iter().filter_map(|path| store.load_file(path).err()).collect();
    if unusable.is_empty() {
        write_json(data, &Sum::of(&store))?;
    }
    Ok(unusable)
}

impl Sum {
    fn of(store: &Store) -> Sum {
        let sessions = store.sessions().into_iter().map(|session| SessionRecord {
            id: utf::to_text(&session.id),
            start: session.start_millis,
            dump: session.dump_millis,
        });
        let classes = store.classes().map(|class| ClassRecord {
            id: format!("{:016x}", class.id),
            name: utf::to_text(&class.name),
            probes: class.probes.len(),
            hit: class.probes.hit_count(),
            bits: class.probes.iter().map(|hit| if hit { '1' } else { '0' }).collect(),
        });
        Sum { sessions: sessions.collect(), classes: classes.collect() }
    }
}
