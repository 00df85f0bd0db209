//! What the tests share: JDKs, jars from Maven's repository, Java programs compiled on the fly.
//!
//! The crate exists so that every test that needs a real class file or a real JVM gets it in the same way, and so that
//! the network is used once per machine and never again. It is for tests, benchmarks and the project's own commands:
//! no crate of the product may depend on it other than for its tests. It must never write outside the cache folder and
//! temporary folders, and never print.

pub mod browser;
pub mod cache;
pub mod cases;
pub mod corpus;
pub mod java;
pub mod link;
pub mod maven;
mod process;
pub mod programs;
pub mod projects;
pub mod suites;
pub mod tools;
