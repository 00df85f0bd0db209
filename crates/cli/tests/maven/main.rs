//! `probity mvn` with real Maven and real projects, each in a folder of its own.
//!
//! The first run on a machine fetches plugins and libraries into Maven's local repository; after that no network is needed.
//! `PROBITY_TEST_MAVEN=/path/to/mvn` tries another Maven than that of the machine.

mod agents;
mod endings;
mod frameworks;
mod leaving_out;
mod modules;
mod project;
mod recorded;
mod selected;
