//! The terms of a selection that use proof numbers and an evaluator's priors.

use super::score::{AtNode, Scores, first_play};
use super::{Selection, SelectionBuffer};
use crate::bounds::{AtomicProofNumber, NumberCell, ProofNumber};
use crate::math::{LANES, Rng, f32x8, unrolled};
use crate::settings::{Bias, Extent, INFINITE};
use crate::sync::Ordering;
use crate::tree::refresh_ranks;

impl Selection {
    /// Returns the best of the children that are `open`, for an evaluator with priors.
    #[inline]
    pub(super) fn best_by_priors(
        &self,
        here: AtNode<'_>,
        buffer: &mut SelectionBuffer,
        rng: &mut Rng,
        open: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let exploration = self.puct.exploration_at(here, self.under_way);
        let own = here.node.statistics();
        let scores = Scores {
            visits: own.visits,
            exploration: f32x8::splat(0.0),
            first_play: first_play(here, own) - exploration.reduction,
            under_way: self.under_way,
        };
        let terms = |chunk| self.puct.terms(here, exploration, self.under_way, chunk * LANES);
        self.best_with(scores, here, buffer, rng, open, |bias, chunk| bias + terms(chunk))
    }

    /// Returns the best of the children that are `open`, by their scores plus the terms that `add`
    /// computes from the biases of eight children at a time.
    #[inline(always)]
    pub(super) fn best_with(
        &self,
        scores: Scores,
        here: AtNode<'_>,
        buffer: &mut SelectionBuffer,
        rng: &mut Rng,
        open: impl Fn(usize) -> bool,
        add: impl Fn(f32x8, usize) -> f32x8,
    ) -> Option<usize> {
        let children = here.children();
        let nodes = children.nodes();
        if self.bias == Bias::None {
            return scores.best(nodes, |chunk| add(f32x8::splat(0.0), chunk), open, rng);
        }
        let players = here.tree.logic.players;
        let of_mover = &children.proof_numbers()[here.word.mover()..];
        let number = |i: usize| of_mover[i * players].load();
        let lanes = |chunk: usize| {
            let mut lanes = [INFINITE; LANES];
            for (lane, i) in lanes.iter_mut().zip(chunk * LANES..nodes.len()) {
                *lane = number(i).as_f32();
            }
            f32x8::new(lanes)
        };
        if !self.bias.sorts() {
            return self.biased(here, scores, lanes, open, rng, add);
        }
        let numbers = || (0..nodes.len()).map(number);
        refresh_ranks(self.bias, here.node, here.word, children, &mut buffer.order, numbers);
        let ranks = |chunk: usize| {
            let mut lanes = [INFINITE; LANES];
            for (lane, rank) in lanes.iter_mut().zip(&children.ranks()[chunk * LANES..]) {
                *lane = f32::from(rank.load(Ordering::Relaxed));
            }
            f32x8::new(lanes)
        };
        self.biased(here, scores, ranks, open, rng, add)
    }

    /// Returns the best of the children that are `open`, with the bias that the formula computes
    /// from the numbers in `lanes`.
    #[inline]
    fn biased(
        &self,
        here: AtNode<'_>,
        scores: Scores,
        lanes: impl Fn(usize) -> f32x8,
        open: impl Fn(usize) -> bool,
        rng: &mut Rng,
        add: impl Fn(f32x8, usize) -> f32x8,
    ) -> Option<usize> {
        let nodes = here.children().nodes();
        let first = lanes(0);
        let mut extent = Extent::of(self.bias, first);
        for chunk in 1..nodes.len().div_ceil(LANES) {
            extent.add(self.bias, lanes(chunk));
        }
        let fading = self.weight.fading(scores.visits);
        let bias = extent.scale(self.bias, nodes.len()).weighted(self.weight.c_pn, fading);
        let bias = |chunk| bias(if chunk == 0 { first } else { lanes(chunk) });
        scores.best(nodes, |chunk| add(bias(chunk), chunk), open, rng)
    }
}

impl Selection {
    /// Returns the weighted biases of up to eight children.
    #[inline(always)]
    pub(super) fn bias_of_few(&self, here: AtNode<'_>, visits: u64) -> f32x8 {
        let children = here.children();
        let (pairs, mover) = (children.proof_numbers().as_chunks::<2>().0, here.word.mover() & 1);
        let numbers = unrolled!(children.len(), N => numbers::<N>(pairs, mover));
        let scale = Extent::of(self.bias, numbers).scale(self.bias, children.len());
        scale.weighted(self.weight.c_pn, self.weight.fading(visits))(numbers)
    }
}

/// Returns the mover's proof numbers at `N` nodes, and ∞ in the other lanes.
#[inline(always)]
fn numbers<const N: usize>(pairs: &[[AtomicProofNumber; 2]], mover: usize) -> f32x8 {
    let mut numbers = [ProofNumber::INFINITE; LANES];
    for (number, pair) in numbers.iter_mut().zip(&pairs[..N]) {
        *number = pair[mover].load();
    }
    ProofNumber::as_floats(numbers)
}
