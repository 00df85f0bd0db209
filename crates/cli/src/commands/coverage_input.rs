//! What commands that count coverage are given: exec files, classes and sources; and what comes of it.

use std::path::{Path, PathBuf};

use clap::Args;
use probity_coverage::BundleCoverage;
use probity_engine::analysis::{Analysis, Problem};
use probity_engine::analysis_cache::AnalysisCache;
use probity_engine::source_folders::{SourceFolder, SourceFolders};
use probity_execdata::store::Store;
use probity_report::{Report, ReportNode, SessionInfo};

use crate::commands::Verdict;
use crate::commands::groups::{self, Group};
use crate::commands::patch::{ChangedSince, PatchArguments};
use crate::commands::sources::{self, OpenPlaces};
use crate::error::CliError;
use crate::terminal::Messages;

/// The arguments that say what to count.
#[derive(Debug, Args)]
pub(crate) struct CoverageInputArguments {
    /// Exec files that this program's agent or JaCoCo's has recorded. Without one, nothing counts as executed.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    exec: Vec<PathBuf>,

    /// Class files, folders, archives, or jrt:JDK_HOME for the classes of a JDK.
    #[arg(
        long,
        value_name = "CLASSES",
        num_args = 1..,
        required_unless_present = "groups",
        conflicts_with = "groups"
    )]
    classes: Vec<String>,

    /// Classes of a group, such as a module: places as for --classes, separated as in a class path. A name with
    /// slashes is that of a group in a group; the same name again adds classes.
    #[arg(long = "group", value_name = "NAME=CLASSES", num_args = 1..)]
    groups: Vec<Group>,

    /// Folders with source files; GROUP=FOLDER if they are only of one group and those in it.
    #[arg(long, value_name = "FOLDER", num_args = 1..)]
    sources: Vec<String>,

    /// The name of the report.
    #[arg(long, default_value = "JaCoCo Coverage Report")]
    name: String,

    /// Keep what is counted for each class in this folder, for the next report: only classes that changed or were
    /// executed otherwise are then analysed.
    #[arg(long, value_name = "FOLDER")]
    cache: Option<PathBuf>,

    #[command(flatten)]
    patch: PatchArguments,
}

/// What was counted.
pub(crate) struct CoverageInput {
    pub(crate) report: Report,
    /// What could not be used or trusted.
    pub(crate) problems: Vec<Problem>,
    pub(crate) source_folders: SourceFolders,
    /// Which lines count, if not all do.
    pub(crate) changed_since: Option<ChangedSince>,
}

impl CoverageInputArguments {
    /// All places with classes, of whatever group.
    pub(crate) fn class_places(&self) -> impl Iterator<Item = &String> {
        self.classes.iter().chain(self.groups.iter().flat_map(|group| &group.classes))
    }
}

impl CoverageInput {
    /// Reads and counts; says what could not be used.
    pub(crate) fn load(
        arguments: &CoverageInputArguments,
        messages: &Messages,
    ) -> Result<CoverageInput, CliError> {
        let groups = groups::put_together(&arguments.groups)?;
        let source_folders = source_folders(&arguments.sources, &groups, messages);
        let places: Vec<&[String]> = if groups.is_empty() {
            vec![&arguments.classes]
        } else {
            groups.iter().map(|group| group.classes.as_slice()).collect()
        };
        let (store, open) = loaded_and_opened(&arguments.exec, places)?;
        let cache = match &arguments.cache {
            Some(folder) => Some(AnalysisCache::in_folder(folder)),
            // Modules often share classes.
            None => (groups.len() > 1).then(AnalysisCache::for_this_run),
        };
        let mut problems = Vec::new();
        let root = if groups.is_empty() {
            let analysis = sources::analyzed_first(open, &store, cache.as_ref(), messages);
            problems = analysis.problems;
            ReportNode::Bundle(analysis.classes.build(&arguments.name))
        } else {
            let analyses = open.into_iter().map(|places| places.analyzed(&store, cache.as_ref(), messages));
            grouped(&arguments.name, &groups, analyses, &mut problems)
        };
        if let (Some(cache), Some(folder)) = (cache, &arguments.cache) {
            save(cache, folder, messages);
        }
        for (group, bundle) in root.bundles() {
            warn_if_empty(&group, bundle, messages);
        }
        let report = Report { sessions: sessions(&store), root };
        let input = CoverageInput { report, problems, source_folders, changed_since: None };
        arguments.patch.restrict(input, messages)
    }

    /// Numbers that are missing are findings.
    pub(crate) fn verdict(&self) -> Verdict {
        if self.problems.iter().any(Problem::is_failure) { Verdict::Findings } else { Verdict::Clean }
    }
}

/// Each group is a bundle of its own, so that the same name can be in two of them.
fn grouped(
    name: &str,
    groups: &[Group],
    analyses: impl Iterator<Item = Analysis>,
    problems: &mut Vec<Problem>,
) -> ReportNode {
    let bundles = groups.iter().zip(analyses).map(|(group, analysis)| {
        problems.extend(analysis.problems);
        let (above, own_name) = group.above_and_name();
        (above.to_owned(), analysis.classes.build(own_name))
    });
    ReportNode::grouped(name, bundles)
}

/// Loads exec files and opens lists of places at the same time: neither needs the other.
fn loaded_and_opened(exec: &[PathBuf], places: Vec<&[String]>) -> Result<(Store, Vec<OpenPlaces>), CliError> {
    let (store, open) = std::thread::scope(|scope| {
        let store = scope.spawn(|| execution_data(exec));
        let open = sources::open_all(places.into_iter());
        (store.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), open)
    });
    Ok((store?, open?))
}

/// A report without a cache is as good, only slower the next time.
fn save(cache: AnalysisCache, folder: &Path, messages: &Messages) {
    if let Err(error) = cache.save() {
        messages.warning(&format_args!("{}: the cache cannot be written: {error}", folder.display()));
    }
}

/// Nothing to cover is most often a mistake in a path, and keeps every limit.
fn warn_if_empty(group: &str, bundle: &BundleCoverage, messages: &Messages) {
    if !bundle.counters.contains_code() {
        let place = if group.is_empty() { String::new() } else { format!(" of the group '{group}'") };
        messages.warning(&format_args!("the classes{place} have no code to cover"));
    }
}

/// The folders with sources; says which are not there, since reports can do without.
fn source_folders(given: &[String], groups: &[Group], messages: &Messages) -> SourceFolders {
    let folders = given.iter().map(|text| {
        let of_group = text.split_once('=').filter(|(path, _)| groups.iter().any(|group| group.is_in(path)));
        let (group, path) = of_group.map_or((None, text.as_str()), |(group, path)| (Some(group), path));
        SourceFolder { group: group.map(str::to_owned), path: PathBuf::from(path) }
    });
    let folders = SourceFolders::new(folders.collect());
    for folder in folders.folders().filter(|folder| !folder.is_dir()) {
        messages.warning(&format_args!("{}: there is no such folder with sources", folder.display()));
    }
    folders
}

fn execution_data(files: &[PathBuf]) -> Result<Store, CliError> {
    let mut store = Store::default();
    let unusable: Vec<_> = files.iter().filter_map(|path| store.load_file(path).err()).collect();
    if unusable.is_empty() { Ok(store) } else { Err(CliError::ExecFiles(unusable)) }
}

fn sessions(store: &Store) -> Vec<SessionInfo> {
    let sessions = store.sessions().into_iter();
    sessions
        .map(|session| SessionInfo {
            id: probity_execdata::utf::to_text(&session.id),
            start_millis: session.start_millis,
            dump_millis: session.dump_millis,
        })
        .collect()
}
