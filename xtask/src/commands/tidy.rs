//! `cargo xtask tidy`: checks the structure of the repository and lists what breaks its rules.

use crate::failure::Failure;
use crate::root::repository_root;
use crate::tidy::{self, Severity};

pub(crate) fn run() -> Result<(), Failure> {
    let findings = tidy::check(repository_root())?;
    for finding in &findings {
        eprintln!("{finding}");
    }
    let errors = findings.iter().filter(|finding| finding.severity == Severity::Error).count();
    if errors > 0 {
        return Err(Failure::Untidy { errors });
    }
    eprintln!("tidy: no errors, {} warnings", findings.len());
    Ok(())
}
