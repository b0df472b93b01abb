//! Exceptions raised by Python code that the engine calls.
//!
//! Rules cannot return an error, so an exception in them unwinds to the engine, which ends the
//! search with its own error: a text that ends with the number of the exception. This module finds
//! the exception by its number and raises it for the caller.

use pyo3::prelude::*;
use std::collections::VecDeque;
use std::error::Error;
use std::fmt;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Exceptions that have not been passed on to a caller yet. Only a few are stored, because most
/// failing searches raise one on each of their threads, and only the first one is requested.
static RAISED: Mutex<VecDeque<(u64, PyErr)>> = Mutex::new(VecDeque::new());
const KEPT: usize = 64;

const MARK: &str = " [exception ";

pub(crate) fn unwind(error: PyErr) -> ! {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    // Relaxed: only the uniqueness of the number matters.
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let text = format!("{error}{MARK}{number}]");
    let oldest = {
        let mut raised = RAISED.lock().unwrap_or_else(PoisonError::into_inner);
        raised.push_back((number, error));
        if raised.len() > KEPT { raised.pop_front() } else { None }
    };
    // Dropped after the lock, because dropping an exception may run Python code.
    drop(oldest);
    // Unlike a panic, this prints nothing.
    resume_unwind(Box::new(text))
}

/// Returns the exception whose number an engine's error text contains.
pub(crate) fn find(text: &str) -> Option<PyErr> {
    let (_, number) = text.rsplit_once(MARK)?;
    let number: u64 = number.strip_suffix(']')?.parse().ok()?;
    let mut raised = RAISED.lock().unwrap_or_else(PoisonError::into_inner);
    let at = raised.iter().position(|(kept, _)| *kept == number)?;
    raised.remove(at).map(|(_, error)| error)
}

/// An exception raised by Python code, which is to be raised again for the caller of the search.
#[derive(Debug)]
pub(crate) struct Raised(pub(crate) PyErr);

impl fmt::Display for Raised {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Error for Raised {}
