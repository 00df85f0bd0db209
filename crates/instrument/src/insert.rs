//! Inserts the probes of a plan into a class.
//!
//! A probe is a store of 1 into a byte array that all classes share; a class owns a range of it. Nothing else is added:
//! no member, no local variable, no code that runs once. So what the class shows to reflection and serialisation stays.

use crate::entry::Harmless;
use crate::hook::MethodHook;
use crate::list::{CodeList, Label, Node};
use crate::plan::{MethodPlan, Place, Planner, Probe};
use probity_classfile::access;
use probity_classfile::attribute::Code;
use probity_classfile::edit::{ClassEditor, EditError, PoolAppender};
use probity_classfile::opcode::{Flow, Opcode};
use probity_classfile::pool::Constant;
use probity_classfile::rewrite::{BodyPatch, BodyRewriter};
use probity_classfile::subroutine::{InlinedBody, inline_subroutines};
use probity_classfile::{ClassFile, Member};
use std::fmt;

/// How many probes of each kind a class has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProbeCounts {
    /// JaCoCo's probes: the numbers from 0 on.
    pub jacoco: u32,
    /// The entry probes, whose numbers follow.
    pub entries: u32,
}

impl ProbeCounts {
    /// The length of the range that the class needs.
    #[must_use]
    pub fn total(self) -> u32 {
        self.jacoco + self.entries
    }
}

/// A range of a shared array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProbeRange {
    /// The internal name of the class that holds the array in a public static field.
    pub holder: String,
    /// The name of the field, of type `byte[]`.
    pub field: String,
    /// The place of the class's first probe in the array.
    pub start: u32,
}

/// Why a class was not instrumented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InstrumentError {
    /// The class could not be read or changed.
    Edit(EditError),
    /// The class was instrumented by JaCoCo before; its own bytes, and so its id, are not known.
    AlreadyInstrumented,
    /// Labels stand on each other after inlining subroutines in a way that probes cannot be put between.
    EntangledLabels,
}

impl InstrumentError {
    /// Whether there is no room in a method for what is to be inserted.
    #[must_use]
    pub fn is_for_want_of_room(&self) -> bool {
        matches!(self, Self::Edit(EditError::BodyTooLarge { .. } | EditError::TableTooLarge))
    }
}

impl fmt::Display for InstrumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Edit(error) => error.fmt(f),
            Self::AlreadyInstrumented => f.write_str("the class was instrumented by JaCoCo before"),
            Self::EntangledLabels => f.write_str("subroutines leave no room for a probe between two labels"),
        }
    }
}

impl std::error::Error for InstrumentError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Edit(error) => Some(error),
            _ => None,
        }
    }
}

impl<E: Into<EditError>> From<E> for InstrumentError {
    fn from(error: E) -> Self {
        Self::Edit(error.into())
    }
}

/// Where the probes of a class go: what is needed to insert them, found once.
#[derive(Debug, Default)]
pub struct ClassPlan {
    sites: Vec<Site>,
    bodies: Vec<PlannedBody>,
    entries: u32,
}

/// One place of the new body.
#[derive(Clone, Copy, Debug)]
enum Site {
    FallThrough { pc: u32 },
    Before { pc: u32 },
    Edge { from: u32, to: u32 },
}

#[derive(Debug)]
struct PlannedBody {
    /// The position of the method in the class.
    method: usize,
    /// How many of the sites belong to the body.
    sites: usize,
    has_entry_probe: bool,
    /// The body that takes the place of one with subroutines.
    inlined: Option<InlinedBody>,
}

impl ClassPlan {
    /// How many probes the class has.
    #[must_use]
    pub fn counts(&self) -> ProbeCounts {
        ProbeCounts { jacoco: self.sites.len() as u32, entries: self.entries }
    }

    /// The positions of the methods that have an entry probe, in the order of the probes' numbers.
    pub fn methods_with_entry_probe(&self) -> impl Iterator<Item = usize> + '_ {
        self.bodies.iter().filter(|body| body.has_entry_probe).map(|body| body.method)
    }
}

/// A method that has one probe, at its entry, in place of all that were planned for it. All numbers are those of the class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntryOnly {
    /// The probe that it has.
    pub probe: u32,
    /// The first of JaCoCo's probes that were planned for it.
    pub first: u32,
    /// How many of them there are.
    pub count: u32,
}

/// The probes of one body.
struct BodyProbes<'p> {
    /// The constant of the field with the array.
    field: u16,
    /// Where the class's probes start in the array.
    start: u32,
    sites: &'p [Site],
    first_site: u32,
    entry: Option<u32>,
}

impl BodyProbes<'_> {
    /// The one probe that there can be if the others have no room.
    fn entry_only(&self) -> Option<EntryOnly> {
        let count = self.sites.len() as u32;
        let probe = self.entry.or((count > 0).then_some(self.first_site))?;
        Some(EntryOnly { probe, first: self.first_site, count })
    }
}

/// Plans and inserts probes; keeps its memory from one class to the next.
#[derive(Debug, Default)]
pub struct Instrumenter {
    list: CodeList,
    planner: Planner,
    plan: MethodPlan,
    patch: BodyPatch,
    rewriter: BodyRewriter,
}

/// The stack that a probe needs: array, index, value.
const PROBE_STACK: u16 = 3;

impl Instrumenter {
    /// An instrumenter with no memory yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Finds where the probes of a class go.
    ///
    /// # Errors
    ///
    /// Fails if a body is not well-formed, its subroutines cannot be inlined, or JaCoCo has been there before.
    pub fn plan(&mut self, class: &ClassFile<'_>) -> Result<ClassPlan, InstrumentError> {
        refuse_instrumented(class)?;
        let mut class_plan = ClassPlan::default();
        for (position, method) in class.methods().iter().enumerate() {
            let Some(code) = class.code(method)? else { continue };
            let inlined = self.plan_body(class, method, &code)?;
            if inlined.is_some() {
                check_labels_apart(&self.list, &self.plan)?;
            }
            let before = class_plan.sites.len();
            class_plan.sites.extend(self.plan.probes.iter().map(|probe| self.site(probe)));
            class_plan.entries += u32::from(self.plan.needs_entry_probe);
            class_plan.bodies.push(PlannedBody {
                method: position,
                sites: class_plan.sites.len() - before,
                has_entry_probe: self.plan.needs_entry_probe,
                inlined,
            });
        }
        Ok(class_plan)
    }

    /// Hands each body to `visit`, with the position of its method, its list and its plan. A body with subroutines comes
    /// with these inlined.
    ///
    /// # Errors
    ///
    /// Fails if a body is not well-formed or its subroutines cannot be inlined.
    pub fn visit_plans(
        &mut self,
        class: &ClassFile<'_>,
        mut visit: impl FnMut(usize, &Code<'_>, &CodeList, &MethodPlan),
    ) -> Result<(), InstrumentError> {
        for position in 0..class.methods().len() {
            self.visit_plan(class, position, |code, list, plan| visit(position, code, list, plan))?;
        }
        Ok(())
    }

    /// Hands the body of one method to `visit`, with its list and its plan, if it has one. A body with subroutines comes with
    /// these inlined.
    ///
    /// # Errors
    ///
    /// Fails if the body is not well-formed or its subroutines cannot be inlined.
    pub fn visit_plan(
        &mut self,
        class: &ClassFile<'_>,
        position: usize,
        visit: impl FnOnce(&Code<'_>, &CodeList, &MethodPlan),
    ) -> Result<(), InstrumentError> {
        let Some(method) = class.methods().get(position) else { return Ok(()) };
        let Some(code) = class.code(method)? else { return Ok(()) };
        match self.plan_body(class, method, &code)? {
            None => visit(&code, &self.list, &self.plan),
            Some(inlined) => visit(&inlined.code()?, &self.list, &self.plan),
        }
        Ok(())
    }

    /// As [`Instrumenter::visit_plans`], for those who do not ask for probes at entries.
    ///
    /// # Errors
    ///
    /// Fails if a body is not well-formed or its subroutines cannot be inlined.
    pub fn visit_probes(
        &mut self,
        class: &ClassFile<'_>,
        mut visit: impl FnMut(usize, &Code<'_>, &CodeList, &[Probe]),
    ) -> Result<(), InstrumentError> {
        for (position, method) in class.methods().iter().enumerate() {
            let Some(code) = class.code(method)? else { continue };
            let inlined = self.plan_probes(class, &code)?;
            let inlined = inlined.as_ref().map(InlinedBody::code).transpose()?;
            visit(position, inlined.as_ref().unwrap_or(&code), &self.list, &self.plan.probes);
        }
        Ok(())
    }

    /// Inserts the probes of a class, whose numbers start at the start of the range.
    ///
    /// # Errors
    ///
    /// Fails if the class cannot be changed; it must then be used as it was.
    pub fn instrument(
        &mut self,
        class: &ClassFile<'_>,
        plan: &ClassPlan,
        range: &ProbeRange,
    ) -> Result<Vec<u8>, InstrumentError> {
        self.instrument_with_hooks(class, plan, range, &[])
    }

    /// Inserts the probes of a class and hooks into some of its methods.
    ///
    /// # Errors
    ///
    /// Fails if the class cannot be changed; it must then be used as it was.
    pub fn instrument_with_hooks(
        &mut self,
        class: &ClassFile<'_>,
        plan: &ClassPlan,
        range: &ProbeRange,
        hooks: &[MethodHook],
    ) -> Result<Vec<u8>, InstrumentError> {
        self.insert(class, plan, range, hooks, None)
    }

    /// As [`Instrumenter::instrument_with_hooks`], for a class some of whose methods have no room for their probes: these get a
    /// single one, at their entry. Gives those methods, too.
    ///
    /// # Errors
    ///
    /// Fails if the class cannot be changed even so; it must then be used as it was.
    pub fn instrument_tightly(
        &mut self,
        class: &ClassFile<'_>,
        plan: &ClassPlan,
        range: &ProbeRange,
        hooks: &[MethodHook],
    ) -> Result<(Vec<u8>, Vec<EntryOnly>), InstrumentError> {
        let mut entry_only = Vec::new();
        let class = self.insert(class, plan, range, hooks, Some(&mut entry_only))?;
        Ok((class, entry_only))
    }

    fn insert(
        &mut self,
        class: &ClassFile<'_>,
        plan: &ClassPlan,
        range: &ProbeRange,
        hooks: &[MethodHook],
        mut entry_only: Option<&mut Vec<EntryOnly>>,
    ) -> Result<Vec<u8>, InstrumentError> {
        let mut editor = ClassEditor::new(class);
        let field = editor.pool().field(&range.holder, &range.field, "[B")?;
        let mut rest = plan.sites.as_slice();
        let (mut next_site, mut next_entry) = (0, plan.counts().jacoco);
        for body in &plan.bodies {
            let (sites, after) = rest.split_at_checked(body.sites).unwrap_or_default();
            rest = after;
            let of_body = BodyProbes {
                field,
                start: range.start,
                sites,
                first_site: next_site,
                entry: body.has_entry_probe.then_some(next_entry),
            };
            next_site += sites.len() as u32;
            next_entry += u32::from(body.has_entry_probe);
            self.fill_patch(body, &of_body, hooks, editor.pool())?;
            let written = self.write_body(class, body, hooks, &mut editor);
            match (written, &mut entry_only, of_body.entry_only()) {
                (Err(error), Some(tight), Some(entry)) if error.is_for_want_of_room() => {
                    self.fill_patch_with_entry(body, &of_body, entry, hooks, editor.pool())?;
                    self.write_body(class, body, hooks, &mut editor)?;
                    tight.push(entry);
                }
                (written, ..) => written?,
            }
        }
        Ok(editor.finish())
    }

    /// All probes and hooks of a body.
    fn fill_patch(
        &mut self,
        body: &PlannedBody,
        of_body: &BodyProbes<'_>,
        hooks: &[MethodHook],
        pool: &mut PoolAppender,
    ) -> Result<(), InstrumentError> {
        self.start_patch(body, hooks, pool)?;
        let mut probes = ProbeCode { field: of_body.field, pool };
        if let Some(entry) = of_body.entry {
            self.patch.on_fall_through(0, probes.store(of_body.start + entry)?.bytes());
        }
        for (site, number) in of_body.sites.iter().zip(of_body.start + of_body.first_site..) {
            let code = probes.store(number)?;
            match *site {
                Site::FallThrough { pc } => self.patch.on_fall_through(pc, code.bytes()),
                Site::Before { pc } => self.patch.before(pc, code.bytes()),
                Site::Edge { from, to } => self.patch.on_edge(from, to, code.bytes()),
            }
        }
        Ok(())
    }

    /// One probe and all hooks of a body.
    fn fill_patch_with_entry(
        &mut self,
        body: &PlannedBody,
        of_body: &BodyProbes<'_>,
        entry: EntryOnly,
        hooks: &[MethodHook],
        pool: &mut PoolAppender,
    ) -> Result<(), InstrumentError> {
        self.start_patch(body, hooks, pool)?;
        let code = ProbeCode { field: of_body.field, pool }.store(of_body.start + entry.probe)?;
        self.patch.on_fall_through(0, code.bytes());
        Ok(())
    }

    fn start_patch(
        &mut self,
        body: &PlannedBody,
        hooks: &[MethodHook],
        pool: &mut PoolAppender,
    ) -> Result<(), InstrumentError> {
        self.patch.clear();
        for hook in hooks.iter().filter(|hook| hook.method == body.method) {
            hook.add_enter(&mut self.patch, pool)?;
        }
        Ok(())
    }

    /// Inserts hooks and no probes.
    ///
    /// # Errors
    ///
    /// Fails if the class cannot be changed; it must then be used as it was.
    pub fn insert_hooks(
        &mut self,
        class: &ClassFile<'_>,
        hooks: &[MethodHook],
    ) -> Result<Vec<u8>, InstrumentError> {
        let mut editor = ClassEditor::new(class);
        for hook in hooks {
            let Some(method) = class.methods().get(hook.method) else { continue };
            let Some(code) = class.code(method)? else { continue };
            self.patch.clear();
            hook.add_enter(&mut self.patch, editor.pool())?;
            hook.add_leave(&code, &mut self.patch, editor.pool())?;
            let (rewriter, patch) = (&mut self.rewriter, &self.patch);
            editor
                .replace_code(method, |pool, out| rewriter.rewrite(class, method, &code, patch, pool, out))?;
        }
        Ok(editor.finish())
    }

    fn write_body<'a>(
        &mut self,
        class: &ClassFile<'a>,
        body: &PlannedBody,
        hooks: &[MethodHook],
        editor: &mut ClassEditor<'_, 'a>,
    ) -> Result<(), InstrumentError> {
        let Some(method) = class.methods().get(body.method).filter(|_| !self.patch.is_empty()) else {
            return Ok(());
        };
        self.patch.needs_stack(PROBE_STACK);
        let code = match &body.inlined {
            Some(inlined) => inlined.code()?,
            None => match class.code(method)? {
                Some(code) => code,
                None => return Ok(()),
            },
        };
        for hook in hooks.iter().filter(|hook| hook.method == body.method) {
            hook.add_leave(&code, &mut self.patch, editor.pool())?;
        }
        let (rewriter, patch) = (&mut self.rewriter, &self.patch);
        editor.replace_code(method, |pool, out| rewriter.rewrite(class, method, &code, patch, pool, out))?;
        Ok(())
    }

    /// Fills list and plan of one body: as it stands, or with its subroutines inlined.
    fn plan_body<'a>(
        &mut self,
        class: &ClassFile<'a>,
        method: &Member<'a>,
        code: &Code<'a>,
    ) -> Result<Option<InlinedBody>, InstrumentError> {
        let inlined = self.plan_probes(class, code)?;
        let code_of_inlined = inlined.as_ref().map(InlinedBody::code).transpose()?;
        let harmless = Harmless::new(class, method, code_of_inlined.as_ref().unwrap_or(code));
        self.planner.plan_entry(&harmless, &self.list, &mut self.plan);
        Ok(inlined)
    }

    /// As `plan_body`, but without the probe at the entry.
    fn plan_probes<'a>(
        &mut self,
        class: &ClassFile<'a>,
        code: &Code<'a>,
    ) -> Result<Option<InlinedBody>, InstrumentError> {
        let inlined = inline_subroutines(class, code)?;
        match &inlined {
            None => self.list.fill(class, code)?,
            Some(body) => self.list.fill_inlined(body)?,
        }
        self.planner.plan(&self.list, &mut self.plan);
        Ok(inlined)
    }

    /// Where the code of a probe goes.
    fn site(&self, probe: &Probe) -> Site {
        let instruction = match self.list.nodes().get(probe.node as usize) {
            Some(Node::Instruction(instruction)) => Some(instruction),
            _ => None,
        };
        let pc = instruction.map_or(0, |instruction| instruction.pc);
        let always_taken = instruction.is_some_and(|instruction| instruction.opcode.flow() == Flow::Goto);
        match probe.place {
            Place::FallThrough(label) => Site::FallThrough { pc: self.list.label_pc(label) },
            Place::Jump(target) | Place::SwitchEdge(target) if !always_taken => {
                Site::Edge { from: pc, to: self.list.label_pc(target) }
            }
            Place::Exit | Place::Jump(_) | Place::SwitchEdge(_) => Site::Before { pc },
        }
    }
}

/// JaCoCo marks the classes that it has instrumented by members with names of its own. Interfaces that have no method
/// but an initialiser get none: there the code that fetches the probes tells.
fn refuse_instrumented(class: &ClassFile<'_>) -> Result<(), InstrumentError> {
    let is_mark = |member: &Member<'_>| {
        class.pool().utf8(member.name).is_ok_and(|name| name == "$jacocoInit" || name == "$jacocoData")
    };
    let has_mark = class.methods().iter().chain(class.fields()).any(is_mark);
    let is_interface = class.access() & access::INTERFACE != 0;
    if has_mark || is_interface && class.pool().iter().any(|(_, constant)| is_jacocos(&constant)) {
        return Err(InstrumentError::AlreadyInstrumented);
    }
    Ok(())
}

/// Whether a constant is a name that only code of JaCoCo has: the class that it defines in the JVM, or its runtime, whose
/// package ends in a name of the release.
fn is_jacocos(constant: &Constant<'_>) -> bool {
    let Constant::Utf8(text) = constant else { return false };
    let text = text.as_bytes();
    text == b"java/lang/$JaCoCo" || text.starts_with(b"org/jacoco/agent/rt/internal_")
}

/// Several labels at one offset are one place in the new body. That is right only if no probe has to stand between them
/// and no switch has probes on the ways to two of them.
fn check_labels_apart(list: &CodeList, plan: &MethodPlan) -> Result<(), InstrumentError> {
    let mut labels_at = std::collections::HashMap::<u32, u32>::new();
    for node in list.nodes() {
        if let Node::Label(label) = node {
            *labels_at.entry(list.label_pc(*label)).or_default() += 1;
        }
    }
    let shares_place = |label: Label| labels_at.get(&list.label_pc(label)).is_some_and(|&count| count > 1);
    let entangled = plan.probes.iter().any(|probe| match probe.place {
        Place::FallThrough(label) | Place::SwitchEdge(label) => shares_place(label),
        Place::Exit | Place::Jump(_) => false,
    });
    if entangled { Err(InstrumentError::EntangledLabels) } else { Ok(()) }
}

/// Makes the code of probes.
struct ProbeCode<'p> {
    field: u16,
    pool: &'p mut PoolAppender,
}

/// The code of one probe.
struct ProbeBytes {
    bytes: [u8; 8],
    length: usize,
}

impl ProbeBytes {
    fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }

    fn push(&mut self, bytes: &[u8]) {
        if let Some(place) = self.bytes.get_mut(self.length..self.length + bytes.len()) {
            place.copy_from_slice(bytes);
            self.length += bytes.len();
        }
    }
}

impl ProbeCode<'_> {
    /// The code that stores 1 into an element of the array.
    fn store(&mut self, element: u32) -> Result<ProbeBytes, EditError> {
        let [high, low] = self.field.to_be_bytes();
        let mut code = ProbeBytes { bytes: [0; 8], length: 0 };
        code.push(&[Opcode::GETSTATIC.0, high, low]);
        match element {
            0..=5 => code.push(&[Opcode::ICONST_0.0 + element as u8]),
            6..=127 => code.push(&[Opcode::BIPUSH.0, element as u8]),
            128..=32_767 => {
                let [high, low] = (element as u16).to_be_bytes();
                code.push(&[Opcode::SIPUSH.0, high, low]);
            }
            _ => {
                let constant = self.pool.add(&Constant::Integer(element.cast_signed()))?;
                let [high, low] = constant.to_be_bytes();
                code.push(&[Opcode::LDC_W.0, high, low]);
            }
        }
        code.push(&[Opcode::ICONST_1.0, Opcode::BASTORE.0]);
        Ok(code)
    }
}
