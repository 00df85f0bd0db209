//! Bodies that grow until jumps do not fit two bytes: they must verify, and run as before.
//!
//! A program that uses jumps in every way is compiled, made larger in many ways and run; real methods are made larger
//! and verified. That jumps were really widened is counted on what was written, not taken from the rewriter.

use std::fs;
use std::path::Path;
use std::thread;

use probity_classfile::edit::{ClassEditor, EditError};
use probity_classfile::opcode::{Flow, Opcode};
use probity_classfile::rewrite::{BodyPatch, BodyRewriter, rewrite_bodies};
use probity_classfile::{ClassFile, Member};
use probity_test_support::corpus::{self, Part};
use probity_test_support::java::{Compilation, CompiledClasses, Program, test_jdks};
use probity_test_support::link::{GivenClass, LinkResult, LinkServer};
use probity_toolchain::Jdk;

use crate::class_set::{ClassSet, NamedClass};
use crate::comparison::{compare, link};
use crate::insertions::{Insertions, crossed_by};

const PROGRAM: &str = include_str!("WideJumps.java");
/// How often the program is made larger and run, for each JDK and class file version.
const RUNS: u64 = 4;
/// From how many bytes on a method of the corpus is made larger.
const SOME_SIZE: usize = 250;

/// Jumps of some bodies that have four bytes for the distance.
#[derive(Debug, Default)]
struct WideJumps {
    unconditional: usize,
    /// A condition that leads around a `goto_w`.
    conditional: usize,
    forward: usize,
    backward: usize,
}

impl WideJumps {
    fn count(&mut self, class: &[u8]) {
        let class = ClassFile::read(class).expect("a class");
        for method in class.methods() {
            let Some(code) = class.code(method).expect("a body") else { continue };
            let mut leads_around = None;
            for instruction in code.instructions() {
                let instruction = instruction.expect("an instruction");
                let target = instruction.targets().next();
                if instruction.opcode == Opcode::GOTO_W {
                    let around = leads_around == Some(instruction.next_pc());
                    *(if around { &mut self.conditional } else { &mut self.unconditional }) += 1;
                    let forward = target > Some(instruction.pc);
                    *(if forward { &mut self.forward } else { &mut self.backward }) += 1;
                }
                leads_around = target.filter(|_| instruction.flow() == Flow::Branch);
            }
        }
    }

    fn assert_many(&self, least: usize) {
        for count in [self.unconditional, self.conditional, self.forward, self.backward] {
            assert!(count >= least, "{self:?}");
        }
    }
}

#[test]
fn programs_run_as_before_when_their_jumps_become_wide() {
    for jdk in test_jdks() {
        for version in [None, Some(52), Some(49)] {
            let (classes, release) = compile(&jdk, version);
            if let Some(version) = version {
                set_version(&classes, version);
            }
            let expected = run(&jdk, &classes.folder());
            assert!(expected.lines().count() > 70, "{jdk}: {expected}");
            let mut jumps = WideJumps::default();
            for seed in 0..RUNS {
                let folder = tempfile::tempdir().expect("a temporary folder");
                for file in classes.class_files().expect("class files") {
                    let bytes = fs::read(&file).expect("a class file");
                    let rewritten =
                        Insertions::FewLongRuns.rewrite(&bytes, seed).expect("it can be done").bytes;
                    jumps.count(&rewritten);
                    let name = file.file_name().expect("a name");
                    fs::write(folder.path().join(name), rewritten).expect("a class file");
                }
                assert_eq!(run(&jdk, folder.path()), expected, "{jdk}, {release}, seed {seed}");
            }
            jumps.assert_many(10);
        }
    }
}

/// Each jump of the program is widened on its own, so that each has to be right about what is on the operand stack.
#[test]
fn every_single_jump_can_become_wide() {
    for jdk in test_jdks() {
        for version in [None, Some(52), Some(49)] {
            let (classes, release) = compile(&jdk, version);
            if let Some(version) = version {
                set_version(&classes, version);
            }
            let files = classes.class_files().expect("class files");
            let program: Vec<Vec<u8>> =
                files.iter().map(|file| fs::read(file).expect("a class file")).collect();
            let names: Vec<String> =
                files.iter().map(|file| file.file_stem().expect("a name").to_string_lossy().into()).collect();
            let base: Vec<GivenClass<'_>> =
                names.iter().zip(&program).map(|(name, bytes)| GivenClass { name, bytes }).collect();
            let widened: Vec<Vec<u8>> =
                program.iter().flat_map(|class| with_one_wide_jump_each(class)).collect();
            assert!(widened.len() > 40, "{} variants", widened.len());
            let mut server = LinkServer::start_with_base(&jdk, &base).expect("a JVM");
            for (position, answer) in server.link_alone(&widened).expect("answers").iter().enumerate() {
                assert!(answer.is_linked(), "{jdk}, {release}, variant {position}: {answer}");
            }
        }
    }
}

/// Forms of a class: in the first one the first jump of each body is wide, in the second one the second, and so on.
fn with_one_wide_jump_each(class: &[u8]) -> Vec<Vec<u8>> {
    let class = ClassFile::read(class).expect("a class");
    let mut forms = Vec::new();
    loop {
        let mut any = false;
        let form = rewrite_bodies(&class, |_, code, patch| {
            let mut jumps = code
                .instructions()
                .map(|one| one.expect("an instruction"))
                .filter(|one| matches!(one.flow(), Flow::Branch | Flow::Goto));
            if let Some(jump) = jumps.nth(forms.len()) {
                any = true;
                let target = jump.targets().next().expect("a target");
                patch.before(crossed_by(&jump, target), &vec![Opcode::NOP.0; 33_000]);
            }
        });
        if !any {
            return forms;
        }
        forms.push(form.expect("it can be done"));
    }
}

/// Compiles the program for this JDK, or for Java 8.
fn compile(jdk: &Jdk, version: Option<u16>) -> (CompiledClasses, String) {
    let release = if version.is_some() { 8 } else { jdk.feature_version() };
    let classes = Compilation::with(jdk).release(release).option("-g").source("WideJumps.java", PROGRAM);
    (classes.compile().unwrap_or_else(|error| panic!("{jdk}: {error}")), format!("version {version:?}"))
}

/// Makes class files older. Before version 50 the JVM takes no notice of frames.
fn set_version(classes: &CompiledClasses, version: u16) {
    for file in classes.class_files().expect("class files") {
        let mut bytes = fs::read(&file).expect("a class file");
        bytes[6..8].copy_from_slice(&version.to_be_bytes());
        fs::write(&file, bytes).expect("a class file");
    }
}

fn run(jdk: &Jdk, folder: &Path) -> String {
    let program = Program::with(jdk, "WideJumps").class_path([folder]).jvm_argument("-Xverify:all");
    program.run_successfully().unwrap_or_else(|error| panic!("{error}")).stdout
}

/// Real methods of some size: compilers put more into them than the program above.
#[test]
fn real_methods_verify_when_their_jumps_become_wide() {
    let mut set = ClassSet::default();
    for jar in corpus::fetched(Part::Sample).expect("the jars of the sample") {
        set.add_jar(&jar.path).expect("a jar of the sample");
    }
    let mut jumps = WideJumps::default();
    let mut bodies = 0;
    let grown: Vec<NamedClass> = set
        .classes
        .iter()
        .map(|class| {
            let grown = Insertions::FewLongRuns.rewrite_bodies_from(SOME_SIZE, &class.bytes, 1);
            let grown = grown.unwrap_or_else(|error| panic!("{}: {error}", class.name));
            bodies += grown.bodies;
            jumps.count(&grown.bytes);
            NamedClass { name: class.name.clone(), bytes: grown.bytes }
        })
        .collect();
    assert!(bodies > 1_000, "{bodies} bodies");
    jumps.assert_many(500);
    thread::scope(|scope| {
        for jdk in test_jdks() {
            let (before, after) = (&set.classes, &grown);
            scope.spawn(move || {
                let comparison = compare(
                    before,
                    &link(&jdk, before).expect("answers"),
                    &link(&jdk, after).expect("answers"),
                );
                assert!(comparison.differences.is_empty(), "{jdk}: {}", comparison.differences.join("\n"));
            });
        }
    });
}

/// The class of the program, compiled for Java 17.
fn compiled_class() -> Vec<u8> {
    let classes = Compilation::with(&test_jdks()[0]).release(17).source("WideJumps.java", PROGRAM).compile();
    fs::read(classes.expect("it compiles").class_file("WideJumps")).expect("a class file")
}

fn method<'c, 'a>(class: &'c ClassFile<'a>, name: &str) -> &'c Member<'a> {
    let named = |method: &&Member<'_>| class.pool().utf8(method.name).is_ok_and(|found| found == name);
    class.methods().iter().find(named).expect("a method of that name")
}

/// Inserts so many bytes at the start of a method's body that it has the given length.
fn grow_to(class: &[u8], name: &str, length: usize) -> Result<Vec<u8>, EditError> {
    let class = ClassFile::read(class)?;
    let method = method(&class, name);
    rewrite_bodies(&class, |each, code, patch| {
        if each.offset == method.offset {
            patch.before(0, &vec![Opcode::NOP.0; length - code.bytes.len()]);
        }
    })
}

#[test]
fn a_body_may_have_65535_bytes_and_no_more() {
    let class = compiled_class();
    let largest = grow_to(&class, "arrays", 65_535).expect("it fits");
    let read = ClassFile::read(&largest).expect("a class");
    let code = read.code(method(&read, "arrays")).expect("a body").expect("a body");
    assert_eq!(code.bytes.len(), 65_535);
    for jdk in test_jdks() {
        let mut server = LinkServer::start(&jdk).expect("a JVM");
        assert_eq!(server.link_alone(&[&largest]).expect("an answer"), [LinkResult::Linked], "{jdk}");
    }
    assert_eq!(grow_to(&class, "arrays", 65_536), Err(EditError::BodyTooLarge { length: 65_536 }));
    let far_too_large = grow_to(&class, "arrays", 1_000_000);
    assert_eq!(far_too_large, Err(EditError::BodyTooLarge { length: 1_000_000 }));
}

/// Jumps become longer when they are widened, and that alone can be too much.
#[test]
fn a_body_that_widening_makes_too_large_is_refused() {
    let bytes = compiled_class();
    let class = ClassFile::read(&bytes).expect("a class");
    let method = method(&class, "backward");
    let refused = rewrite_bodies(&class, |each, code, patch| {
        if each.offset == method.offset {
            let pcs: Vec<u32> = code.instructions().map(|one| one.expect("an instruction").pc).collect();
            patch.before(pcs[pcs.len() / 2], &vec![Opcode::NOP.0; 65_535 - code.bytes.len()]);
        }
    });
    assert!(matches!(refused, Err(EditError::BodyTooLarge { length: 65_536..66_000 })), "{refused:?}");
}

#[test]
fn a_class_stays_as_it_was_when_a_body_cannot_be_rewritten() {
    let bytes = compiled_class();
    let class = ClassFile::read(&bytes).expect("a class");
    let mut editor = ClassEditor::new(&class);
    let mut rewriter = BodyRewriter::new();
    let mut patch = BodyPatch::new();
    for method in class.methods() {
        let Some(code) = class.code(method).expect("a body") else { continue };
        patch.clear();
        patch.before(0, &vec![Opcode::NOP.0; 65_536]);
        let result = editor
            .replace_code(method, |pool, out| rewriter.rewrite(&class, method, &code, &patch, pool, out));
        assert!(matches!(result, Err(EditError::BodyTooLarge { .. })), "{result:?}");
    }
    assert_eq!(editor.finish(), bytes);
}
