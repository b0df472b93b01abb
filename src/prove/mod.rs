//! Provers: searches that answer one yes-or-no question at a time.
//!
//! The book's page "Provers" has the design.
//!
//! - [`question`], [`plan`]: what is asked, and what the answers amount to.
//! - [`search`]: the threads and their coordinator; [`run`]: what the threads
//!   ask while they work; [`sampling`]: playouts, for those that sample.
//! - [`setting`]: what a prover is given; [`shared`]: what its threads share.
//! - [`depth_first`]: df-pn, PDS and df-PPNS; [`table`], [`data`], [`memo`]: what they remember of a position,
//!   and what that means for a question; [`checkpoint`]: the table on disk; [`knowledge`]:
//!   the table from search to search and from machine to machine, [`news`]: what it tells.
//! - [`shortest`]: how soon a win can be forced.
//! - [`alpha_beta`]: alpha-beta, with the same table; [`auto`]: it and df-pn in turns;
//!   [`prospects`]: what they go by.
//! - [`best_first`]: the provers with a tree, PNS, PN², MCPNS and PPNS.

mod alpha_beta;
mod auto;
mod best_first;
#[cfg(feature = "certificates")]
mod checkpoint;
mod data;
mod depth_first;
mod derive;
#[cfg(feature = "certificates")]
mod knowledge;
mod memo;
mod news;
mod plan;
mod prospects;
mod question;
mod report;
mod run;
mod sampling;
mod search;
mod setting;
mod shared;
mod shortest;
mod table;

#[cfg(all(test, not(loom)))]
mod endings;
#[cfg(all(test, not(loom)))]
mod tests;

pub(crate) use auto::Auto;
#[cfg(feature = "certificates")]
pub use checkpoint::CheckpointError;
#[cfg(loom)]
pub(crate) use data::Data;
#[cfg(feature = "certificates")]
pub(crate) use depth_first::{DepthFirst, Dfpn};
pub(crate) use derive::clone_and_debug;
#[cfg(feature = "certificates")]
pub use knowledge::{Finding, Knowledge};
#[cfg(loom)]
pub(crate) use memo::Recall;
#[cfg(any(loom, feature = "certificates"))]
pub(crate) use memo::{Memo, remember};
#[cfg(loom)]
pub(crate) use news::News;
pub(crate) use plan::QuestionPlan;
pub(crate) use prospects::Prospects;
pub use question::{Question, Side, Verdict};
pub use report::{Asked, ProofReport, RootNumbers};
pub(crate) use run::{Run, Spent};
pub use search::{ProofSearch, prove};
pub(crate) use setting::Setting;
pub use shortest::{ShortestWin, shortest_win};
pub(crate) use table::Table;

use crate::bounds::Interval;
use crate::error::{Inconsistency, SearchError};
use crate::game::Game;
use crate::settings::Algorithm;

/// One way of answering a question about one position. All threads of a search
/// share one value of it, which was made from a [`Setting`] and answers that
/// one question.
pub(crate) trait Prover<G: Game>: Sync {
    /// One thread's share of the work; returns when the question is settled,
    /// when the run is to stop, or when there is nothing left that it could do.
    /// Whoever settles the question calls [`Run::settle`]. Every expansion is
    /// accounted for in a [`Meter`](run::Meter), which also says when to stop.
    fn work(&self, thread: usize, run: &Run<'_>) -> Result<(), SearchError>;

    /// The answer, once there is one. This and everything below is asked when
    /// no thread works.
    fn verdict(&self) -> Option<Verdict>;

    /// What was found of the claimant's payoff beyond the answer: bounds that
    /// finite lines of play show. A disproof that rests on a repetition shows
    /// none.
    fn bounds(&self) -> Option<Interval> {
        None
    }

    /// A move that shows the answer, where the side that it favours is to move.
    fn best_move(&self) -> Option<G::Move>;

    /// The move that looks best at the root where there is no answer. It proves nothing.
    fn guess(&self) -> Option<G::Move> {
        None
    }

    /// What the root's proof and disproof still take where there is no answer.
    fn numbers(&self) -> Option<RootNumbers<G>> {
        None
    }

    /// The line that shows the answer, from the best move on, as far as it is
    /// cheap to tell.
    fn line(&self) -> Vec<G::Move> {
        self.best_move().into_iter().collect()
    }

    /// Which of several provers found the answer, where there are several.
    fn answered_by(&self) -> Option<Algorithm> {
        None
    }

    /// The probability that the question is to be answered with yes, where the
    /// prover estimates it. It proves nothing.
    fn estimate(&self) -> Option<f64> {
        None
    }

    /// Checks that what is stored is what it should be, where that can be told.
    ///
    /// # Errors
    /// The first difference, which is a bug.
    fn audit(&self) -> Result<(), Inconsistency> {
        Ok(())
    }

    /// Bytes that the tree or the table takes.
    fn bytes(&self) -> u64;

    /// Tells the key and the answer of every position that was settled and whose
    /// answer holds wherever it is met, for the table from which certificates
    /// are written.
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
