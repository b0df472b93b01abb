//! Search horizons for alpha-beta's iterative deepening.

use crate::prove::prospects::Prospects;
use crate::prove::question::Verdict;

pub(super) const FIRST_HORIZON: u32 = 4;
pub(super) const LAST_HORIZON: u32 = 1 << 20;

/// The depth limit of a walk, and the verdict that it assumes at positions beyond this limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Horizon {
    pub(super) moves: u32,
    pub(super) favours: Verdict,
}

impl Horizon {
    pub(super) fn of(prospects: &Prospects, thread: usize) -> Horizon {
        let first = Horizon::first(thread);
        Horizon { moves: if prospects.ends() { LAST_HORIZON } else { first.moves }, ..first }
    }

    /// Returns the nearest horizon. Even and odd threads begin with opposite verdicts.
    pub(super) fn first(thread: usize) -> Horizon {
        let favours = if thread.is_multiple_of(2) { Verdict::Disproven } else { Verdict::Proven };
        Horizon { moves: FIRST_HORIZON, favours }
    }

    /// Returns the next horizon. Each depth is used once in favour of each side, then doubled.
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

    /// Returns whether positions beyond the horizon favour the side to move.
    pub(super) fn helps(self, claimant: bool) -> bool {
        (self.favours == Verdict::Proven) == claimant
    }

    /// Returns the table's number for an open position `left` moves before the horizon.
    pub(super) fn number(self, left: u32) -> u32 {
        left << 1 | u32::from(self.favours == Verdict::Proven)
    }

    /// Returns whether `number` from the table implies that a position `left` moves before this
    /// horizon is open.
    pub(super) fn covers(self, number: u32, left: u32) -> bool {
        number & 1 == self.number(0) && number >> 1 >= left
    }
}
