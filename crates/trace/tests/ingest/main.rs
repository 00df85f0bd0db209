//! From recordings to traces, on made-up recordings of real classes.

mod closure;
mod made;
mod order;
mod spared;
mod surroundings;
