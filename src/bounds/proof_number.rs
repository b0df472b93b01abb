//! Proof numbers, which count the leaves that must still be proven.

use crate::memory::zeroed;
use crate::sync::{AtomicU8, Ordering};

/// A player's proof number at a node: the least number of leaves that must still be proven before
/// the player has a forced win against every defence of all others. Zero is a proven win; infinity
/// means that the player cannot force a win.
///
/// Finite numbers saturate at [`ProofNumber::MAX_FINITE`]: a sum that would overflow never turns
/// into infinity, which would be a disproof.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProofNumber(pub(super) u32);

impl ProofNumber {
    /// The proof number of a proven win.
    pub const PROVEN: ProofNumber = ProofNumber(0);
    /// The proof number of an unknown leaf.
    pub const ONE: ProofNumber = ProofNumber(1);
    /// The greatest finite number, 2^31 − 128, at which sums saturate. Converted to a float, it is
    /// still the greatest value below infinity.
    pub const MAX_FINITE: ProofNumber = ProofNumber(Self::INFINITE.0 - 127);
    /// The proof number of an impossible win.
    // Fits into an `i32`, because processors convert signed integers to floats fastest.
    pub const INFINITE: ProofNumber = ProofNumber(i32::MAX as u32);

    /// Converts an integer to a finite proof number, at most [`MAX_FINITE`](Self::MAX_FINITE).
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

    /// Returns the stored integer, which is 2^31 − 1 for infinity.
    #[inline]
    pub(crate) fn raw(self) -> u32 {
        self.0
    }
}

pub(crate) trait NumberCell {
    fn load(&self) -> ProofNumber;

    fn store(&self, number: ProofNumber);
}

/// A proof number reduced to its status: 1 while it is open, and later 0 or infinity. Zeroed memory
/// reads as open. Only the thread that owns the node or holds its claim writes the status.
#[derive(Debug)]
#[repr(transparent)]
pub(crate) struct AtomicStatus(AtomicU8);

zeroed!(AtomicStatus, AtomicStatus(AtomicU8::new(0)));

impl AtomicStatus {
    const PROVEN: u8 = 1;
    const INFINITE: u8 = 2;

    /// Resets the status to open. Requires that no other thread can reach the node.
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
    use super::super::counted::AtomicProofNumber;
    use super::*;
    use crate::sync::AtomicU32;
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
