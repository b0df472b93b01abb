//! Processor time of one thread.

#[cfg(feature = "cpu-time")]
pub(crate) use cpu_time::ThreadTime as ThreadClock;

/// Nobody can ask for it.
#[cfg(not(feature = "cpu-time"))]
#[derive(Clone, Copy)]
pub(crate) enum ThreadClock {}

#[cfg(not(feature = "cpu-time"))]
impl ThreadClock {
    pub(crate) fn now() -> ThreadClock {
        unreachable!("no budget of processor time")
    }

    pub(crate) fn elapsed(&self) -> std::time::Duration {
        match *self {}
    }
}
