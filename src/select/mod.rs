//! Selects the child that a playout enters: UCT-PN.
//!
//! `argmax v + C·sqrt(ln N / n) + C_pn·bias`, where *v* is the mean value for the player who moves,
//! *n* the child's visits and *N* the node's own. An unvisited child competes with a substitute
//! value and *n* = 1, so not every child has to be visited once before any is visited again. Ties
//! are broken at random.
//!
//! If the evaluator has priors, PUCT's term replaces C·sqrt(ln N / n) (`puct.rs`); proofs, bounds
//! and the bias (`bias.rs`) are the same.
//!
//! Most nodes have up to eight children. A playout descends eight levels or more, and the loads at
//! the next level wait for the choice at this one. So the longest chain of dependent instructions
//! matters, not their number. All children are loaded together, without a branch for each, and no
//! intermediate result goes through memory ([`Selection::best_of_few`]).

mod bias;
mod noise;
mod puct;
mod score;
mod setup;
mod special;
mod weight;

pub(crate) use noise::{noisy, uniform};
pub(crate) use score::AtNode;

use crate::bounds::ProofNumber;
use crate::math::{LANES, Rng, f32x8, greatest, ln, nth_bit, unrolled};
use crate::settings::Bias;
use crate::threads::{Event, count};
use crate::tree::{Sides, with_numbers};
use puct::Puct;
use score::{Diversify, Scores, first_play, statistics};
use weight::Weight;

/// The rules of selection in one search.
#[derive(Clone, Debug)]
pub(crate) struct Selection {
    pub(crate) c: f32,
    pub(crate) weight: Weight,
    pub(crate) bias: Bias,
    /// The weight of an in-flight playout as a fraction of a visit.
    pub(crate) under_way: f32,
    pub(crate) reuse: ReuseRule,
    /// Nodes with fewer visits count playouts in flight.
    pub(crate) count_below: u64,
    diversify: Diversify,
    pub(crate) puct: Puct,
    /// Whether some visits use [`Selection::hopeful`].
    disprove_rest: bool,
}

/// The result of a selection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Selected {
    /// The number of the child among its siblings, from 0.
    pub(crate) child: usize,
    /// The number of playouts that the selection serves, this one included: a power of two.
    pub(crate) serves: u64,
}

impl Selected {
    #[inline]
    pub(crate) fn once(child: usize) -> Selected {
        Selected { child, serves: 1 }
    }
}

/// The number of playouts that a selection serves, the same for all threads of a search.
///
/// In a node with many visits, a few more visits hardly change the scores, so comparing all
/// children again would mostly find the same child.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReuseRule {
    /// The binary logarithm of the visits from which a selection serves two playouts; 63: never.
    shift: u32,
}

impl ReuseRule {
    /// Returns the number of visits from which selections serve several playouts, if they ever do.
    #[inline]
    pub(crate) fn visits(self) -> Option<u64> {
        (self.shift < u64::BITS - 1).then(|| 1 << self.shift)
    }

    /// Returns the number of playouts that a selection serves, given the node's `visits` and those
    /// of the `chosen` child: a power of two up to 16. If selections serve several playouts only
    /// from 32 visits on, any number above 1 is also at most an eighth of the child's visits.
    #[inline]
    pub(crate) fn playouts(self, visits: u64, chosen: u64) -> u64 {
        let many = (visits.min(chosen << 1) >> self.shift).min(15);
        let many = many | many >> 1;
        (many | many >> 2) + 1
    }
}

/// Buffers that a worker reuses for all its playouts.
#[derive(Debug, Default)]
pub(crate) struct SelectionBuffer {
    order: Vec<(ProofNumber, u16)>,
}

impl Selection {
    /// Selects the child to enter from an expanded node; with PUCT's term if `PRIORS` is set.
    #[inline(never)]
    pub(crate) fn select<const PRIORS: bool>(
        &self,
        here: AtNode<'_>,
        buffer: &mut SelectionBuffer,
        rng: &mut Rng,
    ) -> Selected {
        if self.disprove_rest
            && let Some(child) = self.hopeful::<PRIORS>(here, buffer, rng)
        {
            return Selected::once(child);
        }
        if here.word.may_skip() && here.tree.logic.prunes() {
            return self.select_open::<PRIORS>(here, buffer, rng);
        }
        let few = !PRIORS && self.are_few(here);
        let few = if few { self.best_of_few(here, None, rng) } else { None };
        let child = few.or_else(|| self.best::<PRIORS>(here, buffer, rng, |_| true)).unwrap_or(0);
        self.selected(here, child)
    }

    /// Selects among the children that still need to be entered.
    fn select_open<const PRIORS: bool>(
        &self,
        here: AtNode<'_>,
        buffer: &mut SelectionBuffer,
        rng: &mut Rng,
    ) -> Selected {
        let (logic, children) = (&here.tree.logic, here.children());
        let found = match logic.sides {
            Sides::Versus(player) => {
                let local_window = |i| logic.window_at(player, children, i);
                let open = |i| !local_window(i).within(here.window).is_closed();
                let few = match !PRIORS && logic.has_numbers_only() && self.are_few(here) {
                    true => self.best_of_few(here, Some(player), rng),
                    false => None,
                };
                let found = few.or_else(|| self.best::<PRIORS>(here, buffer, rng, open));
                found.map(|child| self.selected(here, child))
            }
            Sides::Free => self.best_for_mover::<PRIORS>(here, buffer, rng).map(Selected::once),
        };
        // No child is open if all payoffs are known, or while a proof is still climbing.
        found.unwrap_or_else(|| {
            Selected::once(self.best::<PRIORS>(here, buffer, rng, |_| true).unwrap_or(0))
        })
    }

    #[inline(always)]
    fn selected(&self, here: AtNode<'_>, child: usize) -> Selected {
        if self.reuse.visits().is_none() {
            return Selected::once(child);
        }
        let chosen = here.children().nodes()[child].statistics().visits;
        Selected { child, serves: self.reuse.playouts(here.node.statistics().visits, chosen) }
    }

    /// Computes the part of the scores that all children share.
    #[inline(always)]
    pub(crate) fn scores(&self, here: AtNode<'_>) -> Scores {
        let own = here.node.statistics();
        // If playouts in flight are counted here, this playout is one of them.
        let others = match own.in_flight {
            0 | 1 => 0,
            in_flight => ((in_flight - 1) as f32 * self.under_way) as u64,
        };
        let mut exploration = f32x8::splat(self.c * ln(own.visits + others).sqrt());
        if self.diversify.applies(own.visits) {
            exploration *= self.diversify.factors(here.thread, here.word);
        }
        let (visits, first_play) = (own.visits, first_play(here, own));
        Scores { visits, exploration, first_play, under_way: self.under_way }
    }

    /// Returns the best of the children that are `open`, by the configured formula.
    #[inline]
    pub(crate) fn best<const PRIORS: bool>(
        &self,
        here: AtNode<'_>,
        buffer: &mut SelectionBuffer,
        rng: &mut Rng,
        open: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        count(Event::ChoiceMade);
        if PRIORS {
            return self.best_by_priors(here, buffer, rng, open);
        }
        self.best_with(self.scores(here), here, buffer, rng, open, |bias, _| bias)
    }

    /// Returns whether [`best_of_few`](Self::best_of_few) may be called.
    #[inline(always)]
    pub(crate) fn are_few(&self, here: AtNode<'_>) -> bool {
        let few = here.word.num_children() <= LANES && here.tree.logic.players == 2;
        few && !self.bias.sorts()
    }

    /// Returns the same child as [`best`](Self::best), but `None` if playouts are in flight below
    /// the children or their visits take more than 31 bits. If nodes have only proof numbers,
    /// `open_for` may restrict the choice to children that are open for a player; if none is,
    /// returns `None`.
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
        let own = self.scores(here);
        let mut scores = own.of(sums, visits, visits);
        if self.bias != Bias::None {
            scores += self.bias_of_few(here, own.visits);
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

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::bounds::NumberCell;
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
        /// The mean value per visit, in units of 1 / `VALUE_ONE`.
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
                open_for.is_none_or(|player| !local_window(player).within(window).is_closed())
            });
            let fit = children.iter().all(|child| child.visits < 1 << 31 && !child.under_way);
            prop_assert_eq!(short, if fit { long } else { None });
            prop_assert!(!fit || one.below(1 << 30) == other.below(1 << 30), "as many draws");
        }
    }

    #[test]
    fn a_selection_serves_up_to_16_playouts_and_a_sixteenth_of_what_the_child_has() {
        let rule = ReuseRule::new(64, 1);
        let served = |visits| rule.playouts(visits, 1 << 20);
        for (visits, playouts) in [(63, 1), (64, 2), (127, 2), (128, 4), (256, 8), (511, 8)] {
            assert_eq!(served(visits), playouts, "{visits}");
        }
        assert_eq!((served(512), served(1 << 40)), (16, 16));
        for (chosen, playouts) in [(31, 1), (32, 2), (63, 2), (64, 4), (128, 8), (255, 8)] {
            assert_eq!(rule.playouts(1 << 20, chosen), playouts, "{chosen}");
        }
        assert_eq!(rule.playouts(1 << 20, 256), 16);
    }

    #[test]
    fn patience_is_shared_by_threads() {
        let playouts = |threads, visits| ReuseRule::new(64, threads).playouts(visits, visits);
        assert_eq!((playouts(1, 64), playouts(2, 64)), (2, 1));
        assert_eq!((playouts(2, 128), playouts(3, 128), playouts(4, 256)), (2, 2, 2));
        assert_eq!((playouts(1024, 1 << 16), playouts(1024, 1 << 40)), (2, 16));
        assert_eq!(ReuseRule::new(0, 1024).playouts(1 << 40, 1 << 40), 1);
    }

    #[test]
    fn playouts_in_flight_are_counted_where_every_visit_selects() {
        let below = |visits, threads| ReuseRule::new(visits, threads).count_below(threads);
        assert_eq!((below(64, 1), below(0, 1)), (0, 0), "a thread that is alone counts none");
        assert_eq!((below(64, 2), below(64, 3), below(64, 16)), (128, 128, 1024));
        assert_eq!(below(0, 4), 4 << 10);
    }
}
