//! How answers look: JSON, text, tables and charts.
//!
//! - [`json`]: what `--json` prints.
//! - [`search_text`], [`proof_text`], [`players`] and [`numbers`]: what people read instead.
//! - [`screen`] and [`grid`]: lines and tables as far as a terminal has room for them.
//! - `watch`: a search while it runs, in a program built with the feature `watch`.
//! - [`outline`]: trees of moves as HTML and as graphs.
//! - [`chart`]: pictures; [`doubts`]: what figures of time from a busy machine are worth.

pub(crate) mod chart;
pub(crate) mod doubts;
pub(crate) mod grid;
pub(crate) mod json;
pub(crate) mod numbers;
pub(crate) mod outline;
pub(crate) mod players;
pub(crate) mod proof_text;
pub(crate) mod screen;
pub(crate) mod search_text;
#[cfg(feature = "watch")]
pub(crate) mod watch;
