//! Deductions from children with more knowledge than two proof numbers: intervals, means, log-odds,
//! any number of players.

use super::answer::Solved;
use super::arena::Block;
use super::logic::{Facts, Logic, Window};
use super::node::{EXACT, SKIP};
use super::premises::Sides;
use crate::bounds::{
    AtomicInterval, AtomicSpan, Choice, Fixed, Interval, Mean, ProofNumber, Prospect, Span,
};
use crate::game::{CHANCE, MAX_PLAYERS, Outcome};
use crate::math::log_odds;
use crate::rules::Thresholds;
use crate::settings::Goal;
use crate::sync::Ordering;

impl Window {
    /// The window that an interval leaves open. It is closed if the ends differ only by rounding.
    #[inline]
    pub(super) fn of(span: Span) -> Window {
        let Span { lower, upper, rounded } = span;
        let high = if rounded { lower } else { upper };
        Window { low: lower.to_bits(), high: high.to_bits() }
    }
}

impl Logic {
    /// Sets the intervals of both players to a solved position's payoffs; returns the outcome for
    /// player 0, or `None` if the answer is a mean.
    pub(super) fn know_payoffs(&self, solved: Solved, facts: &mut Facts) -> Option<Outcome> {
        let range = self.ranges[0];
        let Thresholds { draw, win } = self.thresholds[0];
        let value = solved.value();
        // An outcome's payoffs range from its threshold to just below the next one.
        let below = |threshold: Option<i32>| threshold.map_or(range.upper, |least| least - 1);
        let (outcome, span) = match self.goal {
            Goal::Score if self.chance => (None, solved.span(range)),
            Goal::Score => {
                (Some(self.thresholds[0].outcome(value)), Interval::exactly(value).into())
            }
            Goal::Outcome => {
                let outcome = Outcome::from_value(value);
                let interval = match outcome {
                    Outcome::Win => Interval { lower: win.unwrap_or(range.lower), ..range },
                    Outcome::Draw => {
                        Interval { lower: draw.unwrap_or(range.lower), upper: below(win) }
                    }
                    Outcome::Loss => Interval { upper: below(draw.or(win)), ..range },
                };
                (Some(outcome), interval.into())
            }
        };
        facts.intervals[0] = span;
        facts.intervals[1] = span.reversed();
        outcome
    }

    /// The answer of a solved node if the goal is the score; `None` if the interval does not fit
    /// into the bits.
    pub(super) fn solved_score(&self, span: Span) -> Option<Solved> {
        match self.chance {
            true => Solved::from_span(span, self.ranges[0]),
            false => Some(Solved::from_value(span.lower.floor())),
        }
    }

    /// Derives statuses from the bounds and bounds from the statuses.
    pub(super) fn conclude_bounds(&self, facts: &mut Facts) {
        if self.bounds_are_statuses {
            let interval = self.interval_of(&facts.proof_numbers);
            facts.intervals[0] = interval.into();
            facts.intervals[1] = interval.reversed().into();
        } else if self.score_bounds {
            for player in 0..self.players {
                let Span { lower, upper, .. } = facts.intervals[player];
                let says = if self.worst(player, lower) == Outcome::Win {
                    ProofNumber::PROVEN
                } else if self.thresholds[player].outcome(upper.floor()) != Outcome::Win {
                    // If the player could force a win, the mean would be a win, too.
                    ProofNumber::INFINITE
                } else {
                    continue;
                };
                let number = &mut facts.proof_numbers[player];
                facts.contradictory |= !number.is_open() && *number != says;
                *number = says;
            }
        }
        if self.products {
            match facts.proof_numbers[0] {
                ProofNumber::PROVEN => facts.log_odds = log_odds::CERTAIN,
                ProofNumber::INFINITE => facts.log_odds = -log_odds::CERTAIN,
                _ => {}
            }
        }
    }

    /// Removes the outcomes that an interval rules out.
    pub(super) fn narrow_prospect(&self, prospect: &mut Prospect, player: usize, span: Span) {
        prospect.worst = prospect.worst.max(self.worst(player, span.lower));
        prospect.best = prospect.best.min(self.best(player, span.upper));
    }

    /// Player 0's interval according to the statuses, for games in which no interval is stored.
    #[inline]
    pub(crate) fn interval_of(&self, numbers: &[ProofNumber]) -> Interval {
        let Interval { lower, upper } = self.ranges[0];
        let Thresholds { draw, win } = self.thresholds[0];
        let or_draw = |end: i32| if draw == win { end } else { draw.unwrap_or(end) };
        let (own, other) = (numbers[0], numbers[1]);
        Interval {
            lower: if own.is_proven() {
                upper
            } else if other.is_infinite() {
                // Not lost: at least a draw, or a win in a game without draws.
                or_draw(upper)
            } else {
                lower
            },
            upper: if other.is_proven() {
                lower
            } else if own.is_infinite() {
                or_draw(lower)
            } else {
                upper
            },
        }
    }

    /// Deduces the facts of a node from its children (Algorithm 1, lines 41 to 51, of the GPN paper
    /// for the proof numbers; Cazenave and Saffidine for the bounds): the mover chooses what is
    /// best for itself, and for every other player the worst choice is assumed. Chance is
    /// everybody's opponent in proofs of a win, and neutral in expected payoffs. Without children
    /// nothing can be deduced.
    pub(crate) fn deduce(&self, mover: usize, children: Block<'_>) -> Facts {
        let mut facts = self.unknown();
        if children.len() == 0 {
            return facts;
        }
        let numbers = &mut facts.proof_numbers[..self.players];
        let any_decided = match self.players {
            2 => self.deduce_proof_numbers::<2>(mover, children, numbers),
            3 => self.deduce_proof_numbers::<3>(mover, children, numbers),
            _ => self.deduce_proof_numbers::<MAX_PLAYERS>(mover, children, numbers),
        };
        match self.num_intervals() {
            0 => {}
            _ if self.chance => self.deduce_spans(mover, children, &mut facts),
            _ => self.deduce_intervals(mover, children, &mut facts),
        }
        // If a child decides anything about a win, one of its proof numbers is 0 or ∞, because
        // bounds determine statuses.
        let any_tightened = || {
            children.intervals().iter().any(AtomicInterval::is_tightened)
                || children.spans().iter().any(AtomicSpan::is_tightened)
        };
        if any_decided || self.goal == Goal::Score && any_tightened() {
            facts.flags = SKIP;
            if self.sides == Sides::Free && self.are_exact(mover, children) {
                facts.flags |= EXACT;
            }
        }
        if self.products {
            facts.log_odds = deduce_log_odds(mover, children);
        }
        self.conclude(&mut facts);
        facts
    }

    /// Deduces intervals in games without chance.
    fn deduce_intervals(&self, mover: usize, children: Block<'_>, facts: &mut Facts) {
        let intervals = self.num_intervals();
        let mut cells = children.intervals().chunks_exact(intervals);
        let Some(first) = cells.next() else { return };
        let mut known = self.ranges;
        for (player, cell) in first.iter().enumerate() {
            known[player] = cell.load(self.ranges[player]);
        }
        for child in cells {
            for (player, cell) in child.iter().enumerate() {
                let interval = cell.load(self.ranges[player]);
                let known = &mut known[player];
                *known = if player == mover { known.max(interval) } else { known.min(interval) };
            }
        }
        if self.zero_sum {
            known[1] = known[0].reversed();
        }
        for (span, &interval) in facts.intervals[..self.players].iter_mut().zip(&known) {
            *span = interval.into();
        }
    }

    /// Deduces intervals in games with chance.
    fn deduce_spans(&self, mover: usize, children: Block<'_>, facts: &mut Facts) {
        let intervals = self.num_intervals();
        for player in 0..intervals {
            let range = self.ranges[player];
            let cells = children.spans()[player..].iter().step_by(intervals);
            let mut spans = cells.map(|cell| cell.load(range));
            facts.intervals[player] = if mover == CHANCE {
                let mut mean = Mean::default();
                for (span, weight) in spans.zip(children.weights()) {
                    // Relaxed: the weights were written before the children were published.
                    mean.add(span, weight.load(Ordering::Relaxed), range);
                }
                mean.span(range)
            } else {
                // Another mover is assumed to choose this player's worst: the best of the
                // opposites.
                let view = |span: Span| if player == mover { span } else { span.opposite() };
                let Some(first) = spans.next() else { return };
                let mut choice = Choice::new(view(first));
                spans.for_each(|span| choice.add(view(span)));
                view(choice.span())
            };
        }
        if self.zero_sum {
            facts.intervals[1] = facts.intervals[0].reversed();
        }
    }

    /// Returns whether the payoffs are known, however everybody plays: the payoffs of all children
    /// are known and equal. If the goal is the score, the outcomes of chance may differ.
    fn are_exact(&self, mover: usize, children: Block<'_>) -> bool {
        let intervals = self.num_intervals();
        if intervals == 0 || !children.nodes().iter().all(|node| node.load().is_exact()) {
            return false;
        }
        if mover == CHANCE && self.goal == Goal::Score {
            return true;
        }
        (0..intervals).all(|player| {
            let first = self.span(player, children, 0);
            (1..children.len()).all(|number| self.span(player, children, number) == first)
        })
    }

    /// The worst outcome that a lower bound leaves open. A bound on a mean limits a single game
    /// only if it equals the best payoff, which every game must then reach.
    pub(super) fn worst(&self, player: usize, lower: Fixed) -> Outcome {
        let range = self.ranges[player];
        let payoff = match lower.floor() {
            mean if self.chance && mean < range.upper => range.lower,
            payoff => payoff,
        };
        self.thresholds[player].outcome(payoff)
    }

    /// The best outcome that an upper bound leaves open.
    pub(super) fn best(&self, player: usize, upper: Fixed) -> Outcome {
        let range = self.ranges[player];
        let payoff = match upper.ceil() {
            mean if self.chance && mean > range.lower => range.upper,
            payoff => payoff,
        };
        self.thresholds[player].outcome(payoff)
    }

    /// The window that a move leaves open if everybody plays as the question assumes.
    ///
    /// If all players play for themselves, a player can still force the lower end of its window.
    /// But the upper end assumes that all others play against this player, for which they may have
    /// no reason, so the best payoff replaces it unless the payoffs are known.
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

    /// The interval for `player` at node `number` of a block; without score bounds, the game's
    /// range.
    #[inline]
    pub(crate) fn span(&self, player: usize, block: Block<'_>, number: usize) -> Span {
        if !self.score_bounds {
            return self.ranges[player].into();
        }
        let (holder, cell) = match self.zero_sum {
            true => (0, number),
            false => (player, number * self.players + player),
        };
        let span = if self.bounds_are_statuses {
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

/// The log-odds of a node, as if its children's values were independent: the claimant needs one
/// child if it moves, otherwise all of them (Song, Iida and van den Herik, *Probability based Proof
/// Number Search*, 2019; Saffidine and Cazenave, *Developments on Product Propagation*, 2013).
fn deduce_log_odds(mover: usize, children: Block<'_>) -> f64 {
    let values = children.log_odds().iter().map(|cell| cell.load(Ordering::Relaxed));
    if mover == 0 { log_odds::or(values) } else { log_odds::and(values) }
}
