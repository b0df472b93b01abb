//! How answers look: JSON, text, tables and charts.
//!
//! - [`output`]: what `--json` prints.
//! - [`table`], [`proof_text`], [`sides`] and [`figures`]: what people read instead.
//! - [`screen`] and [`grid`]: lines and tables as far as a terminal has room for them.
//! - [`chart`]: pictures; [`doubts`]: what figures of time from a busy machine are worth.

pub(crate) mod chart;
pub(crate) mod doubts;
pub(crate) mod figures;
pub(crate) mod grid;
pub(crate) mod output;
pub(crate) mod proof_text;
pub(crate) mod screen;
pub(crate) mod sides;
pub(crate) mod table;
