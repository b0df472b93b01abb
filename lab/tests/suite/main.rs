//! Tests that run the laboratory's program. `common` contains shared helpers.

#[path = "../../../cli/tests/suite/common.rs"]
#[allow(dead_code, reason = "the tests of the other program need more of it")]
mod common;
mod files;
mod json;
mod measuring;
mod reproducing;
mod snapshots;

/// The path of the program.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_proofwood-lab");
