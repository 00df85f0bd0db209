//! What is looked at in one class.
//!
//! This is the only file of the command that knows the class file format. It must not read files, print, or
//! know where the bytes come from; it runs on many threads at once.

/// What to do with each class, besides reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Options {
    /// Make a text of it.
    pub(super) print: bool,
    /// Write it again and compare.
    pub(super) roundtrip: bool,
}

/// What came of one class.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    /// The version of the class file; `None` if the class could not be read.
    pub(super) version: Option<Version>,
    /// The text, if one was asked for.
    pub(super) printed: Option<String>,
    /// Written again unchanged, it is the same byte for byte.
    pub(super) identical: bool,
    /// It was written again with its parts laid out anew.
    pub(super) rewritten: bool,
    /// What was laid out anew means the same when read back.
    pub(super) rewritten_ok: bool,
    /// Everything that is wrong.
    pub(super) failures: Vec<Failure>,
}

/// The version of a class file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Version {
    pub(super) major: u16,
    pub(super) minor: u16,
}

/// Something that is wrong with a class.
#[derive(Debug)]
pub(super) struct Failure {
    /// Where: in the class file, or in the container if the class could not be got out of it.
    pub(super) offset: Option<u64>,
    /// What, without the place.
    pub(super) error: String,
    /// What to do about it.
    pub(super) hint: Option<&'static str>,
}

impl Outcome {
    /// The outcome of a class that could not be read.
    pub(super) fn failed(failure: Failure) -> Outcome {
        Outcome { failures: vec![failure], ..Outcome::default() }
    }
}

const MAGIC: [u8; 4] = [0xCA, 0xFE, 0xBA, 0xBE];

/// Examines one class.
pub(super) fn examine(bytes: &[u8], options: Options) -> Outcome {
    let version = match read_version(bytes) {
        Ok(version) => version,
        Err(failure) => return Outcome::failed(failure),
    };
    Outcome {
        version: Some(version),
        printed: options
            .print
            .then(|| format!("version {}.{}, {} bytes\n", version.major, version.minor, bytes.len())),
        failures: options.roundtrip.then(cannot_write).into_iter().collect(),
        ..Outcome::default()
    }
}

fn read_version(bytes: &[u8]) -> Result<Version, Failure> {
    match bytes {
        [m0, m1, m2, m3, minor_high, minor_low, major_high, major_low, ..]
            if [*m0, *m1, *m2, *m3] == MAGIC =>
        {
            Ok(Version {
                major: u16::from_be_bytes([*major_high, *major_low]),
                minor: u16::from_be_bytes([*minor_high, *minor_low]),
            })
        }
        bytes if bytes.starts_with(&MAGIC) => Err(Failure {
            offset: Some(bytes.len() as u64),
            error: "the class file ends in its header".to_owned(),
            hint: None,
        }),
        _ => Err(Failure {
            offset: Some(0),
            error: "is not a class file: it does not start with cafebabe".to_owned(),
            hint: Some("only compiled classes can be read; compile the source first"),
        }),
    }
}

/// A round trip that is not done must not look like one that succeeded.
fn cannot_write() -> Failure {
    Failure { offset: None, error: "this build cannot write classes".to_owned(), hint: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    const READ_ONLY: Options = Options { print: false, roundtrip: false };

    #[test]
    fn the_version_is_read() {
        let outcome = examine(b"\xCA\xFE\xBA\xBE\x00\x03\x00\x2D and more", READ_ONLY);
        assert_eq!(outcome.version, Some(Version { major: 45, minor: 3 }));
        assert!(outcome.failures.is_empty());
    }

    #[test]
    fn other_bytes_are_failures() {
        for bytes in [&b""[..], b"\xCA\xFE\xBA", b"\xCA\xFE\xBA\xBE\x00\x00\x00", b"class A {}"] {
            let outcome = examine(bytes, READ_ONLY);
            assert_eq!(outcome.version, None);
            assert_eq!(outcome.failures.len(), 1);
        }
    }
}
