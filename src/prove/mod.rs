//! Provers: searches that answer one yes-or-no question at a time.
//!
//! The book's page "Provers" describes the design.
//!
//! - [`question`], [`plan`]: questions, and the results that follow from their answers.
//! - [`search`]: threads and their coordinator; [`run`]: limits and counts of the threads;
//!   [`sampling`]: playouts, for provers that sample.
//! - [`setting`]: the input of a prover; [`shared`]: the state that its threads share.
//! - [`depth_first`]: df-pn, PDS and df-PPNS; [`table`], [`data`], [`memo`]: the table, its
//!   entries, and their meaning for a question; [`checkpoint`]: the table on disk;
//!   [`shared_entries`]: the table shared between searches and machines; [`published`]: its new
//!   entries.
//! - [`alpha_beta`]: alpha-beta, with the same table; [`auto`]: alpha-beta and df-pn in turns;
//!   [`prospects`]: the statistics that choose between them.
//! - [`best_first`]: provers with a tree, PNS, PN², MCPNS and PPNS.
//! - [`shortest`]: the shortest win.

mod alpha_beta;
mod auto;
mod best_first;
#[cfg(feature = "certificates")]
mod checkpoint;
mod data;
mod depth_first;
mod derive;
mod memo;
mod plan;
mod prospects;
mod published;
mod question;
mod report;
mod run;
mod sampling;
mod search;
mod setting;
mod shared;
#[cfg(feature = "certificates")]
mod shared_entries;
mod shortest;
mod table;

#[cfg(all(test, not(loom)))]
mod endings;
#[cfg(all(test, not(loom)))]
mod tests;

pub(crate) use auto::Auto;
#[cfg(loom)]
pub(crate) use data::Data;
#[cfg(feature = "certificates")]
pub(crate) use depth_first::{DepthFirst, Dfpn};
pub(crate) use derive::clone_and_debug;
#[cfg(loom)]
pub(crate) use memo::Recall;
#[cfg(any(loom, feature = "certificates"))]
pub(crate) use memo::{Memo, remember};
pub(crate) use plan::QuestionPlan;
pub(crate) use prospects::Prospects;
#[cfg(loom)]
pub(crate) use published::Published;
pub use question::{Question, Side, Verdict};
pub use report::{Asked, ProofReport, RootNumbers};
pub(crate) use run::{Run, Spent};
pub use search::{ProofSearch, prove};
pub(crate) use setting::Setting;
#[cfg(feature = "certificates")]
pub use shared_entries::{SharedEntries, SharedEntry};
pub use shortest::{ShortestWin, shortest_win};
pub(crate) use table::Table;

use crate::bounds::Interval;
use crate::error::{Inconsistency, SearchError};
use crate::game::Game;
use crate::settings::Algorithm;

/// A search for the answer to one question about one position. All threads share one prover, which
/// is created from a [`Setting`].
pub(crate) trait Prover<G: Game>: Sync {
    /// Runs one thread until the question is answered, the run must stop, or there is nothing left
    /// to do. The thread that finds the answer calls [`Run::settle`]. A [`Meter`](run::Meter)
    /// counts every expansion and decides when to stop.
    fn work(&self, thread: usize, run: &Run<'_>) -> Result<(), SearchError>;

    /// Returns the answer, if there is one. Like the methods below, it is called only while no
    /// thread is working.
    fn verdict(&self) -> Option<Verdict>;

    /// Returns bounds on the claimant's payoff from finite lines of play; `None` if a disproof
    /// depends on repetition.
    fn bounds(&self) -> Option<Interval> {
        None
    }

    /// Returns a move that proves the answer, if the favoured side is to move.
    fn best_move(&self) -> Option<G::Move>;

    /// Returns the most promising but unproven move at the root if there is no answer.
    fn guess(&self) -> Option<G::Move> {
        None
    }

    /// Returns the root's proof and disproof numbers if there is no answer.
    fn numbers(&self) -> Option<RootNumbers<G>> {
        None
    }

    /// Returns a line that proves the answer, beginning with the best move, as far as it is cheap
    /// to find.
    fn line(&self) -> Vec<G::Move> {
        self.best_move().into_iter().collect()
    }

    /// Returns the algorithm that found the answer if the prover combines several.
    fn answered_by(&self) -> Option<Algorithm> {
        None
    }

    /// Returns the estimated probability that the answer is yes, if the prover makes estimates.
    fn estimate(&self) -> Option<f64> {
        None
    }

    /// Checks the stored data for consistency. The default implementation checks nothing.
    ///
    /// # Errors
    /// Returns the first inconsistency, which indicates a bug in this library.
    fn audit(&self) -> Result<(), Inconsistency> {
        Ok(())
    }

    fn bytes(&self) -> u64;

    /// Calls `tell` with the key and the answer of every solved position whose answer holds on
    /// every path. Certificates are written from these answers.
    fn solved_positions(&self, tell: &mut dyn FnMut(u64, Verdict));
}

/// The work that a prover has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Effort {
    /// The number of expansions, each of which lists the legal moves of a position. Repeated
    /// expansions of a position count, too.
    pub expansions: u64,
    /// The number of nodes, that is, of positions created by playing a move.
    pub nodes: u64,
    /// The size of the tree or the table in bytes.
    pub bytes: u64,
}
