//! Restores nodes from a file.
//!
//! A file contains the data of a node that cannot be recomputed: its stage, its statistics, and
//! proven facts that do not follow from its children. The rules supply the rest: the mover, the
//! moves, and the payoffs of a finished game. What follows from the children is not in the file,
//! but deduced here, as in the audit.
//!
//! A tree is restored by one thread with exclusive access. No other thread can see it before it
//! replaces a search's tree, so every access may be relaxed.

use super::arena::Filled;
use super::logic::Logic;
use super::node::{EXACT, KEPT, SKIP, SOLVED, STALE, Stage, VISITS_MASK};
use super::tried::Tried;
use super::{Block, Facts, Node, SeenChild, Solved, Tree};
use crate::bounds::{Fixed, ProofNumber, Span};
use crate::game::MAX_PLAYERS;
use crate::settings::Goal;
use crate::sync::Ordering;

/// The data of a node in a file, except its facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    /// The stage; never a claimed one.
    pub(crate) stage: Stage,
    /// Whether the node was pruned once, and may have facts that its new children do not imply.
    pub(crate) is_kept: bool,
    pub(crate) visits: u64,
    pub(crate) value_sum: i64,
    /// A leaf's try, if any.
    pub(crate) tried: Option<Tried>,
}

/// Facts as numbers: the flags, then three numbers for each player.
pub(crate) type FactNumbers = [u64; 1 + 3 * MAX_PLAYERS];

/// The bit position of the lowest flag among a node's facts.
const FLAGS_SHIFT: u32 = SKIP.trailing_zeros();
const FLAGS: u64 = SKIP | SOLVED | EXACT;

impl Tree {
    /// Returns the record of a node that no thread is changing.
    pub(crate) fn record(&self, index: u32) -> Record {
        Record::of(self.node(index))
    }

    /// Restores a node, or a fresh child that no other thread can see yet, from a file and the
    /// rules. A node that had children is a leaf until they are restored.
    pub(crate) fn restore(
        &self,
        block: Block<'_>,
        number: usize,
        record: &Record,
        seen: &SeenChild,
    ) {
        self.prepare(block, number, seen);
        let node = &block.nodes()[number];
        node.restore(record);
        if let Some(tried) = record.tried {
            self.remember_tried(block.index(number), tried);
        }
        if record.stage != Stage::Expanded {
            self.count_evaluations(block, number, record.visits);
        }
    }

    /// Publishes restored children, whose moves are written.
    pub(crate) fn restore_children(&self, index: u32, filled: Filled) {
        let Some(claim) = self.claim_expansion(self.node(index)) else {
            unreachable!("the node was restored as a leaf, and nobody else is here");
        };
        self.arena.publish(claim, filled, STALE);
    }

    /// Computes the facts that the children of a restored node imply. Everything below the node
    /// must have been restored. Returns whether the node has at least as many visits as its
    /// children together.
    pub(crate) fn restore_facts(&self, index: u32) -> bool {
        let node = self.node(index);
        let word = node.load();
        let facts = self.deduce(index, word);
        self.write_facts(self.arena.single(index), 0, &facts);
        node.word.fetch_or(facts.flags & FLAGS, Ordering::Relaxed);
        let (below, _) = self.arena.children(word).statistics();
        let ended = node.statistics().visits.checked_sub(below);
        self.count_evaluations(self.arena.single(index), 0, ended.unwrap_or(0));
        ended.is_some()
    }

    /// Sets the number of evaluations that ended at a node, if they are counted.
    fn count_evaluations(&self, block: Block<'_>, number: usize, ended: u64) {
        if let Some(cell) = block.evaluations().get(number) {
            cell.store(ended as u32, Ordering::Relaxed);
        }
    }

    /// Stores the weights of the outcomes in a fresh block.
    pub(crate) fn restore_weights(&self, block: Block<'_>, weights: &[u32]) {
        for (cell, &weight) in block.weights().iter().zip(weights) {
            cell.store(weight, Ordering::Relaxed);
        }
    }
}

impl Node {
    /// Restores the node's statistics and its KEPT flag, while no other thread can reach it. Its
    /// facts and its stage are set already.
    pub(super) fn restore(&self, record: &Record) {
        self.set_statistics(record.visits & VISITS_MASK, record.value_sum);
        if record.is_kept {
            self.word.fetch_or(KEPT, Ordering::Relaxed);
        }
    }
}

impl Record {
    fn of(node: &Node) -> Record {
        let word = node.load();
        let statistics = node.statistics();
        Record {
            stage: word.stage(),
            is_kept: word.0 & KEPT != 0,
            visits: statistics.visits,
            value_sum: statistics.value_sum,
            tried: word.tried(),
        }
    }
}

impl Logic {
    /// The facts of a node before its children are restored: none, or those that were kept.
    pub(crate) fn before_children(&self, kept: Option<&Facts>) -> Facts {
        kept.copied().unwrap_or_else(|| self.unknown())
    }

    /// The facts of a leaf that lost its children but kept some facts.
    pub(crate) fn kept_leaf(&self, mover: usize, mobility: usize, kept: &Facts) -> Facts {
        self.join(&self.leaf(mover, mobility), kept)
    }

    /// The number of numbers that [`numbers_of`](Logic::numbers_of) writes.
    pub(crate) fn num_fact_numbers(&self) -> usize {
        1 + 3 * self.players
    }

    /// Converts facts to numbers. Intervals become distances from the ends of the range, so that
    /// most numbers are small.
    pub(crate) fn numbers_of(&self, facts: &Facts) -> FactNumbers {
        let mut numbers = FactNumbers::default();
        numbers[0] = (facts.flags & FLAGS) >> FLAGS_SHIFT;
        for player in 0..self.players {
            let (span, whole) = (facts.intervals[player], self.whole(player));
            let of_player = &mut numbers[1 + 3 * player..][..3];
            of_player[0] = u64::from(facts.proof_numbers[player].raw());
            of_player[1] = distance(whole.lower, span.lower);
            of_player[2] = distance(span.upper, whole.upper) << 1 | u64::from(span.rounded);
        }
        numbers
    }

    /// Converts numbers to facts; `None` if they are impossible in this game.
    pub(crate) fn facts_of(&self, numbers: &FactNumbers) -> Option<Facts> {
        let mut facts = self.unknown();
        facts.flags = numbers[0].checked_shl(FLAGS_SHIFT).filter(|_| numbers[0] < 8)?;
        for player in 0..self.players {
            let of_player = &numbers[1 + 3 * player..][..3];
            let number = of_player[0];
            facts.proof_numbers[player] = if number == u64::from(ProofNumber::INFINITE.raw()) {
                ProofNumber::INFINITE
            } else if number <= u64::from(ProofNumber::MAX_FINITE.raw()) {
                ProofNumber::finite(number)
            } else {
                return None;
            };
            let whole = self.whole(player);
            let (raised, fallen) = (of_player[1], of_player[2] >> 1);
            if raised.checked_add(fallen)? > distance(whole.lower, whole.upper) {
                return None;
            }
            let span = Span {
                lower: Fixed::from_bits(whole.lower.to_bits() + raised as i64),
                upper: Fixed::from_bits(whole.upper.to_bits() - fallen as i64),
                rounded: of_player[2] & 1 != 0,
            };
            let is_whole = span.lower.to_payoff().is_some() && span.upper.to_payoff().is_some();
            if (!self.chance && !is_whole) || (span.rounded && (span.is_exact() || !self.chance)) {
                return None;
            }
            facts.intervals[player] = span;
        }
        // Both players' intervals are stored as one, so they must agree.
        if self.zero_sum && facts.intervals[1] != facts.intervals[0].reversed() {
            return None;
        }
        Some(facts)
    }

    /// Returns whether an answer is possible in this game, for this question.
    pub(crate) fn admits(&self, answer: Solved) -> bool {
        if !self.can_carry() {
            return false;
        }
        let bits = answer.to_bits();
        if self.chance && self.goal == Goal::Score {
            let whole = self.whole(0);
            let (raised, width) = (bits >> Solved::WIDTH_BITS, bits & Solved::WIDTHS);
            return raised + width <= distance(whole.lower, whole.upper);
        }
        let value = bits as u32 as i32;
        let is_value = Solved::from_value(value).to_bits() == bits;
        let range = match self.goal {
            Goal::Outcome => -1..=1,
            Goal::Score => self.ranges[0].lower..=self.ranges[0].upper,
        };
        is_value && range.contains(&value) && {
            let interval = self.known(answer).intervals[0];
            interval.lower <= interval.upper
        }
    }
}

/// The distance from `lower` up to `upper`, in fixed-point units.
fn distance(lower: Fixed, upper: Fixed) -> u64 {
    upper.to_bits().wrapping_sub(lower.to_bits()) as u64
}
