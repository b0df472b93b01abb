//! The program `proofwood`: search and prove positions of real games.
//!
//! All modules handle games as text or through types erased by [`proofwood_any_game`], so they are
//! compiled once for all games.
//!
//! The modules, from the lowest to the highest. A module imports only from those above it in this
//! table:
//!
//! | module | contents |
//! |---|---|
//! | [`exit`] | errors and exit statuses |
//! | [`display`] | answers as text, tables and JSON |
//! | [`terminal`] | standard input and output, progress, Ctrl-C |
//! | [`input`] | arguments of the command line: positions and words |
//! | [`solving`] | solvers with their progress, sets of positions, options for files |
//! | [`commands`] | a file or a folder for each command; no command imports another |
//! | [`program`] | the command line, its help and its version |
#![forbid(unsafe_code)]

// The laboratory uses the modules that are public.
#[doc(hidden)]
pub mod commands;
#[doc(hidden)]
pub mod display;
#[doc(hidden)]
pub mod exit;
#[doc(hidden)]
pub mod input;
#[doc(hidden)]
mod program;
#[doc(hidden)]
pub mod solving;
#[doc(hidden)]
pub mod terminal;

use std::process::ExitCode;

/// Runs the program and returns its exit status.
pub fn main() -> ExitCode {
    exit::finish(program::run)
}
