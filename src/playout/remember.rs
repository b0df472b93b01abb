//! Answers that a thread keeps: what is settled at one node holds at every node with the same
//! position.

use super::leaves::LeafEvaluation;
use super::worker::Worker;
use crate::game::Game;
use crate::tree::Step;

impl<G: Game, L: LeafEvaluation<G>> Worker<'_, G, L> {
    /// Keeps the answer at a node that was just settled for other nodes with
    /// the same position.
    fn remember(&self, index: u32, state: &G::State) {
        if self.shared.settled.is_some() {
            self.remember_key(index, self.shared.key(state));
        }
    }

    /// The same of the position with this key.
    pub(super) fn remember_key(&self, index: u32, key: u64) {
        let Some(table) = &self.shared.settled else { return };
        if let Some(answer) = self.shared.tree.settled(index) {
            table.put(key, answer);
        }
    }

    /// The same for settled nodes on a path, from one on. Positions are played anew, so
    /// that playouts need no keys of the nodes that they pass; the game is asked when
    /// the tree was told all that there is to tell.
    #[inline(never)]
    pub(super) fn remember_from(&self, highest: usize, path: &[Step<'_>]) {
        let shared = self.shared;
        if shared.settled.is_none() {
            return;
        }
        let mut state = shared.root.clone();
        for (depth, steps) in path.windows(2).enumerate() {
            if depth >= highest && steps[0].node.load().is_settled() {
                self.remember(steps[0].index, &state);
            }
            shared.game.play(&mut state, shared.tree.move_between(steps[0], steps[1]));
        }
    }
}
