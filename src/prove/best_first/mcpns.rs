//! The prover MCPNS, Monte-Carlo proof-number search.

use super::{BestFirst, ChildEvaluator, LeafNumbers};
use crate::bounds::ProofNumber;
use crate::error::SearchError;
use crate::game::Game;
use crate::prove::sampling::Sampling;
use crate::prove::setting::Setting;
use crate::tree::Logic;

/// Creates a Monte-Carlo proof-number search (Saito, Chaslot, Uiterwijk and van den Herik,
/// *Monte-Carlo Proof-Number Search for Computer Go*, 2006). Leaves are initialised according to
/// Primanita, Khalid and Iida (2020): a leaf with the win rate R has the proof number 1 − R and the
/// disproof number R, where a rate of 0 or 1 is replaced by θ or 1 − θ. Numbers are added and
/// compared as in proof-number search.
///
/// # Errors
/// See [`BestFirst::new`].
pub(crate) fn prover<'s, G: Game>(
    setting: Setting<'s, G>,
) -> Result<BestFirst<'s, G>, SearchError> {
    let leaves = SampledLeaves(Sampling::new(setting.config));
    BestFirst::new(setting, Logic::two_sides(false, true), Box::new(leaves))
}

/// The number 1 in fixed point. Numbers are multiples of 1/1024 stored as integers, so that sums
/// are exact in any order and are never rounded to 0 or ∞.
pub(crate) const UNIT: u32 = 1 << 10;

pub(crate) struct SampledLeaves(Sampling);

fn number(fraction: f64) -> ProofNumber {
    ProofNumber::finite(((fraction * f64::from(UNIT)).round() as u64).max(1))
}

impl<G: Game> LeafNumbers<G> for SampledLeaves {
    fn virtual_number(&self) -> f64 {
        f64::from(UNIT)
    }

    fn child_evaluator(&self, thread: usize) -> ChildEvaluator<'_, G> {
        let mut sampler = self.0.sampler(thread);
        Box::new(move |leaf, meter, seen| {
            leaf.value_children(seen, |state, _| {
                let rate = sampler.win_rate(leaf.setting, state, meter);
                Ok(rate.map(|rate| leaf.logic.leaf_with([number(1.0 - rate), number(rate)])))
            })
        })
    }
}
