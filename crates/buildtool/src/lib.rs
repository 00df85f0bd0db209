//! How Probity gets into a build that was not prepared for it.
//!
//! It knows what a build tool wants to hear: where its program is, which arguments make it load what Probity brings along, and how the
//! two speak to each other while the build runs. What is asked and answered is decided elsewhere. It must never print, never
//! change a file of the project, and never start a build by itself.

pub mod maven;
