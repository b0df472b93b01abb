//! Joins the facts about a node, and derives facts about other nodes from them.

use super::logic::{Facts, Logic};
use super::node::SOLVED;
use super::premises::Premises;
use crate::bounds::{Interval, ProofNumber, Prospect, Span};
use crate::game::{Outcome, Turn};
use crate::rules::Thresholds;

impl Facts {
    /// Whether the question has a proven answer.
    pub(crate) fn is_solved(&self) -> bool {
        self.flags & SOLVED != 0
    }
}

impl Logic {
    /// The logic of a yes-or-no question: see [`Premises::two_sides`].
    pub(crate) fn two_sides(mobility: bool, given_leaves: bool) -> Logic {
        Logic::new(Premises::two_sides(mobility, given_leaves))
    }

    /// Joins two sets of facts about a node. If a proof number is open in both, the one in `first`
    /// is used.
    pub(super) fn join(&self, first: &Facts, second: &Facts) -> Facts {
        let mut facts = *first;
        for player in 0..self.players {
            let (own, other) = (facts.proof_numbers[player], second.proof_numbers[player]);
            if !other.is_open() {
                facts.contradictory |= !own.is_open() && own != other;
                facts.proof_numbers[player] = other;
            }
            let (own, other) = (facts.intervals[player], second.intervals[player]);
            facts.intervals[player] = own.and(other).unwrap_or_else(|_| {
                facts.contradictory = true;
                own
            });
        }
        facts.flags |= second.flags;
        self.conclude(&mut facts);
        facts
    }

    /// Derives facts about every successor of a position with this turn and these facts: the mover
    /// cannot get more by any move, and the others keep what they have secured. If chance decides,
    /// only proven wins are passed on, because a mean says nothing about a single outcome.
    pub(super) fn pass_on(&self, turn: Turn, facts: &Facts) -> Facts {
        let mut passed = self.unknown();
        for player in 0..self.players {
            let (number, span) = (facts.proof_numbers[player], facts.intervals[player]);
            let moves = turn == Turn::Player(player);
            if if moves { number.is_infinite() } else { number.is_proven() } {
                passed.proof_numbers[player] = number;
            }
            let range = self.spans[player];
            passed.intervals[player] = match turn {
                Turn::Player(_) if moves => Span { upper: span.upper, ..range },
                Turn::Player(_) => Span { lower: span.lower, ..range },
                _ => range,
            };
        }
        self.conclude(&mut passed);
        passed
    }
    /// The facts of a leaf with these proof numbers, which must not settle it.
    pub(crate) fn leaf_with(&self, numbers: [ProofNumber; 2]) -> Facts {
        let mut facts = self.unknown();
        facts.proof_numbers[..2].copy_from_slice(&numbers);
        facts
    }

    /// The facts of a leaf with these log-odds, which must not settle it.
    pub(crate) fn leaf_with_log_odds(&self, log_odds: f64) -> Facts {
        Facts { log_odds, ..self.unknown() }
    }

    /// The facts of a node at which player 0 gets a payoff within these bounds, in a two-player
    /// zero-sum game without chance.
    pub(super) fn between(&self, payoffs: Interval) -> Facts {
        let mut facts = self.unknown();
        for (player, own) in [payoffs, payoffs.reversed()].into_iter().enumerate() {
            // Without score bounds nodes do not store intervals: setting one would look like a new
            // fact at every node.
            if self.score_bounds {
                facts.intervals[player] = own.into();
            }
            let outcome = |payoff| self.thresholds[player].outcome(payoff);
            if outcome(own.lower) == Outcome::Win {
                facts.proof_numbers[player] = ProofNumber::PROVEN;
            } else if outcome(own.upper) != Outcome::Win {
                facts.proof_numbers[player] = ProofNumber::INFINITE;
            }
        }
        self.conclude(&mut facts);
        facts
    }

    /// The bounds that facts imply on the payoff of player 0, in a two-player zero-sum game without
    /// chance.
    pub(crate) fn payoffs(&self, facts: &Facts) -> Interval {
        let Interval { lower, upper } = facts.intervals[0].whole();
        let (thresholds, prospect) = (self.thresholds[0], self.prospect_of(0, facts));
        let Thresholds { draw, win } = thresholds;
        let too_good = match prospect.best {
            Outcome::Win => None,
            Outcome::Draw => win,
            Outcome::Loss => draw.or(win),
        };
        Interval {
            lower: thresholds.least(prospect.worst).map_or(lower, |least| least.max(lower)),
            upper: too_good.map_or(upper, |least| (least - 1).min(upper)),
        }
    }

    /// The outcomes that facts leave open for `player`.
    pub(crate) fn prospect_of(&self, player: usize, facts: &Facts) -> Prospect {
        self.prospect(player, &facts.proof_numbers[..self.players], || facts.intervals[player])
    }
}
