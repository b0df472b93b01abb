//! What is still at stake at a node, in the unit of the question asked.

use super::columns::{Block, with_numbers};
use super::logic::{Facts, Logic};
use super::premises::Sides;
use crate::bounds::{NumberCell, ProofNumber, Prospect, Span};
use crate::game::{MAX_PLAYERS, Outcome};
use crate::settings::Goal;

/// What one player can still get: payoffs in fixed point when the score is asked
/// for, −1 to 1 for a win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) low: i64,
    pub(crate) high: i64,
}

impl Window {
    /// Everything that could be at stake.
    pub(crate) const ALL: Window = Window { low: i64::MIN, high: i64::MAX };

    /// Nothing is left to find out.
    #[inline]
    pub(crate) fn are_settled(self) -> bool {
        self.low >= self.high
    }

    /// The part of this window that lies within another.
    #[inline]
    pub(crate) fn within(self, window: Window) -> Window {
        Window { low: self.low.max(window.low), high: self.high.min(window.high) }
    }
}

impl Logic {
    /// Whether proofs are used at all.
    pub(crate) fn prunes(&self) -> bool {
        self.solver || self.score_bounds
    }

    /// Whether nothing tells a draw from a loss.
    pub(crate) fn is_blind(&self) -> bool {
        !self.zero_sum && !self.score_bounds
    }

    /// What is at stake for `player` in the unit of the question; `span` is asked
    /// for where it counts.
    #[inline]
    pub(crate) fn window_of(
        &self,
        player: usize,
        numbers: &[ProofNumber],
        span: impl FnOnce() -> Span,
    ) -> Window {
        match self.goal {
            Goal::Score => {
                let Span { lower, upper, rounded } = span();
                // Nothing is at stake between ends that differ by rounding alone.
                let high = if rounded { lower } else { upper };
                Window { low: lower.to_bits(), high: high.to_bits() }
            }
            Goal::Outcome => {
                let prospect = self.prospect(player, numbers, span);
                // That no win can be forced is all there is to find out; of games
                // with chance there is more than that to know.
                let all_there_is = self.is_blind() && !self.chance && self.sides != Sides::Free;
                let best = match prospect.best {
                    Outcome::Draw if all_there_is => Outcome::Loss,
                    best => best,
                };
                Window { low: prospect.worst.value().into(), high: best.value().into() }
            }
        }
    }

    /// The outcomes that the switched-on knowledge leaves open for `player`.
    ///
    /// With chance, a player who can force no win may still be lucky, so that
    /// only proven wins say anything.
    #[inline]
    pub(crate) fn prospect(
        &self,
        player: usize,
        numbers: &[ProofNumber],
        span: impl FnOnce() -> Span,
    ) -> Prospect {
        let mut prospect = Prospect { worst: Outcome::Loss, best: Outcome::Win };
        if self.solver {
            if numbers[player].is_proven() {
                prospect.worst = Outcome::Win;
            } else if numbers[player].is_infinite() && !self.chance {
                prospect.best = Outcome::Draw;
            }
            // One player's forced win is the other's forced loss.
            if self.zero_sum {
                let other = numbers[1 - player];
                if other.is_proven() {
                    prospect.best = Outcome::Loss;
                } else if other.is_infinite() && !self.chance {
                    prospect.worst = prospect.worst.max(Outcome::Draw);
                }
            }
        }
        if self.score_bounds && !(self.zero_sum && self.solver) {
            let span = span();
            prospect.worst = prospect.worst.max(self.worst(player, span.lower));
            prospect.best = prospect.best.min(self.best(player, span.upper));
        }
        prospect
    }

    /// The outcomes that facts leave open for `player`.
    pub(crate) fn prospect_of(&self, player: usize, facts: &Facts) -> Prospect {
        self.prospect(player, &facts.proof_numbers[..self.players], || facts.intervals[player])
    }

    /// The alpha-beta window at one node of a block for `player`.
    #[inline]
    pub(crate) fn window_at(&self, player: usize, block: Block<'_>, number: usize) -> Window {
        let mut numbers = [ProofNumber::ONE; MAX_PLAYERS];
        let cells = number * self.players..(number + 1) * self.players;
        with_numbers!(block.numbers(), all => {
            for (copy, cell) in numbers.iter_mut().zip(&all[cells]) {
                *copy = cell.load();
            }
        });
        self.window_of(player, &numbers[..self.players], || self.span(player, block, number))
    }

    /// The same for whoever is to choose between moves: what the move leaves open when
    /// everybody plays as the question assumes.
    ///
    /// Where all play for themselves, what a player can force holds whatever the others
    /// want. That they could keep the player from more holds only against all of them
    /// together, who may have no reason to: so there is no upper end but the best payoff,
    /// unless the payoffs are known whatever anybody does.
    pub(crate) fn window_in_play(&self, player: usize, block: Block<'_>, number: usize) -> Window {
        let local_window = self.window_at(player, block, number);
        if self.sides != Sides::Free || block.nodes()[number].load().is_exact() {
            return local_window;
        }
        let most = self.whole(player).upper;
        let high = match self.goal {
            Goal::Score => most.to_bits(),
            Goal::Outcome => self.best(player, most).value().into(),
        };
        Window { high, ..local_window }
    }

    /// The interval of one node of a block for `player`; the game's range when
    /// bounds are off.
    #[inline]
    pub(crate) fn span(&self, player: usize, block: Block<'_>, number: usize) -> Span {
        if !self.score_bounds {
            return self.ranges[player].into();
        }
        let (holder, cell) = match self.zero_sum {
            true => (0, number),
            false => (player, number * self.players + player),
        };
        let span = if self.bounds_are_statuses() {
            let numbers = block.numbers();
            self.interval_of(&[numbers.load(number * 2), numbers.load(number * 2 + 1)]).into()
        } else if self.chance {
            block.spans()[cell].load(self.ranges[holder])
        } else {
            block.intervals()[cell].load(self.ranges[holder]).into()
        };
        if holder == player { span } else { span.reversed() }
    }

    /// Whether the mover is proven to win with this child.
    #[inline]
    pub(crate) fn is_proven_win(&self, mover: usize, children: Block<'_>, number: usize) -> bool {
        self.goal == Goal::Outcome
            && self.solver
            && children.numbers().load(number * self.players + mover).is_proven()
    }
}
