//! Numbers from 0 to 1 in sixteen bits.
//!
//! A prior needs a wide range but little precision: the upper bits of a float suffice, without the
//! sign and exponents above 1. Zeroed memory represents 0.

/// The bits of 2^−31, below which numbers are stored as 0.
const LEAST: u32 = 96 << 23;
const DROPPED: u32 = 12;

/// Rounds a number from 0 to 1 to sixteen bits, with a relative error of at most 1/4096.
#[inline]
pub(crate) fn to_half(share: f32) -> u16 {
    let rounded = share.to_bits() + (1 << (DROPPED - 1));
    (rounded.saturating_sub(LEAST) >> DROPPED) as u16
}

/// Converts the bits back to a float; 0 is read as 2^−31.
#[inline]
pub(crate) fn from_half(half: u16) -> f32 {
    f32::from_bits((u32::from(half) << DROPPED) + LEAST)
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_ends_are_exact() {
        assert_eq!((to_half(1.0), from_half(to_half(1.0))), (0xf800, 1.0));
        assert_eq!((to_half(0.5), from_half(to_half(0.5))), (0xf000, 0.5));
        assert_eq!((to_half(0.0), from_half(0)), (0, 2f32.powi(-31)));
        assert_eq!(to_half(1e-30), 0);
    }

    proptest! {
        #[test]
        fn shares_are_rounded_a_little_and_stay_in_order(a in 0f32..=1.0, b in 0f32..=1.0) {
            let (one, other) = (from_half(to_half(a)), from_half(to_half(b)));
            prop_assert!((one - a).abs() <= a / 4096.0 + 1e-9);
            prop_assert!(a > b || one <= other);
        }
    }
}
