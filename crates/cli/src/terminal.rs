//! What people read: messages on standard error, coloured if they are looking, and how data looks on a terminal.
//!
//! Data goes to standard output, and commands write that themselves. Nothing here may fail: a message that
//! cannot be written must not hide the exit code.

use std::env;
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};

use probity_report::{TableOptions, TableStyles};

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
        let coloured = io::stderr().is_terminal() && is_colour_wanted();
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

    /// Says how it went.
    pub(crate) fn say(&self, text: &dyn Display) {
        write_ignoring_failure(&format!("probity: {text}\n"));
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

fn is_colour_wanted() -> bool {
    env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// What is known of the place where data is read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Screen {
    is_terminal: bool,
    coloured: bool,
    /// How many characters fit into a line, if the environment says so.
    columns: Option<usize>,
}

impl Screen {
    /// A terminal that does not say how wide it is has as many columns as all have.
    const USUAL_COLUMNS: usize = 80;

    /// Standard output.
    pub(crate) fn of_stdout() -> Screen {
        let is_terminal = io::stdout().is_terminal();
        let columns = env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
        Screen { is_terminal, coloured: is_terminal && is_colour_wanted(), columns }
    }

    /// How a table looks there: coloured and cut only if somebody is looking.
    pub(crate) fn table_options(self) -> TableOptions {
        let width = self.is_terminal.then(|| self.columns.unwrap_or(Self::USUAL_COLUMNS));
        let styles = if self.coloured { TABLE_COLOURS } else { TableStyles::default() };
        TableOptions { width, all_packages: false, styles }
    }
}

const TABLE_COLOURS: TableStyles = TableStyles {
    heading: "\u{1b}[1m",
    high: "\u{1b}[32m",
    middle: "\u{1b}[33m",
    low: "\u{1b}[31m",
    plain: "\u{1b}[0m",
};

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
    #[test]
    fn tables_are_coloured_and_cut_only_on_a_terminal() {
        let nobody = Screen { is_terminal: false, coloured: false, columns: Some(60) }.table_options();
        assert_eq!((nobody.width, nobody.styles.low), (None, ""));
        let terminal = Screen { is_terminal: true, coloured: true, columns: None }.table_options();
        assert_eq!((terminal.width, terminal.styles.low), (Some(80), "\u{1b}[31m"));
    }
}
