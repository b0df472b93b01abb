//! Monte-Carlo proof-number search.

use super::best_first::{BestFirst, Leaf, Leaves};
use super::sampling::{Sampler, Sampling};
use crate::SearchError;
use crate::game::Game;
use crate::proof_number::ProofNumber;
use crate::tree::{Logic, SeenChild};

/// Monte-Carlo proof-number search (Saito, Chaslot, Uiterwijk and van den
/// Herik, *Monte-Carlo Proof-Number Search for Computer Go*, 2006), with the
/// leaf numbers of the program of Primanita, Khalid and Iida (2020): for a win
/// rate R, moved inside by θ when it is 0 or 1, the proof number is 1 − R and
/// the disproof number R. They are added and compared as in proof-number search.
pub(crate) type Mcpns<G> = BestFirst<G, Rated>;

/// Proof numbers are counted in this fraction, so that their sums are integers,
/// do not depend on their order, and never come near 0 or ∞ by rounding.
pub(crate) const UNIT: u32 = 1 << 10;

/// Leaves whose numbers are win rates.
pub(crate) struct Rated(Sampling);

impl Rated {
    /// The reasoning of Monte-Carlo proof-number search, and its leaves.
    pub(crate) fn new(sampling: Sampling) -> (Logic, Rated) {
        (Logic::two_sides(false, true), Rated(sampling))
    }
}

/// A fraction in whole units, at least one.
fn number(fraction: f64) -> ProofNumber {
    ProofNumber::finite(((fraction * f64::from(UNIT)).round() as u64).max(1))
}

impl<G: Game> Leaves<G> for Rated {
    type Scratch = Sampler<G::Move>;
    const VIRTUAL: f64 = UNIT as f64;

    fn scratch(&self, thread: usize) -> Sampler<G::Move> {
        self.0.sampler(thread)
    }

    fn look(
        &self,
        leaf: &mut Leaf<'_, G>,
        sampler: &mut Sampler<G::Move>,
        moves: &[G::Move],
        seen: &mut Vec<SeenChild>,
    ) -> Result<bool, SearchError> {
        leaf.value_children(moves, seen, |leaf, state, _| {
            let rate = self.0.rate(leaf, sampler, state);
            Ok(rate.map(|rate| leaf.logic.leaf_with([number(1.0 - rate), number(rate)])))
        })
    }
}
