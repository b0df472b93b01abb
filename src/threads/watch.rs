//! Observing a search while another thread waits for it.
//!
//! The owner of a search may block on it. Other threads have a
//! [`Watcher`]: it reaches the state that the search shares with its threads, and nothing that
//! only the owner may change. No thread polls: waiting threads sleep until the coordinator
//! announces the end of the search.

use crate::sync::HAS_THREADS;
use parking_lot::{Condvar, Mutex};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Observes a search from any thread, even while another thread waits for its end. Clones observe
/// the same search; [`Search::watcher`](crate::Search::watcher) and
/// [`ProofSearch::watcher`](crate::ProofSearch::watcher) create one.
///
/// A watcher may outlive its search: it then returns the last report, and keeps the tree in memory
/// as long as it lives.
///
/// ```
/// use proofwood::{Budget, Config, Game, Search};
/// use std::{thread, time::Duration};
/// # use proofwood::Turn;
/// # struct Sticks(u32);
/// # impl Game for Sticks {
/// #     type State = (u32, usize);
/// #     type Move = u32;
/// #     fn initial_state(&self) -> (u32, usize) { (self.0, 0) }
/// #     fn turn(&self, &(sticks, mover): &(u32, usize)) -> Turn {
/// #         if sticks == 0 { Turn::Over } else { Turn::Player(mover) }
/// #     }
/// #     fn legal_moves(&self, &(sticks, _): &(u32, usize), moves: &mut Vec<u32>) {
/// #         moves.extend(1..=sticks.min(3));
/// #     }
/// #     fn play(&self, state: &mut (u32, usize), taken: u32) {
/// #         *state = (state.0 - taken, 1 - state.1);
/// #     }
/// #     fn payoff(&self, &(_, mover): &(u32, usize), player: usize) -> i32 {
/// #         if player == mover { -1 } else { 1 }
/// #     }
/// # }
///
/// // The game of sticks from the crate page.
/// let game = Sticks(21);
/// let position = game.initial_state();
/// let mut search = Search::new(game, position, Config::default().threads(2))?;
/// search.start(&Budget::default().playouts(20_000))?;
/// let watcher = search.watcher();
/// let lines = thread::spawn(move || {
///     while !watcher.wait_timeout(Duration::from_millis(100)) {
///         println!("{} playouts so far", watcher.snapshot().playouts);
///     }
/// });
/// let report = search.wait()?; // blocks, and the other thread prints
/// println!("{:?} after {} playouts", report.best_move, report.playouts);
/// # lines.join().unwrap();
/// # Ok::<(), proofwood::SearchError>(())
/// ```
pub struct Watcher<R>(Arc<dyn Watched<R>>);

/// A watcher's view of a search; `R` is its report.
pub(crate) trait Watched<R>: Send + Sync {
    fn snapshot(&self) -> R;
    fn stop(&self);
    fn presence(&self) -> &Presence;
}

impl<R> Watcher<R> {
    pub(crate) fn new(watched: Arc<dyn Watched<R>>) -> Watcher<R> {
        Watcher(watched)
    }

    /// The current report of the search, or its last one.
    ///
    /// # Panics
    /// As [`Search::snapshot`](crate::Search::snapshot).
    pub fn snapshot(&self) -> R {
        self.0.snapshot()
    }

    /// Stops a running search; does nothing when none is running. It does not affect a search about
    /// to start: use a [`CancelToken`](crate::CancelToken) for that.
    pub fn stop(&self) {
        self.0.stop();
    }

    /// Returns whether a search is running: started, and not ended yet.
    pub fn is_running(&self) -> bool {
        self.0.presence().is_running()
    }

    /// Sleeps until the running search has ended, or `timeout` has passed. Returns whether no
    /// search is running any more.
    pub fn wait_timeout(&self, timeout: Duration) -> bool {
        self.0.presence().wait(Some(timeout))
    }
}

impl<R> Clone for Watcher<R> {
    fn clone(&self) -> Watcher<R> {
        Watcher(Arc::clone(&self.0))
    }
}

impl<R> fmt::Debug for Watcher<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watcher").field("is_running", &self.is_running()).finish_non_exhaustive()
    }
}

/// A function to call when a search has ended.
pub(crate) type Hook = Box<dyn FnOnce() + Send>;

/// Whether a search is running, with notification of its end.
#[derive(Default)]
pub(crate) struct Presence {
    state: Mutex<WatchState>,
    ended: Condvar,
}

#[derive(Default)]
struct WatchState {
    running: bool,
    hooks: Vec<Hook>,
}

impl Presence {
    /// Marks the beginning of a search.
    pub(crate) fn begin(&self) {
        self.state.lock().running = true;
    }

    /// Marks the end of a search, whose results are already published: wakes waiting threads.
    /// Returns the hooks, for the caller to run without a lock.
    #[must_use]
    pub(crate) fn end(&self) -> Vec<Hook> {
        let mut state = self.state.lock();
        state.running = false;
        self.ended.notify_all();
        std::mem::take(&mut state.hooks)
    }

    /// Reverts `begin` when the search could not start: drops hooks for it, lest another search
    /// calls them.
    pub(crate) fn withdraw(&self) {
        let mut state = self.state.lock();
        state.running = false;
        self.ended.notify_all();
        let hooks = std::mem::take(&mut state.hooks);
        drop(state);
        drop(hooks);
    }

    pub(crate) fn is_running(&self) -> bool {
        self.state.lock().running
    }

    /// Calls `act` while a search is running; the search cannot end meanwhile, nor can another
    /// begin.
    pub(crate) fn if_running(&self, act: impl FnOnce()) {
        let state = self.state.lock();
        if state.running {
            act();
        }
    }

    /// Sleeps until no search is running, at most for `timeout`; returns whether none is.
    pub(crate) fn wait(&self, timeout: Option<Duration>) -> bool {
        let mut state = self.state.lock();
        // Without threads, no search is running during a call.
        if HAS_THREADS && state.running {
            match timeout {
                // A timeout beyond the clock's range is no limit.
                Some(timeout) => {
                    self.ended.wait_while_for(&mut state, |state| state.running, timeout);
                }
                None => self.ended.wait_while(&mut state, |state| state.running),
            }
        }
        !state.running
    }

    /// Registers a hook for the end of the running search, or else of the next one; calls it at
    /// once if a search was `started` and has already ended.
    pub(crate) fn on_end(&self, hook: Hook, started: bool) {
        let mut state = self.state.lock();
        if state.running || !started {
            state.hooks.push(hook);
        } else {
            drop(state);
            hook();
        }
    }
}
