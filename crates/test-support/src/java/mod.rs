//! Java programs in tests: compile them from text, run them, on every JDK that the tests are meant for.
//!
//! Everything happens in temporary folders. Nothing here may depend on what a JDK prints for people; exit codes and the
//! program's own output are the interface.

mod compile;
mod error;
mod jdks;
mod run;

pub use compile::{Compilation, CompiledClasses};
pub use error::JavaError;
pub use jdks::{TESTED_VERSIONS, installed_jdks, test_jdks};
pub(crate) use run::joined_class_path;
pub use run::{Program, ProgramOutput};
