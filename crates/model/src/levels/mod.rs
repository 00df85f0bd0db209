//! Traces at the levels of Probity's own selection, and when a trace still holds.
//!
//! What is recorded is what an agent can record: the classes named by instructions that may initialise, which instructions of
//! which bodies were run, which way control went from one to the next, and where an exception went through. Everything else, such as superclasses, comes
//! from the program that was run. A trace holds in another program if everything that it says would be so there too, at the level of
//! detail that is chosen. More in a trace can only make it hold less often.

mod recorder;
mod walk;

use std::collections::{BTreeMap, BTreeSet};

use crate::collectors::{Collector, named_class};
use crate::linked::Linked;
use crate::names::{ClassName, ClassSet, FieldName, MethodName};
use crate::program::{Class, Instruction, Program};

pub use recorder::Recorder;

/// How much detail decides whether a trace holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Level {
    /// Every touched class is the same.
    Class,
    /// Every touched class has the same structure, and every entered body is the same.
    Method,
    /// As `Method`, but methods count only if code that was run names them.
    MethodByUse,
    /// As `MethodByUse`, but of a body only what was run counts.
    Edge,
    /// Broken: bodies that were entered, without structure.
    BodiesOnly,
    /// Broken: as `Edge`, but exceptions that go through a body are forgotten.
    EdgeWithoutExceptions,
    /// Broken: as `MethodByUse`, but a class that has no member of a used name may get one.
    WithoutAbsence,
}

impl Level {
    /// All levels.
    pub const ALL: [Self; 7] = [
        Self::Class,
        Self::Method,
        Self::MethodByUse,
        Self::Edge,
        Self::BodiesOnly,
        Self::EdgeWithoutExceptions,
        Self::WithoutAbsence,
    ];

    /// Those that must never be wrong.
    pub const SAFE: [Self; 4] = [Self::Class, Self::Method, Self::MethodByUse, Self::Edge];

    /// Whether it must never be wrong.
    #[must_use]
    pub fn is_safe(self) -> bool {
        Self::SAFE.contains(&self)
    }

    /// A short name for tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Class => "level-class",
            Self::Method => "level-method",
            Self::MethodByUse => "level-method-by-use",
            Self::Edge => "level-edge",
            Self::BodiesOnly => "bodies-only",
            Self::EdgeWithoutExceptions => "edge-without-exceptions",
            Self::WithoutAbsence => "without-absence",
        }
    }
}

/// What was run of one body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BodyTrace {
    /// The instructions that were begun.
    pub run: BTreeSet<u16>,
    /// The ways that control went, by jumping or going on.
    pub ways: BTreeSet<(u16, u16)>,
    /// Where an exception came up, and where it was handled, if it was.
    pub exceptions: BTreeSet<(u16, Option<u16>)>,
}

/// What one test did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// The classes that were named where a class may be initialised, with all above them.
    pub touched: ClassSet,
    /// The bodies that were entered.
    pub entered: BTreeMap<(ClassName, MethodName), BodyTrace>,
}

impl Trace {
    /// Whether the trace, recorded in one program, holds in another at a level. Both are given with the test.
    #[must_use]
    pub fn holds(&self, old: &Program, new: &Program, level: Level) -> bool {
        let changed = old.changed(new);
        if self.touched.intersection(changed).is_empty() {
            return true;
        }
        match level {
            Level::Class => false,
            Level::Method => {
                self.structures_hold(old, new, changed, same_structure) && self.bodies_hold(old, new, changed)
            }
            Level::MethodByUse => {
                let used = self.used(old);
                self.structures_hold(old, new, changed, |old, new| used.same(old, new, true))
                    && self.bodies_hold(old, new, changed)
            }
            Level::WithoutAbsence => {
                let used = self.used(old);
                self.structures_hold(old, new, changed, |old, new| used.same(old, new, false))
                    && self.bodies_hold(old, new, changed)
            }
            Level::BodiesOnly => self.bodies_hold(old, new, changed),
            Level::Edge | Level::EdgeWithoutExceptions => {
                let used = self.used(old);
                let with_exceptions = level == Level::Edge;
                self.structures_hold(old, new, changed, |old, new| used.same(old, new, true))
                    && self.changed_bodies(old, new, changed).all(|(trace, old, new)| match (old, new) {
                        (Some(old), Some(new)) => walk::holds(trace, &old.body, &new.body, with_exceptions),
                        _ => false,
                    })
            }
        }
    }

    fn structures_hold(
        &self,
        old: &Program,
        new: &Program,
        changed: ClassSet,
        same: impl Fn(&Class, &Class) -> bool,
    ) -> bool {
        self.touched.intersection(changed).iter().all(|name| match (old.class(name), new.class(name)) {
            (Some(old), Some(new)) => same(old, new),
            (None, None) => true,
            _ => false,
        })
    }

    /// The entered bodies of changed classes, as they were and as they are.
    fn changed_bodies<'t>(
        &'t self,
        old: &'t Program,
        new: &'t Program,
        changed: ClassSet,
    ) -> impl Iterator<
        Item = (&'t BodyTrace, Option<&'t crate::program::Method>, Option<&'t crate::program::Method>),
    > {
        let of_changed = self.entered.iter().filter(move |((class, _), _)| changed.contains(*class));
        of_changed.map(move |((class, method), trace)| {
            let find = |program: &'t Program| program.class(*class).and_then(|class| class.method(*method));
            (trace, find(old), find(new))
        })
    }

    fn bodies_hold(&self, old: &Program, new: &Program, changed: ClassSet) -> bool {
        self.changed_bodies(old, new, changed).all(|(_, old, new)| match (old, new) {
            (Some(old), Some(new)) => old.body == new.body,
            _ => false,
        })
    }

    /// The instructions that were begun.
    fn instructions<'p>(&self, program: &'p Program) -> impl Iterator<Item = Instruction> + use<'_, 'p> {
        self.entered.iter().flat_map(|((class, method), trace)| {
            let body =
                program.class(*class).and_then(|class| class.method(*method)).map(|method| &method.body);
            let run = trace.run.iter();
            run.filter_map(move |at| body?.instructions.get(usize::from(*at)).copied())
        })
    }

    /// The methods that code that was run names, and initialisers.
    fn used(&self, program: &Program) -> Used {
        let called = self.instructions(program).filter_map(|instruction| match instruction {
            Instruction::Invoke { method, .. } | Instruction::Invokestatic { method, .. } => Some(method),
            _ => None,
        });
        Used { methods: called.chain([MethodName::CLINIT]).collect() }
    }

    /// The classes that a trace touches, worked out from the bodies that were run, as a tool does that has no events.
    #[must_use]
    pub fn touched_by_bodies(&self, program: &Program, linked: &Linked<'_>) -> ClassSet {
        let named = self.instructions(program).filter_map(named_class);
        named.fold(Collector::Repaired.start(linked), |set, class| set.union(linked.above(class)))
    }
}

/// Whether two classes look the same without their bodies.
fn same_structure(old: &Class, new: &Class) -> bool {
    let members = |class: &Class| {
        let fields: BTreeMap<_, _> = class.fields.iter().map(|field| (field.name, *field)).collect();
        let methods: BTreeMap<_, _> =
            class.methods.iter().map(|method| (method.name, method.signature.clone())).collect();
        (fields, methods)
    };
    old.superclass == new.superclass && members(old) == members(new)
}

/// The methods that code that was run names, and initialisers.
struct Used {
    methods: BTreeSet<MethodName>,
}

impl Used {
    /// Whether two classes look the same to code that calls these methods, and have the same state.
    fn same(&self, old: &Class, new: &Class, counts_absence: bool) -> bool {
        let method = |class: &Class, name| class.method(name).map(|method| method.signature.clone());
        let same_methods = self.methods.iter().all(|name| {
            let before = method(old, *name);
            (before.is_none() && !counts_absence) || before == method(new, *name)
        });
        old.superclass == new.superclass && same_methods && state_of(old) == state_of(new)
    }
}

/// The fields that are in objects and classes, whether or not any code names them: they are in the states that are compared.
fn state_of(class: &Class) -> BTreeSet<(FieldName, bool, crate::program::Type)> {
    class.fields.iter().map(|field| (field.name, field.is_static, field.kind)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::{Selector, examine};
    use crate::text::Case;

    /// A test that calls `C0.m2(1)`, which branches, calls `C1.m0` in the branch that is taken, and has a handler for it.
    fn case(condition: &str, taken: &str, other: &str, more: &str) -> String {
        format!(
            "class C0 extends Object
              static method clinit () void stack 1 locals 0
                push unit
                return
              end
              static method m2 (int) int stack 2 locals 0
                load 0
                push {condition}
                equal
                iffalse 4
                {taken}
                goto 2
                {other}
                return
                pop
                push 7
                return
                catch 4 5 Error at 9 keep 0
              end
              {more}
            end
            class C1 extends Object
              static method clinit () void stack 1 locals 0
                push unit
                return
              end
              static method m0 () int stack 1 locals 0
                push 3
                return
              end
            end
            "
        )
    }

    const TAKEN: &str = "invokestatic C1 m0 0\n goto 1";
    const TEST: &str = "test
        class Test extends Object
          static method clinit () void stack 1 locals 0
            push unit
            return
          end
          static method main () void stack 1 locals 0
            push 1
            invokestatic C0 m2 1
            pop
            push unit
            return
          end
        end
        ";

    /// At which safe levels the test is skipped.
    fn skipped(revision: &str) -> Vec<Level> {
        let old = case("1", TAKEN, "push 5", "");
        let case = Case::parse(&format!("program\n{old}{TEST}revision\n{revision}")).expect("is a case");
        examine(&case, |exam| {
            assert!(exam.is_valid);
            let [revised] = exam.revisions.as_slice() else { panic!("there is one revision") };
            assert!(revised.is_valid, "the revision is not well-formed");
            Level::SAFE.into_iter().filter(|level| Selector::Level(*level).deselects(exam, revised)).collect()
        })
        .expect("ends")
    }

    #[test]
    fn a_change_of_what_was_not_run_matters_to_coarser_levels_only() {
        assert_eq!(skipped(&case("1", TAKEN, "push 6", "")), [Level::Edge]);
        assert_eq!(skipped(&case("1", TAKEN, "push 5", "")), Level::SAFE);
    }

    #[test]
    fn a_change_of_what_was_run_matters_to_all() {
        assert_eq!(skipped(&case("2", TAKEN, "push 5", "")), []);
    }

    #[test]
    fn a_new_method_matters_if_its_name_was_called() {
        let method =
            |name: &str| format!("static method {name} () int stack 1 locals 0\n push 1\n return\n end");
        let unused = case("1", TAKEN, "push 5", &method("m9"));
        assert_eq!(skipped(&unused), [Level::MethodByUse, Level::Edge]);
        let used = case("1", TAKEN, "push 5", &method("m0"));
        assert_eq!(skipped(&used), []);
    }
}
