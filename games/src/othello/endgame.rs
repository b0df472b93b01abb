//! The last few empty cells, played out in every way.

use super::Othello;
use crate::bits::cells;

impl Othello {
    /// What the game pays the side to move when both play best.
    pub(super) fn played_out(&self, own: u64, other: u64) -> i32 {
        let most = (self.size * self.size) as i32;
        self.best(own, other, -most, most)
    }

    /// The same, as far as it lies between `alpha` and `beta`; else a bound.
    fn best(&self, own: u64, other: u64, mut alpha: i32, beta: i32) -> i32 {
        let empty = self.board & !(own | other);
        let moves = self.lines.moves(own, other) & empty;
        if moves == 0 {
            return match self.lines.moves(other, own) & empty {
                0 => self.difference(own, other),
                _ => -self.best(other, own, -beta, -alpha),
            };
        }
        let mut best = i32::MIN;
        for cell in cells(moves) {
            let disc = 1 << cell;
            let turned = self.lines.turned(own, other, disc);
            best = best.max(-self.best(other & !turned, own | turned | disc, -beta, -alpha));
            if best >= beta {
                break;
            }
            alpha = alpha.max(best);
        }
        best
    }
}
