//! Questions for provers, and their answers.

use crate::game::{Game, Outcome, Turn};
use crate::rules::Declared;

/// A yes-or-no question about a position: can `player` force a payoff of at least `at_least`
/// against all others?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Question {
    /// The claimant, that is, the player whose payoff is in question, counted from 0.
    pub player: usize,
    /// The least payoff for which the answer is yes.
    pub at_least: i32,
}

/// The answer to a [`Question`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The player can force the payoff in a finite number of moves.
    Proven,
    /// The others can prevent the payoff.
    Disproven,
}

impl Verdict {
    /// Returns the payoffs of the claimant and of the others in the question's two-sided game.
    pub(crate) fn payoffs(self) -> [i32; 2] {
        match self {
            Verdict::Proven => [1, -1],
            Verdict::Disproven => [-1, 1],
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) verdict: Verdict,
    /// If proven, a lower bound on the claimant's payoff; if disproven, an upper bound.
    pub(crate) score: i32,
    pub(crate) basis: Basis,
}

/// Describes whether an answer depends on a repetition, and of which position on the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Basis(pub(super) u32);

impl Basis {
    /// The answer depends only on lines of play that end.
    pub(crate) const ENDS: Basis = Basis(u32::MAX);
    /// The disproof depends only on repetitions below the position, so it holds on every path.
    pub(crate) const ROUND: Basis = Basis(u32::MAX - 1);

    /// Returns the basis of a disproof by repetition of the position at this depth below the root.
    pub(crate) fn repetition(depth: usize) -> Basis {
        Basis(depth as u32)
    }

    /// Returns whether the answer depends on the repetition of a position above this depth.
    pub(crate) fn is_above(self, depth: usize) -> bool {
        (self.0 as usize) < depth
    }

    pub(crate) fn and(self, other: Basis) -> Basis {
        self.min(other)
    }

    /// Returns the basis as it applies above the position at this depth: a repetition of that
    /// position or of a position below it becomes `ROUND`.
    pub(crate) fn outside(self, depth: usize) -> Basis {
        if self == Basis::ENDS || self.is_above(depth) { self } else { Basis::ROUND }
    }
}

/// The side to move, relative to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The claimant, who needs one good move.
    Claimant,
    /// Another player, or chance. The claimant needs every move to be good.
    Others,
    /// No side, because the game is over; this is the answer.
    Over(Verdict),
}

impl Question {
    /// Returns the side to move in `state`, or the answer if the game is over.
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

    /// Returns the least payoff with which `player` gets at least `outcome`. The result is `None`
    /// if the game has no such payoff, or if its declarations contradict each other (see
    /// [`Game::zero_sum`]).
    pub fn threshold<G: Game>(game: &G, player: usize, outcome: Outcome) -> Option<i32> {
        let declared = Declared::by(game).ok()?;
        match outcome {
            Outcome::Loss => Some(declared.ranges[player].lower),
            _ => declared.thresholds[player].least(outcome),
        }
    }
}
