//! One run of Probity, as a library: puts the parts together that each do one thing.
//!
//! It analyses coverage, records runs, and answers questions about stored traces. It reads files through the crates that know
//! their formats, uses all cores, and gives back
//! values; it never prints, and a part of the input that cannot be used never hides the rest.

pub mod analysis;
pub mod analysis_cache;
pub mod audit;
pub mod changed_lines;
pub mod html_report;
pub mod line_units;
pub mod matrix;
pub mod maven_run;
mod outside_rows;
pub mod patch;
pub mod recorded_run;
pub mod recording;
pub mod selection;
pub mod source_folders;
pub mod source_text;
pub mod store;
pub mod trace_description;
pub mod traces;
pub mod union;
pub mod verification;
pub mod who;
