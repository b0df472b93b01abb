//! Logs progress once a minute to standard error when it is not a terminal, so that the log of a
//! long run shows how far the run has come.

use crate::exit::complain;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

const MINUTE: Duration = Duration::from_secs(60);

#[derive(Debug, Default)]
struct Due(Option<Instant>);

impl Due {
    /// Returns whether a line is due now. The first is due a minute after the first call.
    fn take(&mut self, now: Instant) -> bool {
        let next = *self.0.get_or_insert(now + MINUTE);
        if now >= next {
            self.0 = Some(now + MINUTE);
        }
        now >= next
    }
}

/// The time of the program's next line, shared by all stages of a command.
static DUE: Mutex<Due> = Mutex::new(Due(None));

/// Logs a line if the last one is at least a minute old.
pub(crate) fn say(what: impl FnOnce() -> String) {
    let due = DUE.lock().unwrap_or_else(PoisonError::into_inner).take(Instant::now());
    if due {
        complain(&what());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_due_every_minute() {
        let start = Instant::now();
        let mut due = Due::default();
        let at = |seconds| start + Duration::from_secs(seconds);
        let said: Vec<u64> = [0, 1, 59, 60, 61, 119, 120, 500, 501, 560]
            .into_iter()
            .filter(|&s| due.take(at(s)))
            .collect();
        assert_eq!(said, [60, 120, 500, 560]);
    }
}
