//! Several processes at once, and processes that are killed while they write.

use crate::roundtrip::{empty, loaded, run};
use crate::synthetic::Project;
use probity_store::{Retention, Store};
use probity_trace::Trace;
use std::collections::HashSet;
use std::env;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const FOLDER: &str = "PROBITY_TEST_WRITES_TO";
const NUMBER: &str = "PROBITY_TEST_WRITER";
const RUNS: &str = "PROBITY_TEST_RUNS";

fn trace(writer: u32, run: u32) -> Trace {
    let mut trace = Project { classes_per_unit: 10, ..Project::SMALL }.trace(writer, run);
    trace.unit = format!("{}.{writer}.{run}", trace.unit);
    trace
}

fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "\n{line}").and_then(|()| out.flush()).expect("writes");
}

/// Not a test of its own: the process that others start. It says each run on a line when the store has it.
#[test]
fn a_process_that_writes() {
    let Ok(folder) = env::var(FOLDER) else { return };
    let number = |name| env::var(name).expect("is set").parse::<u32>().expect("is a number");
    let store = Store::at(folder);
    let (writer, runs) = (number(NUMBER), number(RUNS));
    say("ready");
    for number in 0..runs {
        let shapes = Project::SMALL.shapes(writer * 40 + number);
        store.add_run(&[trace(writer, number)], &shapes, &run(number.into())).expect("adds");
        say(&format!("done {number}"));
        if number % 5 == 4 {
            let keep_all = Retention { traces_per_unit: usize::MAX, runs: usize::MAX };
            store.prune(&keep_all).expect("prunes");
        }
    }
}

fn start(store: &Store, writer: u32, runs: u32) -> Child {
    Command::new(env::current_exe().expect("this program"))
        .args(["--exact", "processes::a_process_that_writes", "--nocapture"])
        .env(FOLDER, store.folder())
        .env(NUMBER, writer.to_string())
        .env(RUNS, runs.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("starts")
}

#[test]
fn several_processes_add_and_prune_at_once_and_nothing_is_lost() {
    const WRITERS: u32 = 4;
    const OF_EACH: u32 = 12;
    let (_folder, store) = empty();
    let children: Vec<Child> = (0..WRITERS).map(|writer| start(&store, writer, OF_EACH)).collect();
    // A reader never sees less than before, nor anything damaged.
    let mut known = 0;
    let mut children: Vec<Option<Child>> = children.into_iter().map(Some).collect();
    while children.iter().any(Option::is_some) {
        let now = loaded(&store).len();
        assert!(now >= known, "{now} after {known}");
        known = now;
        for place in &mut children {
            if let Some(child) = place
                && let Some(status) = child.try_wait().expect("is ours")
            {
                assert!(status.success());
                *place = None;
            }
        }
    }
    let units: HashSet<String> = loaded(&store).into_iter().map(|trace| trace.unit).collect();
    for (writer, number) in (0..WRITERS).flat_map(|writer| (0..OF_EACH).map(move |number| (writer, number))) {
        assert!(units.contains(&trace(writer, number).unit), "run {number} of writer {writer}");
    }
    assert_eq!(store.verify().problems, []);
}

#[test]
fn threads_of_one_process_do_not_disturb_each_other() {
    let (_folder, store) = empty();
    thread::scope(|scope| {
        for writer in 0..4 {
            let store = &store;
            scope.spawn(move || {
                for number in 0..10 {
                    store.add_run(&[trace(writer, number)], &[], &run(number.into())).expect("adds");
                }
            });
        }
    });
    assert_eq!(loaded(&store).len(), 40);
}

/// However early or late a process is killed, what it said to be there is there, whole, and so is everything before.
#[test]
fn a_killed_process_loses_nothing_that_was_there() {
    const KILLS: u32 = 200;
    let (_folder, store) = empty();
    let mut rng = fastrand::Rng::with_seed(5);
    let mut promised: HashSet<String> = HashSet::new();
    for writer in 0..KILLS {
        let mut child = start(&store, writer, 1000);
        let mut output = BufReader::new(child.stdout.take().expect("is piped"));
        let mut line = String::new();
        while line.trim() != "ready" {
            line.clear();
            assert_ne!(output.read_line(&mut line).expect("reads"), 0, "the process ended");
        }
        let deadline = Instant::now() + Duration::from_micros(rng.u64(..25_000));
        while Instant::now() < deadline {
            std::hint::spin_loop();
        }
        child.kill().expect("is ours");
        child.wait().expect("ends");
        let mut rest = String::new();
        output.read_to_string(&mut rest).expect("reads");
        let done = rest.lines().filter_map(|line| line.strip_prefix("done "));
        promised.extend(done.map(|number| trace(writer, number.parse().expect("a number")).unit));
        let units: HashSet<String> = store.load().units().map(str::to_owned).collect();
        assert!(promised.is_subset(&units), "after {writer} kills");
        assert_eq!(store.load().problems(), [], "after {writer} kills");
    }
    assert!(!promised.is_empty());
    assert_eq!(store.verify().problems, []);
    store.prune(&Retention::USUAL).expect("prunes");
    let units: HashSet<String> = store.load().units().map(str::to_owned).collect();
    assert!(promised.is_subset(&units));
    let is_partial =
        |path: &std::path::Path| path.extension().is_some_and(|extension| extension == "partial");
    for part in ["traces", "shapes"] {
        for entry in std::fs::read_dir(store.folder().join(part)).expect("is there") {
            assert!(!is_partial(&entry.expect("is listed").path()));
        }
    }
}
