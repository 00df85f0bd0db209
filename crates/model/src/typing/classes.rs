//! Whether classes fit together: names, superclasses, members, overriding.

use super::IllFormed;
use crate::linked::Linked;
use crate::names::{ClassName, ClassSet, MethodName};
use crate::program::{Class, Method, Program, Type};

pub(super) fn check(program: &Program, linked: &Linked<'_>) -> Result<(), IllFormed> {
    let mut seen = ClassSet::EMPTY;
    for (name, class) in &program.classes {
        if seen.contains(*name) {
            return Err(IllFormed::TwoClasses(*name));
        }
        seen = seen.with(*name);
        check_class(linked, *name, class)?;
    }
    Ok(())
}

pub(super) fn check_class(linked: &Linked<'_>, name: ClassName, class: &Class) -> Result<(), IllFormed> {
    if name != ClassName::OBJECT {
        if linked.class(class.superclass).is_none() {
            return Err(IllFormed::NoClass(class.superclass));
        }
        if linked.is_below(class.superclass, name) {
            return Err(IllFormed::Circle(name));
        }
    }
    check_members(name, class)?;
    let of_methods = class.methods.iter().map(|method| &method.signature);
    let of_methods = of_methods.flat_map(|signature| signature.parameters.iter().chain([&signature.result]));
    for kind in class.fields.iter().map(|field| &field.kind).chain(of_methods) {
        if let Type::Class(named) = kind
            && linked.class(*named).is_none()
        {
            return Err(IllFormed::NoClass(*named));
        }
    }
    class.methods.iter().try_for_each(|method| check_override(linked, name, class, method))
}

fn check_members(name: ClassName, class: &Class) -> Result<(), IllFormed> {
    let is_first_field =
        |at: usize| class.fields.get(at).is_some_and(|field| is_same(class.field(field.name), field));
    let is_first_method =
        |at: usize| class.methods.get(at).is_some_and(|method| is_same(class.method(method.name), method));
    let are_distinct =
        (0..class.fields.len()).all(is_first_field) && (0..class.methods.len()).all(is_first_method);
    let initialiser = class.method(MethodName::CLINIT).map(|method| &method.signature);
    let has_initialiser = initialiser.is_some_and(|signature| {
        signature.is_static && signature.parameters.is_empty() && signature.result == Type::Void
    });
    if are_distinct && has_initialiser { Ok(()) } else { Err(IllFormed::Members(name)) }
}

fn is_same<T>(one: Option<&T>, two: &T) -> bool {
    one.is_some_and(|one| std::ptr::eq(one, two))
}

fn check_override(
    linked: &Linked<'_>,
    name: ClassName,
    class: &Class,
    method: &Method,
) -> Result<(), IllFormed> {
    if name == ClassName::OBJECT {
        return Ok(());
    }
    let Some((_, above)) = linked.method(class.superclass, method.name) else { return Ok(()) };
    let (own, above) = (&method.signature, &above.signature);
    let fits = own.is_static == above.is_static
        && own.parameters.len() == above.parameters.len()
        && above.parameters.iter().zip(&own.parameters).all(|(from, to)| linked.widens(*from, *to))
        && linked.widens(own.result, above.result);
    if fits { Ok(()) } else { Err(IllFormed::Override(name, method.name)) }
}
