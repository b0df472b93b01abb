//! PUCT: the use of the evaluator's priors in a selection.
//!
//! AlphaZero chooses the move *a* with the greatest Q(s, a) + U(s, a) (Silver et al., *A
//! general reinforcement learning algorithm that masters chess, shogi, and Go through
//! self-play*, Science 2018, section "Search" of the supplement):
//!
//! ```text
//! U(s, a) = C(s) · P(s, a) · sqrt(N(s)) / (1 + N(s, a))
//! C(s)    = ln((1 + N(s) + c_base) / c_base) + c_init
//! ```
//!
//! N(s) counts the evaluation of the node itself and the visits of its moves. Other threads'
//! playouts in flight count as visits in N but not in Q, as with UCT.
//!
//! The paper does not define the value of a move without visits. Here it is the node's value minus
//! [`FPU_REDUCTION`] times the square root of the sum of the visited priors: once the promising
//! moves have been tried, the others look worse.

use super::score::AtNode;
use crate::math::{LANES, f32x8, from_half, ln};
use crate::sync::Ordering;
use crate::tree::{Block, ROOT};

/// c_base, as in AlphaZero: the number of visits after which C(s) has grown by ln 2.
const C_BASE: u64 = 19_652;

/// The reduction of an unvisited move's value when the priors of the visited moves add up to 1.
const FPU_REDUCTION: f32 = 0.25;

/// The weight of priors in PUCT, and the root's noisy priors.
#[derive(Clone, Debug)]
pub(crate) struct Puct {
    init: f32,
    /// The root's priors with noise; empty without noise. The tree stores the evaluator's priors.
    noisy: Box<[f32]>,
}

/// The part of the exploration term that all moves of a node share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exploration {
    /// C(s) · sqrt(N(s)).
    pub(crate) factor: f32,
    /// The node's value minus the value of a move without visits.
    pub(crate) reduction: f32,
}

impl Puct {
    pub(crate) fn new(init: f64) -> Puct {
        Puct { init: init as f32, noisy: Box::default() }
    }

    /// Replaces the root's priors; with an empty list, the tree's own priors apply.
    pub(crate) fn set_noisy(&mut self, priors: Box<[f32]>) {
        self.noisy = priors;
    }

    /// Returns the prior of a move; at the root, with noise.
    #[inline]
    pub(crate) fn prior(&self, index: u32, children: Block<'_>, number: usize) -> f32 {
        match self.noisy.get(number) {
            Some(&noisy) if index == ROOT => noisy,
            // Relaxed: written before the children were published, or before the threads started.
            _ => from_half(children.priors()[number].load(Ordering::Relaxed)),
        }
    }

    /// Computes the part that all moves share. `tried` is the total of their visits, including
    /// weighted playouts in flight, and `visited` is the sum of the visited moves' priors.
    pub(crate) fn exploration(&self, tried: u64, visited: f32) -> Exploration {
        let visits = 1 + tried;
        let growth = ln(1 + visits + C_BASE) - ln(C_BASE);
        Exploration {
            factor: (growth + self.init) * (visits as f32).sqrt(),
            reduction: FPU_REDUCTION * visited.sqrt(),
        }
    }

    /// Computes the shared part at the node where a playout selects.
    pub(crate) fn exploration_at(&self, here: AtNode<'_>, under_way: f32) -> Exploration {
        let children = here.children();
        let (mut visits, mut waiting, mut visited) = (0, 0, 0.0);
        for (number, node) in children.nodes().iter().enumerate() {
            let statistics = node.statistics();
            if statistics.visits + statistics.in_flight > 0 {
                visits += statistics.visits;
                waiting += statistics.in_flight;
                visited += self.prior(here.index, children, number);
            }
        }
        self.exploration(visits + (waiting as f32 * under_way) as u64, visited)
    }

    /// Returns U for the eight moves from `first` on, and 0 in lanes without a move.
    #[inline]
    pub(crate) fn terms(
        &self,
        here: AtNode<'_>,
        exploration: Exploration,
        under_way: f32,
        first: usize,
    ) -> f32x8 {
        let children = here.children();
        let mut terms = [0.0; LANES];
        for (term, number) in terms.iter_mut().zip(first..children.len()) {
            let statistics = children.nodes()[number].statistics();
            let tried = statistics.visits as f32 + statistics.in_flight as f32 * under_way;
            let prior = self.prior(here.index, children, number);
            *term = exploration.factor * prior / (1.0 + tried);
        }
        f32x8::new(terms)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::bounds::{NumberCell, ProofNumber};
    use crate::game::Recommended;
    use crate::math::Rng;
    use crate::select::{Selection, SelectionBuffer};
    use crate::settings::{Bias, Config, Resolved};
    use crate::sync::Writers;
    use crate::tree::{Columns, Listing, Logic, MoveTree, Slab, VALUE_ONE, Window};
    use proptest::prelude::*;

    #[derive(Clone, Debug)]
    struct Move {
        visits: u64,
        under_way: u64,
        /// The mean value per visit, in units of 1 / `VALUE_ONE`.
        value: i64,
        prior: u32,
        number: u64,
    }

    fn moves() -> impl Strategy<Value = Vec<Move>> {
        let visits = prop_oneof![3 => Just(0u64), 4 => 0u64..5, 2 => 0u64..100_000];
        let parts = (visits, 0u64..4, -VALUE_ONE..=VALUE_ONE, 0u32..1000, 1u64..50);
        let one = parts.prop_map(|(visits, under_way, value, prior, number)| Move {
            visits,
            under_way,
            value,
            prior,
            number,
        });
        prop::collection::vec(one, 1..=20)
    }

    proptest! {
        /// Compares the choice with Q(s, a) + U(s, a) of the paper, computed in a different way,
        /// plus the bias of the proof numbers.
        #[test]
        fn the_choice_is_the_papers(
            moves in moves(),
            init in prop::sample::select(vec![1.25, 0.0, 4.0]),
            c_pn in prop::sample::select(vec![0.0, 0.5]),
        ) {
            let columns = Columns { proof_numbers: 2, priors: true, ..Columns::default() };
            let logic = Logic::two_sides(false, false);
            let tree = MoveTree::<u8>::new(logic, columns, 64, Writers::Many).unwrap();
            let root = tree.node(ROOT);
            tree.set_leaf(tree.claim_evaluation(root).unwrap(), ROOT, 0, 1);
            let reservation = tree.arena.reserve(&mut Slab::default(), moves.len()).unwrap();
            let claim = tree.claim_expansion(root).unwrap();
            let all: f64 = moves.iter().map(|mv| f64::from(mv.prior)).sum();
            let priors: Vec<f64> = moves.iter().map(|mv| f64::from(mv.prior) / all.max(1.0)).collect();
            let stored: Vec<f32> = priors.iter().map(|&prior| prior as f32).collect();
            tree.arena.fresh(&reservation).set_priors(&stored);
            let word = tree.expand(claim, tree.fill(reservation, &vec![0; moves.len()]), Listing::default());
            let block = tree.arena.children(word);
            root.add(Writers::Many, 1, 0, false);
            for (number, mv) in moves.iter().enumerate() {
                let node = &block.nodes()[number];
                node.add(Writers::Many, mv.visits, mv.visits as i64 * mv.value, false);
                (0..mv.under_way).for_each(|_| node.enter());
                root.add(Writers::Many, mv.visits, mv.visits as i64 * mv.value, false);
                block.proof_numbers()[2 * number].store(ProofNumber::finite(mv.number));
            }
            let config = Config::default()
                .threads(2)
                .c(init)
                .bias(Bias::Max)
                .c_pn(c_pn);
            let resolved = Resolved::of(&config, &Recommended::default(), 2, false, true);
            let selection = Selection::new(&config, &resolved, false, true, false);
            let here = AtNode {
                tree: &tree, node: root, index: ROOT, word, viewpoint: 0, window: Window::ALL, thread: 0,
            };
            let chosen = selection
                .best::<true>(here, &mut SelectionBuffer::default(), &mut Rng::new(1), |_| true)
                .expect("one of them");

            let tried = |mv: &Move| (mv.visits + mv.under_way) as f64;
            let n: f64 = 1.0 + moves.iter().map(tried).sum::<f64>();
            let c = ((1.0 + n + 19_652.0) / 19_652.0).ln() + init;
            let visits = 1.0 + moves.iter().map(|mv| mv.visits as f64).sum::<f64>();
            let value = |mv: &Move| mv.value as f64 / VALUE_ONE as f64;
            let q_of_node = moves.iter().map(|mv| mv.visits as f64 * value(mv)).sum::<f64>() / visits;
            let with_visits = moves.iter().zip(&priors).filter(|(mv, _)| tried(mv) > 0.0);
            let visited: f64 = with_visits.map(|(_, prior)| prior).sum();
            let unvisited = q_of_node - 0.25 * visited.sqrt();
            let numbers = || moves.iter().map(|mv| mv.number as f64);
            let (least, most) = (numbers().fold(f64::MAX, f64::min), numbers().fold(0.0, f64::max));
            let score = |number: usize| {
                let mv = &moves[number];
                let q = if mv.visits == 0 { unvisited } else { value(mv) };
                let bias = 1.0 - (mv.number as f64 - least) / (1.0 + most - least);
                q + c * priors[number] * n.sqrt() / (1.0 + tried(mv)) + c_pn * bias
            };
            let best = (0..moves.len()).map(score).fold(f64::NEG_INFINITY, f64::max);
            // The error of the logarithm is at most 0.004, and that of priors a part in 4000.
            let slack = 0.005 * n.sqrt() / (1.0 + tried(&moves[chosen])) * (1.0 + c * 0.1) + 1e-4;
            prop_assert!(score(chosen) >= best - slack, "{} < {best}", score(chosen));
        }
    }

    #[test]
    fn the_weight_of_the_priors_grows_with_visits() {
        let puct = Puct::new(1.25);
        for (visits, right) in [(0, 1.25), (19_650, 1.25 + 2f32.ln()), (1 << 30, 12.16)] {
            let weight = puct.exploration(visits, 0.0).factor / (1.0 + visits as f32).sqrt();
            assert!((weight - right).abs() < 0.01, "{visits}: {weight}, should be {right}");
        }
    }
}
