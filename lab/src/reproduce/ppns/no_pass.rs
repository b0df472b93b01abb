//! Othello as the paper's program plays it: a player who cannot place a disc, while the opponent
//! can, has lost.
//!
//! In that program (github.com/90sradiosong/ProbabilityPNS, `Othello/MCPNS.cpp` and `PPNS.cpp`) a
//! position without moves gets no children when it is expanded. The sum, minimum and product over
//! no children then mean that the side to move has lost. By the rules it would pass, and the game
//! would continue.

use proofwood::{Game, Rng, Turn};
use proofwood_games::Othello;
use proofwood_games::othello::{Move, State};
use std::ops::RangeInclusive;

pub(super) struct NoPass(pub(super) Othello);

impl NoPass {
    /// The player who would have to pass, if there is one.
    fn stuck(&self, state: &State) -> Option<usize> {
        let Turn::Player(side) = self.0.turn(state) else { return None };
        let mut moves = Vec::new();
        let mv = self.0.random_move(state, &mut moves, &mut Rng::new(0));
        (mv == Some(Move::Pass)).then_some(side)
    }
}

impl Game for NoPass {
    type State = State;
    type Move = Move;

    fn initial_state(&self) -> State {
        self.0.initial_state()
    }
    fn turn(&self, state: &State) -> Turn {
        match self.stuck(state) {
            Some(_) => Turn::Over,
            None => self.0.turn(state),
        }
    }
    fn legal_moves(&self, state: &State, moves: &mut Vec<Move>) {
        self.0.legal_moves(state, moves);
    }
    fn play(&self, state: &mut State, mv: Move) {
        self.0.play(state, mv);
    }
    fn payoff(&self, state: &State, player: usize) -> i32 {
        match self.stuck(state) {
            Some(side) if side == player => -64,
            Some(_) => 64,
            None => self.0.payoff(state, player),
        }
    }
    fn zero_sum(&self) -> bool {
        true
    }
    fn payoff_range(&self, player: usize) -> RangeInclusive<i32> {
        self.0.payoff_range(player)
    }
    fn random_move(&self, state: &State, moves: &mut Vec<Move>, rng: &mut Rng) -> Option<Move> {
        self.0.random_move(state, moves, rng)
    }
    fn mobility(&self, state: &State, moves: &mut Vec<Move>) -> usize {
        self.0.mobility(state, moves)
    }
    fn key(&self, state: &State) -> Option<u64> {
        self.0.key(state)
    }
    fn move_text(&self, state: &State, mv: Move) -> String {
        self.0.move_text(state, mv)
    }
    fn state_text(&self, state: &State) -> String {
        self.0.state_text(state)
    }
    fn parse_state(&self, text: &str) -> Result<State, proofwood::TextError> {
        self.0.parse_state(text)
    }
}
