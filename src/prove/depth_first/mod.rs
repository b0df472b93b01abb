//! Going through a game depth first, with the table in place of a tree.
//!
//! What df-pn, PDS and df-PPNS have in common. A thread goes down to the child that its
//! [`Guide`] prefers, with limits on that child's numbers, and comes back when
//! the child is settled or its numbers have reached the limits. On the way are
//! *frames*, each with all its children's numbers: they are made once for each
//! visit and kept up by what comes back from below, so that a search with
//! next to no table still gets on. A number that a guide goes by never falls
//! while the frame lasts, whatever the table says, and each visit below raises
//! it or ends the frame. So every search ends.
//!
//! Numbers are those of the side to move: `win` is what it still takes to show
//! one good move, the least of the children's; `lose` is what it takes to refute
//! all of them, the sum. For the claimant these are the proof number and the
//! disproof number, for the others the reverse.
//!
//! **Repetition.** A position that is on the way already counts as disproven
//! there: a repetition does not help the claimant. The answer of a position
//! above which the repeated one lies holds on this way only; see
//! [`Basis`] and `memo`. Proofs never rest on a repetition.
//!
//! **Threads** share the table, and a count of the threads below each position.
//! Children with threads below look a little worse to the others (virtual proof
//! numbers, Kaneko 2010).

mod df_ppns;
mod dfpn;
mod pds;
mod prover;
mod walker;

#[cfg(feature = "ppns")]
pub(super) use df_ppns::DfPpns;
pub(crate) use dfpn::Dfpn;
pub(super) use pds::Pds;
pub(crate) use prover::DepthFirst;
#[cfg(all(test, not(loom)))]
pub(super) use prover::Guided;
pub(crate) use walker::Walker;

use crate::prove::memo::{INFINITE, MAX_FINITE};

/// How a prover goes through the game.
pub(crate) trait Guide {
    /// The limits of the root.
    fn root(&self) -> NumberLimits;

    /// New limits for the root when it has reached its limits; `None` where that is the end.
    fn again(&self, limits: NumberLimits, numbers: Numbers) -> Option<NumberLimits>;

    /// Whether an open position has reached its limits.
    fn leaves(&self, limits: NumberLimits, numbers: Numbers) -> bool {
        numbers.win >= limits.win || numbers.lose >= limits.lose.into() && limits.lose < INFINITE
    }

    /// A child's number as it looks while so many threads are below it; infinite where the
    /// child is out of the question.
    fn burdened(&self, limits: NumberLimits, win: u32, threads: u32) -> u32;

    /// The limits of the child that is to be entered, in its parent's terms. At
    /// least one must be greater than the child's number.
    fn enter(&self, limits: NumberLimits, numbers: Numbers, child: ChildNumbers) -> NumberLimits;
}

/// Numbers at which a visit to a position ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NumberLimits {
    pub(crate) win: u32,
    pub(crate) lose: u32,
}

/// An open position's numbers, for df-pn and PDS; those of df-PPNS are in `df_ppns`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Numbers {
    /// The least of the children's.
    pub(crate) win: u32,
    /// The sum of the children's, which may exceed every limit.
    pub(crate) lose: u64,
    /// The sum without the child that was chosen.
    pub(crate) others: u64,
    /// The least of the other children's, the chosen one left out.
    pub(crate) second: u32,
}

/// An open child's numbers, in its parent's terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ChildNumbers {
    pub(crate) win: u32,
    pub(crate) lose: u32,
}

impl NumberLimits {
    pub(crate) const NONE: NumberLimits = NumberLimits { win: INFINITE, lose: INFINITE };

    /// The same for the other side.
    fn reversed(self) -> NumberLimits {
        NumberLimits { win: self.lose, lose: self.win }
    }
}

/// A sum as a finite number.
#[inline]
pub(crate) fn saturated(sum: u64) -> u32 {
    sum.min(MAX_FINITE.into()) as u32
}
