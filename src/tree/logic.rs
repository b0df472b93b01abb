//! Deduces a node's facts from its children.
//!
//! This module is sequential and independent of threads. The tree stores its results under the
//! ownership protocol (`backup.rs`), and the audit recomputes them when all threads have stopped.
//!
//! A node has three kinds of knowledge. Proof numbers estimate the effort to prove a forced win; 0
//! and ∞ are *statuses*, a proven win and an impossible one. Intervals bound the payoff that a
//! player can force. Flags mark what is left of the question. Bounds imply statuses (a lower bound
//! that is a win proves the win), but a status says nothing about the score.
//!
//! In most games two players can win, draw or lose, and the goal is the outcome. Then the two proof
//! numbers are all that is known about a node. This file contains that case and the code for all
//! games; intervals, chance and more players are in `deduce.rs`.

use super::answer::Solved;
use super::arena::{Block, with_numbers};
use super::node::{EXACT, SKIP, SOLVED};
use super::premises::{Premises, Sides};
use crate::bounds::{AtomicInterval, NumberCell, ProofNumber, Prospect, Span};
use crate::game::{MAX_PLAYERS, Outcome};
use crate::math::{LANES, f32x8};
use crate::settings::Goal;
use std::ops::Deref;

/// An alpha-beta window, possibly of a single node: the values that still matter for a player. They
/// are payoffs in fixed point if the goal is the score, otherwise −1 for a loss to 1 for a win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) low: i64,
    pub(crate) high: i64,
}

impl Window {
    pub(crate) const ALL: Window = Window { low: i64::MIN, high: i64::MAX };

    /// Returns whether no value is left open.
    #[inline]
    pub(crate) fn is_closed(self) -> bool {
        self.low >= self.high
    }

    #[inline]
    pub(crate) fn within(self, window: Window) -> Window {
        Window { low: self.low.max(window.low), high: self.high.min(window.high) }
    }
}

/// Everything that is known about a node besides its statistics.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Facts {
    pub(crate) proof_numbers: [ProofNumber; MAX_PLAYERS],
    pub(crate) intervals: [Span; MAX_PLAYERS],
    /// The flags SKIP, SOLVED and EXACT.
    pub(crate) flags: u64,
    /// Whether numbers and intervals contradict each other, which is a bug.
    pub(crate) contradictory: bool,
    /// The log-odds that side 0's claim is true; 0 if they are not stored.
    pub(crate) log_odds: f64,
}

/// The part of a search's reasoning that never changes; dereferences to its [`Premises`].
#[derive(Clone, Debug)]
pub(crate) struct Logic {
    pub(super) premises: Premises,
    /// Each player's range of payoffs in fixed point.
    pub(super) spans: [Span; MAX_PLAYERS],
    /// Whether each outcome has one payoff: statuses then imply intervals, and none are stored.
    pub(super) bounds_are_statuses: bool,
    /// Whether the proof numbers of two players are all that is known about most nodes.
    pub(super) has_numbers_only: bool,
}

impl Deref for Logic {
    type Target = Premises;

    #[inline(always)]
    fn deref(&self) -> &Premises {
        &self.premises
    }
}

impl Logic {
    #[inline(always)]
    pub(crate) fn has_numbers_only(&self) -> bool {
        self.has_numbers_only
    }

    pub(crate) fn prunes(&self) -> bool {
        self.solver || self.score_bounds
    }

    /// Whether a draw cannot be distinguished from a loss.
    pub(crate) fn is_blind(&self) -> bool {
        !self.zero_sum && !self.score_bounds
    }

    pub(super) fn unknown(&self) -> Facts {
        Facts {
            proof_numbers: [ProofNumber::ONE; MAX_PLAYERS],
            intervals: self.spans,
            flags: 0,
            contradictory: false,
            log_odds: 0.0,
        }
    }

    /// The facts of a visited node at which the game continues and which has no children yet. With
    /// mobility initialisation its numbers are those that it would have if all its children were
    /// unknown leaves (section 3.3 of the GPN paper).
    pub(crate) fn leaf(&self, mover: usize, mobility: usize) -> Facts {
        let mut facts = self.unknown();
        self.count_moves(mover, mobility, &mut facts.proof_numbers[..self.players]);
        self.conclude(&mut facts);
        facts
    }

    /// Returns whether a leaf's facts stay the same when it gets unknown children.
    pub(crate) fn leaf_foresees_children(&self) -> bool {
        (self.mobility || !self.proof_numbers) && !self.products
    }

    /// The facts of a node where the game is over.
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

    /// The facts of a node whose position was solved at another node.
    pub(crate) fn known(&self, solved: Solved) -> Facts {
        let mut facts = self.unknown();
        if let Some(outcome) = self.know_payoffs(solved, &mut facts) {
            for (number, won) in facts.proof_numbers.iter_mut().zip([Outcome::Win, Outcome::Loss]) {
                let proven = outcome == won;
                *number = if proven { ProofNumber::PROVEN } else { ProofNumber::INFINITE };
            }
        }
        self.conclude(&mut facts);
        facts
    }

    /// The answer that a node's numbers and interval imply; `None` unless they settle the question.
    pub(crate) fn solved(&self, numbers: &[ProofNumber], span: Span) -> Option<Solved> {
        let local_window = self.window_of(0, numbers, || span);
        match self.goal {
            _ if !local_window.is_closed() => None,
            Goal::Outcome => Some(Solved::from_value(local_window.low as i32)),
            Goal::Score => self.solved_score(span),
        }
    }

    /// Derives bounds and statuses from each other, and sets SOLVED if the question is answered.
    pub(super) fn conclude(&self, facts: &mut Facts) {
        self.conclude_bounds(facts);
        let solved = match self.sides {
            Sides::Versus(player) => self
                .window_of(player, &facts.proof_numbers[..self.players], || facts.intervals[player])
                .is_closed(),
            Sides::Free => facts.flags & EXACT != 0,
        };
        if solved && self.prunes() {
            facts.flags |= SOLVED;
        }
    }

    /// Returns whether only proof numbers are known about these children. Nothing else may be known
    /// about their parent either.
    #[inline]
    pub(super) fn have_numbers_only(children: Block<'_>) -> bool {
        children.len() > 0 && !children.intervals().iter().any(AtomicInterval::is_tightened)
    }

    /// Deduces a node's numbers, and its flags SKIP and SOLVED, from these children.
    pub(super) fn deduce_numbers_only(
        &self,
        mover: usize,
        children: Block<'_>,
    ) -> ([ProofNumber; 2], u64) {
        let mut numbers = [ProofNumber::ONE; 2];
        let any_decided = self.deduce_proof_numbers::<2>(mover, children, &mut numbers);
        let mut flags = 0;
        // If no child is decided, neither is the node.
        if any_decided {
            flags = SKIP;
            if let Sides::Versus(player) = self.sides {
                let unasked = || Span::from(self.ranges[0]);
                if self.window_of(player, &numbers, unasked).is_closed() {
                    flags |= SOLVED;
                }
            }
        }
        (numbers, flags)
    }

    /// Deduces a node's proof numbers (Algorithm 1, lines 41 to 51, of the GPN paper): the mover
    /// needs to prove one child, every other player all of them. Returns whether any child's number
    /// for any player is 0 or ∞. `N` is the number of players or, above 3, an upper bound.
    #[inline]
    pub(super) fn deduce_proof_numbers<const N: usize>(
        &self,
        mover: usize,
        children: Block<'_>,
        numbers: &mut [ProofNumber],
    ) -> bool {
        let players = if N > 3 { self.players } else { N };
        // Sums in u64 cannot overflow: there are at most 65,535 children, with 32-bit numbers.
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

    /// The values that the proof numbers and, if needed, an interval leave open for `player`.
    #[inline]
    pub(crate) fn window_of(
        &self,
        player: usize,
        numbers: &[ProofNumber],
        span: impl FnOnce() -> Span,
    ) -> Window {
        match self.goal {
            Goal::Score => Window::of(span()),
            Goal::Outcome => {
                let prospect = self.prospect(player, numbers, span);
                // Without chance, "no forced win" answers a question that treats draws like losses.
                let all_there_is = self.is_blind() && !self.chance && self.sides != Sides::Free;
                let best = match prospect.best {
                    Outcome::Draw if all_there_is => Outcome::Loss,
                    best => best,
                };
                Window { low: prospect.worst.value().into(), high: best.value().into() }
            }
        }
    }

    /// The outcomes still open for `player`, according to the enabled kinds of knowledge. With
    /// chance only proven wins count, because a player who cannot force a win may still be lucky.
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
            self.narrow_prospect(&mut prospect, player, span());
        }
        prospect
    }

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

    /// Returns −∞ for each of up to eight children whose own window for `player` is closed within
    /// `window`, and 0 for the others; [`Logic::window_of`] is the general form.
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
            if (Window { low, high }).within(window).is_closed() {
                *lane = f32::NEG_INFINITY;
            }
        }
        f32x8::new(closed)
    }
}
