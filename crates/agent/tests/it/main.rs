//! The agent in real JVMs: what it records, and that it never harms.
//!
//! JaCoCo's agent and a run without any agent are the truth that everything is compared with. By default small samples
//! run; with `PROBITY_CORPUS=all` all workloads and jars, which takes many minutes and prints the tables of
//! `docs/results`.

mod bits;
mod execution_data;
mod harm;
mod harness;
mod loaders;
mod workloads;
