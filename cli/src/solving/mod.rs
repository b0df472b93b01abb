//! Presents solvers and their answers, for `search`, `solve` and `check`.
//!
//! - [`live`]: the progress line of a search; [`solution_text`]: an answer as text.
//! - [`set`]: a file of positions; [`report_to`] and [`file_options`]: the options for the files of
//!   answers, trees and checkpoints.

pub(crate) mod file_options;
pub mod live;
pub(crate) mod report_to;
pub(crate) mod set;
pub(crate) mod solution_text;
