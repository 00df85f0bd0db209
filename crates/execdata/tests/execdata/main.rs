//! Execution data against JaCoCo, JVMs, damage and the laws of adding up.
//!
//! All in one program, so that what the tests share is built once.

mod conversation;
mod damage;
mod jacoco;
mod laws;
mod locks;
mod random;
