//! Tries Probity on input that nobody would write, and on whole corpora, with other tools as judges.
//!
//! A target takes a damaged class file and says whether what was done with it was right. What is right does not come
//! from the code under test: it comes from the input, from a second way to the same answer, or from a JVM. A target
//! must never pass because it did nothing; the counts say how much was really tried.
//!
//! - [`seeds`] finds real classes, [`mutate`](mod@mutate) damages them.
//! - [`store_files`] does the same for files of a store.
//! - [`targets`] has what is tried, [`run`](mod@run) runs it on several threads under a watch.
//! - [`verify_rewrite`] is not about damage: it puts the rewritten corpus before JVMs.
//! - [`model`] is not about class files: it tries the executable model at length.

pub mod failure;
pub mod jury;
pub mod model;
pub mod mutate;
mod places;
pub mod run;
pub mod seeds;
pub mod store_files;
pub mod targets;
pub mod verify_rewrite;

// These belong to the tests of the class-file crate, which try them on a small sample.
#[path = "../../classfile/tests/jvm/class_set.rs"]
mod class_set;
#[path = "../../classfile/tests/jvm/comparison.rs"]
mod comparison;
#[path = "../../classfile/tests/jvm/inlined_listing.rs"]
mod inlined_listing;
#[path = "../../classfile/tests/jvm/insertions.rs"]
mod insertions;

// These belong to the tests of the store.
#[path = "../../store/tests/it/synthetic.rs"]
mod synthetic;

// This belongs to the tests of the model, which try it on a small sample.
#[path = "../../model/tests/hotspot/jvm.rs"]
mod model_jvm;
