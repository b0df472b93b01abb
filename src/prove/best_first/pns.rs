//! The prover PNS, proof-number search.

use super::{BestFirst, LeafNumbers, Looker, NewLeaf};
use crate::error::SearchError;
use crate::game::Game;
use crate::prove::run::Meter;
use crate::prove::setting::{ReplyBuffer, Setting};
use crate::tree::{Logic, SeenChild};

/// Creates a proof-number search (Allis, van der Meulen and van den Herik, 1994).
///
/// # Errors
/// See [`BestFirst::new`].
pub(crate) fn prover<'s, G: Game>(
    setting: Setting<'s, G>,
) -> Result<BestFirst<'s, G>, SearchError> {
    let mobility = setting.config.mobility.unwrap_or(false);
    BestFirst::new(setting, Logic::two_sides(mobility, false), Box::new(CountedLeaves))
}

/// Initialises leaves with the numbers 1 and 1 or, with mobility initialisation, with 1 for the
/// side to move and the number of its moves for the other side (Allis, *Searching for Solutions in
/// Games and Artificial Intelligence*, 1994, chapter 2).
pub(crate) struct CountedLeaves;

impl<G: Game> LeafNumbers<G> for CountedLeaves {
    fn looker(&self, _thread: usize) -> Box<dyn Looker<G> + '_> {
        Box::new(Replies(ReplyBuffer::default()))
    }
}

struct Replies<G: Game>(ReplyBuffer<G>);

impl<G: Game> Looker<G> for Replies<G> {
    fn look(
        &mut self,
        leaf: &NewLeaf<'_, G>,
        _: &mut Meter<'_, '_>,
        seen: &mut Vec<SeenChild>,
    ) -> Result<bool, SearchError> {
        let replies = &mut self.0;
        leaf.value_children(seen, |state, mover| Ok(Some(leaf.unknown(state, mover, replies)?)))
    }
}
