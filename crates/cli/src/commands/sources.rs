//! The classes that a command works on: opened, analysed, and told about where something is wrong.

use probity_classpath::Source;
use probity_engine::analysis::{Analysis, analyze};
use probity_execdata::store::Store;

use crate::error::CliError;
use crate::terminal::Messages;

/// Analyses the classes at some places; says what could not be used. Places that cannot be opened are an error.
pub(super) fn analyzed(places: &[String], store: &Store, messages: &Messages) -> Result<Analysis, CliError> {
    let (mut sources, mut unusable) = (Vec::new(), Vec::new());
    for place in places {
        match Source::open(place) {
            Ok(source) => sources.push(source),
            Err(error) => unusable.push(error),
        }
    }
    if !unusable.is_empty() {
        return Err(CliError::Inputs(unusable));
    }
    let analysis = analyze(&sources, store, all_cores());
    for problem in &analysis.problems {
        if problem.is_failure() {
            messages.error(problem, problem.hint());
        } else {
            messages.warning(problem);
        }
    }
    Ok(analysis)
}

/// How many threads there can be that do something.
pub(super) fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
