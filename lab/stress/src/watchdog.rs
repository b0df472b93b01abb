//! Reports a round that never ends as a failure.

use std::process::exit;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

/// The current round: its start, and the message if it hangs.
type Watched = Mutex<Option<(Instant, String)>>;

/// Ends the program when a round takes too long. Dropping the watchdog stops it.
pub(crate) struct Watchdog {
    round: Arc<Watched>,
}

impl Watchdog {
    /// Starts a watchdog that allows each round the time `patience`.
    pub(crate) fn start(patience: Duration) -> Watchdog {
        let round = Arc::new(Watched::default());
        let watched = Arc::downgrade(&round);
        thread::spawn(move || watch(&watched, patience));
        Watchdog { round }
    }

    /// Watches a round that begins now; prints `message` if it hangs.
    pub(crate) fn watch(&self, message: String) {
        self.set(Some((Instant::now(), message)));
    }

    /// Stops watching until the next round.
    pub(crate) fn rest(&self) {
        self.set(None);
    }

    fn set(&self, round: Option<(Instant, String)>) {
        *self.round.lock().unwrap_or_else(PoisonError::into_inner) = round;
    }
}

fn watch(watched: &Weak<Watched>, patience: Duration) {
    const LOOK: Duration = Duration::from_millis(100);
    while let Some(round) = watched.upgrade() {
        let overdue = match &*round.lock().unwrap_or_else(PoisonError::into_inner) {
            Some((started, message)) if started.elapsed() > patience => Some(message.clone()),
            _ => None,
        };
        if let Some(message) = overdue {
            eprintln!("{message}");
            exit(1);
        }
        drop(round);
        thread::sleep(LOOK);
    }
}
