//! Payoffs and means of payoffs in fixed point.
//!
//! The mean over the outcomes of a die is rarely a whole number. It is kept as
//! a multiple of 2^-31, rounded down where it is a lower bound and up where it
//! is an upper one, so that every interval holds the true value. No float is
//! compared with another anywhere.

use std::fmt;

/// A payoff, or a mean of payoffs, as a multiple of 2^-31. Every payoff is one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fixed(pub(crate) i64);

impl Fixed {
    /// The number of binary digits behind the point. All payoffs then take 63
    /// bits, and a difference of two fits into 64.
    pub const DIGITS: u32 = 31;

    /// A payoff.
    #[inline]
    pub const fn from_payoff(payoff: i32) -> Fixed {
        Fixed((payoff as i64) << Self::DIGITS)
    }

    /// The number `bits` · 2^-31.
    #[inline]
    pub(crate) const fn from_bits(bits: i64) -> Fixed {
        Fixed(bits)
    }

    /// The number times 2^31.
    #[inline]
    pub const fn to_bits(self) -> i64 {
        self.0
    }

    /// The whole number, if it is one.
    pub fn to_payoff(self) -> Option<i32> {
        let whole = i32::try_from(self.0 >> Self::DIGITS).ok()?;
        (Fixed::from_payoff(whole) == self).then_some(whole)
    }

    /// The greatest whole number that is not greater, as far as payoffs go.
    #[inline]
    pub fn floor(self) -> i32 {
        clamp(self.0 >> Self::DIGITS)
    }

    /// The least whole number that is not less, as far as payoffs go.
    #[inline]
    pub fn ceil(self) -> i32 {
        clamp((self.0 + ((1 << Self::DIGITS) - 1)) >> Self::DIGITS)
    }

    /// The nearest float; exact while the number is less than 2^22.
    pub fn to_f64(self) -> f64 {
        self.0 as f64 / (1u64 << Self::DIGITS) as f64
    }

    /// The greatest float that is not greater, or the least one that is not
    /// less: for the lower and the upper end of an interval.
    pub fn to_f64_outward(self, above: bool) -> f64 {
        let nearest = self.0 as f64;
        // Whole numbers of at most 63 bits.
        let outward = match i128::from(self.0).cmp(&(nearest as i128)) {
            std::cmp::Ordering::Greater if above => nearest.next_up(),
            std::cmp::Ordering::Less if !above => nearest.next_down(),
            _ => nearest,
        };
        outward / (1u64 << Self::DIGITS) as f64
    }

    /// In decimals: in full where `decimals` are enough, else the next number
    /// below, or `above`, that they can show.
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
    /// In decimals, to the nearest millionth.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.decimal(6, false))
    }
}
