//! A team of threads that do their shares of one work.
//!
//! Where the system has no threads a team of one works on the caller's, before the call that
//! starts it returns: a search there goes on in parts, each with a limit of its own.

use crate::error::{SearchError, panic_message};
use crate::memory::memory_left;
use crate::settings::{CancelToken, StopReason};
use crate::sync::{HAS_THREADS, Instant, absent, seat};
use crate::threads::{Control, catch_panic};
use std::io;
use std::thread::{self, JoinHandle};

/// Runs a team of threads to its end: each does its `share`, given its number, while
/// this thread keeps the time. Returns the first error.
///
/// Without threads nobody keeps the time but who works, who looks at the clock anyway.
pub(crate) fn run_team(
    threads: usize,
    stack: usize,
    control: &Control,
    deadline: Option<Instant>,
    cancel: Option<&CancelToken>,
    share: &(dyn Fn(usize) -> Result<(), SearchError> + Sync),
) -> Option<SearchError> {
    let work = |number: usize| {
        let _seat = seat(number, threads);
        let result = catch_panic(|| share(number)).and_then(|result| result);
        if result.is_err() {
            control.stop(StopReason::Stopped);
        }
        control.worker_done();
        result
    };
    if threads == 1 && !has_threads() {
        return run_here(control, deadline, cancel, &|| share(0));
    }
    let mut error = None;
    thread::scope(|scope| {
        let mut handles = Vec::with_capacity(threads);
        for number in 0..threads {
            let work = move || work(number);
            let thread = room_for(stack).and_then(|()| builder(&format!("proofwood-{number}")));
            let thread = thread.map(|thread| thread.stack_size(stack));
            match thread.and_then(|thread| thread.spawn_scoped(scope, work)) {
                Ok(handle) => handles.push(handle),
                Err(e) => {
                    absent(threads);
                    control.worker_done();
                    control.stop(StopReason::Stopped);
                    error.get_or_insert(SearchError::Threads(e.to_string()));
                }
            }
        }
        control.keep_time(deadline, cancel);
        for handle in handles {
            let ended =
                handle.join().unwrap_or_else(|p| Err(SearchError::Panic(panic_message(&*p))));
            if let Err(e) = ended {
                error.get_or_insert(e);
            }
        }
    });
    error
}

/// Runs a team of one on this thread. Nobody keeps the time but who works, who looks at the
/// clock anyway; the token is looked at before.
pub(crate) fn run_here(
    control: &Control,
    deadline: Option<Instant>,
    cancel: Option<&CancelToken>,
    share: &dyn Fn() -> Result<(), SearchError>,
) -> Option<SearchError> {
    if cancel.is_some_and(CancelToken::is_cancelled) {
        control.stop(StopReason::Cancelled);
    }
    let _seat = seat(0, 1);
    let result = catch_panic(share).and_then(|result| result);
    if result.is_err() {
        control.stop(StopReason::Stopped);
    }
    control.worker_done();
    control.keep_time(deadline, cancel);
    result.err()
}

/// What a thread takes beside its stack before it runs anything of ours. A thread that the
/// system starts and then refuses this aborts the program. It is some KiB; threads that were
/// started just before may not have taken theirs yet.
const TO_START: u64 = 2 << 20;

/// Fails where little memory is left for one more thread with such a stack.
fn room_for(stack: usize) -> io::Result<()> {
    match memory_left() {
        Some(left) if left < stack as u64 + TO_START => Err(io::Error::new(
            io::ErrorKind::OutOfMemory,
            format!("{left} bytes of memory are left, and it takes {}", stack as u64 + TO_START),
        )),
        _ => Ok(()),
    }
}

/// Starts a thread that does a part of the caller's work, and tells whether there is one. Where
/// the system gives none the caller does without.
#[cfg(feature = "certificates")]
pub(crate) fn spawn_helper<'scope>(
    scope: &'scope thread::Scope<'scope, '_>,
    work: impl FnOnce() + Send + 'scope,
) -> bool {
    const STACK: usize = 256 << 10;
    let start = || {
        room_for(STACK)?;
        builder("proofwood-helper")?.stack_size(STACK).spawn_scoped(scope, work)
    };
    has_threads() && start().is_ok()
}

/// A search that was started: on this thread; on none where it has run already.
pub(crate) struct Started(Option<JoinHandle<()>>);

/// Starts the thread that watches over a search and asks rules and evaluators now and then;
/// without threads, runs the search. What it runs is behind a pointer, so that the starting is
/// compiled once.
pub(crate) fn spawn_coordinator(stack: u64, run: Box<dyn FnOnce() + Send>) -> io::Result<Started> {
    if !has_threads() {
        run();
        return Ok(Started(None));
    }
    room_for(stack as usize)?;
    let thread = builder("proofwood-coordinator")?.stack_size(stack as usize);
    thread.spawn(run).map(Some).map(Started)
}

/// Waits for a coordinator's thread to be gone; not where a hook asks, which the
/// thread itself is calling.
pub(crate) fn join(Started(coordinator): Started) {
    if let Some(coordinator) = coordinator
        && coordinator.thread().id() != thread::current().id()
    {
        // It catches what panics in it, and leaves its results elsewhere.
        let _ = coordinator.join();
    }
}

/// Whether there are threads; a test may want to do without.
pub(crate) fn has_threads() -> bool {
    #[cfg(all(test, not(loom)))]
    if WITHOUT_THREADS.get() {
        return false;
    }
    HAS_THREADS
}

/// What makes a thread of this name.
fn builder(name: &str) -> io::Result<thread::Builder> {
    #[cfg(all(test, not(loom)))]
    refuse()?;
    Ok(thread::Builder::new().name(name.into()))
}

#[cfg(all(test, not(loom)))]
thread_local! {
    /// How many threads this one may start before one is refused.
    pub(crate) static UNTIL_REFUSED: std::cell::Cell<u32> = const { std::cell::Cell::new(u32::MAX) };
    /// Whether searches run on this thread, as where there are no others.
    pub(crate) static WITHOUT_THREADS: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Fails where the system is to give no thread.
#[cfg(all(test, not(loom)))]
fn refuse() -> io::Result<()> {
    let left = UNTIL_REFUSED.get();
    UNTIL_REFUSED.set(if left == 0 { u32::MAX } else { left.saturating_sub(1) });
    if left == 0 { Err(io::ErrorKind::WouldBlock.into()) } else { Ok(()) }
}
