//! Reports beside those of JaCoCo's command: from exec file, classes and sources to files, each in a process of its own.
//!
//! Both get the same input and their XML must be the same, or there is no result. Variants take turns, round by round, and a
//! quotient is always of two runs of the same round. Peak memory is what GNU time reads from the kernel.

mod input;

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use probity_test_support::tools::jacoco_command;
use probity_toolchain::{Environment, Jdk, best_jdk};

use crate::failure::Failure;
use crate::statistics::Spread;
use crate::table::markdown;
use crate::timed::timed;
use input::Project;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// How many times each variant writes each report.
    #[arg(long, default_value_t = 7)]
    rounds: usize,
    /// The command, instead of building it.
    #[arg(long)]
    command: Option<PathBuf>,
    /// Keep the project and the reports, to look at them.
    #[arg(long)]
    keep: bool,
}

/// What is measured: a format, and whether our command finds all classes in its cache.
const MEASURED: [(&str, bool); 4] = [("xml", false), ("html", false), ("xml", true), ("html", true)];

/// The oldest JDK that runs JaCoCo's command here.
const OLDEST_JDK: u32 = 17;

/// What one run took.
struct Run {
    wall: f64,
    cpu: f64,
    megabytes: f64,
}

/// A figure of a run: its name, how many places are shown, and how it is taken.
type Figure = (&'static str, usize, fn(&Run) -> f64);

/// The runs of one format, round by round: ours and JaCoCo's.
struct Row {
    format: &'static str,
    is_cached: bool,
    runs: [Vec<Run>; 2],
}

pub(crate) fn run(arguments: &Arguments) -> Result<String, Failure> {
    let jdk = best_jdk(&Environment::of_this_process(), OLDEST_JDK)?;
    let bench = Bench {
        ours: arguments.command.clone().map_or_else(build, Ok)?,
        jacoco: jacoco_command()?,
        project: Project::make(&jdk, arguments.keep)?,
        jdk,
    };
    let mut rows = Vec::new();
    for (format, is_cached) in MEASURED {
        rows.push(bench.measure(format, is_cached, arguments.rounds)?);
    }
    if arguments.keep {
        eprintln!("kept in {}", bench.project.folder.path().display());
    }
    bench.check_same_xml()?;
    Ok(bench.text(&rows, arguments.rounds))
}

struct Bench {
    ours: PathBuf,
    jacoco: PathBuf,
    project: Project,
    jdk: Jdk,
}

impl Bench {
    fn measure(&self, format: &'static str, is_cached: bool, rounds: usize) -> Result<Row, Failure> {
        let mut row = Row { format, is_cached, runs: [const { Vec::new() }; 2] };
        // The first round fills the caches of the machine, and our own, and does not count.
        for round in 0..=rounds {
            for turn in 0..2 {
                let position = (round + turn) % 2;
                let done = self.run_once(format, is_cached, position == 0, round)?;
                if round > 0 {
                    row.runs[position].push(done);
                }
            }
            eprintln!("{format}: round {round} of {rounds}");
        }
        Ok(row)
    }

    /// Every run has a place of its own, and nothing is removed in between: some file systems do not use the room of removed files
    /// again for a minute, and take long to find other.
    fn run_once(&self, format: &str, is_cached: bool, is_ours: bool, round: usize) -> Result<Run, Failure> {
        let folder = self.project.folder.path();
        let name = out_name(format, is_cached, is_ours, round);
        let out = folder.join(&name);
        let peak = folder.join("peak");
        let mut command: Vec<OsString> = vec!["/usr/bin/time".into(), "-f".into(), "%M".into(), "-o".into()];
        command.push((&peak).into());
        command.extend(if is_ours {
            self.our_command(format, is_cached, &out)
        } else {
            self.jacoco_command(format, &out)
        });
        let command: Vec<&OsStr> = command.iter().map(OsString::as_os_str).collect();
        let timed = timed(&name, &command, folder)?;
        let kilobytes = fs::read_to_string(&peak).ok().and_then(|text| text.trim().parse::<f64>().ok());
        let kilobytes =
            kilobytes.ok_or(Failure::Broken { name, why: "GNU time told no memory".to_owned() })?;
        Ok(Run { wall: timed.wall, cpu: timed.cpu, megabytes: kilobytes / 1024.0 })
    }

    fn our_command(&self, format: &str, is_cached: bool, out: &Path) -> Vec<OsString> {
        let mut command: Vec<OsString> = vec![(&self.ours).into(), "report".into()];
        let project = &self.project;
        for (option, path) in [
            ("--exec", project.exec_file()),
            ("--classes", project.classes()),
            ("--sources", project.sources()),
        ] {
            command.extend([option.into(), path.into()]);
        }
        if is_cached {
            command.extend(["--cache".into(), project.folder.path().join("cache").into()]);
        }
        let mut report = OsString::from(format!("{format}="));
        report.push(out);
        command.extend(["--format".into(), report]);
        command
    }

    fn jacoco_command(&self, format: &str, out: &Path) -> Vec<OsString> {
        let project = &self.project;
        vec![
            self.jdk.java().into(),
            "-jar".into(),
            (&self.jacoco).into(),
            "report".into(),
            project.exec_file().into(),
            "--classfiles".into(),
            project.classes().into(),
            "--sourcefiles".into(),
            project.sources().into(),
            format!("--{format}").into(),
            out.into(),
        ]
    }

    /// Two classes whose names have the same place in a Java map stand in the order in which their files were found, and JaCoCo
    /// takes that from the file system. So the tags must be the same, in whatever order.
    fn check_same_xml(&self) -> Result<(), Failure> {
        let read = |is_ours| {
            let path = self.project.folder.path().join(out_name("xml", false, is_ours, 0));
            fs::read_to_string(&path)
                .map_err(|error| Failure::Program { name: path.display().to_string(), error })
        };
        let (ours, jacoco) = (read(true)?, read(false)?);
        let [ours, jacoco] = [&ours, &jacoco].map(|text| {
            let mut tags: Vec<&str> = text.split('<').collect();
            tags.sort_unstable();
            tags
        });
        if ours == jacoco {
            return Ok(());
        }
        Err(Failure::Broken { name: "xml".to_owned(), why: "it is not the same as JaCoCo's".to_owned() })
    }

    fn text(&self, rows: &[Row], rounds: usize) -> String {
        let Project { class_count, source_count, .. } = &self.project;
        let conditions = format!(
            "{class_count} classes with {source_count} source files; JDK {}; {rounds} rounds, variants in turn, all files in the \
             machine's cache. Median (smallest..largest); a quotient is JaCoCo's by ours in the same round.\n\n",
            self.jdk.version()
        );
        let mut lines = Vec::new();
        for row in rows {
            let figures: [Figure; 3] = [
                ("wall, s", 3, |run| run.wall),
                ("processor, s", 3, |run| run.cpu),
                ("peak memory, MB", 1, |run| run.megabytes),
            ];
            for (name, places, of) in figures {
                let [ours, jacoco] =
                    row.runs.each_ref().map(|runs| runs.iter().map(of).collect::<Vec<f64>>());
                let shown = |spread: Option<Spread>, places: usize| {
                    spread.map_or_else(|| "-".to_owned(), |spread| format!("{spread:.places$}"))
                };
                lines.push(vec![
                    if row.is_cached { format!("{}, cached", row.format) } else { row.format.to_owned() },
                    name.to_owned(),
                    shown(Spread::of(ours.iter().copied()), places),
                    shown(Spread::of(jacoco.iter().copied()), places),
                    shown(Spread::of_quotients(&jacoco, &ours), 1),
                ]);
            }
        }
        conditions + &markdown(&["report", "", "ours", "JaCoCo", "times"], &lines)
    }
}

fn out_name(format: &str, is_cached: bool, is_ours: bool, round: usize) -> String {
    let cached = if is_cached { "-cached" } else { "" };
    format!("{format}{cached}-{}-{round}", if is_ours { "ours" } else { "jacoco" })
}

/// Builds the command as it is passed on. Cargo puts it beside the folder of this program.
fn build() -> Result<PathBuf, Failure> {
    let broken =
        || Failure::Broken { name: "cargo build".to_owned(), why: "the command is not there".to_owned() };
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["build", "--locked", "--profile", "dist", "--package", "probity-cli"]);
    let status = command.status().map_err(|error| Failure::Program { name: "cargo".to_owned(), error })?;
    let this_program = std::env::current_exe()
        .map_err(|error| Failure::Program { name: "this program".to_owned(), error })?;
    let name = format!("probity{}", std::env::consts::EXE_SUFFIX);
    let built = this_program.ancestors().nth(2).map(|target| target.join("dist").join(name));
    built.filter(|path| status.success() && path.is_file()).ok_or_else(broken)
}
