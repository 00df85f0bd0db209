//! What can be wrong with a class file, where, and which rule of the JVM specification says so.
//!
//! Errors are small and `Copy`: they are made in hot loops and inside a running JVM, so they never own text.
//! An offset counts bytes from the start of the class file. Nothing here prints.

use std::fmt;

/// A shorthand for what every reader in this crate returns.
pub type Result<T> = std::result::Result<T, Error>;

/// A broken rule of the class file format, with the place where it was noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Error {
    /// Bytes from the start of the class file.
    pub offset: u32,
    /// The part of the JVM specification that was being read.
    pub section: Section,
    /// What is wrong.
    pub kind: ErrorKind,
}

impl Error {
    /// Makes an error; out of line so that the readers stay small.
    #[cold]
    pub(crate) fn new(offset: u32, section: Section, kind: ErrorKind) -> Self {
        Self { offset, section, kind }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {} (JVMS {})", self.kind, self.offset, self.section)
    }
}

impl std::error::Error for Error {}

/// What is wrong, with the offending value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The data ends inside a structure.
    Truncated {
        /// Bytes that the structure needs.
        wanted: u32,
        /// Bytes that are left.
        left: u32,
    },
    /// Bytes follow where the structure has ended.
    TrailingBytes {
        /// How many.
        count: u32,
    },
    /// The file does not start with `CAFEBABE`.
    BadMagic(u32),
    /// A class file version that is older than 45 or newer than this crate knows.
    UnsupportedVersion {
        /// The major version.
        major: u16,
        /// The minor version.
        minor: u16,
    },
    /// The file is larger than any class file may be.
    TooLarge {
        /// The size of the file.
        size: u64,
    },
    /// An unknown kind of constant.
    BadConstantTag(u8),
    /// A constant pool with no room for the constant 0.
    EmptyConstantPool,
    /// A constant pool index that names no constant.
    NoSuchConstant {
        /// The index.
        index: u16,
    },
    /// A constant of another kind than the one that is needed here.
    WrongConstant {
        /// The index of the constant.
        index: u16,
        /// The kind that is needed.
        expected: &'static str,
        /// The tag that was found.
        found: u8,
    },
    /// Bytes that are not modified UTF-8 as the JVM reads it.
    BadUtf8,
    /// A descriptor that is not one.
    BadDescriptor,
    /// An opcode that is not defined.
    BadOpcode(u8),
    /// `wide` in front of an instruction that has no wide form.
    BadWide(u8),
    /// Operand bytes that must be zero and are not.
    ReservedOperand,
    /// A `tableswitch` whose lowest key is above its highest, or a negative number of keys.
    BadSwitch,
    /// A jump, table entry or frame that points to no instruction of its method.
    BadTarget {
        /// The place in the method's code that was pointed to.
        pc: i64,
    },
    /// A code array that is empty or longer than 65,535 bytes.
    BadCodeLength {
        /// The length.
        length: u32,
    },
    /// An unknown kind of frame in a `StackMapTable`.
    BadFrame(u8),
    /// An unknown verification type.
    BadVerificationType(u8),
    /// An unknown kind of annotation value.
    BadElementValue(u8),
    /// An unknown kind of place for a type annotation.
    BadTypeAnnotationTarget(u8),
    /// Annotations nested deeper than this crate follows.
    TooDeep {
        /// How deep it follows.
        limit: u16,
    },
    /// An attribute that may stand once only and stands twice.
    DuplicateAttribute,
    /// The fields of the structure contradict each other.
    Inconsistent(&'static str),
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Truncated { wanted, left } => {
                write!(f, "the data ends too early: {wanted} bytes are needed and {left} are left")
            }
            Self::TrailingBytes { count } => write!(f, "{count} bytes follow the end of the structure"),
            Self::BadMagic(magic) => write!(f, "not a class file: it starts with {magic:08x}, not cafebabe"),
            Self::UnsupportedVersion { major, minor } => {
                write!(f, "class file version {major}.{minor} is not supported")
            }
            Self::TooLarge { size } => write!(f, "{size} bytes are more than a class file may have"),
            Self::BadConstantTag(tag) => write!(f, "unknown constant pool tag {tag}"),
            Self::EmptyConstantPool => write!(f, "the constant pool count is 0"),
            Self::NoSuchConstant { index } => write!(f, "constant pool index #{index} names no constant"),
            Self::WrongConstant { index, expected, found } => {
                write!(f, "constant pool index #{index} should name a {expected} and names tag {found}")
            }
            Self::BadUtf8 => write!(f, "bytes that are not modified UTF-8"),
            Self::BadDescriptor => write!(f, "not a descriptor"),
            Self::BadOpcode(opcode) => write!(f, "undefined opcode 0x{opcode:02x}"),
            Self::BadWide(opcode) => {
                write!(f, "wide in front of opcode 0x{opcode:02x}, which has no wide form")
            }
            Self::ReservedOperand => write!(f, "reserved operand bytes that are not zero"),
            Self::BadSwitch => write!(f, "a switch with contradicting bounds"),
            Self::BadTarget { pc } => write!(f, "no instruction starts at code offset {pc}"),
            Self::BadCodeLength { length } => write!(f, "a method body of {length} bytes"),
            Self::BadFrame(kind) => write!(f, "reserved stack map frame type {kind}"),
            Self::BadVerificationType(tag) => write!(f, "unknown verification type {tag}"),
            Self::BadElementValue(tag) => write!(f, "unknown annotation value tag {tag}"),
            Self::BadTypeAnnotationTarget(tag) => write!(f, "unknown type annotation target 0x{tag:02x}"),
            Self::TooDeep { limit } => write!(f, "annotations nested more than {limit} deep"),
            Self::DuplicateAttribute => write!(f, "an attribute that may stand only once stands twice"),
            Self::Inconsistent(what) => f.write_str(what),
        }
    }
}

/// Sections of the Java Virtual Machine Specification that errors refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Section {
    /// 4.1, the `ClassFile` structure.
    ClassFile,
    /// 4.3, descriptors.
    Descriptors,
    /// 4.4, the constant pool.
    ConstantPool,
    /// 4.5, fields.
    Fields,
    /// 4.6, methods.
    Methods,
    /// 4.7, attributes in general.
    Attributes,
    /// A subsection of 4.7: the attribute's number.
    Attribute(u8),
    /// 4.9.1, static constraints on code.
    CodeConstraints,
    /// 6.5, instructions.
    Instructions,
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::ClassFile => f.write_str("4.1"),
            Self::Descriptors => f.write_str("4.3"),
            Self::ConstantPool => f.write_str("4.4"),
            Self::Fields => f.write_str("4.5"),
            Self::Methods => f.write_str("4.6"),
            Self::Attributes => f.write_str("4.7"),
            Self::Attribute(number) => write!(f, "4.7.{number}"),
            Self::CodeConstraints => f.write_str("4.9.1"),
            Self::Instructions => f.write_str("6.5"),
        }
    }
}
