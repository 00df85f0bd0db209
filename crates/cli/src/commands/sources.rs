//! The classes that a command works on: opened, analysed, and told about where something is wrong.

use std::io::ErrorKind;

use probity_classpath::{OpenError, OpenErrorKind, Source};
use probity_engine::analysis::{Analysis, Problem, analyze};
use probity_engine::analysis_cache::AnalysisCache;
use probity_execdata::store::Store;

use crate::error::CliError;
use crate::terminal::Messages;

/// Places of classes, opened.
pub(super) struct OpenPlaces {
    sources: Vec<Source>,
    unusable: Vec<OpenError>,
}

impl OpenPlaces {
    fn new(places: &[String]) -> OpenPlaces {
        let mut open = OpenPlaces { sources: Vec::new(), unusable: Vec::new() };
        for place in places {
            match Source::open_by_content(place) {
                Ok(source) => open.sources.push(source),
                Err(error) => open.unusable.push(error),
            }
        }
        open
    }

    /// Analyses the classes; says what could not be used.
    pub(super) fn analyzed(
        self,
        store: &Store,
        cache: Option<&AnalysisCache>,
        messages: &Messages,
    ) -> Analysis {
        let mut analysis = analyze(&self.sources, store, all_cores(), cache);
        let unusable = self.unusable.into_iter().map(Problem::Unopenable);
        analysis.problems.splice(0..0, unusable);
        for problem in &analysis.problems {
            if problem.is_failure() {
                messages.error(problem, problem.hint());
            } else {
                messages.warning(problem);
            }
        }
        analysis
    }
}

/// Opens lists of places. A place that is damaged does not hide the others; one that is not there is a mistake in the
/// arguments, and so is it if nothing at all can be opened.
pub(super) fn open_all<'p>(lists: impl Iterator<Item = &'p [String]>) -> Result<Vec<OpenPlaces>, CliError> {
    let open: Vec<OpenPlaces> = lists.map(OpenPlaces::new).collect();
    let is_hopeless = open.iter().all(|places| places.sources.is_empty())
        || open.iter().flat_map(|places| &places.unusable).any(is_missing);
    if is_hopeless {
        return Err(CliError::Inputs(open.into_iter().flat_map(|places| places.unusable).collect()));
    }
    Ok(open)
}

/// Opens one list of places and analyses the classes there.
pub(super) fn analyzed(
    places: &[String],
    store: &Store,
    cache: Option<&AnalysisCache>,
    messages: &Messages,
) -> Result<Analysis, CliError> {
    Ok(analyzed_first(open_all(std::iter::once(places))?, store, cache, messages))
}

/// Analyses the classes of the first list of places.
pub(super) fn analyzed_first(
    open: Vec<OpenPlaces>,
    store: &Store,
    cache: Option<&AnalysisCache>,
    messages: &Messages,
) -> Analysis {
    open.into_iter().map(|places| places.analyzed(store, cache, messages)).next().unwrap_or_default()
}

fn is_missing(error: &OpenError) -> bool {
    match &error.kind {
        OpenErrorKind::Unreadable(error) => error.kind() == ErrorKind::NotFound,
        OpenErrorKind::NoRuntimeImage(_) => true,
        _ => false,
    }
}

/// How many threads there can be that do something.
pub(super) fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
