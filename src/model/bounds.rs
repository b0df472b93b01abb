//! Bounds alone: intervals, and intervals of means.

use super::tree::PAYOFFS;
use crate::bounds::{AtomicInterval, AtomicSpan, Fixed, Interval, Span};

/// An interval alone, with the payoffs −1 to 1.
#[derive(Debug)]
pub struct ModelInterval(AtomicInterval);

impl ModelInterval {
    /// The whole range.
    #[allow(clippy::new_without_default)]
    pub fn new() -> ModelInterval {
        ModelInterval(AtomicInterval::new())
    }

    /// Tightens it; returns whether it changed, `None` for a contradiction.
    pub fn join(&self, lower: i32, upper: i32) -> Option<bool> {
        self.0.join(Interval { lower, upper }, PAYOFFS).ok()
    }

    /// What is known.
    pub fn load(&self) -> Interval {
        self.0.load(PAYOFFS)
    }
}

/// The ends of an interval of means in the unit of fixed point, and whether they
/// are marked as the last ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModelEnds {
    /// The lower end.
    pub lower: i64,
    /// The upper end.
    pub upper: i64,
    /// Nothing tightens it any more.
    pub rounded: bool,
}

impl From<Span> for ModelEnds {
    fn from(Span { lower, upper, rounded }: Span) -> ModelEnds {
        ModelEnds { lower: lower.to_bits(), upper: upper.to_bits(), rounded }
    }
}

/// An interval of means alone, with the payoffs −1 to 1.
#[derive(Debug)]
pub struct ModelSpan(AtomicSpan);

impl ModelSpan {
    /// The whole range.
    #[allow(clippy::new_without_default)]
    pub fn new() -> ModelSpan {
        ModelSpan(AtomicSpan::new())
    }

    /// Tightens it; `None` for a contradiction. One thread may do so.
    pub fn join(&self, ends: ModelEnds) -> Option<bool> {
        let (lower, upper) = (Fixed::from_bits(ends.lower), Fixed::from_bits(ends.upper));
        self.0.join(Span { lower, upper, rounded: ends.rounded }, PAYOFFS).ok()
    }

    /// What is known.
    pub fn load(&self) -> ModelEnds {
        self.0.load(PAYOFFS).into()
    }
}
