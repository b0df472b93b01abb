//! Running a solver, what comes of it, and proofs, trees and results in files.
//!
//! - [`search`]: one position; [`observer`]: who looks on.
//! - [`solution`]: the answer, whichever solver was at it; [`earlier`]: results that an earlier
//!   run has written; [`remote`]: answers of other machines.
//! - [`certificate`], [`check`] and [`checkpoint`]: proofs as files; [`tree_file`]: trees as
//!   files; [`kept`]: what there is in one.

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
