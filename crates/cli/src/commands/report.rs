//! `probity report`: coverage reports from exec files and classes.
//!
//! Reports are written beside their places and moved there: a failed run leaves the old ones whole.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;
use probity_engine::source_folders::SourceFolders;
use probity_execdata::store::Store;
use probity_report::{
    PackagePaths, Report, ReportNode, SessionInfo, write_cobertura, write_csv, write_json, write_lcov,
    write_markdown, write_sonar, write_xml,
};

use crate::commands::{Verdict, sources};
use crate::error::CliError;
use crate::files::write_whole;
use crate::terminal::Messages;

/// The arguments of `probity report`.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true)]
pub(crate) struct ReportArguments {
    /// Exec files that this program's agent or JaCoCo's has recorded. Without one, nothing counts as executed.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    exec: Vec<PathBuf>,

    /// Class files, folders, archives, or jrt:JDK_HOME for the classes of a JDK.
    #[arg(long, value_name = "CLASSES", num_args = 1.., required = true)]
    classes: Vec<String>,

    /// Folders with source files, by which some formats name files.
    #[arg(long, value_name = "FOLDER", num_args = 1..)]
    sources: Vec<PathBuf>,

    /// The name of the report.
    #[arg(long, default_value = "JaCoCo Coverage Report")]
    name: String,

    /// A report to write: xml=PATH and csv=PATH as JaCoCo writes them, lcov=PATH, cobertura=PATH, sonar=PATH (Sonar's
    /// generic coverage), json=PATH or markdown=PATH. Can be given several times.
    #[arg(long = "format", value_name = "FORMAT=PATH", num_args = 1.., required = true)]
    formats: Vec<FormatAndPath>,
}

/// A report to write.
#[derive(Debug, Clone)]
struct FormatAndPath {
    format: Format,
    path: PathBuf,
}

#[derive(Debug, Clone, Copy)]
enum Format {
    Xml,
    Csv,
    Lcov,
    Cobertura,
    Sonar,
    Json,
    Markdown,
}

/// The formats by name.
const FORMATS: [(&str, Format); 7] = [
    ("xml", Format::Xml),
    ("csv", Format::Csv),
    ("lcov", Format::Lcov),
    ("cobertura", Format::Cobertura),
    ("sonar", Format::Sonar),
    ("json", Format::Json),
    ("markdown", Format::Markdown),
];

impl FromStr for FormatAndPath {
    type Err = String;

    fn from_str(text: &str) -> Result<FormatAndPath, String> {
        let (format, path) = text.split_once('=').ok_or("write FORMAT=PATH, such as xml=coverage.xml")?;
        let Some((_, format)) = FORMATS.iter().find(|(name, _)| *name == format) else {
            let valid = FORMATS.map(|(name, _)| name).join(", ");
            return Err(format!("there is no format '{format}'; valid are {valid}"));
        };
        if path.is_empty() {
            return Err("the path is empty".to_owned());
        }
        Ok(FormatAndPath { format: *format, path: PathBuf::from(path) })
    }
}

/// Runs the command.
pub(crate) fn run(arguments: &ReportArguments, messages: &Messages) -> Result<Verdict, CliError> {
    let mut store = Store::default();
    let unusable: Vec<_> = arguments.exec.iter().filter_map(|path| store.load_file(path).err()).collect();
    if !unusable.is_empty() {
        return Err(CliError::ExecFiles(unusable));
    }
    let analysis = sources::analyzed(&arguments.classes, &store, messages)?;
    let failed = analysis.problems.iter().any(probity_engine::analysis::Problem::is_failure);
    let report = Report {
        sessions: sessions(&store),
        root: ReportNode::Bundle(analysis.classes.build(&arguments.name)),
    };
    let folders = SourceFolders::new(arguments.sources.clone());
    for FormatAndPath { format, path } in &arguments.formats {
        write_whole(path, text(*format, &report, arguments, &folders).as_bytes())?;
    }
    Ok(if failed { Verdict::Findings } else { Verdict::Clean })
}

fn text(format: Format, report: &Report, arguments: &ReportArguments, folders: &SourceFolders) -> String {
    match format {
        Format::Xml => write_xml(report),
        Format::Csv => write_csv(report),
        Format::Lcov => write_lcov(report, folders),
        Format::Sonar => write_sonar(report, folders),
        Format::Json => write_json(report),
        Format::Markdown => write_markdown(report),
        Format::Cobertura => {
            let folders: Vec<String> =
                arguments.sources.iter().map(|path| path.display().to_string()).collect();
            write_cobertura(report, &PackagePaths, &folders)
        }
    }
}

fn sessions(store: &Store) -> Vec<SessionInfo> {
    let sessions = store.sessions().into_iter();
    sessions
        .map(|session| SessionInfo {
            id: probity_execdata::utf::to_text(&session.id),
            start_millis: session.start_millis,
            dump_millis: session.dump_millis,
        })
        .collect()
}
