//! The proof-number bias in selection (UCT-PN, equations 2 to 5 of the GPN-MCTS paper).

use crate::bounds::ProofNumber;
use crate::math::{LANES, f32x8, greatest, least};

/// A function of the children's proof numbers that biases the selection.
///
/// The paper requires of such a function, for a child *i* among its siblings: (a) the value is 0 if
/// *i* cannot be proven; (b) if a sibling cannot be proven, every child that can be proven gets
/// more than 0; (c) equal numbers give equal values; and, optionally, (d) the least finite number
/// gives 1.
///
/// [`RankLudii`](Bias::RankLudii) is the first formula as coded in the authors' program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Bias {
    /// No bias: plain UCT.
    None,
    /// PNRank (equation 3): `1 − rank / greatest rank`. Equal numbers share a rank, and the next
    /// number has the next rank. Satisfies (a) to (c).
    Rank,
    /// PNMax (equation 4): `1 − (pn − min) / (1 + max − min)` over the finite numbers. Satisfies
    /// (a) to (d).
    #[default]
    Max,
    /// PNSum (equation 5): `1 − pn / (1 + sum)` over the finite numbers. Satisfies (a) to (c).
    Sum,
    /// PNRank as coded in the authors' program: equal numbers share a place and the next number
    /// skips places (1, 1, 3), and places are divided by the number of children. Violates (a) if
    /// the numbers of several children are infinite, because their shared place is not the last.
    RankLudii,
}

impl Bias {
    /// Returns each child's bias, from 0 to 1. `numbers` are the children's proof numbers for the
    /// player who chooses.
    ///
    /// ```
    /// use proofwood::ProofNumber;
    /// use proofwood::options::Bias;
    ///
    /// let numbers = [ProofNumber::finite(2), ProofNumber::finite(5), ProofNumber::INFINITE];
    /// assert_eq!(Bias::Max.terms(&numbers), [1.0, 0.25, 0.0]);
    /// ```
    pub fn terms(self, numbers: &[ProofNumber]) -> Vec<f32> {
        let mut values: Vec<f32> = numbers.iter().map(|number| number.as_f32()).collect();
        if self.sorts() {
            self.rank(numbers.iter().copied(), &mut Vec::new(), |i, rank| {
                values[i] = f32::from(rank);
            });
        }
        let lanes: Vec<f32x8> = values.chunks(LANES).map(filled).collect();
        let Some((&first, more)) = lanes.split_first() else { return Vec::new() };
        let mut extent = Extent::of(self, first);
        more.iter().for_each(|&lanes| extent.add(self, lanes));
        let scale = extent.scale(self, numbers.len());
        lanes.iter().flat_map(|&lanes| scale.terms(lanes).to_array()).take(numbers.len()).collect()
    }

    #[inline]
    pub(crate) fn sorts(self) -> bool {
        matches!(self, Bias::Rank | Bias::RankLudii)
    }

    /// Ranks the children in ascending order of their numbers, and passes each child's index and
    /// rank to `store`. `order` is a scratch buffer.
    pub(crate) fn rank(
        self,
        numbers: impl Iterator<Item = ProofNumber>,
        order: &mut Vec<(ProofNumber, u16)>,
        mut store: impl FnMut(usize, u16),
    ) {
        order.clear();
        order.extend(numbers.enumerate().map(|(i, number)| (number, i as u16)));
        order.sort_unstable();
        let (mut rank, mut previous) = (0, None);
        for (place, &(number, i)) in order.iter().enumerate() {
            if previous != Some(number) {
                rank = if self == Bias::RankLudii { place as u16 + 1 } else { rank + 1 };
                previous = Some(number);
            }
            store(usize::from(i), rank);
        }
    }
}

/// The float that stands for infinity and fills lanes without a child: 2^31, which exceeds every
/// finite number.
pub(crate) const INFINITE: f32 = 2_147_483_648.0;

/// Loads up to [`LANES`] numbers, and fills the remaining lanes with [`INFINITE`].
fn filled(numbers: &[f32]) -> f32x8 {
    let mut lanes = [INFINITE; LANES];
    lanes[..numbers.len()].copy_from_slice(numbers);
    lanes.into()
}

/// The statistics of all children that the formulas need. They describe the children's proof
/// numbers or, if the formula sorts, their ranks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    least: f32x8,
    /// The greatest finite number of each lane.
    greatest: f32x8,
    /// The sum of the finite numbers; exact below 2^53.
    sum: f64,
}

impl Extent {
    /// Computes the statistics of up to eight children. This function and `scale` are always
    /// inlined, which saves 41 instructions per selection.
    #[inline(always)]
    pub(crate) fn of(bias: Bias, lanes: f32x8) -> Extent {
        let finite = lanes.simd_lt(f32x8::splat(INFINITE)) & lanes;
        let sum = match bias {
            // Added in order, so that rounding is the same on every machine.
            Bias::Sum => finite.to_array().iter().map(|&number| f64::from(number)).sum(),
            _ => 0.0,
        };
        Extent { least: lanes, greatest: finite, sum }
    }

    #[inline]
    pub(crate) fn add(&mut self, bias: Bias, lanes: f32x8) {
        let more = Extent::of(bias, lanes);
        self.least = self.least.fast_min(more.least);
        self.greatest = self.greatest.fast_max(more.greatest);
        self.sum += more.sum;
    }

    #[inline(always)]
    pub(crate) fn scale(&self, bias: Bias, children: usize) -> Scale {
        let least = least(self.least);
        let greatest = greatest(self.greatest);
        let ranks =
            |greatest| Scale { total: greatest, offset: 0.0, divisor: greatest, floor: 0.0 };
        match bias {
            Bias::None => Scale::NOTHING,
            // All numbers are infinite, so any total works.
            Bias::Max if greatest < least => Scale::new(0.0, 0.0),
            Bias::Max => Scale::new(greatest - least, least),
            Bias::Sum => Scale::new(self.sum as f32, 0.0),
            Bias::Rank => ranks(if greatest < 1.0 { 1.0 } else { greatest }),
            Bias::RankLudii => ranks(children as f32),
        }
    }
}

/// The formula for one child: `(total − (pn − offset)) / divisor`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    total: f32,
    offset: f32,
    divisor: f32,
    /// The minimum of `total − (pn − offset)` for finite numbers. It is 1 for PNMax and PNSum, even
    /// if rounding would give less.
    floor: f32,
}

impl Scale {
    const NOTHING: Scale = Scale { total: 0.0, offset: 0.0, divisor: 1.0, floor: 0.0 };

    #[inline]
    fn new(width: f32, offset: f32) -> Scale {
        Scale { total: width + 1.0, offset, divisor: width + 1.0, floor: 1.0 }
    }

    #[inline]
    fn terms(self, lanes: f32x8) -> f32x8 {
        self.left(lanes) / f32x8::splat(self.divisor)
    }

    /// Returns a function that computes biases multiplied by `weight / part`, with one division for
    /// all children.
    #[inline]
    pub(crate) fn weighted(self, weight: f32, part: f32) -> impl Fn(f32x8) -> f32x8 {
        let factor = f32x8::splat(weight / (self.divisor * part));
        move |lanes| factor * self.left(lanes)
    }

    /// Returns the biases multiplied by the divisor. In a shared tree, numbers may have changed
    /// since the statistics were computed, so the results are clamped to the range.
    #[inline]
    fn left(self, lanes: f32x8) -> f32x8 {
        let (floor, total) = (f32x8::splat(self.floor), f32x8::splat(self.total));
        let left = (total - (lanes - f32x8::splat(self.offset))).fast_max(floor).fast_min(total);
        lanes.simd_lt(f32x8::splat(INFINITE)) & left
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PRINTED: [Bias; 3] = [Bias::Rank, Bias::Max, Bias::Sum];

    fn pn(n: u64) -> ProofNumber {
        ProofNumber::finite(n)
    }

    fn numbers() -> impl Strategy<Value = Vec<ProofNumber>> {
        let number = prop_oneof![
            4 => (0u64..40).prop_map(ProofNumber::finite),
            1 => Just(ProofNumber::INFINITE),
            1 => (0u64..1_000_000).prop_map(ProofNumber::finite),
        ];
        prop::collection::vec(number, 1..12)
    }

    #[test]
    fn equation_3_by_hand() {
        let numbers = [pn(3), pn(1), pn(3), pn(8), ProofNumber::INFINITE];
        // The ranks are 2, 1, 2, 3, 4.
        assert_eq!(Bias::Rank.terms(&numbers), [0.5, 0.75, 0.5, 0.25, 0.0]);
        assert_eq!(Bias::Rank.terms(&[pn(5), pn(5)]), [0.0, 0.0]);
    }

    #[test]
    fn equation_4_by_hand() {
        let numbers = [pn(3), pn(1), pn(4), ProofNumber::INFINITE];
        assert_eq!(Bias::Max.terms(&numbers), [0.5, 1.0, 0.25, 0.0]);
        assert_eq!(Bias::Max.terms(&[pn(7), pn(7)]), [1.0, 1.0]);
        assert_eq!(Bias::Max.terms(&[ProofNumber::INFINITE]), [0.0]);
    }

    #[test]
    fn equation_5_by_hand() {
        let numbers = [pn(1), pn(2), pn(4), ProofNumber::INFINITE];
        assert_eq!(Bias::Sum.terms(&numbers), [0.875, 0.75, 0.5, 0.0]);
        assert_eq!(Bias::Sum.terms(&[pn(0), ProofNumber::INFINITE]), [1.0, 0.0]);
    }

    #[test]
    fn the_coded_variant_by_hand() {
        let numbers = [pn(2), pn(2), pn(5), ProofNumber::INFINITE];
        assert_eq!(Bias::RankLudii.terms(&numbers), [0.75, 0.75, 0.25, 0.0]);
    }

    #[test]
    fn the_coded_variant_breaks_the_condition_that_the_docs_list() {
        let two_infinite = [pn(1), ProofNumber::INFINITE, ProofNumber::INFINITE];
        assert!(Bias::RankLudii.terms(&two_infinite)[1] > 0.0, "(a)");
    }

    #[test]
    fn the_largest_finite_number_is_no_infinity() {
        for bias in PRINTED {
            let terms = bias.terms(&[ProofNumber::MAX_FINITE, ProofNumber::INFINITE]);
            assert!(terms[0] > 0.0 && terms[1] == 0.0, "{bias:?}: {terms:?}");
        }
    }

    proptest! {
        #[test]
        fn conditions_of_section_3_2_1(numbers in numbers()) {
            for bias in PRINTED {
                let terms = bias.terms(&numbers);
                let any_infinite = numbers.iter().any(|n| n.is_infinite());
                for (i, (&number, &term)) in numbers.iter().zip(&terms).enumerate() {
                    prop_assert!((0.0..=1.0).contains(&term), "{:?} {}", bias, term);
                    if number.is_infinite() {
                        prop_assert_eq!(term, 0.0, "(a) {:?}", bias);
                    } else if any_infinite {
                        prop_assert!(term > 0.0, "(b) {:?}", bias);
                    }
                    for (j, &other) in numbers.iter().enumerate() {
                        if other == number {
                            prop_assert_eq!(terms[j], terms[i], "(c) {:?}", bias);
                        }
                    }
                }
            }
        }

        #[test]
        fn condition_d_for_max(numbers in numbers()) {
            let terms = Bias::Max.terms(&numbers);
            let least = numbers.iter().filter(|n| !n.is_infinite()).min();
            for (number, term) in numbers.iter().zip(terms) {
                if Some(number) == least {
                    prop_assert_eq!(term, 1.0);
                }
            }
        }

        #[test]
        fn a_smaller_number_never_has_the_smaller_bias(numbers in numbers()) {
            for bias in [Bias::Rank, Bias::Max, Bias::Sum, Bias::RankLudii] {
                let terms = bias.terms(&numbers);
                for (a, x) in numbers.iter().zip(&terms) {
                    for (b, y) in numbers.iter().zip(&terms) {
                        prop_assert!(a > b || x >= y, "{:?}", bias);
                    }
                }
            }
        }
    }
}
