//! The limits and accounts of a prover's threads.

use super::Effort;
use crate::settings::{CancelToken, StopReason};
use crate::sync::{AtomicU64, Instant, Ordering};
use crate::threads::{Control, Event, count};
use crossbeam_utils::CachePadded;

/// The threads' view of one question's search.
pub(crate) struct Run<'r> {
    pub(crate) control: &'r Control,
    pub(crate) spent: &'r Spent,
    pub(crate) deadline: Option<Instant>,
    pub(crate) threads: usize,
    /// The token, if only the workers check it and the clock.
    pub(crate) cancel: Option<&'r CancelToken>,
    /// Nodes between two checks.
    pub(crate) look_every: u64,
}

/// Nodes between two checks of the clock if another thread keeps the time.
const LOOK_EVERY: u64 = 512;

/// The work of all threads together. Relaxed: only figures, no data depends on them.
#[derive(Debug, Default)]
pub(crate) struct Spent {
    expansions: CachePadded<AtomicU64>,
    nodes: CachePadded<AtomicU64>,
}

impl Spent {
    /// The work so far, as reported by the threads.
    pub(crate) fn effort(&self, bytes: u64) -> Effort {
        Effort {
            expansions: self.expansions.load(Ordering::Relaxed),
            nodes: self.nodes.load(Ordering::Relaxed),
            bytes,
        }
    }
}

impl<'r> Run<'r> {
    /// The view of a search whose time another thread keeps.
    pub(crate) fn new(
        control: &'r Control,
        spent: &'r Spent,
        deadline: Option<Instant>,
        threads: usize,
    ) -> Run<'r> {
        Run { control, spent, deadline, threads, cancel: None, look_every: LOOK_EVERY }
    }

    /// Returns whether the threads must end. Cheap enough for every node.
    #[inline]
    pub(crate) fn stopped(&self) -> bool {
        self.control.stopped()
    }

    /// Returns whether the threads must end, after a check of the clock; for work between
    /// expansions.
    pub(crate) fn is_late(&self) -> bool {
        if self.cancel.is_some_and(CancelToken::is_cancelled) {
            self.control.stop(StopReason::Cancelled);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            self.control.stop(StopReason::Time);
        }
        self.stopped()
    }

    /// Ends all threads, because the question is answered.
    pub(crate) fn settle(&self) {
        self.control.stop(StopReason::Settled);
    }

    /// Ends all threads, because the estimate is within the requested precision although the
    /// question is not answered.
    pub(crate) fn estimated(&self) {
        self.control.stop(StopReason::Estimated);
    }

    /// Ends all threads, because the prover needs memory and has none left; `starved` if the system
    /// has none.
    pub(crate) fn full(&self, starved: bool) {
        self.control.arena_full(0, starved);
    }

    /// Creates an account for one thread.
    pub(crate) fn meter(&self) -> Meter<'_, 'r> {
        Meter { run: self, done: Effort::default(), told: Effort::default(), look_at: 0, lease: 0 }
    }
}

/// One thread's account of its work; the rest is reported when it is dropped.
pub(crate) struct Meter<'m, 'r> {
    run: &'m Run<'r>,
    done: Effort,
    told: Effort,
    /// The number of nodes at which the clock is checked again.
    look_at: u64,
    /// The number of nodes up to which the budget was reserved.
    lease: u64,
}

impl Meter<'_, '_> {
    /// Returns whether the thread must end.
    #[inline]
    pub(crate) fn stopped(&self) -> bool {
        self.run.stopped()
    }

    /// The nodes that this thread has made.
    #[inline]
    pub(crate) fn nodes(&self) -> u64 {
        self.done.nodes
    }

    /// Ends all threads, because the estimate is within the requested precision.
    pub(crate) fn estimated(&self) {
        self.run.estimated();
    }

    /// Accounts for an expansion that made this many nodes; returns whether to continue. Each
    /// thread may exceed the budget by one expansion.
    #[inline]
    pub(crate) fn expanded(&mut self, nodes: usize) -> bool {
        count(Event::Expansion);
        self.done.expansions += 1;
        self.done.nodes += nodes as u64;
        if self.done.nodes >= self.look_at { self.look() } else { !self.run.stopped() }
    }

    #[cold]
    fn look(&mut self) -> bool {
        let run = self.run;
        self.tell();
        // The coordinator keeps the time too, but with more threads than cores it may have to wait
        // for a core; a running worker can check.
        run.is_late();
        while self.lease <= self.done.nodes {
            match run.control.lease(run.threads) {
                0 => {
                    run.control.stop(StopReason::Nodes);
                    break;
                }
                more => self.lease = self.lease.saturating_add(more),
            }
        }
        self.look_at = self.lease.min(self.done.nodes + run.look_every);
        !run.stopped()
    }

    fn tell(&mut self) {
        let (done, told) = (self.done, self.told);
        let spent = self.run.spent;
        spent.expansions.fetch_add(done.expansions - told.expansions, Ordering::Relaxed);
        spent.nodes.fetch_add(done.nodes - told.nodes, Ordering::Relaxed);
        self.told = done;
    }
}

impl Drop for Meter<'_, '_> {
    fn drop(&mut self) {
        self.tell();
        self.run.control.return_lease(self.lease.saturating_sub(self.done.nodes));
    }
}
