//! Traces: what each test unit used, while the JVM runs.
//!
//! Hits of probes and other facts go to whoever is responsible for them at the moment: the units that are running, the
//! initialisers that are running, or, if there is no unit, the JVM as a whole. What a unit used is written when the unit has ended.
//! Nothing here decides what a unit depends on; that is concluded later from what was written.
//!
//! - [`tracer`] is what the rest of the agent calls.
//! - [`sink`] collects hits and facts.
//! - [`classes`] numbers classes, [`facts`] numbers facts.
//! - [`units`] knows which units are running, and [`unit_name`] what they are called.
//! - [`hooks`] says which methods of the JDK and of test frameworks call the agent.
//! - [`recording`] is the file, and [`class_path_jar`] what is kept beside it.
//!
//! All of it is safe code that knows nothing of JNI. Whatever cannot be done is written down as a fact or leaves a unit
//! unfinished, and such a unit simply runs next time.

mod class_path_jar;
pub(crate) mod classes;
pub(crate) mod facts;
pub(crate) mod hooks;
pub(crate) mod recording;
pub(crate) mod sink;
pub(crate) mod tracer;
pub(crate) mod unit_name;
pub(crate) mod units;

pub(crate) use classes::NewClass;
pub(crate) use tracer::Tracer;
pub(crate) use units::{PLATFORM, Settings, Window, WindowKey};
