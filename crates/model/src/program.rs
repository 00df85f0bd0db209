//! What a program is: classes with fields and methods, and bodies of eighteen instructions.
//!
//! A program is a list of classes in which the first of a name counts. Behind the list come the classes that every program
//! has, so a program may hide them. Two revisions differ in a class if the class looked up differs in anything at all.

use std::sync::{Arc, LazyLock};

use crate::names::{ClassName, ClassSet, FieldName, MethodName, STANDARD};

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Type {
    /// The type of the one value that methods without a result give.
    Void,
    /// True or false.
    Boolean,
    /// Whole numbers.
    Integer,
    /// The type of the null reference.
    Null,
    /// References to objects of a class.
    Class(ClassName),
}

impl Type {
    /// Whether values of it are references.
    #[must_use]
    pub const fn is_reference(self) -> bool {
        matches!(self, Self::Null | Self::Class(_))
    }

    /// What a field of the type has before anything was stored.
    #[must_use]
    pub const fn default_value(self) -> Value {
        match self {
            Self::Void => Value::Unit,
            Self::Boolean => Value::Boolean(false),
            Self::Integer => Value::Integer(0),
            Self::Null | Self::Class(_) => Value::Null,
        }
    }
}

/// The place of an object.
pub type Address = u32;

/// A value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// What methods without a result give.
    Unit,
    /// The null reference.
    Null,
    /// True or false.
    Boolean(bool),
    /// A number. The theory's numbers have no bounds; these wrap around as the JVM's do.
    Integer(i32),
    /// A reference to an object.
    Address(Address),
    /// What is in a local variable before anything was stored.
    Undefined,
}

/// An instruction. Branches are relative to the instruction that branches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the operands are those of the JVM's instruction of the same name")]
pub enum Instruction {
    /// Pushes a local variable.
    Load(u8),
    /// Pops into a local variable.
    Store(u8),
    /// Pushes a constant.
    Push(Value),
    /// Makes an object.
    New(ClassName),
    /// Replaces an object by its field; the class is the one that declares it.
    Getfield { field: FieldName, class: ClassName },
    /// Stores into a field of an object.
    Putfield { field: FieldName, class: ClassName },
    /// Pushes a static field; `class` is named, `declared_in` declares it.
    Getstatic { class: ClassName, field: FieldName, declared_in: ClassName },
    /// Pops into a static field.
    Putstatic { class: ClassName, field: FieldName, declared_in: ClassName },
    /// Throws unless the object is of the class.
    Checkcast(ClassName),
    /// Calls a method of the object below the arguments.
    Invoke { method: MethodName, arguments: u8 },
    /// Calls a static method.
    Invokestatic { class: ClassName, method: MethodName, arguments: u8 },
    /// Leaves the method with the value on top.
    Return,
    /// Drops a value.
    Pop,
    /// Adds two numbers.
    Add,
    /// Jumps.
    Goto(i16),
    /// Pushes whether two values are equal.
    Equal,
    /// Jumps if the value on top is false.
    IfFalse(i16),
    /// Throws the object on top.
    Throw,
}

/// An entry of an exception table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Handler {
    /// The first instruction that it protects.
    pub start: u16,
    /// The first instruction behind those.
    pub end: u16,
    /// What it catches.
    pub class: ClassName,
    /// Where it leads.
    pub target: u16,
    /// How many values of the operand stack are kept, counted from the bottom.
    pub depth: u8,
}

impl Handler {
    /// Whether it protects an instruction.
    #[must_use]
    pub const fn covers(&self, at: u16) -> bool {
        self.start <= at && at < self.end
    }
}

/// What a method does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Body {
    /// The greatest height of the operand stack.
    pub max_stack: u8,
    /// The number of local variables behind the parameters.
    pub locals: u8,
    /// The instructions.
    pub instructions: Vec<Instruction>,
    /// The exception table.
    pub handlers: Vec<Handler>,
}

impl Body {
    /// The body that does nothing and gives nothing.
    #[must_use]
    pub fn trivial() -> Self {
        let instructions = vec![Instruction::Push(Value::Unit), Instruction::Return];
        Self { max_stack: 1, locals: 0, instructions, handlers: Vec::new() }
    }

    /// Whether it does nothing and gives nothing.
    #[must_use]
    pub fn is_trivial(&self) -> bool {
        matches!(self.instructions.as_slice(), [Instruction::Push(Value::Unit), Instruction::Return])
            && self.handlers.is_empty()
    }
}

/// What can be seen of a method without its body.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Signature {
    /// Whether it belongs to the class and not to objects.
    pub is_static: bool,
    /// The types of the parameters.
    pub parameters: Vec<Type>,
    /// The type of the result.
    pub result: Type,
}

/// A method.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Method {
    /// The name, by which alone it is looked up.
    pub name: MethodName,
    /// What can be seen without the body.
    pub signature: Signature,
    /// The body.
    pub body: Body,
}

impl Method {
    /// An initialiser with this body.
    #[must_use]
    pub fn initialiser(body: Body) -> Self {
        Self::without_result(MethodName::CLINIT, body)
    }

    /// A static method without parameters and result.
    #[must_use]
    pub fn without_result(name: MethodName, body: Body) -> Self {
        Self {
            name,
            signature: Signature { is_static: true, parameters: Vec::new(), result: Type::Void },
            body,
        }
    }

    /// How many values a call takes from the stack.
    #[must_use]
    pub fn operands(&self) -> usize {
        self.signature.parameters.len() + usize::from(!self.signature.is_static)
    }
}

/// A field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    /// The name, by which alone it is looked up.
    pub name: FieldName,
    /// Whether it belongs to the class and not to objects.
    pub is_static: bool,
    /// Its type.
    pub kind: Type,
}

/// A class, without its name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Class {
    /// The superclass; of no meaning for `Object`.
    pub superclass: ClassName,
    /// The fields.
    pub fields: Vec<Field>,
    /// The methods.
    pub methods: Vec<Method>,
}

impl Class {
    /// A class that has nothing but an initialiser that does nothing.
    #[must_use]
    pub fn empty(superclass: ClassName) -> Self {
        Self { superclass, fields: Vec::new(), methods: vec![Method::initialiser(Body::trivial())] }
    }

    /// The method of a name that it declares.
    #[must_use]
    pub fn method(&self, name: MethodName) -> Option<&Method> {
        self.methods.iter().find(|method| method.name == name)
    }

    /// The field of a name that it declares.
    #[must_use]
    pub fn field(&self, name: FieldName) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// A test class whose test is this body.
    #[must_use]
    pub fn test(body: Body) -> Self {
        let mut class = Self::empty(ClassName::OBJECT);
        class.methods.push(Method::without_result(MethodName::MAIN, body));
        class
    }
}

/// A program: its classes, without those that every program has.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Program {
    /// The classes; the first of a name counts.
    pub classes: Vec<(ClassName, Arc<Class>)>,
}

static STANDARD_CLASSES: LazyLock<Vec<Arc<Class>>> =
    LazyLock::new(|| STANDARD.iter().map(|(_, superclass)| Arc::new(Class::empty(*superclass))).collect());

/// The classes that every program has.
pub(crate) fn standard_classes() -> impl Iterator<Item = (ClassName, &'static Arc<Class>)> {
    ClassName::all().zip(STANDARD_CLASSES.iter())
}

impl Program {
    /// The class of a name.
    #[must_use]
    pub fn class(&self, name: ClassName) -> Option<&Arc<Class>> {
        let own = self.classes.iter().find(|(other, _)| *other == name).map(|(_, class)| class);
        own.or_else(|| STANDARD_CLASSES.get(name.index()))
    }

    /// The program with a class in front of all others.
    #[must_use]
    pub fn with(&self, name: ClassName, class: Arc<Class>) -> Self {
        let mut classes = Vec::with_capacity(self.classes.len() + 2);
        classes.push((name, class));
        classes.extend(self.classes.iter().cloned());
        Self { classes }
    }

    /// The program in which one class is another; none is added or taken away.
    #[must_use]
    pub fn with_changed(&self, name: ClassName, class: Class) -> Self {
        let mut program = self.clone();
        if let Some(place) = program.classes.iter_mut().find(|(other, _)| *other == name) {
            place.1 = Arc::new(class);
        }
        program
    }

    /// The names of the classes whose definition differs, those among them that only one of the two has.
    #[must_use]
    pub fn changed(&self, other: &Self) -> ClassSet {
        let names = self.classes.iter().chain(&other.classes).map(|(name, _)| *name);
        names.filter(|name| !same(self.class(*name), other.class(*name))).collect()
    }

    /// The names of its own classes.
    #[must_use]
    pub fn names(&self) -> ClassSet {
        self.classes.iter().map(|(name, _)| *name).collect()
    }
}

fn same(one: Option<&Arc<Class>>, two: Option<&Arc<Class>>) -> bool {
    match (one, two) {
        (Some(one), Some(two)) => Arc::ptr_eq(one, two) || one == two,
        (None, None) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_class_of_a_name_counts_and_standard_ones_are_there() {
        let name = ClassName::wrapped(0);
        let first = Arc::new(Class::empty(ClassName::ERROR));
        let program = Program { classes: vec![(name, Arc::new(Class::empty(ClassName::OBJECT)))] };
        let both = program.with(name, Arc::clone(&first));
        assert_eq!(both.class(name), Some(&first));
        assert_eq!(
            both.class(ClassName::NO_SUCH_FIELD).map(|class| class.superclass),
            Some(ClassName::INCOMPATIBLE)
        );
        assert_eq!(both.class(ClassName::TEST), None);
        assert_eq!(program.changed(&both), ClassSet::of(name));
    }

    #[test]
    fn order_is_no_change_and_absence_is_one() {
        let [a, b] = [0, 1].map(ClassName::wrapped);
        let class = || Arc::new(Class::empty(ClassName::OBJECT));
        let program = Program { classes: vec![(a, class()), (b, class())] };
        let other = Program { classes: vec![(b, class()), (a, class())] };
        assert!(program.changed(&other).is_empty());
        let smaller = Program { classes: vec![(b, class())] };
        assert_eq!(program.changed(&smaller), ClassSet::of(a));
        assert_eq!(smaller.changed(&program), ClassSet::of(a));
    }

    #[test]
    fn a_program_may_hide_a_standard_class() {
        let hiding = Program::default().with(ClassName::OBJECT, Arc::new(Class::test(Body::trivial())));
        assert_eq!(Program::default().changed(&hiding), ClassSet::of(ClassName::OBJECT));
    }
}
