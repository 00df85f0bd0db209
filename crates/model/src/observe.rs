//! What can be seen of a run from outside: how it ended, and what can be reached from static fields.
//!
//! Whole states tell more than any test can see, such as objects that nothing refers to. What is seen here is what a program
//! can look at when a test is over, written as text in one order; a real JVM is asked for the same text.

use std::fmt::Write as _;

use crate::linked::Linked;
use crate::names::ClassName;
use crate::program::{Address, Value};
use crate::state::{State, Status};

/// What can be seen of an end state.
#[must_use]
pub fn observe(program: &Linked<'_>, end: &State) -> String {
    let mut observer = Observer { program, end, seen: Vec::new(), text: String::new() };
    match end.thrown.and_then(|exception| end.object(exception)) {
        Some(object) => observer.line(format_args!("threw {}", object.class)),
        None => observer.line(format_args!("ended")),
    }
    for part in end.statics.iter().filter(|part| is_of_program(part.class)) {
        observer.line(format_args!("{} {:?}", part.class, part.status));
        if part.status == Status::Done {
            for (field, value) in &part.fields {
                let value = observer.value(*value);
                observer.line(format_args!("{}.{field} = {value}", part.class));
            }
        }
    }
    observer.objects();
    observer.text
}

/// Whether a class is one that a program or a test declares.
fn is_of_program(class: ClassName) -> bool {
    !class.is_standard() && class != ClassName::START
}

struct Observer<'o, 'p> {
    program: &'o Linked<'p>,
    end: &'o State,
    /// The objects in the order in which they were met.
    seen: Vec<Address>,
    text: String,
}

impl Observer<'_, '_> {
    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = writeln!(self.text, "{line}");
    }

    fn value(&mut self, value: Value) -> String {
        let Value::Address(address) = value else { return value.to_string() };
        let known = self.seen.iter().position(|seen| *seen == address);
        let number = known.unwrap_or_else(|| {
            self.seen.push(address);
            self.seen.len() - 1
        });
        format!("#{number}")
    }

    /// The objects that were met, and those that are met in them.
    fn objects(&mut self) {
        let mut at = 0;
        while let Some(address) = self.seen.get(at).copied() {
            let Some(object) = self.end.object(address) else { return };
            self.line(format_args!("#{at} is a {}", object.class));
            // A JVM does not let fields be looked at whose class failed.
            let mut above = self.program.above(object.class).iter().filter(|class| is_of_program(*class));
            let is_open = above.all(|class| self.end.status(class) == Some(Status::Done));
            if is_open {
                for (owner, field, value) in &object.fields {
                    let value = self.value(*value);
                    self.line(format_args!("#{at}.{owner}.{field} = {value}"));
                }
            }
            at += 1;
        }
    }
}
