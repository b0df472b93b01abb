//! Probability-based proof-number search.

use super::best_first::{BestFirst, Leaf, Leaves};
use super::sampling::{Sampler, Sampling};
use crate::SearchError;
use crate::game::Game;
use crate::log_odds;
use crate::tree::{Logic, SeenChild};

/// Probability-based proof-number search (Song, Iida and van den Herik,
/// *Probability based Proof Number Search*, 2019; Primanita, Khalid and Iida,
/// *Characterizing the Nature of Probability-Based Proof Number Search*, 2020,
/// equations 1 to 7).
///
/// A node's value is the probability that the claimant gets what it claims: the
/// win rate of playouts at a leaf, moved inside by θ when it is 0 or 1;
/// 1 − Π(1 − v) where the claimant moves, Πv elsewhere. The most proving child
/// has the greatest value where the claimant moves, the least elsewhere.
///
/// Values are kept as log-odds (see [`log_odds`]), and beside them the status,
/// which alone says what is proven.
pub(crate) type Ppns<G> = BestFirst<G, Likely>;

/// Leaves whose values are win rates.
pub(crate) struct Likely {
    sampling: Sampling,
    /// The estimate is good enough when the value is no further from 0 or 1.
    precision: Option<f64>,
}

impl Likely {
    /// The reasoning of probability-based proof-number search, and its leaves.
    /// With a `precision` the search ends as soon as the root's value is so near
    /// to 0 or 1, which proves nothing.
    pub(crate) fn new(sampling: Sampling, precision: Option<f64>) -> (Logic, Likely) {
        let logic = Logic { products: true, proof_numbers: false, ..Logic::two_sides(false, true) };
        (logic, Likely { sampling, precision })
    }
}

impl<G: Game> Leaves<G> for Likely {
    type Scratch = Sampler<G::Move>;

    fn scratch(&self, thread: usize) -> Sampler<G::Move> {
        self.sampling.sampler(thread)
    }

    fn look(
        &self,
        leaf: &mut Leaf<'_, G>,
        sampler: &mut Sampler<G::Move>,
        moves: &[G::Move],
        seen: &mut Vec<SeenChild>,
    ) -> Result<bool, SearchError> {
        leaf.value_children(moves, seen, |leaf, state, _| {
            let rate = self.sampling.rate(leaf, sampler, state);
            Ok(rate.map(|rate| leaf.logic.leaf_with_log_odds(log_odds::of(rate))))
        })
    }

    fn is_good_enough(&self, root: f64) -> bool {
        self.precision.is_some_and(|precision| root.abs() >= -log_odds::of(precision))
    }
}
