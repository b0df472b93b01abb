//! Wall-clock and processor time, side by side.

use cpu_time::ProcessTime;
use std::time::{Duration, Instant};

/// A running clock.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    wall: Instant,
    cpu: ProcessTime,
}

/// How long something took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Took {
    /// Time on the wall.
    pub wall: Duration,
    /// Time on the processors, of all threads of this process together. Other
    /// programs on the machine hardly change it, unlike the time on the wall.
    pub cpu: Duration,
}

impl Clock {
    /// Starts a clock.
    pub fn start() -> Clock {
        Clock { wall: Instant::now(), cpu: ProcessTime::now() }
    }

    /// What has passed since the start.
    pub fn took(&self) -> Took {
        Took { wall: self.wall.elapsed(), cpu: self.cpu.elapsed() }
    }
}
