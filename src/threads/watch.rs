//! Watchers of a search, which can be used while another thread waits for the search to end.
//!
//! The owner of a search may block until the search ends. Other threads use a [`Watcher`], which
//! reaches the state that the search shares with its threads but nothing that only the owner may
//! change. No thread polls: waiting threads sleep until the coordinator announces the end of the
//! search.

use crate::sync::HAS_THREADS;
use parking_lot::{Condvar, Mutex};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Observes a search from any thread, even while another thread waits for its end.
/// [`Search::watcher`](crate::Search::watcher) and
/// [`ProofSearch::watcher`](crate::ProofSearch::watcher) create a watcher; its clones observe the
/// same search.
///
/// A watcher may outlive its search. It then returns the last report, and it keeps the tree in
/// memory as long as it lives.
///
/// ```
/// use proofwood::{Budget, Config, Game, Search};
/// use std::{thread, time::Duration};
/// # use proofwood_testkit::sticks::Sticks;
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

/// The interface of a search to its watchers; `R` is the type of its report.
pub(crate) trait Watched<R>: Send + Sync {
    fn snapshot(&self) -> R;
    fn stop(&self);
    fn presence(&self) -> &Presence;
}

impl<R> Watcher<R> {
    pub(crate) fn new(watched: Arc<dyn Watched<R>>) -> Watcher<R> {
        Watcher(watched)
    }

    /// Returns the current report of the search, or its last one if the search has been dropped.
    ///
    /// # Panics
    /// In the same cases as [`Search::snapshot`](crate::Search::snapshot).
    pub fn snapshot(&self) -> R {
        self.0.snapshot()
    }

    /// Stops a running search; does nothing if none is running. It does not affect a search that is
    /// about to start; use a [`CancelToken`](crate::CancelToken) for that.
    pub fn stop(&self) {
        self.0.stop();
    }

    /// Returns whether a search has started and not yet ended.
    pub fn is_running(&self) -> bool {
        self.0.presence().is_running()
    }

    /// Sleeps until the running search has ended or `timeout` has passed. Returns whether no search
    /// is running any more.
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

pub(crate) type Hook = Box<dyn FnOnce() + Send>;

/// The running state of a search, with notifications of its end.
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
    pub(crate) fn begin(&self) {
        self.state.lock().running = true;
    }

    /// Marks the end of a search whose results have been published, and wakes waiting threads.
    /// Returns the hooks, which the caller runs without holding a lock.
    #[must_use]
    pub(crate) fn end(&self) -> Vec<Hook> {
        let mut state = self.state.lock();
        state.running = false;
        self.ended.notify_all();
        std::mem::take(&mut state.hooks)
    }

    /// Reverts [`begin`](Self::begin) if the search could not start, and drops its hooks, so that
    /// no other search calls them.
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

    /// Calls `act` if a search is running. Meanwhile the search cannot end, and no other one can
    /// begin.
    pub(crate) fn if_running(&self, act: impl FnOnce()) {
        let state = self.state.lock();
        if state.running {
            act();
        }
    }

    /// Sleeps until no search is running, but no longer than `timeout`; returns whether none is
    /// running.
    pub(crate) fn wait(&self, timeout: Option<Duration>) -> bool {
        let mut state = self.state.lock();
        // Without threads, no search runs while a caller waits.
        if HAS_THREADS && state.running {
            match timeout {
                // A timeout beyond the clock's range is not a limit.
                Some(timeout) => {
                    self.ended.wait_while_for(&mut state, |state| state.running, timeout);
                }
                None => self.ended.wait_while(&mut state, |state| state.running),
            }
        }
        !state.running
    }

    /// Registers a hook for the end of the running search or, if none is running, of the next one.
    /// If a search was `started` and has already ended, calls the hook at once.
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
