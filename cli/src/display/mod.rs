//! How answers look: text and tables.
//!
//! - [`json`]: what `--json` prints.
//! - [`search_text`] and [`proof_text`]: what people read instead.
//! - [`screen`] and [`grid`]: lines and tables as far as a terminal has room for them.
//! - [`doubts`]: what figures of time from a busy machine are worth.

pub(crate) mod doubts;
pub mod grid;
pub(crate) mod json;
pub(crate) mod proof_text;
pub mod screen;
pub(crate) mod search_text;
