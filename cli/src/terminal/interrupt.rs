//! Handles Ctrl-C: the first one ends the search, and a second one ends the program.

use proofwood::CancelToken;
use proofwood_session::Trouble;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

const STATUS: i32 = 130;
/// Further signals within this time count as repetitions of the first, because several may be sent
/// at once: `timeout` sends one to the program and one to its process group, and a terminal and a
/// supervisor send one each.
const ONE_WISH: Duration = Duration::from_millis(500);

/// Handles Ctrl-C and the other signals that request the end of the program.
pub struct Interrupt {
    token: CancelToken,
    waiting: Arc<AtomicBool>,
    shared: Arc<Mutex<Shared>>,
}

struct Shared {
    signals: Signals,
    /// The token that ends the running search.
    current: CancelToken,
    /// The text to print if a signal ends the program at once.
    last_words: String,
    /// A function called at the first signal, for a command that waits for several events at once.
    hook: Option<Box<dyn Fn() + Send>>,
}

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

#[derive(Debug, Default)]
struct Signals {
    first: Option<Instant>,
    /// Whether the program has reacted to the first signal and continued.
    answered: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wish {
    /// End the search with the answer so far.
    Answer,
    /// Ignore the signal as a repetition.
    Nothing,
    Exit,
}

impl Signals {
    /// Returns the reaction to a signal at `now`. `idle` means that no search is running.
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
    /// Installs the handler. The first signal cancels [`token`](Interrupt::token), so the search
    /// ends with the best answer so far.
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
        // The handler runs on a separate thread, for one signal at a time.
        ctrlc::set_handler(move || {
            let Shared { signals, current, last_words, hook } = &mut *lock(&seen);
            // Relaxed: the flag guards no other data.
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

    pub fn token(&self) -> &CancelToken {
        &self.token
    }

    /// Returns a token for the next search. A signal that ends this search neither ends the program
    /// nor cancels [`token`](Interrupt::token).
    pub(crate) fn renew(&self) -> CancelToken {
        let mut shared = lock(&self.shared);
        shared.signals.answered = shared.signals.first.is_some();
        shared.current = CancelToken::new();
        shared.current.clone()
    }

    /// Sets the text to print if a signal ends the program at once.
    pub(crate) fn leave_behind(&self, last_words: String) {
        lock(&self.shared).last_words = last_words;
    }

    /// Sets a function to call at the first signal. It must not block.
    pub(crate) fn call(&self, hook: impl Fn() + Send + 'static) {
        lock(&self.shared).hook = Some(Box::new(hook));
    }

    pub fn is_raised(&self) -> bool {
        self.token.is_cancelled()
    }

    /// Waits for input. No search is running meanwhile, so the first Ctrl-C ends the program.
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
        // The program has gone on after the first signal, so a late signal counts as new.
        let mut signals = Signals { first: Some(start), answered: true };
        assert_eq!(signals.take(after(499), true), Wish::Nothing);
        assert_eq!(signals.take(after(500), false), Wish::Answer);
        assert_eq!(signals.take(after(1000), false), Wish::Exit);
    }
}
