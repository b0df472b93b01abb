//! Ctrl-C: the first ends the search, a second one the program.

use proofwood::CancelToken;
use proofwood_session::Trouble;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

const STATUS: i32 = 130;
/// Signals that come so soon after the first are the same wish: `timeout` sends one
/// to the program and one to its group, a terminal and a supervisor one each.
const ONE_WISH: Duration = Duration::from_millis(500);

/// The user's wish to end early.
pub struct Interrupt {
    token: CancelToken,
    waiting: Arc<AtomicBool>,
    shared: Arc<Mutex<Shared>>,
}

/// What the handler of signals looks at.
struct Shared {
    signals: Signals,
    /// What ends the search that runs.
    current: CancelToken,
    /// Printed before the program is ended without more ado.
    last_words: String,
    /// Called at the first signal, for a command that waits for several things at once.
    hook: Option<Box<dyn Fn() + Send>>,
}

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The signals so far.
#[derive(Debug, Default)]
struct Signals {
    first: Option<Instant>,
    /// What the first asked for was done, and the program goes on.
    answered: bool,
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
        let is_soon = |first| now.saturating_duration_since(first) < ONE_WISH;
        if self.answered && !self.first.is_some_and(is_soon) {
            *self = Signals::default();
        }
        match self.first {
            None if idle => Wish::Exit,
            None => {
                self.first = Some(now);
                Wish::Answer
            }
            Some(first) if is_soon(first) => Wish::Nothing,
            Some(_) => Wish::Exit,
        }
    }
}

impl Interrupt {
    /// Catches the signals that ask the program to end. The search that holds
    /// the token then ends with the best answer so far.
    pub fn catch() -> Result<Interrupt, Trouble> {
        let (token, waiting) = (CancelToken::new(), Arc::new(AtomicBool::new(false)));
        let shared = Shared {
            signals: Signals::default(),
            current: token.clone(),
            last_words: String::new(),
            hook: None,
        };
        let shared = Arc::new(Mutex::new(shared));
        let (seen, idle) = (Arc::clone(&shared), Arc::clone(&waiting));
        // Called in a thread of its own, for one signal after the other.
        ctrlc::set_handler(move || {
            let Shared { signals, current, last_words, hook } = &mut *lock(&seen);
            // Relaxed: a flag that carries no data.
            match signals.take(Instant::now(), idle.load(Ordering::Relaxed)) {
                Wish::Answer => {
                    current.cancel();
                    hook.iter().for_each(|hook| hook());
                }
                Wish::Nothing => {}
                Wish::Exit => {
                    let _ = io::stdout().write_all(last_words.as_bytes());
                    std::process::exit(STATUS);
                }
            }
        })
        .map_err(|error| Trouble::Failed(format!("cannot catch Ctrl-C: {error}")))?;
        Ok(Interrupt { token, waiting, shared })
    }

    /// What ends a search.
    pub fn token(&self) -> &CancelToken {
        &self.token
    }

    /// A token for the next search alone: the signal that ends it leaves the program
    /// running, and [`token`](Interrupt::token) as it is.
    pub(crate) fn renew(&self) -> CancelToken {
        let mut shared = lock(&self.shared);
        shared.signals.answered = shared.signals.first.is_some();
        shared.current = CancelToken::new();
        shared.current.clone()
    }

    /// What a signal prints that ends the program at once.
    pub(crate) fn leave_behind(&self, last_words: String) {
        lock(&self.shared).last_words = last_words;
    }

    /// Has this called, too, at the first signal. It must not wait for anything.
    pub(crate) fn call(&self, hook: impl Fn() + Send + 'static) {
        lock(&self.shared).hook = Some(Box::new(hook));
    }

    /// Whether the user has asked for the end.
    pub fn is_raised(&self) -> bool {
        self.token.is_cancelled()
    }

    /// Waits for input; meanwhile no answer is in the making, so the first
    /// Ctrl-C ends the program.
    pub fn wait_for<T>(&self, input: impl FnOnce() -> T) -> T {
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
        // The program went on after the first: a late one is a new wish.
        let mut signals = Signals { first: Some(start), answered: true };
        assert_eq!(signals.take(after(499), true), Wish::Nothing);
        assert_eq!(signals.take(after(500), false), Wish::Answer);
        assert_eq!(signals.take(after(1000), false), Wish::Exit);
    }
}
