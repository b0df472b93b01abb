//! Stopping: the flag that workers poll and the coordinator that raises it.

use crate::StopReason;
use crate::budget::CancelToken;
use crate::sync::{AtomicBool, AtomicU64, Ordering};
use crossbeam_utils::CachePadded;
use parking_lot::{Condvar, Mutex};
use std::time::{Duration, Instant};

/// The shared state of a running search that is not the tree.
pub(crate) struct Control {
    /// Raised once per search. Relaxed everywhere: no data travels with it;
    /// results are read after the workers have been joined.
    stop: CachePadded<AtomicBool>,
    /// The tree cannot grow any more.
    frozen: AtomicBool,
    /// Playouts that are left to hand out; `u64::MAX` without a limit.
    tickets: CachePadded<AtomicU64>,
    state: Mutex<State>,
    wake: Condvar,
}

#[derive(Debug, Default)]
struct State {
    reason: Option<StopReason>,
    working: usize,
    /// What a full arena means for this search.
    when_full: Option<StopReason>,
}

impl Control {
    pub(crate) fn new() -> Control {
        Control {
            stop: CachePadded::new(AtomicBool::new(false)),
            frozen: AtomicBool::new(false),
            tickets: CachePadded::new(AtomicU64::new(0)),
            state: Mutex::default(),
            wake: Condvar::new(),
        }
    }

    /// Prepares for a search of `workers` threads.
    pub(crate) fn reset(
        &self,
        workers: usize,
        playouts: Option<u64>,
        when_full: Option<StopReason>,
    ) {
        *self.state.lock() = State { reason: None, working: workers, when_full };
        self.tickets.store(playouts.unwrap_or(u64::MAX), Ordering::Relaxed);
        self.frozen.store(false, Ordering::Relaxed);
        self.stop.store(false, Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    pub(crate) fn stop_flag(&self) -> &AtomicBool {
        &self.stop
    }

    #[inline]
    pub(crate) fn frozen(&self) -> bool {
        self.frozen.load(Ordering::Relaxed)
    }

    /// Ends the search; the first reason counts.
    pub(crate) fn stop(&self, reason: StopReason) {
        self.state.lock().reason.get_or_insert(reason);
        self.stop.store(true, Ordering::Relaxed);
        self.wake.notify_all();
    }

    /// The arena has no room: the tree stops growing, and where the budget
    /// says so the search ends.
    pub(crate) fn arena_full(&self) {
        self.frozen.store(true, Ordering::Relaxed);
        let when_full = self.state.lock().when_full;
        if let Some(reason) = when_full {
            self.stop(reason);
        }
    }

    /// Playouts that a worker may do before it asks again; 0 when none are
    /// left. Small near the end, so that all workers end together.
    pub(crate) fn lease(&self, workers: usize) -> u64 {
        const MOST: u64 = 64;
        let mut left = self.tickets.load(Ordering::Relaxed);
        loop {
            let lease = MOST.min(left / (2 * workers as u64)).max(1).min(left);
            if left == u64::MAX || lease == 0 {
                return if left == 0 { 0 } else { u64::MAX };
            }
            match self.tickets.compare_exchange_weak(
                left,
                left - lease,
                Ordering::Relaxed,
                Ordering::Relaxed,
            ) {
                Ok(_) => return lease,
                Err(seen) => left = seen,
            }
        }
    }

    /// Gives back what a worker did not use.
    pub(crate) fn return_lease(&self, lease: u64) {
        if self.tickets.load(Ordering::Relaxed) != u64::MAX && lease < u64::MAX / 2 {
            self.tickets.fetch_add(lease, Ordering::Relaxed);
        }
    }

    /// A worker has ended.
    pub(crate) fn worker_done(&self) {
        self.state.lock().working -= 1;
        self.wake.notify_all();
    }

    /// Sleeps until the workers have ended or are to end: a reason was given,
    /// the deadline came, or the token was cancelled.
    pub(crate) fn keep_time(&self, deadline: Option<Instant>, cancel: Option<&CancelToken>) {
        const CANCEL_POLL: Duration = Duration::from_millis(2);
        let mut state = self.state.lock();
        while state.working > 0 && state.reason.is_none() {
            if cancel.is_some_and(CancelToken::is_cancelled) {
                state.reason = Some(StopReason::Cancelled);
                break;
            }
            let now = Instant::now();
            if deadline.is_some_and(|deadline| now >= deadline) {
                state.reason = Some(StopReason::Time);
                break;
            }
            let poll = cancel.map(|_| now + CANCEL_POLL);
            match [deadline, poll].into_iter().flatten().min() {
                Some(until) => {
                    self.wake.wait_until(&mut state, until);
                }
                None => self.wake.wait(&mut state),
            }
        }
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Why the search ended. Workers that ran out of playouts give no reason.
    pub(crate) fn reason(&self) -> StopReason {
        self.state.lock().reason.unwrap_or(StopReason::Playouts)
    }
}
