//! How far alpha-beta looks at a time.

use crate::prove::prospects::Prospects;
use crate::prove::question::Verdict;

/// Moves to the first horizon.
pub(super) const FIRST_HORIZON: u32 = 4;
/// No horizon is further away than this.
pub(super) const LAST_HORIZON: u32 = 1 << 20;

/// How far a walk goes, and for whom what lies beyond counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Horizon {
    pub(super) moves: u32,
    pub(super) favours: Verdict,
}

impl Horizon {
    /// The one to begin with.
    pub(super) fn of(prospects: &Prospects, thread: usize) -> Horizon {
        let first = Horizon::first(thread);
        Horizon { moves: if prospects.ends() { LAST_HORIZON } else { first.moves }, ..first }
    }

    /// The first one; threads begin on different sides.
    pub(super) fn first(thread: usize) -> Horizon {
        let favours = if thread.is_multiple_of(2) { Verdict::Disproven } else { Verdict::Proven };
        Horizon { moves: FIRST_HORIZON, favours }
    }

    /// The next one: the same for the other side, and then a further one.
    pub(super) fn next(self, thread: usize) -> Horizon {
        let favours = match self.favours {
            Verdict::Proven => Verdict::Disproven,
            Verdict::Disproven => Verdict::Proven,
        };
        let moves = match self.moves {
            moves if favours != Horizon::first(thread).favours => moves,
            moves => (moves * 2).min(LAST_HORIZON),
        };
        Horizon { moves, favours }
    }

    /// Whether it counts for the side to move.
    pub(super) fn helps(self, claimant: bool) -> bool {
        (self.favours == Verdict::Proven) == claimant
    }

    /// An open position with so many moves to the horizon, as a number for the table.
    pub(super) fn number(self, left: u32) -> u32 {
        left << 1 | u32::from(self.favours == Verdict::Proven)
    }

    /// Whether a position with this number stays open with so many moves left.
    pub(super) fn covers(self, number: u32, left: u32) -> bool {
        number & 1 == self.number(0) && number >> 1 >= left
    }
}
