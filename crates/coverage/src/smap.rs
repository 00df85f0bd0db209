//! Where inlined code comes from: the source map that Kotlin puts into `SourceDebugExtension`.

use std::fmt;

/// A range of lines of the class, and where the code on them comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mapping {
    /// The internal name of the class from which the code comes.
    pub(crate) class: String,
    /// The first line there.
    pub(crate) input_start: i32,
    /// How many lines.
    pub(crate) repeat: i32,
    /// The first line here.
    pub(crate) output_start: i32,
}

/// A source map.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Smap {
    pub(crate) mappings: Vec<Mapping>,
}

/// A source map that is not one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SmapError {
    /// The line that was not expected.
    pub line: String,
}

impl fmt::Display for SmapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unexpected line in the source map: {}", self.line)
    }
}

impl std::error::Error for SmapError {}

impl Smap {
    /// Reads the source map of a class whose source file has the given name.
    pub(crate) fn parse(source_file: &str, text: &str) -> Result<Self, SmapError> {
        let mut lines = text.lines();
        let mut next = || lines.next().unwrap_or_default();
        for expected in ["SMAP", source_file, "Kotlin", "*S Kotlin", "*F"] {
            let line = next();
            if line != expected {
                return Err(unexpected(line));
            }
        }
        let files = read_files(&mut next)?;
        let mut mappings = Vec::new();
        loop {
            match next() {
                "*E" | "*S KotlinDebug" => return Ok(Self { mappings }),
                line => mappings.push(read_mapping(line, &files).ok_or_else(|| unexpected(line))?),
            }
        }
    }

    /// The mappings that lead elsewhere: not to the same line of the class itself.
    pub(crate) fn foreign<'s>(&'s self, class: &'s str) -> impl Iterator<Item = &'s Mapping> {
        self.mappings
            .iter()
            .filter(move |mapping| mapping.class != class || mapping.input_start != mapping.output_start)
    }
}

fn unexpected(line: &str) -> SmapError {
    SmapError { line: line.to_owned() }
}

/// Pairs of lines, `+ id name` and the class, up to `*L`.
fn read_files<'t>(next: &mut impl FnMut() -> &'t str) -> Result<Vec<(u32, String)>, SmapError> {
    let mut files = Vec::new();
    loop {
        let line = next();
        if line == "*L" {
            return Ok(files);
        }
        let id =
            line.strip_prefix("+ ").and_then(|rest| rest.split(' ').next()).and_then(|id| id.parse().ok());
        files.push((id.ok_or_else(|| unexpected(line))?, next().to_owned()));
    }
}

/// `input#file[,repeat]:output[,increment]`
fn read_mapping(line: &str, files: &[(u32, String)]) -> Option<Mapping> {
    let (input, output) = line.split_once(':')?;
    let (input_start, file) = input.split_once('#')?;
    let (file, repeat) = match file.split_once(',') {
        Some((file, repeat)) => (file, repeat.parse().ok()?),
        None => (file, 1),
    };
    let output_start = output.split(',').next()?.parse().ok()?;
    let file: u32 = file.parse().ok()?;
    let class = files.iter().find(|(id, _)| *id == file)?.1.clone();
    Some(Mapping { class, input_start: input_start.parse().ok()?, repeat, output_start })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "SMAP\nmain.kt\nKotlin\n*S Kotlin\n*F\n+ 1 main.kt\nMainKt\n+ 2 lib.kt\nx/LibKt\n*L\n1#1,8:1\n3#2,2:9\n*S KotlinDebug\n*F\n";

    #[test]
    fn mappings_are_read_and_those_that_lead_elsewhere_told_apart() {
        let smap = Smap::parse("main.kt", TEXT).unwrap();
        assert_eq!(smap.mappings.len(), 2);
        let foreign: Vec<_> = smap.foreign("MainKt").collect();
        let expected = Mapping { class: "x/LibKt".to_owned(), input_start: 3, repeat: 2, output_start: 9 };
        assert_eq!(foreign, [&expected]);
    }

    #[test]
    fn another_text_is_an_error_that_names_the_line() {
        assert_eq!(Smap::parse("other.kt", TEXT).unwrap_err().line, "main.kt");
        let broken = TEXT.replace("3#2,2:9", "3#7:9");
        assert_eq!(Smap::parse("main.kt", &broken).unwrap_err().line, "3#7:9");
    }
}
