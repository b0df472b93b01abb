//! Computes values by plain recursion with a memo, which is slow but simple enough to be reliable.

use proofwood::{Game, Turn};
use std::collections::HashMap;
use std::hash::Hash;

/// Computes the payoff that `player` can force if all others play against it. In a two-player
/// zero-sum game this is the value.
pub(crate) struct Oracle<'g, G: Game> {
    game: &'g G,
    player: usize,
    memo: HashMap<G::State, i32>,
}

impl<'g, G: Game<State: Eq + Hash>> Oracle<'g, G> {
    pub(crate) fn new(game: &'g G, player: usize) -> Oracle<'g, G> {
        Oracle { game, player, memo: HashMap::new() }
    }

    pub(crate) fn value(&mut self, state: &G::State) -> i32 {
        let Turn::Player(mover) = self.game.turn(state) else {
            return self.game.payoff(state, self.player);
        };
        if let Some(&value) = self.memo.get(state) {
            return value;
        }
        let (least, most) = self.game.payoff_range(self.player).into_inner();
        let mut moves = Vec::new();
        self.game.legal_moves(state, &mut moves);
        let mut children: Vec<G::State> =
            moves.into_iter().map(|mv| self.game.after(state, mv)).collect();
        // Finished games come first: they need no recursion and may decide the value.
        children.sort_by_key(|child| self.game.turn(child) != Turn::Over);
        let mut best = None;
        for child in children {
            let value = self.value(&child);
            let kept = best.get_or_insert(value);
            *kept = if mover == self.player { value.max(*kept) } else { value.min(*kept) };
            // No other payoff is better for the mover, so the other moves do not matter.
            if *kept == if mover == self.player { most } else { least } {
                break;
            }
        }
        let value = best.expect("a game that is not over has a move");
        self.memo.insert(state.clone(), value);
        value
    }

    /// Returns the value of the start position and the moves that preserve it.
    pub(crate) fn solve(&mut self) -> (i32, Vec<String>) {
        let start = self.game.initial_state();
        let value = self.value(&start);
        let mut moves = Vec::new();
        self.game.legal_moves(&start, &mut moves);
        moves.retain(|&mv| self.value(&self.game.after(&start, mv)) == value);
        (value, moves.into_iter().map(|mv| self.game.move_text(&start, mv)).collect())
    }
}
