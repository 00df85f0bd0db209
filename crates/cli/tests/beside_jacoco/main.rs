//! Grouped reports and coverage rules beside JaCoCo's own library, on real jars with made-up execution data.
//!
//! Kotlin's coroutines are among them because they have a class that is not called `*.class`. More odd names, beside
//! JaCoCo's command, are in `odd_names`.

mod odd_names;
#[path = "../support/packed_archive.rs"]
mod packed_archive;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use probity_test_support::corpus::{self, Part};
use probity_test_support::java::{Compilation, Program, test_jdks};
use probity_test_support::tools::jacoco_class_path;
use tempfile::TempDir;

const NAME: &str = "all \"of\" <it>";

/// What JaCoCo says, in a folder.
struct Oracle {
    folder: TempDir,
    groups: Vec<String>,
}

impl Oracle {
    /// Asks JaCoCo about groups, each a name and a jar, and about rules.
    fn ask(groups: &[(&str, PathBuf)], rules: &[String]) -> Oracle {
        let folder = tempfile::tempdir().expect("temporary folder");
        fs::write(folder.path().join("rules"), rules.join("\n")).expect("writes");
        let groups: Vec<String> =
            groups.iter().map(|(name, jar)| format!("{name}={}", jar.display())).collect();
        let jdk = test_jdks().remove(0);
        let jars = jacoco_class_path().expect("JaCoCo can be fetched");
        let compiled = Compilation::with(&jdk)
            .class_path(jars.clone())
            .source("Oracle.java", include_str!("Oracle.java"))
            .compile()
            .expect("the program compiles");
        let mut program = Program::with(&jdk, "Oracle").class_path(jars).class_path([compiled.folder()]);
        program = program.argument(folder.path());
        program = groups.iter().fold(program, Program::argument);
        program.run_successfully().unwrap_or_else(|error| panic!("{error}"));
        Oracle { folder, groups }
    }

    /// Runs a command on the same groups and the same execution data.
    fn probity(&self, command: &str, more: &[String]) -> Output {
        let mut probity = Command::new(env!("CARGO_BIN_EXE_probity"));
        probity.args([command, "--exec", "made-up.exec", "--name", NAME]).current_dir(self.folder.path());
        self.groups.iter().for_each(|group| {
            probity.args(["--group", group]);
        });
        probity.args(more).output().expect("runs")
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path().join(name)).expect("is there")
    }
}

fn sample_jar(part_of_name: &str) -> PathBuf {
    let jars = corpus::fetched(Part::Sample).expect("the corpus can be fetched");
    let jar = jars.into_iter().find(|jar| jar.jar.artifact.contains(part_of_name));
    jar.expect("in the sample").path
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("is text")
}

/// Shows the first difference with what stands around it: reports have long lines.
fn assert_same(what: &str, ours: &str, theirs: &str) {
    let at = ours.bytes().zip(theirs.bytes()).take_while(|(ours, theirs)| ours == theirs).count();
    let around = |text: &str| {
        let bytes = &text.as_bytes()[at.saturating_sub(300)..(at + 200).min(text.len())];
        String::from_utf8_lossy(bytes).into_owned()
    };
    assert!(ours == theirs, "{what} at byte {at}\nours:   {}\ntheirs: {}", around(ours), around(theirs));
}

#[test]
fn grouped_reports_are_those_of_jacoco() {
    let (jython, ecj, guava) = (sample_jar("jython"), sample_jar("ecj"), sample_jar("guava"));
    let coroutines = sample_jar("coroutines");
    let groups = [
        ("languages/old & <odd>/jython", jython.clone()),
        ("guava", guava),
        ("languages/kotlin", coroutines.clone()),
        ("languages/java", ecj),
        ("languages/java", jython.clone()),
        ("languages/java", coroutines),
        ("once more, jython", jython),
    ];
    let oracle = Oracle::ask(&groups, &[]);
    let formats = ["--format", "xml=ours.xml", "csv=ours.csv"].map(str::to_owned);
    let output = oracle.probity("report", &formats);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
    for format in ["xml", "csv"] {
        let (ours, theirs) =
            (oracle.read(&format!("ours.{format}")), oracle.read(&format!("theirs.{format}")));
        assert!(ours.len() > 100_000, "{} bytes", ours.len());
        assert_same(format, &ours, &theirs);
    }
    assert!(
        oracle.read("ours.xml").contains(r#"<group name="languages"><group name="old &amp; &lt;odd&gt;">"#)
    );
}

#[test]
fn a_cache_changes_nothing_whatever_is_in_it() {
    let groups = [("kotlin", sample_jar("coroutines")), ("java", sample_jar("ecj"))];
    let oracle = Oracle::ask(&groups, &[]);
    let cache = oracle.folder.path().join("new/cache");
    let file = cache.join("analyses.bin");
    let report = |place: &Path, message: &str| {
        let arguments =
            ["--cache", &place.display().to_string(), "--format", "xml=ours.xml"].map(str::to_owned);
        let output = oracle.probity("report", &arguments);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        assert!(text(&output.stderr).contains(message) && output.stderr.is_empty() == message.is_empty());
        assert_same("xml", &oracle.read("ours.xml"), &oracle.read("theirs.xml"));
    };
    report(&cache, "");
    let filled = fs::read(&file).expect("was written");
    report(&cache, "");
    assert!(fs::read(&file).expect("is there") == filled, "nothing was new");
    for (at, byte) in [(3, 1), (filled.len() / 2, 0xFF), (filled.len() - 1, 0x10)] {
        let mut damaged = filled.clone();
        damaged[at] ^= byte;
        fs::write(&file, damaged).expect("writes");
        report(&cache, "");
    }
    fs::write(&file, &filled[..filled.len() / 3]).expect("writes");
    report(&cache, "");
    assert!(fs::read(&file).expect("is there").len() == filled.len(), "what was lost is there again");
    // Other probes of the same classes are another matter.
    let exec = oracle.folder.path().join("made-up.exec");
    let data = fs::read(&exec).expect("is there");
    fs::write(&exec, &data[..5]).expect("writes");
    let output = oracle.probity("report", &["--cache", "new/cache", "--format", "xml=-"].map(str::to_owned));
    let without = oracle.probity("report", &["--format", "xml=-"].map(str::to_owned));
    assert!(!output.stdout.is_empty() && output.stdout == without.stdout);
    fs::write(&exec, data).expect("writes");
    report(&cache, "");
    // A report does not depend on its cache.
    report(&file, "the cache cannot be written");
}

/// The same rules on every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }

    fn choose<'c>(&mut self, choices: &[&'c str]) -> &'c str {
        choices[usize::try_from(self.roll(choices.len() as u64)).expect("few")]
    }

    /// A limit: mostly one that makes sense, with up to nine decimals.
    fn number(&mut self, is_ratio: bool) -> String {
        let decimals = usize::try_from(self.roll(10)).expect("few");
        let digits = format!("{:09}", self.roll(1_000_000_000));
        match (is_ratio, self.roll(12)) {
            (true, 0) => self.choose(&["1", "0", "1.0", "0.00", "100%", "+0.5", ".5", "1."]).to_owned(),
            (true, 1) => self.choose(&["80", "-0.00000012", "-1", "1.000000001", "100.01%"]).to_owned(),
            (true, 2..=4) => format!("{}.{}%", self.roll(100), &digits[..decimals.min(7)]),
            (true, _) => format!("0.{}", &digits[..decimals]),
            (false, 0) => format!("{}.{}", self.roll(50), &digits[..decimals]),
            (false, 1) => "-3".to_owned(),
            (false, _) => self.roll(400).to_string(),
        }
    }

    fn rule(&mut self, element: &str) -> String {
        let counter = self.choose(&["INSTRUCTION", "BRANCH", "LINE", "COMPLEXITY", "METHOD", "CLASS"]);
        let value =
            self.choose(&["TOTALCOUNT", "MISSEDCOUNT", "COVEREDCOUNT", "MISSEDRATIO", "COVEREDRATIO"]);
        let is_ratio = value.ends_with("RATIO");
        let mut rule = format!("element={element},counter={counter},value={value}");
        let bounds = self.roll(3);
        for (bound, left_out) in [("minimum", 0), ("maximum", 1)] {
            if bounds != left_out {
                rule += &format!(",{bound}={}", self.number(is_ratio));
            }
        }
        let patterns = [
            "*",
            "*a*",
            "?*.*e*",
            "org.*:*cache*",
            "*(int)*",
            "*/?*s.java:*.cache.*",
            "*{...}*",
            "all*",
            "x",
        ];
        if self.roll(2) == 0 {
            rule += &format!(",includes={}", self.choose(&patterns));
        }
        if self.roll(3) == 0 {
            rule += &format!(",excludes={}", self.choose(&patterns[1..]));
        }
        rule
    }
}

#[test]
fn violations_are_those_of_jacoco() {
    let mut dice = Dice(7);
    let counts =
        [("BUNDLE", 200), ("PACKAGE", 150), ("CLASS", 60), ("SOURCEFILE", 60), ("METHOD", 40), ("GROUP", 5)];
    let mut rules: Vec<String> = counts
        .iter()
        .flat_map(|(element, count)| vec![*element; *count])
        .map(|element| dice.rule(element))
        .collect();
    rules.push("minimum=0.99".to_owned());
    let groups = [
        ("old/jython", sample_jar("jython")),
        ("new/guava", sample_jar("guava")),
        ("new/coroutines", sample_jar("coroutines")),
    ];
    let oracle = Oracle::ask(&groups, &rules);
    let arguments: Vec<String> = rules.iter().flat_map(|rule| ["--rule".to_owned(), rule.clone()]).collect();
    let output = oracle.probity("check-coverage", &arguments);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let theirs = oracle.read("violations");
    for rare in [".{...}:", "static {...}:", "given minimum ratio", "missed ratio", "source file"] {
        assert!(theirs.contains(rare), "no rule asked about {rare}");
    }
    let (mut ours, mut theirs) = (text(&output.stdout).lines(), theirs.lines());
    let mut count = 0;
    loop {
        let (ours, theirs) = (ours.next(), theirs.next());
        assert_eq!(ours, theirs, "line {}", count + 1);
        if ours.is_none() {
            break;
        }
        count += 1;
    }
    assert!(count > 10_000, "only {count} violations were compared");
}
