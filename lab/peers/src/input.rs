//! Input from the user: numbers of seconds, and Ctrl-C.

use std::sync::atomic::{AtomicBool, Ordering};

/// Reads a number of seconds, from a millisecond to a day.
pub(crate) fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.001..=86_400.0).contains(seconds));
    seconds.ok_or_else(|| "seconds are a number from 0.001 to 86400".into())
}

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Makes the first Ctrl-C end the measurement, and a second one end the program.
pub(crate) fn catch_interrupt() -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(|| {
        // Relaxed: it orders no other memory.
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    })
}

pub(crate) fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}
