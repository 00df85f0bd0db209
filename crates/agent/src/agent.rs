//! The agent from its start to the end of the JVM.

use crate::aot::{self, AotCache};
use crate::messages::say;
use crate::options::Options;
use crate::output::{DataSource, Output};
use crate::recorder::{ProbeMemory, Recorder};
use crate::tracing::Tracer;
use crate::tracing::tracer::now_millis;
use probity_wire::StartMessage;
use std::ffi::OsStr;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;
use std::sync::Arc;

/// An agent that records.
#[derive(Debug)]
pub(crate) struct Agent {
    recorder: Recorder,
    output: Output,
    dump_on_exit: bool,
    traces: Option<PathBuf>,
}

impl Agent {
    /// Reads the options and opens the destination.
    ///
    /// Nothing if the program is to run without being recorded; the reason was said.
    pub(crate) fn start(options: &str) -> Option<Self> {
        let options = match Options::parse(options) {
            Ok(options) => options,
            Err(error) => {
                say(&format_args!("{error}. The program runs without being recorded"));
                return None;
            }
        };
        match aot::of_this_process() {
            AotCache::NotUsed => {}
            AotCache::Ignored => say(&"the JVM does not use its AOT cache while classes are recorded"),
            AotCache::Required => {
                say(&"-XX:AOTMode=on does not go with recording. The program runs without being recorded; \
                      leave that option out to record it");
                return None;
            }
        }
        if options.jmx {
            say(&"the option jmx has no effect: this agent has no management bean");
        }
        Some(Self {
            recorder: Recorder::new(&options),
            output: Output::open(&options),
            dump_on_exit: options.dumponexit,
            traces: options.traces,
        })
    }

    /// Whether traces are wanted.
    pub(crate) fn records_traces(&self) -> bool {
        self.traces.is_some()
    }

    /// Starts to record traces in a JVM with these system properties.
    pub(crate) fn start_traces(&self, properties: Vec<(Vec<u8>, Vec<u8>)>) {
        let Some(folder) = &self.traces else { return };
        if let Some(tracer) = Tracer::start(folder, start_message(properties)) {
            self.recorder.trace_with(tracer);
        }
    }

    pub(crate) fn recorder(&self) -> &Recorder {
        &self.recorder
    }

    /// The JVM is ready: requests can be answered.
    pub(crate) fn begin(&self, source: &Arc<dyn DataSource>) {
        self.output.start(source);
    }

    /// The JVM ends: what was recorded is written.
    pub(crate) fn end(&self, memory: &dyn ProbeMemory) {
        if let Some(tracer) = self.recorder.tracer() {
            tracer.end(&main_of_this_process(), &self.recorder.recorded_hits(memory));
        }
        if self.dump_on_exit {
            self.output.write_at_exit(&self.recorder.data(memory, false));
        }
        self.recorder.say_how_many_were_not_recorded();
    }
}

/// What JVM this is.
fn start_message(properties: Vec<(Vec<u8>, Vec<u8>)>) -> StartMessage {
    let directory = std::env::current_dir().unwrap_or_default();
    StartMessage {
        agent: env!("CARGO_PKG_VERSION").as_bytes().to_vec(),
        started: now_millis(),
        process: std::process::id(),
        directory: directory.into_os_string().into_vec(),
        arguments: all_arguments(),
        properties,
        variables: std::env::vars_os().map(|(name, value)| (name.into_vec(), value.into_vec())).collect(),
    }
}

/// The variables from which a JVM takes options before those of its command line.
const VARIABLES: [&str; 3] = ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"];

/// The command line of this process with all that the JVM takes for a part of it: options from variables, which stand first,
/// and what is in the files that arguments name.
fn all_arguments() -> Vec<Vec<u8>> {
    let mut given = std::env::args_os().map(OsStringExt::into_vec);
    let mut arguments: Vec<Vec<u8>> = given.next().into_iter().collect();
    for value in VARIABLES.into_iter().filter_map(std::env::var_os) {
        arguments.extend(words(&value.into_vec()));
    }
    for argument in given {
        match argument.strip_prefix(b"@").map(|file| std::fs::read(OsStr::from_bytes(file))) {
            Some(Ok(content)) => arguments.extend(words(&content)),
            _ => arguments.push(argument),
        }
    }
    arguments
}

/// The words of a text, as a JVM takes them from a variable or a file: what stands in quotes is together.
fn words(text: &[u8]) -> Vec<Vec<u8>> {
    let mut words = Vec::new();
    for line in text.split(|byte| *byte == b'\n') {
        if line.trim_ascii_start().starts_with(b"#") {
            continue;
        }
        let (mut word, mut quote) = (None::<Vec<u8>>, None);
        for &byte in line {
            match quote {
                Some(open) if open == byte => quote = None,
                None if matches!(byte, b'"' | b'\'') => {
                    quote = Some(byte);
                    word.get_or_insert_default();
                }
                None if byte.is_ascii_whitespace() => words.extend(word.take()),
                _ => word.get_or_insert_default().push(byte),
            }
        }
        words.extend(word);
    }
    words
}

/// What this process runs: its last arguments from the first on that is no option.
fn main_of_this_process() -> String {
    let arguments: Vec<String> =
        std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect();
    let mut rest = arguments.as_slice();
    while let [first, after @ ..] = rest {
        match first.as_str() {
            "-cp" | "-classpath" | "--class-path" | "-p" | "--module-path" | "--add-modules"
            | "--add-opens" | "--add-exports" | "--add-reads" => rest = after.get(1..).unwrap_or_default(),
            "-jar" | "-m" | "--module" => return after.join(" "),
            option if option.starts_with('-') || option.starts_with('@') => rest = after,
            _ => break,
        }
    }
    rest.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_quotes_are_together() {
        let text = b" -ea  \"-Da=b c\"\t'-Dd=e'f\n# -Dno=1\n-Xmx1g\n''\n";
        let found: Vec<String> =
            words(text).iter().map(|word| String::from_utf8_lossy(word).into_owned()).collect();
        assert_eq!(found, ["-ea", "-Da=b c", "-Dd=ef", "-Xmx1g", ""]);
    }
}
