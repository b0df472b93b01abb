//! The machine's memory limits, columns of zeroed pages, and slots of lock-free tables.

mod machine;
mod pages;
mod slot;

pub use machine::machine_memory;
pub(crate) use machine::{MIN_MEMORY, memory_left, usual_memory};
#[cfg(any(test, loom))]
pub(crate) use pages::scarcity;
pub(crate) use pages::{Pages, Refused, Zeroed, leave_spare, prefetch, zeroed};
pub(crate) use slot::{Bucket, Slot};
