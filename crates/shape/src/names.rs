//! The classes that a class file names outside its bodies.
//!
//! Who looks at a class by reflection meets the classes of its signatures and annotations; who runs a class that was made
//! while the program ran may meet whatever its constant pool names. Names stand for the element types of arrays; primitive
//! types are left out. Nothing that is named may be left out: a name too many costs a test run, one too few a wrong answer.

use probity_classfile::attribute::{AnnotationEvent, AnnotationEvents, Attribute, Attributes, RawAttribute};
use probity_classfile::pool::Constant;
use probity_classfile::{ClassFile, Mutf8};
use std::collections::BTreeSet;

use crate::shape::ShapeError;

/// The classes that a class file names, by internal name and sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClassNames {
    /// The host of its nest, if that is another class.
    pub nest_host: Option<String>,
    /// In signatures, in annotations that programs see, as record components, members, permitted subclasses and nest mates.
    pub declared: Vec<String>,
    /// Anywhere in the constant pool, and those above.
    pub all: Vec<String>,
}

impl ClassNames {
    /// Reads the names of a class.
    ///
    /// # Errors
    ///
    /// Fails if the class is not well-formed.
    pub fn read(bytes: &[u8]) -> Result<Self, ShapeError> {
        let class = ClassFile::read(bytes)?;
        let mut names = Names { class: &class, nest_host: None, found: BTreeSet::new() };
        names.add_attributes(&class.attributes())?;
        for member in class.fields().iter().chain(class.methods()) {
            names.add_signature(class.pool().utf8(member.descriptor)?);
            names.add_attributes(&member.attributes)?;
        }
        let this = class.name()?.to_text().into_owned();
        names.found.remove(&this);
        let declared = names.found.iter().cloned().collect();
        for (_, constant) in class.pool().iter() {
            match constant {
                Constant::Class { name } => names.add_name(class.pool().utf8(name)?),
                Constant::NameAndType { descriptor, .. } | Constant::MethodType { descriptor } => {
                    names.add_signature(class.pool().utf8(descriptor)?);
                }
                _ => {}
            }
        }
        names.found.remove(&this);
        Ok(Self { nest_host: names.nest_host, declared, all: names.found.into_iter().collect() })
    }
}

struct Names<'c, 'a> {
    class: &'c ClassFile<'a>,
    nest_host: Option<String>,
    found: BTreeSet<String>,
}

impl<'a> Names<'_, 'a> {
    /// A class by its name, which for an array is a descriptor.
    fn add_name(&mut self, name: Mutf8<'_>) {
        let text = name.to_text();
        if text.starts_with('[') {
            signature_names(&text, &mut self.found);
        } else {
            self.found.insert(text.into_owned());
        }
    }

    fn add_signature(&mut self, signature: Mutf8<'_>) {
        signature_names(&signature.to_text(), &mut self.found);
    }

    fn add_classes(&mut self, indexes: impl Iterator<Item = u16>) -> Result<(), ShapeError> {
        for index in indexes.filter(|&index| index != 0) {
            self.add_name(self.class.pool().class_name(index)?);
        }
        Ok(())
    }

    fn add_attributes(&mut self, attributes: &Attributes<'a>) -> Result<(), ShapeError> {
        for attribute in attributes.iter() {
            let name = self.class.pool().utf8(attribute.name)?;
            // Reflection never shows these.
            if !name.as_bytes().starts_with(b"RuntimeInvisible") {
                self.add_attribute(&attribute)?;
            }
        }
        Ok(())
    }

    fn add_attribute(&mut self, attribute: &RawAttribute<'a>) -> Result<(), ShapeError> {
        let pool = self.class.pool();
        match attribute.decode(pool)? {
            Attribute::NestHost(host) => {
                self.nest_host = Some(pool.class_name(host)?.to_text().into_owned());
                self.add_classes([host].into_iter())
            }
            Attribute::Signature(index) => {
                self.add_signature(pool.utf8(index)?);
                Ok(())
            }
            Attribute::Exceptions(classes)
            | Attribute::NestMembers(classes)
            | Attribute::PermittedSubclasses(classes) => self.add_classes(classes.iter()),
            Attribute::EnclosingMethod(method) => self.add_classes([method.class].into_iter()),
            Attribute::InnerClasses(table) => {
                let this = self.class.this_class();
                for entry in table.iter() {
                    if entry.inner_class == this || entry.outer_class == this {
                        self.add_classes([entry.inner_class, entry.outer_class].into_iter())?;
                    }
                }
                Ok(())
            }
            Attribute::Annotations(events) | Attribute::AnnotationDefault(events) => {
                self.add_annotations(&events)
            }
            Attribute::ParameterAnnotations(parameters) => {
                parameters.iter().try_for_each(|events| self.add_annotations(&events))
            }
            Attribute::TypeAnnotations(annotations) => {
                annotations.iter().try_for_each(|one| self.add_annotations(&one.annotation))
            }
            Attribute::Record { components, .. } => {
                for component in components.iter() {
                    self.add_signature(pool.utf8(component.descriptor)?);
                    self.add_attributes(&component.attributes)?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn add_annotations(&mut self, events: &AnnotationEvents<'_>) -> Result<(), ShapeError> {
        for event in events.iter() {
            match event {
                AnnotationEvent::Annotation { type_descriptor, .. }
                | AnnotationEvent::Enum { type_descriptor, .. }
                | AnnotationEvent::Class(type_descriptor) => {
                    self.add_signature(self.class.pool().utf8(type_descriptor)?);
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// The classes of a descriptor or a generic signature (JVMS 4.7.9.1). What is no signature gives some names or none.
fn signature_names(signature: &str, found: &mut BTreeSet<String>) {
    let mut rest = signature;
    // The classes whose type arguments are being read.
    let mut open: Vec<String> = Vec::new();
    let mut in_formal_parameters = false;
    if let Some(after) = rest.strip_prefix('<') {
        (rest, in_formal_parameters) = (skip_formal_name(after), true);
    }
    while let Some(first) = rest.chars().next() {
        let after = rest.get(first.len_utf8()..).unwrap_or_default();
        rest = match first {
            'L' => class_type(String::new(), after, &mut open, found),
            'T' => after.split_once(';').map_or("", |(_, after)| after),
            '>' => match open.pop() {
                // The arguments of a class end, and its name may go on.
                Some(outer) if after.starts_with('.') => {
                    class_type(outer + "$", after.get(1..).unwrap_or_default(), &mut open, found)
                }
                Some(_) => after.strip_prefix(';').unwrap_or(after),
                None => {
                    in_formal_parameters = false;
                    after
                }
            },
            _ => after,
        };
        // Behind a bound comes another bound, the end, or the name of the next parameter.
        if in_formal_parameters
            && open.is_empty()
            && matches!(first, 'L' | 'T' | '>')
            && !rest.starts_with([':', '>'])
        {
            rest = skip_formal_name(rest);
        }
    }
}

fn skip_formal_name(text: &str) -> &str {
    text.find(':').and_then(|at| text.get(at..)).unwrap_or_default()
}

/// Reads the name of a class, which goes on behind what is there already, and returns what is left.
fn class_type<'t>(
    mut class: String,
    mut text: &'t str,
    open: &mut Vec<String>,
    found: &mut BTreeSet<String>,
) -> &'t str {
    loop {
        let end = text.find(['<', ';', '.']).unwrap_or(text.len());
        let (name, rest) = text.split_at(end);
        class.push_str(name);
        found.extend((!class.is_empty()).then(|| class.clone()));
        text = rest.get(1..).unwrap_or_default();
        match rest.chars().next() {
            Some('.') => class.push('$'),
            Some('<') => {
                open.push(class);
                return text;
            }
            _ => return text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(signature: &str) -> Vec<String> {
        let mut found = BTreeSet::new();
        signature_names(signature, &mut found);
        found.into_iter().collect()
    }

    #[test]
    fn descriptors_name_their_classes() {
        assert_eq!(names("(IJLa/B;[[La/C;)V"), ["a/B", "a/C"]);
        assert_eq!(names("[La/B;"), ["a/B"]);
        assert!(names("[[I").is_empty());
    }

    #[test]
    fn generic_signatures_name_their_classes() {
        assert_eq!(names("La/B<La/C<TLEFT;>;+[La/D;*>;"), ["a/B", "a/C", "a/D"]);
        assert_eq!(names("La/O<La/X;>.I<La/Y;>.J;"), ["a/O", "a/O$I", "a/O$I$J", "a/X", "a/Y"]);
        assert_eq!(names("La/O.I;La/P;"), ["a/O", "a/O$I", "a/P"]);
        assert_eq!(
            names("<L:La/B<La/C;>;:La/D;LL::La/E;T:TL;>(TL;La/F;)V^La/G;"),
            ["a/B", "a/C", "a/D", "a/E", "a/F", "a/G"]
        );
    }

    #[test]
    fn what_is_no_signature_is_read_to_its_end() {
        for text in ["<", "L", "<T", "La", "La<", ">>>", "T", "<:>", "Lä<Lö", "L;", ".;", "<ä:Lä;ö"] {
            names(text);
        }
    }
}
