//! The engine's random numbers.
//!
//! Every worker thread owns one generator, seeded from the search's seed and the worker's number,
//! so that a search on one thread with a given seed grows the same tree on every machine. This
//! module samples bounded integers itself because `rand` may change its sampling between versions.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng};

/// A seeded generator: xoshiro256++ of Blackman and Vigna.
///
/// ```
/// let mut rng = proofwood::Rng::new(7);
/// let die = rng.below(6) + 1;
/// assert!((1..=6).contains(&die));
/// ```
#[derive(Clone, Debug)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// Creates a generator seeded with `seed`.
    pub fn new(seed: u64) -> Rng {
        Rng(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// The generators of the workers of a search with `seed`, in order, each 2^128 draws ahead of
    /// the previous one.
    #[doc(hidden)]
    pub fn for_workers(seed: u64) -> impl Iterator<Item = Rng> {
        let mut next = Rng::new(seed);
        std::iter::repeat_with(move || {
            let rng = next.clone();
            next.0.jump();
            rng
        })
    }

    /// The generator's state, from which [`from_state`](Rng::from_state) continues.
    ///
    /// The generator's crate exposes the state only in its `Debug` form. The parsed state is
    /// checked against the generator; `None` means that this version of the crate prints it
    /// differently.
    #[doc(hidden)]
    pub fn state(&self) -> Option<[u8; 32]> {
        let text = format!("{:?}", self.0);
        let (_, words) = text.rsplit_once('[')?;
        let words = words.split(']').next()?.split(',');
        let mut state = [0; 32];
        for (place, word) in state.chunks_exact_mut(8).zip(words) {
            place.copy_from_slice(&word.trim().parse::<u64>().ok()?.to_le_bytes());
        }
        (Rng::from_state(state).0 == self.0).then_some(state)
    }

    /// Creates a generator with a state that [`state`](Rng::state) returned.
    #[doc(hidden)]
    pub fn from_state(state: [u8; 32]) -> Rng {
        Rng(Xoshiro256PlusPlus::from_seed(state))
    }

    /// Draws 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Draws a uniform integer in `0..bound` (Lemire's multiplication with rejection).
    ///
    /// # Panics
    /// In debug builds if `bound` is 0; release builds return 0.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        debug_assert!(bound > 0, "no integer is below 0");
        let mut product = (self.next_u64() >> 32) * u64::from(bound);
        if (product as u32) < bound {
            let threshold = bound.wrapping_neg().checked_rem(bound).unwrap_or(0);
            while (product as u32) < threshold {
                product = (self.next_u64() >> 32) * u64::from(bound);
            }
        }
        (product >> 32) as u32
    }

    /// Draws a uniform 64-bit integer in `0..bound`, as [`below`](Rng::below) does.
    ///
    /// # Panics
    /// The same as [`below`](Rng::below).
    #[inline]
    pub fn below_u64(&mut self, bound: u64) -> u64 {
        if let Ok(bound) = u32::try_from(bound) {
            return self.below(bound).into();
        }
        loop {
            let product = u128::from(self.next_u64()) * u128::from(bound);
            if product as u64 >= bound.wrapping_neg() % bound {
                return (product >> 64) as u64;
            }
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn below_is_uniform_and_in_range() {
        let mut rng = Rng::new(1);
        for bound in [1u32, 2, 3, 7, 10] {
            let mut counts = vec![0u32; bound as usize];
            for _ in 0..10_000 * bound {
                counts[rng.below(bound) as usize] += 1;
            }
            assert!(counts.iter().all(|&c| (9_500..10_500).contains(&c)), "{bound}: {counts:?}");
        }
    }

    #[test]
    fn great_bounds_are_uniform_and_in_range() {
        let mut rng = Rng::new(1);
        let bound = 3 << 40;
        let mut counts = [0u32; 3];
        for _ in 0..30_000 {
            counts[(rng.below_u64(bound) >> 40) as usize] += 1;
        }
        assert!(counts.iter().all(|&c| (9_500..10_500).contains(&c)), "{counts:?}");
        assert!((0..100).all(|_| rng.below_u64(u64::MAX) < u64::MAX));
    }

    #[test]
    fn a_generator_goes_on_from_its_state() {
        let mut rng = Rng::new(3);
        for _ in 0..100 {
            let state = rng.state().expect("its state");
            let mut other = Rng::from_state(state);
            for _ in 0..3 {
                assert_eq!(rng.next_u64(), other.next_u64());
            }
        }
    }

    #[test]
    fn workers_draw_different_numbers() {
        let mut first: Vec<u64> =
            Rng::for_workers(7).take(16).map(|mut rng| rng.next_u64()).collect();
        first.sort_unstable();
        first.dedup();
        assert_eq!(first.len(), 16);
    }
}
