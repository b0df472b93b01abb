//! Memory: what the machine has, and columns of zeroed pages.

mod machine;
mod pages;

pub use machine::machine_memory;
pub(crate) use machine::{MIN_MEMORY, usual_memory};
#[cfg(any(test, loom))]
pub(crate) use pages::scarcity;
pub(crate) use pages::{Pages, Refused, Zeroed, leave_spare, zeroed};
