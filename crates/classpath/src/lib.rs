//! Finds class files wherever they are: single files, folders, archives (jar, war, jmod) and the runtime
//! image of a JDK, which is read without starting a JVM.
//!
//! This crate exists so that nobody else has to know where bytes come from. A [`Source`] first lists what it
//! holds ([`Source::entries`], an index without contents) and then reads entries one by one
//! ([`Source::read`]), from as many threads as the caller likes.
//!
//! ```no_run
//! use probity_classpath::{EntryKind, ReadBuffer, Source};
//!
//! let source = Source::open("target/classes")?;
//! let mut buffer = ReadBuffer::new();
//! for entry in source.entries().iter().filter(|entry| entry.kind() == EntryKind::Class) {
//!     match source.read(entry, &mut buffer) {
//!         Ok(class) => assert!(!class.bytes.is_empty()),
//!         Err(error) => assert_eq!(error.name, entry.name()),
//!     }
//! }
//! # Ok::<(), probity_classpath::OpenError>(())
//! ```
//!
//! What a source lists is chosen on opening: what is called a class or an archive, or with
//! [`Source::open_by_content`] what is one by its first bytes, as JaCoCo does.
//!
//! # Invariants
//!
//! * It never looks inside a class file, past the bytes that tell what it is: what it yields are bytes.
//! * It never writes, and never prints.
//! * One bad entry never hides the others: it is an [`EntryError`], and the rest is still read.
//! * It trusts no size, offset or name that a container states: everything is checked against the
//!   length of the container and against [`Limits`] before memory is set aside.
//! * What is listed and what is refused depends on the input alone, not on threads or on the order of reads.

#![cfg_attr(
    not(test),
    warn(
        clippy::indexing_slicing,
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::unreachable
    )
)]

mod archive;
mod error;
mod folder;
mod format;
mod gzip;
mod image;
mod inflate;
mod limits;
mod names;
mod source;
mod storage;

pub use error::{EntryError, EntryErrorKind, OpenError, OpenErrorKind};
pub use format::Format;
pub use limits::Limits;
pub use names::NameProblem;
pub use source::{ClassEntry, Entry, EntryKind, ReadBuffer, Recognition, Source, SourceKind};
