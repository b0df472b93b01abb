//! The processor time of a thread.

#[cfg(all(feature = "cpu-time", not(target_family = "wasm")))]
pub(crate) use cpu_time::ThreadTime as ThreadClock;

/// Stands in for the clock in builds without the feature `cpu-time`; no value of this type exists.
#[cfg(not(all(feature = "cpu-time", not(target_family = "wasm"))))]
#[derive(Clone, Copy)]
pub(crate) enum ThreadClock {}

#[cfg(not(all(feature = "cpu-time", not(target_family = "wasm"))))]
impl ThreadClock {
    pub(crate) fn now() -> ThreadClock {
        unreachable!("no budget of processor time")
    }

    pub(crate) fn elapsed(&self) -> std::time::Duration {
        match *self {}
    }
}
