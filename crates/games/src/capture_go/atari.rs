//! Static bounds from groups in atari.

use super::{CaptureGo, State};
use crate::stones::groups::Atari;
use crate::stones::{Cells, each};
use proofwood_game::StaticBound;

impl CaptureGo {
    /// Returns the winner if a group is in atari, or pushes the only move that may save the group.
    ///
    /// A side that can capture wins. A side that cannot capture but has a group in atari must fill
    /// the group's last liberty, or the group is captured next. The stone that fills it touches no
    /// group whose last liberty is another cell, so a side with two such liberties loses. The side
    /// also loses if the group is still in atari with the new stone.
    pub(super) fn atari(&self, state: &State, moves: &mut Vec<u8>) -> StaticBound {
        let mover = if state.side == 0 { 1 } else { -1 };
        if !self.capture_wins {
            return StaticBound::Nothing;
        }
        if state.captures != 0 {
            return StaticBound::Payoff(mover);
        }
        let [own, other] = state.sides();
        let last_of = |own: Cells| Atari::of(own, self.board.all & !(own | other)).liberties;
        let last = last_of(own);
        if last == 0 {
            return StaticBound::Nothing;
        }
        let saves = last.is_power_of_two() && last & state.moves != 0;
        if !saves || last_of(own | last) != 0 {
            return StaticBound::Payoff(-mover);
        }
        moves.extend(each(last));
        StaticBound::Moves
    }
}
