//! The program `proofwood`: search and prove positions of real games.
//!
//! A game is known by its type only in [`proofwood_any_game`], which turns everything about
//! it into text; all modules here deal in text and are compiled once, however many games
//! there are.
//!
//! The modules, from the lowest to the highest. A module imports from those above it in this
//! table:
//!
//! | module | contents |
//! |---|---|
//! | [`exit`] | every error, and the status that the program ends with |
//! | [`display`] | how answers look: text, tables |
//! | [`terminal`] | what is printed and typed, the live line, Ctrl-C |
//! | [`input`] | what the command line asks for: options, words and positions |
//! | [`solving`] | running a solver, what comes of it, certificates and checkpoints |
//! | [`contest`] | other programs as opponents |
//! | [`protocols`] | how other programs drive the engine |
//! | [`commands`] | a file or a folder for each command; none knows another |
//! | [`program`] | the command line, its help and its version |
#![forbid(unsafe_code)]

// The laboratory is made of parts of the rooms that are public.
#[doc(hidden)]
pub mod commands;
mod contest;
#[doc(hidden)]
pub mod display;
#[doc(hidden)]
pub mod exit;
#[doc(hidden)]
pub mod input;
#[doc(hidden)]
mod program;
mod protocols;
#[doc(hidden)]
pub mod solving;
#[doc(hidden)]
pub mod terminal;

use std::process::ExitCode;

/// Runs the program to its end; returns its status.
pub fn main() -> ExitCode {
    exit::finish(program::run)
}
