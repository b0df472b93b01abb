//! Questions of provers and their answers.

use crate::game::{Game, Outcome, Turn};
use crate::rules::Declared;

/// A yes-or-no question about a position: can `player` force a payoff of at least `at_least`,
/// against all others?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Question {
    /// The claimant.
    pub player: usize,
    /// The least payoff for which the answer is yes.
    pub at_least: i32,
}

/// The answer to a [`Question`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The player can force the payoff in a finite number of moves.
    Proven,
    /// The others can prevent it.
    Disproven,
}

impl Verdict {
    /// The payoffs of the claimant and the others in the two-sided game of the question.
    pub(crate) fn payoffs(self) -> [i32; 2] {
        match self {
            Verdict::Proven => [1, -1],
            Verdict::Disproven => [-1, 1],
        }
    }
}

/// The answer at a solved position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) verdict: Verdict,
    /// Proven: the claimant receives at least this; disproven: at most this.
    pub(crate) score: i32,
    pub(crate) basis: Basis,
}

/// The basis of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Basis(pub(super) u32);

impl Basis {
    /// Lines of play that all end.
    pub(crate) const ENDS: Basis = Basis(u32::MAX);
    /// A repetition below the position: disproven on every path.
    pub(crate) const ROUND: Basis = Basis(u32::MAX - 1);

    /// The repetition of the position at this depth below the root.
    pub(crate) fn repetition(depth: usize) -> Basis {
        Basis(depth as u32)
    }

    /// Returns whether it rests on a position above the one at this depth.
    pub(crate) fn is_above(self, depth: usize) -> bool {
        (self.0 as usize) < depth
    }

    /// The common basis of two answers.
    pub(crate) fn and(self, other: Basis) -> Basis {
        self.min(other)
    }

    /// The basis seen from outside the position at this depth: a repetition of itself, or of a
    /// position below it, becomes `ROUND`.
    pub(crate) fn outside(self, depth: usize) -> Basis {
        if self == Basis::ENDS || self.is_above(depth) { self } else { Basis::ROUND }
    }
}

/// The side to move, relative to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The claimant: one good move suffices.
    Claimant,
    /// Another player, or chance: every move must be good for the claimant.
    Others,
    /// None: the game is over, with this answer.
    Over(Verdict),
}

impl Question {
    /// The side to move in `state`, or the answer when the game is over.
    pub fn side<G: Game>(&self, game: &G, state: &G::State) -> Side {
        match game.turn(state) {
            Turn::Over if game.payoff(state, self.player) >= self.at_least => {
                Side::Over(Verdict::Proven)
            }
            Turn::Over => Side::Over(Verdict::Disproven),
            Turn::Player(player) if player == self.player => Side::Claimant,
            Turn::Player(_) | Turn::Chance => Side::Others,
        }
    }

    /// The least payoff with at least `outcome` for `player`; `None` if the game has no such
    /// payoff, or its declarations are contradictory; see [`Game::zero_sum`].
    pub fn threshold<G: Game>(game: &G, player: usize, outcome: Outcome) -> Option<i32> {
        let declared = Declared::by(game).ok()?;
        match outcome {
            Outcome::Loss => Some(declared.ranges[player].lower),
            _ => declared.thresholds[player].least(outcome),
        }
    }
}
