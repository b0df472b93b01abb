//! Df-PPNS: probability-based proof-number search, depth first.
//!
//! Primanita, Khalid and Iida (*Characterizing the Nature of Probability-Based Proof Number
//! Search*, 2020) propose this algorithm as further work. As in PPNS, a position's value v is the
//! probability that the claim is true if all leaves are independent. A new position's value is the
//! win rate of playouts (their equations 3 to 5). Any other position's value is 1 − Π(1 − v) over
//! its children's values if the claimant is to move (equation 6), else Πv (equation 7).
//!
//! The table stores two numbers for each position. Here the proof number is −ln v and the disproof
//! number is −ln(1 − v). So `lose` is the sum over the children, as in df-pn, which is equation 6
//! for one side and equation 7 for the other. But `win` is not the minimum over the children,
//! because each child adds to the probability; it follows from e^−win + e^−lose = 1. The search
//! enters the child with the least `win`, which is the likeliest one.
//!
//! **Limits.** A visit to a child ends when it brings the position to one of the position's own
//! limits, given the other children's part of the product, or when another child is likelier by the
//! margin of the 1 + ε trick, as in df-pn. If a precision is configured, it determines the limits
//! of the root, at which the root's value is close enough to 0 or 1 (their Algorithm 6).
//!
//! **Termination** follows as in df-pn. When the search leaves a child for another one, the child's
//! `win` is greater than before. When it leaves a child at a limit of the position, the position
//! reaches that limit, because numbers are rounded accordingly. Both numbers of a position saturate
//! together. A child with the greatest `win` is searched until it is solved.

use super::dfpn::OnePlusEpsilon;
use super::{ChildNumbers, Guide, NumberLimits, Numbers};
use crate::math::log_odds::{minus_ln, minus_ln_of_other};
use crate::prove::data::FIELD;
use crate::prove::memo::{INFINITE, MAX_FINITE};

/// The number of low bits of a positive 32-bit float that do not fit into a field of the table.
/// Eighteen bits of the fraction remain.
const DROPPED: u32 = 31 - FIELD;

/// The value at which numbers saturate.
const MOST: f64 = 64.0;
/// The value e^−64, the counterpart of [`MOST`]. With smaller values, a position could stay below a
/// limit that its children exceed.
const LEAST: f64 = 1.603_810_890_548_638e-28;

/// Returns the greatest number whose value is at most `x`, after clamping `x` to the representable
/// range. Numbers have the same order as their values.
fn number(x: f64) -> u32 {
    let x = x.clamp(LEAST, MOST);
    // The nearest float may be above `x`.
    let nearest = x as f32;
    let below = if f64::from(nearest) > x { nearest.next_down() } else { nearest };
    below.to_bits() >> DROPPED
}

/// Returns the least number whose value is at least `x`, or infinity if there is no such number.
fn number_from(x: f64) -> u32 {
    let below = number(x);
    match value(below) < x {
        true if x > MOST => INFINITE,
        true => below + 1,
        false => below,
    }
}

fn value(number: u32) -> f64 {
    f32::from_bits(number << DROPPED).into()
}

/// Converts a probability to a proof number and a disproof number.
pub(super) fn numbers_of(probability: f64) -> (u32, u32) {
    (number(minus_ln(probability)), number(minus_ln(1.0 - probability)))
}

pub(super) fn probability(proof: u32) -> f64 {
    (-value(proof)).exp()
}

/// Computes a position's numbers from the chosen child's `lose`, the other children's `lose`, and
/// the least `win` of the others, `second`. The sum over the others is stored as a float's bits, so
/// that subtracting it from a limit is precise.
pub(super) fn numbers(chosen: u32, others: impl Iterator<Item = u32>, second: u32) -> Numbers {
    let others: f64 = others.map(value).sum();
    let lose = others + value(chosen);
    Numbers {
        win: number(minus_ln_of_other(lose)),
        lose: number(lose).into(),
        others: others.to_bits(),
        second,
    }
}

/// The guide of df-PPNS, which searches a child until another child is likelier by the fraction ε,
/// or until a limit is reached.
pub(crate) struct DfPpns {
    epsilon: OnePlusEpsilon,
    /// The root's number at which the estimate is good enough.
    enough: u32,
}

impl DfPpns {
    pub(super) fn new(epsilon: OnePlusEpsilon, precision: Option<f64>) -> DfPpns {
        let enough = precision.map_or(INFINITE, |precision| number_from(minus_ln(precision)));
        DfPpns { epsilon, enough }
    }
}

impl Guide for DfPpns {
    fn root(&self) -> NumberLimits {
        NumberLimits { win: self.enough, lose: self.enough }
    }

    fn again(&self, _: NumberLimits, _: Numbers) -> Option<NumberLimits> {
        None
    }

    /// Each thread below a child raises its `win` by a third to a half.
    fn burdened(&self, _: NumberLimits, win: u32, threads: u32) -> u32 {
        /// Half of the step from one power of two to the next.
        const STEP: u32 = 1 << (f32::MANTISSA_DIGITS - 1 - DROPPED) >> 1;
        (win + threads * STEP).min(MAX_FINITE)
    }

    fn enter(&self, limits: NumberLimits, numbers: Numbers, child: ChildNumbers) -> NumberLimits {
        let others = f64::from_bits(numbers.others);
        let lose = match limits.lose {
            INFINITE => INFINITE,
            limit => number_from(value(limit) - others),
        };
        // When `win` reaches its limit, `lose` has fallen to that limit's counterpart. But the
        // other children may keep `lose` above it.
        let left = match limits.win {
            INFINITE => 0.0,
            limit => minus_ln_of_other(value(limit)) - others,
        };
        let own = if left > 0.0 { number_from(minus_ln_of_other(left)) } else { INFINITE };
        let elsewhere = match numbers.second {
            INFINITE => INFINITE,
            second => number_from(value(second) * self.epsilon.factor()).max(second + 1),
        };
        NumberLimits { win: own.min(elsewhere).max(child.win + 1), lose: lose.max(child.lose + 1) }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::math::log_odds;
    use proptest::prelude::*;

    #[test]
    fn numbers_are_in_the_order_of_floats() {
        let mut last = 0;
        for exponent in -830..54 {
            let x = 1.08f64.powi(exponent);
            let (below, above) = (number(x), number_from(x));
            assert!(below >= last && (below..=below + 1).contains(&above), "{x}");
            assert!(value(below) <= x && value(above) >= x, "{x}");
            assert!(value(below) / x > 1.0 - 1e-5, "{x}");
            last = below;
        }
        assert_eq!((number(0.0), number_from(0.0)), (number(LEAST), number(LEAST)));
        assert_eq!((value(number(1e300)), number_from(64.01)), (MOST, INFINITE));
        assert!(number(MOST) < MAX_FINITE && value(0) == 0.0);
        // `LEAST` and `MOST` are counterparts of each other.
        let other = |x| number(minus_ln_of_other(x));
        assert_eq!((other(LEAST), other(MOST)), (number(MOST), number(LEAST)));
    }

    /// Returns the numbers of a child that the parent's mover wins with this probability.
    fn child(probability: f64) -> ChildNumbers {
        let (win, lose) = numbers_of(probability);
        ChildNumbers { win, lose }
    }

    fn position(children: &[ChildNumbers]) -> (usize, Numbers) {
        let least = |skipped: Option<usize>| {
            let left = (0..children.len()).filter(|&n| Some(n) != skipped);
            left.min_by_key(|&n| children[n].win)
        };
        let chosen = least(None).expect("a child");
        let second = least(Some(chosen)).map_or(INFINITE, |n| children[n].win);
        let others = (0..children.len()).filter(|&n| n != chosen).map(|n| children[n].lose);
        (chosen, numbers(children[chosen].lose, others, second))
    }

    fn probabilities() -> impl Strategy<Value = Vec<f64>> {
        let one = prop_oneof![
            0.001..0.999f64,
            (1.0..30.0f64).prop_map(|x| (-x).exp()),
            (0..61u32).prop_map(|wins| (f64::from(wins) / 60.0).clamp(0.01, 0.99)),
        ];
        prop::collection::vec(one, 1..40)
    }

    proptest! {
        /// Checks that the numbers agree with equations 6 and 7, as in PPNS.
        #[test]
        fn a_position_is_worth_what_ppns_says(children in probabilities()) {
            let known: Vec<ChildNumbers> = children.iter().map(|&v| child(v)).collect();
            let (_, Numbers { win, lose, .. }) = position(&known);
            let log_odds = log_odds::or(children.iter().map(|&v| log_odds::of(v)));
            let right = log_odds::probability(log_odds);
            let wrong = log_odds::probability(-log_odds);
            for (ours, right) in [(win, right), (lose as u32, wrong)] {
                let right = minus_ln(right).clamp(LEAST, MOST);
                // Relative to its value, the least step of one number is up to 64 times that of the
                // other. A probability near 1 is rounded before its logarithm is taken.
                let error = (value(ours) - right).abs();
                prop_assert!(error <= 3e-4 * right + 1e-15, "{} {right}", value(ours));
            }
        }

        /// Checks that a child is entered with limits above its numbers and that, when it reaches
        /// one of them, the position reaches its own limit or another child is likelier.
        #[test]
        fn limits_are_above_a_child_and_reach_the_position(
            children in probabilities(),
            above in (1..1u32 << 20, 1..1u32 << 20),
            epsilon in prop_oneof![Just(0.0), Just(0.25), 0.0..10.0f64],
        ) {
            let guide = DfPpns::new(OnePlusEpsilon::new(epsilon), None);
            let children: Vec<ChildNumbers> = children.iter().map(|&v| child(v)).collect();
            let (chosen, before) = position(&children);
            let limit = |number: u32, above: u32| match number + above {
                limit if limit > self::number(MOST) => INFINITE,
                limit => limit,
            };
            let limits = NumberLimits {
                win: limit(before.win, above.0),
                lose: limit(before.lose as u32, above.1),
            };
            prop_assert!(!guide.leaves(limits, before));
            let of_child = guide.enter(limits, before, children[chosen]);
            prop_assert!(of_child.win > children[chosen].win);
            prop_assert!(of_child.lose > children[chosen].lose);
            let with = |win: u32, lose: u32| {
                let mut children = children.clone();
                children[chosen] = ChildNumbers { win, lose };
                position(&children).1
            };
            let other = |known: u32| number(minus_ln_of_other(value(known)));
            if of_child.lose < INFINITE {
                let after = with(other(of_child.lose), of_child.lose);
                prop_assert!(guide.leaves(limits, after), "{before:?} {limits:?} {after:?}");
            }
            if of_child.win < INFINITE && of_child.win <= before.second {
                let after = with(of_child.win, other(of_child.win));
                prop_assert!(guide.leaves(limits, after), "{before:?} {limits:?} {after:?}");
            }
        }
    }

    /// Checks a disproof number that the nearest 32-bit float exceeds. If it were rounded up, the
    /// position would stay one step below its limit.
    #[test]
    fn a_number_is_never_above_what_it_stands_for() {
        let limit = 32_936_942;
        let other = minus_ln_of_other(value(limit));
        assert!(other < f64::from(other as f32) && value(number(other)) <= other);
        assert!(number(minus_ln_of_other(value(number(other)))) >= limit);
    }

    #[test]
    fn the_precision_is_the_limit_of_the_root() {
        let guide = DfPpns::new(OnePlusEpsilon::new(0.25), Some(0.001));
        let limits = guide.root();
        let leaves = |v: f64| guide.leaves(limits, position(&[child(v)]).1);
        assert!(leaves(0.9995) && leaves(0.0005) && !leaves(0.998) && !leaves(0.002));
        assert_eq!(DfPpns::new(OnePlusEpsilon::new(0.25), None).root(), NumberLimits::NONE);
    }
}
