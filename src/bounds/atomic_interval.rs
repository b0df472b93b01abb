//! Score intervals that threads tighten and never loosen.

use super::{Contradiction, Interval};
use crate::memory::zeroed;
use crate::sync::{AtomicU64, Fault, Ordering, broken};

/// A node's interval for one player. Each end takes half of the word, which stores the distance of
/// that end from the same end of the payoff range. Zeroed memory reads as the whole range.
#[derive(Debug)]
#[repr(transparent)]
pub(crate) struct AtomicInterval(AtomicU64);

zeroed!(AtomicInterval, AtomicInterval::new());

impl AtomicInterval {
    #[cfg(loom)]
    pub(crate) fn new() -> AtomicInterval {
        AtomicInterval(AtomicU64::new(0))
    }

    #[inline]
    pub(crate) fn load(&self, range: Interval) -> Interval {
        unpack(self.0.load(Ordering::Relaxed), range)
    }

    #[inline]
    pub(crate) fn is_tightened(&self) -> bool {
        self.0.load(Ordering::Relaxed) != 0
    }

    /// Resets the interval to the whole range. Requires that no other thread can reach the node.
    pub(crate) fn zero(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    /// Tightens the interval to its intersection with `new`; returns whether it changed.
    ///
    /// Relaxed suffices: the word publishes no other data, and the thread that reads it, the owner
    /// of the parent, synchronises with the announcement that follows.
    #[inline]
    pub(crate) fn join(&self, new: Interval, range: Interval) -> Result<bool, Contradiction> {
        let mut current = self.0.load(Ordering::Relaxed);
        loop {
            let old = unpack(current, range);
            let joined = old.and(new)?;
            if joined == old {
                return Ok(false);
            }
            if broken(Fault::StoredBounds) {
                self.0.store(pack(joined, range), Ordering::Relaxed);
                return Ok(true);
            }
            match self.0.compare_exchange_weak(
                current,
                pack(joined, range),
                Ordering::Relaxed,
                Ordering::Relaxed,
            ) {
                Ok(_) => return Ok(true),
                Err(seen) => current = seen,
            }
        }
    }
}

#[inline]
fn pack(interval: Interval, range: Interval) -> u64 {
    let raised = interval.lower.wrapping_sub(range.lower) as u32;
    let fallen = range.upper.wrapping_sub(interval.upper) as u32;
    u64::from(raised) << 32 | u64::from(fallen)
}

#[inline]
fn unpack(word: u64, range: Interval) -> Interval {
    Interval {
        lower: range.lower.wrapping_add((word >> 32) as i32),
        upper: range.upper.wrapping_sub(word as i32),
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::bounds::fixed::Fixed;
    use crate::bounds::span::{AtomicSpan, Span};
    use proptest::prelude::*;

    fn interval() -> impl Strategy<Value = Interval> {
        let end = prop_oneof![Just(i32::MIN), Just(i32::MAX), Just(0), any::<i32>(), -64..=64];
        (end.clone(), end).prop_map(|(a, b)| Interval { lower: a.min(b), upper: a.max(b) })
    }

    fn span() -> impl Strategy<Value = Span> {
        (interval(), any::<bool>(), any::<bool>()).prop_map(|(interval, halved, rounded)| {
            let Span { mut lower, upper, .. } = Span::from(interval);
            if halved && lower < upper {
                lower = Fixed::from_bits(lower.to_bits() + 1);
            }
            Span { lower, upper, rounded: rounded && lower != upper }
        })
    }

    /// Joins a cell with `new`, and checks that the ends only tighten.
    macro_rules! check_join {
        ($cell:expr, $new:expr, $range:expr, $check:expr) => {
            let (cell, new, range) = (&$cell, $new, $range);
            let before = cell.load(range);
            let result = cell.join(new, range);
            let after = cell.load(range);
            prop_assert!(after.lower >= before.lower && after.upper <= before.upper);
            prop_assert!(after.lower <= after.upper);
            match result {
                Ok(changed) => {
                    prop_assert_eq!(changed, after != before);
                    prop_assert!(after.lower >= new.lower && after.upper <= new.upper);
                    let holds = $check(before, new, after);
                    prop_assert!(holds);
                }
                Err(Contradiction) => prop_assert_eq!(after, before),
            }
        };
    }

    proptest! {
        #[test]
        fn joins_of_spans_only_tighten(
            range in interval(),
            joins in prop::collection::vec(span(), 1..6),
        ) {
            let cell = AtomicSpan::new();
            prop_assert_eq!(cell.load(range), Span::from(range));
            for new in joins {
                check_join!(cell, new, range, |before: Span, new: Span, after: Span| {
                    let rounded = before.rounded || new.rounded;
                    after.rounded == (rounded && after.lower != after.upper)
                });
            }
        }

        #[test]
        fn zeroed_memory_is_the_range(range in interval()) {
            prop_assert_eq!(AtomicInterval(AtomicU64::new(0)).load(range), range);
        }

        #[test]
        fn packing_round_trips(range in interval(), a in interval()) {
            let inside = Interval {
                lower: a.lower.clamp(range.lower, range.upper),
                upper: a.upper.clamp(range.lower, range.upper),
            };
            prop_assert_eq!(unpack(pack(inside, range), range), inside);
        }

        #[test]
        fn joins_only_tighten(range in interval(), joins in prop::collection::vec(interval(), 1..6)) {
            let cell = AtomicInterval(AtomicU64::new(0));
            for new in joins {
                check_join!(cell, new, range, |_, _, _| true);
            }
        }
    }
}
