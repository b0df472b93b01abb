//! Monte-Carlo proof-number search.

use super::sampling::{Sampler, Sampling};
use super::{BestFirst, Leaf, Leaves};
use crate::bounds::ProofNumber;
use crate::error::SearchError;
use crate::game::Game;
use crate::prove::run::{Meter, Run};
use crate::prove::setting::Setting;
use crate::tree::{Logic, SeenChild};

/// Monte-Carlo proof-number search (Saito, Chaslot, Uiterwijk and van den
/// Herik, *Monte-Carlo Proof-Number Search for Computer Go*, 2006), with the
/// leaf numbers of the program of Primanita, Khalid and Iida (2020): for a win
/// rate R, moved inside by θ when it is 0 or 1, the proof number is 1 − R and
/// the disproof number R. They are added and compared as in proof-number search.
///
/// # Errors
/// As [`BestFirst::new`].
pub(crate) fn prover<'s, G: Game>(
    setting: Setting<'s, G>,
) -> Result<BestFirst<'s, G, Rated<G::State>>, SearchError> {
    let leaves = Rated(Sampling::new(setting.config));
    BestFirst::new(setting, Logic::two_sides(false, true), leaves)
}

/// Proof numbers are counted in this fraction, so that their sums are integers,
/// do not depend on their order, and never come near 0 or ∞ by rounding.
pub(crate) const UNIT: u32 = 1 << 10;

/// Leaves whose numbers are win rates.
pub(crate) struct Rated<S>(Sampling<S>);

/// A fraction in whole units, at least one.
fn number(fraction: f64) -> ProofNumber {
    ProofNumber::finite(((fraction * f64::from(UNIT)).round() as u64).max(1))
}

impl<G: Game> Leaves<G> for Rated<G::State> {
    type Scratch = Sampler<G>;
    const VIRTUAL: f64 = UNIT as f64;

    fn scratch(&self, thread: usize) -> Sampler<G> {
        self.0.sampler(thread)
    }

    fn look(
        &self,
        leaf: &Leaf<'_, G>,
        sampler: &mut Sampler<G>,
        meter: &mut Meter<'_, '_>,
        seen: &mut Vec<SeenChild>,
    ) -> Result<bool, SearchError> {
        let facts = |rate| leaf.logic.leaf_with([number(1.0 - rate), number(rate)]);
        self.0.look(leaf, sampler, meter, seen, facts)
    }

    fn one_grows(&self) -> bool {
        self.0.has_crew()
    }

    fn help(&self, setting: &Setting<'_, G>, thread: usize, run: &Run<'_>) {
        self.0.help(setting, thread, run);
    }
}
