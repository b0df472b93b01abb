//! The prover PPNS, probability-based proof-number search.

use super::{BestFirst, ChildEvaluator, LeafNumbers};
use crate::error::SearchError;
use crate::game::Game;
use crate::math::log_odds;
use crate::prove::sampling::Sampling;
use crate::prove::setting::Setting;
use crate::tree::{Logic, Premises};

/// Creates a probability-based proof-number search (Song, Iida and van den Herik, *Probability
/// based Proof Number Search*, 2019; Primanita, Khalid and Iida, *Characterizing the Nature of
/// Probability-Based Proof Number Search*, 2020, equations 1 to 7).
///
/// A node's value is the probability that the claim is true. A leaf's value is the win rate of
/// playouts, where 0 and 1 are replaced by θ and 1 − θ. An inner node's value is 1 − Π(1 − v) over
/// the values v of its children if the claimant is to move, else Πv. The most proving child has the
/// greatest value if the claimant is to move, else the least.
///
/// Values are stored as log-odds (see [`log_odds`]). Only the status, which is stored separately,
/// determines whether a node is proven.
///
/// # Errors
/// See [`BestFirst::new`].
pub(crate) fn prover<'s, G: Game>(
    setting: Setting<'s, G>,
) -> Result<BestFirst<'s, G>, SearchError> {
    let two_sides = Premises::two_sides(false, true);
    let logic = Logic::new(Premises { products: true, proof_numbers: false, ..two_sides });
    let sampling = Sampling::new(setting.config);
    let leaves = ProbableLeaves { sampling, precision: setting.config.precision };
    BestFirst::new(setting, logic, Box::new(leaves))
}

pub(crate) struct ProbableLeaves {
    sampling: Sampling,
    /// The greatest distance of the estimate from 0 or 1 at which the search may end.
    precision: Option<f64>,
}

impl<G: Game> LeafNumbers<G> for ProbableLeaves {
    fn child_evaluator(&self, thread: usize) -> ChildEvaluator<'_, G> {
        let mut sampler = self.sampling.sampler(thread);
        Box::new(move |leaf, meter, seen| {
            leaf.value_children(seen, |state, _| {
                let rate = sampler.win_rate(leaf.setting, state, meter);
                Ok(rate.map(|rate| leaf.logic.leaf_with_log_odds(log_odds::of(rate))))
            })
        })
    }

    fn is_good_enough(&self, root: f64) -> bool {
        self.precision.is_some_and(|precision| root.abs() >= -log_odds::of(precision))
    }
}
