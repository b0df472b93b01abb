//! The scores of siblings, eight at a time.

use crate::math::{LANES, Rng, f32x8, greatest, i32x8, nth_bit, strengthen_high_bits};
use crate::tree::{Block, Node, Statistics, Tree, VALUE_ONE, Window, Word};

/// The expanded node at which a playout selects.
#[derive(Clone, Copy)]
pub(crate) struct AtNode<'t> {
    pub(crate) tree: &'t Tree,
    pub(crate) node: &'t Node,
    pub(crate) index: u32,
    pub(crate) word: Word,
    /// The player from whose perspective the node's own values are stored.
    pub(crate) viewpoint: usize,
    /// The alpha-beta window at the node.
    pub(crate) window: Window,
    pub(crate) thread: u32,
}

impl<'t> AtNode<'t> {
    #[inline]
    pub(crate) fn children(self) -> Block<'t> {
        self.tree.arena.children(self.word)
    }
}

/// The part of `v + C·sqrt(ln N / n)` that all children share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scores {
    /// The node's visits, read once: a second read could return another number.
    pub(crate) visits: u64,
    /// C·sqrt(ln N) for eight children; the same lanes apply to every further eight.
    pub(crate) exploration: f32x8,
    /// The value of a child without visits.
    pub(crate) first_play: f32,
    /// The weight of an in-flight playout as a fraction of a visit.
    pub(crate) under_way: f32,
}

impl Scores {
    /// Returns the best of the children that are `open`; ties are broken at random. `bias(i)`
    /// returns the terms of the eight children from number 8i on.
    #[inline]
    pub(crate) fn best(
        self,
        children: &[Node],
        bias: impl Fn(usize) -> f32x8,
        open: impl Fn(usize) -> bool,
        rng: &mut Rng,
    ) -> Option<usize> {
        let (mut best, mut best_score, mut ties) = (None, f32::NEG_INFINITY, 0);
        for (chunk, nodes) in children.chunks(LANES).enumerate() {
            let first = chunk * LANES;
            let scores = self.score(nodes, |lane| open(first + lane)) + bias(chunk);
            let greatest = greatest(scores);
            if greatest < best_score || greatest == f32::NEG_INFINITY {
                continue;
            }
            let at = scores.simd_eq(f32x8::splat(greatest)).to_bitmask();
            if greatest > best_score {
                (best_score, ties) = (greatest, 0);
            }
            let here = at.count_ones();
            ties += here;
            let draw = if ties > 1 { rng.below(ties) } else { 0 };
            if draw < here {
                best = Some(first + nth_bit(at, draw));
            }
        }
        best
    }

    /// Returns `v + C·sqrt(ln N / n)` for up to eight children, and −∞ for those that are not
    /// `open`. Loads all data before it computes anything, so that one instruction takes the square
    /// roots of several children.
    #[inline]
    fn score(self, nodes: &[Node], open: impl Fn(usize) -> bool) -> f32x8 {
        let mut sums = [f32::NEG_INFINITY; LANES];
        let mut visits = [1.0; LANES];
        let mut any_under_way = false;
        for (lane, node) in nodes.iter().enumerate().take(LANES) {
            if !open(lane) {
                continue;
            }
            let statistics = node.statistics();
            // A signed conversion is a single instruction; visits have only 46 bits.
            sums[lane] = statistics.value_sum as f32;
            visits[lane] = statistics.visits as i64 as f32;
            any_under_way |= statistics.in_flight != 0;
        }
        let (sums, visits) = (f32x8::new(sums), f32x8::new(visits));
        let mut tried = visits;
        if any_under_way {
            tried += in_flight(nodes) * f32x8::splat(self.under_way);
        }
        self.of(sums, visits, tried)
    }

    /// Returns the scores for these sums of values over `counted` playouts, with `tried` playouts
    /// in the exploration term.
    #[inline(always)]
    pub(crate) fn of(self, sums: f32x8, counted: f32x8, tried: f32x8) -> f32x8 {
        let mean = sums / (counted.fast_max(f32x8::splat(1.0)) * f32x8::splat(VALUE_ONE as f32));
        let visited = counted.simd_gt(f32x8::splat(0.0));
        let value = visited.bitselect(mean, f32x8::splat(self.first_play));
        value + self.exploration / tried.fast_max(f32x8::splat(1.0)).sqrt()
    }
}

/// Returns the value of a child without visits: the node's mean value for the mover.
#[inline(always)]
pub(super) fn first_play(here: AtNode<'_>, own: Statistics) -> f32 {
    let logic = &here.tree.logic;
    let (visits, sum) = if logic.zero_sum || logic.players == 1 {
        let sign = if here.word.mover() == here.viewpoint { 1 } else { -1 };
        (own.visits, sign * own.value_sum)
    } else {
        here.children().statistics()
    };
    sum as f32 / (visits.max(1) as i64 as f32 * VALUE_ONE as f32)
}

/// Returns the numbers of playouts in flight below up to eight nodes. These are rarely needed,
/// except near the root and with many threads.
#[inline(never)]
fn in_flight(nodes: &[Node]) -> f32x8 {
    let mut lanes = [0.0; LANES];
    for (lane, node) in lanes.iter_mut().zip(nodes) {
        *lane = node.statistics().in_flight as i32 as f32;
    }
    lanes.into()
}

/// Returns the sums of values and the visits of `N` nodes; the sums are −∞ in the other lanes.
/// `None` if playouts are in flight, or if visits take more than 31 bits.
#[inline(always)]
pub(super) fn statistics<const N: usize>(nodes: &[Node]) -> Option<(f32x8, f32x8)> {
    let (mut sums, mut visits, mut all) = ([f32::NEG_INFINITY; LANES], [1; LANES], 0);
    for (lane, node) in nodes[..N].iter().enumerate() {
        let (word, sum) = node.visits_and_sum();
        all |= word;
        visits[lane] = word as i32;
        sums[lane] = sum as f32;
    }
    let fit = all >> 31 == 0;
    fit.then(|| (f32x8::new(sums), i32x8::new(visits).round_float()))
}

/// Factors of C by which each thread prefers half of a node's children. Which half that is differs
/// from node to node.
///
/// Data that another core wrote last takes longer to fetch than everything else at a node. With
/// equal scores, threads follow each other, so that every second node on the path was last changed
/// by another thread. Near the root, the path cache avoids this. Further down, in nodes with many
/// visits, each thread explores its half a little more: threads separate where scores are close,
/// which is where they spend most of their time. Any two threads differ at half of the nodes or
/// more, and each prefers each child at half of the nodes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Diversify {
    pub(super) own: f32,
    pub(super) others: f32,
    /// The number of visits of a node from which threads differ.
    pub(super) from: u64,
    /// A mask of the bits by which the threads' numbers differ.
    pub(super) bits: u32,
}

impl Diversify {
    #[inline(always)]
    pub(crate) fn applies(self, visits: u64) -> bool {
        visits >= self.from
    }

    /// Returns the factors of eight children; they repeat for the next eight.
    #[inline(never)]
    pub(crate) fn factors(self, thread: u32, word: Word) -> f32x8 {
        // The middle bit and those above it depend on all bits of the index.
        let hash = strengthen_high_bits(word.first_child().into());
        // A non-empty selection of the bits that distinguish threads: two threads are on different
        // sides of at least half of these selections.
        let selection = 1 + (((hash >> 32) * u64::from(self.bits)) >> 32) as u32;
        let side = (thread & selection).count_ones() ^ (hash >> 31) as u32;
        let (even, odd) = match side & 1 {
            0 => (self.own, self.others),
            _ => (self.others, self.own),
        };
        f32x8::new([even, odd, even, odd, even, odd, even, odd])
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::sync::Writers;
    use crate::tree::{Columns, Listing, Logic, MoveTree, ROOT, Slab};

    /// Returns the words of many nodes, each with `children` children.
    fn words(children: usize) -> Vec<Word> {
        let columns = Columns { proof_numbers: 2, ..Columns::default() };
        let tree =
            MoveTree::<u8>::new(Logic::two_sides(false, false), columns, 1 << 14, Writers::One)
                .expect("room for a root");
        let mut slab = Slab::default();
        let mut words = Vec::new();
        let mut index = ROOT;
        while let Ok(block) = tree.arena.reserve(&mut slab, children) {
            let node = tree.node(index);
            tree.set_leaf(tree.claim_evaluation(node).expect("fresh"), index, 0, 1);
            let claim = tree.claim_expansion(node).expect("a leaf");
            let word =
                tree.expand(claim, tree.fill(block, &[0; 8][..children]), Listing::default());
            index = word.first_child();
            words.push(word);
        }
        words
    }

    fn prefers_even(diversify: Diversify, thread: usize, word: Word) -> bool {
        let [even, odd, ..] = diversify.factors(thread as u32, word).to_array();
        assert!((even.max(odd) - 1.3).abs() < 1e-6 && (even.min(odd) - 0.7).abs() < 1e-6);
        even > odd
    }

    #[test]
    fn two_threads_differ_at_half_of_the_nodes_or_more() {
        let words = words(7);
        assert!(words.len() > 2000);
        for threads in [2, 3, 4, 5, 8, 16, 1024] {
            let diversify = Diversify::new(1.0, threads);
            for other in [1, 2, 3, 7, 12, 1023].into_iter().filter(|&other| other < threads) {
                let differ = |&&word: &&Word| {
                    prefers_even(diversify, 0, word) != prefers_even(diversify, other, word)
                };
                let share = words.iter().filter(differ).count() as f64 / words.len() as f64;
                let least = if threads == 2 { 1.0 } else { 0.45 };
                assert!(share >= least, "threads 0 and {other} of {threads}: {share}");
            }
        }
    }

    #[test]
    fn a_thread_prefers_half_of_the_children() {
        for children in [2, 4, 6, 7, 8] {
            let words = words(children);
            for thread in [0, 1, 2, 5] {
                let diversify = Diversify::new(1.0, 6);
                let even =
                    words.iter().filter(|&&word| prefers_even(diversify, thread, word)).count();
                let share = even as f64 / words.len() as f64;
                assert!((0.45..0.55).contains(&share), "{children}, thread {thread}: {share}");
            }
        }
    }

    #[test]
    fn it_is_for_several_threads_and_many_visits() {
        let applies = |c, threads, visits| Diversify::new(c, threads).applies(visits);
        assert!(applies(1.0, 2, 1 << 10) && !applies(1.0, 2, 1023));
        assert!(!applies(0.0, 2, 1 << 40) && !applies(1.0, 1, 1 << 40));
    }

    /// Checks that the difference also exists for a small C, and that no resulting C is below 0.
    #[test]
    fn it_is_a_difference_that_grows_with_c() {
        let word = words(4)[0];
        for (c, greater, less) in [(1.0, 1.3, 0.7), (0.2, 0.38, 0.02), (0.05, 0.2075, 0.0)] {
            let factors = Diversify::new(c, 2).factors(0, word).to_array();
            let mut found = [factors[0], factors[1]].map(|factor| c * f64::from(factor));
            found.sort_by(f64::total_cmp);
            assert!((found[0] - less).abs() < 1e-6 && (found[1] - greater).abs() < 1e-6);
        }
    }
}
