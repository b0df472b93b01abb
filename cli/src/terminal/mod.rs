//! Standard input and output, and Ctrl-C.
//!
//! - [`print`](mod@print): answers on standard output.
//! - [`progress`] and [`minutes`]: the progress of a long command, on a terminal and in a log.
//! - [`typed`]: lines from a user or a pipe.
//! - [`interrupt`]: Ctrl-C.

pub mod interrupt;
mod minutes;
pub mod print;
pub mod progress;
pub(crate) mod typed;

use std::io::{self, IsTerminal};

/// Returns whether standard error is a terminal that can redraw a line.
pub(crate) fn is_watched() -> bool {
    io::stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}
