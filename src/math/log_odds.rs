//! Probabilities at AND and OR nodes, stored as log-odds.
//!
//! The value of an AND node is the product of its children's values; that of an OR node is 1 − Π(1
//! − v). As plain numbers such products soon round to 0 or 1 (54 children of value 1/2 make an OR
//! node exactly 1), and so do their logarithms if a child is nearly 1. The log-odds s = ln(v / (1 −
//! v)) are precise at both ends and symmetric: OR is AND with all signs changed. They are clamped
//! to ±[`CERTAIN`], so they are finite in any tree. A proof is read from the status, never from a
//! number.
//!
//! The functions come from a pure Rust library, so that they round the same on every machine.

#[cfg(feature = "ppns")]
use libm::{exp, expm1, log, log1p};

/// Functions of the standard library. Builds without PPNS have no log-odds, so it does not matter
/// how these functions round.
#[cfg(not(feature = "ppns"))]
mod std_functions {
    pub(super) fn exp(x: f64) -> f64 {
        x.exp()
    }
    pub(super) fn expm1(x: f64) -> f64 {
        x.exp_m1()
    }
    pub(super) fn log(x: f64) -> f64 {
        x.ln()
    }
    pub(super) fn log1p(x: f64) -> f64 {
        x.ln_1p()
    }
}
#[cfg(not(feature = "ppns"))]
use std_functions::{exp, expm1, log, log1p};

/// The greatest log-odds, which represent certainty.
pub(crate) const CERTAIN: f64 = 1e300;

/// Converts a probability between 0 and 1, both excluded, to log-odds.
pub(crate) fn of(value: f64) -> f64 {
    log(value) - log1p(-value)
}

pub(crate) fn probability(log_odds: f64) -> f64 {
    1.0 / (1.0 + exp(-log_odds))
}

pub(crate) fn minus_ln(value: f64) -> f64 {
    -log(value)
}

/// Converts x = −ln(1 − v) to −ln v, and vice versa; infinite if x is 0.
pub(crate) fn minus_ln_of_other(x: f64) -> f64 {
    // The smaller of e^−x and 1 − e^−x is precise.
    if x > std::f64::consts::LN_2 { -log1p(-exp(-x)) } else { -log(-expm1(-x)) }
}

/// Computes ln(1 + e^s), which is −ln(1 − v) for a value v with log-odds s.
fn softplus(s: f64) -> f64 {
    s.max(0.0) + log1p(exp(-s.abs()))
}

/// The log-odds of an AND node from those of its children; [`CERTAIN`] without children.
///
/// If the children's −ln v add up to x, the product is e^−x, and its log-odds are −ln(e^x − 1).
pub(crate) fn and(children: impl Iterator<Item = f64> + Clone) -> f64 {
    let least = children.clone().fold(CERTAIN, f64::min);
    // Above this, −ln v equals e^−s to the last bit, and a sum of such terms may underflow. Then
    // the terms are summed relative to the greatest one.
    const NEARLY_CERTAIN: f64 = 40.0;
    let s = if least > NEARLY_CERTAIN {
        let sum: Sum = children.map(|s| exp(least - s)).collect();
        let ln_x = log(sum.total()) - least;
        -ln_x - exp(ln_x) / 2.0
    } else {
        let x = children.map(|s| softplus(-s)).collect::<Sum>().total();
        // For large x, the first form keeps e^x from overflowing.
        if x > 1.0 { -x - log1p(-exp(-x)) } else { -log(expm1(x)) }
    };
    s.clamp(-CERTAIN, CERTAIN)
}

pub(crate) fn or(children: impl Iterator<Item = f64> + Clone) -> f64 {
    -and(children.map(|s| -s))
}

/// A compensated sum (Neumaier 1974): a million terms add up as precisely as two.
#[derive(Default)]
struct Sum {
    sum: f64,
    rest: f64,
}

impl Sum {
    fn add(&mut self, term: f64) {
        let sum = self.sum + term;
        self.rest += if self.sum.abs() >= term.abs() {
            (self.sum - sum) + term
        } else {
            (term - sum) + self.sum
        };
        self.sum = sum;
    }

    fn total(&self) -> f64 {
        self.sum + self.rest
    }
}

impl FromIterator<f64> for Sum {
    fn from_iter<I: IntoIterator<Item = f64>>(terms: I) -> Sum {
        let mut sum = Sum::default();
        terms.into_iter().for_each(|term| sum.add(term));
        sum
    }
}

/// Compares the results with 256-bit arithmetic, which needs neither log-odds nor special cases.
#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use dashu_float::{FBig, round::mode::HalfEven};
    use proptest::prelude::*;

    type Big = FBig<HalfEven, 2>;

    fn big(x: f64) -> Big {
        Big::try_from(x).expect("finite").with_precision(256).value()
    }

    /// Computes −ln v for a value v with log-odds `s`.
    fn minus_ln(s: &Big) -> Big {
        let zero = big(0.0);
        // Beyond 10,000 the lesser summand is below the last bit of the greater one.
        if *s < big(-1e4) {
            -s.clone()
        } else if *s < zero {
            s.exp().ln_1p() - s
        } else if *s == zero {
            big(2.0).ln()
        } else if *s > big(1e4) {
            (-s.clone()).exp()
        } else {
            (-s.clone()).exp().ln_1p()
        }
    }

    fn from_minus_ln(x: &Big) -> Big {
        // If x is tiny, e^x − 1 equals x to the last bit. The library would represent such numbers
        // with 10^13 bits and more.
        if *x > big(1e4) {
            -x.clone()
        } else if *x < big(1e-100) {
            -x.ln()
        } else {
            -x.exp_m1().ln()
        }
    }

    fn exact_and(children: &[Big]) -> Big {
        let x = children.iter().map(minus_ln).fold(big(0.0), |sum, x| sum + x);
        from_minus_ln(&x)
    }

    fn exact_or(children: &[Big]) -> Big {
        let negative: Vec<Big> = children.iter().map(|s| -s.clone()).collect();
        -exact_and(&negative)
    }

    /// The log-odds of an AND node with `many` children `child` and one child `other`.
    fn exact_and_of_many(child: &Big, many: usize, other: f64) -> Big {
        from_minus_ln(&(minus_ln(child) * big(many as f64) + minus_ln(&big(other))))
    }

    /// The allowed error: absolute for log-odds up to 1, relative for others.
    const ROUNDING: f64 = 1e-14;

    fn assert_close(ours: f64, exact: &Big, rounding: f64) {
        assert!(ours.is_finite());
        let exact = exact.to_f64().value();
        let error = (ours - exact).abs();
        assert!(error <= rounding * exact.abs().max(1.0), "{ours} for {exact}, off by {error}");
    }

    fn log_odds() -> impl Strategy<Value = f64> {
        prop_oneof![
            -5.0..5.0,
            -60.0..60.0,
            -3000.0..3000.0,
            -1e-9..1e-9,
            (0.0..280.0f64).prop_map(|digits| 10f64.powf(digits)),
            (0.0..280.0f64).prop_map(|digits| -(10f64.powf(digits))),
            // Win rates of sixty playouts, clamped with θ = 0.001.
            (0..61u32).prop_map(|wins| of((f64::from(wins) / 60.0).clamp(0.001, 0.999))),
        ]
    }

    proptest! {
        #[test]
        fn products_are_exact(children in prop::collection::vec(log_odds(), 1..60)) {
            let exact: Vec<Big> = children.iter().copied().map(big).collect();
            assert_close(and(children.iter().copied()), &exact_and(&exact), ROUNDING);
            assert_close(or(children.iter().copied()), &exact_or(&exact), ROUNDING);
        }

        #[test]
        fn a_better_child_makes_no_node_worse(
            mut children in prop::collection::vec(log_odds(), 1..60),
            better in log_odds(),
            which in any::<prop::sample::Index>(),
        ) {
            let before = (and(children.iter().copied()), or(children.iter().copied()));
            let child = which.get_mut(&mut children);
            *child = child.max(better);
            let after = (and(children.iter().copied()), or(children.iter().copied()));
            let slack = |s: f64| ROUNDING * s.abs().max(1.0);
            prop_assert!(after.0 >= before.0 - slack(before.0));
            prop_assert!(after.1 >= before.1 - slack(before.1));
        }
    }

    proptest! {
        // Each case computes thousands of 256-bit logarithms.
        #![proptest_config(ProptestConfig::with_cases(32))]

        /// Builds sixty alternating levels of AND and OR. The values stay finite, and the better of
        /// two such trees stays better if the exact values differ by more than the rounding error.
        #[test]
        fn deep_trees_stay_finite_and_ordered(
            width in 2..40usize,
            siblings in prop::collection::vec(-4.0..4.0f64, 60),
            leaves in (-4.0..4.0f64, -4.0..4.0f64),
        ) {
            let climb = |leaf: f64| {
                let (mut ours, mut exact) = (leaf, big(leaf));
                for (level, &sibling) in siblings.iter().enumerate() {
                    let children = std::iter::repeat_n(ours, width - 1);
                    let children = children.chain(std::iter::once(sibling));
                    let claimant = level % 2 == 0;
                    ours = if claimant { or(children) } else { and(children) };
                    exact = if claimant {
                        -exact_and_of_many(&-exact, width - 1, -sibling)
                    } else {
                        exact_and_of_many(&exact, width - 1, sibling)
                    };
                    assert!(ours.is_finite());
                }
                (ours, exact)
            };
            let (one, other) = (climb(leaves.0), climb(leaves.1));
            // Every level adds its own rounding error.
            let rounding = 60.0 * ROUNDING;
            assert_close(one.0, &one.1, rounding);
            assert_close(other.0, &other.1, rounding);
            let (a, b) = (one.1.to_f64().value(), other.1.to_f64().value());
            if (a - b).abs() > 2.0 * rounding * a.abs().max(b.abs()).max(1.0) {
                prop_assert_eq!(one.0 < other.0, a < b);
            }
        }
    }

    /// With a million children, the values stay finite and ordered. Few of the children differ, so
    /// that the exact sum is quick to compute.
    #[test]
    fn a_million_children_stay_finite_and_ordered() {
        const MANY: usize = 1_000_000;
        let exact = |s: f64, other: f64| exact_and_of_many(&big(s), MANY - 1, other);
        let mut last = (-CERTAIN, -CERTAIN);
        for s in [-1e200, -1e9, -800.0, -4.0, 0.0, 4.0, 13.8, 30.0, 39.9, 40.1, 800.0, 1e9, 1e200] {
            let ours =
                |other: f64| and(std::iter::repeat_n(s, MANY - 1).chain(std::iter::once(other)));
            // In the second case one child is slightly better.
            let better = s + s.abs().max(1.0) * 0.1;
            let pair = (ours(s), ours(better));
            assert_close(pair.0, &exact(s, s), ROUNDING);
            assert_close(pair.1, &exact(s, better), ROUNDING);
            assert!(pair.0 > last.0 && pair.1 > last.1 && pair.1 >= pair.0, "{s}: {pair:?}");
            assert_eq!(or(std::iter::repeat_n(-s, MANY)), -pair.0);
            last = pair;
        }
    }

    #[test]
    fn a_chance_and_its_opposite_add_up_to_one() {
        for x in [1e-37, 1e-9, 0.01, 0.5, std::f64::consts::LN_2, 0.7, 3.0, 20.0, 80.0] {
            let other = minus_ln_of_other(x);
            assert!(((-x).exp() + (-other).exp() - 1.0).abs() < 1e-15, "{x}");
            let back = minus_ln_of_other(other);
            assert!((back / x - 1.0).abs() < 1e-13, "{x}, {other}, {back}");
        }
        let half = super::minus_ln(0.5);
        assert_eq!(half, minus_ln_of_other(half));
    }

    #[test]
    fn plain_products_lose_what_log_odds_keep() {
        let half = |children| 1.0 - (0..children).fold(1.0, |rest, _| rest * 0.5);
        assert_eq!(half(54), 1.0);
        let ours = or(std::iter::repeat_n(0.0, 54));
        assert!(ours < or(std::iter::repeat_n(0.0, 55)) && ours < CERTAIN);
        assert_eq!(and(std::iter::empty()), CERTAIN);
    }
}
