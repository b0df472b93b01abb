//! What a position looks worth by the pieces that are there.

use super::{Chess, Kind, Position};

/// What the right to move weighs, a piece of each kind, and each row that a pawn has come ahead.
/// They were fitted to who won 71 games of Los Alamos chess that the search played with itself,
/// so that `(1 + tanh(sum)) / 2` is the chance to win. A bishop, which that game has not, is taken
/// for a knight.
const TO_MOVE: f32 = 0.12;
const PIECES: [(Kind, f32); 5] = [
    (Kind::Pawn, 0.2),
    (Kind::Knight, 1.2),
    (Kind::Bishop, 1.2),
    (Kind::Rook, 1.4),
    (Kind::Queen, 2.4),
];
const AHEAD: f32 = 0.15;

impl Chess {
    /// What a position that is not over looks worth to the side to move.
    pub(crate) fn worth(&self, position: &Position) -> f32 {
        let mover = position.mover();
        (TO_MOVE + self.look(position, mover) - self.look(position, 1 - mover)).tanh()
    }

    /// How good the pieces of a side are.
    fn look(&self, position: &Position, side: usize) -> f32 {
        let count = |set: u64| set.count_ones() as f32;
        let pieces: f32 =
            PIECES.iter().map(|&(kind, worth)| worth * count(position.pieces(side, kind))).sum();
        let pawns = position.pieces(side, Kind::Pawn);
        // No pawn stands on the row behind the first one of pawns.
        let ahead: f32 =
            (2..self.height).map(|row| (row - 1) as f32 * count(pawns & self.row(side, row))).sum();
        pieces + AHEAD * ahead
    }
}
