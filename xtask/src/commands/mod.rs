//! One file per command: its arguments and what it does.

pub(crate) mod bench;
pub(crate) mod compare;
pub(crate) mod corpus;
pub(crate) mod demo;
pub(crate) mod dist;
pub(crate) mod fetch;
pub(crate) mod fuzz;
pub(crate) mod kills;
pub(crate) mod model;
pub(crate) mod targets;
pub(crate) mod test;
pub(crate) mod tidy;
pub(crate) mod verify_rewrite;
