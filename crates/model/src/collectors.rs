//! Which classes are collected at a step: by rules that are safe, by those of other tools, and by rules that are broken on purpose.
//!
//! A collector looks at the state before a step and at nothing else. What it collects on the way is united with what it starts
//! with. Those that are broken are there to be caught: a test that cannot tell them from the others tests nothing.

use crate::linked::Linked;
use crate::names::{ClassName, ClassSet, FieldName, MethodName};
use crate::program::{Instruction, Value};
use crate::state::{Frame, Initialisation, State, Status};

/// A way to collect classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Collector {
    /// Everything that can have an effect on the step.
    Naive,
    /// Classes whose initialisation is called, and those between the class named and the one that declares a static member.
    Smart,
    /// Ekstazi's set with the repair of the paper: before the four instructions that may initialise, the class and all above.
    Repaired,
    /// Ekstazi as it is published.
    Published,
    /// Ekstazi as it is coded: no writes of static fields, and reads recorded behind the access.
    Coded,
    /// Broken: smart without the classes between.
    WithoutBetween,
    /// Broken: smart, but a class is collected when its initialiser is entered.
    AtInitialiserEntry,
    /// Broken: smart without superclasses whose initialiser does nothing.
    WithoutEmptyInitialisers,
}

impl Collector {
    /// All collectors.
    pub const ALL: [Self; 8] = [
        Self::Naive,
        Self::Smart,
        Self::Repaired,
        Self::Published,
        Self::Coded,
        Self::WithoutBetween,
        Self::AtInitialiserEntry,
        Self::WithoutEmptyInitialisers,
    ];

    /// Those that must never be wrong.
    pub const SAFE: [Self; 3] = [Self::Naive, Self::Smart, Self::Repaired];

    /// A short name for tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Naive => "naive",
            Self::Smart => "smart",
            Self::Repaired => "repaired",
            Self::Published => "ekstazi-published",
            Self::Coded => "ekstazi-coded",
            Self::WithoutBetween => "without-between",
            Self::AtInitialiserEntry => "at-initialiser-entry",
            Self::WithoutEmptyInitialisers => "without-empty-initialisers",
        }
    }

    /// Whether it must never be wrong.
    #[must_use]
    pub fn is_safe(self) -> bool {
        Self::SAFE.contains(&self)
    }

    /// What it starts with.
    #[must_use]
    pub fn start(self, program: &Linked<'_>) -> ClassSet {
        match self {
            Self::Naive => ClassSet::EMPTY,
            _ => program.exceptions().with(ClassName::OBJECT).with(ClassName::START),
        }
    }

    /// What it collects at the step from a state.
    #[must_use]
    pub fn collect(self, program: &Linked<'_>, state: &State) -> ClassSet {
        let Some(frame) = state.frames.last().filter(|_| !state.is_end()) else { return ClassSet::EMPTY };
        let now = Now { program, state, frame };
        match self {
            Self::Naive => naive(&now),
            Self::Smart => smart(&now),
            Self::Repaired => now.named_class().map_or(ClassSet::EMPTY, |class| program.above(class)),
            Self::Published => published(&now),
            Self::Coded => coded(&now),
            Self::WithoutBetween => match frame.initialisation {
                Initialisation::Calling(class, _) => ClassSet::of(class),
                _ => match now.static_member() {
                    Some((class, None)) => program.above(class),
                    _ => ClassSet::EMPTY,
                },
            },
            Self::AtInitialiserEntry => match now.initialiser() {
                Some(class) => ClassSet::of(class),
                None => between(&now),
            },
            Self::WithoutEmptyInitialisers => match &frame.initialisation {
                Initialisation::Calling(class, below) if !below.is_empty() && !now.does_something(*class) => {
                    ClassSet::EMPTY
                }
                _ => smart(&now),
            },
        }
    }
}

/// A state that is not an end state.
struct Now<'a, 'p> {
    program: &'a Linked<'p>,
    state: &'a State,
    frame: &'a Frame,
}

impl Now<'_, '_> {
    /// The next instruction, if the frame is not busy with initialising classes.
    fn instruction(&self) -> Option<Instruction> {
        match &self.frame.initialisation {
            Initialisation::None => {}
            Initialisation::Called(waiting) if waiting.is_empty() => {}
            _ => return None,
        }
        let (_, method) = self.program.method(self.frame.class, self.frame.method)?;
        method.body.instructions.get(usize::from(self.frame.at)).copied()
    }

    /// The class that is named by an instruction that may initialise.
    fn named_class(&self) -> Option<ClassName> {
        named_class(self.instruction()?)
    }

    /// The class whose initialiser is about to be entered.
    fn initialiser(&self) -> Option<ClassName> {
        match &self.frame.initialisation {
            Initialisation::Called(waiting) => waiting.last().copied(),
            _ => None,
        }
    }

    /// Whether a class has an initialiser that a compiler would write down.
    fn does_something(&self, class: ClassName) -> bool {
        let method = self.program.class(class).and_then(|class| class.method(MethodName::CLINIT));
        method.is_some_and(|method| !method.body.is_trivial())
    }

    /// The class of an object so many places below the top of the stack.
    fn class_of_operand(&self, below: usize) -> Option<ClassName> {
        match self.frame.stack.iter().rev().nth(below)? {
            Value::Address(address) => Some(self.state.object(*address)?.class),
            _ => None,
        }
    }

    /// For an instruction about a static member: the class named and, if there is such a member, the class that declares it.
    fn static_member(&self) -> Option<(ClassName, Option<ClassName>)> {
        match self.instruction()? {
            Instruction::Getstatic { class, field, declared_in }
            | Instruction::Putstatic { class, field, declared_in } => {
                Some((class, self.static_field(class, field, declared_in)))
            }
            Instruction::Invokestatic { class, method, .. } => {
                let found =
                    self.program.method(class, method).filter(|(_, method)| method.signature.is_static);
                Some((class, found.map(|(owner, _)| owner)))
            }
            _ => None,
        }
    }

    fn static_field(&self, class: ClassName, field: FieldName, declared_in: ClassName) -> Option<ClassName> {
        self.program.field_in(class, field, declared_in).filter(|field| field.is_static).map(|_| declared_in)
    }

    /// Whether a check for initialisation of a class passes.
    fn passes(&self, class: ClassName) -> bool {
        matches!(&self.frame.initialisation, Initialisation::Called(waiting) if waiting.is_empty())
            || self.state.status(class) == Some(Status::Done)
    }
}

/// The class that is named by an instruction that may initialise.
#[must_use]
pub fn named_class(instruction: Instruction) -> Option<ClassName> {
    match instruction {
        Instruction::New(class)
        | Instruction::Getstatic { class, .. }
        | Instruction::Putstatic { class, .. }
        | Instruction::Invokestatic { class, .. } => Some(class),
        _ => None,
    }
}

fn naive(now: &Now<'_, '_>) -> ClassSet {
    let program = now.program;
    let of_frames = now.state.frames.iter().map(|frame| program.above(frame.class));
    let always = of_frames.fold(program.exceptions(), ClassSet::union);
    let above = |class: Option<ClassName>| class.map_or(ClassSet::EMPTY, |class| program.above(class));
    let of_step = match &now.frame.initialisation {
        Initialisation::Calling(class, _) => program.above(*class),
        Initialisation::Called(waiting) if !waiting.is_empty() => {
            let class = now.initialiser();
            let owner = class.and_then(|class| program.method(class, MethodName::CLINIT));
            above(class).union(above(owner.map(|(owner, _)| owner)))
        }
        Initialisation::Throwing(_, exception) => {
            above(now.state.object(*exception).map(|object| object.class))
        }
        Initialisation::None | Initialisation::Called(_) => match now.instruction() {
            Some(Instruction::Getfield { .. } | Instruction::Checkcast(_) | Instruction::Throw) => {
                above(now.class_of_operand(0))
            }
            Some(Instruction::Putfield { .. }) => above(now.class_of_operand(1)),
            Some(Instruction::Invoke { arguments, .. }) => {
                above(now.class_of_operand(usize::from(arguments)))
            }
            Some(instruction) => above(named_class(instruction)),
            None => ClassSet::EMPTY,
        },
    };
    always.union(of_step)
}

fn smart(now: &Now<'_, '_>) -> ClassSet {
    match now.frame.initialisation {
        Initialisation::Calling(class, _) => ClassSet::of(class),
        _ => between(now),
    }
}

/// The classes from the one named up to the one that declares a static member, without the latter; all if there is none.
fn between(now: &Now<'_, '_>) -> ClassSet {
    match now.static_member() {
        Some((class, Some(owner))) => now.program.between(class, owner).without(ClassSet::of(owner)),
        Some((class, None)) => now.program.above(class),
        None => ClassSet::EMPTY,
    }
}

fn published(now: &Now<'_, '_>) -> ClassSet {
    if let Some(class) = now.initialiser() {
        return ClassSet::of(class);
    }
    match now.instruction() {
        Some(Instruction::Getstatic { class, .. } | Instruction::Putstatic { class, .. }) => {
            ClassSet::of(class)
        }
        _ => entered(now),
    }
}

/// Constructors and static methods that are entered at the step.
fn entered(now: &Now<'_, '_>) -> ClassSet {
    match now.instruction() {
        Some(Instruction::New(class)) if now.passes(class) => now.program.above(class),
        Some(Instruction::Invokestatic { .. }) => match now.static_member() {
            Some((_, Some(owner))) if now.passes(owner) => ClassSet::of(owner),
            _ => ClassSet::EMPTY,
        },
        _ => ClassSet::EMPTY,
    }
}

fn coded(now: &Now<'_, '_>) -> ClassSet {
    if let Some(class) = now.initialiser() {
        return if now.does_something(class) { ClassSet::of(class) } else { ClassSet::EMPTY };
    }
    match (now.instruction(), now.static_member()) {
        (Some(Instruction::Putstatic { .. }), _) => ClassSet::EMPTY,
        (Some(Instruction::Getstatic { class, .. }), Some((_, Some(owner)))) => {
            if class != now.frame.class && now.passes(owner) { ClassSet::of(class) } else { ClassSet::EMPTY }
        }
        _ => entered(now),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::examine;
    use crate::text::Case;

    /// `C2` extends `C1` extends `C0`, which declares a static method; the test calls it by way of `C2`.
    const CASE: &str = "program
        class C0 extends Object
        static method clinit () void stack 1 locals 0
        push unit
        return
        end
        static method m0 () int stack 1 locals 0
        push 1
        return
        end
        end
        class C1 extends C0
        static method clinit () void stack 1 locals 0
        push unit
        return
        end
        end
        class C2 extends C1
        static method clinit () void stack 1 locals 0
        push unit
        return
        end
        end
        test
        class Test extends Object
        static method clinit () void stack 1 locals 0
        push unit
        return
        end
        static method main () void stack 1 locals 0
        invokestatic C2 m0 0
        pop
        push unit
        return
        end
        end";

    #[test]
    fn classes_between_are_collected_by_those_who_know() {
        let case = Case::parse(CASE).expect("is a case");
        let classes: ClassSet = (0..3).map(ClassName::wrapped).collect();
        let of_program =
            |collector| examine(&case, |exam| exam.set(collector).intersection(classes)).expect("ends");
        for collector in Collector::SAFE {
            assert_eq!(of_program(collector), classes, "{collector:?}");
        }
        let declaring = ClassSet::of(ClassName::wrapped(0));
        for collector in [Collector::Published, Collector::Coded, Collector::WithoutBetween] {
            assert_eq!(of_program(collector), declaring, "{collector:?}");
        }
    }

    #[test]
    fn names_are_their_own() {
        let names: std::collections::BTreeSet<&str> = Collector::ALL.iter().map(|one| one.name()).collect();
        assert_eq!(names.len(), Collector::ALL.len());
    }
}
