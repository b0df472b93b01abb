//! Converts panics in users' code to errors.

use crate::error::{SearchError, panic_message};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs code that calls the game or an evaluator, and converts a panic to an error.
pub(crate) fn catch_panic<T>(run: impl FnOnce() -> T) -> Result<T, SearchError> {
    // The tree stays consistent: guards give back claims and counts of playouts in flight, and no
    // user code runs while a node is owned.
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(result) => Ok(result),
        Err(panic) => Err(error_of(panic)),
    }
}

/// Converts a panic to an error. The caller is compiled for each game, this function only once.
#[cold]
fn error_of(panic: Box<dyn Any + Send>) -> SearchError {
    SearchError::Panic(panic_message(panic.as_ref()))
}
