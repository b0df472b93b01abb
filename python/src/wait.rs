//! Waits while other Python threads run, and handles signals.

use crate::errors::{self, of_panic};
use proofwood::SearchError;
use pyo3::prelude::*;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The time between two checks for signals, such as Ctrl-C.
const LOOK_EVERY: Duration = Duration::from_millis(5);

thread_local! {
    /// A flag that is set when the caller has stopped waiting for this thread's work.
    static GIVEN_UP: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
}

pub(crate) fn given_up() -> bool {
    GIVEN_UP.with_borrow(|flag| flag.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)))
}

/// Locks a mutex. Its data is always consistent, since no code that panics runs under it, so
/// poisoning is ignored.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The end of work that is done on other threads. Threads can wait for it.
#[derive(Default)]
pub(crate) struct End {
    state: Mutex<State>,
    come: Condvar,
}

#[derive(Default)]
struct State {
    come: bool,
    callbacks: Vec<Py<PyAny>>,
}

impl End {
    pub(crate) fn past() -> End {
        let state = State { come: true, callbacks: Vec::new() };
        End { state: Mutex::new(state), come: Condvar::new() }
    }

    /// Marks the end: wakes the waiting threads and runs the callbacks.
    pub(crate) fn arrive(&self) {
        let callbacks = {
            let mut state = lock(&self.state);
            state.come = true;
            self.come.notify_all();
            std::mem::take(&mut state.callbacks)
        };
        if callbacks.is_empty() {
            return;
        }
        // If the interpreter is ending, the callbacks are dropped.
        Python::try_attach(|py| {
            for callback in callbacks {
                if let Err(error) = callback.call0(py) {
                    error.write_unraisable(py, None);
                }
            }
        });
    }

    pub(crate) fn has_come(&self) -> bool {
        lock(&self.state).come
    }

    /// Calls `callback` when the work ends, on any thread, or at once if it has already ended.
    pub(crate) fn call(&self, py: Python<'_>, callback: Py<PyAny>) -> PyResult<()> {
        let mut state = lock(&self.state);
        if state.come {
            drop(state);
            return callback.call0(py).map(drop);
        }
        state.callbacks.push(callback);
        Ok(())
    }

    fn sleep(&self, time: Duration) -> bool {
        let state = lock(&self.state);
        let slept = self.come.wait_timeout_while(state, time, |state| !state.come);
        slept.unwrap_or_else(PoisonError::into_inner).0.come
    }

    /// Waits until the work has ended, but no longer than `time`; returns whether it has ended.
    ///
    /// # Errors
    /// Returns the exception if a signal handler raises one, such as `KeyboardInterrupt`.
    pub(crate) fn wait(&self, py: Python<'_>, time: Option<Duration>) -> PyResult<bool> {
        let until = time.and_then(|time| Instant::now().checked_add(time));
        loop {
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            let nap = left.map_or(LOOK_EVERY, |left| left.min(LOOK_EVERY));
            if py.detach(|| self.sleep(nap)) {
                return Ok(true);
            }
            py.check_signals()?;
            if left.is_some_and(|left| left.is_zero()) {
                return Ok(false);
            }
        }
    }
}

/// Runs `work` on a separate thread and waits for it. If a signal handler raises an exception,
/// `give_up` is called, and this function returns without waiting for the end of the work.
pub(crate) fn aside<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
    give_up: impl FnOnce(),
) -> PyResult<T> {
    let (end, result) = (Arc::new(End::default()), Arc::new(Mutex::new(None)));
    let (tell, put) = (Arc::clone(&end), Arc::clone(&result));
    let given_up = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&given_up);
    let started = thread::Builder::new().spawn(move || {
        GIVEN_UP.set(Some(flag));
        let done = catch_unwind(AssertUnwindSafe(work));
        *lock(&put) = Some(done);
        tell.arrive();
    });
    let thread = started.map_err(|e| errors::search(SearchError::Threads(e.to_string())))?;
    if let Err(raised) = end.wait(py, None) {
        // Relaxed: a flag that carries no data.
        given_up.store(true, Ordering::Relaxed);
        give_up();
        return Err(raised);
    }
    // Joins the thread, so that Python may end next.
    let _ = py.detach(|| thread.join());
    let done = lock(&result).take();
    match done {
        Some(Ok(value)) => Ok(value),
        Some(Err(panic)) => Err(of_panic(&*panic)),
        None => unreachable!("the result is there before the end has come"),
    }
}
