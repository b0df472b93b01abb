//! Proven answers, which are shared between nodes with the same position.

use crate::bounds::{Fixed, Interval, Span};

/// The answer at a solved node of a two-player zero-sum game, for player 0: the outcome as 1, 0 or
/// −1, or the exact payoff if the goal is the score. In games with chance the score is an interval
/// that contains the expected payoff; an interval that does not fit into the bits is not shared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Solved(u64);

impl Solved {
    /// The maximum number of bits in an answer.
    pub(crate) const BITS: u32 = 63;

    pub(crate) fn from_bits(bits: u64) -> Solved {
        Solved(bits)
    }

    /// The payoff, or the outcome as a number.
    pub(super) fn value(self) -> i32 {
        self.0 as i32
    }

    pub(crate) fn to_bits(self) -> u64 {
        self.0
    }

    /// The answer for a payoff, or for an outcome as 1, 0 or −1.
    pub(crate) fn from_value(value: i32) -> Solved {
        Solved(u64::from(value as u32))
    }

    /// The number of bits for the width of an interval; the other bits store the distance of its
    /// lower end from the least payoff.
    pub(super) const WIDTH_BITS: u32 = 16;
    pub(super) const WIDTHS: u64 = (1 << Self::WIDTH_BITS) - 1;

    pub(super) fn from_span(span: Span, range: Interval) -> Option<Solved> {
        let lower = span.lower.to_bits() - Fixed::from_payoff(range.lower).to_bits();
        let width = span.upper.to_bits() - span.lower.to_bits();
        let fits = lower >> (Self::BITS - Self::WIDTH_BITS) == 0 && width >> Self::WIDTH_BITS == 0;
        fits.then_some(Solved((lower as u64) << Self::WIDTH_BITS | width as u64))
    }

    pub(super) fn span(self, range: Interval) -> Span {
        let width = (self.0 & Self::WIDTHS) as i64;
        let lower = (self.0 >> Self::WIDTH_BITS) as i64 + Fixed::from_payoff(range.lower).to_bits();
        let (lower, upper) = (Fixed::from_bits(lower), Fixed::from_bits(lower + width));
        Span { lower, upper, rounded: width != 0 }
    }
}
