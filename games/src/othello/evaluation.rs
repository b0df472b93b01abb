//! What a position of Othello looks like: moves, corners, and cells beside empty corners.

use super::{Othello, State};

impl Othello {
    /// Who has more moves, and more corners, stands better; who has discs beside an empty
    /// corner, worse. Discs count at the end alone.
    pub(super) fn evaluation(&self, state: &State) -> f32 {
        const CORNER: f32 = 0.35;
        const BESIDE: f32 = 0.15;
        const MOVES: f32 = 0.9;
        let State { own, other, .. } = *state;
        let empty = self.board & !(own | other);
        let difference =
            |set: u64| (own & set).count_ones() as f32 - (other & set).count_ones() as f32;
        let last = self.size - 1;
        let (mut corners, mut beside) = (0, 0);
        for (column, row) in [(0, 0), (last, 0), (0, last), (last, last)] {
            let corner = 1u64 << (row * 8 + column);
            corners |= corner;
            if empty & corner != 0 {
                beside |= self.neighbours(column, row);
            }
        }
        let [moves, replies] = [(own, other), (other, own)]
            .map(|(own, other)| (self.lines.moves(own, other) & empty).count_ones() as f32);
        let mobility = (moves - replies) / (moves + replies + 2.0);
        // The fewer cells are left, the more discs say of the result.
        let cells = (self.size * self.size) as f32;
        let late = 1.0 - empty.count_ones() as f32 / cells;
        let discs = difference(self.board) / cells * late.powi(6) * 4.0;
        (CORNER * difference(corners) - BESIDE * difference(beside) + MOVES * mobility + discs)
            .tanh()
    }
}

impl Othello {
    /// The cells of the board around a cell.
    fn neighbours(&self, column: usize, row: usize) -> u64 {
        let near = |at: usize| at.saturating_sub(1)..=(at + 1).min(self.size - 1);
        let around = near(row).flat_map(|row| near(column).map(move |column| row * 8 + column));
        let set = around.fold(0, |set, cell| set | 1 << cell);
        set & !(1 << (row * 8 + column))
    }
}
