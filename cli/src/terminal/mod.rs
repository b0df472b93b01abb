//! The program and whoever sits before it: what is printed, what is typed, and Ctrl-C.
//!
//! - [`print`](mod@print): answers on standard output.
//! - [`progress`] and [`minutes`]: what a long command is doing, on a terminal and in a log.
//! - [`typed`]: lines that somebody types; [`lines`]: lines that a program writes.
//! - [`interrupt`]: the wish to end early.

pub mod interrupt;
pub(crate) mod lines;
mod minutes;
pub mod print;
pub mod progress;
pub(crate) mod typed;

use std::io::{self, IsTerminal};

/// Whether standard error is a terminal that can redraw a line.
pub(crate) fn is_watched() -> bool {
    io::stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}
