//! Discs that can never be flipped again (*stable* discs).
//!
//! A disc is flipped only if a line of its colour lies between a new disc and an old one of the
//! other side. Along one axis of the board (a row, a column, a diagonal) this is impossible:
//! - if no cell of the axis through the disc is empty, because no new disc can be placed there;
//! - if the disc is at one end of the axis, because there is no cell beyond it;
//! - if a disc next to it on the axis has the same colour and is stable, because that disc would
//!   have to be flipped as well, or to be the old or the new disc of the other side, and neither is
//!   possible.
//!
//! A disc for which one of these is true along each of the four axes is stable. Each stable disc is
//! found from earlier ones, beginning with the corners, so no disc depends on itself. A side's
//! score cannot exceed its score with all cells except the other side's stable discs.

use std::ops::{Shl, Shr};

#[derive(Clone, Copy, Debug)]
pub(super) struct Axes {
    board: u64,
    pub(super) corners: u64,
    /// For each axis, the cells that have a neighbour with a lower number on it, and those that
    /// have one with a higher number.
    ways: [(u64, u64); 4],
}

/// The distance between neighbours along rows, both diagonals and columns.
const STEPS: [u32; 4] = [1, 7, 9, 8];

impl Axes {
    pub(super) fn new(size: usize) -> Axes {
        let row = 0xffu64 >> (8 - size);
        let column = (0..size).fold(0u64, |set, n| set | 1 << (n * 8));
        let board = (0..size).fold(0u64, |set, n| set | row << (n * 8));
        let (left, right) = (column, column << (size - 1));
        let (top, bottom) = (row, row << (8 * (size - 1)));
        // A step by 1 comes from the left, a step by 7 from the right and from above.
        let ways = [
            (left, right),
            (right | top, left | bottom),
            (left | top, right | bottom),
            (top, bottom),
        ];
        let ways = ways.map(|(up, down)| (board & !up, board & !down));
        Axes { board, corners: (left | right) & (top | bottom), ways }
    }

    pub(super) fn stable(&self, own: u64, other: u64) -> u64 {
        let empty = self.board & !(own | other);
        let mut safe = [0; 4];
        for (safe, (&(up, down), step)) in safe.iter_mut().zip(self.ways.iter().zip(STEPS)) {
            // Cells without a neighbour below or above are the ends of the axis.
            let ends = !(up & down);
            let open = reached(empty, up, step, Shl::shl) | reached(empty, down, step, Shr::shr);
            *safe = ends | !open;
        }
        let mut stable = 0;
        loop {
            let mut grown = own;
            for ((&(up, down), step), safe) in self.ways.iter().zip(STEPS).zip(safe) {
                grown &= safe | stable << step & up | stable >> step & down;
            }
            if grown == stable {
                return stable;
            }
            stable = grown;
        }
    }
}

/// The cells reached by steps from `from`, including `from` itself.
#[inline]
fn reached(from: u64, way: u64, step: u32, shift: impl Fn(u64, u32) -> u64) -> u64 {
    let one = from | shift(from, step) & way;
    let twice = way & shift(way, step);
    let three = one | shift(one, 2 * step) & twice;
    let four = twice & shift(twice, 2 * step);
    three | shift(three, 4 * step) & four
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Othello;
    use proofwood_game::{Game, Rng, Turn};

    /// Checks that stable discs are never flipped in random play, on boards of all sizes.
    #[test]
    fn stable_discs_stay() {
        let mut seen = 0;
        for size in [4, 6, 8] {
            let game = Othello::new(size, false).unwrap();
            let axes = Axes::new(size);
            let mut rng = Rng::new(size as u64);
            for _ in 0..200 {
                let mut state = game.initial_state();
                let mut told = [0u64; 2];
                while game.turn(&state) != Turn::Over {
                    let colours = state.colours();
                    for side in 0..2 {
                        assert_eq!(told[side] & !colours[side], 0, "{}", game.board_text(&state));
                        let stable = axes.stable(colours[side], colours[1 - side]);
                        assert_eq!(stable & !colours[side], 0);
                        told[side] |= stable;
                        seen += stable.count_ones();
                    }
                    let mv = game.random_move(&state, &mut Vec::new(), &mut rng).unwrap();
                    game.play(&mut state, mv);
                }
            }
        }
        assert!(seen > 10_000, "{seen}");
    }
}
