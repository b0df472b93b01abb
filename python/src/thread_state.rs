//! Keeps Python's thread state for as long as the thread lives.
//!
//! Python creates a state for a thread that calls it for the first time, and drops the state at the
//! end of the call. For a thread of the engine, which calls Python for every query of a position,
//! creating the state took four fifths of the time of a call. With this module the state stays in
//! place, detached, after the first call, and is dropped when the thread ends.
//!
//! This is the only module with `unsafe`, since PyO3 has no equivalent.

#![allow(unsafe_code)]

use pyo3::ffi;
use std::cell::OnceCell;

thread_local! {
    /// The state created for this thread; `None` if Python itself started the thread.
    static KEPT: OnceCell<Option<Kept>> = const { OnceCell::new() };
}

/// A detached state of this thread, which only this thread drops.
struct Kept {
    before: ffi::PyGILState_STATE,
    state: *mut ffi::PyThreadState,
}

/// Makes Python keep its state of this thread from now on. This must be called before the thread
/// acquires the interpreter.
pub(crate) fn keep() {
    // In an ending thread, there is nothing to keep: its state has been released, or is being
    // released, which may run Python code.
    let _ = KEPT.try_with(|kept| {
        kept.get_or_init(|| {
            // SAFETY: it may be called at any time.
            if unsafe { ffi::Py_IsInitialized() } == 0 {
                // The next attempt to acquire the interpreter reports it.
                return None;
            }
            // SAFETY: it may be called on every thread, attached or not, while there is an
            // interpreter.
            let own = unsafe { ffi::PyGILState_GetThisThreadState() }.is_null();
            own.then(|| {
                // SAFETY: this thread has no state, so it is not attached. `Ensure` creates a state
                // and attaches; `SaveThread` detaches and returns the state. The two are undone in
                // reverse in `drop`, on this thread, since `Kept` is not `Send`. Everything
                // attached and released in between is nested, as `Ensure` requires. If the
                // interpreter is ending, PyO3's `Ensure` never returns: the thread hangs. States
                // are the main interpreter's, like all that PyO3 attaches to: PyO3 lets only one
                // interpreter import a module.
                unsafe {
                    let before = ffi::PyGILState_Ensure();
                    Kept { before, state: ffi::PyEval_SaveThread() }
                }
            })
        });
    });
}

impl Drop for Kept {
    fn drop(&mut self) {
        // SAFETY: `Py_IsInitialized` may be called at any time. If the interpreter has ended, its
        // states are gone with it, and nothing remains to be done. Searches are ended before it
        // begins to end (`_stop_all` in the package). A thread that no caller waits for any more
        // may arrive here while it is ending: then `RestoreThread` does not access the state, which
        // may be gone, and does not return: PyO3's version hangs the thread. Otherwise the state is
        // the one that `keep` has created on this thread and left detached, and it is attached once
        // more to be released by the partner of its `Ensure`.
        unsafe {
            if ffi::Py_IsInitialized() != 0 {
                ffi::PyEval_RestoreThread(self.state);
                ffi::PyGILState_Release(self.before);
            }
        }
    }
}
