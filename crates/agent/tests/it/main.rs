//! The agent in real JVMs: what it records, and that it never harms.
//!
//! JaCoCo's agent and a run without any agent are the truth that everything is compared with. By default small samples
//! run; with `PROBITY_CORPUS=all` all workloads and jars, which takes many minutes and prints the tables of
//! `docs/results`.

#![allow(clippy::print_stdout, reason = "the tables are for who asks for everything")]

mod bits;
mod execution_data;
mod frameworks;
mod harm;
mod harness;
mod jvms;
mod loaders;
mod loading;
mod options;
mod remote;
mod report;
mod trace_bits;
mod trace_facts;
mod trace_harm;
mod trace_killed;
mod trace_once;
mod trace_settings;
mod trace_units;
mod traces;
mod workloads;
