//! Which classes an agent may record although they need not be, and why.
//!
//! An agent sees what code names and where probes are, not what is on the stack, so it takes more than the smart set. This says how much more
//! is explained, from the program and its run alone: a class without a reason here was recorded by mistake.

use std::collections::BTreeMap;
use std::fmt;

use crate::levels::{BodyTrace, Trace};
use crate::linked::Linked;
use crate::names::{ClassName, ClassSet};
use crate::program::{Instruction, Method, Type};
use crate::typing::{self, HandlerFlow, Types};

/// Why a class may be recorded that need not be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Extra {
    /// An instruction that was begun names it and cannot initialise it: a cast, or a field or a method of an object.
    Operand,
    /// A handler of a body that was entered catches it.
    Caught,
    /// An instruction of a body that was entered names it, and was not reached.
    NotReached,
    /// Types of it meet others in a class that the JVM linked, and so it was loaded to verify that class.
    Verified,
    /// It is a superclass of a class that has one of the other reasons.
    Above,
}

impl Extra {
    /// All reasons; a class that has several is told with the first.
    pub const ALL: [Self; 5] = [Self::Operand, Self::Caught, Self::NotReached, Self::Verified, Self::Above];
}

impl fmt::Display for Extra {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Operand => "named by a cast, a field or a call",
            Self::Caught => "caught",
            Self::NotReached => "named and not reached",
            Self::Verified => "loaded to verify another",
            Self::Above => "above one of these",
        })
    }
}

/// The classes that may be recorded beyond those that must be, each with its first reason. `called` are those that the JVM links.
pub(super) fn extras(
    program: &Linked<'_>,
    trace: &Trace,
    called: ClassSet,
    smart: ClassSet,
) -> BTreeMap<ClassName, Extra> {
    let mut reasons = BTreeMap::new();
    let mut add = |class: ClassName, reason: Extra| {
        if !smart.contains(class) {
            let known = reasons.entry(class).or_insert(reason);
            *known = reason.min(*known);
        }
    };
    for ((class, name), of_body) in &trace.entered {
        if let Some(method) = program.class(*class).and_then(|class| class.method(*name)) {
            named_in(program, *class, method, of_body, &mut add);
        }
    }
    for class in called.iter() {
        for method in program.class(class).iter().flat_map(|class| &class.methods) {
            typing::compared(program, class, method).iter().for_each(|other| add(other, Extra::Verified));
        }
    }
    let named: Vec<ClassName> = reasons.keys().copied().collect();
    for above in named.into_iter().flat_map(|class| program.above(class).iter().collect::<Vec<_>>()) {
        if !smart.contains(above) {
            reasons.entry(above).or_insert(Extra::Above);
        }
    }
    reasons
}

/// The classes that a body names which was entered. What control can never reach is not written, so it names nothing.
fn named_in(
    program: &Linked<'_>,
    class: ClassName,
    method: &Method,
    of_body: &BodyTrace,
    add: &mut impl FnMut(ClassName, Extra),
) {
    let Ok(types) = typing::types(program, class, method, HandlerFlow::Everything) else { return };
    for ((instruction, types), at) in method.body.instructions.iter().zip(&types).zip(0_u16..) {
        let reason = if of_body.run.contains(&at) { Extra::Operand } else { Extra::NotReached };
        if let Some(class) = types.as_ref().and_then(|types| named(*instruction, types)) {
            add(class, reason);
        }
    }
    method.body.handlers.iter().for_each(|handler| add(handler.class, Extra::Caught));
}

/// The class that an instruction names when it is written.
fn named(instruction: Instruction, types: &Types) -> Option<ClassName> {
    use Instruction as I;
    match instruction {
        I::New(class)
        | I::Checkcast(class)
        | I::Getfield { class, .. }
        | I::Putfield { class, .. }
        | I::Getstatic { class, .. }
        | I::Putstatic { class, .. }
        | I::Invokestatic { class, .. } => Some(class),
        I::Invoke { arguments, .. } => match types.stack.iter().rev().nth(usize::from(arguments)) {
            Some(Type::Class(class)) => Some(*class),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::emit::expected;
    use crate::text::Case;

    const INITIALISER: &str = "static method clinit () void stack 1 locals 0\npush unit\nreturn\nend";

    const CODE: &str = "static method m0 () int stack 2 locals 0
        push null
        checkcast C2
        pop
        push true
        iffalse 3
        push 1
        return
        new C3
        pop
        push 2
        return
        pop
        push 3
        return
        catch 0 2 C4 at 11 keep 0
        end
        static method m1 () C6 stack 1 locals 0
        new C5
        return
        end";

    fn case() -> Case {
        let class = |name: &str, above: &str, code: &str| {
            format!("class {name} extends {above}\n{INITIALISER}\n{code}\nend\n")
        };
        let empty = [
            ("C1", "Object"),
            ("C2", "C1"),
            ("C3", "Object"),
            ("C4", "Error"),
            ("C5", "C6"),
            ("C6", "Object"),
        ];
        let empty: String =
            empty.iter().chain(&[("C7", "Object")]).map(|(name, above)| class(name, above, "")).collect();
        let main =
            "static method main () void stack 1 locals 0\ninvokestatic C0 m0 0\npop\npush unit\nreturn\nend";
        let text =
            format!("program\n{}{empty}test\n{}", class("C0", "Object", CODE), class("Test", "Object", main));
        Case::parse(&text).expect("is a case")
    }

    #[test]
    fn each_reason_is_found_and_a_class_that_nobody_names_has_none() {
        let case = case();
        let expected = expected(&case.program, case.tests.first().expect("has a test")).expect("it ends");
        assert_eq!(expected.smart.to_string(), "{Test, C0}");
        let found: Vec<String> =
            expected.extra.iter().map(|(class, reason)| format!("{class} {reason:?}")).collect();
        assert_eq!(
            found,
            ["C1 Above", "C2 Operand", "C3 NotReached", "C4 Caught", "C5 Verified", "C6 Verified"]
        );
    }
}
