//! Formats answers as text and tables.
//!
//! - [`search_text`] and [`proof_text`]: answers as text for users.
//! - [`screen`] and [`grid`]: lines and tables that fit the terminal.
//! - [`doubts`]: warnings about timings on a busy machine.

pub(crate) mod doubts;
pub mod grid;
pub(crate) mod proof_text;
pub mod screen;
pub(crate) mod search_text;
