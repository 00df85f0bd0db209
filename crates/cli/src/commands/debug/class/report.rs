//! Counts what came of the classes, and prints it in the format asked for.
//!
//! Counts and texts are data and go to standard output; failures are messages unless the format is JSON,
//! where they are part of the data. It never looks at a class itself.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write;

use probity_classpath::{Entry, EntryKind, OpenError, Source};
use serde::Serialize;

use crate::commands::Verdict;
use crate::commands::debug::entry_name::full_name;
use crate::error::CliError;
use crate::output::{counted, write_json};
use crate::terminal::Messages;

use super::examine::{Failure, Outcome};

/// What is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    /// One line for each source.
    Summary,
    /// The same as one JSON object.
    SummaryJson,
    /// The texts of all classes.
    Listing,
    /// The counts of a round trip.
    Roundtrip,
    /// The same as one JSON object.
    RoundtripJson,
}

impl Format {
    fn is_json(self) -> bool {
        matches!(self, Format::SummaryJson | Format::RoundtripJson)
    }
}

/// The report in the making.
#[derive(Debug)]
pub(super) struct Report {
    format: Format,
    sources: Vec<SourceSummary>,
    roundtrip: RoundtripCounts,
    failures: Vec<FailureRecord>,
    failed: bool,
}

/// What one source holds.
#[derive(Debug, Default, Serialize)]
struct SourceSummary {
    file: String,
    classes: usize,
    /// How many classes have which major version.
    versions: BTreeMap<u16, usize>,
    failures: usize,
    /// Archives inside, which were not opened.
    nested_archives: usize,
}

/// How many classes passed which step of a round trip.
#[derive(Debug, Default, Clone, Copy, Serialize)]
struct RoundtripCounts {
    read: usize,
    identical: usize,
    rewritten: usize,
    rewritten_ok: usize,
}

/// One failure, for JSON.
#[derive(Debug, Serialize)]
struct FailureRecord {
    file: String,
    /// `None` if the whole file cannot be used.
    class: Option<String>,
    offset: Option<u64>,
    error: String,
}

#[derive(Serialize)]
struct SummaryObject<'a> {
    sources: &'a [SourceSummary],
    failures: &'a [FailureRecord],
}

#[derive(Serialize)]
struct RoundtripObject<'a> {
    #[serde(flatten)]
    counts: RoundtripCounts,
    failures: &'a [FailureRecord],
}

impl Report {
    pub(super) fn new(format: Format) -> Report {
        Report {
            format,
            sources: Vec::new(),
            roundtrip: RoundtripCounts::default(),
            failures: Vec::new(),
            failed: false,
        }
    }

    /// Starts a source; what is added belongs to it until the next one starts.
    pub(super) fn start(&mut self, source: &Source) {
        let is_nested = |entry: &&Entry| entry.kind() == EntryKind::NestedArchive;
        self.sources.push(SourceSummary {
            file: source.name().to_owned(),
            nested_archives: source.entries().iter().filter(is_nested).count(),
            ..SourceSummary::default()
        });
    }

    /// Adds what came of one class.
    pub(super) fn add(
        &mut self,
        source: &Source,
        entry: &Entry,
        outcome: Outcome,
        messages: &Messages,
        data: &mut dyn Write,
    ) -> Result<(), CliError> {
        self.count(&outcome);
        if let Some(text) = &outcome.printed {
            writeln!(data, "{}", full_name(source, entry))?;
            writeln!(data, "{}", text.trim_end())?;
        }
        for failure in outcome.failures {
            self.add_failure(source, entry, failure, messages);
        }
        Ok(())
    }

    fn count(&mut self, outcome: &Outcome) {
        if let Some(summary) = self.sources.last_mut() {
            summary.classes += 1;
            summary.failures += usize::from(!outcome.failures.is_empty());
            if let Some(version) = outcome.version {
                *summary.versions.entry(version.major).or_default() += 1;
            }
        }
        self.roundtrip.read += usize::from(outcome.version.is_some());
        self.roundtrip.identical += usize::from(outcome.identical);
        self.roundtrip.rewritten += usize::from(outcome.rewritten);
        self.roundtrip.rewritten_ok += usize::from(outcome.rewritten_ok);
    }

    fn add_failure(&mut self, source: &Source, entry: &Entry, failure: Failure, messages: &Messages) {
        self.failed = true;
        let Failure { offset, error, hint } = failure;
        if self.format.is_json() {
            let (file, class) = (source.name().to_owned(), Some(entry.name().to_owned()));
            self.failures.push(FailureRecord { file, class, offset, error });
        } else {
            let place = offset.map(|offset| format!(" (byte {offset})")).unwrap_or_default();
            messages.error(&format_args!("{}: {error}{place}", full_name(source, entry)), hint);
        }
    }

    /// Ends a source.
    pub(super) fn end(&self, data: &mut dyn Write) -> Result<(), CliError> {
        if let (Format::Summary, Some(summary)) = (self.format, self.sources.last()) {
            writeln!(data, "{}", summary.line())?;
        }
        Ok(())
    }

    /// Notes a source that cannot be opened; the message about it comes at the end of the command.
    pub(super) fn unusable(&mut self, error: &OpenError) {
        if self.format.is_json() {
            let (file, error_text) = (error.container.clone(), error.kind.to_string());
            self.failures.push(FailureRecord { file, class: None, offset: error.offset, error: error_text });
        }
    }

    /// Prints what is printed once for all sources.
    pub(super) fn finish(&self, data: &mut dyn Write) -> Result<Verdict, CliError> {
        let RoundtripCounts { read, identical, rewritten, rewritten_ok } = self.roundtrip;
        match self.format {
            Format::Summary | Format::Listing => {}
            Format::SummaryJson => {
                write_json(data, &SummaryObject { sources: &self.sources, failures: &self.failures })?;
            }
            Format::Roundtrip => {
                writeln!(
                    data,
                    "{read} read, {identical} identical, {rewritten} rewritten, {rewritten_ok} of them well"
                )?;
            }
            Format::RoundtripJson => {
                write_json(data, &RoundtripObject { counts: self.roundtrip, failures: &self.failures })?;
            }
        }
        data.flush()?;
        Ok(if self.failed { Verdict::Findings } else { Verdict::Clean })
    }
}

impl SourceSummary {
    fn line(&self) -> String {
        let mut line = format!("{}: {}", self.file, counted(self.classes, "class", "classes"));
        for (position, (version, count)) in self.versions.iter().enumerate() {
            let separator = if position == 0 { ": " } else { ", " };
            let _ = write!(line, "{separator}{count} of version {version}");
        }
        if self.failures > 0 {
            let _ = write!(line, "; {} failed", self.failures);
        }
        if self.nested_archives > 0 {
            let _ =
                write!(line, "; {} inside not opened", counted(self.nested_archives, "archive", "archives"));
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_tells_counts_by_version_and_what_was_left_out() {
        let summary = SourceSummary {
            file: "lib.jar".to_owned(),
            classes: 4,
            versions: BTreeMap::from([(52, 2), (61, 1)]),
            failures: 1,
            nested_archives: 1,
        };
        assert_eq!(
            summary.line(),
            "lib.jar: 4 classes: 2 of version 52, 1 of version 61; 1 failed; 1 archive inside not opened"
        );
        let empty = SourceSummary { file: "x".to_owned(), ..SourceSummary::default() };
        assert_eq!(empty.line(), "x: 0 classes");
    }

    #[test]
    fn a_round_trip_is_one_object_with_its_counts_and_failures() {
        let mut report = Report::new(Format::RoundtripJson);
        report.roundtrip = RoundtripCounts { read: 4, identical: 3, rewritten: 2, rewritten_ok: 1 };
        report.failures.push(FailureRecord {
            file: "lib.jar".to_owned(),
            class: Some("A.class".to_owned()),
            offset: Some(8),
            error: "differs".to_owned(),
        });
        let mut data = Vec::new();
        report.finish(&mut data).expect("writes");
        assert_eq!(
            String::from_utf8_lossy(&data),
            concat!(
                r#"{"read":4,"identical":3,"rewritten":2,"rewritten_ok":1,"failures":["#,
                r#"{"file":"lib.jar","class":"A.class","offset":8,"error":"differs"}]}"#,
                "\n"
            )
        );
    }
}
