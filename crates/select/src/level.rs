//! How closely changes are looked at.

use std::fmt;
use std::str::FromStr;

/// How closely changes are looked at. All levels are safe; a finer one runs fewer units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// A class that a unit used counts as a whole.
    Class,
    /// A body counts if the unit entered it, and what can be seen of a class by what it can do to code that ran.
    #[default]
    Method,
    /// As for methods, but a body counts only if the unit may have come to a place where it is different.
    Edge,
}

impl Level {
    /// All levels, the coarsest first.
    pub const ALL: [Self; 3] = [Self::Class, Self::Method, Self::Edge];

    /// The word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Class => "class",
            Self::Method => "method",
            Self::Edge => "edge",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Level {
    type Err = UnknownLevel;

    fn from_str(text: &str) -> Result<Self, UnknownLevel> {
        Self::ALL.into_iter().find(|level| level.name() == text).ok_or(UnknownLevel)
    }
}

/// There is no such level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownLevel;

impl fmt::Display for UnknownLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the levels are")?;
        for (position, level) in Level::ALL.into_iter().enumerate() {
            write!(
                f,
                "{} {level}",
                match position {
                    0 => "",
                    1 => ",",
                    _ => " and",
                }
            )?;
        }
        Ok(())
    }
}

impl std::error::Error for UnknownLevel {}
