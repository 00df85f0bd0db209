//! The shape of a class: its parts, its members, and what each of them is.

use probity_classfile::attribute::{Attribute, Attributes, Code};
use probity_classfile::{ClassFile, Error, Member, Mutf8};
use probity_instrument::list::CodeList;
use probity_instrument::plan::MethodPlan;
use probity_instrument::{InstrumentError, Instrumenter, class_id};
use std::fmt;
use std::ops::Range;

use crate::attributes::{Purpose, write_those};
use crate::body::{Places, write_body, write_debug};
use crate::canonical::Canonical;
use crate::flow::{FlowGraph, probe_places};
use crate::hash::{ContentId, ShapeHash};
use crate::references::{Reference, references};
use crate::walk::{BodySteps, BodyWalk};

/// One version of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Its bytes, whole.
    pub content: ContentId,
    /// JaCoCo's id of it.
    pub class_id: u64,
    /// The internal name.
    pub name: String,
    /// The internal name of the superclass.
    pub super_name: Option<String>,
    /// The internal names of the superinterfaces.
    pub interfaces: Vec<String>,
    /// The access flags.
    pub access: u16,
    /// What can be seen of the class itself without running code, by part. A part that the class does not have is not there;
    /// one of which it can have several is there once for each.
    pub parts: Vec<(ClassPart, ShapeHash)>,
    /// The names of its source and how lines are mapped: seen in stack traces only.
    pub debug: ShapeHash,
    /// The fields, in the order of the file.
    pub fields: Vec<FieldShape>,
    /// The methods, in the order of the file.
    pub methods: Vec<MethodShape>,
}

impl Shape {
    /// How many probes of JaCoCo's the class has.
    #[must_use]
    pub fn probe_count(&self) -> u32 {
        let bodies = self.methods.iter().filter_map(|method| method.body.as_ref());
        bodies.map(|body| body.probes.end).max().unwrap_or_default()
    }
}

/// What can be seen of a class itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ClassPart {
    /// Version, flags, superclass and superinterfaces.
    Header,
    /// The generic signature.
    Generics,
    /// Annotations that programs see.
    Annotations,
    /// Annotations that only those see who read the class file.
    InvisibleAnnotations,
    /// Where the class is nested, and the classes that are nested in it.
    Nesting,
    /// The host of its nest.
    NestHost,
    /// A member of its nest.
    NestMember,
    /// The components of a record.
    Record,
    /// A permitted subclass.
    PermittedSubclass,
    /// The description of a module.
    Module,
    /// All other attributes.
    Other,
}

const ATTRIBUTE_PARTS: [ClassPart; 8] = [
    ClassPart::Generics,
    ClassPart::Annotations,
    ClassPart::InvisibleAnnotations,
    ClassPart::Nesting,
    ClassPart::NestHost,
    ClassPart::Record,
    ClassPart::Module,
    ClassPart::Other,
];

/// A field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldShape {
    /// The name.
    pub name: String,
    /// The descriptor.
    pub descriptor: String,
    /// The access flags.
    pub access: u16,
    /// The value of a constant.
    pub constant: Option<ShapeHash>,
    /// Everything else that can be seen: annotations, generic signature.
    pub declaration: ShapeHash,
}

/// A method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodShape {
    /// The name.
    pub name: String,
    /// The descriptor.
    pub descriptor: String,
    /// The access flags.
    pub access: u16,
    /// Everything else that can be seen: exceptions, annotations, defaults, parameters, generic signature.
    pub declaration: ShapeHash,
    /// The body; none for methods without one.
    pub body: Option<BodyShape>,
}

/// A body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BodyShape {
    /// What it does.
    pub code: ShapeHash,
    /// Lines and names of variables.
    pub debug: ShapeHash,
    /// Where its probes stand, which also depends on lines: bodies that do the same and have their probes at the same places have
    /// the same rows.
    pub probe_places: ShapeHash,
    /// JaCoCo's numbers of its probes.
    pub probes: Range<u32>,
    /// The number of its entry probe among those of the class, if it needs one.
    pub entry_probe: Option<u32>,
    /// The classes that it uses, in the order of its instructions.
    pub references: Vec<Reference>,
}

/// Why a class has no shape.
#[derive(Debug)]
#[non_exhaustive]
pub enum ShapeError {
    /// The class is not well-formed.
    Malformed(Error),
    /// A body cannot be understood.
    Body(InstrumentError),
    /// There is no bootstrap method of this number.
    NoBootstrapMethod {
        /// The number.
        index: u16,
    },
    /// Dynamic constants are arguments of each other without end.
    ConstantsTooDeep,
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(error) => error.fmt(f),
            Self::Body(error) => error.fmt(f),
            Self::NoBootstrapMethod { index } => {
                write!(f, "there is no bootstrap method {index} (JVMS 4.7.23)")
            }
            Self::ConstantsTooDeep => {
                f.write_str("dynamic constants name each other without end (JVMS 4.4.10)")
            }
        }
    }
}

impl std::error::Error for ShapeError {}

impl From<Error> for ShapeError {
    fn from(error: Error) -> Self {
        Self::Malformed(error)
    }
}

impl From<InstrumentError> for ShapeError {
    fn from(error: InstrumentError) -> Self {
        Self::Body(error)
    }
}

/// Reads shapes; keeps its memory from one class to the next.
#[derive(Debug, Default)]
pub struct ShapeReader {
    instrumenter: Instrumenter,
}

impl ShapeReader {
    /// A reader with no memory yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The shape of a class.
    ///
    /// # Errors
    ///
    /// Fails if something in the class cannot be understood; the class is then to be compared by its bytes.
    pub fn read(&mut self, bytes: &[u8]) -> Result<Shape, ShapeError> {
        let class = ClassFile::read(bytes)?;
        let mut interfaces = Vec::new();
        for interface in class.interfaces().iter() {
            interfaces.push(text(class.pool().class_name(interface)?));
        }
        let mut shape = Shape {
            content: ContentId::of(bytes),
            class_id: class_id(bytes),
            name: text(class.name()?),
            super_name: class.super_name()?.map(text),
            interfaces,
            access: class.access(),
            parts: parts(&class)?,
            debug: attributes_hash(&class, &class.attributes(), |purpose| purpose == Purpose::Debug)?,
            fields: Vec::new(),
            methods: Vec::new(),
        };
        for field in class.fields() {
            let Declared { name, descriptor, access, declaration } = declared(&class, field)?;
            let constant = constant(&class, field)?;
            shape.fields.push(FieldShape { name, descriptor, access, constant, declaration });
        }
        for method in class.methods() {
            let Declared { name, descriptor, access, declaration } = declared(&class, method)?;
            shape.methods.push(MethodShape { name, descriptor, access, declaration, body: None });
        }
        self.read_bodies(&class, &mut shape)?;
        Ok(shape)
    }

    fn read_bodies(&mut self, class: &ClassFile<'_>, shape: &mut Shape) -> Result<(), ShapeError> {
        let (mut probes, mut entries) = (0, 0);
        let mut ranges = Vec::new();
        self.instrumenter.visit_plans(class, |position, _, list, plan| {
            let first = probes;
            probes += plan.probes.len() as u32;
            let entry = plan.needs_entry_probe.then_some(entries);
            entries += u32::from(plan.needs_entry_probe);
            ranges.push((position, first..probes, entry, probe_places(list, plan)));
        })?;
        for (position, range, entry, places) in ranges {
            let Some(method) = class.methods().get(position) else { continue };
            let Some(code) = class.code(method)? else { continue };
            if let Some(method) = shape.methods.get_mut(position) {
                // JaCoCo's probes come first, then those at entries.
                let entry_probe = entry.map(|entry| probes + entry);
                method.body = Some(BodyShape {
                    probes: range,
                    entry_probe,
                    probe_places: places,
                    ..body(class, &code)?
                });
            }
        }
        Ok(())
    }

    /// The control flow of a method's body, by the method's position in the class.
    ///
    /// # Errors
    ///
    /// Fails if something in the class cannot be understood.
    pub fn flow_graph(&mut self, bytes: &[u8], method: usize) -> Result<Option<FlowGraph>, ShapeError> {
        let class = ClassFile::read(bytes)?;
        let mut found = None;
        self.instrumenter.visit_plan(&class, method, |_, list, plan| {
            found = Some(FlowGraph::new(list, plan));
        })?;
        Ok(found)
    }

    /// A method's body as [`BodyWalk::between`] takes it, by the method's position in the class; nothing if it has none or one
    /// with subroutines.
    ///
    /// # Errors
    ///
    /// Fails if something in the class cannot be understood.
    pub fn body_steps(&mut self, bytes: &[u8], method: usize) -> Result<Option<BodySteps>, ShapeError> {
        let class = ClassFile::read(bytes)?;
        let Some(member) = class.methods().get(method) else { return Ok(None) };
        let mut found = Ok(None);
        self.instrumenter.visit_plan(&class, method, |code, list, plan| {
            if !list.is_inlined() {
                found = BodySteps::read(&class, member, code, list, plan);
            }
        })?;
        found
    }

    /// The two versions of a method's body walked together, each by the bytes of its class and the position of the method there;
    /// nothing if one of them has no body that can be walked.
    ///
    /// # Errors
    ///
    /// Fails if something in the classes cannot be understood.
    pub fn body_walk(
        &mut self,
        old: (&[u8], usize),
        new: (&[u8], usize),
    ) -> Result<Option<BodyWalk>, ShapeError> {
        let old = self.body_steps(old.0, old.1)?;
        let new = self.body_steps(new.0, new.1)?;
        Ok(old.zip(new).and_then(|(old, new)| BodyWalk::between(&old, &new)))
    }

    /// The control flow of all bodies, by the position of their methods. A body has none where its instructions are not
    /// numbered as its references are: subroutines are written out before their flow is known.
    ///
    /// # Errors
    ///
    /// Fails if something in the class cannot be understood.
    pub fn flow_graphs(&mut self, bytes: &[u8]) -> Result<Vec<Option<FlowGraph>>, ShapeError> {
        let class = ClassFile::read(bytes)?;
        let mut graphs = vec![None; class.methods().len()];
        self.instrumenter.visit_plans(&class, |position, code, list: &CodeList, plan: &MethodPlan| {
            let original = class.methods().get(position).and_then(|method| class.code(method).ok().flatten());
            let is_original = original.is_some_and(|original| original.bytes == code.bytes);
            if let Some(graph) = graphs.get_mut(position).filter(|_| is_original) {
                *graph = Some(FlowGraph::new(list, plan));
            }
        })?;
        Ok(graphs)
    }
}

fn text(name: Mutf8<'_>) -> String {
    name.to_text().into_owned()
}

fn parts(class: &ClassFile<'_>) -> Result<Vec<(ClassPart, ShapeHash)>, ShapeError> {
    let mut header = Canonical::new(class);
    let version = class.version();
    header.number(u32::from(version.major));
    header.number(u32::from(version.minor));
    header.number(u32::from(class.access()));
    header.constant(class.this_class())?;
    header.optional_constant(class.super_class())?;
    for interface in class.interfaces().iter() {
        header.constant(interface)?;
    }
    let mut parts = vec![(ClassPart::Header, ShapeHash::of(&header.out))];
    let none = attributes_hash(class, &class.attributes(), |_| false)?;
    for part in ATTRIBUTE_PARTS {
        let hash = attributes_hash(class, &class.attributes(), |purpose| purpose == Purpose::Visible(part))?;
        if hash != none {
            parts.push((part, hash));
        }
    }
    parts.extend(listed_parts(class)?);
    Ok(parts)
}

/// The parts of which a class can have several, those of one kind in the order of the file.
fn listed_parts(class: &ClassFile<'_>) -> Result<Vec<(ClassPart, ShapeHash)>, ShapeError> {
    let mut parts = Vec::new();
    for attribute in class.attributes().iter() {
        let (part, names) = match attribute.decode(class.pool())? {
            Attribute::NestMembers(names) => (ClassPart::NestMember, names),
            Attribute::PermittedSubclasses(names) => (ClassPart::PermittedSubclass, names),
            _ => continue,
        };
        for name in names.iter() {
            let mut one = Canonical::new(class);
            one.constant(name)?;
            parts.push((part, ShapeHash::of(&one.out)));
        }
    }
    // The order of attributes says nothing.
    parts.sort_by_key(|(part, _)| *part);
    Ok(parts)
}

fn attributes_hash<'a>(
    class: &ClassFile<'a>,
    attributes: &Attributes<'a>,
    wanted: impl Fn(Purpose) -> bool,
) -> Result<ShapeHash, ShapeError> {
    let mut canonical = Canonical::new(class);
    write_those(&mut canonical, attributes, wanted)?;
    Ok(ShapeHash::of(&canonical.out))
}

/// What a member says of itself.
struct Declared {
    name: String,
    descriptor: String,
    access: u16,
    declaration: ShapeHash,
}

fn declared<'a>(class: &ClassFile<'a>, member: &Member<'a>) -> Result<Declared, ShapeError> {
    let declaration =
        attributes_hash(class, &member.attributes, |purpose| matches!(purpose, Purpose::Visible(_)))?;
    Ok(Declared {
        name: text(class.pool().utf8(member.name)?),
        descriptor: text(class.pool().utf8(member.descriptor)?),
        access: member.access,
        declaration,
    })
}

/// The value of a field that is a constant.
fn constant<'a>(class: &ClassFile<'a>, field: &Member<'a>) -> Result<Option<ShapeHash>, ShapeError> {
    let hash = |wanted: fn(Purpose) -> bool| attributes_hash(class, &field.attributes, wanted);
    let value = hash(|purpose| purpose == Purpose::Constant)?;
    Ok((value != hash(|_| false)?).then_some(value))
}

/// What a body does and names; of its probes nothing yet.
fn body<'a>(class: &ClassFile<'a>, code: &Code<'a>) -> Result<BodyShape, ShapeError> {
    let places = Places::of(code)?;
    let (mut does, mut debug) = (Canonical::new(class), Canonical::new(class));
    write_body(&mut does, code, &places)?;
    write_debug(&mut debug, code, &places)?;
    Ok(BodyShape {
        code: ShapeHash::of(&does.out),
        debug: ShapeHash::of(&debug.out),
        probe_places: ShapeHash::of(&[]),
        probes: 0..0,
        entry_probe: None,
        references: references(class, code, &places)?,
    })
}
