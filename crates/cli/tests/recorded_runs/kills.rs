//! Runs that are killed: what was in the store stays, what is added is whole, and nothing is left lying about.

use std::collections::BTreeSet;
use std::env;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use probity_trace::OUTSIDE;

use crate::project::{Project, TESTS, text};

/// How many runs are killed, unless somebody wants more.
const USUAL_KILLS: u32 = 30;

/// The variable for who wants more.
const KILLS: &str = "PROBITY_KILLS";

/// Who is killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Victim {
    Jvm,
    Probity,
}

/// A run with an option of its own, so that all of its traces are new, in a group of processes of its own.
fn start(project: &Project, round: u32) -> Child {
    let mut words = project.junit_4(&TESTS);
    words.insert(1, format!("-Dround={round}").into());
    let mut command = project.probity(&["run"], &words);
    command.stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
    command.spawn().expect("starts")
}

/// Kills a process, or with a minus a group of them. One that is gone already is no failure.
fn kill(process: &str) {
    let _ = Command::new("kill").args(["-9", "--", process]).stderr(Stdio::null()).status().expect("runs");
}

/// The JVM that a run has started, as soon as it has; nothing if the run has ended.
fn jvm_of(probity: &mut Child) -> Option<String> {
    let id = probity.id();
    while probity.try_wait().expect("is ours").is_none() {
        let children = std::fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap_or_default();
        if let Some(jvm) = children.split_whitespace().next() {
            return Some(jvm.to_owned());
        }
        thread::sleep(Duration::from_millis(1));
    }
    None
}

#[test]
fn whenever_a_run_is_killed_the_store_is_whole() {
    let kills = env::var(KILLS).ok().and_then(|kills| kills.parse().ok()).unwrap_or(USUAL_KILLS);
    let project = Project::new();
    let began = Instant::now();
    let status = start(&project, 0).wait().expect("ends");
    assert_eq!(status.code(), Some(0));
    let whole = began.elapsed();
    let ids = || -> BTreeSet<String> {
        project
            .store()
            .load()
            .iter()
            .filter(|one| one.unit() != OUTSIDE)
            .map(|one| one.id().to_string())
            .collect()
    };
    let mut known = ids();
    assert_eq!(known.len(), TESTS.len());
    let mut random = Random(7);
    let (mut killed, mut round, mut with_some, mut leftovers, mut added) = ([0; 2], 0, 0, 0, 0);
    while killed.iter().sum::<u32>() < kills {
        round += 1;
        assert!(round <= 3 * kills, "most runs end before they are killed");
        let victim = if round % 2 == 0 { Victim::Jvm } else { Victim::Probity };
        let mut child = start(&project, round);
        thread::sleep(random.below(whole + whole / 10));
        match victim {
            Victim::Probity => child.kill().expect("is ours"),
            Victim::Jvm => jvm_of(&mut child).iter().for_each(|jvm| kill(jvm)),
        }
        let status = child.wait().expect("ends");
        // Nobody but the test waits for a JVM whose parent was killed.
        kill(&format!("-{}", child.id()));
        match (status.code(), victim) {
            // It came too late.
            (Some(0), _) => {}
            (None, Victim::Probity) => killed[0] += 1,
            (Some(137), Victim::Jvm) => killed[1] += 1,
            _ => panic!("round {round}, {victim:?}: {status:?}"),
        }
        let verified = project.store().verify();
        assert_eq!(verified.problems, [], "round {round}, {victim:?}");
        let now = ids();
        assert!(now.is_superset(&known), "round {round}, {victim:?}: traces are gone");
        let new = now.len() - known.len();
        assert!(new <= TESTS.len(), "round {round}, {victim:?}: {new} new traces");
        with_some += u32::from((1..TESTS.len()).contains(&new));
        added += new;
        leftovers += project.left_behind().len();
        known = now;
    }
    for trace in project.traces() {
        assert_eq!(trace.tests.len(), 3, "{}: not all tests of a trace have ended", trace.unit);
    }
    clean_up(&project);
    let [of_probity, of_jvm] = killed;
    println!(
        "{} kills, {of_jvm} of the JVM and {of_probity} of probity run, in {round} runs: {with_some} runs had some of their units stored, \
         {added} traces in all, {leftovers} leftovers seen and removed; the store was whole after each, and no trace was lost",
        of_probity + of_jvm
    );
}

/// The next run removes what killed runs have left, and so does a prune.
fn clean_up(project: &Project) {
    let left = project.store_folder().join("recordings-4294967295-1");
    std::fs::create_dir_all(&left).expect("makes");
    assert_eq!(project.run(&project.junit_4(&TESTS)).status.code(), Some(0));
    assert!(project.left_behind().is_empty(), "{:?}", project.left_behind());
    std::fs::create_dir_all(&left).expect("makes");
    let pruned = project.probity(&["store", "prune"], &[]).output().expect("runs");
    assert_eq!(pruned.status.code(), Some(0), "{}", text(&pruned.stderr));
    assert!(project.left_behind().is_empty(), "{:?}", project.left_behind());
}

/// Numbers that look random and are the same each time.
struct Random(u64);

impl Random {
    fn below(&mut self, most: Duration) -> Duration {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        most.mul_f64((self.0 >> 33) as f64 / (1u64 << 31) as f64)
    }
}
