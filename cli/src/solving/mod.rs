//! How `search`, `solve` and `check` show a solver and its answers.
//!
//! - [`live`]: the line that says how far a search has come; [`solution_text`]: an answer.
//! - [`set`]: a file of positions; [`report_to`] and [`file_options`]: where answers, trees and
//!   checkpoints go.

pub(crate) mod file_options;
pub mod live;
pub(crate) mod report_to;
pub(crate) mod set;
pub(crate) mod solution_text;
