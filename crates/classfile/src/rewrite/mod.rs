//! Inserts instructions into method bodies and keeps everything that points into them right.
//!
//! A [`BodyPatch`] says what to insert where; a [`BodyRewriter`] writes the new `Code` attribute: jumps, switches and
//! their padding, exception table, line and variable tables, frames with their `Uninitialized` offsets, and code-level
//! type annotations. Jumps that no longer fit become wide. Nothing is inferred but the one frame that a widened
//! conditional jump needs; an edge gets its code in a stub in front of its target, under a copy of the target's frame.
//!
//! A body that cannot be rewritten is an error and the caller keeps the old one; nothing is ever half-written.

mod emit;
mod layout;
mod tables;

use crate::attribute::{Code, MAX_CODE_LENGTH, StackMapTable};
use crate::class::{ClassFile, Member};
use crate::edit::{ClassEditor, EditError, PoolAppender};
use crate::opcode::Opcode;
use layout::Layout;

/// What to insert into one body. Inserted code is straight-line: no jumps, no switches, nothing that ends a block.
///
/// At one code offset the pieces stand in this order: code for fall-through, stubs of edges, code for every way, and
/// then the old instruction. Within one kind the order of insertion is kept.
#[derive(Clone, Debug, Default)]
pub struct BodyPatch {
    code: Vec<u8>,
    pieces: Vec<Piece>,
    /// What runs when an exception leaves the method.
    escape: Option<Vec<u8>>,
    extra_stack: u16,
}

/// Inserted code.
#[derive(Clone, Copy, Debug)]
struct Piece {
    pc: u32,
    kind: PieceKind,
    start: u32,
    end: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum PieceKind {
    /// Runs when the instruction before, or the start of the method, leads here.
    FallThrough,
    /// Runs when the jump or switch at this code offset leads here.
    Edge { from: u32 },
    /// Runs whenever the instruction runs.
    EveryWay,
}

impl BodyPatch {
    /// A patch that inserts nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes the patch insert nothing, and keeps its memory for the next body.
    pub fn clear(&mut self) {
        self.code.clear();
        self.pieces.clear();
        self.escape = None;
        self.extra_stack = 0;
    }

    /// Whether nothing is inserted.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty() && self.escape.is_none()
    }

    /// Says how much operand stack the inserted code needs on top of what is there.
    pub fn needs_stack(&mut self, slots: u16) {
        self.extra_stack = self.extra_stack.max(slots);
    }

    /// Inserts code that runs each time before the instruction at `pc`, however it is reached.
    pub fn before(&mut self, pc: u32, code: &[u8]) {
        self.insert(pc, PieceKind::EveryWay, code);
    }

    /// Inserts code that runs when execution falls through to `pc`, or enters the method there, but not when it jumps.
    ///
    /// Where nothing falls through, nothing is inserted.
    pub fn on_fall_through(&mut self, pc: u32, code: &[u8]) {
        self.insert(pc, PieceKind::FallThrough, code);
    }

    /// Inserts code that runs when the jump or switch at `from` jumps to `to`. A call of a subroutine is no jump.
    pub fn on_edge(&mut self, from: u32, to: u32, code: &[u8]) {
        self.insert(to, PieceKind::Edge { from }, code);
    }

    /// Inserts code that runs when an exception leaves the method, which then goes on to whoever called it. The code finds
    /// the exception on the stack and must leave it there. Code on the way of falling into the method is outside of it. A constructor
    /// cannot have such code.
    pub fn on_escape(&mut self, code: &[u8]) {
        self.escape = Some(code.to_vec());
    }

    fn insert(&mut self, pc: u32, kind: PieceKind, code: &[u8]) {
        let start = self.code.len() as u32;
        self.code.extend(code);
        self.pieces.push(Piece { pc, kind, start, end: self.code.len() as u32 });
    }

    fn bytes(&self, piece: &Piece) -> &[u8] {
        self.code.get(piece.start as usize..piece.end as usize).unwrap_or_default()
    }
}

/// The body that is being rewritten, and what it belongs to.
#[derive(Clone, Copy)]
struct Body<'c, 'a> {
    class: &'c ClassFile<'a>,
    method: &'c Member<'a>,
    code: &'c Code<'a>,
    frames: Option<StackMapTable<'a>>,
    /// Whether a handler for all exceptions stands behind the code.
    has_escape: bool,
}

/// The version from which on the verifier is given frames.
const FIRST_VERSION_WITH_FRAMES: u16 = 50;

impl Body<'_, '_> {
    /// Whether the handler needs a table of frames that is not there yet.
    fn needs_new_frames(&self) -> bool {
        self.has_escape && self.frames.is_none() && self.code.version.major >= FIRST_VERSION_WITH_FRAMES
    }
}

/// Rewrites bodies; keeps its working memory from one to the next.
#[derive(Debug, Default)]
pub struct BodyRewriter {
    layout: Layout,
}

impl BodyRewriter {
    /// A rewriter with no memory yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends the contents of the new `Code` attribute to `out`.
    ///
    /// `code` is the body of `method`, or one that takes its place, such as the one in which subroutines are inlined.
    /// After an error `out` may hold a part of the new contents; [`crate::edit::ClassEditor::replace_code`] drops it.
    pub fn rewrite<'a>(
        &mut self,
        class: &ClassFile<'a>,
        method: &Member<'a>,
        code: &Code<'a>,
        patch: &BodyPatch,
        pool: &mut PoolAppender,
        out: &mut Vec<u8>,
    ) -> Result<(), EditError> {
        let body = Body {
            class,
            method,
            code,
            frames: code.stack_map(class.pool())?,
            has_escape: patch.escape.is_some(),
        };
        let escape = escape_code(&body, patch)?;
        let layout = &mut self.layout;
        layout.arrange(code, patch)?;
        let max_stack = code.max_stack.checked_add(patch.extra_stack).ok_or(EditError::FrameTooLarge)?;
        let length = layout.length() + escape.len() as u32;
        if length > MAX_CODE_LENGTH {
            return Err(EditError::BodyTooLarge { length });
        }
        Code::write_head(max_stack, code.max_locals, length, out);
        emit::write_code(code, patch, layout, out)?;
        out.extend(escape);
        tables::write_exceptions(&body, layout, out)?;
        tables::write_attributes(&body, layout, pool, out)
    }
}

/// The handler behind the code, with its end: the exception goes on.
fn escape_code(body: &Body<'_, '_>, patch: &BodyPatch) -> Result<Vec<u8>, EditError> {
    let Some(code) = &patch.escape else { return Ok(Vec::new()) };
    if body.class.pool().utf8(body.method.name)? == "<init>" {
        return Err(EditError::BadPatch { pc: 0 });
    }
    let mut code = code.clone();
    code.push(Opcode::ATHROW.0);
    Ok(code)
}

/// Rewrites every body of a class; `plan` fills in what to insert into each.
///
/// If one body cannot be rewritten, the class cannot: the error says why, and nothing is written.
pub fn rewrite_bodies<'a>(
    class: &ClassFile<'a>,
    mut plan: impl FnMut(&Member<'a>, &Code<'a>, &mut BodyPatch),
) -> Result<Vec<u8>, EditError> {
    let mut editor = ClassEditor::new(class);
    let mut rewriter = BodyRewriter::new();
    let mut patch = BodyPatch::new();
    for method in class.methods() {
        let Some(code) = class.code(method)? else { continue };
        patch.clear();
        plan(method, &code, &mut patch);
        editor.replace_code(method, |pool, out| rewriter.rewrite(class, method, &code, &patch, pool, out))?;
    }
    Ok(editor.finish())
}
