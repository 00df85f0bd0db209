//! The tables of the agent's benchmark.

use std::fmt::Write as _;

use probity_toolchain::Jdk;

use super::instrumenter::{Measured, Speeds};
use super::process::Run;
use super::run::Row;
use crate::statistics::Spread;
use crate::table::markdown;

pub(super) fn conditions(jdks: &[Jdk], rounds: usize) -> String {
    let jdks: Vec<String> = jdks.iter().map(|jdk| format!("JDK {}", jdk.version())).collect();
    format!(
        "{}. {rounds} rounds, variants in turn. Processor time is that of the whole process, in the program and in the \
         kernel. Median (smallest..largest).\n",
        jdks.join(", ")
    )
}

/// The seconds of processor time of the runs of a variant.
fn cpu(runs: &[Run]) -> Vec<f64> {
    runs.iter().map(|run| run.cpu).collect()
}

fn shown(spread: Option<Spread>, places: usize) -> String {
    spread.map_or_else(|| "-".to_owned(), |spread| format!("{spread:.places$}"))
}

pub(super) fn programs(rows: &[Row]) -> String {
    let quotients =
        |row: &Row, variant: usize| Spread::of_quotients(&cpu(&row.runs[variant]), &cpu(&row.runs[0]));
    let cells = |row: &Row| {
        let none = shown(Spread::of(cpu(&row.runs[0])), 2);
        let [ours, jacoco] = [1, 2].map(|variant| shown(quotients(row, variant), 2));
        vec![row.program.to_owned(), row.jdk.to_string(), none, ours, jacoco]
    };
    let mut lines: Vec<Vec<String>> = rows.iter().map(cells).collect();
    let mean = |variant: usize, jdk: Option<u32>| {
        let rows = rows.iter().filter(|row| jdk.is_none_or(|jdk| row.jdk == jdk));
        geometric_mean(rows.filter_map(|row| quotients(row, variant)).map(|spread| spread.median))
    };
    let mut jdks: Vec<u32> = rows.iter().map(|row| row.jdk).collect();
    jdks.sort_unstable();
    jdks.dedup();
    for jdk in jdks.iter().copied().map(Some).chain([None]) {
        let name = jdk.map_or_else(|| "all".to_owned(), |jdk| jdk.to_string());
        let means = [1, 2].map(|variant| format!("**{:.3}**", mean(variant, jdk)));
        lines.push([&["**geometric mean**".to_owned(), name, String::new()][..], &means].concat());
    }
    let headings = ["program", "JDK", "no agent, s", "ours, times no agent", "JaCoCo, times no agent"];
    format!("\n### Programs: processor time\n\n{}", markdown(&headings, &lines))
}

fn geometric_mean(figures: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = figures.fold((0.0, 0.0), |(sum, count), figure| (sum + figure.ln(), count + 1.0));
    (sum / count).exp()
}

pub(super) fn startup(rows: &[Row]) -> String {
    let mut lines = Vec::new();
    for row in rows {
        for (unit, of) in
            [("processor", (|run: &Run| run.cpu) as fn(&Run) -> f64), ("wall", |run: &Run| run.wall)]
        {
            let milliseconds = |variant: usize| Spread::of(row.runs[variant].iter().map(|run| of(run) * 1e3));
            let mut cells = vec![unit.to_owned(), row.jdk.to_string()];
            cells.extend((0..3).map(|variant| shown(milliseconds(variant), 0)));
            let added = |figure: fn(Spread) -> f64| {
                let [none, ours] = [0, 1].map(|variant| milliseconds(variant).map_or(f64::NAN, figure));
                format!("{:+.0}", ours - none)
            };
            cells.extend([added(|spread| spread.min), added(|spread| spread.median)]);
            lines.push(cells);
        }
    }
    let headings = [
        "time",
        "JDK",
        "no agent, ms",
        "ours, ms",
        "JaCoCo, ms",
        "ours adds to the smallest",
        "to the median",
    ];
    let starts = rows.first().map_or(0, |row| row.runs[0].len());
    format!("\n### Start-up: hello world, {starts} times\n\n{}", markdown(&headings, &lines))
}

pub(super) fn loading(rows: &[Row]) -> String {
    let cells = |row: &Row| {
        let [none, ours, jacoco] = [0, 1, 2].map(|variant| cpu(&row.runs[variant]));
        let added = |with: &[f64]| with.iter().zip(&none).map(|(with, none)| with - none).collect::<Vec<_>>();
        let (by_ours, by_jacoco) = (added(&ours), added(&jacoco));
        vec![
            row.jdk.to_string(),
            shown(Spread::of(none.iter().copied()), 2),
            shown(Spread::of(by_ours.iter().copied()), 2),
            shown(Spread::of(by_jacoco.iter().copied()), 2),
            shown(Spread::of_quotients(&by_ours, &by_jacoco), 3),
        ]
    };
    let headings = ["JDK", "no agent, s", "ours adds, s", "JaCoCo adds, s", "ours to JaCoCo"];
    let lines: Vec<Vec<String>> = rows.iter().map(cells).collect();
    format!(
        "\n### Loading and linking {} classes: processor time\n\n{}",
        loaded(rows),
        markdown(&headings, &lines)
    )
}

pub(super) fn memory(rows: &[Row]) -> String {
    let cells = |row: &Row| {
        let megabytes =
            |variant: usize| -> Vec<f64> { row.runs[variant].iter().filter_map(resident).collect() };
        let none = megabytes(0);
        let added = |variant| {
            megabytes(variant).iter().zip(&none).map(|(with, none)| with - none).collect::<Vec<_>>()
        };
        let mut cells = vec![row.jdk.to_string(), shown(Spread::of(none.clone()), 1)];
        cells.extend([1, 2].map(|variant| shown(Spread::of(added(variant)), 1)));
        cells
    };
    let headings = ["JDK", "no agent, MB", "ours adds, MB", "JaCoCo adds, MB"];
    let lines: Vec<Vec<String>> = rows.iter().map(cells).collect();
    format!(
        "\n### Resident memory with {} classes and a fixed heap\n\n{}",
        loaded(rows),
        markdown(&headings, &lines)
    )
}

/// How many classes the program says that it loaded.
fn loaded(rows: &[Row]) -> &str {
    let run = rows.first().and_then(|row| row.runs[0].first());
    run.and_then(|run| run.stdout.split_whitespace().next()).unwrap_or("no")
}

/// The megabytes that the program says that it holds.
fn resident(run: &Run) -> Option<f64> {
    run.stdout.split_whitespace().nth(1)?.parse::<f64>().ok().map(|kilobytes| kilobytes / 1024.0)
}

pub(super) fn instrumenter(measured: &Measured) -> String {
    let classes = measured.classes as f64;
    let speed = |times: &[f64]| shown(Spread::of(times.iter().map(|time| classes / time)), 0);
    let faster = |times: &[f64], ours: &[f64]| shown(Spread::of_quotients(times, ours), 1);
    let cells = |speeds: &Speeds| {
        vec![
            speeds.name.clone(),
            speed(&speeds.cold),
            speed(&speeds.warm),
            faster(&speeds.cold, &measured.ours.cold),
            faster(&speeds.warm, &measured.ours.warm),
        ]
    };
    let lines: Vec<Vec<String>> =
        std::iter::once(&measured.ours).chain(&measured.jacoco).map(cells).collect();
    let headings =
        ["instrumenter", "cold, classes/s", "warm, classes/s", "ours is faster cold, times", "warm, times"];
    let mut text = String::new();
    let _ = writeln!(
        text,
        "\n### The instrumenter alone: {} classes, {:.1} MB\n",
        measured.classes,
        measured.bytes as f64 / 1e6
    );
    text + &markdown(&headings, &lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(program: &'static str, cpu: [f64; 3]) -> Row {
        let run = |cpu| vec![Run { wall: cpu, cpu, stdout: "5000 2048\n".to_owned(), recorded: 0 }];
        Row { program, jdk: 17, runs: cpu.map(run) }
    }

    #[test]
    fn the_mean_of_quotients_is_geometric() {
        let text = programs(&[row("a", [1.0, 2.0, 4.0]), row("b", [2.0, 1.0, 2.0])]);
        assert!(
            text.contains("| a | 17 | 1.00 (1.00..1.00) | 2.00 (2.00..2.00) | 4.00 (4.00..4.00) |"),
            "{text}"
        );
        assert!(text.contains("| **geometric mean** | all |  | **1.000** | **2.000** |"), "{text}");
    }

    #[test]
    fn loading_is_told_by_what_is_added() {
        let text = loading(&[row("loading", [1.0, 1.5, 6.0])]);
        assert!(text.contains("linking 5000 classes"), "{text}");
        assert!(text.contains("| 0.50 (0.50..0.50) | 5.00 (5.00..5.00) | 0.100 (0.100..0.100) |"), "{text}");
    }

    #[test]
    fn memory_is_what_the_program_says() {
        assert!(memory(&[row("memory", [1.0; 3])]).contains("| 17 | 2.0 (2.0..2.0) | 0.0 (0.0..0.0) |"));
    }
}
