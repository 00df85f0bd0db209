//! Fetches artifacts with the machine's own Maven.
//!
//! One run of the dependency plugin, at a pinned version, copies any number of artifacts without looking at what they
//! depend on. The project file that says so lives in a temporary folder; nothing of it may remain.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use probity_toolchain::{Environment, all_jdks, find_maven};

use super::coordinates::Coordinates;
use super::error::FetchError;
use super::repository::Fetch;

const DEPENDENCY_PLUGIN: &str = "3.8.1";
const COPY_GOAL: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy";
const LINES_OF_OUTPUT_KEPT: usize = 20;

/// The Maven of this machine.
pub(super) struct Mvn;

impl Fetch for Mvn {
    fn fetch(&self, artifacts: &[Coordinates], into: &Path) -> Result<(), FetchError> {
        let environment = Environment::of_this_process();
        let maven = find_maven(&environment)
            .map_err(|reason| FetchError::NoMaven { missing: artifacts.to_vec(), reason })?;
        let pom = into.join("pom.xml");
        fs::write(&pom, project_file(artifacts, into)).map_err(|source| io_error("write", &pom, source))?;
        let mut command = Command::new(maven.program());
        command.args(["--batch-mode", "--quiet", "--file"]).arg(&pom).arg(COPY_GOAL).current_dir(into);
        if let Some(jdk) = all_jdks(&environment).first() {
            command.env("JAVA_HOME", jdk.home());
        }
        let output = command.output().map_err(|source| io_error("run", maven.program(), source))?;
        if output.status.success() {
            return Ok(());
        }
        Err(FetchError::MavenFailed { missing: artifacts.to_vec(), output: end_of(&output) })
    }
}

fn io_error(action: &'static str, path: &Path, source: std::io::Error) -> FetchError {
    FetchError::Io { action, path: path.to_owned(), source }
}

fn end_of(output: &Output) -> String {
    let text =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(LINES_OF_OUTPUT_KEPT)..].join("\n")
}

fn project_file(artifacts: &[Coordinates], into: &Path) -> String {
    let mut items = String::new();
    for artifact in artifacts {
        item(artifact, into, &mut items).expect("writing to a string cannot fail");
    }
    format!(
        r#"<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>probity</groupId>
  <artifactId>fetch</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <build><plugins><plugin>
    <groupId>org.apache.maven.plugins</groupId>
    <artifactId>maven-dependency-plugin</artifactId>
    <version>{DEPENDENCY_PLUGIN}</version>
    <configuration><artifactItems>
{items}    </artifactItems></configuration>
  </plugin></plugins></build>
</project>
"#
    )
}

fn item(artifact: &Coordinates, into: &Path, xml: &mut String) -> std::fmt::Result {
    write!(xml, "      <artifactItem><groupId>{}</groupId>", artifact.group())?;
    write!(xml, "<artifactId>{}</artifactId><version>{}</version>", artifact.artifact(), artifact.version())?;
    if let Some(classifier) = artifact.classifier() {
        write!(xml, "<classifier>{classifier}</classifier>")?;
    }
    let folder = escaped(&into.join(artifact.folder()).to_string_lossy());
    write!(xml, "<outputDirectory>{folder}</outputDirectory>")?;
    writeln!(xml, "<destFileName>{}</destFileName></artifactItem>", artifact.file_name())
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_goal_names_the_pinned_plugin() {
        assert_eq!(COPY_GOAL.split(':').nth(2), Some(DEPENDENCY_PLUGIN));
    }

    #[test]
    fn the_project_lists_each_artifact_with_its_place() {
        let artifacts =
            ["g.h:a:1".parse().expect("well formed"), "g:b:2:tests".parse().expect("well formed")];
        let xml = project_file(&artifacts, Path::new("/c&d"));
        assert_eq!(xml.matches("<artifactItem>").count(), 2);
        assert!(
            xml.contains("<outputDirectory>/c&amp;d/g/h/a/1</outputDirectory><destFileName>a-1.jar<"),
            "{xml}"
        );
        assert!(xml.contains("<classifier>tests</classifier>"), "{xml}");
    }
}
