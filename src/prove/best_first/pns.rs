//! Proof-number search.

use super::{BestFirst, Leaf, Leaves};
use crate::error::SearchError;
use crate::game::Game;
use crate::prove::run::Meter;
use crate::prove::setting::Setting;
use crate::tree::{Logic, SeenChild};

/// Proof-number search (Allis, van der Meulen and van den Herik, 1994).
///
/// # Errors
/// As [`BestFirst::new`].
pub(crate) fn prover<'s, G: Game>(
    setting: Setting<'s, G>,
) -> Result<BestFirst<'s, G, Unknown>, SearchError> {
    BestFirst::new(setting, Logic::two_sides(setting.config.mobility, false), Unknown)
}

/// Leaves of which nothing is known: their numbers are 1 and 1 or, with mobility
/// initialisation, 1 for the side to move and the number of moves for the other
/// (Allis, *Searching for Solutions in Games and Artificial Intelligence*, 1994,
/// chapter 2).
pub(crate) struct Unknown;

impl<G: Game> Leaves<G> for Unknown {
    type Scratch = Vec<G::Move>;

    fn scratch(&self, _thread: usize) -> Vec<G::Move> {
        Vec::new()
    }

    fn look(
        &self,
        leaf: &Leaf<'_, G>,
        replies: &mut Vec<G::Move>,
        _: &mut Meter<'_, '_>,
        seen: &mut Vec<SeenChild>,
    ) -> Result<bool, SearchError> {
        leaf.value_children(seen, |state, mover| Ok(Some(leaf.unknown(state, mover, replies)?)))
    }
}
