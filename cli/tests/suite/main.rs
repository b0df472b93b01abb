//! Tests of the program as users run it, with a module for each subject. `common` has the helpers.

mod answers;
mod bad_input;
mod bench;
mod best_first;
mod certificates;
mod checkpoints;
mod clients;
mod common;
mod ending;
#[cfg(feature = "explore")]
mod explore;
mod exports;
mod files;
mod game_files;
mod json;
#[cfg(feature = "machines")]
mod machines;
mod matches;
#[cfg(feature = "nets")]
mod networks;
mod opponents;
mod play;
mod resuming;
mod scarce_memory;
mod snapshots;
mod solving;
mod tables;
mod trees;
#[path = "../../../crates/protocols/tests/suite/types.rs"]
#[allow(dead_code, reason = "the protocols' tests make the schema")]
mod types;

/// The path of the program.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_proofwood");
