//! Payoffs and means of payoffs as fixed-point numbers.
//!
//! The mean over the outcomes of a die is rarely a whole number. Bounds on such a mean are stored
//! as multiples of 2^-31: lower bounds are rounded down and upper bounds are rounded up, so that
//! every interval contains the true value. Floats are never compared.

use std::fmt;

/// A payoff, or a mean of payoffs, as a multiple of 2^-31.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fixed(pub(crate) i64);

impl Fixed {
    /// The number of binary digits after the point. With 31 digits, a payoff takes 63 bits, and the
    /// difference between two payoffs fits into 64 bits.
    pub const DIGITS: u32 = 31;

    /// Converts a payoff exactly.
    #[inline]
    pub const fn from_payoff(payoff: i32) -> Fixed {
        Fixed((payoff as i64) << Self::DIGITS)
    }

    #[inline]
    pub(crate) const fn from_bits(bits: i64) -> Fixed {
        Fixed(bits)
    }

    /// Returns the integer that represents the number, which is 2^31 times the number.
    #[inline]
    pub const fn to_bits(self) -> i64 {
        self.0
    }

    /// Returns the number as a payoff, or `None` if it is not whole.
    pub fn to_payoff(self) -> Option<i32> {
        let whole = i32::try_from(self.0 >> Self::DIGITS).ok()?;
        (Fixed::from_payoff(whole) == self).then_some(whole)
    }

    /// Rounds the number down to a whole number, clamped to `i32`.
    #[inline]
    pub fn floor(self) -> i32 {
        clamp(self.0 >> Self::DIGITS)
    }

    /// Rounds the number up to a whole number, clamped to `i32`.
    #[inline]
    pub fn ceil(self) -> i32 {
        clamp((self.0 + ((1 << Self::DIGITS) - 1)) >> Self::DIGITS)
    }

    /// Returns the nearest float, which is exact if the number's absolute value is less than 2^22.
    pub fn to_f64(self) -> f64 {
        self.0 as f64 / (1u64 << Self::DIGITS) as f64
    }

    /// Converts the number to a float, rounding up if `above` is true and down otherwise.
    pub fn to_f64_outward(self, above: bool) -> f64 {
        let nearest = self.0 as f64;
        // Both sides are integers of at most 63 bits, so this comparison is exact.
        let outward = match i128::from(self.0).cmp(&(nearest as i128)) {
            std::cmp::Ordering::Greater if above => nearest.next_up(),
            std::cmp::Ordering::Less if !above => nearest.next_down(),
            _ => nearest,
        };
        outward / (1u64 << Self::DIGITS) as f64
    }

    /// Formats the number with at most `decimals` decimal places. If more are needed, it rounds up
    /// if `above` is true and down otherwise.
    pub fn decimal(self, decimals: u32, above: bool) -> String {
        let scale = 10i128.pow(decimals.min(18));
        let (units, one) = (i128::from(self.0) * scale, 1i128 << Self::DIGITS);
        let in_full = units % one == 0;
        let units = if above { -(-units).div_euclid(one) } else { units.div_euclid(one) };
        let (whole, rest) = (units.abs() / scale, units.abs() % scale);
        let sign = if units < 0 { "-" } else { "" };
        let text = format!("{sign}{whole}.{rest:0width$}", width = decimals.min(18) as usize);
        if in_full { text.trim_end_matches('0').trim_end_matches('.').into() } else { text }
    }
}

#[inline]
fn clamp(whole: i64) -> i32 {
    whole.clamp(i32::MIN.into(), i32::MAX.into()) as i32
}

impl fmt::Display for Fixed {
    /// Writes the number with at most six decimals, rounded down.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.decimal(6, false))
    }
}
