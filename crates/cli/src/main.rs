//! The `probity` command.

fn main() {}
