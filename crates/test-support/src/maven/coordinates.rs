//! The name of an artifact in Maven's repository.
//!
//! Coordinates become paths and XML, so what is accepted is limited to the characters that real artifacts use; nothing
//! that could leave the cache folder may get through.

use std::error::Error;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// The coordinates of one jar.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Coordinates {
    group: String,
    artifact: String,
    version: String,
    classifier: Option<String>,
}

impl Coordinates {
    /// The group, such as `org.ow2.asm`.
    #[must_use]
    pub fn group(&self) -> &str {
        &self.group
    }

    /// The artifact's name in its group.
    #[must_use]
    pub fn artifact(&self) -> &str {
        &self.artifact
    }

    /// The version.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The classifier, where one artifact has several jars.
    #[must_use]
    pub fn classifier(&self) -> Option<&str> {
        self.classifier.as_deref()
    }

    /// The name of the jar.
    #[must_use]
    pub fn file_name(&self) -> String {
        let Coordinates { artifact, version, .. } = self;
        match &self.classifier {
            Some(classifier) => format!("{artifact}-{version}-{classifier}.jar"),
            None => format!("{artifact}-{version}.jar"),
        }
    }

    /// The folder of the jar, relative to the root of a repository.
    #[must_use]
    pub fn folder(&self) -> PathBuf {
        self.group.split('.').chain([self.artifact.as_str(), self.version.as_str()]).collect()
    }

    /// The path of the jar, relative to the root of a repository.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.folder().join(self.file_name())
    }
}

impl fmt::Display for Coordinates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.group, self.artifact, self.version)?;
        self.classifier.as_ref().map_or(Ok(()), |classifier| write!(f, ":{classifier}"))
    }
}

/// A text that is not the name of an artifact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadCoordinates {
    /// The text.
    pub text: String,
}

impl fmt::Display for BadCoordinates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is not of the form group:artifact:version[:classifier]", self.text)
    }
}

impl Error for BadCoordinates {}

impl FromStr for Coordinates {
    type Err = BadCoordinates;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts: Vec<&str> = text.split(':').collect();
        let (group, artifact, version, classifier) = match parts[..] {
            [group, artifact, version] => (group, artifact, version, None),
            [group, artifact, version, classifier] => (group, artifact, version, Some(classifier)),
            _ => return Err(BadCoordinates { text: text.to_owned() }),
        };
        if !parts.iter().all(|part| is_name(part)) {
            return Err(BadCoordinates { text: text.to_owned() });
        }
        Ok(Coordinates {
            group: group.to_owned(),
            artifact: artifact.to_owned(),
            version: version.to_owned(),
            classifier: classifier.map(str::to_owned),
        })
    }
}

/// Whether a part is made of the characters of real artifacts, and of no path that leads upwards.
fn is_name(part: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || "._-+".contains(c);
    !part.is_empty() && part.chars().all(allowed) && !part.starts_with('.') && !part.contains("..")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_those_of_a_repository() {
        let plain: Coordinates = "org.ow2.asm:asm:9.8".parse().expect("well formed");
        assert_eq!(plain.path(), PathBuf::from("org/ow2/asm/asm/9.8/asm-9.8.jar"));
        let classified: Coordinates =
            "org.jacoco:org.jacoco.agent:0.8.15:runtime".parse().expect("well formed");
        assert_eq!(classified.file_name(), "org.jacoco.agent-0.8.15-runtime.jar");
        assert_eq!(classified.to_string(), "org.jacoco:org.jacoco.agent:0.8.15:runtime");
    }

    #[test]
    fn what_is_no_artifact_is_refused() {
        for text in ["", "a:b", "a:b:c:d:e", "a::1", "a:b:../../x", "a:b:<x>", "a:..:1", "a:b:1/2"] {
            assert_eq!(text.parse::<Coordinates>(), Err(BadCoordinates { text: text.to_owned() }));
        }
    }
}
