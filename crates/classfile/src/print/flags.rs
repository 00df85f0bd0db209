//! Access flags by name (JVMS tables 4.1-B, 4.5-A, 4.6-A, 4.7.6-A).
//!
//! The same bit means different things in different places; each place has its table here, and bits that a table does
//! not know are shown as a number, never dropped.

use std::fmt;

const STATIC: u16 = 0x0008;
const VARARGS: u16 = 0x0080;
const INTERFACE: u16 = 0x0200;
const ABSTRACT: u16 = 0x0400;
const ENUM: u16 = 0x4000;
const MODULE: u16 = 0x8000;

/// A bit, its name in the specification, and its keyword in Java if it has one.
type Row = (u16, &'static str, &'static str);

const CLASS: &[Row] = &[
    (0x0001, "ACC_PUBLIC", "public"),
    (0x0010, "ACC_FINAL", "final"),
    (0x0020, "ACC_SUPER", ""),
    (INTERFACE, "ACC_INTERFACE", ""),
    (ABSTRACT, "ACC_ABSTRACT", "abstract"),
    (0x1000, "ACC_SYNTHETIC", ""),
    (0x2000, "ACC_ANNOTATION", ""),
    (ENUM, "ACC_ENUM", ""),
    (MODULE, "ACC_MODULE", ""),
];

const INNER_CLASS: &[Row] = &[
    (0x0001, "ACC_PUBLIC", "public"),
    (0x0002, "ACC_PRIVATE", "private"),
    (0x0004, "ACC_PROTECTED", "protected"),
    (STATIC, "ACC_STATIC", "static"),
    (0x0010, "ACC_FINAL", "final"),
    (INTERFACE, "ACC_INTERFACE", ""),
    (ABSTRACT, "ACC_ABSTRACT", "abstract"),
    (0x1000, "ACC_SYNTHETIC", ""),
    (0x2000, "ACC_ANNOTATION", ""),
    (ENUM, "ACC_ENUM", ""),
];

const FIELD: &[Row] = &[
    (0x0001, "ACC_PUBLIC", "public"),
    (0x0002, "ACC_PRIVATE", "private"),
    (0x0004, "ACC_PROTECTED", "protected"),
    (STATIC, "ACC_STATIC", "static"),
    (0x0010, "ACC_FINAL", "final"),
    (0x0040, "ACC_VOLATILE", "volatile"),
    (0x0080, "ACC_TRANSIENT", "transient"),
    (0x1000, "ACC_SYNTHETIC", ""),
    (ENUM, "ACC_ENUM", ""),
];

const METHOD: &[Row] = &[
    (0x0001, "ACC_PUBLIC", "public"),
    (0x0002, "ACC_PRIVATE", "private"),
    (0x0004, "ACC_PROTECTED", "protected"),
    (STATIC, "ACC_STATIC", "static"),
    (0x0010, "ACC_FINAL", "final"),
    (0x0020, "ACC_SYNCHRONIZED", "synchronized"),
    (0x0040, "ACC_BRIDGE", ""),
    (VARARGS, "ACC_VARARGS", ""),
    (0x0100, "ACC_NATIVE", "native"),
    (ABSTRACT, "ACC_ABSTRACT", "abstract"),
    (0x0800, "ACC_STRICT", "strictfp"),
    (0x1000, "ACC_SYNTHETIC", ""),
];

/// The flags of a class, field or method; shown as a number and the names of its bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flags {
    bits: u16,
    rows: &'static [Row],
}

impl Flags {
    pub(super) fn class(bits: u16) -> Self {
        Self { bits, rows: CLASS }
    }

    pub(super) fn inner_class(bits: u16) -> Self {
        Self { bits, rows: INNER_CLASS }
    }

    pub(super) fn field(bits: u16) -> Self {
        Self { bits, rows: FIELD }
    }

    pub(super) fn method(bits: u16) -> Self {
        Self { bits, rows: METHOD }
    }

    pub(super) fn is_static(self) -> bool {
        self.bits & STATIC != 0
    }

    pub(super) fn is_varargs(self) -> bool {
        self.bits & VARARGS != 0
    }

    pub(super) fn is_interface(self) -> bool {
        self.bits & INTERFACE != 0
    }

    pub(super) fn is_module(self) -> bool {
        self.bits & MODULE != 0
    }

    /// The keywords in front of a declaration, each with a space behind it. Interfaces are abstract without saying so.
    pub(super) fn keywords(self) -> String {
        let is_class = self.rows.iter().any(|row| row.0 == INTERFACE);
        let implied = if is_class && self.is_interface() { ABSTRACT } else { 0 };
        self.set_rows()
            .filter(|row| row.0 & implied == 0 && !row.2.is_empty())
            .map(|row| format!("{} ", row.2))
            .collect()
    }

    fn set_rows(self) -> impl Iterator<Item = &'static Row> {
        self.rows.iter().filter(move |row| self.bits & row.0 != 0)
    }
}

impl fmt::Display for Flags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "(0x{:04x})", self.bits)?;
        let known = self.rows.iter().fold(0, |known, row| known | row.0);
        let mut separator = " ";
        for row in self.set_rows() {
            write!(f, "{separator}{}", row.1)?;
            separator = ", ";
        }
        match self.bits & !known {
            0 => Ok(()),
            unknown => write!(f, "{separator}0x{unknown:x}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_named_by_place_and_unknown_ones_are_kept() {
        assert_eq!(Flags::class(0x0421).to_string(), "(0x0421) ACC_PUBLIC, ACC_SUPER, ACC_ABSTRACT");
        assert_eq!(Flags::field(0x00c0).to_string(), "(0x00c0) ACC_VOLATILE, ACC_TRANSIENT");
        assert_eq!(Flags::method(0x00c0).to_string(), "(0x00c0) ACC_BRIDGE, ACC_VARARGS");
        assert_eq!(Flags::method(0).to_string(), "(0x0000)");
        assert_eq!(Flags::method(0x8200).to_string(), "(0x8200) 0x8200");
    }

    #[test]
    fn keywords_are_those_of_java() {
        assert_eq!(Flags::method(0x0039).keywords(), "public static final synchronized ");
        assert_eq!(Flags::method(0x0400).keywords(), "abstract ");
        assert_eq!(Flags::class(0x0601).keywords(), "public ");
    }
}
