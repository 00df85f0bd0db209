//! A recording as text, for people: numbers are replaced by what they stand for.

use crate::frame::Damage;
use crate::message::{Fact, Message, Origin, Used};
use std::collections::HashMap;
use std::fmt::Write;

/// Writes messages as text, one or more lines each.
#[derive(Debug, Default)]
pub struct Listing {
    classes: HashMap<u32, String>,
    facts: HashMap<u32, String>,
    units: HashMap<u32, String>,
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

impl Listing {
    /// A listing that knows no numbers yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The text of the next message of a recording, or of what ended it.
    pub fn next(&mut self, message: &Result<Message, Damage>) -> String {
        match message {
            Ok(message) => self.message(message),
            Err(damage) => format!("damaged: {damage}\n"),
        }
    }

    fn message(&mut self, message: &Message) -> String {
        match message {
            Message::Start(start) => {
                format!("start of process {} with agent {}\n", start.process, text(&start.agent))
            }
            Message::Class(class) => {
                self.classes.insert(class.number, text(&class.name));
                let origin = match &class.origin {
                    Origin::Location(url) => text(url),
                    Origin::Made(bytes) => format!("made, {} bytes", bytes.len()),
                    Origin::Claimed { location, bytes } => {
                        format!("the program as of {}, {} bytes", text(location), bytes.len())
                    }
                };
                let (name, probes, entries) = (text(&class.name), class.probes, class.entry_probes);
                let not_recorded = class.not_recorded.as_deref().map(text);
                let why = not_recorded.map_or(String::new(), |why| format!(" not recorded: {why}"));
                format!("class {name} {:016x} {probes}+{entries} from {origin}{why}\n", class.id)
            }
            Message::Fact { number, fact } => {
                let fact = self.fact(fact);
                self.facts.insert(*number, fact);
                String::new()
            }
            Message::Once { class, used } => format!("once {}\n{}", self.class(*class), self.used(used)),
            Message::Unit(unit) => {
                self.units.insert(unit.number, text(&unit.name));
                let mut out = format!("unit {} by {}\n", text(&unit.name), text(&unit.framework));
                for (what, units) in [("overlaps", &unit.overlaps), ("inside", &unit.inside)] {
                    units.iter().for_each(|&unit| write_line(&mut out, what, &self.unit(unit)));
                }
                for test in &unit.tests {
                    write_line(&mut out, "test", &format!("{} {:?}", text(&test.id), test.outcome));
                }
                if unit.threads_left > 0 {
                    write_line(&mut out, "threads left", &unit.threads_left.to_string());
                }
                out + &self.used(&unit.used)
            }
            Message::Outside(used) => format!("outside\n{}", self.used(used)),
            Message::Done { units } => {
                let units: Vec<String> = units.iter().map(|&unit| self.unit(unit)).collect();
                format!("done {}\n", units.join(" "))
            }
            Message::End => "end\n".to_owned(),
        }
    }

    fn class(&self, number: u32) -> String {
        self.classes.get(&number).cloned().unwrap_or_else(|| format!("class {number}"))
    }

    fn unit(&self, number: u32) -> String {
        self.units.get(&number).cloned().unwrap_or_else(|| format!("unit {number}"))
    }

    fn fact(&self, fact: &Fact) -> String {
        let value = |value: &Option<Vec<u8>>| if value.is_some() { " (set)" } else { "" };
        match fact {
            Fact::Linked(class) => format!("linked {}", self.class(*class)),
            Fact::Inspected(class) => format!("inspected {}", self.class(*class)),
            Fact::Named(name) => format!("named {}", text(name)),
            Fact::UsedByHidden(name) => format!("used by a hidden class {}", text(name)),
            Fact::FileRead(path) => format!("file read {}", text(path)),
            Fact::FileTested(path) => format!("file tested {}", text(path)),
            Fact::FolderListed(path) => format!("folder listed {}", text(path)),
            Fact::FileWritten(path) => format!("file written {}", text(path)),
            Fact::Resource(name) => format!("resource {}", text(name)),
            Fact::Property { name, value: set } => format!("property {}{}", text(name), value(set)),
            Fact::AllProperties => "all properties".to_owned(),
            Fact::Variable { name, value: set } => format!("variable {}{}", text(name), value(set)),
            Fact::AllVariables => "all variables".to_owned(),
            Fact::ChildProcess => "child process".to_owned(),
            Fact::StackTrace => "stack trace".to_owned(),
            Fact::PropertyWritten(Some(name)) => format!("property written {}", text(name)),
            Fact::PropertyWritten(None) => "all properties written".to_owned(),
            Fact::SharedWritten(what) => format!("written for all {}", text(what)),
            Fact::Unknown(what) => format!("unknown {}", text(what)),
        }
    }

    fn used(&self, used: &Used) -> String {
        let mut out = String::new();
        for (class, bits) in &used.hits {
            let hits: Vec<String> = (0..bits.len() * 8)
                .filter(|probe| bits.get(probe / 8).is_some_and(|byte| byte >> (probe % 8) & 1 == 1))
                .map(|probe| probe.to_string())
                .collect();
            write_line(&mut out, &self.class(*class), &hits.join(" "));
        }
        for number in &used.facts {
            let absent = if used.absent.contains(number) { "absent" } else { "" };
            write_line(&mut out, self.facts.get(number).map_or("?", String::as_str), absent);
        }
        out
    }
}

fn write_line(out: &mut String, what: &str, more: &str) {
    // Writing into a string never fails.
    let _ = writeln!(out, "  {}", format!("{what} {more}").trim_end());
}
