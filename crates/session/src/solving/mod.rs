//! Runs solvers, and reads and writes proofs, trees and results.
//!
//! - [`search`]: searches one position; [`observer`]: shows progress.
//! - [`set`]: solves a file of positions.
//! - [`solution`]: the answer of any solver; [`earlier`]: results of an earlier run; [`remote`]
//!   and [`machines`]: answers of other machines.
//! - [`certificate`], [`check`] and [`checkpoint`]: proofs in files; [`tree_file`] and [`kept`]:
//!   trees in files.

pub mod certificate;
pub mod check;
pub mod checkpoint;
pub mod earlier;
pub mod kept;
pub mod machines;
pub mod observer;
pub mod remote;
pub mod search;
pub mod set;
pub mod solution;
pub mod tree_file;
