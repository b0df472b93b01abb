//! The order in which alpha-beta searches the moves of a position.
//!
//! The move from the table comes first. The others are sorted by the game's score
//! ([`DomainKnowledge::move_order`](crate::DomainKnowledge::move_order)), then by the number of
//! replies that they leave to the opponent, if that number varies enough (*fastest first*), and
//! then by their success elsewhere: whether they caused the latest cutoffs at the same depth
//! (*killers*, Huberman 1968), and how often they caused a cutoff when tried (the *relative
//! history* of Winands et al. 2004). Each thread has its own statistics.

use crate::math::mix_all_bits;

/// The sort key of a move within its position; the least key comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank {
    /// Whether the move differs from the move in the table.
    unnamed: bool,
    /// A number that falls as the game's [`move_order`](crate::DomainKnowledge::move_order) rises.
    priority: u32,
    /// The number of the opponent's replies, or [`UNKNOWN`].
    replies: u32,
    /// A number that falls as the move's history improves.
    past: i32,
}

const UNKNOWN: u32 = u32::MAX;

impl Default for Rank {
    fn default() -> Rank {
        Rank { unnamed: true, priority: 0, replies: UNKNOWN, past: 0 }
    }
}

impl Rank {
    pub(super) fn first(&mut self) {
        self.unnamed = false;
    }

    pub(super) fn priority(&mut self, priority: u32) {
        self.priority = u32::MAX - priority;
    }

    pub(super) fn replies(&mut self, replies: u32) {
        self.replies = replies;
    }

    /// Perturbs the key slightly, so that threads search moves in different orders.
    pub(super) fn shake(&mut self, salt: u64) {
        self.past -= (mix_all_bits(salt) & SHAKES) as i32;
    }
}

/// The greatest history score; the least is 0.
const BEST: u32 = 1 << 10;
const SHAKES: u64 = 0x7f;
/// The greatest number of moves with a history. A lookup compares a move with each of them.
const MOST_MOVES: usize = 256;
/// When the counts of a move add up to more than this, all counts are halved.
const MOST_COUNTED: u32 = 1 << 16;

pub(super) struct Order<M> {
    moves: Vec<M>,
    /// For the others and for the claimant, how often each move caused a cutoff and how often it
    /// failed to cause one, weighted by the logarithm of the work.
    counts: [Vec<(u32, u32)>; 2],
    /// For each depth, the last two moves that caused a cutoff.
    killers: Vec<[Option<M>; 2]>,
}

impl<M: Copy + Eq> Order<M> {
    pub(super) fn new() -> Order<M> {
        Order { moves: Vec::new(), counts: [Vec::new(), Vec::new()], killers: Vec::new() }
    }

    pub(super) fn reach(&mut self, depth: usize) {
        while self.killers.len() <= depth {
            self.killers.push([None; 2]);
        }
    }

    #[inline]
    pub(super) fn rank(&self, claimant: bool, depth: usize, mv: M) -> Rank {
        let counts = self.number(mv).map(|number| self.counts[usize::from(claimant)][number]);
        let (good, bad) = counts.unwrap_or((0, 0));
        let history = (u64::from(good) + 1) * u64::from(BEST) / (u64::from(good + bad) + 2);
        let [last, before] = self.killers[depth];
        let killer = match Some(mv) {
            mv if mv == last => 2 * BEST,
            mv if mv == before => BEST,
            _ => 0,
        };
        Rank { past: -(history as i32 + killer as i32), ..Rank::default() }
    }

    /// Records, with weight `work`, that `best` caused a cutoff and the moves in `tried` did not.
    pub(super) fn learn(
        &mut self,
        claimant: bool,
        depth: usize,
        best: M,
        tried: impl Iterator<Item = M>,
        work: u64,
    ) {
        let weight = work.ilog2() + 1;
        for (mv, is_good) in tried.map(|mv| (mv, false)).chain([(best, true)]) {
            let Some(number) = self.number(mv).or_else(|| self.meet(mv)) else { continue };
            let counts = &mut self.counts[usize::from(claimant)];
            let (good, bad) = &mut counts[number];
            *(if is_good { &mut *good } else { &mut *bad }) += weight;
            if *good + *bad > MOST_COUNTED {
                counts.iter_mut().for_each(|(good, bad)| (*good, *bad) = (*good / 2, *bad / 2));
            }
        }
        let killers = &mut self.killers[depth];
        if killers[0] != Some(best) {
            *killers = [Some(best), killers[0]];
        }
    }

    fn number(&self, mv: M) -> Option<usize> {
        self.moves.iter().position(|&known| known == mv)
    }

    fn meet(&mut self, mv: M) -> Option<usize> {
        if self.moves.len() == MOST_MOVES {
            return None;
        }
        self.moves.push(mv);
        self.counts.iter_mut().for_each(|counts| counts.push((0, 0)));
        Some(self.moves.len() - 1)
    }
}

/// Measures whether counting replies improves the move order.
pub(super) struct Gauge {
    on: bool,
    always: bool,
    positions: u32,
    /// The sum over the measured positions of (most − fewest) / most, the relative difference
    /// between the numbers of replies, in units of 1/1024.
    contrast: u64,
}

const ENOUGH: u32 = 256;

impl Gauge {
    pub(super) fn new(always: bool) -> Gauge {
        Gauge { on: true, always, positions: 0, contrast: 0 }
    }

    pub(super) fn is_on(&self) -> bool {
        self.on
    }

    /// Adds the numbers of replies to a position's moves. If these hardly differ, counting replies
    /// costs time without improving the order.
    pub(super) fn measure<'r>(&mut self, ranks: impl Iterator<Item = &'r Rank>) {
        if self.always || self.positions == ENOUGH {
            return;
        }
        let (mut fewest, mut most, mut moves) = (UNKNOWN, 0, 0);
        for rank in ranks {
            (fewest, most, moves) = (fewest.min(rank.replies), most.max(rank.replies), moves + 1);
        }
        if moves < 2 {
            return;
        }
        self.positions += 1;
        self.contrast += u64::from(most - fewest) * 1024 / u64::from(most.max(1));
        if self.positions == ENOUGH {
            self.on = self.contrast / u64::from(ENOUGH) >= 1024 / 4;
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    fn order(ranks: &[(char, Rank)]) -> String {
        let mut ranks = ranks.to_vec();
        ranks.sort_by_key(|&(_, rank)| rank);
        ranks.into_iter().map(|(mv, _)| mv).collect()
    }

    #[test]
    fn what_ended_positions_comes_first() {
        let mut notes = Order::new();
        notes.reach(7);
        let ranks = |notes: &Order<char>, depth| {
            "abcd".chars().map(|mv| (mv, notes.rank(true, depth, mv))).collect::<Vec<_>>()
        };
        assert_eq!(order(&ranks(&notes, 7)), "abcd");
        notes.learn(true, 3, 'c', "ab".chars(), 100);
        // At other depths only the history matters: `c` has succeeded, `a` and `b` have failed.
        assert_eq!(order(&ranks(&notes, 7)), "cdab");
        for _ in 0..9 {
            notes.learn(true, 4, 'd', "".chars(), 100);
        }
        assert_eq!(order(&ranks(&notes, 7)), "dcab");
        assert_eq!(order(&ranks(&notes, 3)), "cdab");
        // The other side has separate statistics.
        assert_eq!(notes.rank(false, 7, 'd'), notes.rank(false, 7, 'a'));
        let mut named = ranks(&notes, 3);
        named[1].1.first();
        named[0].1.replies(5);
        assert_eq!(order(&named), "bacd");
    }

    #[test]
    fn counts_stay_small() {
        let mut notes = Order::new();
        notes.reach(0);
        for n in 0..100_000u32 {
            notes.learn(true, 0, n % 1000, [n % 7].into_iter(), u64::MAX);
        }
        assert_eq!(notes.moves.len(), MOST_MOVES);
        assert!(notes.counts[1].iter().all(|&(good, bad)| good + bad <= MOST_COUNTED));
    }

    #[test]
    fn replies_are_counted_where_they_differ() {
        let measured = |replies: &[u32], always| {
            let mut gauge = Gauge::new(always);
            let ranks: Vec<Rank> =
                replies.iter().map(|&replies| Rank { replies, ..Rank::default() }).collect();
            (0..ENOUGH).for_each(|_| gauge.measure(ranks.iter()));
            gauge.is_on()
        };
        assert!(measured(&[3, 9, 5], false));
        assert!(!measured(&[7, 7, 6], false));
        assert!(measured(&[7, 7, 6], true));
    }
}
