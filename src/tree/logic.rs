//! What follows for a node from its children.
//!
//! This module is sequential and knows nothing of threads: it reads a block of
//! children and says what their parent may claim. The tree stores the answer
//! under its ownership protocol (`backup.rs`), and the audit computes it again
//! when all threads have stopped.
//!
//! Three kinds of knowledge are kept apart. Intervals say which payoffs a
//! player can force; proof numbers say how far a forced win is, and 0 and ∞
//! are statuses; flags say what the question asked still needs. Bounds feed
//! the status (a lower bound that is a win proves the win); a status says
//! nothing of the score.
//!
//! Where chance decides, an interval is the mean of the outcomes' intervals and
//! a win is proven when it is proven for every outcome. A mean that would be a
//! win proves none, unless nothing but the best payoff can make it up.

use super::columns::{Block, with_numbers};
use super::node::{EXACT, SETTLED, SKIP};
use super::premises::{Premises, Sides};
use crate::bounds::{AtomicInterval, Interval, NumberCell, ProofNumber, Prospect, Span};
use crate::game::{MAX_PLAYERS, Outcome};
use crate::math::{LANES, f32x8, log_odds};
use crate::rules::Thresholds;
use crate::settings::Goal;
use std::ops::Deref;

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

/// The fixed part of a search's reasoning: what it starts from, and what follows from
/// that. It is read as [`Premises`], which no longer change.
#[derive(Clone, Debug)]
pub(crate) struct Logic {
    premises: Premises,
    /// Each player's range of payoffs in fixed point.
    pub(super) spans: [Span; MAX_PLAYERS],
    /// Each outcome is one payoff, so that statuses say all that an interval
    /// says, and none is kept: see [`Logic::statuses_are_bounds`].
    pub(super) bounds_are_statuses: bool,
    /// See [`Logic::says_numbers_only`].
    numbers_only: bool,
}

impl Deref for Logic {
    type Target = Premises;

    #[inline(always)]
    fn deref(&self) -> &Premises {
        &self.premises
    }
}

/// The answer to the question at a node of a two-player zero-sum game, for
/// player 0: the exact payoff when the score is asked for, else the outcome as
/// 1, 0 or −1. The score of a game with chance is the interval of the expected
/// payoff; where it does not fit there is no answer to carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Settled(pub(super) u64);

impl Settled {
    /// The bits that an answer takes at most.
    pub(crate) const BITS: u32 = 63;
    /// Those of them that hold the width of an interval; the rest is for the
    /// distance of its lower end from the least payoff.
    pub(super) const WIDTH_BITS: u32 = 16;
    /// The bits of the width.
    pub(super) const WIDTHS: u64 = (1 << Self::WIDTH_BITS) - 1;

    pub(crate) fn from_bits(bits: u64) -> Settled {
        Settled(bits)
    }

    pub(crate) fn to_bits(self) -> u64 {
        self.0
    }

    /// A payoff, or an outcome as 1, 0 or −1.
    pub(crate) fn from_value(value: i32) -> Settled {
        Settled(u64::from(value as u32))
    }

    pub(super) fn value(self) -> i32 {
        self.0 as i32
    }
}

/// All that is known of a node besides statistics.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Facts {
    pub(crate) proof_numbers: [ProofNumber; MAX_PLAYERS],
    pub(crate) intervals: [Span; MAX_PLAYERS],
    /// SKIP, SETTLED and EXACT.
    pub(crate) flags: u64,
    /// Numbers and intervals say different things: a bug.
    pub(crate) contradictory: bool,
    /// The log-odds that side 0 gets what it claims; 0 where they are not kept.
    pub(crate) log_odds: f64,
}

impl Facts {
    /// Whether nothing is left to find out for the question asked.
    pub(crate) fn is_settled(&self) -> bool {
        self.flags & SETTLED != 0
    }
}

impl Logic {
    /// What follows from the premises.
    pub(crate) fn new(premises: Premises) -> Logic {
        let mut logic = Logic {
            premises,
            spans: premises.ranges.map(Into::into),
            bounds_are_statuses: false,
            numbers_only: false,
        };
        logic.bounds_are_statuses = !premises.keeps_intervals && logic.statuses_are_bounds();
        logic.numbers_only = logic.says_numbers_only();
        logic
    }

    /// The logic of a yes-or-no question: see [`Premises::two_sides`].
    pub(crate) fn two_sides(mobility: bool, given_leaves: bool) -> Logic {
        Logic::new(Premises::two_sides(mobility, given_leaves))
    }

    /// Whether the proof numbers of two players are all that is known of most nodes:
    /// see `fast_win.rs`.
    #[inline(always)]
    pub(crate) fn has_numbers_only(&self) -> bool {
        self.numbers_only
    }

    /// Whether statuses stand for intervals.
    #[inline(always)]
    pub(super) fn bounds_are_statuses(&self) -> bool {
        self.bounds_are_statuses
    }
    /// A node about which nothing is known.
    pub(super) fn unknown(&self) -> Facts {
        Facts {
            proof_numbers: [ProofNumber::ONE; MAX_PLAYERS],
            intervals: self.spans,
            flags: 0,
            contradictory: false,
            log_odds: 0.0,
        }
    }

    /// A visited node that is not over and has no children yet.
    ///
    /// With mobility initialisation it gets the numbers that it would have
    /// with all its children as unknown leaves (section 3.3 of the GPN paper).
    pub(crate) fn leaf(&self, mover: usize, mobility: usize) -> Facts {
        let mut facts = self.unknown();
        self.count_moves(mover, mobility, &mut facts.proof_numbers[..self.players]);
        self.conclude(&mut facts);
        facts
    }

    /// Gives everybody but the mover of a leaf its number of moves, where that is
    /// asked for.
    #[inline]
    pub(super) fn count_moves(&self, mover: usize, mobility: usize, numbers: &mut [ProofNumber]) {
        if self.mobility && self.proof_numbers {
            for (player, number) in numbers.iter_mut().enumerate() {
                if player != mover {
                    *number = ProofNumber::finite(mobility as u64);
                }
            }
        }
    }
    /// Whether a leaf's facts are those that it has with unknown children.
    pub(crate) fn leaf_foresees_children(&self) -> bool {
        (self.mobility || !self.proof_numbers) && !self.products
    }

    /// A node where the game is over.
    pub(crate) fn terminal(&self, payoffs: &[i32]) -> Facts {
        let mut facts = self.unknown();
        for (player, &payoff) in payoffs.iter().enumerate() {
            facts.intervals[player] = Span::exactly(payoff);
            facts.proof_numbers[player] = match self.thresholds[player].outcome(payoff) {
                Outcome::Win => ProofNumber::PROVEN,
                _ => ProofNumber::INFINITE,
            };
        }
        facts.flags = EXACT;
        self.conclude(&mut facts);
        facts
    }

    /// Whether answers can be carried from one node to another with the same
    /// position.
    pub(crate) fn can_carry(&self) -> bool {
        // Without statuses a sure win is the best payoff for certain, which the
        // answer "won" does not say.
        let says_all = !self.chance || self.solver || self.goal == Goal::Score;
        self.zero_sum && self.prunes() && says_all
    }

    /// A node whose position was settled at another node.
    pub(crate) fn known(&self, settled: Settled) -> Facts {
        let mut facts = self.unknown();
        let range = self.ranges[0];
        if self.chance && self.goal == Goal::Score {
            facts.intervals[0] = settled.span(range);
            facts.intervals[1] = facts.intervals[0].reversed();
            self.conclude(&mut facts);
            return facts;
        }
        let outcome = match self.goal {
            Goal::Score => self.thresholds[0].outcome(settled.value()),
            Goal::Outcome => Outcome::from_value(settled.value()),
        };
        let Thresholds { draw, win } = self.thresholds[0];
        // Payoffs with this outcome: from its threshold to below the next one.
        let below = |threshold: Option<i32>| threshold.map_or(range.upper, |least| least - 1);
        let interval = match (self.goal, outcome) {
            (Goal::Score, _) => Interval::exactly(settled.value()),
            (_, Outcome::Win) => Interval { lower: win.unwrap_or(range.lower), ..range },
            (_, Outcome::Draw) => {
                Interval { lower: draw.unwrap_or(range.lower), upper: below(win) }
            }
            (_, Outcome::Loss) => Interval { upper: below(draw.or(win)), ..range },
        };
        facts.intervals[0] = Span::from(interval);
        facts.intervals[1] = facts.intervals[0].reversed();
        for (number, won) in facts.proof_numbers.iter_mut().zip([Outcome::Win, Outcome::Loss]) {
            let proven = outcome == won;
            *number = if proven { ProofNumber::PROVEN } else { ProofNumber::INFINITE };
        }
        self.conclude(&mut facts);
        facts
    }

    /// The answer that a settled node's numbers and interval give.
    pub(crate) fn settled(&self, numbers: &[ProofNumber], span: Span) -> Option<Settled> {
        let local_window = self.window_of(0, numbers, || span);
        if !local_window.are_settled() {
            return None;
        }
        match self.goal {
            Goal::Outcome => Some(Settled::from_value(local_window.low as i32)),
            Goal::Score if self.chance => Settled::from_span(span, self.ranges[0]),
            Goal::Score => Some(Settled::from_value(span.lower.floor())),
        }
    }

    /// Whether nothing but proof numbers is known of these children of a node that says no more.
    #[inline]
    pub(super) fn have_numbers_only(children: Block<'_>) -> bool {
        children.len() > 0 && !children.intervals().iter().any(AtomicInterval::is_tightened)
    }

    /// The numbers of a node with these children, and its SKIP and SETTLED.
    pub(super) fn deduce_numbers_only(
        &self,
        mover: usize,
        children: Block<'_>,
    ) -> ([ProofNumber; 2], u64) {
        let mut numbers = [ProofNumber::ONE; 2];
        let any_decided = self.deduce_proof_numbers::<2>(mover, children, &mut numbers);
        let mut flags = 0;
        // What nothing below decides is not settled.
        if any_decided {
            flags = SKIP;
            if let Sides::Versus(player) = self.sides {
                let unasked = || Span::from(self.ranges[0]);
                if self.window_of(player, &numbers, unasked).are_settled() {
                    flags |= SETTLED;
                }
            }
        }
        (numbers, flags)
    }

    /// −∞ for each child that has nothing open for `player` within the window, 0 for the
    /// others: [`Logic::window_of`] is the general form.
    #[inline(always)]
    pub(crate) fn closed_by_numbers<C: NumberCell>(
        &self,
        player: usize,
        children: &[[C; 2]],
        window: Window,
    ) -> f32x8 {
        let mut closed = [0.0; LANES];
        for (lane, pair) in closed.iter_mut().zip(children) {
            let (own, other) = (pair[player & 1].load(), pair[(player & 1) ^ 1].load());
            let (may_win, may_lose) = (!own.is_infinite(), !other.is_infinite());
            let low = if own.is_proven() { 1 } else { -i64::from(may_lose || self.chance) };
            let high = if other.is_proven() { -1 } else { i64::from(may_win || self.chance) };
            let local_window = Window { low, high };
            if local_window.within(window).are_settled() {
                *lane = f32::NEG_INFINITY;
            }
        }
        f32x8::new(closed)
    }
    /// number of players, or, where that is above 3, more.
    #[inline]
    pub(super) fn deduce_proof_numbers<const N: usize>(
        &self,
        mover: usize,
        children: Block<'_>,
        numbers: &mut [ProofNumber],
    ) -> bool {
        let players = if N > 3 { self.players } else { N };
        // Sums in u64 cannot overflow: at most 65,535 children of 32 bits.
        let mut sums = [0u64; N];
        let mut greatest = [ProofNumber::PROVEN; N];
        let mut least = [ProofNumber::INFINITE; N];
        with_numbers!(children.numbers(), cells => {
            for child in cells.chunks_exact(players) {
                for (player, number) in child.iter().enumerate() {
                    let number = number.load();
                    sums[player] += u64::from(number.raw());
                    greatest[player] = greatest[player].max(number);
                    least[player] = least[player].min(number);
                }
            }
        });
        let mut any_decided = false;
        for (player, deduced) in numbers.iter_mut().enumerate().take(players) {
            any_decided |= least[player].is_proven() || greatest[player].is_infinite();
            let number = if player == mover {
                least[player]
            } else if greatest[player].is_infinite() {
                ProofNumber::INFINITE
            } else {
                ProofNumber::finite(sums[player])
            };
            *deduced =
                if number.is_open() && !self.proof_numbers { ProofNumber::ONE } else { number };
        }
        any_decided
    }

    /// Lets the bounds speak to the status, or the other way round, and marks
    /// what is settled.
    pub(super) fn conclude(&self, facts: &mut Facts) {
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
                    // Who could force a win would have a win on average, too.
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
        let settled = match self.sides {
            Sides::Versus(player) => self
                .window_of(player, &facts.proof_numbers[..self.players], || facts.intervals[player])
                .are_settled(),
            Sides::Free => facts.flags & EXACT != 0,
        };
        if settled && self.prunes() {
            facts.flags |= SETTLED;
        }
    }

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
}
