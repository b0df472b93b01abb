//! A game as a question sees it.

use super::{Question, Side, Verdict};
use crate::game::{Game, Outcome, Turn};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// A game of two sides of which one wins: side 0 claims what the question asks
/// for, side 1 is everybody else.
pub(crate) struct Asked<G> {
    pub(crate) game: Arc<G>,
    pub(crate) question: Question,
}

impl<G: Game> Asked<G> {
    /// Whose side is to move, or the answer when the game is over.
    #[inline]
    pub(crate) fn side(&self, state: &G::State) -> Side {
        self.question.side(&*self.game, state)
    }

    /// The position's key, where the game has one.
    #[inline]
    pub(crate) fn key(&self, state: &G::State) -> Option<u64> {
        self.game.hash(state)
    }
}

impl Verdict {
    /// What the two sides of a question receive.
    pub(crate) fn payoffs(self) -> [i32; 2] {
        match self {
            Verdict::Proven => [1, -1],
            Verdict::Disproven => [-1, 1],
        }
    }
}

impl<G: Game> Game for Asked<G> {
    type State = G::State;
    type Move = G::Move;

    fn initial_state(&self) -> G::State {
        self.game.initial_state()
    }

    fn turn(&self, state: &G::State) -> Turn {
        match self.side(state) {
            Side::Claimant => Turn::Player(0),
            Side::Others => Turn::Player(1),
            Side::Over(_) => Turn::Over,
        }
    }

    fn legal_moves(&self, state: &G::State, moves: &mut Vec<G::Move>) {
        self.game.legal_moves(state, moves);
    }

    fn play(&self, state: &mut G::State, mv: G::Move) {
        self.game.play(state, mv);
    }

    fn payoff(&self, state: &G::State, side: usize) -> i32 {
        match self.side(state) {
            Side::Over(verdict) => verdict.payoffs()[side],
            _ => 0,
        }
    }

    fn zero_sum(&self) -> bool {
        true
    }

    fn payoff_range(&self, _side: usize) -> RangeInclusive<i32> {
        -1..=1
    }

    fn outcome(&self, _side: usize, payoff: i32) -> Outcome {
        if payoff > 0 { Outcome::Win } else { Outcome::Loss }
    }

    fn hash(&self, state: &G::State) -> Option<u64> {
        self.game.hash(state)
    }
}
