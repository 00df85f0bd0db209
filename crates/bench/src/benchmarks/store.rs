//! The store on made-up traces of a large project: how much room it takes, how long it takes to load, to add a run and to prune.
//!
//! There is nothing to compare it with; the prototypes that it was chosen from are in the decision about it. Times are on the wall, since
//! some of them is waiting for the disk, and beside them the processor time. Before anything is timed, what comes back is compared with what was added.

use crate::clock::Moment;
use crate::failure::Failure;
use crate::statistics::Spread;
use crate::table::markdown;
use probity_shape::Shape;
use probity_store::{Retention, Run, Store};
use probity_trace::Trace;
use std::time::{Duration, Instant};

// These belong to the tests of the store.
#[path = "../../../store/tests/it/synthetic.rs"]
mod synthetic;
use synthetic::Project;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// How many units there are.
    #[arg(long, default_value_t = 2000)]
    units: u32,
    /// How many runs are added to the first one.
    #[arg(long, default_value_t = 20)]
    runs: u32,
    /// How many units each of them records.
    #[arg(long, default_value_t = 50)]
    units_per_run: u32,
    /// How many times everything is loaded.
    #[arg(long, default_value_t = 15)]
    rounds: usize,
}

/// The projects: what units have in common decides how large a store is.
const PROJECTS: [(&str, Project); 2] = [
    ("units use classes in the same ways", Project::LARGE),
    ("no use is like another", Project::LARGE_WITHOUT_LIKENESS),
];

pub(crate) fn run(arguments: &Arguments) -> Result<String, Failure> {
    let mut rows: Vec<Vec<String>> = FIGURES.iter().map(|name| vec![(*name).to_owned()]).collect();
    for (_, project) in PROJECTS {
        for (row, figure) in rows.iter_mut().zip(measure(arguments, project)?) {
            row.push(figure);
        }
    }
    let headings: Vec<&str> = ["what"].into_iter().chain(PROJECTS.map(|(name, _)| name)).collect();
    let Arguments { units, runs, units_per_run, rounds } = arguments;
    Ok(format!(
        "{units} units with {} of {} classes each; then {runs} runs of {units_per_run} units; loaded {rounds} times.\n\
         Milliseconds on the wall, and of processor time; median (smallest..largest).\n\n{}",
        Project::LARGE.classes_per_unit,
        Project::LARGE.classes,
        markdown(&headings, &rows)
    ))
}

const FIGURES: [&str; 11] = [
    "bytes for each pair of unit and class, first run",
    "the same without shapes",
    "adding the first run",
    "loading all traces",
    "loading them and looking at every class",
    "loading all shapes",
    "adding a run",
    "adding a run that is known",
    "bytes for each pair, all runs",
    "loading all traces of all runs",
    "pruning",
];

/// How often the first run is added, each time to a store of its own.
const FIRST_RUNS: usize = 7;

fn measure(arguments: &Arguments, project: Project) -> Result<Vec<String>, Failure> {
    let folder = temporary_folder()?;
    let bench = Bench { store: Store::at(folder.path()), rounds: arguments.rounds };
    let first: Vec<Trace> = (0..arguments.units).map(|unit| project.trace(unit, 0)).collect();
    let shapes = project.shapes(0);
    let mut adding_first = vec![bench.add(&first, &shapes, 0)?];
    for _ in 1..FIRST_RUNS {
        let folder = temporary_folder()?;
        let other = Bench { store: Store::at(folder.path()), rounds: 0 };
        adding_first.push(other.add(&first, &shapes, 0)?);
    }
    bench.check(&first)?;
    let sizes = bench.bytes_per_pair();
    let loading = bench.loading();
    let looking = bench.looking();
    let loading_shapes = bench.timed(|| bench.store.shapes().len());
    let runs: Vec<(Vec<Trace>, Vec<Shape>)> = (1..=arguments.runs)
        .map(|run| {
            let start = run * 37 * arguments.units_per_run;
            let units = (start..start + arguments.units_per_run).map(|unit| unit % arguments.units);
            (units.map(|unit| project.trace(unit, run)).collect(), project.shapes(run))
        })
        .collect();
    let mut adding = Vec::new();
    for (number, (traces, shapes)) in (1..).zip(&runs) {
        adding.push(bench.add(traces, shapes, number)?);
    }
    let sizes_after = bench.bytes_per_pair();
    let loading_after = bench.loading();
    let mut adding_known = Vec::new();
    for (number, (traces, shapes)) in (1000..).zip(&runs) {
        adding_known.push(bench.add(traces, shapes, number)?);
    }
    let (pruned, pruning) = Times::of(|| bench.store.prune(&Retention::USUAL));
    pruned.map_err(|error| failure(&error))?;
    Ok(vec![
        format!("{:.1}", sizes[0]),
        format!("{:.1}", sizes[1]),
        spread(&adding_first),
        spread(&loading),
        spread(&looking),
        spread(&loading_shapes),
        spread(&adding),
        spread(&adding_known),
        format!("{:.1}", sizes_after[0]),
        spread(&loading_after),
        spread(&[pruning]),
    ])
}

fn temporary_folder() -> Result<tempfile::TempDir, Failure> {
    tempfile::tempdir().map_err(|error| Failure::Program { name: "a folder".to_owned(), error })
}

struct Bench {
    store: Store,
    rounds: usize,
}

impl Bench {
    fn add(&self, traces: &[Trace], shapes: &[Shape], number: u64) -> Result<Times, Failure> {
        let run = Run { began: number, command: "a run".to_owned(), exit: Some(0) };
        let (added, times) = Times::of(|| self.store.add_run(traces, shapes, &run));
        added.map_err(|error| failure(&error))?;
        Ok(times)
    }

    fn check(&self, added: &[Trace]) -> Result<(), Failure> {
        let traces = self.store.load();
        let is_there = |trace: &Trace| traces.of_unit(&trace.unit).any(|stored| stored.to_trace() == *trace);
        if added.iter().all(is_there) {
            return Ok(());
        }
        Err(Failure::Broken { name: "the store".to_owned(), why: "a trace is not there".to_owned() })
    }

    /// With shapes and without.
    fn bytes_per_pair(&self) -> [f64; 2] {
        let contents = self.store.contents();
        let ((_, traces), (_, shapes)) = (contents.trace_files, contents.shape_files);
        [traces + shapes, traces].map(|bytes| bytes as f64 / contents.pairs as f64)
    }

    fn timed(&self, work: impl Fn() -> usize) -> Vec<Times> {
        let one = |_| Times::of(|| std::hint::black_box(work())).1;
        (0..=self.rounds).map(one).skip(1).collect()
    }

    fn loading(&self) -> Vec<Times> {
        self.timed(|| self.store.load().len())
    }

    /// What a selection does at the least: the name, the bytes and the hits of each class of each trace.
    fn looking(&self) -> Vec<Times> {
        self.timed(|| {
            let traces = self.store.load();
            let classes = traces.iter().flat_map(|trace| trace.classes());
            classes.map(|class| class.name().len() + class.content().0.len() + class.hit_bytes().len()).sum()
        })
    }
}

fn failure(error: &probity_store::StoreError) -> Failure {
    Failure::Broken { name: "the store".to_owned(), why: error.to_string() }
}

/// How long something took, in milliseconds.
#[derive(Clone, Copy)]
struct Times {
    wall: f64,
    processor: f64,
}

impl Times {
    fn of<T>(work: impl FnOnce() -> T) -> (T, Times) {
        let (wall, processor) = (Instant::now(), Moment::now());
        let done = work();
        let millis = |time: Duration| time.as_secs_f64() * 1000.0;
        (done, Times { processor: millis(processor.elapsed()), wall: millis(wall.elapsed()) })
    }
}

fn spread(times: &[Times]) -> String {
    let of = |figure: fn(&Times) -> f64| {
        Spread::of(times.iter().map(figure)).map_or_else(String::new, |spread| format!("{spread:.0}"))
    };
    format!("{}; {}", of(|times| times.wall), of(|times| times.processor))
}
