//! What positions look worth: what is counted in them, and what each of that weighs.
//!
//! Counts are those of the side to move less those of the other side. What a position looks
//! worth to the side to move is the hyperbolic tangent of the weighted sum: `(1 + tanh(sum)) / 2`
//! is the chance to win. Weights were fitted to who won games that the search played with itself.

/// One thing that a game counts in a position ([`AnyGame::counted`](crate::AnyGame::counted)).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Counted {
    /// What is counted.
    pub name: &'static str,
    /// How much: of the side to move less of the other side.
    pub count: f32,
    /// What each weighs.
    pub weight: f32,
}

/// What a game counts, and what each of that weighs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weights<const N: usize>(pub(crate) [(&'static str, f32); N]);

impl<const N: usize> Weights<N> {
    /// What a position with these counts looks worth, from -1 to 1.
    #[inline]
    pub(crate) fn worth(&self, counts: [f32; N]) -> f32 {
        let parts = self.0.iter().zip(counts);
        parts.map(|((_, weight), count)| weight * count).sum::<f32>().tanh()
    }

    /// The counts by name.
    pub(crate) fn named(&self, counts: [f32; N]) -> Vec<Counted> {
        let parts = self.0.iter().zip(counts);
        parts.map(|(&(name, weight), count)| Counted { name, count, weight }).collect()
    }
}

/// The best that one capture wins, if what is guarded is taken back. Victims are sets of pieces,
/// takers the cells that pieces attack, each with what one of them is worth.
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
