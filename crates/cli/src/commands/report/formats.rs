//! The formats by name, and how each is written.

use std::path::PathBuf;
use std::str::FromStr;

use probity_engine::html_report::{self, NotWritten, OddSource, Sources};
use probity_engine::source_text::Encoding;
use probity_report::{
    PackagePaths, write_cobertura, write_csv, write_json, write_lcov, write_markdown, write_sonar, write_xml,
};

use crate::commands::coverage_input::CoverageInput;
use crate::commands::sources::all_cores;
use crate::error::CliError;
use crate::files::{Staged, WriteError, WriteErrorKind};
use crate::terminal::Messages;

/// A report to write.
#[derive(Debug, Clone)]
pub(super) struct FormatAndPath {
    format: Format,
    path: PathBuf,
}

#[derive(Debug, Clone, Copy)]
enum Format {
    Xml,
    Csv,
    Html,
    Lcov,
    Cobertura,
    Sonar,
    Json,
    Markdown,
}

/// The formats by name.
const FORMATS: [(&str, Format); 8] = [
    ("xml", Format::Xml),
    ("csv", Format::Csv),
    ("html", Format::Html),
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

impl FormatAndPath {
    /// Writes the report beside its place.
    pub(super) fn stage(
        &self,
        input: &CoverageInput,
        encoding: Encoding,
        messages: &Messages,
    ) -> Result<Staged, CliError> {
        let (report, folders) = (&input.report, &input.source_folders);
        let text = match self.format {
            Format::Html => return self.stage_html(input, encoding, messages),
            Format::Xml => write_xml(report),
            Format::Csv => write_csv(report),
            Format::Lcov => write_lcov(report, folders),
            Format::Sonar => write_sonar(report, folders),
            Format::Json => write_json(report),
            Format::Markdown => write_markdown(report),
            Format::Cobertura => {
                let folders: Vec<String> = folders.folders().map(|path| path.display().to_string()).collect();
                write_cobertura(report, &PackagePaths, &folders)
            }
        };
        Ok(Staged::file(&self.path, text.as_bytes())?)
    }

    fn stage_html(
        &self,
        input: &CoverageInput,
        encoding: Encoding,
        messages: &Messages,
    ) -> Result<Staged, CliError> {
        let staged = Staged::folder(&self.path, html_report::is_report)?;
        let notes = input.problems.iter().map(ToString::to_string).collect();
        let sources = Sources { folders: &input.source_folders, encoding };
        let written = html_report::write(&input.report, notes, sources, staged.path(), all_cores());
        let odd = written.map_err(|NotWritten { path, error }| {
            let below = path.strip_prefix(staged.path()).unwrap_or(&path);
            WriteError { path: self.path.join(below), kind: WriteErrorKind::Io(error) }
        })?;
        for OddSource { path, problem } in odd {
            messages.warning(&format_args!("{}: the source file {problem}", path.display()));
        }
        Ok(staged)
    }
}
