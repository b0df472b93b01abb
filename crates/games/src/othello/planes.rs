//! Input planes of Othello: discs, moves, cells next to discs, and the number of discs.

use super::{Move, Othello, State};
use crate::planes::{Planes, each};

const CELLS: usize = 64;
/// The number of planes, each with one input for each cell. After the planes there is one input for
/// each number of discs.
const PLANES: usize = 6;

impl Othello {
    #[inline]
    fn beside(&self, set: u64) -> u64 {
        const NOT_LEFT: u64 = 0xfefe_fefe_fefe_fefe;
        let wide = set | (set << 1) & NOT_LEFT | (set & NOT_LEFT) >> 1;
        wide | wide << 8 | wide >> 8
    }
}

impl Planes for Othello {
    fn board(&self) -> String {
        let empties = if self.empties_to_winner { ",empties" } else { "" };
        format!("othello:{}{empties}", self.size)
    }

    fn inputs(&self) -> usize {
        (PLANES + 1) * CELLS
    }

    fn outputs(&self) -> usize {
        CELLS
    }

    #[inline]
    fn look(&self, state: &State, mut on: impl FnMut(usize)) {
        let State { own, other, .. } = *state;
        let discs = own | other;
        let empty = self.board & !discs;
        let moves = |own, other| self.lines.moves(own, other) & empty;
        let planes = [
            own,
            other,
            moves(own, other),
            moves(other, own),
            self.beside(other) & empty,
            self.beside(own) & empty,
        ];
        each(planes, CELLS, &mut on);
        on(PLANES * CELLS + discs.count_ones() as usize - 1);
    }

    /// The output of a move. A pass is always the only move, so its output has no effect.
    #[inline]
    fn output(&self, mv: Move) -> usize {
        match mv {
            Move::Disc(cell) => cell.into(),
            Move::Pass => 0,
        }
    }

    fn images(&self) -> usize {
        8
    }

    fn input_of_image(&self, image: usize, input: usize) -> usize {
        let (plane, cell) = (input / CELLS, input % CELLS);
        if plane == PLANES { input } else { plane * CELLS + self.output_of_image(image, cell) }
    }

    fn output_of_image(&self, image: usize, cell: usize) -> usize {
        let (mut column, mut row) = (cell % 8, cell / 8);
        if image & 1 != 0 {
            column = self.size - 1 - column;
        }
        if image & 2 != 0 {
            row = self.size - 1 - row;
        }
        if image & 4 != 0 {
            (column, row) = (row, column);
        }
        row * 8 + column
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proofwood_game::Game;

    #[test]
    fn the_start_has_its_discs_its_moves_and_a_ring_around() {
        let game = Othello::default();
        let mut planes = [0; PLANES + 1];
        game.look(&game.initial_state(), |input| planes[input / CELLS] += 1);
        assert_eq!(planes, [2, 2, 4, 4, 10, 10, 1]);
    }

    #[test]
    fn nothing_is_beside_a_cell_across_the_edge() {
        let game = Othello::default();
        assert_eq!(game.beside(1), 0x0303);
        assert_eq!(game.beside(1 << 7), 0xc0c0);
        assert_eq!(game.beside(1 << 63), 0xc0c0 << 48);
    }
}
