//! Intervals that bound mean payoffs, and their combination at decision nodes and chance nodes.

use super::fixed::Fixed;
use super::{Contradiction, Interval};
use crate::memory::zeroed;
use crate::sync::{AtomicU64, Fault, Ordering, broken, unless_broken};
use std::fmt;

/// Bounds on the expected payoff that a player can secure. Without chance, the ends are integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Span {
    pub(crate) lower: Fixed,
    pub(crate) upper: Fixed,
    /// Whether the ends differ only because of rounding: a mean was not a multiple of 2^-31, and no
    /// search below the node can tighten the span further. A node's span is rounded if the span of
    /// every child that determines it is exact or rounded.
    pub(crate) rounded: bool,
}

impl Span {
    pub(crate) fn exactly(payoff: i32) -> Span {
        Span::from(Interval::exactly(payoff))
    }

    #[inline]
    pub(crate) fn is_exact(self) -> bool {
        self.lower == self.upper
    }

    #[inline]
    pub(crate) fn is_final(self) -> bool {
        self.rounded || self.is_exact()
    }

    #[inline]
    pub(crate) fn and(self, other: Span) -> Result<Span, Contradiction> {
        let (lower, upper) = (self.lower.max(other.lower), self.upper.min(other.upper));
        let rounded = (self.rounded || other.rounded) && lower != upper;
        if lower <= upper { Ok(Span { lower, upper, rounded }) } else { Err(Contradiction) }
    }

    /// Returns the other player's span in a zero-sum game. The negative of the least `i32` does not
    /// fit into an `i32`, so it becomes the greatest one.
    #[inline]
    pub(crate) fn reversed(self) -> Span {
        const MOST: i64 = Fixed::from_payoff(i32::MAX).0;
        Span {
            lower: Fixed((-self.upper.0).min(MOST)),
            upper: Fixed((-self.lower.0).min(MOST)),
            rounded: self.rounded,
        }
    }

    #[inline]
    pub(crate) fn opposite(self) -> Span {
        let (lower, upper) = (Fixed(-self.upper.0), Fixed(-self.lower.0));
        Span { lower, upper, rounded: self.rounded }
    }

    /// Converts the span to an interval of payoffs; both ends must be whole.
    #[inline]
    pub(crate) fn whole(self) -> Interval {
        let payoff = |end: Fixed| (end.0 >> Fixed::DIGITS) as i32;
        Interval { lower: payoff(self.lower), upper: payoff(self.upper) }
    }

    #[inline]
    pub(crate) fn hull(self) -> Interval {
        Interval { lower: self.lower.floor(), upper: self.upper.ceil() }
    }
}

impl From<Interval> for Span {
    #[inline]
    fn from(interval: Interval) -> Span {
        Span {
            lower: Fixed::from_payoff(interval.lower),
            upper: Fixed::from_payoff(interval.upper),
            rounded: false,
        }
    }
}

/// Combines the spans of the moves at a decision node for the player to move. For another player,
/// the caller negates the spans before and after.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    lower: Fixed,
    upper: Fixed,
    /// The greatest upper end of the spans that are not final; `None` if all are final.
    open: Option<Fixed>,
}

impl Choice {
    pub(crate) fn new(first: Span) -> Choice {
        let open = (!first.is_final()).then_some(first.upper);
        Choice { lower: first.lower, upper: first.upper, open }
    }

    #[inline]
    pub(crate) fn add(&mut self, span: Span) {
        self.lower = self.lower.max(span.lower);
        self.upper = self.upper.max(span.upper);
        if !span.is_final() {
            self.open = self.open.max(Some(span.upper));
        }
    }

    /// Returns the combined span, which is final unless an open span can exceed the lower end.
    pub(crate) fn span(self) -> Span {
        let closed = self.open.is_none_or(|open| open <= self.lower);
        let (lower, upper) = (self.lower, self.upper);
        Span { lower, upper, rounded: closed && lower != upper }
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mean {
    // With up to 65,535 weights of 32 bits and ends of 63 bits, the sums take at most 111 bits.
    lower: i128,
    upper: i128,
    weights: i128,
    no_lower: bool,
    no_upper: bool,
    open: bool,
}

impl Mean {
    /// Adds an outcome's span with its weight; `range` is the game's payoff range.
    #[inline]
    pub(crate) fn add(&mut self, span: Span, weight: u32, range: Interval) {
        let weight = i128::from(weight);
        self.lower += weight * i128::from(span.lower.0);
        self.upper += weight * i128::from(span.upper.0);
        self.weights += weight;
        let open = !span.is_final();
        self.open |= open;
        // In a game without a payoff limit, an open span can be unbounded on either side.
        self.no_lower |=
            open && range.lower == i32::MIN && span.lower == Fixed::from_payoff(i32::MIN);
        self.no_upper |=
            open && range.upper == i32::MAX && span.upper == Fixed::from_payoff(i32::MAX);
    }

    /// Returns the mean with its ends rounded outward. An end is the game's payoff limit if an
    /// outcome is unbounded on that side.
    pub(crate) fn span(self, range: Interval) -> Span {
        let range = Span::from(range);
        let weights = self.weights.max(1);
        // The Euclidean quotient is the floor for positive divisors. It fits into 63 bits.
        let floor = |sum: i128| sum.div_euclid(weights) as i64;
        let lower = if self.no_lower { range.lower } else { Fixed(floor(self.lower)) };
        let upper = if self.no_upper { range.upper } else { Fixed(-floor(-self.upper)) };
        Span { lower, upper, rounded: !self.open && lower != upper }
    }
}

/// Bounds on the expected payoff of a player in a game with chance. A bound is `None` if the game
/// does not limit payoffs and no bound has been proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Expected {
    /// A lower bound: the player can force this payoff on average.
    pub lower: Option<Fixed>,
    /// An upper bound: the player cannot force more than this payoff on average.
    pub upper: Option<Fixed>,
    /// Whether the bounds are final and differ only because means were rounded.
    pub rounded: bool,
}

impl Expected {
    /// Returns the exact expected payoff if the bounds are equal.
    pub fn exact(self) -> Option<Fixed> {
        self.lower.filter(|_| self.lower == self.upper)
    }

    /// Returns whether the bounds are final, that is, equal or different only because of rounding.
    pub fn is_final(self) -> bool {
        self.rounded || self.exact().is_some()
    }

    pub(crate) fn new(span: Span) -> Expected {
        let Interval { lower, upper } = span.hull();
        // The second player's lower end is −i32::MAX if the first player's payoff is unlimited.
        let known = span.is_final();
        Expected {
            lower: Some(span.lower).filter(|_| known || lower > -i32::MAX),
            upper: Some(span.upper).filter(|_| known || upper < i32::MAX),
            rounded: span.rounded,
        }
    }
}

impl fmt::Display for Expected {
    /// Writes an exact payoff as `0.25`, other bounds rounded outward as `0.530612..0.530613`, and
    /// an unknown end as `?`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = |end: Option<Fixed>, above| end.map_or("?".into(), |end| end.decimal(6, above));
        let (lower, upper) = (end(self.lower, false), end(self.upper, true));
        match self.exact() {
            Some(_) if lower == upper => f.pad(&lower),
            _ => f.pad(&format!("{lower}..{upper}")),
        }
    }
}

/// A node's interval for one player in a game with chance. Each end has its own word, which stores
/// the distance of that end from the same end of the payoff range, in fixed point. Zeroed memory
/// reads as the whole range.
///
/// Each end is proven independently, so a reader between two stores sees a valid interval. The mark
/// [`Span::rounded`] means that both ends are final. So it is stored with the upper end, after the
/// lower end, and loaded before the lower end.
#[derive(Debug)]
pub(crate) struct AtomicSpan {
    raised: AtomicU64,
    fallen: AtomicU64,
}

/// The bit that stores [`Span::rounded`]; a distance takes the other 63 bits.
const ROUNDED: u64 = 1 << 63;

zeroed!(AtomicSpan, AtomicSpan::new());

impl AtomicSpan {
    #[cfg(any(test, loom))]
    pub(crate) fn new() -> AtomicSpan {
        AtomicSpan { raised: AtomicU64::new(0), fallen: AtomicU64::new(0) }
    }

    #[inline]
    pub(crate) fn load(&self, range: Interval) -> Span {
        // Acquire: whoever sees the mark must see the final lower end; pairs with `join`'s Release.
        let order = unless_broken(Fault::MarkBeforeEnds, Ordering::Acquire);
        let fallen = self.fallen.load(order);
        let raised = self.raised.load(Ordering::Relaxed);
        let range = Span::from(range);
        let lower = Fixed::from_bits(range.lower.to_bits().wrapping_add(raised as i64));
        let down = (fallen & !ROUNDED) as i64;
        let upper = Fixed::from_bits(range.upper.to_bits().wrapping_sub(down));
        Span { lower, upper, rounded: fallen & ROUNDED != 0 && lower != upper }
    }

    #[inline]
    pub(crate) fn is_tightened(&self) -> bool {
        (self.raised.load(Ordering::Relaxed) | self.fallen.load(Ordering::Relaxed)) != 0
    }

    /// Resets the interval to the whole range. Requires that no other thread can reach the node.
    pub(crate) fn zero(&self) {
        self.raised.store(0, Ordering::Relaxed);
        self.fallen.store(0, Ordering::Relaxed);
    }

    /// Tightens the interval to its intersection with `new`; returns whether it changed. Only the
    /// node's owner or the holder of its claim may call this.
    #[inline]
    pub(crate) fn join(&self, new: Span, range: Interval) -> Result<bool, Contradiction> {
        let old = self.load(range);
        let joined = old.and(new)?;
        if joined == old {
            return Ok(false);
        }
        let Span { lower, upper, rounded } = joined;
        let range = Span::from(range);
        let raised = lower.to_bits().wrapping_sub(range.lower.to_bits()) as u64;
        let fallen = range.upper.to_bits().wrapping_sub(upper.to_bits()) as u64;
        let store_lower = || self.raised.store(raised, Ordering::Relaxed);
        if !broken(Fault::MarkBeforeEnds) {
            store_lower();
        }
        // Release: publishes the lower end before the mark; pairs with the Acquire in `load`.
        let order = unless_broken(Fault::MarkBeforeEnds, Ordering::Release);
        self.fallen.store(fallen | if rounded { ROUNDED } else { 0 }, order);
        if broken(Fault::MarkBeforeEnds) {
            store_lower();
        }
        Ok(true)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn end() -> impl Strategy<Value = Fixed> {
        let whole = prop_oneof![Just(i32::MIN), Just(i32::MAX), Just(0), -3..=3i32, any::<i32>()];
        (whole, prop_oneof![Just(0u32), any::<u32>()]).prop_map(|(whole, fraction)| {
            let most = Fixed::from_payoff(i32::MAX).0;
            Fixed((Fixed::from_payoff(whole).0 + i64::from(fraction >> 1)).min(most))
        })
    }

    fn span() -> impl Strategy<Value = Span> {
        (end(), end(), any::<bool>()).prop_map(|(a, b, rounded)| {
            let (lower, upper) = (a.min(b), a.max(b));
            Span { lower, upper, rounded: rounded && lower != upper }
        })
    }

    const ALL: Interval = Interval { lower: i32::MIN, upper: i32::MAX };

    fn mean(outcomes: &[(Span, u32)], range: Interval) -> Span {
        let mut mean = Mean::default();
        outcomes.iter().for_each(|&(span, weight)| mean.add(span, weight, range));
        mean.span(range)
    }

    #[test]
    fn decimals_are_rounded_outward() {
        let third = mean(&[(Span::exactly(1), 1), (Span::exactly(0), 2)], ALL);
        assert!(third.rounded && third.lower.0 + 1 == third.upper.0);
        assert_eq!(Expected::new(third).to_string(), "0.333333..0.333334");
        let half = mean(&[(third, 1), (Span::exactly(1), 1)], ALL);
        assert_eq!(Expected::new(half).to_string(), "0.666666..0.666667");
        let tenth = mean(&[(Span::exactly(1), 1), (Span::exactly(0), 9)], ALL);
        assert_eq!(Expected::new(tenth).to_string(), "0.099999..0.100001");
        let little = mean(&[(Span::exactly(1), 1), (Span::exactly(0), u32::MAX)], ALL);
        assert_eq!(Expected::new(little).to_string(), "0..0.000001");
        assert_eq!(Expected::new(third.reversed()).to_string(), "-0.333334..-0.333333");
        let quarter = mean(&[(Span::exactly(-1), 1), (Span::exactly(0), 3)], ALL);
        assert_eq!(Expected::new(quarter).to_string(), "-0.25");
        assert_eq!(Expected::new(Span::from(ALL)).to_string(), "?..?");
        assert_eq!(Expected::new(Span::exactly(i32::MIN)).to_string(), "-2147483648");
    }

    #[test]
    fn one_open_end_opens_the_mean() {
        let open = Span { lower: Fixed::from_payoff(i32::MIN), ..Span::exactly(4) };
        let one = mean(&[(Span::exactly(2), 1), (open, 1)], ALL);
        assert_eq!(one, Span { lower: Fixed::from_payoff(i32::MIN), ..Span::exactly(3) });
        // If both outcomes are exactly the least payoff, it is their mean, not a missing limit.
        let lowest = mean(&[(Span::exactly(i32::MIN), 1), (Span::exactly(i32::MIN), 1)], ALL);
        assert_eq!(lowest, Span::exactly(i32::MIN));
    }

    #[test]
    fn the_greatest_weights_and_payoffs_fit() {
        let most = vec![(Span::exactly(i32::MAX), u32::MAX); crate::game::MAX_CHILDREN];
        assert_eq!(mean(&most, ALL), Span::exactly(i32::MAX));
        let least = vec![(Span::exactly(i32::MIN), u32::MAX); crate::game::MAX_CHILDREN];
        assert_eq!(mean(&least, ALL), Span::exactly(i32::MIN));
    }

    proptest! {
        #[test]
        fn the_mean_holds_the_true_mean(
            outcomes in prop::collection::vec((span(), 1..=u32::MAX), 1..6),
        ) {
            let known = mean(&outcomes, ALL);
            let weights: i128 = outcomes.iter().map(|&(_, w)| i128::from(w)).sum();
            let sum = |end: fn(Span) -> Fixed| -> i128 {
                outcomes.iter().map(|&(s, w)| i128::from(end(s).0) * i128::from(w)).sum()
            };
            // The lower end is less than 2^-31 below the true mean of the lower ends.
            let (low, high) = (sum(|s| s.lower), sum(|s| s.upper));
            let open = |end: i32| outcomes.iter().any(|(s, _)| {
                !s.is_final() && (s.lower == Fixed::from_payoff(end) || s.upper == Fixed::from_payoff(end))
            });
            if !open(i32::MIN) {
                let lower = i128::from(known.lower.0) * weights;
                prop_assert!(lower <= low && low < lower + weights);
            }
            if !open(i32::MAX) {
                let upper = i128::from(known.upper.0) * weights;
                prop_assert!(upper >= high && high > upper - weights);
            }
            let all_final = outcomes.iter().all(|(span, _)| span.is_final());
            prop_assert_eq!(known.is_final(), all_final || known.is_exact());
            prop_assert!(!known.is_exact() || low == high);
        }

        #[test]
        fn a_choice_is_final_when_nothing_open_matters(
            spans in prop::collection::vec(span(), 1..6),
        ) {
            let mut choice = Choice::new(spans[0]);
            spans[1..].iter().for_each(|&span| choice.add(span));
            let chosen = choice.span();
            let lower = spans.iter().map(|s| s.lower).max().unwrap();
            let upper = spans.iter().map(|s| s.upper).max().unwrap();
            prop_assert_eq!((chosen.lower, chosen.upper), (lower, upper));
            let open = spans.iter().any(|s| !s.is_final() && s.upper > lower);
            prop_assert_eq!(chosen.is_final(), !open);
        }

        #[test]
        fn floats_are_outward(end in end()) {
            let float = |above| end.to_f64_outward(above) * (1u64 << Fixed::DIGITS) as f64;
            let (below, above) = (float(false) as i128, float(true) as i128);
            prop_assert!(below <= end.0.into() && i128::from(end.0) <= above);
        }

        #[test]
        fn reversing_twice_changes_nothing(span in span()) {
            if span.lower > Fixed::from_payoff(i32::MIN + 1) {
                prop_assert_eq!(span.reversed().reversed(), span);
            }
        }
    }
}
