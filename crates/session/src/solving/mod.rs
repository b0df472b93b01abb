//! Runs solvers, and reads and writes proofs, trees and results.
//!
//! - [`search`]: searches one position; [`observer`]: shows progress.
//! - [`solution`]: the answer of any solver; [`earlier`]: results of an earlier run; [`remote`]:
//!   answers of other machines.
//! - [`certificate`], [`check`] and [`checkpoint`]: proofs in files; [`tree_file`] and [`kept`]:
//!   trees in files.

pub mod certificate;
pub mod check;
pub mod checkpoint;
pub mod earlier;
pub mod kept;
pub mod observer;
pub mod remote;
pub mod search;
pub mod solution;
pub mod tree_file;
