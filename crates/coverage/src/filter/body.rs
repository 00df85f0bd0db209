//! A method as filters see it: the list of nodes, with what instructions name.
//!
//! Filters recognise what a compiler writes. They look at nodes by position; everything here answers `None` where a node
//! is not what is asked for, so that a filter simply does not match.

use probity_classfile::attribute::{Attribute, Attributes, Code};
use probity_classfile::instruction::{Instruction, Instructions, Operand};
use probity_classfile::opcode::{Flow, Opcode};
use probity_classfile::pool::{Constant, MemberName};
use probity_classfile::{ClassFile, Member, Mutf8, access};
use probity_instrument::list::{CodeList, InstructionNode, Label, Node};

use crate::smap::Smap;
use std::cell::OnceCell;

/// What filters ask of a class.
pub(crate) struct ClassFacts<'c, 'a> {
    pub(crate) class: &'c ClassFile<'a>,
    pub(crate) name: Mutf8<'a>,
    pub(crate) super_name: Option<Mutf8<'a>>,
    /// The access flags; `synthetic` also if an attribute says so.
    pub(crate) access: u16,
    /// The descriptors of all annotations of the class.
    pub(crate) annotations: Vec<Mutf8<'a>>,
    pub(crate) source_file: Option<Mutf8<'a>>,
    /// Whether an attribute says that Scala wrote the class.
    pub(crate) is_scala: bool,
    /// Where inlined code comes from, for classes of Kotlin.
    pub(crate) smap: Option<Smap>,
}

impl ClassFacts<'_, '_> {
    pub(crate) fn has_annotation(&self, descriptor: &str) -> bool {
        self.annotations.iter().any(|found| *found == descriptor)
    }

    pub(crate) fn is_kotlin(&self) -> bool {
        self.has_annotation("Lkotlin/Metadata;")
    }
}

/// The annotations of a member that are visible at run time, and those that are not.
pub(crate) fn annotations_of<'a>(
    class: &ClassFile<'a>,
    attributes: &Attributes<'a>,
    wanted: &[&str],
) -> Vec<Mutf8<'a>> {
    let mut found = Vec::new();
    for attribute in attributes.iter() {
        let name = class.pool().utf8(attribute.name);
        if !name.is_ok_and(|name| wanted.iter().any(|wanted| name == *wanted)) {
            continue;
        }
        if let Ok(Attribute::Annotations(events)) = attribute.decode(class.pool()) {
            let types = events.iter().filter_map(|event| match event {
                probity_classfile::attribute::AnnotationEvent::Annotation {
                    nested: false,
                    type_descriptor,
                    ..
                } => class.pool().utf8(type_descriptor).ok(),
                _ => None,
            });
            found.extend(types);
        }
    }
    found
}

pub(crate) const VISIBLE: &str = "RuntimeVisibleAnnotations";
pub(crate) const INVISIBLE: &str = "RuntimeInvisibleAnnotations";

fn is_switch(opcode: Opcode) -> bool {
    opcode.flow() == Flow::Switch
}

fn label_nodes(list: &CodeList) -> Vec<u32> {
    let mut label_nodes = vec![u32::MAX; list.label_limit()];
    for (node, at) in list.nodes().iter().zip(0..) {
        if let Node::Label(label) = node
            && let Some(place) = label_nodes.get_mut(label.0 as usize)
        {
            *place = at;
        }
    }
    label_nodes
}

/// A method with a body.
pub(crate) struct Body<'m, 'c, 'a> {
    pub(crate) class: &'m ClassFacts<'c, 'a>,
    pub(crate) method: &'m Member<'a>,
    pub(crate) name: Mutf8<'a>,
    pub(crate) descriptor: Mutf8<'a>,
    /// The access flags; `synthetic` also if an attribute says so.
    pub(crate) access: u16,
    list: &'m CodeList,
    code: &'m Code<'m>,
    /// The node of each label; filters ask for it in few bodies.
    label_nodes: OnceCell<Vec<u32>>,
}

impl<'m, 'c, 'a> Body<'m, 'c, 'a> {
    pub(crate) fn new(
        class: &'m ClassFacts<'c, 'a>,
        method: &'m Member<'a>,
        list: &'m CodeList,
        code: &'m Code<'m>,
    ) -> Option<Self> {
        let pool = class.class.pool();
        let synthetic = method.attributes.find(pool, "Synthetic").is_some();
        Some(Self {
            class,
            method,
            name: pool.utf8(method.name).ok()?,
            descriptor: pool.utf8(method.descriptor).ok()?,
            access: method.access | if synthetic { access::SYNTHETIC } else { 0 },
            list,
            code,
            label_nodes: OnceCell::new(),
        })
    }

    /// Whether there is a switch; most bodies have none, and nothing is to be looked for in those.
    pub(crate) fn has_switch(&self) -> bool {
        self.list.has_switch()
    }

    pub(crate) fn is_synthetic(&self) -> bool {
        self.access & access::SYNTHETIC != 0
    }

    pub(crate) fn has_annotation(&self, kinds: &[&str], fits: impl Fn(Mutf8<'a>) -> bool) -> bool {
        annotations_of(self.class.class, &self.method.attributes, kinds).into_iter().any(fits)
    }

    pub(crate) fn list(&self) -> &'m CodeList {
        self.list
    }

    pub(crate) fn len(&self) -> usize {
        self.list.nodes().len()
    }

    pub(crate) fn node(&self, at: usize) -> Option<&'m Node> {
        self.list.nodes().get(at)
    }

    pub(crate) fn instruction(&self, at: usize) -> Option<&'m InstructionNode> {
        match self.node(at)? {
            Node::Instruction(instruction) => Some(instruction),
            _ => None,
        }
    }

    pub(crate) fn is_label(&self, at: usize) -> bool {
        matches!(self.node(at), Some(Node::Label(_)))
    }

    pub(crate) fn opcode(&self, at: usize) -> Option<Opcode> {
        self.instruction(at).map(|instruction| instruction.opcode)
    }

    pub(crate) fn is(&self, at: usize, opcode: Opcode) -> bool {
        self.opcode(at) == Some(opcode)
    }

    /// The node before, of any kind.
    pub(crate) fn raw_previous(&self, at: usize) -> Option<usize> {
        at.checked_sub(1)
    }

    /// The node behind, of any kind.
    pub(crate) fn raw_next(&self, at: usize) -> Option<usize> {
        Some(at + 1).filter(|&next| next < self.len())
    }

    /// The first instruction from a node on.
    pub(crate) fn instruction_from(&self, at: usize) -> Option<usize> {
        (at..self.len()).find(|&at| matches!(self.node(at), Some(Node::Instruction(_))))
    }

    /// The next instruction behind a node.
    pub(crate) fn next_instruction(&self, at: usize) -> Option<usize> {
        self.instruction_from(at + 1)
    }

    /// The last instruction before a node.
    pub(crate) fn previous_instruction(&self, at: usize) -> Option<usize> {
        (0..at).rev().find(|&at| matches!(self.node(at), Some(Node::Instruction(_))))
    }

    /// The node of a label.
    pub(crate) fn label_node(&self, label: Label) -> Option<usize> {
        let label_nodes = self.label_nodes.get_or_init(|| label_nodes(self.list));
        label_nodes.get(label.0 as usize).map(|&at| at as usize).filter(|&at| at < self.len())
    }

    /// The node of the label that a jump leads to, or a switch by default.
    pub(crate) fn target(&self, at: usize) -> Option<usize> {
        self.label_node(self.target_label(at)?)
    }

    pub(crate) fn target_label(&self, at: usize) -> Option<Label> {
        self.targets(at).first().copied()
    }

    /// The labels that a jump or switch leads to, the default of a switch first.
    pub(crate) fn targets(&self, at: usize) -> &'m [Label] {
        self.instruction(at).map(|instruction| self.list.targets(instruction)).unwrap_or_default()
    }

    pub(crate) fn is_switch(&self, at: usize) -> bool {
        self.instruction(at).is_some_and(|instruction| is_switch(instruction.opcode))
    }

    /// The instruction with its operands.
    pub(crate) fn decoded(&self, at: usize) -> Option<Instruction<'m>> {
        Instructions::at(self.code, self.instruction(at)?.pc)
    }

    /// The local variable that an instruction loads or stores.
    pub(crate) fn local(&self, at: usize) -> Option<u16> {
        let decoded = self.decoded(at)?;
        if matches!(decoded.operand, Operand::Increment { .. }) { None } else { decoded.local() }
    }

    fn constant(&self, at: usize) -> Option<Constant<'a>> {
        self.class.class.pool().get(self.decoded(at)?.constant()?).ok()
    }

    /// The field or method that an instruction names.
    pub(crate) fn member(&self, at: usize) -> Option<MemberName<'a>> {
        self.class.class.pool().member(self.decoded(at)?.constant()?).ok()
    }

    /// The class that an instruction names: what is made, cast to or tested for.
    pub(crate) fn class_name(&self, at: usize) -> Option<Mutf8<'a>> {
        match self.constant(at)? {
            Constant::Class { name } => self.class.class.pool().utf8(name).ok(),
            _ => None,
        }
    }

    /// The text that an instruction loads.
    pub(crate) fn loaded_text(&self, at: usize) -> Option<Mutf8<'a>> {
        match self.constant(at)? {
            Constant::String { value } if self.is(at, Opcode::LDC) => {
                self.class.class.pool().utf8(value).ok()
            }
            _ => None,
        }
    }

    /// The name of a dynamic call, and the method that links it.
    pub(crate) fn dynamic_call(&self, at: usize) -> Option<(Mutf8<'a>, MemberName<'a>)> {
        let pool = self.class.class.pool();
        let Constant::InvokeDynamic { bootstrap, name_and_type } = self.constant(at)? else { return None };
        let name = pool.name_and_type(name_and_type).ok()?.0;
        let methods = self.class.class.attributes().find(pool, "BootstrapMethods")?;
        let Ok(Attribute::BootstrapMethods(methods)) = methods.decode(pool) else { return None };
        let handle = methods.iter().nth(usize::from(bootstrap))?.method;
        let Ok(Constant::MethodHandle { reference, .. }) = pool.get(handle) else { return None };
        Some((name, pool.member(reference).ok()?))
    }

    /// The name of the class that an entry of the exception table catches; nothing for all.
    pub(crate) fn caught(&self, catch_type: u16) -> Option<Mutf8<'a>> {
        self.class.class.pool().class_name(catch_type).ok()
    }
}
