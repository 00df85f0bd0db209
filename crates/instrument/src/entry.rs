//! Whether a method can be left by an exception before any of its probes has run.
//!
//! Such a method gets a probe at its entry, so that it is known to have been entered all the same. The answer errs on the
//! side of "yes": only what is known never to throw counts as harmless.

use crate::list::{CodeList, InstructionNode, Label, Node};
use crate::plan::{Place, Probe};
use probity_classfile::attribute::Code;
use probity_classfile::opcode::{Effect, Flow, Form, Opcode};
use probity_classfile::pool::Constant;
use probity_classfile::{ClassFile, Member, access};
use std::cell::OnceCell;

/// Walks the ways from the entry of a method to its first probes.
#[derive(Debug, Default)]
pub(crate) struct EntryAnalysis {
    pending: Vec<u32>,
    visited: Vec<bool>,
    label_nodes: Vec<u32>,
}

impl EntryAnalysis {
    /// Whether some way from the entry can throw before it meets a probe.
    pub(crate) fn can_throw_before_probe(
        &mut self,
        harmless: &Harmless<'_, '_>,
        list: &CodeList,
        probes: &[Probe],
    ) -> bool {
        // Most methods are decided by their first instructions; the way through jumps is for the others.
        self.pending.clear();
        self.pending.push(0);
        self.visited.clear();
        self.label_nodes.clear();
        while let Some(start) = self.pending.pop() {
            if self.walk(harmless, list, probes, start) {
                return true;
            }
        }
        false
    }

    /// Walks straight on from a node, until a probe or the end; jumps are left for later.
    fn walk(&mut self, harmless: &Harmless<'_, '_>, list: &CodeList, probes: &[Probe], start: u32) -> bool {
        let mut next_probe = probes.partition_point(|probe| probe.node < start);
        let mut arrived_by_jump = true;
        for (node, at) in list.nodes().get(start as usize..).unwrap_or_default().iter().zip(start..) {
            let here = probes_at(probes, &mut next_probe, at);
            match node {
                Node::Label(_) => {
                    if !here.is_empty() && !arrived_by_jump {
                        return false;
                    }
                }
                Node::Line { .. } | Node::Frame => continue,
                Node::Instruction(instruction) => {
                    if self.visit(list, at) {
                        return false;
                    }
                    match instruction.opcode.flow() {
                        Flow::Return | Flow::Throw => return false,
                        _ if harmless.can_throw(list, at, instruction) => return true,
                        Flow::Next => {}
                        flow => {
                            self.follow(list, instruction, here);
                            if flow != Flow::Branch {
                                return false;
                            }
                        }
                    }
                    arrived_by_jump = false;
                }
            }
        }
        // Falling off the end is in no body that the JVM accepts.
        true
    }

    /// Whether an instruction was visited before; it is now.
    fn visit(&mut self, list: &CodeList, at: u32) -> bool {
        if self.visited.is_empty() {
            self.visited.resize(list.nodes().len(), false);
        }
        self.visited.get_mut(at as usize).is_none_or(|visited| std::mem::replace(visited, true))
    }

    /// Leaves the targets of a jump or switch for later, unless the way there has a probe.
    fn follow(&mut self, list: &CodeList, instruction: &InstructionNode, probes: &[Probe]) {
        if self.label_nodes.is_empty() {
            self.label_nodes.resize(list.label_limit(), 0);
            for (node, at) in list.nodes().iter().zip(0..) {
                if let Node::Label(label) = node
                    && let Some(place) = self.label_nodes.get_mut(label.0 as usize)
                {
                    *place = at;
                }
            }
        }
        // A switch can have thousands of targets and probes; its probes are many only if most targets have one.
        let has_probe = |target: &Label| {
            probes
                .iter()
                .any(|probe| matches!(probe.place, Place::Jump(to) | Place::SwitchEdge(to) if to == *target))
        };
        let mut targets: Vec<Label> = list.targets(instruction).to_vec();
        targets.sort_unstable();
        targets.dedup();
        if probes.len() > 64 {
            // Too many to compare one by one: a way that has a probe is followed too, which can only add an entry probe.
            self.pending.extend(targets.iter().filter_map(|label| self.label_nodes.get(label.0 as usize)));
        } else {
            let open = targets.iter().filter(|target| !has_probe(target));
            self.pending.extend(open.filter_map(|label| self.label_nodes.get(label.0 as usize)));
        }
    }
}

/// The probes at a node; nodes are asked for in ascending order.
fn probes_at<'p>(probes: &'p [Probe], next: &mut usize, node: u32) -> &'p [Probe] {
    let rest = probes.get(*next..).unwrap_or_default();
    let here = rest.iter().take_while(|probe| probe.node == node).count();
    *next += here;
    rest.get(..here).unwrap_or_default()
}

/// Knows which instructions of a method never throw.
#[derive(Debug)]
pub struct Harmless<'c, 'a> {
    class: &'c ClassFile<'a>,
    code: &'c Code<'a>,
    /// Whether the method has a receiver.
    has_receiver: bool,
    is_constructor: bool,
    /// Whether the first local variable is the receiver, all through the method, once somebody asked.
    keeps_receiver: OnceCell<bool>,
}

impl<'c, 'a> Harmless<'c, 'a> {
    /// For the body of a method.
    #[must_use]
    pub fn new(class: &'c ClassFile<'a>, method: &Member<'_>, code: &'c Code<'a>) -> Self {
        let is_constructor = class.pool().utf8(method.name).is_ok_and(|name| name == "<init>");
        let has_receiver = method.access & access::STATIC == 0;
        Self { class, code, has_receiver, is_constructor, keeps_receiver: OnceCell::new() }
    }

    fn keeps_receiver_in_local_0(&self, list: &CodeList) -> bool {
        *self.keeps_receiver.get_or_init(|| self.never_overwrites_receiver(list))
    }

    fn never_overwrites_receiver(&self, list: &CodeList) -> bool {
        let overwrites = |node: &Node| match node {
            Node::Instruction(instruction) => {
                instruction.opcode == Opcode::ASTORE && local_of(self.code, instruction.pc) == Some(0)
            }
            _ => false,
        };
        self.has_receiver && !list.nodes().iter().any(overwrites)
    }

    /// Whether an instruction of the body's list may throw; `at` is its position there.
    #[must_use]
    pub fn can_throw(&self, list: &CodeList, at: u32, instruction: &InstructionNode) -> bool {
        match instruction.opcode {
            Opcode::IDIV
            | Opcode::LDIV
            | Opcode::IREM
            | Opcode::LREM
            | Opcode::ARRAYLENGTH
            | Opcode::MONITORENTER
            | Opcode::MONITOREXIT
            | Opcode::ATHROW => true,
            Opcode::LDC => !self.loads_number(instruction.pc),
            Opcode::GETFIELD => !self.reads_own_field(list, at, instruction.pc),
            Opcode::PUTFIELD => !self.writes_own_field(list, at, instruction.pc),
            Opcode::INVOKESPECIAL => !self.calls_constructor_of_object(instruction.pc),
            // What names no constant and touches no array works on numbers, locals and the stack alone.
            opcode => {
                let touches_array = matches!(
                    opcode.info().effect,
                    Effect::Fixed { pops, .. } if pops.starts_with("AI")
                );
                let harmless_form = matches!(
                    opcode.form(),
                    Form::Plain
                        | Form::Byte
                        | Form::Short
                        | Form::Local
                        | Form::Increment
                        | Form::Jump2
                        | Form::TableSwitch
                        | Form::LookupSwitch
                );
                touches_array || !harmless_form
            }
        }
    }

    fn constant_at(&self, pc: u32) -> Option<u16> {
        probity_classfile::instruction::Instructions::at(self.code, pc)?.constant()
    }

    fn loads_number(&self, pc: u32) -> bool {
        self.constant_at(pc).and_then(|index| self.class.pool().get(index).ok()).is_some_and(|constant| {
            matches!(
                constant,
                Constant::Integer(_) | Constant::Float(_) | Constant::Long(_) | Constant::Double(_)
            )
        })
    }

    /// A field that the class itself declares, read from `this`, is there and needs no other class.
    fn reads_own_field(&self, list: &CodeList, at: u32, pc: u32) -> bool {
        let before = list.nodes().get(..at as usize).unwrap_or_default();
        // A label between the two could bring another object.
        let [.., Node::Instruction(object)] = before else { return false };
        self.loads_this(list, object) && self.is_own_field(pc, 0)
    }

    /// The same for writing what one instruction has loaded. A constructor may do so even before it has called another,
    /// and only a constructor may write what is final.
    fn writes_own_field(&self, list: &CodeList, at: u32, pc: u32) -> bool {
        let before = list.nodes().get(..at as usize).unwrap_or_default();
        let [.., Node::Instruction(object), Node::Instruction(value)] = before else { return false };
        let loads_value = matches!(
            value.opcode.info().effect,
            Effect::Fixed { pops: "", pushes } if pushes.len() == 1
        );
        let forbidden = if self.is_constructor { 0 } else { access::FINAL };
        loads_value && self.loads_this(list, object) && self.is_own_field(pc, forbidden)
    }

    fn loads_this(&self, list: &CodeList, instruction: &InstructionNode) -> bool {
        instruction.opcode == Opcode::ALOAD
            && local_of(self.code, instruction.pc) == Some(0)
            && self.keeps_receiver_in_local_0(list)
    }

    /// Whether the class declares the field as one of its objects, with no flag that is forbidden.
    fn is_own_field(&self, pc: u32, forbidden: u16) -> bool {
        let pool = self.class.pool();
        let Some(field) = self.constant_at(pc).and_then(|index| pool.member(index).ok()) else {
            return false;
        };
        self.class.name().is_ok_and(|name| name == field.class)
            && self.class.fields().iter().any(|own| {
                own.access & (access::STATIC | forbidden) == 0
                    && pool.utf8(own.name).is_ok_and(|name| name == field.name)
                    && pool.utf8(own.descriptor).is_ok_and(|descriptor| descriptor == field.descriptor)
            })
    }

    fn calls_constructor_of_object(&self, pc: u32) -> bool {
        let member = self.constant_at(pc).and_then(|index| self.class.pool().member(index).ok());
        member.is_some_and(|member| {
            member.class == "java/lang/Object" && member.name == "<init>" && member.descriptor == "()V"
        })
    }
}

fn local_of(code: &Code<'_>, pc: u32) -> Option<u16> {
    probity_classfile::instruction::Instructions::at(code, pc)?.local()
}
