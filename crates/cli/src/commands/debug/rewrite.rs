//! `probity debug rewrite`: changes classes in a way that must not change what they do.
//!
//! It is the way to try the rewriter on a real program: a JVM verifies and runs what comes out. Either all classes can
//! be rewritten or none is written, and no file is ever replaced unless that was asked for.

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use probity_classfile::ClassFile;
use probity_classfile::edit::EditError;
use probity_classfile::opcode::Opcode;
use probity_classfile::rewrite::rewrite_bodies;
use probity_classpath::{EntryKind, ReadBuffer, Source, SourceKind};

use crate::commands::Verdict;
use crate::commands::debug::entry_name::full_name;
use crate::error::CliError;
use crate::files;
use crate::terminal::Messages;

/// The arguments of `probity debug rewrite`.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true)]
pub(crate) struct RewriteArguments {
    /// Insert an instruction that does nothing in front of every instruction.
    #[arg(long, required = true)]
    nops: bool,

    /// Replace class files that are there already.
    #[arg(long)]
    force: bool,

    /// A class file, or a folder with class files.
    #[arg(value_name = "FILE|DIR")]
    input: OsString,

    /// The folder to write to; it is made if it does not exist.
    #[arg(value_name = "OUTPUT_DIR")]
    output: PathBuf,
}

/// A class as it is to be written.
struct Rewritten {
    path: PathBuf,
    bytes: Vec<u8>,
}

/// Runs the command.
pub(crate) fn run(
    arguments: &RewriteArguments,
    messages: &Messages,
    data: &mut dyn Write,
) -> Result<Verdict, CliError> {
    let source = Source::open(&arguments.input).map_err(|error| CliError::Inputs(vec![error]))?;
    if !matches!(source.kind(), SourceKind::ClassFile | SourceKind::Folder) {
        return Err(CliError::NotRewritable(source.name().to_owned()));
    }
    let Some(classes) = rewrite_all(&source, arguments, messages) else { return Ok(Verdict::Findings) };
    if !arguments.force {
        classes.iter().try_for_each(|class| files::check_absent(&class.path))?;
    }
    for class in &classes {
        files::write_whole(&class.path, &class.bytes)?;
    }
    writeln!(data, "classes rewritten: {}", classes.len())?;
    data.flush()?;
    Ok(Verdict::Clean)
}

/// All classes of the source; nothing if one of them cannot be rewritten, after it was said which and why.
fn rewrite_all(source: &Source, arguments: &RewriteArguments, messages: &Messages) -> Option<Vec<Rewritten>> {
    let mut buffer = ReadBuffer::new();
    let (mut classes, mut failed) = (Vec::new(), false);
    for entry in source.entries().iter().filter(|entry| entry.kind() != EntryKind::NestedArchive) {
        let rewritten = match source.read(entry, &mut buffer) {
            Ok(class) => insert_nops(class.bytes).map_err(|error| {
                messages.error(&format_args!("{}: {error}", full_name(source, entry)), None);
            }),
            Err(error) => {
                messages.error(&error, error.hint());
                Err(())
            }
        };
        match rewritten {
            Ok(bytes) => classes.push(Rewritten { path: arguments.output.join(entry.name()), bytes }),
            Err(()) => failed = true,
        }
    }
    (!failed).then_some(classes)
}

fn insert_nops(bytes: &[u8]) -> Result<Vec<u8>, EditError> {
    let class = ClassFile::read(bytes)?;
    rewrite_bodies(&class, |_, code, patch| {
        // An instruction that cannot be decoded ends the list here, and is an error of the rewriter.
        for instruction in code.instructions().map_while(Result::ok) {
            patch.before(instruction.pc, &[Opcode::NOP.0]);
        }
    })
}
