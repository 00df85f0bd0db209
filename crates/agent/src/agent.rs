//! The agent from its start to the end of the JVM.

use crate::aot::{self, AotCache};
use crate::messages::say;
use crate::options::Options;
use crate::output::{DataSource, Output};
use crate::recorder::{ProbeMemory, Recorder};
use std::sync::Arc;

/// An agent that records.
#[derive(Debug)]
pub(crate) struct Agent {
    recorder: Recorder,
    output: Output,
    dump_on_exit: bool,
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
        })
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
        if self.dump_on_exit {
            self.output.write_at_exit(&self.recorder.data(memory, false));
        }
        self.recorder.say_how_many_were_not_recorded();
    }
}
