//! Linear evaluations: features of a position, and their weights.
//!
//! The count of a feature is its number for the side to move minus its number for the other side.
//! The evaluation is the hyperbolic tangent of the weighted sum: `(1 + tanh(sum)) / 2` estimates
//! the chance to win. The weights were fitted to the winners of self-play games.

/// A feature that a game counts in a position ([`AnyGame::counted`](crate::AnyGame::counted)).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Counted {
    /// The name of the feature, such as `pieces` or `to move`.
    pub name: &'static str,
    /// The count of the side to move minus that of the other side.
    pub count: f32,
    /// The factor of `count` in the weighted sum.
    pub weight: f32,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Weights<const N: usize>(pub(crate) [(&'static str, f32); N]);

impl<const N: usize> Weights<N> {
    /// Returns the evaluation for the side to move, from -1 to 1.
    #[inline]
    pub(crate) fn evaluate(&self, counts: [f32; N]) -> f32 {
        let parts = self.0.iter().zip(counts);
        parts.map(|((_, weight), count)| weight * count).sum::<f32>().tanh()
    }

    pub(crate) fn named(&self, counts: [f32; N]) -> Vec<Counted> {
        let parts = self.0.iter().zip(counts);
        parts.map(|(&(name, weight), count)| Counted { name, count, weight }).collect()
    }
}

/// The gain from the best capture, assuming that guarded pieces are recaptured. Victims are sets of
/// pieces and takers are sets of attacked cells, each with the value of one piece of its kind.
#[inline]
pub(crate) fn best_capture<const N: usize>(
    victims: impl IntoIterator<Item = (u64, i32)>,
    takers: [(u64, i32); N],
    guarded: u64,
) -> i32 {
    let mut best = 0;
    for (pieces, worth) in victims {
        for (cells, taker) in takers {
            let taken = pieces & cells;
            if taken & !guarded != 0 {
                best = best.max(worth);
            } else if taken != 0 {
                best = best.max(worth - taker);
            }
        }
    }
    best
}
