//! Depth-first provers, which have a table instead of a tree.
//!
//! Df-pn, PDS and df-PPNS share this code. A thread descends to the child that its [`Guide`]
//! prefers, with limits on that child's numbers, and returns when the child is solved or its
//! numbers have reached a limit. The path consists of *frames*, each of which contains the numbers
//! of all children. They are computed once for each visit and updated with results from below, so
//! that a search with a tiny table still makes progress. A number that a guide uses never falls
//! during the visit, whatever the table contains, and each visit to a child raises it or ends the
//! frame. So every search ends.
//!
//! Numbers are relative to the side to move. `win` estimates the effort to find one good move and
//! is the minimum over the children; `lose` estimates the effort to refute all moves and is the
//! sum. For the claimant, these are the proof and disproof numbers; for the others, the reverse.
//!
//! **Repetition.** A position that is already on the path counts as disproven there, because a
//! repetition does not help the claimant. An answer that depends on the repetition then holds on
//! this path only; see [`Basis`] and `memo`. Proofs never depend on a repetition.
//!
//! **Threads** share the table and, for each position, a count of the threads that search below it.
//! Children with other threads below look slightly worse (virtual proof numbers, Kaneko 2010).

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

pub(crate) trait Guide {
    fn root(&self) -> NumberLimits;

    /// Returns new limits for the root, which has reached its limits; `None` ends the search.
    fn again(&self, limits: NumberLimits, numbers: Numbers) -> Option<NumberLimits>;

    fn leaves(&self, limits: NumberLimits, numbers: Numbers) -> bool {
        numbers.win >= limits.win || numbers.lose >= limits.lose.into() && limits.lose < INFINITE
    }

    /// Returns a child's `win`, adjusted for the `threads` threads below the child; infinite if the
    /// child must not be entered.
    fn burdened(&self, limits: NumberLimits, win: u32, threads: u32) -> u32;

    /// Returns the limits for the child to enter, as the side to move at its parent sees them. At
    /// least one limit must exceed the corresponding number of the child.
    fn enter(&self, limits: NumberLimits, numbers: Numbers, child: ChildNumbers) -> NumberLimits;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NumberLimits {
    pub(crate) win: u32,
    pub(crate) lose: u32,
}

/// An open position's numbers, as df-pn and PDS use them; `df_ppns` interprets them differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Numbers {
    pub(crate) win: u32,
    /// The sum of the children's `lose`, which may exceed all limits.
    pub(crate) lose: u64,
    /// The sum of `lose` without the chosen child.
    pub(crate) others: u64,
    /// The least `win` of the children that are not chosen.
    pub(crate) second: u32,
}

/// An open child's numbers, as the side to move at its parent sees them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ChildNumbers {
    pub(crate) win: u32,
    pub(crate) lose: u32,
}

impl NumberLimits {
    pub(crate) const NONE: NumberLimits = NumberLimits { win: INFINITE, lose: INFINITE };

    fn reversed(self) -> NumberLimits {
        NumberLimits { win: self.lose, lose: self.win }
    }
}

#[inline]
pub(crate) fn saturated(sum: u64) -> u32 {
    sum.min(MAX_FINITE.into()) as u32
}
