//! What a rule finds, and how it is shown.

use std::fmt;

/// Whether a finding fails the check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Severity {
    /// It does.
    Error,
    /// It is only listed.
    Warning,
}

/// Something that breaks a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) severity: Severity,
    /// The file, with a line where that helps.
    pub(crate) place: String,
    /// What is wrong there and, unless it is obvious, what to do.
    pub(crate) message: String,
}

impl Finding {
    pub(super) fn error(place: impl Into<String>, message: impl Into<String>) -> Self {
        Finding { severity: Severity::Error, place: place.into(), message: message.into() }
    }

    pub(super) fn warning(place: impl Into<String>, message: impl Into<String>) -> Self {
        Finding { severity: Severity::Warning, place: place.into(), message: message.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        write!(f, "{severity}: {}: {}", self.place, self.message)
    }
}
