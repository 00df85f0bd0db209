//! One file per benchmark: its arguments, its variants, and the report that it returns as text.

pub(crate) mod agent;
pub(crate) mod classfile;
pub(crate) mod report;
pub(crate) mod store;
pub(crate) mod trace;
