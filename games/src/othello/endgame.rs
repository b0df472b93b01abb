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
        // Most positions here have one empty cell at most: no moves need to be listed.
        if empty & empty.wrapping_sub(1) == 0 {
            return self.last(own, other, empty);
        }
        let moves = self.lines.moves(own, other) & empty;
        if moves == 0 {
            return match self.lines.moves(other, own) & empty {
                0 => self.difference(own, other),
                _ => -self.best(other, own, -beta, -alpha),
            };
        }
        let mut best = i32::MIN;
        let odd = odd_quadrants(empty);
        for cell in cells(moves & odd).chain(cells(moves & !odd)) {
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

    /// What the game pays where one cell or none is empty.
    fn last(&self, own: u64, other: u64, empty: u64) -> i32 {
        let turned = self.lines.turned(own, other, empty);
        if turned != 0 {
            return self.difference(own | turned | empty, other & !turned);
        }
        let turned = self.lines.turned(other, own, empty);
        if turned != 0 {
            return self.difference(own & !turned, other | turned | empty);
        }
        self.difference(own, other)
    }
}

/// The quarters of the board in which an odd number of cells are empty. Whoever moves there
/// tends to have the last move there, which cannot be answered (*parity*).
fn odd_quadrants(empty: u64) -> u64 {
    const QUADRANTS: [u64; 4] = [0x0f0f_0f0f, 0xf0f0_f0f0, 0x0f0f_0f0f << 32, 0xf0f0_f0f0 << 32];
    let odd = |set: u64, quadrant: u64| match (empty & quadrant).count_ones() % 2 {
        0 => set,
        _ => set | quadrant,
    };
    QUADRANTS.into_iter().fold(0, odd)
}
