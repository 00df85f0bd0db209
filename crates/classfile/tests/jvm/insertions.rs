//! Ways to insert code that does nothing into every body of a class.
//!
//! A class means the same with and without it, so a JVM must say the same about both. The choice depends on the seed
//! alone. Nothing here may look at what the rewriter does; it only tells it what to do.

use fastrand::Rng;
use probity_classfile::attribute::Code;
use probity_classfile::edit::{ClassEditor, EditError};
use probity_classfile::instruction::Instruction;
use probity_classfile::opcode::{Flow, Opcode};
use probity_classfile::rewrite::{BodyPatch, BodyRewriter};
use probity_classfile::{ClassFile, Error};

/// What is inserted where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Insertions {
    /// A `nop` before every instruction.
    NopEverywhere,
    /// Runs of random length at random places; in some bodies so much that jumps do not fit two bytes.
    RandomRuns,
    /// Something on every edge: fall-through, jumps, and each target of each switch.
    EveryEdge,
    /// All kinds of insertions at random places.
    Mixed,
    /// In every body that jumps, so much at a few places that jumps do not fit two bytes.
    FewLongRuns,
}

/// A rewritten class.
#[derive(Debug)]
pub(crate) struct Rewritten {
    pub(crate) bytes: Vec<u8>,
    /// How many bodies were rewritten.
    pub(crate) bodies: usize,
    /// How many stayed as they were because they would have become too large.
    pub(crate) too_large: usize,
}

/// One body in so many gets so much code that its jumps become wide.
const ONE_IS_LARGE_IN: usize = 64;

/// Code that does nothing, and the operand stack that it needs.
const EFFECTLESS: [(&[Opcode], u16); 4] = [
    (&[Opcode::NOP], 0),
    (&[Opcode::NOP, Opcode::NOP, Opcode::NOP], 0),
    (&[Opcode::ICONST_0, Opcode::POP], 1),
    (&[Opcode::LCONST_0, Opcode::POP2], 2),
];

impl Insertions {
    /// Those with which a class stays of a reasonable size.
    pub(crate) const ALL: [Self; 4] = [Self::NopEverywhere, Self::RandomRuns, Self::EveryEdge, Self::Mixed];

    /// The name for people.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::NopEverywhere => "a nop before every instruction",
            Self::RandomRuns => "runs of nops at random places",
            Self::EveryEdge => "code on every edge",
            Self::Mixed => "all kinds at random places",
            Self::FewLongRuns => "a few long runs in every body that jumps",
        }
    }

    /// Rewrites every body of a class.
    pub(crate) fn rewrite(self, bytes: &[u8], seed: u64) -> Result<Rewritten, EditError> {
        self.rewrite_bodies_from(0, bytes, seed)
    }

    /// Rewrites every body of a class that has at least so many bytes.
    pub(crate) fn rewrite_bodies_from(
        self,
        least_length: usize,
        bytes: &[u8],
        seed: u64,
    ) -> Result<Rewritten, EditError> {
        let class = ClassFile::read(bytes)?;
        let mut rng = Rng::with_seed(seed);
        let mut editor = ClassEditor::new(&class);
        let mut rewriter = BodyRewriter::new();
        let mut patch = BodyPatch::new();
        let (mut bodies, mut too_large) = (0, 0);
        for method in class.methods() {
            let Some(code) = class.code(method)?.filter(|code| code.bytes.len() >= least_length) else {
                continue;
            };
            patch.clear();
            self.plan(&code, &mut rng, &mut patch)?;
            // A constructor cannot have a handler for everything: its object may not be there yet.
            if self == Self::Mixed && class.pool().utf8(method.name)? != "<init>" {
                patch.on_escape(&[Opcode::ICONST_0.0, Opcode::POP.0]);
                patch.needs_stack(2);
            }
            let result = editor
                .replace_code(method, |pool, out| rewriter.rewrite(&class, method, &code, &patch, pool, out));
            match result {
                Ok(()) => bodies += 1,
                Err(EditError::BodyTooLarge { .. }) => too_large += 1,
                Err(other) => return Err(other),
            }
        }
        Ok(Rewritten { bytes: editor.finish(), bodies, too_large })
    }

    fn plan(self, code: &Code<'_>, rng: &mut Rng, patch: &mut BodyPatch) -> Result<(), Error> {
        match self {
            Self::NopEverywhere => {
                for instruction in code.instructions() {
                    patch.before(instruction?.pc, &[Opcode::NOP.0]);
                }
                Ok(())
            }
            Self::RandomRuns => plan_runs(code, rng, patch),
            Self::EveryEdge => plan_edges(code, rng, patch, 1),
            Self::Mixed => {
                plan_edges(code, rng, patch, 3)?;
                for instruction in code.instructions() {
                    let pc = instruction?.pc;
                    if rng.u8(..4) == 0 {
                        let inserted = effectless(rng, patch);
                        patch.before(pc, &inserted);
                    }
                }
                Ok(())
            }
            Self::FewLongRuns => plan_long_runs(code, rng, patch),
        }
    }
}

/// Code that does nothing; the patch is told how much stack it needs.
fn effectless(rng: &mut Rng, patch: &mut BodyPatch) -> Vec<u8> {
    let (opcodes, stack) = rng.choice(EFFECTLESS).unwrap_or_default();
    patch.needs_stack(stack);
    opcodes.iter().map(|opcode| opcode.0).collect()
}

/// A few short runs, or so many long ones that the body ends up between 32 and 64 KB.
fn plan_runs(code: &Code<'_>, rng: &mut Rng, patch: &mut BodyPatch) -> Result<(), Error> {
    let pcs: Vec<u32> = code.instructions().map(|one| one.map(|one| one.pc)).collect::<Result<_, _>>()?;
    let is_large = rng.usize(..ONE_IS_LARGE_IN) == 0;
    let mut left = if is_large { rng.usize(33_000..60_000).saturating_sub(code.bytes.len()) } else { 200 };
    let longest = if is_large { (4 * left / pcs.len()).max(1) } else { 20 };
    while left > 0 && (is_large || rng.u8(..8) != 0) {
        let run = rng.usize(1..=longest).min(left);
        left -= run;
        patch.before(rng.choice(&pcs).copied().unwrap_or(0), &vec![Opcode::NOP.0; run]);
    }
    Ok(())
}

/// Something on one edge in so many. The edge from a call to its subroutine is none of them: a subroutine must have one
/// entry for all of its callers.
fn plan_edges(code: &Code<'_>, rng: &mut Rng, patch: &mut BodyPatch, one_in: usize) -> Result<(), Error> {
    for instruction in code.instructions() {
        let instruction = instruction?;
        if rng.usize(..one_in) == 0 {
            let inserted = effectless(rng, patch);
            patch.on_fall_through(instruction.pc, &inserted);
        }
        let mut targets: Vec<u32> = match instruction.flow() {
            Flow::Call => Vec::new(),
            _ => instruction.targets().collect(),
        };
        targets.sort_unstable();
        targets.dedup();
        for target in targets {
            if rng.usize(..one_in) == 0 {
                let inserted = effectless(rng, patch);
                patch.on_edge(instruction.pc, target, &inserted);
            }
        }
    }
    Ok(())
}

/// A few very long runs before instructions, on fall-through and on edges, so that the body ends up above 32 KB. Most of
/// them lie on the way of a jump.
fn plan_long_runs(code: &Code<'_>, rng: &mut Rng, patch: &mut BodyPatch) -> Result<(), Error> {
    let mut pcs = Vec::new();
    let mut edges = Vec::new();
    let mut crossings = Vec::new();
    for instruction in code.instructions() {
        let instruction = instruction?;
        pcs.push(instruction.pc);
        if instruction.flow() != Flow::Call {
            edges.extend(instruction.targets().map(|target| (instruction.pc, target)));
        }
        crossings.extend(instruction.targets().map(|target| crossed_by(&instruction, target)));
    }
    edges.sort_unstable();
    edges.dedup();
    let mut left = rng.usize(33_000..58_000).saturating_sub(code.bytes.len());
    while left > 0 && !edges.is_empty() {
        let run = if rng.bool() { left } else { rng.usize(1..=left) };
        left -= run;
        let nops = vec![Opcode::NOP.0; run];
        match rng.u8(..4) {
            0 => {
                let (from, to) = edges.swap_remove(rng.usize(..edges.len()));
                patch.on_edge(from, to, &nops);
            }
            1 => patch.on_fall_through(rng.choice(&pcs).copied().unwrap_or(0), &nops),
            _ => patch.before(rng.choice(&crossings).copied().unwrap_or(0), &nops),
        }
    }
    Ok(())
}

/// Where something can be inserted that a jump then leads over.
pub(crate) fn crossed_by(jump: &Instruction<'_>, target: u32) -> u32 {
    if target > jump.pc { jump.next_pc() } else { jump.pc }
}
