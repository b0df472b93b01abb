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

use super::arena::Block;
use super::word::{EXACT, SETTLED, SKIP};
use crate::game::{MAX_PLAYERS, Outcome, Turn};
use crate::interval::{AtomicInterval, Interval};
use crate::proof_number::ProofNumber;

/// What a search is asked to find out about its root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Goal {
    /// Whether the side to move wins, draws or loses.
    #[default]
    Win,
    /// The exact score.
    Score,
}

/// Who stands against whom when a child is judged not worth entering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sides {
    /// One player's interval decides, and all others work against that
    /// player: true in one- and two-player zero-sum games, a declared
    /// assumption elsewhere.
    Versus(usize),
    /// Everybody plays for themselves: guarantees against a coalition prune
    /// nothing.
    Free,
}

/// The fixed part of a search's reasoning.
#[derive(Clone, Debug)]
pub(crate) struct Logic {
    pub(crate) players: usize,
    pub(crate) zero_sum: bool,
    pub(crate) goal: Goal,
    pub(crate) sides: Sides,
    /// Statuses are used, not only kept.
    pub(crate) solver: bool,
    /// Intervals are kept and used.
    pub(crate) score_bounds: bool,
    /// Proof numbers count; otherwise they only say proven, open, impossible.
    pub(crate) proof_numbers: bool,
    /// Leaves start with their number of moves.
    pub(crate) mobility: bool,
    /// Each outcome is one payoff, so that statuses say all that an interval
    /// says, and none is kept: see [`Logic::statuses_are_bounds`].
    pub(crate) bounds_are_statuses: bool,
    pub(crate) ranges: [Interval; MAX_PLAYERS],
    /// The least payoff that is a draw, and the least that is a win.
    pub(crate) thresholds: [Thresholds; MAX_PLAYERS],
}

/// A player's payoffs cut into outcomes; `None` where there are none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Thresholds {
    pub(crate) draw: Option<i32>,
    pub(crate) win: Option<i32>,
}

impl Thresholds {
    #[inline]
    pub(crate) fn outcome(self, payoff: i32) -> Outcome {
        if self.win.is_some_and(|least| payoff >= least) {
            Outcome::Win
        } else if self.draw.is_some_and(|least| payoff >= least) {
            Outcome::Draw
        } else {
            Outcome::Loss
        }
    }
}

/// The answer to the question at a node of a two-player zero-sum game, for
/// player 0: the exact payoff when the score is asked for, else the outcome as
/// 1, 0 or −1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Settled(pub(crate) i32);

impl Settled {
    pub(crate) fn from_bits(bits: u32) -> Settled {
        Settled(bits as i32)
    }

    pub(crate) fn to_bits(self) -> u32 {
        self.0 as u32
    }
}

/// All that is known of a node besides statistics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Facts {
    pub(crate) proof_numbers: [ProofNumber; MAX_PLAYERS],
    pub(crate) intervals: [Interval; MAX_PLAYERS],
    /// SKIP, SETTLED and EXACT.
    pub(crate) flags: u64,
    /// Numbers and intervals say different things: a bug.
    pub(crate) contradictory: bool,
}

impl Logic {
    /// Whether intervals need not be kept beside the statuses of a two-player
    /// zero-sum game: a win, a draw and a loss are one payoff each, so a player
    /// has secured a payoff just when the status of one of them says so.
    pub(crate) fn statuses_are_bounds(&self) -> bool {
        let Interval { lower, upper } = self.ranges[0];
        let outcome = |payoff| self.thresholds[0].outcome(payoff);
        let few = lower < upper && upper.saturating_sub(lower) <= 2;
        let distinct = || (lower..upper).all(|payoff| outcome(payoff) != outcome(payoff + 1));
        self.zero_sum && self.solver && self.score_bounds && few && distinct()
    }

    /// How many intervals a node has.
    pub(crate) fn num_intervals(&self) -> usize {
        match (self.score_bounds && !self.bounds_are_statuses, self.zero_sum) {
            (false, _) => 0,
            (true, true) => 1,
            (true, false) => self.players,
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
            intervals: self.ranges,
            flags: 0,
            contradictory: false,
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
    /// and the others have secured what they have whatever the move.
    pub(super) fn pass_on(&self, turn: Turn, facts: &Facts) -> Facts {
        let mut passed = self.unknown();
        let Turn::Player(mover) = turn else { return passed };
        for player in 0..self.players {
            let (number, interval) = (facts.proof_numbers[player], facts.intervals[player]);
            let passes = if player == mover { number.is_infinite() } else { number.is_proven() };
            if passes {
                passed.proof_numbers[player] = number;
            }
            let range = self.ranges[player];
            passed.intervals[player] = match player == mover {
                true => Interval { upper: interval.upper, ..range },
                false => Interval { lower: interval.lower, ..range },
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
        if self.mobility && self.proof_numbers {
            for (player, number) in facts.proof_numbers[..self.players].iter_mut().enumerate() {
                if player != mover {
                    *number = ProofNumber::finite(mobility as u64);
                }
            }
        }
        self.conclude(&mut facts);
        facts
    }

    /// Whether a leaf's facts are those that it has with unknown children.
    pub(crate) fn leaf_foresees_children(&self) -> bool {
        self.mobility || !self.proof_numbers
    }

    /// A node where the game is over.
    pub(crate) fn terminal(&self, payoffs: &[i32]) -> Facts {
        let mut facts = self.unknown();
        for (player, &payoff) in payoffs.iter().enumerate() {
            facts.intervals[player] = Interval::exactly(payoff);
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
        self.zero_sum && self.prunes()
    }

    /// A node whose position was settled at another node.
    pub(crate) fn known(&self, settled: Settled) -> Facts {
        let mut facts = self.unknown();
        let outcome = match self.goal {
            Goal::Score => self.thresholds[0].outcome(settled.0),
            Goal::Win => Outcome::from_value(settled.0),
        };
        let range = self.ranges[0];
        let Thresholds { draw, win } = self.thresholds[0];
        // Payoffs with this outcome: from its threshold to below the next one.
        let below = |threshold: Option<i32>| threshold.map_or(range.upper, |least| least - 1);
        facts.intervals[0] = match (self.goal, outcome) {
            (Goal::Score, _) => Interval::exactly(settled.0),
            (_, Outcome::Win) => Interval { lower: win.unwrap_or(range.lower), ..range },
            (_, Outcome::Draw) => {
                Interval { lower: draw.unwrap_or(range.lower), upper: below(win) }
            }
            (_, Outcome::Loss) => Interval { upper: below(draw.or(win)), ..range },
        };
        facts.intervals[1] = facts.intervals[0].reversed();
        for (number, won) in facts.proof_numbers.iter_mut().zip([Outcome::Win, Outcome::Loss]) {
            let proven = outcome == won;
            *number = if proven { ProofNumber::PROVEN } else { ProofNumber::INFINITE };
        }
        self.conclude(&mut facts);
        facts
    }

    /// The answer that a settled node's numbers and interval give.
    pub(crate) fn settled(&self, numbers: &[ProofNumber], interval: Interval) -> Option<Settled> {
        let stakes = self.stakes(0, numbers, interval);
        stakes.are_settled().then_some(Settled(stakes.low))
    }

    /// What the children say about their parent (Algorithm 1, lines 41 to 51,
    /// of the GPN paper for the proof numbers; Cazenave and Saffidine for the
    /// bounds): the mover takes the best for itself, and for every other
    /// player the worst is assumed.
    pub(crate) fn deduce<M>(&self, mover: usize, children: Block<'_, M>) -> Facts {
        let mut facts = self.unknown();
        let any_decided = match self.players {
            2 => self.deduce_proof_numbers::<2, M>(mover, children, &mut facts),
            3 => self.deduce_proof_numbers::<3, M>(mover, children, &mut facts),
            _ => self.deduce_proof_numbers::<MAX_PLAYERS, M>(mover, children, &mut facts),
        };
        if self.num_intervals() > 0 {
            self.deduce_intervals(mover, children, &mut facts);
        }
        // A child that decides anything about a win has a proof number that
        // says so, because bounds feed the status.
        let any_tightened = || children.intervals().iter().any(AtomicInterval::is_tightened);
        if any_decided || self.goal == Goal::Score && any_tightened() {
            facts.flags = SKIP;
            if self.sides == Sides::Free && self.are_exact_and_alike(children) {
                facts.flags |= EXACT;
            }
        }
        self.conclude(&mut facts);
        facts
    }

    /// Answers whether any child's number for anybody is 0 or ∞. `N` is the
    /// number of players, or more.
    fn deduce_proof_numbers<const N: usize, M>(
        &self,
        mover: usize,
        children: Block<'_, M>,
        facts: &mut Facts,
    ) -> bool {
        // Sums in u64 cannot overflow: at most 65,535 children of 32 bits.
        let mut sums = [0u64; N];
        let mut greatest = [ProofNumber::PROVEN; N];
        let mut least = [ProofNumber::INFINITE; N];
        for child in children.proof_numbers().chunks_exact(self.players.min(N)) {
            for (player, number) in child.iter().enumerate().take(N) {
                let number = number.load();
                sums[player] += u64::from(number.raw());
                greatest[player] = greatest[player].max(number);
                least[player] = least[player].min(number);
            }
        }
        let mut any_decided = false;
        for player in 0..self.players.min(N) {
            any_decided |= least[player].is_proven() || greatest[player].is_infinite();
            let number = if player == mover {
                least[player]
            } else if greatest[player].is_infinite() {
                ProofNumber::INFINITE
            } else {
                ProofNumber::finite(sums[player])
            };
            facts.proof_numbers[player] =
                if number.is_open() && !self.proof_numbers { ProofNumber::ONE } else { number };
        }
        any_decided
    }

    fn deduce_intervals<M>(&self, mover: usize, children: Block<'_, M>, facts: &mut Facts) {
        let intervals = self.num_intervals();
        let mut cells = children.intervals().chunks_exact(intervals);
        let Some(first) = cells.next() else { return };
        for (player, cell) in first.iter().enumerate() {
            facts.intervals[player] = cell.load(self.ranges[player]);
        }
        for child in cells {
            for (player, cell) in child.iter().enumerate() {
                let interval = cell.load(self.ranges[player]);
                let known = &mut facts.intervals[player];
                *known = if player == mover { known.max(interval) } else { known.min(interval) };
            }
        }
        if self.zero_sum {
            facts.intervals[1] = facts.intervals[0].reversed();
        }
    }

    /// Whether all children's payoffs are known whatever anybody does, and the
    /// same.
    fn are_exact_and_alike<M>(&self, children: Block<'_, M>) -> bool {
        if self.num_intervals() == 0 || !children.nodes().iter().all(|node| node.load().is_exact())
        {
            return false;
        }
        let mut cells = children.intervals().chunks_exact(self.num_intervals());
        let Some(first) = cells.next() else { return false };
        cells.all(|child| {
            let mut pairs = child.iter().zip(first).zip(&self.ranges);
            pairs.all(|((a, b), &range)| a.load(range) == b.load(range))
        })
    }

    /// Lets the bounds speak to the status, or the other way round, and marks
    /// what is settled.
    fn conclude(&self, facts: &mut Facts) {
        if self.bounds_are_statuses {
            facts.intervals[0] = self.interval_of(&facts.proof_numbers);
            facts.intervals[1] = facts.intervals[0].reversed();
        } else if self.score_bounds {
            for player in 0..self.players {
                let Interval { lower, upper } = facts.intervals[player];
                let thresholds = self.thresholds[player];
                let says = if thresholds.outcome(lower) == Outcome::Win {
                    ProofNumber::PROVEN
                } else if thresholds.outcome(upper) != Outcome::Win {
                    ProofNumber::INFINITE
                } else {
                    continue;
                };
                let number = &mut facts.proof_numbers[player];
                facts.contradictory |= !number.is_open() && *number != says;
                *number = says;
            }
        }
        let settled = match self.sides {
            Sides::Versus(player) => self
                .stakes(player, &facts.proof_numbers[..self.players], facts.intervals[player])
                .are_settled(),
            Sides::Free => facts.flags & EXACT != 0,
        };
        if settled && self.prunes() {
            facts.flags |= SETTLED;
        }
    }
}
