//! Starting and ending threads, the flags and limits that they check, their panics, and watchers.

mod catch;
mod control;
mod counters;
#[cfg(feature = "certificates")]
mod lanes;
mod limits;
mod processor_clock;
mod team;
mod watch;

pub(crate) use catch::catch_panic;
pub(crate) use control::{Control, WhenFull};
pub use counters::Counters;
pub(crate) use counters::{Counted, Event, count, count_many};
#[cfg(feature = "certificates")]
pub(crate) use lanes::in_order;
pub(crate) use limits::Limits;
pub(crate) use processor_clock::ThreadClock;
#[cfg(feature = "certificates")]
pub(crate) use team::has_threads;
pub(crate) use team::{Started, join, run_here, run_team, spawn_coordinator};
#[cfg(all(test, not(loom)))]
pub(crate) use team::{UNTIL_REFUSED, WITHOUT_THREADS};
pub use watch::Watcher;
pub(crate) use watch::{Presence, Watched};
