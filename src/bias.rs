//! The bias that proof numbers give to selection (UCT-PN, equations 2 to 5 of
//! the GPN-MCTS paper).

use crate::ProofNumber;

/// Which function of the children's proof numbers biases the selection.
///
/// The paper asks four things of such a function, for a child *i* among its
/// siblings: (a) 0 if *i* cannot be proven; (b) if a sibling cannot be proven,
/// every child that can gets more than 0; (c) equal numbers give equal values;
/// (d), optional, the least finite number gives 1.
///
/// The `*Ludii` variants are the formulas as the authors' program has them,
/// which differ from the printed ones at the edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Bias {
    /// No bias: plain UCT.
    None,
    /// PNRank (equation 3): `1 − rank / greatest rank`, where equal numbers
    /// share a rank and the next number has the next rank. Keeps (a) to (c).
    Rank,
    /// PNMax (equation 4): `1 − (pn − min) / (1 + max − min)` over the finite
    /// numbers. Keeps (a) to (d).
    #[default]
    Max,
    /// PNSum (equation 5): `1 − pn / (1 + sum)` over the finite numbers. Keeps
    /// (a) to (c).
    Sum,
    /// PNRank as coded: places instead of ranks (1, 1, 3), divided by the
    /// number of children. Breaks (a) when several children are infinite: their
    /// shared place is not the last.
    RankLudii,
    /// PNMax as coded: all 0 when every finite number is 0. Breaks (b) and (d)
    /// there.
    MaxLudii,
    /// PNSum as coded: all 0 when every finite number is 0. Breaks (b) there.
    SumLudii,
}

impl Bias {
    /// The bias of each child, from the children's proof numbers for the
    /// player who chooses; each in 0 to 1.
    ///
    /// ```
    /// use proofwood::{Bias, ProofNumber};
    ///
    /// let numbers = [ProofNumber::finite(2), ProofNumber::finite(5), ProofNumber::INFINITE];
    /// assert_eq!(Bias::Max.terms(&numbers), [1.0, 0.25, 0.0]);
    /// ```
    pub fn terms(self, numbers: &[ProofNumber]) -> Vec<f32> {
        if self.sorts() {
            let mut ranks = vec![0; numbers.len()];
            self.rank(numbers.iter().copied(), &mut Vec::new(), |i, rank| ranks[i] = rank);
            let greatest = self.greatest_rank(ranks.iter().copied());
            return ranks.iter().map(|&rank| (greatest - f32::from(rank)) / greatest).collect();
        }
        let scale = self.scale(numbers);
        numbers.iter().map(|&number| scale.term(number)).collect()
    }

    /// Whether the formula needs the children in order.
    #[inline]
    pub(crate) fn sorts(self) -> bool {
        matches!(self, Bias::Rank | Bias::RankLudii)
    }

    /// What PNMax and PNSum need to know of all children.
    #[inline]
    pub(crate) fn scale(self, numbers: &[ProofNumber]) -> Scale {
        match self {
            Bias::Max | Bias::MaxLudii => {
                let (mut least, mut greatest) = (u32::MAX, 0);
                for &number in numbers {
                    let finite = if number.is_infinite() { 0 } else { number.raw() };
                    least = least.min(number.raw());
                    greatest = greatest.max(finite);
                }
                if self == Bias::MaxLudii && greatest == 0 {
                    return Scale::NOTHING;
                }
                // All infinite: any total will do.
                Scale::new(greatest.saturating_sub(least).into(), least)
            }
            Bias::Sum | Bias::SumLudii => {
                let finite = numbers.iter().filter(|number| !number.is_infinite());
                let sum = finite.map(|number| u64::from(number.raw())).sum();
                if self == Bias::SumLudii && sum == 0 {
                    return Scale::NOTHING;
                }
                Scale::new(sum, 0)
            }
            Bias::None | Bias::Rank | Bias::RankLudii => Scale::NOTHING,
        }
    }

    /// Ranks the children, the least number first, and hands each rank to
    /// `store`. `order` is a buffer to work in.
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

    /// What ranks are divided by.
    #[inline]
    pub(crate) fn greatest_rank(self, ranks: impl ExactSizeIterator<Item = u16>) -> f32 {
        match self {
            Bias::RankLudii => ranks.len() as f32,
            _ => f32::from(ranks.max().unwrap_or(1).max(1)),
        }
    }
}

/// PNMax or PNSum, ready to be applied to each child: `(total − (pn − offset))
/// / total`. The difference is taken in integers, so that it does not round to
/// 0 for a number that is finite. A total beyond 32 bits saturates, as proof
/// numbers do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    total: u32,
    offset: u32,
    divisor: f32,
}

impl Scale {
    /// No bias for anyone.
    const NOTHING: Scale = Scale { total: 0, offset: 0, divisor: f32::INFINITY };

    /// For numbers from `offset` to `offset + spread`.
    #[inline]
    fn new(spread: u64, offset: u32) -> Scale {
        let total = (spread + 1).min(u64::from(u32::MAX)) as u32;
        Scale { total, offset, divisor: total as f32 }
    }

    /// The bias of one of the numbers that the scale was made from.
    #[inline]
    pub(crate) fn term(self, number: ProofNumber) -> f32 {
        // Wraps for ∞ and where nothing has a bias; neither is looked at.
        let left = self.total.wrapping_sub(number.raw().wrapping_sub(self.offset));
        let term = left as f32 / self.divisor;
        if number.is_infinite() { 0.0 } else { term }
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
        // Ranks 2, 1, 2, 3, 4.
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
    fn the_coded_variants_by_hand() {
        let numbers = [pn(2), pn(2), pn(5), ProofNumber::INFINITE];
        assert_eq!(Bias::RankLudii.terms(&numbers), [0.75, 0.75, 0.25, 0.0]);
        assert_eq!(Bias::MaxLudii.terms(&numbers), Bias::Max.terms(&numbers));
        assert_eq!(Bias::SumLudii.terms(&numbers), Bias::Sum.terms(&numbers));
    }

    #[test]
    fn the_coded_variants_break_the_conditions_that_the_docs_list() {
        let two_infinite = [pn(1), ProofNumber::INFINITE, ProofNumber::INFINITE];
        assert!(Bias::RankLudii.terms(&two_infinite)[1] > 0.0, "(a)");
        let proven = [pn(0), ProofNumber::INFINITE];
        assert_eq!(Bias::MaxLudii.terms(&proven)[0], 0.0, "(b) and (d)");
        assert_eq!(Bias::SumLudii.terms(&proven)[0], 0.0, "(b)");
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
