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

use super::columns::{Block, Columns, with_numbers};
use super::premises::{Premises, Sides};
use super::word::{EXACT, SETTLED, SKIP};
use crate::bounds::{
    AtomicInterval, AtomicSpan, Choice, Fixed, Interval, Mean, NumberCell, ProofNumber, Span,
};
use crate::game::{CHANCE, MAX_PLAYERS, Outcome, Turn};
use crate::math::log_odds;
use crate::rules::Thresholds;
use crate::settings::Goal;
use crate::sync::Ordering;
use std::ops::Deref;

/// The fixed part of a search's reasoning: what it starts from, and what follows from
/// that. It is read as [`Premises`], which no longer change.
#[derive(Clone, Debug)]
pub(crate) struct Logic {
    premises: Premises,
    /// Each player's range of payoffs in fixed point.
    spans: [Span; MAX_PLAYERS],
    /// Each outcome is one payoff, so that statuses say all that an interval
    /// says, and none is kept: see [`Logic::statuses_are_bounds`].
    bounds_are_statuses: bool,
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
pub(crate) struct Settled(u64);

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

    fn value(self) -> i32 {
        self.0 as i32
    }

    fn from_span(span: Span, range: Interval) -> Option<Settled> {
        let lower = span.lower.to_bits() - Fixed::from_payoff(range.lower).to_bits();
        let width = span.upper.to_bits() - span.lower.to_bits();
        let fits = lower >> (Self::BITS - Self::WIDTH_BITS) == 0 && width >> Self::WIDTH_BITS == 0;
        fits.then_some(Settled((lower as u64) << Self::WIDTH_BITS | width as u64))
    }

    fn span(self, range: Interval) -> Span {
        let width = (self.0 & Self::WIDTHS) as i64;
        let lower = (self.0 >> Self::WIDTH_BITS) as i64 + Fixed::from_payoff(range.lower).to_bits();
        let (lower, upper) = (Fixed::from_bits(lower), Fixed::from_bits(lower + width));
        Span { lower, upper, rounded: width != 0 }
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

    /// Whether intervals need not be kept beside the statuses of a two-player
    /// zero-sum game: a win, a draw and a loss are one payoff each, so a player
    /// has secured a payoff just when the status of one of them says so.
    fn statuses_are_bounds(&self) -> bool {
        let Interval { lower, upper } = self.ranges[0];
        let outcome = |payoff| self.thresholds[0].outcome(payoff);
        let few = lower < upper && upper.saturating_sub(lower) <= 2;
        let distinct = || (lower..upper).all(|payoff| outcome(payoff) != outcome(payoff + 1));
        let kept = self.zero_sum && self.solver && self.score_bounds;
        kept && !self.chance && few && distinct()
    }

    /// Whether statuses stand for intervals.
    #[inline(always)]
    pub(super) fn bounds_are_statuses(&self) -> bool {
        self.bounds_are_statuses
    }

    /// All payoffs that a player can get, in fixed point.
    pub(super) fn whole(&self, player: usize) -> Span {
        self.spans[player]
    }

    /// How many intervals a node has.
    pub(crate) fn num_intervals(&self) -> usize {
        match (self.score_bounds && !self.bounds_are_statuses, self.zero_sum) {
            (false, _) => 0,
            (true, true) => 1,
            (true, false) => self.players,
        }
    }

    /// The columns that hold what is known of nodes.
    pub(crate) fn columns(&self) -> Columns {
        let (counts, intervals) = (self.proof_numbers, self.num_intervals());
        Columns {
            proof_numbers: if counts { self.players } else { 0 },
            statuses: if counts { 0 } else { self.players },
            intervals: if self.chance { 0 } else { intervals },
            spans: if self.chance { intervals } else { 0 },
            weights: self.chance,
            ..Columns::default()
        }
    }

    /// What the statuses secure for player 0 where they are all there is.
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
                // Not lost: drawn at least, or won where there are no draws.
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

    /// What two sets of facts about the same node say together; where both
    /// leave a proof number open, it is the first's.
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

    /// What facts about a position where `turn` says who decides tell of every
    /// position after it: whoever moves cannot get more by any of the moves,
    /// and the others have secured what they have whatever the move. Where
    /// chance decides, a win is secured only if it is whatever the outcome; the
    /// mean over the outcomes says nothing of a single one.
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

    /// A leaf with numbers found out in another way, none of which settles it.
    pub(crate) fn leaf_with(&self, numbers: [ProofNumber; 2]) -> Facts {
        let mut facts = self.unknown();
        facts.proof_numbers[..2].copy_from_slice(&numbers);
        facts
    }

    /// A leaf with these log-odds, which settle nothing.
    pub(crate) fn leaf_with_log_odds(&self, log_odds: f64) -> Facts {
        Facts { log_odds, ..self.unknown() }
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

    /// A node of a game of two players with zero sum and no chance at which player 0 gets a
    /// payoff between these ends.
    pub(super) fn between(&self, payoffs: Interval) -> Facts {
        let mut facts = self.unknown();
        for (player, own) in [payoffs, payoffs.reversed()].into_iter().enumerate() {
            // What no node stores would be news to every node.
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

    /// Between which ends facts leave the payoff of player 0 of two with zero sum and no
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

    /// What the children say about their parent (Algorithm 1, lines 41 to 51,
    /// of the GPN paper for the proof numbers; Cazenave and Saffidine for the
    /// bounds): the mover takes the best for itself, and for every other
    /// player the worst is assumed. Chance is against everybody where a win is
    /// to be proven, and for nobody where payoffs are counted.
    ///
    /// Of no children nothing follows: a node that has none yet may have any later.
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
        // A child that decides anything about a win has a proof number that
        // says so, because bounds feed the status.
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

    /// Returns whether any child's number for anybody is 0 or ∞. `N` is the
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

    /// The same for games with chance.
    fn deduce_spans(&self, mover: usize, children: Block<'_>, facts: &mut Facts) {
        let intervals = self.num_intervals();
        for player in 0..intervals {
            let range = self.ranges[player];
            let cells = children.spans()[player..].iter().step_by(intervals);
            let mut spans = cells.map(|cell| cell.load(range));
            facts.intervals[player] = if mover == CHANCE {
                let mut mean = Mean::default();
                for (span, weight) in spans.zip(children.weights()) {
                    // Relaxed: written before the children were published.
                    mean.add(span, weight.load(Ordering::Relaxed), range);
                }
                mean.span(range)
            } else {
                // What another chooses for the player is the best of opposites.
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

    /// Whether the payoffs are known whatever anybody does: they are for all
    /// children, and are the same. When expected payoffs are asked for, chance
    /// may bring different ones.
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

    /// The worst outcome that a lower bound leaves open. A mean says something
    /// of a single game only if nothing but the best payoff can make it up.
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

    /// Lets the bounds speak to the status, or the other way round, and marks
    /// what is settled.
    fn conclude(&self, facts: &mut Facts) {
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
}

/// The log-odds of a node whose children's values are independent: the claimant
/// needs one of them where it moves, all of them elsewhere (Song, Iida and van
/// den Herik, *Probability based Proof Number Search*, 2019; Saffidine and
/// Cazenave, *Developments on Product Propagation*, 2013).
fn deduce_log_odds(mover: usize, children: Block<'_>) -> f64 {
    let values = children.log_odds().iter().map(|cell| cell.load(Ordering::Relaxed));
    if mover == 0 { log_odds::or(values) } else { log_odds::and(values) }
}
