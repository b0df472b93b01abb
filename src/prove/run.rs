//! Limits of a prover's threads, and counts of their work.

use super::Effort;
use crate::settings::{CancelToken, StopReason};
use crate::sync::{AtomicU64, Instant, Ordering};
use crate::threads::{Control, Event, count};
use crossbeam_utils::CachePadded;

/// The limits and counts of the threads that search for one answer.
pub(crate) struct Run<'r> {
    pub(crate) control: &'r Control,
    pub(crate) spent: &'r Spent,
    pub(crate) deadline: Option<Instant>,
    pub(crate) threads: usize,
    /// The cancellation token, if the workers check it themselves.
    pub(crate) cancel: Option<&'r CancelToken>,
    pub(crate) look_every: u64,
}

/// The number of nodes between two checks of the clock if the coordinator checks it, too.
const LOOK_EVERY: u64 = 512;

/// The work of all threads. Relaxed: no other data depends on these counts.
#[derive(Debug, Default)]
pub(crate) struct Spent {
    expansions: CachePadded<AtomicU64>,
    nodes: CachePadded<AtomicU64>,
}

impl Spent {
    pub(crate) fn effort(&self, bytes: u64) -> Effort {
        Effort {
            expansions: self.expansions.load(Ordering::Relaxed),
            nodes: self.nodes.load(Ordering::Relaxed),
            bytes,
        }
    }
}

impl<'r> Run<'r> {
    pub(crate) fn new(
        control: &'r Control,
        spent: &'r Spent,
        deadline: Option<Instant>,
        threads: usize,
    ) -> Run<'r> {
        Run { control, spent, deadline, threads, cancel: None, look_every: LOOK_EVERY }
    }

    /// Returns whether the threads must end. This is cheap enough for every node.
    #[inline]
    pub(crate) fn stopped(&self) -> bool {
        self.control.stopped()
    }

    /// Checks the clock and the token, and returns whether the threads must end. Call this during
    /// long work between expansions.
    pub(crate) fn is_late(&self) -> bool {
        if self.cancel.is_some_and(CancelToken::is_cancelled) {
            self.control.stop(StopReason::Cancelled);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            self.control.stop(StopReason::Time);
        }
        self.stopped()
    }

    pub(crate) fn settle(&self) {
        self.control.stop(StopReason::Solved);
    }

    /// Ends all threads because the estimate has reached the requested precision without an answer.
    pub(crate) fn estimated(&self) {
        self.control.stop(StopReason::Estimated);
    }

    /// Ends all threads because the prover's memory is full; `starved` is `true` if the system
    /// refused to provide more.
    pub(crate) fn full(&self, starved: bool) {
        self.control.arena_full(0, starved);
    }

    pub(crate) fn meter(&self) -> Meter<'_, 'r> {
        Meter { run: self, done: Effort::default(), told: Effort::default(), look_at: 0, lease: 0 }
    }
}

/// Counts one thread's work, and adds the counts to [`Spent`] from time to time and on drop.
pub(crate) struct Meter<'m, 'r> {
    run: &'m Run<'r>,
    done: Effort,
    told: Effort,
    /// The number of nodes at which the limits are checked next.
    look_at: u64,
    /// The number of nodes for which this thread has reserved parts of the budget.
    lease: u64,
}

impl Meter<'_, '_> {
    #[inline]
    pub(crate) fn stopped(&self) -> bool {
        self.run.stopped()
    }

    #[inline]
    pub(crate) fn nodes(&self) -> u64 {
        self.done.nodes
    }

    pub(crate) fn estimated(&self) {
        self.run.estimated();
    }

    /// Counts an expansion that created `nodes` nodes; returns whether to continue. Each thread may
    /// exceed the budget by one expansion.
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
        // The coordinator checks the clock, too. But with more threads than cores, it may have to
        // wait for a core while this worker is running.
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
