//! The premises of a search's reasoning: the game, the question, and the options.

use crate::bounds::Interval;
use crate::game::MAX_PLAYERS;
use crate::rules::{Declared, Thresholds};
use crate::settings::Goal;

/// The players who are assumed to oppose each other when a search decides which children to skip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sides {
    /// One player's interval decides, and all others are taken to work against that player. This is
    /// true in one- and two-player zero-sum games, and a declared assumption in other games.
    Versus(usize),
    /// Everybody plays for themselves, so guarantees against a coalition prune nothing.
    Free,
}

/// The settings and properties of a game from which [`Logic`](super::Logic) follows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Premises {
    pub(crate) players: usize,
    pub(crate) zero_sum: bool,
    pub(crate) goal: Goal,
    pub(crate) sides: Sides,
    /// Whether statuses are used and not merely stored.
    pub(crate) solver: bool,
    pub(crate) score_bounds: bool,
    /// Whether intervals are stored even if statuses imply them, so that a test can compare the
    /// two.
    pub(crate) keeps_intervals: bool,
    /// Whether proof numbers are counted; otherwise they only distinguish proven, open and
    /// impossible.
    pub(crate) proof_numbers: bool,
    /// Whether a leaf's proof numbers start at its number of moves.
    pub(crate) mobility: bool,
    /// Whether the caller sets the initial numbers of leaves.
    pub(crate) given_leaves: bool,
    /// Whether log-odds are stored, and combined like independent probabilities.
    pub(crate) products: bool,
    /// Whether the game has chance nodes; intervals then bound expected payoffs, in fixed point.
    pub(crate) chance: bool,
    pub(crate) ranges: [Interval; MAX_PLAYERS],
    /// The least payoff that is a draw and the least that is a win, for each player.
    pub(crate) thresholds: [Thresholds; MAX_PLAYERS],
}

impl Premises {
    /// The premises for finding the outcome of a game with statuses and proof numbers only.
    pub(crate) fn of(declared: Declared) -> Premises {
        let Declared { players, zero_sum, chance, ranges, thresholds, .. } = declared;
        Premises {
            players,
            zero_sum,
            goal: Goal::Outcome,
            sides: if zero_sum || players == 1 { Sides::Versus(0) } else { Sides::Free },
            solver: true,
            score_bounds: false,
            keeps_intervals: false,
            proof_numbers: true,
            mobility: false,
            given_leaves: false,
            products: false,
            chance,
            ranges,
            thresholds,
        }
    }

    /// The premises of a yes-or-no question: side 0 claims, side 1 denies, and one of them wins.
    /// Their proof numbers are the question's proof number and disproof number.
    pub(crate) fn two_sides(mobility: bool, given_leaves: bool) -> Premises {
        let declared = Declared {
            players: 2,
            zero_sum: true,
            // Chance plays for the side that denies.
            chance: false,
            ranges: [Interval { lower: -1, upper: 1 }; MAX_PLAYERS],
            thresholds: [Thresholds { draw: Some(1), win: Some(1) }; MAX_PLAYERS],
            symmetric: false,
        };
        Premises { mobility, given_leaves, ..Premises::of(declared) }
    }
}
