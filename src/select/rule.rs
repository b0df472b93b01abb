//! Selection rules of the user's own.
//!
//! A rule scores the children of a node, and nothing else. Which of them may be entered is
//! the search's business as ever: a child that is settled, or that bounds make needless, is
//! not asked about, a proven win is taken, and the way to a proof is not left.

use super::{AtNode, Formula, Selection, SelectionBuffer, parent_of};
use crate::bounds::ProofNumber;
use crate::game::Game;
use crate::math::Rng;
use crate::tree::{MoveTree, mean};
use std::sync::Arc;

/// Says which child of a node a playout enters: the one with the greatest score.
///
/// It takes the place of UCT and PUCT
/// ([`WithRule`](crate::WithRule)). Equal scores are drawn by lot; what
/// is not a number is worse than every number.
///
/// ```
/// use proofwood::{Game, RuleChild, RuleNode, SelectionRule};
///
/// /// UCT with C = 1, in which every child is visited once first.
/// struct Uct;
///
/// impl<G: Game> SelectionRule<G> for Uct {
///     fn score(&self, node: &RuleNode, child: &RuleChild<G::Move>) -> f64 {
///         match child.mean {
///             Some(mean) => mean + ((node.tried as f64).ln() / child.tried as f64).sqrt(),
///             None => f64::INFINITY,
///         }
///     }
/// }
/// ```
pub trait SelectionRule<G: Game>: Send + Sync + 'static {
    /// The score of a child that may be entered, for the player who moves at the node.
    ///
    /// Called for each of them at each choice, by all threads at the same time; it should
    /// take no longer than a few operations on these numbers.
    fn score(&self, node: &RuleNode, child: &RuleChild<G::Move>) -> f64;
}

impl<G: Game, R: SelectionRule<G> + ?Sized> SelectionRule<G> for Arc<R> {
    #[inline]
    fn score(&self, node: &RuleNode, child: &RuleChild<G::Move>) -> f64 {
        (**self).score(node, child)
    }
}

/// A node at which a playout chooses, as a [`SelectionRule`] sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RuleNode {
    /// Its number in the tree; the root has 0. See [`Observer`](crate::Observer).
    pub node: u32,
    /// The player who moves here.
    pub mover: usize,
    /// Playouts that went through it and have ended. With several threads, a few that have
    /// ended may be missing.
    pub visits: u64,
    /// The same with those of others that are under way, as far as
    /// [`Config::virtual_loss`](crate::Config::virtual_loss) counts them.
    pub tried: u64,
    /// The mean value of these playouts for the mover, −1 to 1; `None` before the first.
    pub mean: Option<f64>,
}

/// A child that may be entered, as a [`SelectionRule`] sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RuleChild<M> {
    /// Its number in the tree; see [`Observer`](crate::Observer).
    pub node: u32,
    /// The move that leads there.
    pub mv: M,
    /// Playouts that went through it and have ended.
    pub visits: u64,
    /// The same with those of others that are under way, as far as
    /// [`Config::virtual_loss`](crate::Config::virtual_loss) counts them: a rule that explores
    /// by it sends threads, and the leaves of a batch, different ways.
    pub tried: u64,
    /// The mean value of these playouts for the player who moves here, −1 to 1; `None` before
    /// the first.
    pub mean: Option<f64>,
    /// The evaluator's prior, a share of one, at the root with noise where that is on; `None`
    /// where it has none.
    pub prior: Option<f64>,
    /// The proof number of the player who moves here: how far a win is.
    pub proof_number: ProofNumber,
}

/// Scores children by a rule of the user's own.
pub(crate) struct Own<F>(F);

impl AtNode<'_> {
    fn rule_node(self, under_way: f32) -> RuleNode {
        let own = self.node.statistics();
        let (visits, sum) = parent_of(self, own);
        // The playout that asks is under way here itself, where any are counted.
        let others = own.in_flight.saturating_sub(1) as f32 * under_way;
        RuleNode {
            node: self.index,
            mover: self.word.mover(),
            visits: own.visits,
            tried: own.visits + others as u64,
            mean: mean(sum, visits),
        }
    }
}

impl Own<()> {
    /// The scores that `rule` gives to the children of the node where a playout stands.
    pub(crate) fn at<'t, M: Copy>(
        selection: &'t Selection,
        here: AtNode<'t>,
        tree: &'t MoveTree<M>,
        score: impl Fn(&RuleNode, &RuleChild<M>) -> f64 + 't,
    ) -> Own<impl Fn(usize) -> f64 + 't> {
        let (children, mover) = (here.children(), here.word.mover());
        let node = here.rule_node(selection.under_way);
        let players = here.tree.logic.players;
        let has_priors = children.has_priors();
        Own(move |number: usize| {
            let statistics = children.nodes()[number].statistics();
            let under_way = statistics.in_flight as f32 * selection.under_way;
            let prior = || selection.puct.prior(here.index, children, number).into();
            score(
                &node,
                &RuleChild {
                    node: children.index(number),
                    mv: tree.child_move(here.word, number),
                    visits: statistics.visits,
                    tried: statistics.visits + under_way as u64,
                    mean: mean(statistics.value_sum, statistics.visits),
                    prior: has_priors.then(prior),
                    proof_number: children.numbers().load(number * players + mover),
                },
            )
        })
    }
}

impl<F: Fn(usize) -> f64> Formula for Own<F> {
    fn best(
        &self,
        _: &Selection,
        here: AtNode<'_>,
        _: &mut SelectionBuffer,
        rng: &mut Rng,
        open: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let (mut best, mut ties) = (None, 0);
        for number in (0..here.word.num_children()).filter(|&number| open(number)) {
            let score = (self.0)(number);
            let score = if score.is_nan() { f64::NEG_INFINITY } else { score };
            match best {
                Some((_, most)) if score < most => {}
                Some((_, most)) if score == most => {
                    ties += 1;
                    if rng.below(ties) == 0 {
                        best = Some((number, score));
                    }
                }
                _ => (best, ties) = (Some((number, score)), 1),
            }
        }
        best.map(|(number, _)| number)
    }
}
