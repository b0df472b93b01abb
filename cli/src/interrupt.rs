//! Ctrl-C: the first ends the search, a second one the program.

use crate::exit::Failure;
use proofwood::CancelToken;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const STATUS: i32 = 130;
/// Signals that come so soon after the first are the same wish: `timeout` sends one
/// to the program and one to its group, a terminal and a supervisor one each.
const ONE_WISH: Duration = Duration::from_millis(500);

/// The user's wish to end early.
pub(crate) struct Interrupt {
    token: CancelToken,
    waiting: Arc<AtomicBool>,
}

/// The signals so far.
#[derive(Debug, Default)]
struct Signals {
    first: Option<Instant>,
}

/// What a signal asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wish {
    /// The answer so far.
    Answer,
    /// What it asked for before.
    Nothing,
    /// The end of the program.
    Exit,
}

impl Signals {
    /// What the signal that comes now asks for; `idle` says that no answer is in
    /// the making.
    fn take(&mut self, now: Instant, idle: bool) -> Wish {
        match self.first {
            None if idle => Wish::Exit,
            None => {
                self.first = Some(now);
                Wish::Answer
            }
            Some(first) if now.saturating_duration_since(first) < ONE_WISH => Wish::Nothing,
            Some(_) => Wish::Exit,
        }
    }
}

impl Interrupt {
    /// Catches the signals that ask the program to end. The search that holds
    /// the token then ends with the best answer so far.
    pub(crate) fn catch() -> Result<Interrupt, Failure> {
        let (token, waiting) = (CancelToken::new(), Arc::new(AtomicBool::new(false)));
        let (raised, idle) = (token.clone(), Arc::clone(&waiting));
        let mut signals = Signals::default();
        // Called in a thread of its own, for one signal after the other.
        ctrlc::set_handler(move || {
            // Relaxed: a flag that carries no data.
            match signals.take(Instant::now(), idle.load(Ordering::Relaxed)) {
                Wish::Answer => raised.cancel(),
                Wish::Nothing => {}
                Wish::Exit => std::process::exit(STATUS),
            }
        })
        .map_err(|error| Failure::Failed(format!("cannot catch Ctrl-C: {error}")))?;
        Ok(Interrupt { token, waiting })
    }

    /// What ends a search.
    pub(crate) fn token(&self) -> &CancelToken {
        &self.token
    }

    /// Whether the user has asked for the end.
    pub(crate) fn is_raised(&self) -> bool {
        self.token.is_cancelled()
    }

    /// Waits for input; meanwhile no answer is in the making, so the first
    /// Ctrl-C ends the program.
    pub(crate) fn wait_for<T>(&self, input: impl FnOnce() -> T) -> T {
        self.waiting.store(true, Ordering::Relaxed);
        let input = input();
        self.waiting.store(false, Ordering::Relaxed);
        input
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_within_a_moment_are_one_wish() {
        let start = Instant::now();
        let after = |milliseconds| start + Duration::from_millis(milliseconds);
        let mut signals = Signals::default();
        assert_eq!(signals.take(start, false), Wish::Answer);
        assert_eq!(signals.take(start, false), Wish::Nothing);
        assert_eq!(signals.take(after(499), true), Wish::Nothing);
        assert_eq!(signals.take(after(500), false), Wish::Exit);
        assert_eq!(Signals::default().take(start, true), Wish::Exit);
    }
}
