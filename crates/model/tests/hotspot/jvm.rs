//! Has a JVM run many programs of the model, and compares what it shows with what the model says.
//!
//! One JVM runs a whole batch, each program in a class loader of its own. This file is used by the tests and by the long check.

use std::fs;

use probity_model::emit::{self, Expected, Form};
use probity_model::generate::Subject;
use probity_model::names::ClassSet;
use probity_model::text::Case;
use probity_test_support::java::{Compilation, CompiledClasses, Program};
use probity_toolchain::Jdk;

const INTERNALS: &str = "java.base/jdk.internal.misc=ALL-UNNAMED";

/// A JVM that runs programs.
pub(crate) struct Judge<'j> {
    jdk: &'j Jdk,
    driver: CompiledClasses,
}

/// What came of a batch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Verdict {
    /// Programs that the JVM ran and that did what the model says.
    pub(crate) same: usize,
    /// Among them, those that ended with an exception.
    pub(crate) thrown: usize,
    /// Among them, those that left a class failed.
    pub(crate) failed: usize,
    /// Programs whose linked classes were compared, and are those that the model says.
    pub(crate) linked_same: usize,
    /// Programs that cannot be written as class files.
    pub(crate) not_written: usize,
    /// Differences, each with the whole case.
    pub(crate) differences: Vec<String>,
}

impl Verdict {
    /// Adds another verdict.
    pub(crate) fn add(&mut self, other: Verdict) {
        self.same += other.same;
        self.thrown += other.thrown;
        self.failed += other.failed;
        self.linked_same += other.linked_same;
        self.not_written += other.not_written;
        self.differences.extend(other.differences);
    }
}

impl<'j> Judge<'j> {
    /// Prepares a JVM.
    pub(crate) fn new(jdk: &'j Jdk) -> Result<Self, String> {
        let driver = Compilation::with(jdk)
            .option("--add-exports")
            .option(INTERNALS)
            .source("Driver.java", include_str!("Driver.java"))
            .compile()
            .map_err(|error| error.to_string())?;
        Ok(Judge { jdk, driver })
    }

    /// Runs programs in one form, and compares what can be seen when they are over.
    pub(crate) fn judge(&self, subjects: &[Subject], form: Form) -> Result<Verdict, String> {
        let mut verdict = Verdict::default();
        let (file, written) = write_programs(subjects, form, &mut verdict);
        let shown = self.run(&file, &[], &[])?;
        let mut texts = shown.split("--\n");
        for (subject, expected) in written {
            let text = texts.next().unwrap_or_default();
            if text == expected.observation {
                verdict.same += 1;
                verdict.thrown += usize::from(text.starts_with("threw"));
                verdict.failed += usize::from(!expected.failed.is_empty());
            } else {
                verdict.differences.push(difference(subject, &expected.observation, text));
            }
        }
        Ok(verdict)
    }

    /// Runs programs in one form, and compares which classes the JVM links with those whose initialisation the model calls.
    ///
    /// The JVM tells of it in its log, which is for people and may change; the JDKs that tests run on say the same.
    pub(crate) fn judge_links(&self, subjects: &[Subject], form: Form) -> Result<Verdict, String> {
        let mut verdict = Verdict::default();
        let (file, written) = write_programs(subjects, form, &mut verdict);
        let shown = self.run(&file, &["-Xlog:class+init=info:stdout:none"], &["links"])?;
        let mut texts = shown.split("\n--\n");
        for (subject, expected) in written {
            let text = texts.next().unwrap_or_default();
            let names = text.lines().filter_map(|line| line.strip_prefix("Start class verification for: "));
            let linked: ClassSet = names.filter_map(|name| name.parse().ok()).collect();
            if linked == expected.called {
                verdict.linked_same += 1;
            } else {
                let (wanted, found) = (format!("{}\n", expected.called), format!("{linked}\n"));
                verdict.differences.push(difference(subject, &wanted, &found));
            }
        }
        Ok(verdict)
    }

    fn run(&self, file: &[u8], for_jvm: &[&str], for_driver: &[&str]) -> Result<String, String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let path = folder.path().join("programs");
        fs::write(&path, file).map_err(|error| error.to_string())?;
        let mut program = Program::with(self.jdk, "Driver").class_path([self.driver.folder()]);
        for argument in for_jvm {
            program = program.jvm_argument(argument);
        }
        program = program
            .jvm_argument("--add-exports")
            .jvm_argument(INTERNALS)
            .jvm_argument("-Xshare:auto")
            .jvm_argument("-XX:TieredStopAtLevel=1")
            .argument(&path);
        for argument in for_driver {
            program = program.argument(argument);
        }
        Ok(program.run_successfully().map_err(|error| error.to_string())?.stdout)
    }
}

/// The programs that can be written, as the driver reads them.
fn write_programs<'s>(
    subjects: &'s [Subject],
    form: Form,
    verdict: &mut Verdict,
) -> (Vec<u8>, Vec<(&'s Subject, Expected)>) {
    let mut written = Vec::new();
    let mut programs = Vec::new();
    for subject in subjects {
        let classes = emit::classes(&subject.program, &subject.test, form);
        match (classes, emit::expected(&subject.program, &subject.test)) {
            (Ok(classes), Ok(expected)) => {
                write_program(&mut programs, &classes, &expected);
                written.push((subject, expected));
            }
            _ => verdict.not_written += 1,
        }
    }
    let mut file = (written.len() as u32).to_be_bytes().to_vec();
    file.extend(programs);
    (file, written)
}

fn write_program(out: &mut Vec<u8>, classes: &[emit::EmittedClass], expected: &Expected) {
    out.extend((classes.len() as u32).to_be_bytes());
    for class in classes {
        write_text(out, &class.name.to_string());
        out.extend((class.bytes.len() as u32).to_be_bytes());
        out.extend(&class.bytes);
    }
    out.extend((expected.failed.len() as u32).to_be_bytes());
    expected.failed.iter().for_each(|name| write_text(out, &name.to_string()));
}

fn write_text(out: &mut Vec<u8>, text: &str) {
    out.extend((text.len() as u16).to_be_bytes());
    out.extend(text.as_bytes());
}

fn difference(subject: &Subject, wanted: &str, found: &str) -> String {
    let (program, tests) = (subject.program.clone(), vec![subject.test.clone()]);
    let case = Case { program, tests, revisions: Vec::new() };
    format!("the model says\n{wanted}and the JVM\n{found}for\n{case}")
}
