//! Reads a file of traces, whole or not at all.

use super::tables::{Tables, Uses, Version};
use super::{Ending, KIND, Segment, TestRow, TraceRow};
use crate::bytes::{Malformed, Reader};
use crate::container::FileReader;
use crate::error::Damage;
use crate::fact::Fact;
use crate::identity::TraceId;
use crate::run::Run;
use crate::strings::Strings;
use probity_shape::ContentId;
use probity_trace::{Environment, Outcome, Why};

/// Reads a file. Every number in it is checked, so that what was read can be looked at without asking.
pub(crate) fn read(bytes: &[u8]) -> Result<Segment, Damage> {
    let mut file = FileReader::new(bytes, KIND)?;
    let strings = file.read(Strings::read)?;
    let texts = strings.len();
    let versions = file.read(|reader| read_versions(reader, texts))?;
    let environments = file.read(|reader| reader.list(|reader| read_environment(reader, &strings)))?;
    let uses = file.read(|reader| read_uses(reader, versions.len(), texts))?;
    let facts = file.read(|reader| reader.list(|reader| Fact::read(reader, texts)))?;
    let mut tables = Tables { strings, versions, environments, uses, facts, lists: Vec::new() };
    let traces = file.read(|reader| reader.list(|reader| read_trace(reader, &mut tables)))?;
    let seen = file
        .read(|reader| reader.list(|reader| Ok((TraceId(reader.array()?), read_ending(reader, texts)?))))?;
    let runs = file.read(|reader| reader.list(Run::read))?;
    file.end()?;
    Ok(Segment { tables, traces, seen, runs })
}

fn read_versions(reader: &mut Reader<'_>, texts: usize) -> Result<Vec<Version>, Malformed> {
    reader.list(|reader| {
        let (name, place) = (reader.row(texts)?, reader.row(texts)?);
        Ok(Version { name, content: ContentId(reader.array()?), place })
    })
}

fn read_environment(reader: &mut Reader<'_>, strings: &Strings) -> Result<Environment, Malformed> {
    let text = |reader: &mut Reader<'_>| Ok(strings.get(reader.row(strings.len())?).to_owned());
    Ok(Environment {
        agent: text(reader)?,
        jdk: text(reader)?,
        flags: reader.list(text)?,
        class_path: reader.list(text)?,
    })
}

fn read_uses(reader: &mut Reader<'_>, versions: usize, texts: usize) -> Result<Uses, Malformed> {
    let kinds: [Option<Why>; 256] = std::array::from_fn(|code| Why::from_code(code as u8));
    let count = reader.count()?;
    let mut uses = Uses::default();
    uses.reserve(count, reader.left() / 2);
    let mut version = 0u32;
    for _ in 0..count {
        version = version.checked_add(reader.small()?).ok_or(Malformed::TooLarge)?;
        if version as usize >= versions {
            return Err(Malformed::TooLarge);
        }
        let hits = reader.bytes()?;
        for _ in 0..reader.count()? {
            let code = reader.byte()?;
            let why = kinds.get(usize::from(code)).copied().flatten();
            let why = why.ok_or(Malformed::UnknownKind(code))?;
            uses.push_reason((why, reader.optional_row(texts)?));
        }
        uses.push(version, hits);
    }
    Ok(uses)
}

fn read_trace(reader: &mut Reader<'_>, tables: &mut Tables) -> Result<TraceRow, Malformed> {
    let texts = tables.strings.len();
    let id = TraceId(reader.array()?);
    let (unit, framework) = (reader.row(texts)?, reader.row(texts)?);
    let environment = reader.row(tables.environments.len())?;
    let start = tables.lists.len() as u32;
    reader.ascending(tables.uses.len(), &mut tables.lists)?;
    let middle = tables.lists.len() as u32;
    reader.ascending(tables.facts.len(), &mut tables.lists)?;
    let end = tables.lists.len() as u32;
    let ending = read_ending(reader, texts)?;
    Ok(TraceRow { id, unit, framework, environment, uses: start..middle, facts: middle..end, ending })
}

fn read_ending(reader: &mut Reader<'_>, texts: usize) -> Result<Ending, Malformed> {
    let (began, micros) = (reader.number()?, reader.number()?);
    let tests = reader.list(|reader| {
        let id = reader.row(texts)?;
        let outcome = match reader.byte()? {
            0 => Outcome::Passed,
            1 => Outcome::Failed,
            2 => Outcome::Skipped,
            other => return Err(Malformed::UnknownKind(other)),
        };
        Ok(TestRow { id, outcome, micros: reader.number()? })
    })?;
    Ok(Ending { began, micros, tests })
}
