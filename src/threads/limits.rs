//! The limits that workers check, and the number of playouts expected within them.

use crate::sync::Instant;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) started: Instant,
    pub(crate) deadline: Option<Instant>,
    pub(crate) playouts: Option<u64>,
    pub(crate) visits_before: u64,
}

impl Limits {
    #[cfg(loom)]
    pub(crate) fn none() -> Limits {
        Limits { started: Instant::now(), deadline: None, playouts: None, visits_before: 0 }
    }

    /// Returns the number of playouts expected within the limits after the first `done`, at 5/4 of
    /// the speed so far; `None` without a limit.
    pub(crate) fn left(&self, done: u64) -> Option<u64> {
        const HASTE: f64 = 1.25;
        let by_time = self.deadline.map(|deadline| {
            let now = Instant::now();
            let elapsed = now.saturating_duration_since(self.started).as_secs_f64();
            let left = deadline.saturating_duration_since(now).as_secs_f64();
            // Saturates if no time has passed.
            (HASTE * left * done.max(1) as f64 / elapsed) as u64
        });
        let by_count = self.playouts.map(|playouts| playouts.saturating_sub(done));
        by_time.into_iter().chain(by_count).min()
    }
}
