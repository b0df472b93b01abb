//! Provers: searches that answer one yes-or-no question at a time.
//!
//! The book's page "Provers" describes the design.
//!
//! - [`question`], [`plan`]: questions, and the results that their answers imply.
//! - [`search`]: the threads and their coordinator; [`run`]: the threads' limits and accounts;
//!   [`sampling`]: playouts, for provers that sample.
//! - [`setting`]: a prover's input; [`shared`]: the state that its threads share.
//! - [`depth_first`]: df-pn, PDS and df-PPNS; [`table`], [`data`], [`memo`]: the table, its
//!   entries, and their meaning for a question; [`checkpoint`]: the table on disk;
//!   [`shared_entries`]: the table shared between searches and machines, [`published`]: its new
//!   entries.
//! - [`shortest`]: the shortest win.
//! - [`alpha_beta`]: alpha-beta, with the same table; [`auto`]: it and df-pn in turns;
//!   [`prospects`]: the statistics that choose between them.
//! - [`best_first`]: the provers with a tree, PNS, PN², MCPNS and PPNS.

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

/// An algorithm at work on one question about one position. All threads of a search share one
/// value, which was made from a [`Setting`] and answers that one question.
pub(crate) trait Prover<G: Game>: Sync {
    /// One thread's share of the work; returns when the question is answered, when the run is to
    /// stop, or when there is nothing left to do. The thread that finds the answer calls
    /// [`Run::settle`]. Every expansion is accounted for in a [`Meter`](run::Meter), which also
    /// decides when to stop.
    fn work(&self, thread: usize, run: &Run<'_>) -> Result<(), SearchError>;

    /// The answer, once there is one. This method and all below are called when no thread works.
    fn verdict(&self) -> Option<Verdict>;

    /// Bounds on the claimant's payoff beyond the answer, from finite lines of play. A disproof
    /// that rests on a repetition gives none.
    fn bounds(&self) -> Option<Interval> {
        None
    }

    /// A move that shows the answer, if the favoured side is to move.
    fn best_move(&self) -> Option<G::Move>;

    /// The most promising move at the root without an answer. It proves nothing.
    fn guess(&self) -> Option<G::Move> {
        None
    }

    /// The root's proof and disproof numbers, if there is no answer.
    fn numbers(&self) -> Option<RootNumbers<G>> {
        None
    }

    /// The line that shows the answer, from the best move on, as far as it is cheap to find.
    fn line(&self) -> Vec<G::Move> {
        self.best_move().into_iter().collect()
    }

    /// The prover that found the answer, if there are several.
    fn answered_by(&self) -> Option<Algorithm> {
        None
    }

    /// The probability that the answer is yes, if the prover estimates it. It proves nothing.
    fn estimate(&self) -> Option<f64> {
        None
    }

    /// Verifies the stored data, if the prover can.
    ///
    /// # Errors
    /// The first difference, which is a bug.
    fn audit(&self) -> Result<(), Inconsistency> {
        Ok(())
    }

    /// The bytes of the tree or the table.
    fn bytes(&self) -> u64;

    /// Passes the key and the answer of every solved position whose answer holds on every path to
    /// `tell`, for the table from which certificates are written.
    fn settled_positions(&self, tell: &mut dyn FnMut(u64, Verdict));
}

/// The work that a prover has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Effort {
    /// Expansions: lists of a position's moves, counted each time.
    pub expansions: u64,
    /// Nodes: positions made by playing a move.
    pub nodes: u64,
    /// The bytes of the tree or the table.
    pub bytes: u64,
}
