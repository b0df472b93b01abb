//! Playouts and their durations.

use crate::{Clock, Took};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A number of playouts and their duration.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pace {
    /// The number of playouts.
    pub playouts: u64,
    /// Wall-clock time in seconds.
    pub wall: f64,
    /// Processor time in seconds, of all threads together.
    pub cpu: f64,
}

impl Pace {
    /// Returns the pace of `playouts` playouts that took this time.
    pub fn new(playouts: u64, took: Took) -> Pace {
        Pace { playouts, wall: took.wall.as_secs_f64(), cpu: took.cpu.as_secs_f64() }
    }

    /// Measures the pace of `play`, which is called with the number of playouts of `other` and a
    /// fresh seed. The calls are repeated until they have taken at least half as long as `other`,
    /// because shorter times cannot be measured.
    pub fn beside(other: &Pace, mut play: impl FnMut(u64, u64)) -> Pace {
        const LEAST: Duration = Duration::from_millis(20);
        let enough = Duration::from_secs_f64(other.wall / 2.0).max(LEAST);
        let clock = Clock::start();
        let mut playouts = 0;
        loop {
            play(other.playouts, playouts);
            playouts += other.playouts;
            let took = clock.took();
            if took.wall >= enough {
                return Pace::new(playouts, took);
            }
        }
    }

    /// Returns the number of playouts per second.
    pub fn rate(&self) -> f64 {
        self.playouts as f64 / self.wall.max(1e-9)
    }

    /// Returns the processor time of a playout, divided by that of a playout of `other`.
    pub fn cost(&self, other: &Pace) -> f64 {
        let each = |pace: &Pace| pace.cpu.max(1e-9) / pace.playouts as f64;
        each(self) / each(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_ratios() {
        let slow = Pace { playouts: 10, wall: 1.0, cpu: 2.0 };
        let fast = Pace { playouts: 30, wall: 0.5, cpu: 0.5 };
        assert_eq!((slow.rate(), fast.rate()), (10.0, 60.0));
        assert_eq!(slow.cost(&fast), 12.0);
    }

    #[test]
    fn short_work_is_repeated() {
        let other = Pace { playouts: 7, wall: 0.0, cpu: 0.0 };
        let mut calls = Vec::new();
        let pace = Pace::beside(&other, |playouts, seed| {
            calls.push((playouts, seed));
            std::thread::sleep(Duration::from_millis(11));
        });
        assert!(calls.starts_with(&[(7, 0), (7, 7)]), "{calls:?}");
        assert_eq!(pace.playouts, 7 * calls.len() as u64);
        assert!(pace.wall >= 0.02);
    }
}
