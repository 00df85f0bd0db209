//! What people read: messages on standard error, coloured if they are looking.
//!
//! Data goes to standard output, and commands write that themselves. Nothing here may fail: a message that
//! cannot be written must not hide the exit code.

use std::env;
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};

/// The way messages look.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Messages {
    styles: Styles,
}

#[derive(Debug, Clone, Copy)]
struct Styles {
    error: &'static str,
    warning: &'static str,
    hint: &'static str,
    plain: &'static str,
}

impl Styles {
    const NONE: Styles = Styles { error: "", warning: "", hint: "", plain: "" };
    const COLOURED: Styles =
        Styles { error: "\u{1b}[1;31m", warning: "\u{1b}[1;33m", hint: "\u{1b}[36m", plain: "\u{1b}[0m" };
}

impl Messages {
    /// Coloured if standard error is a terminal and `NO_COLOR` is not set.
    pub(crate) fn for_stderr() -> Messages {
        let unwanted = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let coloured = io::stderr().is_terminal() && !unwanted;
        Messages { styles: if coloured { Styles::COLOURED } else { Styles::NONE } }
    }

    /// Says what went wrong, and what to do about it.
    pub(crate) fn error(&self, text: &dyn Display, hint: Option<&str>) {
        write_ignoring_failure(&self.error_text(text, hint));
    }

    /// Says what is not as it should be, but does not stop the command.
    pub(crate) fn warning(&self, text: &dyn Display) {
        let Styles { warning, plain, .. } = self.styles;
        write_ignoring_failure(&format!("{warning}warning{plain}: {text}\n"));
    }

    /// Says what the parser of arguments has to say: help goes to standard output, complaints to standard
    /// error.
    pub(crate) fn clap(&self, error: &clap::Error) {
        let _: io::Result<()> = error.print();
    }

    fn error_text(&self, text: &dyn Display, hint: Option<&str>) -> String {
        let Styles { error, hint: hint_style, plain, .. } = self.styles;
        let hint = hint.map(|hint| format!("  {hint_style}hint{plain}: {hint}\n")).unwrap_or_default();
        format!("{error}error{plain}: {text}\n{hint}")
    }
}

fn write_ignoring_failure(text: &str) {
    let _: io::Result<()> = io::stderr().lock().write_all(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hint_is_on_a_line_of_its_own() {
        let messages = Messages { styles: Styles::NONE };
        assert_eq!(messages.error_text(&"gone", Some("look")), "error: gone\n  hint: look\n");
        assert_eq!(messages.error_text(&"gone", None), "error: gone\n");
    }

    #[test]
    fn colour_changes_nothing_but_colour() {
        let coloured = Messages { styles: Styles::COLOURED }.error_text(&"gone", Some("look"));
        assert_eq!(coloured, "\u{1b}[1;31merror\u{1b}[0m: gone\n  \u{1b}[36mhint\u{1b}[0m: look\n");
    }
}
