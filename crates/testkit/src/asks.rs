//! A wrapper that makes a chosen player of a game the subject of a search.

use proofwood::{Game, Turn};
use std::ops::RangeInclusive;

/// A game preceded by a single move of a chosen player, which changes nothing.
#[derive(Clone, Debug)]
pub struct Asks<G> {
    /// The game that begins after that move.
    pub game: G,
    /// The player who makes that move; a search from the start evaluates the game for this player.
    pub player: usize,
}

impl<G: Game> Game for Asks<G> {
    /// The wrapped game's state; `None` before the first move.
    type State = Option<G::State>;
    type Move = Option<G::Move>;

    fn initial_state(&self) -> Self::State {
        None
    }
    fn turn(&self, state: &Self::State) -> Turn {
        state.as_ref().map_or(Turn::Player(self.player), |state| self.game.turn(state))
    }
    fn legal_moves(&self, state: &Self::State, moves: &mut Vec<Self::Move>) {
        let Some(state) = state else { return moves.push(None) };
        let mut inner = Vec::new();
        self.game.legal_moves(state, &mut inner);
        moves.extend(inner.into_iter().map(Some));
    }
    fn play(&self, state: &mut Self::State, mv: Self::Move) {
        match (state, mv) {
            (Some(state), Some(mv)) => self.game.play(state, mv),
            (state, _) => *state = Some(self.game.initial_state()),
        }
    }
    fn payoff(&self, state: &Self::State, player: usize) -> i32 {
        self.game.payoff(state.as_ref().expect("it has begun"), player)
    }
    fn num_players(&self) -> usize {
        self.game.num_players()
    }
    fn payoff_range(&self, player: usize) -> RangeInclusive<i32> {
        self.game.payoff_range(player)
    }
    fn key(&self, state: &Self::State) -> Option<u64> {
        state.as_ref().map_or(Some(0), |state| self.game.key(state))
    }
}
