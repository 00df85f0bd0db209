//! Programs that change by chance: after each change, what a selection says is compared with a run of everything, at every level. No unit
//! whose result changes may be skipped, and the coverage that is put together must be that of the whole run, probe by probe.
//!
//! `PROBITY_EVOLUTION=programs,steps,seed` asks for more.

#![allow(clippy::print_stdout, reason = "how much was tried is shown to who asks for more")]

#[path = "../support/agent_library.rs"]
mod agent_library;
mod program;

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;
use std::fs;

use agent_library::agent_library;
use fastrand::Rng;
use probity_engine::recorded_run::{RunRequest, RunResult, run};
use probity_engine::selection::{ClassPathNow, Level, Selection, SelectionRequest, State, select};
use probity_engine::verification::{differing_probes, missed};
use probity_store::Store;
use probity_test_support::java::installed_jdks;
use probity_test_support::programs::{JUNIT_4, class_path};
use program::Program;

/// The variable that asks for more.
const MORE: &str = "PROBITY_EVOLUTION";

#[test]
fn nothing_is_missed_and_coverage_is_exact_whatever_changes() {
    let asked = env::var(MORE).unwrap_or_else(|_| "150,8,1".to_owned());
    let numbers: Vec<u64> = asked.split(',').map(|number| number.parse().expect("a number")).collect();
    let [count, steps, seed] = numbers[..] else { panic!("{MORE}=programs,steps,seed") };
    let mut rng = Rng::with_seed(seed);
    let mut programs: Vec<Program> =
        (0..count as usize).map(|number| Program::new(number, &mut rng)).collect();
    let world = World::new();
    world.compile(&programs);
    world.run_all(&programs);
    let mut ran: BTreeMap<Level, usize> = BTreeMap::new();
    let mut units = 0;
    for step in 0..steps {
        let edits: Vec<String> = programs.iter_mut().map(|program| program.edit(&mut rng)).collect();
        world.compile(&programs);
        let selections: Vec<(Level, Selection)> =
            Level::ALL.into_iter().map(|level| (level, world.select(level))).collect();
        let full = world.run_all(&programs);
        for (level, selection) in &selections {
            units += selection.units.len();
            *ran.entry(*level).or_default() +=
                selection.units.iter().filter(|unit| unit.state != State::Fresh).count();
            let (missed, probes) = (missed(selection, &full), differing_probes(selection, &full));
            let wrong = missed
                .first()
                .map(|missed| &missed.unit[..])
                .or(probes.first().map(|probe| &probe.class[..]));
            let edit = wrong.and_then(|name| {
                name.trim_start_matches('p').split(['.', '/']).next()?.parse::<usize>().ok()
            });
            assert!(
                missed.is_empty() && probes.is_empty(),
                "seed {seed}, step {step}, level {level}, {:?}: {missed:?} {probes:?}",
                edit.and_then(|program| edits.get(program))
            );
        }
    }
    println!("{count} programs, {steps} edits of each; of {} units ran {ran:?}", units / Level::ALL.len());
    assert!(ran[&Level::Method] < ran[&Level::Class] && ran[&Level::Edge] <= ran[&Level::Method], "{ran:?}");
    assert!(ran[&Level::Class] < units / Level::ALL.len(), "everything ran: {ran:?}");
}

/// Where the programs are compiled and run.
struct World {
    folder: tempfile::TempDir,
    store: Store,
    java: OsString,
    jdk: probity_toolchain::Jdk,
    library: String,
}

impl World {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let jdk = installed_jdks().into_iter().next().expect("a JDK");
        let library = class_path(&[JUNIT_4]).unwrap_or_else(|error| panic!("{error}"));
        let library = env::join_paths(library).expect("can be joined").into_string().expect("is text");
        let store = Store::at(folder.path().join(".probity"));
        Self { store, java: jdk.java().into(), jdk, library, folder }
    }

    fn compile(&self, programs: &[Program]) {
        let (sources, classes) = (self.folder.path().join("src"), self.folder.path().join("classes"));
        for folder in [&sources, &classes] {
            let _ = fs::remove_dir_all(folder);
            fs::create_dir_all(folder).expect("makes");
        }
        let mut list = String::new();
        for program in programs {
            let (package, files) = program.files();
            fs::create_dir_all(sources.join(package)).expect("makes");
            for (name, text) in files {
                let file = sources.join(package).join(name);
                fs::write(&file, text).expect("writes");
                list.push_str(&format!("{}\n", file.display()));
            }
        }
        let arguments = self.folder.path().join("sources.txt");
        fs::write(&arguments, list).expect("writes");
        let mut javac = std::process::Command::new(self.jdk.javac());
        javac.args(["-g", "-nowarn", "-proc:none", "-cp", &self.library, "-d"]).arg(&classes);
        let output = javac.arg(format!("@{}", arguments.display())).output().expect("starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    fn select(&self, level: Level) -> Selection {
        let variables = env::vars_os().collect();
        select(&SelectionRequest {
            store: &self.store,
            project: self.folder.path(),
            class_path: ClassPathNow::AsBefore,
            environment: None,
            variables: &variables,
            level,
            counts: None,
        })
    }

    fn run_all(&self, programs: &[Program]) -> RunResult {
        let classes = self.folder.path().join("classes");
        let mut command = vec![self.java.clone(), "-cp".into()];
        command.push(format!("{}:{}", classes.display(), self.library).into());
        command.push("org.junit.runner.JUnitCore".into());
        command.extend(programs.iter().flat_map(Program::tests).map(OsString::from));
        let agent = agent_library();
        let request = RunRequest {
            command: &command,
            agent: &agent,
            store: &self.store,
            project: self.folder.path(),
            exec_file: None,
        };
        let result = run(&request).expect("starts");
        assert_eq!(result.jvms, 1);
        assert!(result.problems.is_empty(), "{:?}", result.problems);
        result
    }
}
