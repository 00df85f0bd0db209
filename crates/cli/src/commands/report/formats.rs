//! The formats by name, and how each is written.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use probity_engine::html_report::{self, NotWritten, OddSource, Sources};
use probity_engine::source_text::Encoding;
use probity_report::{
    LineUnits, PackagePaths, TableOptions, write_annotations, write_cobertura, write_csv, write_json,
    write_lcov, write_markdown, write_patch_markdown, write_sonar, write_table, write_xml,
};

use crate::commands::coverage_input::CoverageInput;
use crate::commands::patch::RepositoryPaths;
use crate::commands::sources::all_cores;
use crate::error::CliError;
use crate::files::{Staged, WriteError, WriteErrorKind};
use crate::terminal::{Messages, Screen};

/// A report to write.
#[derive(Debug, Clone)]
pub(super) struct FormatAndPlace {
    format: Format,
    place: Place,
}

/// Where a report goes.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Place {
    StandardOutput,
    Path(PathBuf),
}

/// A report that is ready.
pub(super) enum Ready {
    /// It has only to be moved to its place.
    Staged(Staged),
    /// It has to be printed.
    Text(Vec<u8>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Xml,
    Csv,
    Html,
    Lcov,
    Cobertura,
    Sonar,
    Json,
    Markdown,
    Table,
    Annotations,
}

/// The formats by name.
const FORMATS: [(&str, Format); 10] = [
    ("xml", Format::Xml),
    ("csv", Format::Csv),
    ("html", Format::Html),
    ("lcov", Format::Lcov),
    ("cobertura", Format::Cobertura),
    ("sonar", Format::Sonar),
    ("json", Format::Json),
    ("markdown", Format::Markdown),
    ("table", Format::Table),
    ("annotations", Format::Annotations),
];

impl FromStr for FormatAndPlace {
    type Err = String;

    fn from_str(text: &str) -> Result<FormatAndPlace, String> {
        let (format, path) = text.split_once('=').ok_or("write FORMAT=PATH, such as xml=coverage.xml")?;
        let Some(&(_, format)) = FORMATS.iter().find(|(name, _)| *name == format) else {
            let valid = FORMATS.map(|(name, _)| name).join(", ");
            return Err(format!("there is no format '{format}'; valid are {valid}"));
        };
        let place = match path {
            "" => return Err("the path is empty".to_owned()),
            "-" if format == Format::Html => {
                return Err("html is a folder and cannot go to standard output".to_owned());
            }
            "-" => Place::StandardOutput,
            path => Place::Path(PathBuf::from(path)),
        };
        Ok(FormatAndPlace { format, place })
    }
}

impl FormatAndPlace {
    /// What is printed if nothing else is asked for.
    pub(super) const TABLE: FormatAndPlace =
        FormatAndPlace { format: Format::Table, place: Place::StandardOutput };

    /// A place that two of the reports have, by its name.
    pub(super) fn shared_place(formats: &[FormatAndPlace]) -> Option<String> {
        let behind = |at: usize| formats.get(at + 1..).unwrap_or_default();
        let mut places = formats.iter().map(|format| &format.place).enumerate();
        let shared = places.find(|(at, place)| behind(*at).iter().any(|other| other.place == **place))?.1;
        Some(match shared {
            Place::StandardOutput => "standard output".to_owned(),
            Place::Path(path) => path.display().to_string(),
        })
    }

    /// Makes the report; if it has a place of its own, beside that.
    pub(super) fn make(
        &self,
        input: &CoverageInput,
        units: Option<&LineUnits>,
        encoding: Encoding,
        messages: &Messages,
    ) -> Result<Ready, CliError> {
        match &self.place {
            Place::Path(path) if self.format == Format::Html => {
                Ok(Ready::Staged(stage_html(path, input, units, encoding, messages)?))
            }
            Place::Path(path) => {
                let all_packages = TableOptions { all_packages: true, ..TableOptions::default() };
                Ok(Ready::Staged(Staged::written(path, &mut |file| self.write(input, &all_packages, file))?))
            }
            Place::StandardOutput => {
                let mut text = Vec::new();
                self.write(input, &Screen::of_stdout().table_options(), &mut text)?;
                Ok(Ready::Text(text))
            }
        }
    }

    /// Writes the text of a format that is one; a folder of pages is none.
    fn write(
        &self,
        input: &CoverageInput,
        table_options: &TableOptions,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let (report, folders) = (&input.report, &input.source_folders);
        let repository_paths = RepositoryPaths { folders, changed_since: input.changed_since.as_ref() };
        let text = match self.format {
            Format::Html => String::new(),
            Format::Xml => {
                return write_xml(report, all_cores(), &mut |piece| out.write_all(piece.as_bytes()));
            }
            Format::Csv => write_csv(report),
            Format::Lcov => write_lcov(report, folders),
            Format::Sonar => write_sonar(report, folders),
            Format::Json => write_json(report),
            Format::Markdown => match &input.changed_since {
                None => write_markdown(report),
                Some(since) => write_patch_markdown(report, &since.revision, &repository_paths),
            },
            Format::Annotations => write_annotations(report, &repository_paths),
            Format::Table => write_table(report, table_options),
            Format::Cobertura => {
                let folders: Vec<String> = folders.folders().map(|path| path.display().to_string()).collect();
                write_cobertura(report, &PackagePaths, &folders)
            }
        };
        out.write_all(text.as_bytes())
    }
}

fn stage_html(
    place: &Path,
    input: &CoverageInput,
    units: Option<&LineUnits>,
    encoding: Encoding,
    messages: &Messages,
) -> Result<Staged, CliError> {
    let staged = Staged::folder(place, html_report::is_report)?;
    let notes = input.problems.iter().map(ToString::to_string).collect();
    let sources = Sources { folders: &input.source_folders, encoding };
    let written = html_report::write(&input.report, notes, sources, units, staged.path(), all_cores());
    let odd = written.map_err(|NotWritten { path, error }| {
        let below = path.strip_prefix(staged.path()).unwrap_or(&path);
        WriteError { path: place.join(below), kind: WriteErrorKind::Io(error) }
    })?;
    for OddSource { path, problem } in odd {
        messages.warning(&format_args!("{}: the source file {problem}", path.display()));
    }
    Ok(staged)
}
