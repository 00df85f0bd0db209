//! Edits that make one revision of a program from another.
//!
//! The first nine are those of the RTSCheck study; the others aim at what class initialisation, look-up and control flow depend on.
//! An edit may break a program: who asks for well-formed revisions checks. Half of all edits are made where the test looks,
//! because an edit elsewhere tells little.

mod bodies;

use std::sync::Arc;

use crate::generate::{self, FIELDS, METHODS};
use crate::names::{ClassName, ClassSet, MethodName};
use crate::program::{Body, Class, Instruction, Program, Value};
use crate::random::Chance;

/// A kind of edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Edit {
    /// E1: a class gets another superclass.
    AddExtends,
    /// E2: a class gets a field.
    CopyField,
    /// E3: a class gets a static field with a value.
    CopyFieldAndReplace,
    /// E4: a class gets a method of another.
    CopyMethod,
    /// E5: a class gets a method of another with other constants.
    CopyMethodAndReplace,
    /// E6: another program.
    NextProgram,
    /// E7: the constants of a method grow.
    IncreaseConstants,
    /// E8: a class loses its superclass.
    RemoveExtends,
    /// E9: a class loses a method.
    RemoveMethod,
    /// An initialiser throws.
    InitialiserThrows,
    /// An initialiser does nothing any more.
    InitialiserDoesNothing,
    /// A body is written anew.
    NewBody,
    /// One constant of a body changes.
    ChangeConstant,
    /// Something that does nothing is put into a body.
    InsertNothing,
    /// A handler catches something else.
    ChangeCatch,
    /// A handler goes away.
    RemoveCatch,
    /// A branch leads elsewhere.
    ChangeBranch,
    /// A class loses a field.
    RemoveField,
    /// A member becomes static, or ceases to be.
    FlipStatic,
    /// A method moves to the superclass.
    MoveUp,
    /// A method moves to a subclass.
    MoveDown,
    /// A class goes away.
    RemoveClass,
    /// A class is added that nothing uses.
    AddClass,
    /// Classes and members stand in another order; this is no change of classes.
    Reorder,
}

impl Edit {
    /// All kinds.
    pub const ALL: [Self; 24] = [
        Self::AddExtends,
        Self::CopyField,
        Self::CopyFieldAndReplace,
        Self::CopyMethod,
        Self::CopyMethodAndReplace,
        Self::NextProgram,
        Self::IncreaseConstants,
        Self::RemoveExtends,
        Self::RemoveMethod,
        Self::InitialiserThrows,
        Self::InitialiserDoesNothing,
        Self::NewBody,
        Self::ChangeConstant,
        Self::InsertNothing,
        Self::ChangeCatch,
        Self::RemoveCatch,
        Self::ChangeBranch,
        Self::RemoveField,
        Self::FlipStatic,
        Self::MoveUp,
        Self::MoveDown,
        Self::RemoveClass,
        Self::AddClass,
        Self::Reorder,
    ];

    /// Whether the edit changes nothing that any test can see.
    #[must_use]
    pub const fn is_harmless(self) -> bool {
        matches!(self, Self::AddClass | Self::Reorder)
    }
}

/// A revision and the edit that made it; none if the edit finds no place.
pub fn revision(chance: &mut Chance, program: &Program, touched: ClassSet) -> Option<(Program, Edit)> {
    let edit = *chance.pick(&Edit::ALL)?;
    let revision = apply(chance, program, touched, edit)?;
    (revision != *program).then_some((revision, edit))
}

/// Makes an edit of a kind.
pub fn apply(chance: &mut Chance, program: &Program, touched: ClassSet, edit: Edit) -> Option<Program> {
    match edit {
        Edit::NextProgram => return Some(generate::program(chance)),
        Edit::AddClass => return add_class(program),
        Edit::RemoveClass => return remove_class(chance, program, touched),
        Edit::Reorder => return Some(Program { classes: program.classes.iter().rev().cloned().collect() }),
        Edit::MoveUp | Edit::MoveDown => return move_method(chance, program, edit == Edit::MoveUp),
        _ => {}
    }
    let (name, class) = choose(chance, program, touched)?;
    let mut class = Class::clone(&class);
    let changed = match edit {
        Edit::AddExtends => {
            class.superclass = chance.pick(&program.classes)?.0;
            Some(())
        }
        Edit::RemoveExtends => {
            class.superclass = ClassName::OBJECT;
            Some(())
        }
        Edit::CopyField | Edit::CopyFieldAndReplace => copy_field(chance, name, &mut class, edit),
        Edit::CopyMethod | Edit::CopyMethodAndReplace => copy_method(chance, program, &mut class, edit),
        Edit::RemoveMethod => remove_method(chance, &mut class),
        Edit::RemoveField => {
            let at = chance.below(class.fields.len());
            (at < class.fields.len()).then(|| _ = class.fields.remove(at))
        }
        Edit::FlipStatic => flip_static(chance, &mut class),
        _ => change_body(chance, program, name, &mut class, edit),
    };
    changed.map(|()| program.with_changed(name, class))
}

/// A class, half of the time one that the test touched.
fn choose(chance: &mut Chance, program: &Program, touched: ClassSet) -> Option<(ClassName, Arc<Class>)> {
    let aimed = chance.percent(50);
    let of_test: Vec<_> =
        program.classes.iter().filter(|(name, _)| !aimed || touched.contains(*name)).cloned().collect();
    chance.pick(&of_test).or_else(|| program.classes.first()).cloned()
}

fn add_class(program: &Program) -> Option<Program> {
    let free = (30..40).filter_map(ClassName::of_program).find(|name| !program.names().contains(*name))?;
    let mut revision = program.clone();
    revision.classes.push((free, Arc::new(Class::empty(ClassName::OBJECT))));
    Some(revision)
}

fn remove_class(chance: &mut Chance, program: &Program, touched: ClassSet) -> Option<Program> {
    let (name, _) = choose(chance, program, touched)?;
    let mut revision = program.clone();
    revision.classes.retain(|(other, _)| *other != name);
    Some(revision)
}

fn move_method(chance: &mut Chance, program: &Program, is_up: bool) -> Option<Program> {
    let below: Vec<_> =
        program.classes.iter().filter(|(_, class)| program.names().contains(class.superclass)).collect();
    let (name, class) = *chance.pick(&below)?;
    let above = program.class(class.superclass)?;
    let (from, to) = if is_up {
        ((*name, class), (class.superclass, above))
    } else {
        ((class.superclass, above), (*name, class))
    };
    let (mut from_class, mut to_class) = (Class::clone(from.1), Class::clone(to.1));
    let movable: Vec<MethodName> = from_class.methods.iter().map(|method| method.name).collect();
    let movable: Vec<_> = movable.into_iter().filter(|method| to_class.method(*method).is_none()).collect();
    let moved = *chance.pick(&movable)?;
    to_class.methods.extend(from_class.method(moved).cloned());
    from_class.methods.retain(|method| method.name != moved);
    Some(program.with_changed(from.0, from_class).with_changed(to.0, to_class))
}

fn copy_field(chance: &mut Chance, name: ClassName, class: &mut Class, edit: Edit) -> Option<()> {
    let with_value = edit == Edit::CopyFieldAndReplace;
    let number = if with_value { 0 } else { chance.below(usize::from(FIELDS)) as u8 };
    let field = generate::field(number);
    if class.field(field.name).is_some() {
        return None;
    }
    class.fields.push(field);
    if with_value {
        let value = Value::Integer(5 + chance.below(3) as i32);
        let put = Instruction::Putstatic { class: name, field: field.name, declared_in: name };
        let body = body_mut(class, MethodName::CLINIT)?;
        bodies::insert(body, 0, &[Instruction::Push(value), put]);
    }
    Some(())
}

fn body_mut(class: &mut Class, name: MethodName) -> Option<&mut Body> {
    Some(&mut class.methods.iter_mut().find(|method| method.name == name)?.body)
}

fn copy_method(chance: &mut Chance, program: &Program, class: &mut Class, edit: Edit) -> Option<()> {
    let number = chance.below(usize::from(METHODS)) as u8;
    let name = MethodName::numbered(number);
    let others: Vec<_> = program.classes.iter().filter_map(|(_, other)| other.method(name)).collect();
    let mut copy = (*chance.pick(&others)?).clone();
    if class.method(name).is_some() {
        return None;
    }
    if edit == Edit::CopyMethodAndReplace {
        bodies::increase_constants(&mut copy.body)?;
    }
    class.methods.push(copy);
    Some(())
}

fn remove_method(chance: &mut Chance, class: &mut Class) -> Option<()> {
    let at = chance.below(class.methods.len());
    let is_removable = class.methods.get(at).is_some_and(|method| method.name != MethodName::CLINIT);
    is_removable.then(|| drop(class.methods.remove(at)))
}

fn flip_static(chance: &mut Chance, class: &mut Class) -> Option<()> {
    if chance.percent(50) {
        let at = chance.below(class.fields.len());
        let field = class.fields.get_mut(at)?;
        field.is_static = !field.is_static;
    } else {
        let at = chance.below(class.methods.len());
        let method = class.methods.get_mut(at).filter(|method| method.name != MethodName::CLINIT)?;
        method.signature.is_static = !method.signature.is_static;
    }
    Some(())
}

fn change_body(
    chance: &mut Chance,
    program: &Program,
    name: ClassName,
    class: &mut Class,
    edit: Edit,
) -> Option<()> {
    let of_initialiser = matches!(edit, Edit::InitialiserThrows | Edit::InitialiserDoesNothing);
    let at = if of_initialiser {
        class.methods.iter().position(|method| method.name == MethodName::CLINIT)?
    } else {
        chance.below(class.methods.len())
    };
    let method = class.methods.get_mut(at)?;
    match edit {
        Edit::InitialiserThrows => {
            method.body = bodies::throwing(chance, program);
            Some(())
        }
        Edit::InitialiserDoesNothing => {
            method.body = Body::trivial();
            Some(())
        }
        Edit::NewBody => {
            method.body = generate::body(chance, program, name, method);
            Some(())
        }
        Edit::IncreaseConstants => bodies::increase_constants(&mut method.body),
        Edit::ChangeConstant => bodies::change_constant(chance, &mut method.body),
        Edit::InsertNothing => bodies::insert_nothing(chance, &mut method.body),
        Edit::ChangeCatch => bodies::change_catch(chance, program, &mut method.body),
        Edit::RemoveCatch => {
            let at = chance.below(method.body.handlers.len());
            (at < method.body.handlers.len()).then(|| _ = method.body.handlers.remove(at))
        }
        _ => bodies::change_branch(chance, &mut method.body),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linked::Linked;
    use crate::typing;
    use std::collections::BTreeMap;

    #[test]
    fn every_kind_of_edit_finds_places_and_some_are_well_formed() {
        let mut counts: BTreeMap<Edit, (u32, u32)> = BTreeMap::new();
        for task in 0..4_000 {
            let mut chance = Chance::of_task(11, task);
            let program = generate::program(&mut chance);
            let touched = program.names();
            if let Some((revision, edit)) = revision(&mut chance, &program, touched) {
                let count = counts.entry(edit).or_default();
                count.0 += 1;
                count.1 += u32::from(typing::check(&revision, &Linked::new(&revision)).is_ok());
                assert_eq!(edit == Edit::Reorder, program.changed(&revision).is_empty(), "{edit:?}");
            }
        }
        for edit in Edit::ALL {
            let (made, good) = counts.get(&edit).copied().unwrap_or_default();
            assert!(made > 10, "{edit:?} was made {made} times");
            assert!(good > 0, "{edit:?} gave no well-formed program out of {made}");
        }
        let bad: u32 = counts.values().map(|(made, good)| made - good).sum();
        assert!(bad > 300, "only {bad} programs are broken");
    }

    #[test]
    fn inserting_nothing_changes_nothing_but_places() {
        let instructions = vec![Instruction::IfFalse(2), Instruction::Goto(-1), Instruction::Return];
        let mut body = Body { max_stack: 1, locals: 0, instructions, handlers: Vec::new() };
        bodies::insert(&mut body, 1, &[Instruction::Pop, Instruction::Pop]);
        let wanted = [
            Instruction::IfFalse(4),
            Instruction::Pop,
            Instruction::Pop,
            Instruction::Goto(-3),
            Instruction::Return,
        ];
        assert_eq!(body.instructions, wanted);
    }
}
