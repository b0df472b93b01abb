//! A team of threads that do their shares of one work.

use crate::error::SearchError;
use crate::memory::memory_left;
use crate::settings::{CancelToken, StopReason};
use crate::sync::{absent, seat};
use crate::threads::{Control, catch_panic, panic_message};
use std::io;
use std::thread::{self, JoinHandle};
use std::time::Instant;

/// Runs a team of threads to its end: each does its `share`, given its number, while
/// this thread keeps the time. Returns the first error.
pub(crate) fn run_team(
    threads: usize,
    stack: usize,
    control: &Control,
    deadline: Option<Instant>,
    cancel: Option<&CancelToken>,
    share: &(dyn Fn(usize) -> Result<(), SearchError> + Sync),
) -> Option<SearchError> {
    let mut error = None;
    thread::scope(|scope| {
        let mut handles = Vec::with_capacity(threads);
        for number in 0..threads {
            let work = move || {
                let _seat = seat(number, threads);
                let result = catch_panic(|| share(number)).and_then(|result| result);
                if result.is_err() {
                    control.stop(StopReason::Stopped);
                }
                control.worker_done();
                result
            };
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

/// Starts the thread that watches over a search. What it runs is behind a pointer, so
/// that the starting is compiled once.
pub(crate) fn spawn_coordinator(run: Box<dyn FnOnce() + Send>) -> io::Result<JoinHandle<()>> {
    builder("proofwood-coordinator")?.spawn(run)
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
}

/// Fails where the system is to give no thread.
#[cfg(all(test, not(loom)))]
fn refuse() -> io::Result<()> {
    let left = UNTIL_REFUSED.get();
    UNTIL_REFUSED.set(if left == 0 { u32::MAX } else { left.saturating_sub(1) });
    if left == 0 { Err(io::ErrorKind::WouldBlock.into()) } else { Ok(()) }
}
