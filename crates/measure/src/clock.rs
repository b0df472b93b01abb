//! Wall-clock and processor time, side by side.

use cpu_time::ProcessTime;
use std::time::{Duration, Instant};

/// A running clock that measures wall-clock and processor time.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    wall: Instant,
    cpu: ProcessTime,
}

/// The duration of a measurement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Took {
    /// Wall-clock time.
    pub wall: Duration,
    /// Processor time of all threads of this process together. Other programs on the machine hardly
    /// affect it, unlike wall-clock time.
    pub cpu: Duration,
}

impl Clock {
    /// Starts a clock.
    pub fn start() -> Clock {
        Clock { wall: Instant::now(), cpu: ProcessTime::now() }
    }

    /// Returns the time since the start.
    pub fn took(&self) -> Took {
        Took { wall: self.wall.elapsed(), cpu: self.cpu.elapsed() }
    }
}
