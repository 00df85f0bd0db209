//! An execution of Surefire or Failsafe, as the extension describes it.
//!
//! What is not understood is left out, and what is not there is empty: nobody may conclude from an absence that a test need not run.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::unescaped;

/// One execution of a goal that runs tests.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TestExecution {
    /// The module: its group and its name.
    pub module: String,
    /// The folder of the module.
    pub base: PathBuf,
    /// The plugin: `maven-surefire-plugin` or `maven-failsafe-plugin`.
    pub plugin: String,
    /// The version of the plugin.
    pub plugin_version: String,
    /// The goal.
    pub goal: String,
    /// The id of the execution.
    pub execution: String,
    /// Why the tests are not recorded, if they are not.
    pub not_recorded: Option<NotRecorded>,
    /// The arguments that the JVM of the tests gets, the agent among them.
    pub arguments: String,
    /// The arguments as they would be without Probity and without JaCoCo's agent, with all that is filled in late.
    pub given_arguments: String,
    /// The file that JaCoCo's agent would have written.
    pub exec_file: Option<PathBuf>,
    /// Where the test classes are.
    pub test_classes: PathBuf,
    /// Where the results of tests are written.
    pub reports: Option<PathBuf>,
    /// What is appended to the names of results.
    pub report_suffix: Option<String>,
    /// Where the JVM of the tests is started.
    pub working_directory: Option<PathBuf>,
    /// The program of the JVM.
    pub java: Option<PathBuf>,
    /// The class path of the tests, without that of Surefire's own parts. Empty if nobody knows it.
    pub class_path: Vec<PathBuf>,
    /// The parameters of the goal.
    pub parameters: BTreeMap<String, Vec<String>>,
    /// Lists of patterns from files, by the parameter that names the file.
    pub lists: BTreeMap<String, Vec<String>>,
    /// The system properties that Surefire sets in the JVM after its start.
    pub properties: BTreeMap<String, String>,
    /// What Maven's own JVM takes for the language and the machine.
    pub machine: BTreeMap<String, String>,
    /// The environment variables that the configuration sets.
    pub variables: BTreeMap<String, String>,
    /// The test classes that would have run and were left out.
    pub left_out: Vec<String>,
}

/// Why tests are not recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotRecorded {
    /// They do not run at all.
    Skipped,
    /// Something in the way, in words.
    Because(String),
}

/// Parameters that do not change what a test does: what is told elsewhere, which classes run, and what is reported of them.
const WITHOUT_EFFECT: [&str; 31] = [
    "argLine",
    "consoleOutputReporter",
    "disableXmlReport",
    "effectiveForkCount",
    "enableOutErrElements",
    "enablePropertiesElement",
    "environmentVariables",
    "excludes",
    "excludesFile",
    "failIfNoSpecifiedTests",
    "failIfNoTests",
    "failOnFlakeCount",
    "includes",
    "includesFile",
    "parallelMavenExecution",
    "printSummary",
    "redirectTestOutputToFile",
    "reportFormat",
    "reportNameSuffix",
    "reportsDirectory",
    "reportTestTimestamp",
    "runOrder",
    "runOrderRandomSeed",
    "skip",
    "skipExec",
    "skipITs",
    "skipTests",
    "summaryFile",
    "systemProperties",
    "systemPropertyVariables",
    "testFailureIgnore",
];

impl TestExecution {
    /// Reads a description.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut execution = Self::default();
        for (name, value) in text.lines().filter_map(|line| line.split_once('=')) {
            execution.set(name, unescaped(value));
        }
        execution
    }

    fn set(&mut self, name: &str, value: String) {
        match name {
            "module" => self.module = value,
            "base" => self.base = value.into(),
            "plugin" => self.plugin = value,
            "plugin-version" => self.plugin_version = value,
            "goal" => self.goal = value,
            "execution" => self.execution = value,
            "not-recorded" => self.not_recorded = Some(NotRecorded::parse(&value)),
            "arguments" => self.arguments = value,
            "given-arguments" => self.given_arguments = value,
            "exec-file" => self.exec_file = Some(value.into()),
            "test-classes" => self.test_classes = value.into(),
            "reports" => self.reports = Some(value.into()),
            "report-suffix" => self.report_suffix = Some(value).filter(|suffix| !suffix.is_empty()),
            "working-directory" => self.working_directory = Some(value.into()),
            "java" => self.java = Some(value.into()),
            "class-path" => self.class_path.push(value.into()),
            "left-out" => self.left_out.push(value),
            _ => self.set_named(name, value),
        }
    }

    fn set_named(&mut self, name: &str, value: String) {
        let Some((kind, name)) = name.split_once(' ') else { return };
        let name = name.to_owned();
        match kind {
            "parameter" => self.parameters.entry(name).or_default().push(value),
            "list" => self.lists.entry(name).or_default().push(value),
            "machine" => {
                self.machine.insert(name, value);
            }
            "property" => {
                self.properties.insert(name, value);
            }
            "variable" => {
                self.variables.insert(name, value);
            }
            _ => {}
        }
    }

    /// For people: the module, the goal, and the execution if it is not the usual one.
    #[must_use]
    pub fn name(&self) -> String {
        let module = self.module.rsplit(':').next().unwrap_or_default();
        let plugin = self.plugin.trim_start_matches("maven-").trim_end_matches("-plugin");
        format!("{module} ({plugin}:{} {})", self.goal, self.execution)
    }

    /// Everything in the configuration that can change what a test does and that the recording of a JVM does not tell, as one text. Paths in
    /// the project are relative to its root, so that the text is the same wherever the project is.
    #[must_use]
    pub fn configuration(&self, root: &Path) -> String {
        let root = root.to_string_lossy();
        let mut text = format!("{}\n{}\n{}\n", self.plugin, self.plugin_version, self.goal);
        text.push_str(&format!("{}\n", super::escaped(&self.given_arguments.replace(&*root, "."))));
        for (name, value) in &self.machine {
            text.push_str(&format!("{name}={}\n", super::escaped(value)));
        }
        let parameters = self.parameters.iter().filter(|(name, _)| !WITHOUT_EFFECT.contains(&name.as_str()));
        for (name, values) in parameters.chain(&self.lists) {
            for value in values {
                text.push_str(&format!("{name}={}\n", super::escaped(&value.replace(&*root, "."))));
            }
        }
        text
    }
}

impl NotRecorded {
    fn parse(text: &str) -> Self {
        match text.split_once(": ") {
            Some(("skipped", _)) => Self::Skipped,
            Some((_, words)) => Self::Because(words.to_owned()),
            None => Self::Because(text.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "module=shop:core\nbase=/p/core\nplugin=maven-surefire-plugin\nplugin-version=3.5.6\ngoal=test\n\
        execution=default-test\nclass-path=/p/core/target/test-classes\nclass-path=/m/junit.jar\nparameter groups=fast\n\
        parameter argLine=-Xmx1g\ngiven-arguments=-Xss1m\nparameter workingDirectory=/p/core\nproperty a.b=c\\nd\nvariable HOME=/x=y\nleft-out=shop.A\nfuture=1\n";

    #[test]
    fn descriptions_are_read() {
        let execution = TestExecution::parse(TEXT);
        assert_eq!(execution.name(), "core (surefire:test default-test)");
        assert_eq!(
            execution.class_path,
            [Path::new("/p/core/target/test-classes"), Path::new("/m/junit.jar")]
        );
        assert_eq!(execution.properties["a.b"], "c\nd");
        assert_eq!(execution.variables["HOME"], "/x=y");
        assert_eq!(execution.left_out, ["shop.A"]);
        assert_eq!(execution.not_recorded, None);
    }

    #[test]
    fn the_configuration_is_what_can_change_a_test() {
        let of = |text: &str, root: &str| TestExecution::parse(text).configuration(Path::new(root));
        let here = of(TEXT, "/p");
        assert_eq!(here, of(&TEXT.replace("/p/", "/q/"), "/q"), "it does not depend on the place");
        assert_eq!(here, of(&TEXT.replace("-Xmx1g", "-Xmx2g"), "/p"), "the agent is among them");
        assert_ne!(here, of(&TEXT.replace("-Xss1m", "-Xss2m"), "/p"));
        assert_ne!(here, of(&TEXT.replace("fast", "slow"), "/p"));
        assert_ne!(here, of(&TEXT.replace("3.5.6", "3.5.5"), "/p"));
    }

    #[test]
    fn skipped_tests_are_no_problem() {
        let of = |text: &str| TestExecution::parse(text).not_recorded;
        assert_eq!(of("not-recorded=skipped: tests are skipped\n"), Some(NotRecorded::Skipped));
        assert_eq!(
            of("not-recorded=no-fork: inside Maven\n"),
            Some(NotRecorded::Because("inside Maven".to_owned()))
        );
    }
}
