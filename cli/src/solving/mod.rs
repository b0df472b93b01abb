//! What `search`, `solve` and `check` have in common: running a solver, what comes of it, and
//! proofs as files.
//!
//! - [`search`], [`live`]: one position, and the line that says how far it has come.
//! - [`solution`]: what comes of it, whichever solver was at it; [`set`]: a file of
//!   positions; [`earlier`]: what an earlier run has written; [`elsewhere`]: what other machines
//!   answer; [`report_to`]: where answers go.
//! - [`certificate`], [`check`] and [`checkpoint`]: proofs as files, and what there is of them;
//!   [`tree_file`]: trees as files; [`kept`]: what there is in one.

pub(crate) mod certificate;
pub(crate) mod check;
pub(crate) mod checkpoint;
pub(crate) mod earlier;
pub mod elsewhere;
pub(crate) mod kept;
pub mod live;
pub(crate) mod report_to;
pub(crate) mod search;
pub(crate) mod set;
pub(crate) mod solution;
pub(crate) mod tree_file;
