//! Long lines that come back to a position.
//!
//! Where both sides can go back and forth, all playouts may follow one line, which gets a move
//! longer each time: a thousand playouts then make half a million moves. What is below a
//! position's second place in a line is below its first, too. So the second place stays a leaf,
//! and playouts end there: nothing that can be proven is lost.
//!
//! Short lines are not looked at, since that would cost every playout.

use super::leaves::LeafEvaluation;
use super::worker::Worker;
use crate::game::Game;
use crate::tree::Trail;

/// Moves below the root up to which nobody asks for repetitions.
const SHORT: usize = 64;

impl<G: Game, L: LeafEvaluation<G>> Worker<'_, G, L> {
    /// Whether the position at the end of a trail was on it before. With chance, never: what
    /// an outcome is worth on average takes all places of a position.
    #[inline]
    pub(super) fn has_come_back(&self, trail: &Trail<'_>, state: &G::State) -> bool {
        trail.path.len() > SHORT && !self.shared.tree.logic.chance && self.repeats(trail, state)
    }

    /// The same of any trail. Positions are played anew, as playouts keep none on their way.
    #[cold]
    #[inline(never)]
    fn repeats(&self, trail: &Trail<'_>, state: &G::State) -> bool {
        let (game, tree) = (&self.shared.game, &self.shared.tree);
        let Some(here) = game.key(state) else { return false };
        let mut state = self.shared.root.clone();
        trail.path.windows(2).any(|steps| {
            let is_here = game.key(&state) == Some(here);
            game.play(&mut state, tree.move_between(steps[0], steps[1]));
            is_here
        })
    }
}
