//! `probity audit`: whether what units used depends on the order in which they ran.

use std::io::Write;

use clap::Args;
use probity_engine::audit::{Audit, Cause, Comparison, Difference, Verdict as Judged, audit};
use probity_engine::traces::find_unit;
use probity_report::JavaDate;
use probity_trace::OUTSIDE;
use serde::Serialize;

use crate::commands::Verdict;
use crate::commands::store_input::{StoreArguments, warn_about};
use crate::error::CliError;
use crate::output::{counted, write_json};
use crate::terminal::Messages;

/// What stands below the list of options.
pub(crate) const AUDIT_HELP: &str = "\
Record the tests several times with `probity run`, without changing classes in between:
  all of them; all of them in reverse or random order, such as with the console launcher's
  --config junit.jupiter.testclass.order.default=org.junit.jupiter.api.ClassOrderer$Random;
  and some test classes alone. Then ask for an audit.

The traces of a unit that were made from the same versions of classes are compared:
  unexplained              one order ran what another did not: units share state that nobody saw
  shared with other units  it comes from a unit whose state this one may see, or that ran at the same time
  explained                it happens once in a JVM, such as initialisers and linking, or outside all units
All traces of a unit together are what counts.";

/// The arguments of `probity audit`.
#[derive(Debug, Args)]
pub(crate) struct AuditArguments {
    /// The units, by their whole name or the last part of it; otherwise all.
    #[arg(value_name = "UNIT")]
    units: Vec<String>,

    /// List one by one also what is explained, what follows from something else, and what is in libraries.
    #[arg(long)]
    all: bool,

    #[command(flatten)]
    store: StoreArguments,
}

/// Runs the command.
pub(crate) fn run(
    arguments: &AuditArguments,
    messages: &Messages,
    data: &mut dyn Write,
) -> Result<Verdict, CliError> {
    let store = arguments.store.store();
    let (traces, shapes) = (store.load(), store.shapes());
    warn_about(traces.problems(), messages);
    warn_about(shapes.problems(), messages);
    let mut units: Vec<&str> = Vec::new();
    for asked in &arguments.units {
        let unknown = |error: probity_engine::traces::UnknownUnit| CliError::NotFound {
            what: format!("{}: {error}", store.folder().display()),
            hint: error.hint(),
        };
        units.push(find_unit(&traces, asked).map_err(unknown)?);
    }
    if units.is_empty() {
        units.extend(traces.units().filter(|unit| *unit != OUTSIDE));
    }
    units.sort_unstable();
    units.dedup();
    let audit = audit(&traces, &shapes, units);
    if arguments.store.json {
        write_json(data, &AuditObject::of(&audit))?;
    } else {
        write_text(&audit, arguments.all, data)?;
    }
    data.flush()?;
    Ok(if audit.with(Judged::Unexplained) > 0 { Verdict::Findings } else { Verdict::Clean })
}

fn write_text(audit: &Audit, lists_all: bool, data: &mut dyn Write) -> Result<(), CliError> {
    for comparison in audit.comparisons.iter().filter(|one| !one.differences.is_empty()) {
        write_comparison(comparison, lists_all, data)?;
        writeln!(data)?;
    }
    let compared = counted(audit.comparisons.len(), "comparison", "comparisons");
    let of = |verdict| audit.with(verdict);
    let same = audit.comparisons.iter().filter(|one| one.differences.is_empty()).count();
    writeln!(
        data,
        "{compared}: {} with unexplained differences, {} with shared state, {} with explained differences, {same} alike",
        of(Judged::Unexplained),
        of(Judged::Shared),
        of(Judged::Explained),
    )?;
    let single = counted(audit.single, "unit has", "units have");
    writeln!(data, "{single} nothing to compare: recorded once, or always the same")?;
    Ok(())
}

fn write_comparison(one: &Comparison, lists_all: bool, data: &mut dyn Write) -> Result<(), CliError> {
    let counts: Vec<String> = Judged::ALL
        .into_iter()
        .filter(|verdict| one.count(*verdict) > 0)
        .map(|verdict| format!("{} {}", one.count(verdict), verdict.in_words()))
        .collect();
    writeln!(data, "{}: {}", one.unit, counts.join(", "))?;
    for (number, trace) in one.traces.iter().enumerate() {
        let date = JavaDate(trace.began.cast_signed());
        writeln!(data, "  trace {}  {}  {date}  {}", number + 1, short(&trace.id), trace.outcome)?;
    }
    let mut rest = one.differences.as_slice();
    while let Some(first) = rest.first() {
        let cause = first.cause;
        let count = rest.iter().take_while(|other| other.cause == cause).count();
        let (group, others) = rest.split_at(count);
        rest = others;
        let verdict = cause.verdict();
        writeln!(data, "  {}: {count} {}", verdict.in_words(), cause.in_words())?;
        if lists_all || (verdict != Judged::Explained && cause != Cause::Follows) {
            let shown = group.iter().filter(|one| lists_all || !one.is_library);
            shown.clone().try_for_each(|difference| write_difference(difference, data))?;
            let hidden = count - shown.count();
            if hidden > 0 {
                writeln!(data, "    {hidden} of them in libraries, which --all lists")?;
            }
        }
    }
    Ok(())
}

fn write_difference(difference: &Difference, data: &mut dyn Write) -> Result<(), CliError> {
    let Difference { kind, name, with, without, reasons, .. } = difference;
    let (with, without) = (numbers(with), numbers(without));
    let kind = kind.in_words();
    writeln!(data, "    {kind:14} {name}  (in {with}, not in {without})")?;
    if !reasons.is_empty() {
        writeln!(data, "                   {}", reasons.join(", "))?;
    }
    Ok(())
}

/// The numbers of traces as they are shown.
fn numbers(positions: &[usize]) -> String {
    if positions.is_empty() {
        return "none as a whole".to_owned();
    }
    positions.iter().map(|position| (position + 1).to_string()).collect::<Vec<_>>().join(" ")
}

fn short(id: &str) -> &str {
    id.get(..8).unwrap_or(id)
}

#[derive(Serialize)]
struct AuditObject<'a> {
    unexplained: usize,
    shared: usize,
    explained: usize,
    single: usize,
    comparisons: Vec<ComparisonObject<'a>>,
}

#[derive(Serialize)]
struct ComparisonObject<'a> {
    unit: &'a str,
    unexplained: usize,
    shared: usize,
    explained: usize,
    traces: Vec<TraceObject<'a>>,
    differences: Vec<DifferenceObject<'a>>,
}

#[derive(Serialize)]
struct TraceObject<'a> {
    id: &'a str,
    began: u64,
    outcome: &'static str,
}

#[derive(Serialize)]
struct DifferenceObject<'a> {
    verdict: &'static str,
    cause: &'static str,
    kind: &'static str,
    name: &'a str,
    library: bool,
    with: Vec<&'a str>,
    without: Vec<&'a str>,
    reasons: &'a [String],
}

impl<'a> AuditObject<'a> {
    fn of(audit: &'a Audit) -> Self {
        Self {
            unexplained: audit.with(Judged::Unexplained),
            shared: audit.with(Judged::Shared),
            explained: audit.with(Judged::Explained),
            single: audit.single,
            comparisons: audit.comparisons.iter().map(ComparisonObject::of).collect(),
        }
    }
}

impl<'a> ComparisonObject<'a> {
    fn of(one: &'a Comparison) -> Self {
        let traces = one.traces.iter();
        let ids = |positions: &[usize]| {
            positions.iter().filter_map(|&at| one.traces.get(at)).map(|trace| trace.id.as_str()).collect()
        };
        let difference = |difference: &'a Difference| DifferenceObject {
            verdict: name_of(difference.cause.verdict()),
            cause: difference.cause.in_words(),
            kind: difference.kind.in_words(),
            name: &difference.name,
            library: difference.is_library,
            with: ids(&difference.with),
            without: ids(&difference.without),
            reasons: &difference.reasons,
        };
        Self {
            unit: &one.unit,
            unexplained: one.count(Judged::Unexplained),
            shared: one.count(Judged::Shared),
            explained: one.count(Judged::Explained),
            traces: traces
                .map(|trace| TraceObject { id: &trace.id, began: trace.began, outcome: trace.outcome })
                .collect(),
            differences: one.differences.iter().map(difference).collect(),
        }
    }
}

fn name_of(verdict: Judged) -> &'static str {
    match verdict {
        Judged::Unexplained => "unexplained",
        Judged::Shared => "shared",
        Judged::Explained => "explained",
    }
}
