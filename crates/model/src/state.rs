//! What the machine knows at one moment: objects, frames, static fields and how far classes are initialised.
//!
//! States are compared as wholes, so everything in them is kept in one order: two states that mean the same are equal. An end
//! state has no frames, and so no places in bodies: that is why end states of two revisions can be compared at all.

use crate::linked::{Linked, SYSTEM_EXCEPTIONS};
use crate::names::{ClassName, FieldName, MethodName};
use crate::program::{Address, Value};

/// An object.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Object {
    /// Its class.
    pub class: ClassName,
    /// Its fields by the class that declares them, in order.
    pub fields: Vec<(ClassName, FieldName, Value)>,
}

/// How far a class is initialised. It only ever moves forward.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// It has its static fields.
    Prepared,
    /// Its initialisation has begun.
    Processing,
    /// It is initialised.
    Done,
    /// Its initialisation failed.
    Error,
}

/// A class as far as it is in use.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StaticPart {
    /// The class.
    pub class: ClassName,
    /// How far it is initialised.
    pub status: Status,
    /// Its static fields, in order.
    pub fields: Vec<(FieldName, Value)>,
}

/// Where a frame is in initialising a class. The last class of a list comes first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Initialisation {
    /// Nowhere.
    None,
    /// On the way up: a class is to be looked at, and those below it wait.
    Calling(ClassName, Vec<ClassName>),
    /// On the way down: the initialisers of these classes are to be run.
    Called(Vec<ClassName>),
    /// An exception ends it: these classes have failed.
    Throwing(Vec<ClassName>, Address),
}

/// A call.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Frame {
    /// The operand stack; the last is on top.
    pub stack: Vec<Value>,
    /// The local variables, `this` and the parameters first.
    pub locals: Vec<Value>,
    /// The class that declares the method.
    pub class: ClassName,
    /// The method.
    pub method: MethodName,
    /// The number of the next instruction.
    pub at: u16,
    /// Where it is in initialising a class.
    pub initialisation: Initialisation,
}

/// A state of the machine.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// The exception that ended the run, if one did.
    pub thrown: Option<Address>,
    /// The objects; the place of one is its address.
    pub heap: Vec<Object>,
    /// The calls; the last is the running one.
    pub frames: Vec<Frame>,
    /// The classes in use, in the order of their names.
    pub statics: Vec<StaticPart>,
}

impl State {
    /// The state in which a test starts: the system exceptions are there, and one frame that calls the test.
    #[must_use]
    pub fn start(program: &Linked<'_>) -> Self {
        let heap = SYSTEM_EXCEPTIONS
            .iter()
            .map(|class| Object { class: *class, fields: program.blank(*class).unwrap_or_default() })
            .collect();
        let start = StaticPart { class: ClassName::START, status: Status::Done, fields: Vec::new() };
        Self { thrown: None, heap, frames: vec![start_frame()], statics: vec![start] }
    }

    /// The state in which another test starts in the same machine. Its class is another one, though all have one name.
    #[must_use]
    pub fn start_again(mut self) -> Self {
        self.thrown = None;
        self.statics.retain(|part| part.class != ClassName::TEST);
        self.frames = vec![start_frame()];
        self
    }

    /// Whether the run is over.
    #[must_use]
    pub fn is_end(&self) -> bool {
        self.frames.is_empty() || self.thrown.is_some()
    }

    /// A class as far as it is in use.
    #[must_use]
    pub fn static_part(&self, class: ClassName) -> Option<&StaticPart> {
        let at = self.statics.binary_search_by_key(&class, |part| part.class).ok()?;
        self.statics.get(at)
    }

    /// As [`Self::static_part`], to be changed.
    pub(crate) fn static_part_mut(&mut self, class: ClassName) -> Option<&mut StaticPart> {
        let at = self.statics.binary_search_by_key(&class, |part| part.class).ok()?;
        self.statics.get_mut(at)
    }

    /// How far a class is initialised, if it is in use at all.
    #[must_use]
    pub fn status(&self, class: ClassName) -> Option<Status> {
        Some(self.static_part(class)?.status)
    }

    /// Puts a class into use.
    pub(crate) fn prepare(&mut self, class: ClassName, fields: Vec<(FieldName, Value)>) {
        if let Err(at) = self.statics.binary_search_by_key(&class, |part| part.class) {
            self.statics.insert(at, StaticPart { class, status: Status::Prepared, fields });
        }
    }

    /// An object.
    #[must_use]
    pub fn object(&self, address: Address) -> Option<&Object> {
        self.heap.get(usize::try_from(address).ok()?)
    }

    /// Makes an object at the least free address.
    pub(crate) fn allocate(&mut self, object: Object) -> Address {
        let address = Address::try_from(self.heap.len()).unwrap_or(Address::MAX);
        self.heap.push(object);
        address
    }
}

fn start_frame() -> Frame {
    Frame {
        stack: Vec::new(),
        locals: Vec::new(),
        class: ClassName::START,
        method: MethodName::START,
        at: 0,
        initialisation: Initialisation::None,
    }
}

/// The address of the object of a system exception.
#[must_use]
pub fn system_exception(class: ClassName) -> Option<Address> {
    let place = SYSTEM_EXCEPTIONS.iter().position(|other| *other == class)?;
    Address::try_from(place).ok()
}
