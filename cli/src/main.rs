//! The program `proofwood`: search and prove positions of real games.
//!
//! Each command is a file in [`commands`]. A game is known by its type only in
//! [`proofwood_any_game`], which turns everything about it into text; all other modules
//! deal in text and are compiled once, however many games there are.
//!
//! - [`options`], [`presets`], [`provers`] and [`limits`]: what a search is told on the command
//!   line.
//! - [`positions`] and [`position_file`]: where positions come from.
//! - [`output`]: what `--json` prints; [`table`], [`proof_text`], [`sides`] and
//!   [`figures`]: what people read instead; [`print`](mod@print) and [`files`]: where both
//!   are written; [`resume`]: what an earlier run has written.
//! - [`solution`]: what comes of solving a position; [`certificate`] and
//!   [`checkpoint`]: proofs as files, and what there is of them.
//! - [`contest`]: games between configurations.
//! - [`chart`]: figures as pictures; [`screen`] and [`grid`]: lines and tables as far as a
//!   terminal has room for them.
//! - [`live`], [`minutes`] and [`interrupt`]: watching a search, on a terminal and in a
//!   log, and ending it early; [`input`]: lines that somebody types.
//! - [`help`] and [`words`]: what `-h` and `--help` show of all this, and what shells complete.
//! - [`exit`]: every error and the status that the program ends with;
//!   [`version`]: what this program is.
#![forbid(unsafe_code)]

mod certificate;
mod chart;
mod checkpoint;
mod commands;
mod contest;
mod doubts;
mod exit;
mod figures;
mod files;
mod grid;
mod help;
mod input;
mod interrupt;
mod limits;
mod live;
mod minutes;
mod options;
mod output;
mod position_file;
mod positions;
mod presets;
mod print;
mod progress;
mod proof_text;
mod provers;
mod resume;
mod screen;
mod sides;
mod solution;
mod solver;
mod solving;
mod table;
mod threads;
mod version;
mod wording;
mod words;

use std::process::ExitCode;

/// Searches allocate in every thread at once.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    exit::finish(commands::run)
}
