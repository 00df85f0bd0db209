//! A Maven project in a temporary folder, and how Maven and Probity are run on it.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use probity_store::Store;
use probity_trace::{OUTSIDE, Trace};
use tempfile::TempDir;

/// Another Maven than that of the machine, for all tests.
const MAVEN_VARIABLE: &str = "PROBITY_TEST_MAVEN";

/// The newest Surefire and Failsafe that is tried.
pub(crate) const NEWEST: &str = "3.5.6";

/// A class with two methods, each for a test of its own.
pub(crate) const PRICE: &str = "package shop;
public class Price {
    public static int twice(int n) { return 2 * n; }
    public static int thrice(int n) { return 3 * n; }
}
";

/// A JUnit 4 test of one method.
pub(crate) fn junit_4(name: &str, check: &str) -> String {
    format!(
        "package shop;
import static org.junit.Assert.*;
public class {name} {{ @org.junit.Test public void checks() {{ {check} }} }}
"
    )
}

/// A dependency for tests.
pub(crate) fn test_dependency(coordinates: &str) -> String {
    let parts: Vec<&str> = coordinates.split(':').collect();
    format!(
        "<dependency><groupId>{}</groupId><artifactId>{}</artifactId><version>{}</version><scope>test</scope></dependency>",
        parts[0], parts[1], parts[2]
    )
}

pub(crate) const JUNIT_4: &str = "junit:junit:4.13.2";

/// A POM of one module.
#[derive(Clone)]
pub(crate) struct Pom {
    pub(crate) name: &'static str,
    pub(crate) parent: bool,
    pub(crate) surefire: &'static str,
    pub(crate) dependencies: String,
    pub(crate) properties: String,
    /// The configuration of Surefire.
    pub(crate) configuration: String,
    /// Further executions of Surefire.
    pub(crate) executions: String,
    pub(crate) plugins: String,
}

impl Pom {
    pub(crate) fn new(name: &'static str) -> Self {
        Pom {
            name,
            parent: false,
            surefire: NEWEST,
            dependencies: test_dependency(JUNIT_4),
            properties: String::new(),
            configuration: String::new(),
            executions: String::new(),
            plugins: String::new(),
        }
    }

    pub(crate) fn text(&self) -> String {
        let Pom { name, surefire, dependencies, properties, configuration, executions, plugins, .. } = self;
        let parent = if self.parent {
            "<parent><groupId>shop</groupId><artifactId>all</artifactId><version>1</version></parent>"
        } else {
            "<groupId>shop</groupId><version>1</version>"
        };
        format!(
            r#"<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>{parent}<artifactId>{name}</artifactId>
  <properties>
    <maven.compiler.source>17</maven.compiler.source><maven.compiler.target>17</maven.compiler.target>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>{properties}
  </properties>
  <dependencies>{dependencies}</dependencies>
  <build><plugins>
    <plugin><artifactId>maven-resources-plugin</artifactId><version>3.3.1</version></plugin>
    <plugin><artifactId>maven-compiler-plugin</artifactId><version>3.13.0</version></plugin>
    <plugin><artifactId>maven-clean-plugin</artifactId><version>3.4.0</version></plugin>
    <plugin><artifactId>maven-jar-plugin</artifactId><version>3.4.2</version></plugin>
    <plugin><artifactId>maven-surefire-plugin</artifactId><version>{surefire}</version>
      <configuration>{configuration}</configuration><executions>{executions}</executions></plugin>
    {plugins}
  </plugins></build>
</project>
"#
        )
    }
}

/// The POM of a parent with these modules.
pub(crate) fn parent(modules: &[&str]) -> String {
    let modules: String = modules.iter().map(|module| format!("<module>{module}</module>")).collect();
    format!(
        "<project xmlns=\"http://maven.apache.org/POM/4.0.0\"><modelVersion>4.0.0</modelVersion><groupId>shop</groupId>\
         <artifactId>all</artifactId><version>1</version><packaging>pom</packaging><modules>{modules}</modules></project>\n"
    )
}

/// A project.
pub(crate) struct Project {
    folder: TempDir,
    maven: Option<PathBuf>,
}

/// How a run went.
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    pub(crate) fn of(output: &Output) -> Self {
        // Maven resets colours also where it uses none.
        let text =
            |bytes: &[u8]| String::from_utf8_lossy(bytes).replace("\u{1b}[0m", "").replace("\u{1b}[m", "");
        Run { code: output.status.code(), stdout: text(&output.stdout), stderr: text(&output.stderr) }
    }

    pub(crate) fn assert_code(&self, code: i32) -> &Self {
        assert_eq!(self.code, Some(code), "{self}");
        self
    }

    /// What Probity said at the end, without the number of traces.
    pub(crate) fn summary(&self) -> String {
        let line = self.stderr.lines().rfind(|line| line.starts_with("probity: ")).unwrap_or_default();
        let parts = line.split("; ").filter(|part| !part.contains("new trace"));
        parts.collect::<Vec<_>>().join("; ")
    }

    pub(crate) fn warnings(&self) -> Vec<&str> {
        self.stderr.lines().filter_map(|line| line.strip_prefix("warning: ")).collect()
    }
}

impl std::fmt::Display for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "exit code {:?}\n{}{}", self.code, self.stdout, self.stderr)
    }
}

impl Project {
    /// An empty project.
    pub(crate) fn empty() -> Self {
        let maven = std::env::var_os(MAVEN_VARIABLE).map(PathBuf::from);
        Project { folder: tempfile::tempdir().expect("temporary folder"), maven }
    }

    /// A module in the root with [`PRICE`] and a test for each of its methods.
    pub(crate) fn of_two_tests(pom: &Pom) -> Self {
        let project = Project::empty();
        project.write("pom.xml", &pom.text());
        project.write("src/main/java/shop/Price.java", PRICE);
        project.write(
            "src/test/java/shop/TwiceTest.java",
            &junit_4("TwiceTest", "assertEquals(4, Price.twice(2));"),
        );
        project.write(
            "src/test/java/shop/ThriceTest.java",
            &junit_4("ThriceTest", "assertEquals(6, Price.thrice(2));"),
        );
        project
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("makes");
        std::fs::write(path, text).expect("writes");
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.path().join(name).exists()
    }

    /// `probity mvn` with options of its own and arguments of Maven.
    pub(crate) fn command(&self, own: &[&str], arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_probity"));
        command.arg("mvn").args(own);
        if let Some(maven) = &self.maven {
            command.arg("--maven").arg(maven);
        }
        self.prepared(command, arguments)
    }

    /// Runs `probity mvn`.
    pub(crate) fn mvn(&self, arguments: &[&str]) -> Run {
        self.mvn_with(&[], arguments)
    }

    pub(crate) fn mvn_with(&self, own: &[&str], arguments: &[&str]) -> Run {
        Run::of(&self.command(own, arguments).output().expect("runs"))
    }

    /// Runs Maven without Probity.
    pub(crate) fn plain(&self, arguments: &[&str]) -> Run {
        let program = self.maven.as_deref().map_or(OsStr::new("mvn"), Path::as_os_str);
        Run::of(&self.prepared(Command::new(program), arguments).output().expect("runs"))
    }

    fn prepared(&self, mut command: Command, arguments: &[&str]) -> Command {
        command.args(["-B", "-ntp", "-Dstyle.color=never"]).args(arguments).current_dir(self.path());
        command.env("MAVEN_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC").env_remove("JAVA_TOOL_OPTIONS");
        command
    }

    pub(crate) fn store(&self) -> Store {
        Store::at(self.path().join(".probity"))
    }

    /// All traces, by unit, the newest first.
    pub(crate) fn traces(&self) -> BTreeMap<String, Vec<Trace>> {
        let mut traces: BTreeMap<String, Vec<Trace>> = BTreeMap::new();
        for trace in self.store().load().iter().filter(|trace| trace.unit() != OUTSIDE) {
            traces.entry(trace.unit().to_owned()).or_default().push(trace.to_trace());
        }
        traces
    }

    /// What all traces of a unit say of its surroundings: one thing, if nothing in them is different in each run.
    pub(crate) fn surroundings(&self, unit: &str) -> BTreeSet<String> {
        let traces = self.traces();
        let told = traces[unit].iter().map(|trace| {
            let Trace { environment, files, resources, properties, variables, distrust, .. } = trace;
            format!("{environment:#?}{files:#?}{resources:#?}{properties:#?}{variables:#?}{distrust:#?}")
        });
        told.collect()
    }

    pub(crate) fn units(&self) -> Vec<String> {
        self.traces().into_keys().collect()
    }
}

/// JaCoCo's XML without what says when it was recorded.
pub(crate) fn without_sessions(xml: &str) -> String {
    let mut parts = xml.split("<sessioninfo");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |xml, part| xml + part.split_once("/>").map_or(part, |(_, rest)| rest))
}

/// JaCoCo's plugin with its agent and its report.
pub(crate) const JACOCO: &str = "<plugin><groupId>org.jacoco</groupId><artifactId>jacoco-maven-plugin</artifactId><version>0.8.13</version>\
    <executions><execution><id>agent</id><goals><goal>prepare-agent</goal></goals></execution>\
    <execution><id>report</id><phase>test</phase><goals><goal>report</goal></goals></execution></executions></plugin>";

/// The classes that Surefire ran, sorted.
pub(crate) fn ran(run: &Run) -> Vec<&str> {
    let mut ran: Vec<&str> =
        run.stdout.lines().filter_map(|line| line.strip_prefix("[INFO] Running ")).collect();
    ran.sort_unstable();
    ran
}
