//! Threads from start to end: the flags they poll, their limits, their panics, and who
//! watches them.

mod catch;
mod control;
mod counters;
mod limits;
mod processor_clock;
mod team;
mod watch;

pub(crate) use catch::{catch_panic, panic_message};
pub(crate) use control::{Control, WhenFull};
pub use counters::Counters;
pub(crate) use counters::{Counted, Event, count};
pub(crate) use limits::Limits;
pub(crate) use processor_clock::ThreadClock;
#[cfg(all(test, not(loom)))]
pub(crate) use team::UNTIL_REFUSED;
pub(crate) use team::{run_team, spawn_coordinator};
pub use watch::Watcher;
pub(crate) use watch::{Presence, Watched, join};
