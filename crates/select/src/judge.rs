//! Decides about traces and units.

use crate::class_diff::{BodyDiff, ClassDiff};
use crate::effect::Effect;
use crate::environment;
use crate::level::Level;
use crate::reason::{ClassReason, Reason};
use crate::tree::{Found, Tree};
use crate::unit_view::UnitView;
use probity_shape::{ContentId, Shape};
use probity_trace::{ClassUse, FileState, FileUse, Outcome, ResourceUse, Trace};
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

/// So many reasons are told for a trace, at the most.
const MOST_REASONS: usize = 8;

/// Whether a unit must run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It need not: the trace at this position holds.
    Fresh(usize),
    /// It must: something is different.
    Stale(Vec<Reason>),
    /// It must: nobody knows whether something is different.
    Unknown(Vec<Reason>),
}

/// Compares traces with the tree as it is now. What it finds out about two versions of a class it keeps.
pub struct Judge<'t> {
    tree: &'t dyn Tree,
    level: Level,
    allows_processes: bool,
    diffs: RefCell<HashMap<[ContentId; 2], Option<Arc<Compared>>>>,
}

/// Two versions of a class.
struct Compared {
    old: Arc<Shape>,
    new: ContentId,
    diff: ClassDiff,
}

impl<'t> Judge<'t> {
    /// One that looks so closely.
    #[must_use]
    pub fn new(tree: &'t dyn Tree, level: Level) -> Self {
        Self { tree, level, allows_processes: false, diffs: RefCell::default() }
    }

    /// Takes processes that tests start for something that never changes.
    #[must_use]
    pub fn allow_processes(mut self) -> Self {
        self.allows_processes = true;
        self
    }

    /// Whether a unit must run of which these are all traces.
    ///
    /// Traces of one tree can differ, because some things happen once in a JVM and state is shared. All of them together are what counts: one
    /// that holds shows nothing as long as another one of the same tree does not.
    #[must_use]
    pub fn unit(&self, traces: &[&Trace]) -> Verdict {
        let mut holding: Option<(usize, &Trace)> = None;
        let mut newest: Option<(&Trace, Vec<Reason>)> = None;
        let all: Vec<Vec<Reason>> = traces.iter().map(|trace| self.reasons(trace)).collect();
        for (position, trace) in traces.iter().enumerate() {
            let others = traces
                .iter()
                .zip(&all)
                .filter(|(other, reasons)| !reasons.is_empty() && is_of_one_tree(trace, other));
            // Its own reasons come first.
            let own = all.get(position).filter(|reasons| !reasons.is_empty());
            let reasons =
                own.or_else(|| others.map(|(_, reasons)| reasons).next()).cloned().unwrap_or_default();
            if reasons.is_empty() {
                if holding.is_none_or(|(_, other)| trace.began > other.began) {
                    holding = Some((position, trace));
                }
            } else if newest.as_ref().is_none_or(|(other, _)| trace.began > other.began) {
                newest = Some((trace, reasons));
            }
        }
        match (holding, newest) {
            (Some((_, trace)), _) if trace.outcome() == Outcome::Failed => {
                Verdict::Stale(vec![Reason::Failed])
            }
            (Some((position, _)), _) => Verdict::Fresh(position),
            (None, Some((_, reasons))) if reasons.iter().all(is_ignorance) => Verdict::Unknown(reasons),
            (None, Some((_, reasons))) => Verdict::Stale(reasons),
            (None, None) => Verdict::Stale(vec![Reason::New]),
        }
    }

    /// Why a trace does not hold, the first reasons; none if it does.
    #[must_use]
    pub fn reasons(&self, trace: &Trace) -> Vec<Reason> {
        let mut reasons: Vec<Reason> =
            self.tree.environment().map_or_else(Vec::new, |now| environment::differences(trace, now));
        let unit = UnitView::new(trace, self.tree);
        let classes = trace.classes.iter().filter_map(|used| self.class(&unit, used));
        reasons.extend(classes.take(MOST_REASONS));
        reasons.extend(self.surroundings(trace).take(MOST_REASONS));
        reasons.extend(trace.distrust.iter().cloned().map(Reason::Distrusted).take(MOST_REASONS));
        if trace.starts_processes && !self.allows_processes {
            reasons.push(Reason::Processes);
        }
        reasons
    }

    fn class(&self, unit: &UnitView<'_>, used: &ClassUse) -> Option<Reason> {
        let what = match self.tree.class(&used.name, &used.place) {
            Found::Absent => ClassReason::Gone,
            Found::Unreadable(why) => ClassReason::Unreadable(why),
            Found::Class { moved_to: Some(place), .. } => ClassReason::Moved(place),
            Found::Class { content, .. } if content == used.content => return None,
            Found::Class { content, .. } => match self.compared(used.content, content) {
                Some(compared) => {
                    let Compared { old, new, diff } = &*compared;
                    let walk = |body: &BodyDiff| {
                        let [before, now] = body.positions;
                        self.tree.body_walk((old.content, before), (*new, now))
                    };
                    Effect { unit, used, old, diff, walk: &walk }.reason(self.level)?
                }
                None => ClassReason::Bytes,
            },
        };
        Some(Reason::Class { name: used.name.to_string(), what })
    }

    fn compared(&self, old: ContentId, new: ContentId) -> Option<Arc<Compared>> {
        let mut diffs = self.diffs.borrow_mut();
        let known = diffs.entry([old, new]).or_insert_with(|| {
            let (old, new) = (self.tree.shape(old)?, self.tree.shape(new)?);
            let diff = ClassDiff::between(&old, &new);
            Some(Arc::new(Compared { old, new: new.content, diff }))
        });
        known.clone()
    }

    /// What is different beside classes.
    fn surroundings<'a>(&'a self, trace: &'a Trace) -> impl Iterator<Item = Reason> + 'a {
        let absent = trace.absent_classes.iter().filter_map(|name| match self.tree.has_class(name) {
            Ok(false) => None,
            Ok(true) => Some(Reason::ClassAppeared(name.clone())),
            Err(why) => Some(Reason::Unknown(why)),
        });
        let files = trace.files.iter().filter_map(|file| match self.tree.file(&file.path, file.state) {
            Ok(state) if state == file.state => None,
            Ok(_) => Some(Reason::File(file.path.clone())),
            Err(why) => Some(Reason::Unknown(why)),
        });
        let resources =
            trace.resources.iter().filter_map(|resource| match self.tree.resource(&resource.name) {
                Ok(found) if found == resource.found => None,
                Ok(_) => Some(Reason::Resource(resource.name.clone())),
                Err(why) => Some(Reason::Unknown(why)),
            });
        let variables = trace.variables.iter().filter_map(|variable| match &variable.name {
            None if variable.value == Some(self.tree.all_variables()) => None,
            None => Some(Reason::AllVariables),
            Some(name) if self.tree.variable(name) == variable.value => None,
            Some(name) => Some(Reason::Variable(name.clone())),
        });
        absent.chain(files).chain(resources).chain(variables)
    }
}

/// Whether two traces can be of one tree: what both used was the same.
fn is_of_one_tree(one: &Trace, other: &Trace) -> bool {
    let known: HashMap<(&str, &str), ContentId> =
        one.classes.iter().map(|used| ((&*used.name, &*used.place), used.content)).collect();
    let classes = other
        .classes
        .iter()
        .all(|used| known.get(&(&*used.name, &*used.place)).is_none_or(|content| *content == used.content));
    let files: HashMap<&str, FileState> =
        one.files.iter().map(|file| (file.path.as_str(), file.state)).collect();
    let has_other_file =
        |file: &FileUse| files.get(file.path.as_str()).is_some_and(|state| *state != file.state);
    let resources: HashMap<&str, Option<ContentId>> =
        one.resources.iter().map(|resource| (resource.name.as_str(), resource.found)).collect();
    let has_other_resource =
        |used: &ResourceUse| resources.get(used.name.as_str()).is_some_and(|found| *found != used.found);
    one.environment == other.environment
        && classes
        && !other.files.iter().any(has_other_file)
        && !other.resources.iter().any(has_other_resource)
}

/// Whether a reason says that something is not known, rather than that it is different.
fn is_ignorance(reason: &Reason) -> bool {
    matches!(reason, Reason::Distrusted(_) | Reason::Processes | Reason::Unknown(_))
}
