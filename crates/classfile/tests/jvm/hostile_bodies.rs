//! Small class files that ask for a lot of work or memory. They must be refused before they get it.
//!
//! Nothing is timed: without a limit these would take minutes or gigabytes, and whoever runs the tests would notice.

use probity_classfile::ClassFile;
use probity_classfile::edit::{ClassEditor, EditError};
use probity_classfile::frame::states_behind;
use probity_classfile::mutf8::Mutf8;
use probity_classfile::opcode::Opcode;
use probity_classfile::rewrite::rewrite_bodies;
use probity_classfile::subroutine::inline_subroutines;

use crate::hand_made::{Body, class_of, class_of_version};

const NOP: u8 = Opcode::NOP.0;
const JSR: u8 = Opcode::JSR.0;
const RET: u8 = Opcode::RET.0;
const RETURN: u8 = Opcode::RETURN.0;
const ASTORE_1: u8 = Opcode::ASTORE_1.0;

/// Appends a jump to a place in the code.
fn push_jump(code: &mut Vec<u8>, opcode: Opcode, target: usize) {
    let way = (target as i64 - code.len() as i64) as i16;
    code.push(opcode.0);
    code.extend(way.to_be_bytes());
}

fn inline(body: Body) -> Result<Option<usize>, EditError> {
    let bytes = class_of(&[body]);
    let class = ClassFile::read(&bytes)?;
    let code = class.code(&class.methods()[0])?.expect("a body");
    inline_subroutines(&class, &code).map(|body| body.map(|body| body.items().len()))
}

/// A chain of subroutines, each calling the next, and a part that all of them share.
fn deep_chain(levels: usize, shared: usize) -> Vec<u8> {
    let length = 9;
    let tail = 4 + levels * length;
    let mut code = vec![JSR, 0, 4, RETURN];
    for level in 0..levels {
        code.push(ASTORE_1);
        let next = if level + 1 < levels { 4 + (level + 1) * length } else { tail };
        push_jump(&mut code, if level + 1 < levels { Opcode::JSR } else { Opcode::GOTO }, next);
        push_jump(&mut code, Opcode::IFNULL, tail);
        code.extend([RET, 1]);
    }
    code.extend(std::iter::repeat_n(NOP, shared));
    code.push(RETURN);
    code
}

#[test]
fn deeply_nested_subroutines_that_share_code_are_refused() {
    assert!(matches!(inline(Body { code: deep_chain(20, 1_000), ..Body::default() }), Ok(Some(_))));
    for (levels, shared) in [(1_000, 20_000), (3_000, 4_000)] {
        let result = inline(Body { code: deep_chain(levels, shared), ..Body::default() });
        assert_eq!(result, Err(EditError::Subroutines), "{levels} levels");
    }
}

/// Each copy of a subroutine repeats the whole exception table.
#[test]
fn exception_tables_that_every_copy_repeats_are_refused() {
    let calls = 4_000;
    let mut code = Vec::new();
    (0..calls).for_each(|_| push_jump(&mut code, Opcode::JSR, 3 * calls + 1));
    code.extend([RETURN, ASTORE_1, NOP, RET, 1]);
    let (start, end) = (3 * calls as u16 + 1, 3 * calls as u16 + 3);
    let exceptions = vec![(start, end, start); 60_000];
    let result = inline(Body { code, exceptions, ..Body::default() });
    assert!(matches!(result, Err(EditError::Subroutines | EditError::TableTooLarge)), "{result:?}");
}

/// A subroutine that is one large switch, called from many places.
#[test]
fn copies_of_large_instructions_are_refused() {
    let (calls, cases) = (500, 10_000);
    let mut code = Vec::new();
    (0..calls).for_each(|_| push_jump(&mut code, Opcode::JSR, 3 * calls + 1));
    code.extend([RETURN, ASTORE_1, Opcode::ICONST_0.0]);
    let at = code.len();
    code.push(Opcode::TABLESWITCH.0);
    code.resize(at + 4 - at % 4, 0);
    let end = (code.len() + 12 + 4 * cases - at) as u32;
    [end, 0, cases as u32 - 1].iter().for_each(|number| code.extend(number.to_be_bytes()));
    (0..cases).for_each(|_| code.extend(end.to_be_bytes()));
    code.extend([RET, 1]);
    let result = inline(Body { code, ..Body::default() });
    assert!(matches!(result, Err(EditError::BodyTooLarge { .. })), "{result:?}");
}

/// Finds the state behind the last instruction of the only body.
fn last_state(bytes: &[u8]) -> Result<(), EditError> {
    let class = ClassFile::read(bytes)?;
    let method = &class.methods()[0];
    let code = class.code(method)?.expect("a body");
    let frames = code.stack_map(class.pool())?.expect("frames");
    let last = code.bytes.len() as u32 - 1;
    states_behind(&class, method, &code, &frames, &[last]).map(|states| assert_eq!(states.len(), 1))
}

/// No frames at all, as an attribute.
const NO_FRAMES: [u8; 2] = [0, 0];

#[test]
fn frames_that_repeat_many_locals_are_refused() {
    let locals = 60_000_u16;
    let frames = 60_000_u16;
    let mut table = (frames + 1).to_be_bytes().to_vec();
    // A full frame at the start with nothing in its locals, and behind it one frame for every instruction.
    table.extend([255, 0, 0]);
    table.extend(locals.to_be_bytes());
    table.extend(std::iter::repeat_n(1, usize::from(locals)));
    table.extend([0, 0]);
    table.extend(std::iter::repeat_n(0, usize::from(frames)));
    let mut code = vec![NOP; usize::from(frames) + 1];
    code.push(RETURN);
    let body = Body { code, frames: Some(table), ..Body::default() };
    assert_eq!(last_state(&class_of_version(52, &[body])), Err(EditError::FrameTooLarge));
}

/// Every stub on an edge starts with a copy of the frame at its target.
#[test]
fn large_frames_that_every_stub_copies_are_refused() {
    let (jumps, locals) = (6_000, 60_000_u16);
    let target = 3 * jumps;
    let mut code = Vec::new();
    (0..jumps).for_each(|_| push_jump(&mut code, Opcode::GOTO, target));
    code.push(RETURN);
    // One full frame, with two values on the operand stack.
    let mut table = vec![0, 1, 255];
    table.extend((target as u16).to_be_bytes());
    table.extend(locals.to_be_bytes());
    table.extend(std::iter::repeat_n(1, usize::from(locals)));
    table.extend([0, 2, 1, 1]);
    let bytes = class_of_version(52, &[Body { code, frames: Some(table), ..Body::default() }]);
    let class = ClassFile::read(&bytes).expect("a class");
    let result = rewrite_bodies(&class, |_, _, patch| {
        (0..jumps as u32).for_each(|jump| patch.on_edge(3 * jump, target as u32, &[NOP]));
    });
    assert_eq!(result, Err(EditError::TableTooLarge));
}

/// A body of an instruction that names a constant, again and again, and a class with that constant.
fn with_repeated(instruction: &[u8], times: usize, name: &str, descriptor: &str) -> Vec<u8> {
    let mut code = instruction.repeat(times);
    code.push(RETURN);
    let body = Body { code, frames: Some(NO_FRAMES.to_vec()), ..Body::default() };
    let original = class_of_version(52, &[body]);
    let class = ClassFile::read(&original).expect("a class");
    let mut editor = ClassEditor::new(&class);
    let mut name_bytes = Vec::new();
    probity_classfile::mutf8::encode(name, &mut name_bytes);
    let class_index = editor.pool().class(Mutf8::new(&name_bytes)).expect("room in the pool");
    assert_eq!(class_index, NAMED_CLASS);
    let method = editor.pool().method("A", "m", descriptor).expect("room in the pool");
    assert_eq!(method, NAMED_METHOD);
    editor.finish()
}

/// Where the added constants are.
const NAMED_CLASS: u16 = 13;
const NAMED_METHOD: u16 = 19;

#[test]
fn long_names_that_every_instruction_copies_are_refused() {
    let new_array = [Opcode::ICONST_0.0, Opcode::ANEWARRAY.0, 0, NAMED_CLASS as u8];
    let long = "x".repeat(65_000);
    let class = with_repeated(&new_array, 16_000, &long, "()V");
    assert_eq!(last_state(&class), Err(EditError::FrameTooLarge));
    let class = with_repeated(&new_array, 16_000, "x", "()V");
    assert_eq!(last_state(&class), Ok(()), "the number of instructions alone does not matter");
}

#[test]
fn long_descriptors_that_every_call_reads_are_refused() {
    let call = [Opcode::INVOKESTATIC.0, 0, NAMED_METHOD as u8];
    let long = format!("({})V", "I".repeat(65_000));
    let class = with_repeated(&call, 21_000, "x", &long);
    assert_eq!(last_state(&class), Err(EditError::FrameTooLarge));
    assert_eq!(last_state(&with_repeated(&call, 21_000, "x", "()V")), Ok(()));
}
