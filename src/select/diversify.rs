//! Threads that prefer different children.
//!
//! What one processor wrote last, another has to fetch, and that takes longer than all
//! else that a playout does at a node. Near the root the path cache sees to it; further down
//! it depends on where the threads go. Led by the same scores they follow each other, so
//! that every second node on the way was last changed by somebody else. So in nodes with
//! many visits each thread explores half of the children a little more than the others:
//! where the scores are close, which is where the time goes, threads take different ways
//! and have whole branches to themselves for a while.
//!
//! Which half is drawn for each node, so that any two threads differ at every second
//! node or more, and each thread prefers each child as often as not.

use crate::math::{f32x8, strengthen_high_bits};
use crate::tree::Word;

/// With 0.15 two threads make 1.9 times the playouts of one in Othello and 1.6 times in Connect
/// Four, with 0 only 1.2 times, and play as well.
const SPREAD: f64 = 0.15;

/// How much each thread prefers its half, and where: what C is multiplied by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Diversify {
    own: f32,
    others: f32,
    /// The visits of a node from which on threads differ.
    from: u64,
    /// Bits that tell the threads' numbers apart.
    bits: u32,
}

impl Diversify {
    /// A thread adds [`SPREAD`]` · (1 + c)` to `c` in its own half of the children and takes it off,
    /// down to 0, in the other. One thread, or a C of 0, prefers nothing.
    ///
    /// A share of C alone is not enough: a tenth of Othello's C of 0.2 parts nobody, because the
    /// values of its moves differ by more. A difference alone is not enough either: 0.15 parts few
    /// beside Connect Four's C of 1.
    pub(crate) fn new(c: f64, threads: usize) -> Diversify {
        /// Below nodes with fewer visits threads have parted or meet by chance; to part
        /// there saves next to no time, and few visits say little as it is.
        const MANY: u64 = 1 << 10;
        let differ = threads > 1 && c > 0.0;
        let share = if differ { (SPREAD * (1.0 + c) / c) as f32 } else { 0.0 };
        Diversify {
            own: 1.0 + share,
            others: (1.0 - share).max(0.0),
            from: if differ { MANY } else { u64::MAX },
            bits: threads.next_power_of_two() as u32 - 1,
        }
    }

    /// Whether threads differ at a node with this many visits.
    #[inline(always)]
    pub(crate) fn applies(self, visits: u64) -> bool {
        visits >= self.from
    }

    /// What a thread multiplies C by for a child, as for every eighth child after it.
    #[inline(never)]
    pub(crate) fn factors(self, thread: u32, word: Word) -> f32x8 {
        // The bit in the middle and those above it hang on all bits of the index.
        let hash = strengthen_high_bits(word.first_child().into());
        // Of the bits that tell threads apart any but none: two threads with different
        // ones are on different sides of at least half of these selections.
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

    /// Words of many nodes with so many children.
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

    /// A difference that is there for a small C, too, and no C below 0.
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
