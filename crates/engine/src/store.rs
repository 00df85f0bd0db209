//! The store as the command sees it.
//!
//! The command does not use the store's crate itself: whatever it asks of a store it asks here, so that there is one place at which a store can
//! later be more than a folder. Nothing else may be added here; questions about traces are in [`traces`](crate::traces).

pub use probity_store::{Fact, Problem, Pruned, Retention, Store, StoreError, TraceView};
