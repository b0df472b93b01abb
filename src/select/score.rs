//! The scores of siblings, eight at a time, and the best of them.

use crate::math::{LANES, Rng, f32x8, greatest, nth_bit};
use crate::tree::{Node, VALUE_ONE};

/// What is common to all children in `v + C·sqrt(ln N / n) + bias`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scores {
    /// C·sqrt(ln N), for the first eight children and likewise for the next.
    pub(crate) exploration: f32x8,
    /// The value of a child without visits.
    pub(crate) first_play: f32,
    /// How much a playout under way counts as a visit.
    pub(crate) under_way: f32,
    /// What the weight of the bias is divided by.
    pub(crate) fading: f32,
}

impl Scores {
    /// The best of the children that are `open`, ties broken at random; `bias`
    /// answers the terms of the children from eight times its argument on.
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

    /// `v + C·sqrt(ln N / n)` of up to eight children, −∞ for those that are
    /// not `open`. Gathered first and computed afterwards, so that the roots
    /// and divisions of several children are one instruction.
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
            // Signed conversions are a single instruction; 46 bits fit.
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

    /// The scores for these sums of values over `counted` playouts, after so many
    /// `tried` ones.
    #[inline(always)]
    pub(crate) fn of(self, sums: f32x8, counted: f32x8, tried: f32x8) -> f32x8 {
        let mean = sums / (counted.fast_max(f32x8::splat(1.0)) * f32x8::splat(VALUE_ONE as f32));
        let visited = counted.simd_gt(f32x8::splat(0.0));
        let value = visited.bitselect(mean, f32x8::splat(self.first_play));
        value + self.exploration / tried.fast_max(f32x8::splat(1.0)).sqrt()
    }
}

/// Playouts under way below up to eight nodes: rare, except near the root and
/// with many threads.
#[inline(never)]
fn in_flight(nodes: &[Node]) -> f32x8 {
    let mut lanes = [0.0; LANES];
    for (lane, node) in lanes.iter_mut().zip(nodes) {
        *lane = node.statistics().in_flight as i32 as f32;
    }
    lanes.into()
}
