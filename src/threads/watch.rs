//! Looking at a search while somebody waits for it.
//!
//! Whoever starts a search holds it and may block on it. Everybody else has a
//! [`Watcher`]: it reaches what the search shares with its threads, and nothing that
//! only its owner may change. Nobody polls: who waits sleeps until the coordinator
//! says that the search has ended.

use crate::sync::HAS_THREADS;
use parking_lot::{Condvar, Mutex};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Looks at a search from anywhere, also while another thread waits for its end.
/// Clones look at the same search; [`Search::watcher`](crate::Search::watcher) and
/// [`ProofSearch::watcher`](crate::ProofSearch::watcher) make one.
///
/// A watcher may outlive its search: it then shows what was known last, and keeps
/// the tree in memory as long as it lives.
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

/// What a watcher sees of a search; `R` is its report.
pub(crate) trait Watched<R>: Send + Sync {
    fn snapshot(&self) -> R;
    fn stop(&self);
    fn presence(&self) -> &Presence;
}

impl<R> Watcher<R> {
    pub(crate) fn new(watched: Arc<dyn Watched<R>>) -> Watcher<R> {
        Watcher(watched)
    }

    /// What the search knows now, or knew last.
    ///
    /// # Panics
    /// As [`Search::snapshot`](crate::Search::snapshot).
    pub fn snapshot(&self) -> R {
        self.0.snapshot()
    }

    /// Tells a running search to stop; does nothing when none is running. One that is
    /// about to be started is not stopped: a [`CancelToken`](crate::CancelToken) does
    /// that.
    pub fn stop(&self) {
        self.0.stop();
    }

    /// Whether a search is running: started, and not ended yet.
    pub fn is_running(&self) -> bool {
        self.0.presence().is_running()
    }

    /// Sleeps until the search that is running has ended, or this time has passed.
    /// Returns whether no search is running any more.
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

/// What is to be called when a search has ended.
pub(crate) type Hook = Box<dyn FnOnce() + Send>;

/// Whether a search runs, for those who wait for its end.
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
    /// A search begins.
    pub(crate) fn begin(&self) {
        self.state.lock().running = true;
    }

    /// It has ended, and its results are where everybody finds them: wakes those who
    /// wait. Returns what is to be called now, without a lock.
    #[must_use]
    pub(crate) fn end(&self) -> Vec<Hook> {
        let mut state = self.state.lock();
        state.running = false;
        self.ended.notify_all();
        std::mem::take(&mut state.hooks)
    }

    /// It could not begin after all: hooks that wait for it are dropped, lest another calls them.
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

    /// Does something to a search under way, which does not end meanwhile, nor does
    /// another begin.
    pub(crate) fn if_running(&self, act: impl FnOnce()) {
        let state = self.state.lock();
        if state.running {
            act();
        }
    }

    /// Sleeps until no search runs, at most for this time; returns whether none does.
    pub(crate) fn wait(&self, timeout: Option<Duration>) -> bool {
        let mut state = self.state.lock();
        // Without threads a search does not run while somebody asks.
        if HAS_THREADS && state.running {
            match timeout {
                // A time too long to add to the clock is no limit.
                Some(timeout) => {
                    self.ended.wait_while_for(&mut state, |state| state.running, timeout);
                }
                None => self.ended.wait_while(&mut state, |state| state.running),
            }
        }
        !state.running
    }

    /// Has a hook called when the search that runs now has ended, or else the next;
    /// at once, where one was `started`, and has ended already.
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
