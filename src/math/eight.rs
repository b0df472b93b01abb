//! Arithmetic on eight numbers at once, in two 128-bit registers, which every x86-64 processor has.
//!
//! On other processors, the crate `wide` provides types with the same names, methods and rounding.
//! It is not used everywhere, because it takes half as long to build as this library.

use safe_arch::{
    add_m128, bitand_m128, bitandnot_m128, bitor_m128, cmp_eq_mask_m128, cmp_gt_mask_m128,
    cmp_lt_mask_m128, convert_to_m128_from_i32_m128i, div_m128, m128, m128i, max_m128, min_m128,
    move_mask_m128, mul_m128, set_splat_m128, sqrt_m128, sub_m128,
};
use std::ops::{Add, AddAssign, BitAnd, Div, Mul, MulAssign, Sub};

/// Eight floats, or eight masks whose bits are all set or all clear.
#[derive(Clone, Copy, Debug)]
#[expect(non_camel_case_types, reason = "the usual name")]
pub(crate) struct f32x8([m128; 2]);

#[derive(Clone, Copy, Debug)]
#[expect(non_camel_case_types, reason = "the usual name")]
pub(crate) struct i32x8([m128i; 2]);

impl i32x8 {
    #[inline(always)]
    pub(crate) fn new([a, b, c, d, e, f, g, h]: [i32; 8]) -> i32x8 {
        i32x8([m128i::from([a, b, c, d]), m128i::from([e, f, g, h])])
    }

    #[inline(always)]
    pub(crate) fn round_float(self) -> f32x8 {
        let [low, high] = self.0;
        f32x8([convert_to_m128_from_i32_m128i(low), convert_to_m128_from_i32_m128i(high)])
    }
}

impl f32x8 {
    #[inline(always)]
    pub(crate) fn new([a, b, c, d, e, f, g, h]: [f32; 8]) -> f32x8 {
        f32x8([m128::from([a, b, c, d]), m128::from([e, f, g, h])])
    }

    #[inline(always)]
    pub(crate) fn splat(number: f32) -> f32x8 {
        f32x8([set_splat_m128(number); 2])
    }

    #[inline(always)]
    pub(crate) fn to_array(self) -> [f32; 8] {
        let [low, high] = self.0;
        let ([a, b, c, d], [e, f, g, h]) = (low.to_array(), high.to_array());
        [a, b, c, d, e, f, g, h]
    }

    /// Returns the lesser number in each lane, or the number of `other` if that of `self` is NaN.
    #[inline(always)]
    pub(crate) fn fast_min(self, other: f32x8) -> f32x8 {
        self.with(other, min_m128)
    }

    /// Returns the greater number in each lane, or the number of `other` if that of `self` is NaN.
    #[inline(always)]
    pub(crate) fn fast_max(self, other: f32x8) -> f32x8 {
        self.with(other, max_m128)
    }

    #[inline(always)]
    pub(crate) fn sqrt(self) -> f32x8 {
        f32x8([sqrt_m128(self.0[0]), sqrt_m128(self.0[1])])
    }

    #[inline(always)]
    pub(crate) fn simd_eq(self, other: f32x8) -> f32x8 {
        self.with(other, cmp_eq_mask_m128)
    }

    #[inline(always)]
    pub(crate) fn simd_gt(self, other: f32x8) -> f32x8 {
        self.with(other, cmp_gt_mask_m128)
    }

    #[inline(always)]
    pub(crate) fn simd_lt(self, other: f32x8) -> f32x8 {
        self.with(other, cmp_lt_mask_m128)
    }

    /// Returns the lanes of the mask as bits; the first lane is the lowest bit.
    #[inline(always)]
    pub(crate) fn to_bitmask(self) -> u32 {
        (move_mask_m128(self.0[1]) << 4 | move_mask_m128(self.0[0])) as u32
    }

    /// Selects the number of `set` in each lane whose mask is set, otherwise that of `clear`.
    #[inline(always)]
    pub(crate) fn bitselect(self, set: f32x8, clear: f32x8) -> f32x8 {
        (self & set).with(self.with(clear, bitandnot_m128), bitor_m128)
    }

    #[inline(always)]
    fn with(self, other: f32x8, f: impl Fn(m128, m128) -> m128) -> f32x8 {
        f32x8([f(self.0[0], other.0[0]), f(self.0[1], other.0[1])])
    }
}

macro_rules! operators {
    ($($Trait:ident $name:ident $instruction:ident,)+) => {$(
        impl $Trait for f32x8 {
            type Output = f32x8;

            #[inline(always)]
            fn $name(self, other: f32x8) -> f32x8 {
                self.with(other, $instruction)
            }
        }
    )+};
}

operators! {
    Add add add_m128,
    Sub sub sub_m128,
    Mul mul mul_m128,
    Div div div_m128,
    BitAnd bitand bitand_m128,
}

impl AddAssign for f32x8 {
    #[inline(always)]
    fn add_assign(&mut self, other: f32x8) {
        *self = *self + other;
    }
}

impl MulAssign for f32x8 {
    #[inline(always)]
    fn mul_assign(&mut self, other: f32x8) {
        *self = *self * other;
    }
}

impl From<[f32; 8]> for f32x8 {
    #[inline(always)]
    fn from(numbers: [f32; 8]) -> f32x8 {
        f32x8::new(numbers)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn each_lane_is_computed_by_itself() {
        let numbers = [0.0, 1.0, 4.0, 9.0, -1.0, f32::INFINITY, f32::NEG_INFINITY, 2.5];
        let two = f32x8::splat(2.0);
        let lanes = f32x8::new(numbers);
        let all = |f: fn(f32) -> f32| numbers.map(f);
        assert_eq!((lanes + two).to_array(), all(|x| x + 2.0));
        assert_eq!((lanes - two).to_array(), all(|x| x - 2.0));
        assert_eq!((lanes * two).to_array(), all(|x| x * 2.0));
        assert_eq!((lanes / two).to_array(), all(|x| x / 2.0));
        assert_eq!(lanes.fast_min(two).to_array(), all(|x| x.min(2.0)));
        assert_eq!(lanes.fast_max(two).to_array(), all(|x| x.max(2.0)));
        assert_eq!(f32x8::from(all(f32::abs)).sqrt().to_array(), all(|x| x.abs().sqrt()));
        let integers = i32x8::new([0, 1, -1, i32::MAX, i32::MIN, 16_777_217, 5, -7]);
        let floats = [0.0, 1.0, -1.0, 2_147_483_648.0, -2_147_483_648.0, 16_777_216.0, 5.0, -7.0];
        assert_eq!(integers.round_float().to_array(), floats);
    }

    #[test]
    fn masks_say_which_lanes() {
        let lanes = f32x8::new([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 2.0, f32::NAN]);
        let two = f32x8::splat(2.0);
        assert_eq!(lanes.simd_eq(two).to_bitmask(), 0b0100_0100);
        assert_eq!(lanes.simd_gt(two).to_bitmask(), 0b0011_1000);
        assert_eq!(lanes.simd_lt(two).to_bitmask(), 0b0000_0011);
        let chosen = lanes.simd_gt(two).bitselect(lanes, f32x8::splat(-1.0));
        assert_eq!(chosen.to_array(), [-1.0, -1.0, -1.0, 3.0, 4.0, 5.0, -1.0, -1.0]);
        let kept = lanes.simd_lt(two) & lanes;
        assert_eq!(kept.to_array(), [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    }
}
