//! Proof numbers, which count the leaves that must still be proven.

use crate::math::{f32x8, i32x8};
use crate::memory::zeroed;
use crate::sync::{AtomicU8, AtomicU32, Ordering};
use std::fmt;

/// A player's proof number at a node: the least number of leaves that must still be proven before
/// the player has a forced win against every defence of all others. Zero is a proven win; infinity
/// means that the player cannot force a win.
///
/// Finite numbers saturate at [`ProofNumber::MAX_FINITE`]: a sum that would overflow never turns
/// into infinity, which would be a disproof.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProofNumber(u32);

impl ProofNumber {
    /// The number of a proven win.
    pub const PROVEN: ProofNumber = ProofNumber(0);
    /// The number of an unknown leaf.
    pub const ONE: ProofNumber = ProofNumber(1);
    /// The greatest finite number, 2^31 − 128, at which sums saturate. As a float, too, it is the
    /// greatest number below infinity.
    pub const MAX_FINITE: ProofNumber = ProofNumber(Self::INFINITE.0 - 127);
    /// The number of an impossible win.
    // Non-negative as a signed number, which processors convert to floats fastest.
    pub const INFINITE: ProofNumber = ProofNumber(i32::MAX as u32);

    /// Converts a finite number; it saturates at [`MAX_FINITE`](Self::MAX_FINITE).
    #[inline]
    pub fn finite(n: u64) -> ProofNumber {
        ProofNumber(n.min(u64::from(Self::MAX_FINITE.0)) as u32)
    }

    /// Returns whether a win is proven.
    #[inline]
    pub fn is_proven(self) -> bool {
        self == Self::PROVEN
    }

    /// Returns whether a forced win is impossible.
    #[inline]
    pub fn is_infinite(self) -> bool {
        self == Self::INFINITE
    }

    /// Returns whether neither a win nor its impossibility is proven.
    #[inline]
    pub fn is_open(self) -> bool {
        !self.is_proven() && !self.is_infinite()
    }

    /// Returns whether the number has saturated: it is then a lower bound only, but still open.
    #[inline]
    pub fn is_saturated(self) -> bool {
        self == Self::MAX_FINITE
    }

    /// Returns the number, or `None` for infinity.
    #[inline]
    pub fn get(self) -> Option<u32> {
        (!self.is_infinite()).then_some(self.0)
    }

    /// The stored integer: 2^31 − 1 for infinity.
    #[inline]
    pub(crate) fn raw(self) -> u32 {
        self.0
    }

    /// The number as a float: 2^31 for infinity, due to rounding.
    #[inline]
    pub(crate) fn as_f32(self) -> f32 {
        self.0 as i32 as f32
    }

    #[inline(always)]
    pub(crate) fn as_floats(numbers: [ProofNumber; 8]) -> f32x8 {
        i32x8::new(numbers.map(|number| number.0 as i32)).round_float()
    }

    /// Returns the number for proving both: the saturating sum.
    #[inline]
    pub fn and(self, other: ProofNumber) -> ProofNumber {
        if self.is_infinite() || other.is_infinite() {
            Self::INFINITE
        } else {
            Self::finite(u64::from(self.0) + u64::from(other.0))
        }
    }

    /// Returns the number for proving either: the minimum.
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
/// Only the thread that owns the node or holds its claim writes it, so plain loads and stores
/// suffice; they become visible to the parent's owner through the announcement on the parent.
#[derive(Debug)]
#[repr(transparent)]
pub(crate) struct AtomicProofNumber(AtomicU32);

zeroed!(AtomicProofNumber, AtomicProofNumber::new());

/// The mask that is XORed with the raw value. It exchanges 0 and 1, so that zeroed memory is a
/// leaf.
const FLIP: u32 = 1;

impl AtomicProofNumber {
    #[cfg(loom)]
    pub(crate) fn new() -> AtomicProofNumber {
        AtomicProofNumber(AtomicU32::new(0))
    }

    /// Resets the number to a leaf's. Call it only while no other thread can reach the node.
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

pub(crate) trait NumberCell {
    fn load(&self) -> ProofNumber;

    fn store(&self, number: ProofNumber);
}

/// A proof number reduced to its status: 1 while open, then 0 or infinity. Zeroed memory reads as
/// 1. Only threads that may write an [`AtomicProofNumber`] may write it.
#[derive(Debug)]
#[repr(transparent)]
pub(crate) struct AtomicStatus(AtomicU8);

zeroed!(AtomicStatus, AtomicStatus(AtomicU8::new(0)));

impl AtomicStatus {
    const PROVEN: u8 = 1;
    const INFINITE: u8 = 2;

    /// Resets the status to a leaf's. Call it only while no other thread can reach the node.
    pub(crate) fn zero(&self) {
        self.0.store(0, Ordering::Relaxed);
    }
}

impl NumberCell for AtomicStatus {
    #[inline]
    fn load(&self) -> ProofNumber {
        match self.0.load(Ordering::Relaxed) {
            AtomicStatus::PROVEN => ProofNumber::PROVEN,
            AtomicStatus::INFINITE => ProofNumber::INFINITE,
            _ => ProofNumber::ONE,
        }
    }

    #[inline]
    fn store(&self, number: ProofNumber) {
        debug_assert!(!number.is_open() || number == ProofNumber::ONE, "{number} is not counted");
        let status = match number {
            ProofNumber::PROVEN => AtomicStatus::PROVEN,
            ProofNumber::INFINITE => AtomicStatus::INFINITE,
            _ => 0,
        };
        self.0.store(status, Ordering::Relaxed);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_number() -> impl Strategy<Value = ProofNumber> {
        prop_oneof![
            Just(ProofNumber::PROVEN),
            Just(ProofNumber::ONE),
            Just(ProofNumber::MAX_FINITE),
            Just(ProofNumber::INFINITE),
            any::<u64>().prop_map(ProofNumber::finite),
            (i32::MAX as u32 - 260..=u32::MAX).prop_map(|n| ProofNumber::finite(n.into())),
        ]
    }

    #[test]
    fn a_status_holds_what_is_proven() {
        let cell = AtomicStatus(AtomicU8::new(0));
        assert_eq!(cell.load(), ProofNumber::ONE);
        for number in [ProofNumber::PROVEN, ProofNumber::INFINITE, ProofNumber::ONE] {
            cell.store(number);
            assert_eq!(cell.load(), number);
        }
    }

    #[test]
    fn zeroed_memory_is_a_leaf() {
        let cell = AtomicProofNumber(AtomicU32::new(0));
        assert_eq!(cell.load(), ProofNumber::ONE);
    }

    proptest! {
        #[test]
        fn round_trip(n in any_number()) {
            let cell = AtomicProofNumber(AtomicU32::new(0));
            cell.store(n);
            prop_assert_eq!(cell.load(), n);
        }

        #[test]
        fn sums_are_infinite_only_from_infinity(a in any_number(), b in any_number()) {
            let sum = a.and(b);
            prop_assert_eq!(sum.is_infinite(), a.is_infinite() || b.is_infinite());
            prop_assert_eq!(sum.is_proven(), a.is_proven() && b.is_proven());
            prop_assert!(sum >= a && sum >= b);
        }
    }
}
