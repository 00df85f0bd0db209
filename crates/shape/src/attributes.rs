//! Attributes by what they are good for: what programs can see, what only stack traces and debuggers show, and what other
//! parts of the shape say.

use probity_classfile::Mutf8;
use probity_classfile::attribute::{Attribute, Attributes, Module, RawAttribute, TypeTarget};

use crate::canonical::Canonical;
use crate::shape::{ClassPart, ShapeError};

/// What an attribute is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Programs can see it.
    Visible(ClassPart),
    /// The value of a constant.
    Constant,
    /// Stack traces and debuggers show it.
    Debug,
    /// Something else in the shape says it.
    SaidElsewhere,
}

/// The purpose of an attribute of a class, a member or a body.
pub(crate) fn purpose(name: Mutf8<'_>) -> Purpose {
    match name.as_bytes() {
        b"Code" | b"BootstrapMethods" | b"StackMapTable" => Purpose::SaidElsewhere,
        b"LineNumberTable"
        | b"LocalVariableTable"
        | b"LocalVariableTypeTable"
        | b"SourceFile"
        | b"SourceDebugExtension" => Purpose::Debug,
        b"Signature" => Purpose::Visible(ClassPart::Generics),
        b"RuntimeVisibleAnnotations"
        | b"RuntimeVisibleParameterAnnotations"
        | b"RuntimeVisibleTypeAnnotations"
        | b"AnnotationDefault" => Purpose::Visible(ClassPart::Annotations),
        b"RuntimeInvisibleAnnotations"
        | b"RuntimeInvisibleParameterAnnotations"
        | b"RuntimeInvisibleTypeAnnotations" => Purpose::Visible(ClassPart::InvisibleAnnotations),
        b"ConstantValue" => Purpose::Constant,
        b"InnerClasses" | b"EnclosingMethod" => Purpose::Visible(ClassPart::Nesting),
        b"NestHost" => Purpose::Visible(ClassPart::NestHost),
        b"NestMembers" => Purpose::Visible(ClassPart::NestMember),
        b"Record" => Purpose::Visible(ClassPart::Record),
        b"PermittedSubclasses" => Purpose::Visible(ClassPart::PermittedSubclass),
        b"Module" | b"ModulePackages" | b"ModuleMainClass" => Purpose::Visible(ClassPart::Module),
        _ => Purpose::Visible(ClassPart::Other),
    }
}

/// Writes the attributes of one purpose, whatever their order in the file.
pub(crate) fn write_those<'a>(
    canonical: &mut Canonical<'_, 'a>,
    attributes: &Attributes<'a>,
    wanted: impl Fn(Purpose) -> bool,
) -> Result<(), ShapeError> {
    let mut written = Vec::new();
    for attribute in attributes.iter() {
        let name = canonical.class.pool().utf8(attribute.name)?;
        if wanted(purpose(name)) {
            let mut one = Canonical::new(canonical.class);
            one.text(name);
            write_attribute(&mut one, &attribute, &|pc| pc)?;
            written.push(one.out);
        }
    }
    written.sort_unstable();
    canonical.number(written.len() as u32);
    written.iter().for_each(|one| canonical.bytes(one));
    Ok(())
}

/// Writes the contents of an attribute. Code offsets are written as `place` says.
pub(crate) fn write_attribute<'a>(
    canonical: &mut Canonical<'_, 'a>,
    attribute: &RawAttribute<'a>,
    place: &dyn Fn(u32) -> u32,
) -> Result<(), ShapeError> {
    match attribute.decode(canonical.class.pool())? {
        Attribute::ConstantValue(index) | Attribute::ModuleMainClass(index) | Attribute::NestHost(index) => {
            canonical.constant(index)?;
        }
        Attribute::Signature(index) | Attribute::SourceFile(index) => canonical.utf8(index)?,
        Attribute::SourceDebugExtension(text) => canonical.text(text),
        Attribute::Exceptions(classes)
        | Attribute::ModulePackages(classes)
        | Attribute::NestMembers(classes)
        | Attribute::PermittedSubclasses(classes) => constants(canonical, classes.iter())?,
        Attribute::InnerClasses(_) => own_inner_classes(canonical, attribute)?,
        Attribute::EnclosingMethod(method) => {
            canonical.constant(method.class)?;
            canonical.optional_constant(method.method)?;
        }
        Attribute::Annotations(events) | Attribute::AnnotationDefault(events) => {
            canonical.annotations(&events)?;
        }
        Attribute::ParameterAnnotations(parameters) => {
            parameters.iter().try_for_each(|events| canonical.annotations(&events))?;
        }
        Attribute::TypeAnnotations(annotations) => {
            for annotation in annotations.iter() {
                canonical.byte(annotation.target_type);
                type_target(canonical, &annotation.target, place);
                canonical.bytes(annotation.path);
                canonical.annotations(&annotation.annotation)?;
            }
        }
        Attribute::MethodParameters(parameters) => {
            for parameter in parameters.iter() {
                canonical.optional_utf8(parameter.name)?;
                canonical.number(u32::from(parameter.access));
            }
        }
        Attribute::Module(module) => write_module(canonical, &module)?,
        Attribute::Record { components, .. } => {
            for component in components.iter() {
                canonical.utf8(component.name)?;
                canonical.utf8(component.descriptor)?;
                write_those(canonical, &component.attributes, |_| true)?;
            }
        }
        // The name says all, or the tables of bodies are written with their instructions.
        Attribute::Synthetic
        | Attribute::Deprecated
        | Attribute::Code(_)
        | Attribute::BootstrapMethods(_)
        | Attribute::StackMapTable(_)
        | Attribute::LineNumberTable(_)
        | Attribute::LocalVariableTable(_)
        | Attribute::LocalVariableTypeTable(_) => {}
        // Its indexes are not known, so another order of the pool is another attribute: too careful, never wrong.
        Attribute::Unknown(bytes) => canonical.bytes(bytes),
    }
    Ok(())
}

fn constants(
    canonical: &mut Canonical<'_, '_>,
    indexes: impl Iterator<Item = u16>,
) -> Result<(), ShapeError> {
    let indexes: Vec<u16> = indexes.collect();
    canonical.number(indexes.len() as u32);
    indexes.into_iter().try_for_each(|index| canonical.constant(index))
}

/// Compilers list every nested class that the code names; what programs can see of a class is itself and its members.
fn own_inner_classes<'a>(
    canonical: &mut Canonical<'_, 'a>,
    attribute: &RawAttribute<'a>,
) -> Result<(), ShapeError> {
    let class = canonical.class;
    let Attribute::InnerClasses(table) = attribute.decode(class.pool())? else { return Ok(()) };
    let this = class.name()?;
    for entry in table.iter() {
        let is_this = class.pool().class_name(entry.inner_class)? == this;
        let is_member = class.pool().optional_class_name(entry.outer_class)? == Some(this);
        if is_this || is_member {
            canonical.constant(entry.inner_class)?;
            canonical.optional_constant(entry.outer_class)?;
            canonical.optional_utf8(entry.inner_name)?;
            canonical.number(u32::from(entry.access));
        }
    }
    Ok(())
}

fn type_target(canonical: &mut Canonical<'_, '_>, target: &TypeTarget<'_>, place: &dyn Fn(u32) -> u32) {
    match *target {
        TypeTarget::TypeParameter(index) | TypeTarget::FormalParameter(index) => canonical.byte(index),
        TypeTarget::Supertype(index) | TypeTarget::Throws(index) | TypeTarget::Catch(index) => {
            canonical.number(u32::from(index));
        }
        TypeTarget::Offset(pc) => canonical.number(place(u32::from(pc))),
        TypeTarget::TypeParameterBound { parameter, bound } => canonical.out.extend([parameter, bound]),
        TypeTarget::Empty => {}
        TypeTarget::LocalVariable(ranges) => {
            for range in ranges.iter() {
                let start = u32::from(range.start_pc);
                canonical.number(place(start));
                canonical.number(place(start + u32::from(range.length)));
                canonical.number(u32::from(range.index));
            }
        }
        TypeTarget::TypeArgument { offset, argument } => {
            canonical.number(place(u32::from(offset)));
            canonical.byte(argument);
        }
    }
}

fn write_module(canonical: &mut Canonical<'_, '_>, module: &Module<'_>) -> Result<(), ShapeError> {
    canonical.constant(module.name)?;
    canonical.number(u32::from(module.flags));
    canonical.optional_utf8(module.version)?;
    for required in module.requires.iter() {
        canonical.byte(b'r');
        canonical.constant(required.module)?;
        canonical.number(u32::from(required.flags));
        canonical.optional_utf8(required.version)?;
    }
    for (tag, packages) in [(b'e', &module.exports), (b'o', &module.opens)] {
        for package in packages.iter() {
            canonical.byte(tag);
            canonical.constant(package.package)?;
            canonical.number(u32::from(package.flags));
            constants(canonical, package.to.iter())?;
        }
    }
    canonical.byte(b'u');
    constants(canonical, module.uses.iter())?;
    for provided in module.provides.iter() {
        canonical.byte(b'p');
        canonical.constant(provided.service)?;
        constants(canonical, provided.with.iter())?;
    }
    Ok(())
}
