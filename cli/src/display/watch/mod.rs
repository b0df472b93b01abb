//! A search while it runs, on the whole terminal: what `--watch` shows.
//!
//! - [`Watched`]: what there is to see of a search, as text and plain numbers; `content`
//!   makes it of a search's answer so far.
//! - [`History`]: how a figure has changed over time.
//! - [`Scene`]: all of it, drawn into the room that there is.

mod content;
mod history;
mod view;

pub(crate) use history::History;
pub(crate) use view::Scene;

use super::screen::Line;
use proofwood::Value;
use std::time::Duration;

/// What there is to see of a search.
#[derive(Clone, Debug)]
pub(crate) struct Watched {
    /// What is known, in a sentence.
    pub(crate) sentence: String,
    /// What is proven, which gives the sentence its colour.
    pub(crate) value: Value,
    /// Moves, or the questions of a prover.
    pub(crate) header: Vec<Column>,
    pub(crate) rows: Vec<Row>,
    /// How the game goes on.
    pub(crate) line: String,
    /// The name of each figure, and the figure.
    pub(crate) figures: Vec<(&'static str, String)>,
    /// The same for a terminal with little room.
    pub(crate) short: Line,
    pub(crate) elapsed: Duration,
    /// What the graph shows now; `None` while nothing is known of it.
    pub(crate) graph: Option<f64>,
    pub(crate) scale: Scale,
}

/// A column of the table.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    name: String,
    /// Numbers stand on the right.
    right: bool,
    /// The greatest rank is the first to be left out; 0 always stays.
    rank: u8,
}

/// A row of the table.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    cells: Vec<String>,
    /// The share of one that a bar shows.
    bar: Option<f64>,
    value: Value,
}

/// What the graph measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scale {
    /// The share of all points that the best move brings, from 0 to 1.
    Points,
    /// Nodes a second.
    Nodes,
}
