//! Ctrl-C: the first ends the search, the second the program.

use crate::exit::Failure;
use proofwood::CancelToken;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

const STATUS: i32 = 130;

/// The user's wish to end early.
pub(crate) struct Interrupt {
    token: CancelToken,
    waiting: Arc<AtomicBool>,
}

impl Interrupt {
    /// Catches the signals that ask the program to end. The search that holds
    /// the token then ends with the best answer so far.
    pub(crate) fn catch() -> Result<Interrupt, Failure> {
        let (token, waiting) = (CancelToken::new(), Arc::new(AtomicBool::new(false)));
        let (raised, idle) = (token.clone(), Arc::clone(&waiting));
        ctrlc::set_handler(move || {
            // Relaxed: a flag that carries no data.
            if raised.is_cancelled() || idle.load(Ordering::Relaxed) {
                std::process::exit(STATUS);
            }
            raised.cancel();
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
