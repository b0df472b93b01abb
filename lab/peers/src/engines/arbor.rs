//! Adapter for `arbor`: one thread, no solver.

use crate::position::{End, PerThread, Position, Rules};
use arbor::{Action, GameResult, GameState, MCTS, Player};
use proofwood_measure::Clock;
use std::time::Duration;

#[derive(Clone, Copy, Debug)]
struct Move<M>(M);

impl<M: Copy + std::fmt::Debug> Action for Move<M> {}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Side(bool);

impl Player for Side {}

impl<G: Rules<Move: PerThread>> GameState<Side, Move<G::Move>> for Position<G> {
    fn actions<F: FnMut(Move<G::Move>)>(&self, add: &mut F) {
        // `arbor` lists the moves once per node, so a buffer for each call would add a cost of our
        // own.
        G::Move::with_player(|player| {
            for &mv in player.list(self) {
                add(Move(mv));
            }
        });
    }

    fn make(&self, Move(mv): Move<G::Move>) -> Position<G> {
        let mut next = *self;
        next.play(mv);
        next
    }

    fn gameover(&self) -> Option<GameResult> {
        self.end().map(|end| match end {
            End::Won => GameResult::Win,
            End::Drawn => GameResult::Draw,
            End::Lost => GameResult::Lose,
        })
    }

    fn player(&self) -> Side {
        Side(self.next() == 1)
    }

    /// Returns the result of our own playout. The library's playout would list the moves of every
    /// position.
    fn custom_evaluation(&self) -> f32 {
        let value = G::Move::with_player(|player| player.play_out(self)).signum();
        let value = if self.next() == 0 { value } else { -value };
        (value + 1) as f32 / 2.0
    }
}

pub(super) fn search<G: Rules<Move: PerThread>>(root: Position<G>, playouts: u64) {
    MCTS::new(root).with_custom_evaluation().ponder(playouts as usize);
}

/// Chooses a move. The library has no time limit, so the clock is read after every few playouts.
pub(super) fn choose<G: Rules<Move: PerThread>>(
    root: Position<G>,
    time: Duration,
) -> Option<G::Move> {
    const AT_ONCE: usize = 16;
    let clock = Clock::start();
    let mut search = MCTS::new(root).with_custom_evaluation();
    while clock.took().cpu < time {
        search.ponder(AT_ONCE);
    }
    search.best().map(|Move(mv)| mv)
}
