//! Provers: searches that answer one yes-or-no question at a time.
//!
//! The book's page "Provers" has the design.

mod asked;
mod best_first;
mod mcpns;
mod pn2;
mod pns;
mod ppns;
mod question;
mod sampling;

#[cfg(all(test, not(loom)))]
mod tests;

pub use question::{Question, Side, Verdict};

use crate::SearchError;
use crate::game::Game;

/// One way of answering a question about one position. All threads of a search
/// share one value of it.
#[allow(dead_code)]
pub(crate) trait Prover<G: Game>: Sync {
    /// One thread's share of the work; returns when the question is settled,
    /// when the run is to stop, or when there is nothing left that it could do.
    fn work(&self, thread: usize, run: &Run<'_>) -> Result<(), SearchError>;

    /// The answer, once there is one.
    fn verdict(&self) -> Option<Verdict>;

    /// A move that shows the answer, where the side that it favours is to move.
    fn best_move(&self) -> Option<G::Move>;

    /// What the work has taken so far.
    fn effort(&self) -> Effort;

    /// Tells the key and the answer of every position that was settled, for the
    /// table from which certificates are written. Called when no thread works.
    fn settled_positions(&self, tell: &mut dyn FnMut(u64, Verdict));
}

/// What a prover's work has taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Effort {
    /// Positions whose moves were listed, each time they were.
    pub expansions: u64,
    /// Positions that were made by playing a move.
    pub nodes: u64,
    /// Bytes that the tree or the table takes.
    pub bytes: u64,
}

/// What a prover's threads ask while they work.
#[allow(dead_code)]
pub(crate) struct Run<'r> {
    pub(crate) control: &'r crate::control::Control,
}
