//! A line a minute on standard error, where no terminal shows the live line: whoever
//! reads a log later, or looks into it now, sees that a long run goes on, and how far.

use crate::exit::complain;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

const MINUTE: Duration = Duration::from_secs(60);

/// When the next line is due.
#[derive(Debug, Default)]
struct Due(Option<Instant>);

impl Due {
    /// Whether one is due now. The first is due a minute after the first question.
    fn take(&mut self, now: Instant) -> bool {
        let next = *self.0.get_or_insert(now + MINUTE);
        if now >= next {
            self.0 = Some(now + MINUTE);
        }
        now >= next
    }
}

/// That of the program: a long command has many stages, and they share the minute.
static DUE: Mutex<Due> = Mutex::new(Due(None));

/// Says what is being done, if nothing was said for a minute.
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
