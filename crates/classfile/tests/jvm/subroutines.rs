//! Inlined subroutines: the same list as ASM's, node by node, and bodies that JVMs accept.
//!
//! Real methods come from the oldest jar of the sample; the other old jars are for `cargo xtask verify-rewrite`. Made-up
//! bodies go where no compiler goes, and ASM must agree on those as well, or refuse them together with this crate.

use std::fs;

use fastrand::Rng;
use probity_classfile::ClassFile;
use probity_classfile::edit::EditError;
use probity_classfile::opcode::Opcode;
use probity_classfile::rewrite::rewrite_bodies;
use probity_classfile::subroutine::inline_subroutines;
use probity_test_support::java::test_jdks;
use probity_test_support::link::{LinkResult, LinkServer};
use probity_test_support::maven;

use crate::class_set::{ClassSet, NamedClass};
use crate::comparison::{compare, link};
use crate::hand_made::{Body, class_of};
use crate::inlined_listing::{REFUSED, asm_listing, differences, inline_all, own_listing};
use crate::insertions::Insertions;

/// A jar of the sample whose compiler made subroutines.
const OLD_JAR: &str = "jython:jython:2.1";
/// How many made-up bodies ASM is asked about.
const RANDOM_BODIES: usize = 3_000;

#[test]
fn real_methods_are_inlined_as_asm_does_it() {
    let jars = maven::fetch(&[OLD_JAR]).expect("the jar");
    let mut set = ClassSet::default();
    set.add_jar(&jars[0]).expect("a jar of the sample");
    let own: Vec<_> =
        set.classes.iter().flat_map(|class| own_listing(&class.bytes).expect("a listing")).collect();
    assert!(own.len() > 10, "{} methods have subroutines", own.len());
    let found = differences(&own, &asm_listing(&test_jdks()[0], &jars).expect("ASM"));
    assert!(found.is_empty(), "{} differences\n{}", found.len(), found[0]);
}

#[test]
fn inlined_bodies_verify_also_when_code_is_inserted() {
    let jars = maven::fetch(&[OLD_JAR]).expect("the jar");
    let mut set = ClassSet::default();
    set.add_jar(&jars[0]).expect("a jar of the sample");
    let mut bodies = 0;
    let mut inline = |class: &NamedClass| {
        let (bytes, inlined) =
            inline_all(&class.bytes).unwrap_or_else(|error| panic!("{}: {error}", class.name));
        bodies += inlined;
        NamedClass { name: class.name.clone(), bytes }
    };
    let inlined: Vec<NamedClass> = set.classes.iter().map(&mut inline).collect();
    assert!(bodies > 10, "{bodies} bodies");
    let with_insertions: Vec<NamedClass> = inlined
        .iter()
        .map(|class| NamedClass {
            name: class.name.clone(),
            bytes: Insertions::EveryEdge.rewrite(&class.bytes, 1).expect("it can be done").bytes,
        })
        .collect();
    for jdk in test_jdks() {
        let before = link(&jdk, &set.classes).expect("answers");
        for after in [&inlined, &with_insertions] {
            let comparison = compare(&set.classes, &before, &link(&jdk, after).expect("answers"));
            assert!(comparison.differences.is_empty(), "{jdk}: {}", comparison.differences.join("\n"));
            assert!(comparison.linked > 300, "{jdk}: {} linked", comparison.linked);
        }
    }
}

/// What comes of inlining in the only method of a class.
fn inline(bytes: &[u8]) -> Result<Option<usize>, EditError> {
    let class = ClassFile::read(bytes)?;
    let code = class.code(&class.methods()[0])?.expect("a body");
    inline_subroutines(&class, &code).map(|body| body.map(|body| body.items().len()))
}

fn inline_code(code: &[u8]) -> Result<Option<usize>, EditError> {
    inline(&class_of(&[Body { code: code.to_vec(), ..Body::default() }]))
}

const NOP: u8 = Opcode::NOP.0;
const JSR: u8 = Opcode::JSR.0;
const RET: u8 = Opcode::RET.0;
const GOTO: u8 = Opcode::GOTO.0;
const RETURN: u8 = Opcode::RETURN.0;
const ASTORE_1: u8 = Opcode::ASTORE_1.0;

#[test]
fn hostile_bodies_are_refused() {
    let calls_itself = [JSR, 0, 4, RETURN, ASTORE_1, JSR, 0xFF, 0xFF, RET, 1];
    assert_eq!(inline_code(&calls_itself), Err(EditError::Subroutines));
    let call_each_other = [JSR, 0, 4, RETURN, ASTORE_1, JSR, 0, 5, RET, 1, ASTORE_1, JSR, 0xFF, 0xF9, RET, 1];
    assert_eq!(inline_code(&call_each_other), Err(EditError::Subroutines));
    let returns_from_main = [JSR, 0, 5, RET, 1, ASTORE_1, RETURN];
    assert_eq!(inline_code(&returns_from_main), Err(EditError::Subroutines));
    assert_eq!(inline_code(&[RET, 1]), Ok(None), "no call, nothing to inline");
    let into_an_instruction = [JSR, 0, 1, RETURN];
    assert_eq!(inline_code(&into_an_instruction), Err(EditError::Subroutines));
}

/// Each subroutine calls the next one twice or more often: the copies of the last one double with each level.
#[test]
fn nested_calls_that_would_grow_without_bound_are_refused() {
    for (levels, calls) in [(16, 2), (60, 2), (900, 2), (40, 30), (3, 4_000), (2, 7_000)] {
        let mut code = vec![JSR, 0, 4, RETURN];
        for _ in 0..levels {
            code.push(ASTORE_1);
            let length = 3 * calls + 2;
            for call in 0..calls {
                let way = u16::try_from(length - 3 * call).expect("a short way");
                code.push(JSR);
                code.extend(way.to_be_bytes());
            }
            code.extend([RET, 1]);
        }
        code.extend([ASTORE_1, RET, 1]);
        let result = inline_code(&code);
        let is_refused = matches!(result, Err(EditError::Subroutines | EditError::BodyTooLarge { .. }));
        assert!(is_refused, "{levels} levels of {calls} calls: {result:?}");
    }
}

#[test]
fn calls_in_dead_code_disappear() {
    let dead = [RETURN, JSR, 0, 4, RETURN, ASTORE_1, RET, 1];
    let class = class_of(&[Body { code: dead.to_vec(), ..Body::default() }]);
    let (inlined, bodies) = inline_all(&class).expect("it can be done");
    assert_eq!(bodies, 1);
    let class = ClassFile::read(&inlined).expect("a class");
    let code = class.code(&class.methods()[0]).expect("a body").expect("a body");
    assert_eq!(code.bytes, [RETURN]);
}

/// With a stub for one caller, a subroutine would have two entries, and no JVM would accept that.
#[test]
fn the_edge_from_a_call_to_its_subroutine_takes_no_code() {
    let code = vec![JSR, 0, 7, JSR, 0, 4, RETURN, ASTORE_1, RET, 1];
    let bytes = class_of(&[Body { code, ..Body::default() }]);
    let class = ClassFile::read(&bytes).expect("a class");
    let result = rewrite_bodies(&class, |_, _, patch| patch.on_edge(0, 7, &[NOP]));
    assert_eq!(result, Err(EditError::BadPatch { pc: 0 }));
    let result = rewrite_bodies(&class, |_, _, patch| patch.before(7, &[NOP])).expect("it can be done");
    for jdk in test_jdks() {
        let mut server = LinkServer::start(&jdk).expect("a JVM");
        assert!(server.link_alone(&[&bytes, &result]).expect("answers").iter().all(LinkResult::is_linked));
    }
}

/// Bodies made of little but calls, returns, jumps and handlers. Most of them no JVM would run.
#[test]
fn made_up_bodies_are_inlined_as_asm_does_it() {
    let mut rng = Rng::with_seed(4);
    let bodies: Vec<Body> = (0..RANDOM_BODIES).map(|_| random_body(&mut rng)).collect();
    let class = class_of(&bodies);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("HandMade.class");
    fs::write(&file, &class).expect("a class file");
    let own = own_listing(&class).expect("a listing");
    let inlined = own.iter().filter(|method| method.text.trim() != REFUSED).count();
    assert!(inlined > RANDOM_BODIES / 10, "only {inlined} of {} methods could be inlined", own.len());
    let found = differences(&own, &asm_listing(&test_jdks()[0], &[file]).expect("ASM"));
    assert!(found.is_empty(), "{} differences\n{}", found.len(), found[0]);
}

/// A body of a few instructions, with lines and handlers anywhere.
fn random_body(rng: &mut Rng) -> Body {
    let kinds: Vec<u8> = (0..rng.usize(4..16))
        .map(|_| {
            let kinds = [JSR, JSR, RET, RET, GOTO, Opcode::IFEQ.0, NOP, ASTORE_1, RETURN, Opcode::ATHROW.0];
            kinds[rng.usize(..kinds.len())]
        })
        .chain([RETURN])
        .collect();
    let mut pcs = vec![0_usize];
    for &kind in &kinds {
        let length = match kind {
            JSR | GOTO => 3,
            _ if kind == Opcode::IFEQ.0 => 3,
            RET => 2,
            _ => 1,
        };
        pcs.push(pcs[pcs.len() - 1] + length);
    }
    let mut code = Vec::new();
    for (position, &kind) in kinds.iter().enumerate() {
        code.push(kind);
        match pcs[position + 1] - pcs[position] {
            3 => {
                let target = pcs[rng.usize(..kinds.len())];
                code.extend((target as i16 - pcs[position] as i16).to_be_bytes());
            }
            2 => code.push(1),
            _ => {}
        }
    }
    let mut pc = |last: usize| pcs[rng.usize(..last)] as u16;
    let exceptions = (0..2).map(|_| (pc(kinds.len()), pc(pcs.len()), pc(kinds.len())));
    let exceptions = exceptions.filter(|(start, end, _)| start < end).collect();
    let lines = (0..3).map(|line| (pc(kinds.len()), line + 1)).collect();
    let variables =
        (0..2).map(|_| (pc(pcs.len()), pc(pcs.len()))).filter(|(start, end)| start <= end).collect();
    Body { code, exceptions, lines, variables, ..Body::default() }
}
