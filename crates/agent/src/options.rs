//! The agent's options: JaCoCo's by name and meaning, so that an option string that works there works here, and `traces`.
//!
//! Options are `key=value`, separated by commas; a comma belongs to the value unless a key and `=` follow it. A wrong
//! option is an error that names it and the valid ones. What follows from an error is decided elsewhere.

use std::fmt;
use std::path::PathBuf;

/// What the agent was asked to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The file that execution data goes to.
    pub destfile: PathBuf,
    /// Whether what is in the file is kept.
    pub append: bool,
    /// Which classes are recorded, by name.
    pub includes: String,
    /// Which classes are not recorded, by name.
    pub excludes: String,
    /// The class loaders whose classes are not recorded, by class name.
    pub exclclassloader: String,
    /// Whether classes of the bootstrap loader are recorded.
    pub inclbootstrapclasses: bool,
    /// Whether classes without a source location are recorded.
    pub inclnolocationclasses: bool,
    /// The name of the session, if it was given.
    pub sessionid: Option<String>,
    /// Whether execution data is written when the JVM ends.
    pub dumponexit: bool,
    /// Where execution data goes.
    pub output: Output,
    /// The address to listen at or to connect to; nothing for the loopback interface.
    pub address: Option<String>,
    /// The port to listen at or to connect to.
    pub port: u16,
    /// A folder into which every class that is recorded is written as it came.
    pub classdumpdir: Option<PathBuf>,
    /// Whether a management bean was asked for, which this agent has not.
    pub jmx: bool,
    /// A folder into which it is written what each test unit used. Not one of JaCoCo's options.
    pub traces: Option<PathBuf>,
}

/// Where execution data goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// Into a file when the JVM ends.
    File,
    /// To whoever connects.
    TcpServer,
    /// To a server that the agent connects to.
    TcpClient,
    /// Nowhere.
    None,
}

/// The keys in the order of JaCoCo's documentation, and then those that it has not.
const KEYS: [&str; 15] = [
    "destfile",
    "append",
    "includes",
    "excludes",
    "exclclassloader",
    "inclbootstrapclasses",
    "inclnolocationclasses",
    "sessionid",
    "dumponexit",
    "output",
    "address",
    "port",
    "classdumpdir",
    "jmx",
    "traces",
];

/// An option that is not one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OptionError {
    /// Something without `=`.
    NoValue(String),
    /// A key that there is not.
    UnknownKey(String),
    /// A value that the key does not take.
    BadValue {
        /// The key.
        key: &'static str,
        /// The value.
        value: String,
        /// What it takes.
        valid: &'static str,
    },
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoValue(option) => write!(f, "the option '{option}' has no value; write key=value")?,
            Self::UnknownKey(key) => write!(f, "there is no option '{key}'")?,
            Self::BadValue { key, value, valid } => {
                return write!(f, "the option {key} does not take '{value}'; valid are {valid}");
            }
        }
        write!(f, "; valid options are {}", KEYS.join(", "))
    }
}

impl std::error::Error for OptionError {}

impl Default for Options {
    fn default() -> Self {
        Self {
            destfile: PathBuf::from("jacoco.exec"),
            append: true,
            includes: "*".to_owned(),
            excludes: String::new(),
            exclclassloader: "sun.reflect.DelegatingClassLoader".to_owned(),
            inclbootstrapclasses: false,
            inclnolocationclasses: false,
            sessionid: None,
            dumponexit: true,
            output: Output::File,
            address: None,
            port: 6300,
            classdumpdir: None,
            jmx: false,
            traces: None,
        }
    }
}

impl Options {
    /// Reads an option string.
    ///
    /// # Errors
    ///
    /// Fails at the first option that is not one.
    pub fn parse(text: &str) -> Result<Self, OptionError> {
        let mut options = Self::default();
        for option in split(text) {
            let Some((key, value)) = option.split_once('=') else {
                return Err(OptionError::NoValue(option.to_owned()));
            };
            options.set(key, value)?;
        }
        Ok(options)
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), OptionError> {
        let text = || value.to_owned();
        let flag = || value.eq_ignore_ascii_case("true");
        match key {
            "destfile" => self.destfile = PathBuf::from(value),
            "append" => self.append = flag(),
            "includes" => self.includes = text(),
            "excludes" => self.excludes = text(),
            "exclclassloader" => self.exclclassloader = text(),
            "inclbootstrapclasses" => self.inclbootstrapclasses = flag(),
            "inclnolocationclasses" => self.inclnolocationclasses = flag(),
            "sessionid" => self.sessionid = Some(text()),
            "dumponexit" => self.dumponexit = flag(),
            "output" => self.output = parse_output(value)?,
            "address" => self.address = Some(text()).filter(|address| !address.is_empty()),
            "port" => self.port = parse_port(value)?,
            "classdumpdir" => self.classdumpdir = Some(PathBuf::from(value)),
            "jmx" => self.jmx = flag(),
            "traces" => self.traces = Some(PathBuf::from(value)),
            _ => return Err(OptionError::UnknownKey(key.to_owned())),
        }
        Ok(())
    }
}

fn parse_output(value: &str) -> Result<Output, OptionError> {
    match value {
        "file" => Ok(Output::File),
        "tcpserver" => Ok(Output::TcpServer),
        "tcpclient" => Ok(Output::TcpClient),
        "none" => Ok(Output::None),
        _ => Err(OptionError::BadValue {
            key: "output",
            value: value.to_owned(),
            valid: "file, tcpserver, tcpclient and none",
        }),
    }
}

fn parse_port(value: &str) -> Result<u16, OptionError> {
    let wrong =
        |_| OptionError::BadValue { key: "port", value: value.to_owned(), valid: "numbers from 0 to 65535" };
    value.parse().map_err(wrong)
}

/// Splits at the commas that a key and `=` follow.
fn split(text: &str) -> Vec<&str> {
    let mut options = Vec::new();
    let mut start = 0;
    for (at, _) in text.match_indices(',') {
        let (option, rest) = (text.get(start..at), text.get(at + 1..).unwrap_or_default());
        let key: usize =
            rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-')).count();
        if key > 0 && rest.as_bytes().get(key) == Some(&b'=') {
            options.extend(option);
            start = at + 1;
        }
    }
    options.extend(text.get(start..));
    options.retain(|option| !option.is_empty());
    options
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_string_gives_the_defaults_of_jacoco() {
        let options = Options::parse("").unwrap();
        assert_eq!(options, Options::default());
        assert_eq!(options.destfile, PathBuf::from("jacoco.exec"));
        assert!(options.append && options.dumponexit);
        assert_eq!(options.port, 6300);
    }

    #[test]
    fn every_key_is_taken() {
        let text = "destfile=a/b.exec,append=false,includes=a.*:b,excludes=c,exclclassloader=l,\
                    inclbootstrapclasses=true,inclnolocationclasses=TRUE,sessionid=s,dumponexit=false,\
                    output=tcpserver,address=*,port=1,classdumpdir=d,jmx=true,traces=t";
        let options = Options::parse(text).unwrap();
        assert_eq!(options.destfile, PathBuf::from("a/b.exec"));
        assert!(!options.append && !options.dumponexit && options.jmx);
        assert!(options.inclbootstrapclasses && options.inclnolocationclasses);
        assert_eq!((options.includes.as_str(), options.excludes.as_str()), ("a.*:b", "c"));
        assert_eq!((options.output, options.port), (Output::TcpServer, 1));
        assert_eq!(options.address.as_deref(), Some("*"));
        assert_eq!(options.sessionid.as_deref(), Some("s"));
        assert_eq!(options.classdumpdir, Some(PathBuf::from("d")));
        assert_eq!(options.traces, Some(PathBuf::from("t")));
    }

    #[test]
    fn a_comma_belongs_to_the_value_unless_a_key_follows() {
        let options = Options::parse("destfile=a,b.exec,append=false").unwrap();
        assert_eq!(options.destfile, PathBuf::from("a,b.exec"));
        assert!(!options.append);
    }

    #[test]
    fn wrong_options_are_named_with_the_valid_ones() {
        let unknown = Options::parse("destfil=x").unwrap_err().to_string();
        assert!(unknown.contains("'destfil'") && unknown.contains("destfile, append"), "{unknown}");
        let valueless = Options::parse("append").unwrap_err().to_string();
        assert!(valueless.contains("'append'") && valueless.contains("key=value"), "{valueless}");
        let port = Options::parse("port=70000").unwrap_err().to_string();
        assert!(port.contains("port") && port.contains("70000") && port.contains("65535"), "{port}");
        assert!(Options::parse("output=disk").unwrap_err().to_string().contains("tcpclient"));
    }
}
