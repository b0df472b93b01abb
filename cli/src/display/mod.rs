//! Formats answers as text, tables and JSON.
//!
//! - [`json`]: the output of `--json`.
//! - [`search_text`] and [`proof_text`]: answers as text for users.
//! - [`screen`] and [`grid`]: lines and tables that fit the terminal.
//! - [`doubts`]: warnings about timings on a busy machine.

pub(crate) mod doubts;
pub mod grid;
pub(crate) mod json;
pub(crate) mod proof_text;
pub mod screen;
pub(crate) mod search_text;
