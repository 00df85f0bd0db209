//! Small programs in two revisions, for which it is known which tests give another result in the second.
//!
//! They stand in the folder `cases` at the root of the repository, one file each; its README says how to read and write
//! them. This module reads them, compiles them, runs their tests in a JVM and compares. It is the truth that selection
//! is measured against, so it must never use anything of the product: what changed is found by comparing bytes, and what
//! a test did by running it.

mod base64;
mod case;
mod changed;
mod compiler;
mod each;
mod earlier;
mod error;
mod layout;
mod outcome;
mod parse;
mod run;
mod workshop;

pub use case::{Case, Ekstazi, Level, Revision, Selected, Settings};
pub use changed::{Change, FoundClass, WhatChanged};
pub use each::try_each;
pub use error::{CaseError, Problem};
pub use layout::Layout;
pub use outcome::{MethodResult, TestOutcome};
pub use run::{CaseRun, TestRun};
pub use workshop::{Built, Workshop};
