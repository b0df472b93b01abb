//! Control of a running search: flags that workers check, and a coordinator that sets them.

use crate::settings::{CancelToken, StopReason};
use crate::sync::{AtomicBool, AtomicU64, Condvar, Fault, Instant, Mutex, Ordering, broken};
use crossbeam_utils::CachePadded;
use std::time::Duration;

pub(crate) struct Control {
    flags: CachePadded<Flags>,
    /// The number of playouts not yet handed out; `u64::MAX` without a limit.
    tickets: CachePadded<AtomicU64>,
    state: Mutex<State>,
    wake: Condvar,
}

/// The flags that workers check. All accesses are relaxed, because the flags carry no data: results
/// are read after the workers have been joined.
struct Flags {
    /// Whether the search is to end, in which case playouts are abandoned.
    stop: AtomicBool,
    /// Whether workers are to end after their current playouts, to be restarted later.
    pause: AtomicBool,
    /// Whether the tree can no longer grow.
    frozen: AtomicBool,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum WhenFull {
    /// The search ends.
    Stop(StopReason),
    /// The search pauses, and the tree is pruned.
    Prune,
    /// The search continues without growing the tree.
    #[default]
    Freeze,
}

#[derive(Debug, Default)]
struct State {
    reason: Option<StopReason>,
    working: usize,
    when_full: WhenFull,
    /// The size of the largest block for which there was no room.
    wanted: usize,
}

impl Control {
    pub(crate) fn new() -> Control {
        Control {
            flags: CachePadded::new(Flags {
                stop: AtomicBool::new(false),
                pause: AtomicBool::new(false),
                frozen: AtomicBool::new(false),
            }),
            tickets: CachePadded::new(AtomicU64::new(0)),
            state: Mutex::new(State::default()),
            wake: Condvar::new(),
        }
    }

    pub(crate) fn reset(&self, workers: usize, playouts: Option<u64>, when_full: WhenFull) {
        *self.state.lock() = State { working: workers, when_full, ..State::default() };
        self.tickets.store(playouts.unwrap_or(u64::MAX), Ordering::Relaxed);
        self.flags.frozen.store(false, Ordering::Relaxed);
        self.flags.pause.store(false, Ordering::Relaxed);
        self.flags.stop.store(false, Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn stopped(&self) -> bool {
        self.flags.stop.load(Ordering::Relaxed)
    }

    pub(crate) fn stop_flag(&self) -> &AtomicBool {
        &self.flags.stop
    }

    #[inline]
    pub(crate) fn pauses(&self) -> bool {
        self.flags.pause.load(Ordering::Relaxed)
    }

    #[inline]
    pub(crate) fn frozen(&self) -> bool {
        self.flags.frozen.load(Ordering::Relaxed)
    }

    /// Ends the search. If several reasons are given, the first one counts.
    pub(crate) fn stop(&self, reason: StopReason) {
        self.state.lock().reason.get_or_insert(reason);
        self.flags.stop.store(true, Ordering::Relaxed);
        self.wake.notify_all();
    }

    /// Reports that the arena has no room for a block of `size` nodes. The tree stops growing, and
    /// the search ends, pauses or continues as configured. `starved` means that the system has
    /// refused memory before a limit of the search was reached.
    pub(crate) fn arena_full(&self, size: usize, starved: bool) {
        self.flags.frozen.store(true, Ordering::Relaxed);
        let mut state = self.state.lock();
        state.wanted = state.wanted.max(size);
        let when_full = state.when_full;
        drop(state);
        match when_full {
            WhenFull::Stop(_) if starved => self.stop(StopReason::Memory),
            WhenFull::Stop(reason) => self.stop(reason),
            WhenFull::Prune => self.flags.pause.store(true, Ordering::Relaxed),
            WhenFull::Freeze => {}
        }
    }

    /// Makes the workers end after their current playouts, so that they can be restarted.
    pub(crate) fn pause(&self) {
        if broken(Fault::ForgottenRoom) {
            self.state.lock().wanted = 0;
        }
        self.flags.pause.store(true, Ordering::Relaxed);
    }

    /// Once all workers have ended, returns whether they should be restarted: `Some` with the size
    /// of the block that needs room, or with 0 if they ended for another reason.
    pub(crate) fn paused(&self) -> Option<usize> {
        let state = self.state.lock();
        let more = state.reason.is_none() && self.tickets.load(Ordering::Relaxed) > 0;
        let wanted = if matches!(state.when_full, WhenFull::Prune) { state.wanted } else { 0 };
        (self.pauses() && more).then_some(wanted)
    }

    /// Prepares for `workers` threads to continue; `room` means that the tree can grow again.
    pub(crate) fn resume(&self, workers: usize, room: bool) {
        let mut state = self.state.lock();
        state.working = workers;
        state.wanted = 0;
        if !room {
            state.when_full = WhenFull::Freeze;
        }
        self.flags.frozen.store(!room, Ordering::Relaxed);
        self.flags.pause.store(false, Ordering::Relaxed);
    }

    /// Takes playouts for a worker to run before it calls this again. Returns their number: 0 if
    /// none are left, and `u64::MAX` without a limit. Near the end the number is small, so that all
    /// workers end together.
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

    pub(crate) fn is_spent(&self) -> bool {
        self.tickets.load(Ordering::Relaxed) == 0
    }

    pub(crate) fn return_lease(&self, lease: u64) {
        if self.tickets.load(Ordering::Relaxed) != u64::MAX && lease < u64::MAX / 2 {
            self.tickets.fetch_add(lease, Ordering::Relaxed);
        }
    }

    pub(crate) fn worker_done(&self) {
        if broken(Fault::EarlyWake) {
            self.wake.notify_all();
        }
        self.state.lock().working -= 1;
        if !broken(Fault::EarlyWake) {
            self.wake.notify_all();
        }
    }

    /// Sleeps until the workers have ended or must end: because another thread called `stop`, the
    /// deadline has passed, or the token was cancelled.
    pub(crate) fn keep_time(&self, deadline: Option<Instant>, cancel: Option<&CancelToken>) {
        // Users do not notice this delay; a shorter one would take a core from a worker more often.
        const CANCEL_POLL: Duration = Duration::from_millis(5);
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
            let until = [deadline, poll].into_iter().flatten().min();
            state = self.wake.wait(state, until);
        }
        // A paused search continues unless it was stopped meanwhile.
        if state.reason.is_some() || !self.pauses() {
            self.flags.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Returns the reason why the search ended. Workers that run out of playouts record no reason.
    pub(crate) fn reason(&self) -> StopReason {
        self.state.lock().reason.unwrap_or(StopReason::Playouts)
    }
}
