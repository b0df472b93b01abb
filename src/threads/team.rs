//! Teams of threads that share one task.
//!
//! If the system has no threads, a team of one runs on the caller's thread, before the call that
//! starts it returns. A search is then run in parts, each with its own limit.

use crate::error::{SearchError, panic_message};
use crate::memory::memory_left;
use crate::settings::{CancelToken, StopReason};
use crate::sync::{HAS_THREADS, Instant, absent, seat};
use crate::threads::{Control, catch_panic};
use std::io;
use std::thread::{self, JoinHandle};

/// Runs `share` on each thread of a team, with the thread's number, while this thread enforces the
/// limits. Returns the first error.
///
/// On a system without threads the worker checks the clock itself.
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

/// Runs a team of one on this thread. Checks the token first; the worker itself checks the clock.
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

/// The bytes that a new thread allocates in addition to its stack before it runs our code. The
/// program aborts if the system starts a thread but refuses this memory. A thread needs only some
/// KiB, but recently started threads may not have allocated theirs yet.
const TO_START: u64 = 2 << 20;

/// Returns an error if the memory left is too small for another thread with this stack.
fn room_for(stack: usize) -> io::Result<()> {
    match memory_left() {
        Some(left) if left < stack as u64 + TO_START => Err(io::Error::new(
            io::ErrorKind::OutOfMemory,
            format!(
                "{left} bytes of memory are left, but the thread needs {}",
                stack as u64 + TO_START
            ),
        )),
        _ => Ok(()),
    }
}

/// Starts a thread that does part of the caller's work; returns whether it started. If not, the
/// caller has to do all the work.
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

/// A search that was started: its thread, or `None` if the search has already run.
pub(crate) struct Started(Option<JoinHandle<()>>);

/// Starts the thread that coordinates a search and sometimes calls rules and evaluators. On a
/// system without threads, runs the search on the caller's thread instead. `run` is boxed, so that
/// this function is compiled only once.
pub(crate) fn spawn_coordinator(stack: u64, run: Box<dyn FnOnce() + Send>) -> io::Result<Started> {
    if !has_threads() {
        run();
        return Ok(Started(None));
    }
    room_for(stack as usize)?;
    let thread = builder("proofwood-coordinator")?.stack_size(stack as usize);
    thread.spawn(run).map(Some).map(Started)
}

/// Waits for a coordinator's thread to end, unless this is called on that very thread by a hook.
pub(crate) fn join(Started(coordinator): Started) {
    if let Some(coordinator) = coordinator
        && coordinator.thread().id() != thread::current().id()
    {
        // The thread catches its panics and stores its results elsewhere.
        let _ = coordinator.join();
    }
}

pub(crate) fn has_threads() -> bool {
    #[cfg(all(test, not(loom)))]
    if WITHOUT_THREADS.get() {
        return false;
    }
    HAS_THREADS
}

fn builder(name: &str) -> io::Result<thread::Builder> {
    #[cfg(all(test, not(loom)))]
    refuse()?;
    Ok(thread::Builder::new().name(name.into()))
}

#[cfg(all(test, not(loom)))]
thread_local! {
    /// The number of threads that this thread may start before one is refused.
    pub(crate) static UNTIL_REFUSED: std::cell::Cell<u32> = const { std::cell::Cell::new(u32::MAX) };
    /// Whether searches run on this thread, as on systems without threads.
    pub(crate) static WITHOUT_THREADS: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

#[cfg(all(test, not(loom)))]
fn refuse() -> io::Result<()> {
    let left = UNTIL_REFUSED.get();
    UNTIL_REFUSED.set(if left == 0 { u32::MAX } else { left.saturating_sub(1) });
    if left == 0 { Err(io::ErrorKind::WouldBlock.into()) } else { Ok(()) }
}
