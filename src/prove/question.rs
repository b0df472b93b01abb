//! What provers are asked and what they answer.

use crate::game::{Game, Outcome, Turn};
use crate::rules::Declared;

/// A yes-or-no question about a position: can `player` make sure of receiving
/// `at_least` this much, whatever all the others do?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Question {
    /// The player who claims it.
    pub player: usize,
    /// The least payoff that answers the question with yes.
    pub at_least: i32,
}

/// The answer to a [`Question`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The player can make sure of it, in a finite number of moves.
    Proven,
    /// The others can prevent it.
    Disproven,
}

impl Verdict {
    /// What the claimant and the others receive in the game of two sides that
    /// the question is.
    pub(crate) fn payoffs(self) -> [i32; 2] {
        match self {
            Verdict::Proven => [1, -1],
            Verdict::Disproven => [-1, 1],
        }
    }
}

/// The answer at a settled position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) verdict: Verdict,
    /// Proven: the claimant receives at least this; disproven: at most this.
    pub(crate) score: i32,
    pub(crate) basis: Basis,
}

/// What an answer rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Basis(pub(super) u32);

impl Basis {
    /// On lines of play that all end.
    pub(crate) const ENDS: Basis = Basis(u32::MAX);
    /// On a repetition below the position: disproven, however it was reached.
    pub(crate) const ROUND: Basis = Basis(u32::MAX - 1);

    /// On the repetition of the position at this depth below the root.
    pub(crate) fn repetition(depth: usize) -> Basis {
        Basis(depth as u32)
    }

    /// Whether it rests on a position above the one at this depth.
    pub(crate) fn is_above(self, depth: usize) -> bool {
        (self.0 as usize) < depth
    }

    /// What two answers together rest on.
    pub(crate) fn and(self, other: Basis) -> Basis {
        self.min(other)
    }

    /// The same seen from outside of the position at this depth: a repetition
    /// of itself, or of what is below it, is nothing but a repetition.
    pub(crate) fn outside(self, depth: usize) -> Basis {
        if self == Basis::ENDS || self.is_above(depth) { self } else { Basis::ROUND }
    }
}

/// Who is to move, as a question sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The player who claims: one good move is enough.
    Claimant,
    /// Anybody else, or chance: every move must be good for the claimant.
    Others,
    /// Nobody: the game is over, and this is the answer.
    Over(Verdict),
}

impl Question {
    /// Whose side is to move in `state`, or the answer when the game is over.
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

    /// The least payoff that is worth at least `outcome` to `player`; `None`
    /// when the game pays nothing that good, or declares what cannot be; see
    /// [`Game::zero_sum`].
    pub fn threshold<G: Game>(game: &G, player: usize, outcome: Outcome) -> Option<i32> {
        let declared = Declared::by(game).ok()?;
        match outcome {
            Outcome::Loss => Some(declared.ranges[player].lower),
            _ => declared.thresholds[player].least(outcome),
        }
    }
}
