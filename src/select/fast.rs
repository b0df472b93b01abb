//! The short way of most selections: up to eight children, none left out, two
//! players, and a bias that needs no order.
//!
//! A playout goes down eight levels or more, and the next level's loads wait for this
//! one's choice. So what counts is how long the longest chain of instructions is
//! that hang on each other, not how many there are. All children are gathered at
//! once, without a branch for each, and nothing goes through memory on the way.

use super::{AtNode, Selection};
use crate::bounds::{AtomicProofNumber, NumberCell, ProofNumber};
use crate::math::{LANES, Rng, f32x8, greatest, i32x8, nth_bit, unrolled};
use crate::settings::{Bias, Extent};
use crate::threads::{Event, count};
use crate::tree::{Node, with_numbers};

impl Selection {
    /// Whether [`best_of_few`](Self::best_of_few) may be asked.
    #[inline(always)]
    pub(crate) fn are_few(&self, here: AtNode<'_>) -> bool {
        let few = here.word.num_children() <= LANES && here.tree.logic.players == 2;
        few && !self.bias.sorts()
    }

    /// The best of the children as `Selection::best` finds it; none where playouts
    /// are under way below them or their visits take more than 31 bits. In a tree of numbers alone
    /// it may be asked for those that are open for a player, and finds none where there
    /// is none.
    #[inline(always)]
    pub(crate) fn best_of_few(
        &self,
        here: AtNode<'_>,
        open_for: Option<usize>,
        rng: &mut Rng,
    ) -> Option<usize> {
        let children = here.children();
        children.prefetch_moves();
        let nodes = children.nodes();
        let (sums, visits) = unrolled!(nodes.len(), N => statistics::<N>(nodes)?);
        let scores = self.scores(here);
        let fading = scores.fading;
        let mut scores = scores.of(sums, visits, visits);
        if self.bias != Bias::None {
            let pairs = children.proof_numbers().as_chunks::<2>().0;
            let mover = here.word.mover() & 1;
            let numbers = unrolled!(nodes.len(), N => numbers::<N>(pairs, mover));
            let extent = Extent::of(self.bias, numbers);
            scores +=
                extent.scale(self.bias, nodes.len()).weighted(self.weight.c_pn, fading)(numbers);
        }
        if let Some(player) = open_for {
            let logic = &here.tree.logic;
            scores += with_numbers!(children.numbers(), cells => {
                logic.closed_by_numbers(player, cells.as_chunks::<2>().0, here.window)
            });
        }
        let greatest = greatest(scores);
        if open_for.is_some() && greatest == f32::NEG_INFINITY {
            return None;
        }
        count(Event::ChoiceMade);
        count(Event::FastChoice);
        let at = scores.simd_eq(f32x8::splat(greatest)).to_bitmask();
        let is_single = at & at.wrapping_sub(1) == 0;
        Some(match is_single {
            true => at.trailing_zeros() as usize,
            false => nth_bit(at, rng.below(at.count_ones())),
        })
    }
}

/// The sums of values and the visits of `N` nodes; in the lanes behind them what no
/// child has, which makes them the worst.
#[inline(always)]
fn statistics<const N: usize>(nodes: &[Node]) -> Option<(f32x8, f32x8)> {
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

/// The mover's proof numbers at `N` nodes, ∞ in the lanes behind them.
#[inline(always)]
fn numbers<const N: usize>(pairs: &[[AtomicProofNumber; 2]], mover: usize) -> f32x8 {
    let mut numbers = [ProofNumber::INFINITE; LANES];
    for (number, pair) in numbers.iter_mut().zip(&pairs[..N]) {
        *number = pair[mover].load();
    }
    ProofNumber::as_floats(numbers)
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::game::Recommended;
    use crate::math::Rng;
    use crate::select::SelectionBuffer;
    use crate::settings::{Config, Resolved};
    use crate::sync::Writers;
    use crate::tree::{Columns, Listing, Logic, MoveTree, ROOT, Slab, VALUE_ONE, Window};
    use proptest::prelude::*;

    #[derive(Clone, Debug)]
    struct FastChild {
        visits: u64,
        /// In units of `VALUE_ONE`, per visit.
        mean: i64,
        under_way: bool,
        numbers: [ProofNumber; 2],
    }

    fn child() -> impl Strategy<Value = FastChild> {
        let number = prop_oneof![
            (0u64..4).prop_map(ProofNumber::finite),
            any::<u64>().prop_map(ProofNumber::finite),
            Just(ProofNumber::INFINITE),
        ];
        let visits = prop_oneof![6 => 0u64..5, 2 => 0u64..100_000, 1 => 0u64..1 << 40];
        let numbers = [number.clone(), number].prop_map(|numbers| numbers);
        (visits, -2i64..=2, prop::bool::weighted(0.02), numbers).prop_map(
            |(visits, mean, under_way, numbers)| FastChild { visits, mean, under_way, numbers },
        )
    }

    proptest! {
        #[test]
        fn the_short_way_finds_what_the_long_one_does(
            children in prop::collection::vec(child(), 1..=8),
            mover in 0usize..2,
            bias in prop::sample::select(vec![
                Bias::None, Bias::Max, Bias::Sum,
            ]),
            c_pn in prop::sample::select(vec![0.0, 0.1, 1.0]),
            open_for in prop::option::of(0usize..2),
            window in prop::sample::select(vec![(i64::MIN, i64::MAX), (-1, 0), (0, 1), (1, 1)]),
            seed in any::<u64>(),
        ) {
            let columns = Columns { proof_numbers: 2, ..Columns::default() };
            let tree = MoveTree::<u8>::new(Logic::two_sides(false, false), columns, 64, Writers::Many).unwrap();
            let root = tree.node(ROOT);
            tree.set_leaf(tree.claim_evaluation(root).unwrap(), ROOT, mover, 1);
            let moves = vec![0; children.len()];
            let reservation = tree.arena.reserve(&mut Slab::default(), moves.len()).unwrap();
            let claim = tree.claim_expansion(root).unwrap();
            let word = tree.expand(claim, tree.fill(reservation, &moves), Listing::default());
            let block = tree.arena.children(word);
            for (i, child) in children.iter().enumerate() {
                let node = &block.nodes()[i];
                node.add(Writers::Many, child.visits, child.visits as i64 * child.mean * VALUE_ONE / 2, false);
                if child.under_way {
                    node.enter();
                }
                for (player, &number) in child.numbers.iter().enumerate() {
                    block.proof_numbers()[2 * i + player].store(number);
                }
                root.add(Writers::Many, child.visits, 0, false);
            }
            let config = Config::default().threads(2).bias(bias).c_pn(c_pn);
            let resolved = Resolved::of(&config, &Recommended::default(), 2, true, false);
            let selection = Selection::new(&config, &resolved, false, false, false);
            let window = Window { low: window.0, high: window.1 };
            let here = AtNode {
                tree: &tree,
                node: root,
                index: ROOT,
                word,
                viewpoint: 0,
                window,
                thread: 0,
            };
            let (mut one, mut other) = (Rng::new(seed), Rng::new(seed));
            let short = selection.best_of_few(here, open_for, &mut one);
            let long = selection.best::<false>(here, &mut SelectionBuffer::default(), &mut other, |i| {
                let local_window = |player| tree.logic.window_at(player, block, i);
                open_for.is_none_or(|player| !local_window(player).within(window).are_settled())
            });
            let fit = children.iter().all(|child| child.visits < 1 << 31 && !child.under_way);
            prop_assert_eq!(short, if fit { long } else { None });
            prop_assert!(!fit || one.below(1 << 30) == other.below(1 << 30), "as many draws");
        }
    }
}
