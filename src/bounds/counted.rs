//! Arithmetic on proof numbers, and their storage in the tree.

use super::proof_number::{NumberCell, ProofNumber};
use crate::math::{f32x8, i32x8};
use crate::memory::zeroed;
use crate::sync::{AtomicU32, Ordering};
use std::fmt;

impl ProofNumber {
    /// Returns whether the number has saturated. It is then a lower bound, and still open.
    #[inline]
    pub fn is_saturated(self) -> bool {
        self == Self::MAX_FINITE
    }

    /// Returns the number, or `None` for infinity.
    #[inline]
    pub fn get(self) -> Option<u32> {
        (!self.is_infinite()).then_some(self.0)
    }

    /// Converts the number to a float. Infinity, which is stored as 2^31 − 1, is rounded to 2^31.
    #[inline]
    pub(crate) fn as_f32(self) -> f32 {
        self.0 as i32 as f32
    }

    #[inline(always)]
    pub(crate) fn as_floats(numbers: [ProofNumber; 8]) -> f32x8 {
        i32x8::new(numbers.map(|number| number.0 as i32)).round_float()
    }

    /// Returns the number for proving two claims together: the saturating sum.
    #[inline]
    pub fn and(self, other: ProofNumber) -> ProofNumber {
        if self.is_infinite() || other.is_infinite() {
            Self::INFINITE
        } else {
            Self::finite(u64::from(self.0) + u64::from(other.0))
        }
    }

    /// Returns the number for proving one of two claims: the minimum.
    #[inline]
    pub fn or(self, other: ProofNumber) -> ProofNumber {
        self.min(other)
    }
}

impl fmt::Debug for ProofNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for ProofNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.get() {
            Some(n) => n.fmt(f),
            None => f.write_str("∞"),
        }
    }
}

/// A proof number in the tree. Zeroed memory reads as 1, the number of an unknown leaf.
///
/// Only the thread that owns the node or holds its claim writes the number, so relaxed accesses
/// suffice. The parent's owner sees a store through the announcement on the parent.
#[derive(Debug)]
#[repr(transparent)]
pub(crate) struct AtomicProofNumber(pub(super) AtomicU32);

zeroed!(AtomicProofNumber, AtomicProofNumber::new());

/// The mask that is XORed with the raw value. It swaps 0 and 1, so that zeroed memory reads as 1.
const FLIP: u32 = 1;

impl AtomicProofNumber {
    #[cfg(loom)]
    pub(crate) fn new() -> AtomicProofNumber {
        AtomicProofNumber(AtomicU32::new(0))
    }

    /// Resets the number to 1. Requires that no other thread can reach the node.
    pub(crate) fn zero(&self) {
        self.0.store(0, Ordering::Relaxed);
    }
}

impl NumberCell for AtomicProofNumber {
    #[inline]
    fn load(&self) -> ProofNumber {
        ProofNumber(self.0.load(Ordering::Relaxed) ^ FLIP)
    }

    #[inline]
    fn store(&self, number: ProofNumber) {
        self.0.store(number.0 ^ FLIP, Ordering::Relaxed);
    }
}
