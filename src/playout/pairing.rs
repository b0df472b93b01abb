//! Which moves two lists have in common.
//!
//! Moves can be compared and nothing else, so lists that share nothing take as many
//! comparisons as there are pairs. Lists of moves are hardly ever like that: rules list
//! moves in one order, and after other dice some are missing. So both lists are read side
//! by side, and where they part the nearer place where they meet again is looked for: one
//! comparison for each move of either list, or two. Only moves that were passed over in
//! both lists are compared with each other.

/// Buffers for the comparison of two lists, and what it found.
#[derive(Debug, Default)]
pub(crate) struct Pairing {
    /// The places in the second list of what is in both, in order.
    pub(crate) shared: Vec<usize>,
    /// The places in the first list of what is in the first alone, in order.
    pub(crate) missing: Vec<usize>,
    /// Places in the second list that were passed over.
    passed: Vec<usize>,
}

impl Pairing {
    /// Compares lists of these lengths; `equal` of two places compares the first list's
    /// move with the second's. What a list says twice is in both as often as the other
    /// says it.
    pub(crate) fn compare(
        &mut self,
        (first, second): (usize, usize),
        equal: impl Fn(usize, usize) -> bool,
    ) {
        self.shared.clear();
        self.missing.clear();
        self.passed.clear();
        let (mut a, mut b) = (0, 0);
        while a < first && b < second {
            let most = (first - a).max(second - b);
            // How far to go on in one of the lists until they meet.
            let meeting = (0..most).find_map(|ahead| {
                let in_first = a + ahead < first && equal(a + ahead, b);
                let meets = in_first || b + ahead < second && equal(a, b + ahead);
                meets.then_some(if in_first { (ahead, 0) } else { (0, ahead) })
            });
            let (skip_a, skip_b) = meeting.unwrap_or((1, 1));
            self.missing.extend(a..a + skip_a);
            self.passed.extend(b..b + skip_b);
            (a, b) = (a + skip_a, b + skip_b);
            if meeting.is_some() {
                self.shared.push(b);
                (a, b) = (a + 1, b + 1);
            }
        }
        self.missing.extend(a..first);
        self.passed.extend(b..second);
        self.compare_passed(equal);
    }

    /// Finds what the lists have in another order.
    fn compare_passed(&mut self, equal: impl Fn(usize, usize) -> bool) {
        let in_order = self.shared.len();
        for &place in &self.passed {
            if let Some(found) = self.missing.iter().position(|&missing| equal(missing, place)) {
                self.missing.remove(found);
                self.shared.push(place);
            }
        }
        if self.shared.len() > in_order {
            self.shared.sort_unstable();
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::cell::Cell;

    /// The comparison of two lists, and how many comparisons of moves it took.
    fn compare(first: &[u32], second: &[u32]) -> (Pairing, usize) {
        let (mut pairing, comparisons) = (Pairing::default(), Cell::new(0));
        pairing.compare((first.len(), second.len()), |a, b| {
            comparisons.set(comparisons.get() + 1);
            first[a] == second[b]
        });
        (pairing, comparisons.get())
    }

    fn check(first: &[u32], second: &[u32]) {
        let (pairing, _) = compare(first, second);
        let in_both = |i: &usize| first.contains(&second[*i]);
        let shared: Vec<usize> = (0..second.len()).filter(in_both).collect();
        let in_first = |i: &usize| !second.contains(&first[*i]);
        let missing: Vec<usize> = (0..first.len()).filter(in_first).collect();
        assert_eq!(
            (&pairing.shared, &pairing.missing),
            (&shared, &missing),
            "{first:?} {second:?}"
        );
    }

    proptest! {
        #[test]
        fn finds_what_is_in_both(
            order in Just((0u32..24).collect::<Vec<_>>()).prop_shuffle(),
            other in Just((0u32..24).collect::<Vec<_>>()).prop_shuffle(),
            (first, second) in (any::<u32>(), any::<u32>()),
        ) {
            let some = |order: &[u32], bits: u32| -> Vec<u32> {
                order.iter().copied().filter(|i| bits >> i & 1 == 1).collect()
            };
            let sorted: Vec<u32> = (0..24).collect();
            check(&some(&order, first), &some(&other, second));
            check(&some(&sorted, first), &some(&sorted, second));
            check(&some(&order, first), &some(&order, u32::MAX));
            check(&some(&order, u32::MAX), &some(&order, second));
        }
    }

    /// Lists in one order take as many comparisons as they are long, whichever of them
    /// lacks moves and wherever.
    #[test]
    fn one_comparison_a_move() {
        let all: Vec<u32> = (0..40_000).collect();
        let keep = |keep: fn(&u32) -> bool| all.iter().copied().filter(keep).collect::<Vec<_>>();
        let parts = [
            all.clone(),
            keep(|i| i % 2 == 0),
            keep(|i| i % 7 != 0),
            keep(|&i| i > 20_000),
            keep(|i| !(100..39_000).contains(i)),
            keep(|&i| i == 39_999),
        ];
        for part in &parts {
            for (first, second) in [(&all, part), (part, &all)] {
                let (pairing, comparisons) = compare(first, second);
                assert_eq!(pairing.shared.len(), part.len());
                assert!(comparisons <= 3 * all.len(), "{comparisons} for {}", part.len());
            }
        }
    }
}
