//! Programs of the model as real class files, with what a real JVM should do with them.
//!
//! Every well-formed program whose handlers keep nothing and that throws nothing but throwables can be written. What a JVM should
//! show is known from the machine in HotSpot's dialect, and so is the set of classes that an agent must record: both come
//! with the classes. Standard classes are the JDK's. Nothing here starts a JVM.

mod class;
mod code;
mod extra;
mod pool;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use crate::collectors::Collector;
use crate::levels::Recorder;
use crate::linked::Linked;
use crate::names::{ClassName, ClassSet, MethodName};
use crate::observe::observe;
use crate::program::{Class, Program};
use crate::run::{NoEnd, run, test_program, with_test};
use crate::state::{Initialisation, State, Status};
use crate::step::Dialect;
use crate::typing::IllFormed;

pub use extra::Extra;

/// How classes are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// Whether they are of a version that needs stack maps.
    pub with_frames: bool,
    /// Whether initialisers that do nothing are written all the same; compilers leave them out.
    pub with_empty_initialisers: bool,
}

impl Form {
    /// All forms.
    pub const ALL: [Self; 4] = [
        Self { with_frames: false, with_empty_initialisers: false },
        Self { with_frames: true, with_empty_initialisers: false },
        Self { with_frames: false, with_empty_initialisers: true },
        Self { with_frames: true, with_empty_initialisers: true },
    ];
}

/// Why a program cannot be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotEmitted {
    /// It is not well-formed, or the JVM's verifier would not see that it is.
    Types(IllFormed),
    /// It does what no class file can say.
    Unsayable {
        /// The class.
        class: ClassName,
        /// What it does.
        what: &'static str,
    },
    /// The run has no end, so nothing can be expected of a JVM.
    NoEnd(NoEnd),
}

impl fmt::Display for NotEmitted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Types(wrong) => wrong.fmt(f),
            Self::Unsayable { class, what } => write!(f, "{class} {what}"),
            Self::NoEnd(reason) => write!(f, "the run has no end: {reason:?}"),
        }
    }
}

impl std::error::Error for NotEmitted {}

/// A class file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmittedClass {
    /// The name, which is the same for the JVM, without the package.
    pub name: ClassName,
    /// The class file.
    pub bytes: Vec<u8>,
}

/// What a JVM should do with a program and its test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    /// What can be seen when the test is over.
    pub observation: String,
    /// The classes whose initialisation failed.
    pub failed: Vec<ClassName>,
    /// The classes whose initialisation was called. HotSpot links exactly these.
    pub called: ClassSet,
    /// The classes of the program that must be recorded for the test.
    pub smart: ClassSet,
    /// The classes of the program beyond those that may be recorded, and why.
    pub extra: BTreeMap<ClassName, Extra>,
    /// The bodies that were entered, also those of initialisers that do nothing and may not be written.
    pub entered: BTreeSet<(ClassName, MethodName)>,
}

/// A program and its test as class files, in the order of their names.
///
/// # Errors
///
/// Fails when they cannot be written.
pub fn classes(program: &Program, test: &Arc<Class>, form: Form) -> Result<Vec<EmittedClass>, NotEmitted> {
    classes_in(program, test, form, "")
}

/// The same in a package, so that many programs can stand side by side. It is given with a slash behind it; without any it is the
/// package that has no name.
///
/// # Errors
///
/// Fails when they cannot be written.
pub fn classes_in(
    program: &Program,
    test: &Arc<Class>,
    form: Form,
    package: &str,
) -> Result<Vec<EmittedClass>, NotEmitted> {
    let whole = with_test(program, test);
    let linked = Linked::new(&whole);
    crate::typing::check(&whole, &linked).map_err(NotEmitted::Types)?;
    let emitted = whole.classes.iter().map(|(name, definition)| {
        let bytes = class::class_file(&linked, *name, definition, form, package)?;
        Ok(EmittedClass { name: *name, bytes })
    });
    let mut classes = emitted.collect::<Result<Vec<_>, _>>()?;
    classes.sort_by_key(|class| class.name);
    Ok(classes)
}

/// What a JVM should do with a program and its test.
///
/// # Errors
///
/// Fails when the run has no end.
pub fn expected(program: &Program, test: &Arc<Class>) -> Result<Expected, NotEmitted> {
    let whole = test_program(program, test);
    let linked = Linked::new(&whole);
    let (mut called, mut smart) = (ClassSet::EMPTY, ClassSet::EMPTY);
    let mut recorder = Recorder::new(&linked);
    let end = run(&linked, State::start(&linked), Dialect::HotSpot, |state| {
        recorder.see(state);
        smart = smart.union(Collector::Smart.collect(&linked, state));
        if let Some(Initialisation::Calling(class, _)) =
            state.frames.last().map(|frame| &frame.initialisation)
        {
            called = called.with(*class);
        }
    });
    let end = end.map_err(NotEmitted::NoEnd)?;
    let own = whole.names().without(ClassSet::of(ClassName::START));
    let failed = end.statics.iter().filter(|part| part.status == Status::Error && own.contains(part.class));
    let trace = recorder.finish(&end);
    let mut extra = extra::extras(&linked, &trace, called, smart);
    extra.retain(|class, _| own.contains(*class));
    Ok(Expected {
        observation: observe(&linked, &end),
        failed: failed.map(|part| part.class).collect(),
        called: called.intersection(own),
        smart: smart.intersection(own),
        extra,
        entered: trace.entered.into_keys().filter(|(class, _)| own.contains(*class)).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::subject;
    use crate::random::Chance;
    use probity_classfile::{ClassFile, reencode};

    #[test]
    fn every_generated_program_can_be_written_and_read() {
        for task in 0..300 {
            let subject = subject(&mut Chance::of_task(8, task));
            for form in Form::ALL {
                let classes =
                    classes_in(&subject.program, &subject.test, form, "some/").expect("can be written");
                assert_eq!(classes.len(), subject.program.classes.len() + 1);
                for class in classes {
                    let read = ClassFile::read(&class.bytes).expect("can be read");
                    assert_eq!(read.name().expect("has a name").to_text(), format!("some/{}", class.name));
                    assert_eq!(reencode(&read).expect("can be written again"), class.bytes);
                }
            }
        }
    }
}
