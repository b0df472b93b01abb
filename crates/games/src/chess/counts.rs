//! Evaluation features of games with chess pieces.

use super::attacks::{self, KING, KNIGHT, bishop, rook};
use super::{Chess, Kind, Position};
use crate::counts::{Weights, best_capture};

/// Weights of the features of [`Chess::counts`]. `ahead` counts the rows that pawns have advanced.
/// `can win` is the gain from the best capture of the side to move, in pawns, assuming that guarded
/// pieces are recaptured.
pub(crate) const fn weighed(
    [pawn, knight, bishop, rook, queen, ahead, can_win]: [f32; 7],
) -> Weights<7> {
    Weights([
        ("pawns", pawn),
        ("knights", knight),
        ("bishops", bishop),
        ("rooks", rook),
        ("queens", queen),
        ("ahead", ahead),
        ("can win", can_win),
    ])
}

impl Chess {
    /// Features of the side to move minus those of the other side, in the order of [`weighed`].
    pub(crate) fn counts(&self, position: &Position) -> [f32; 7] {
        let (mover, other) = (position.mover(), 1 - position.mover());
        let number = |side, kind| position.pieces(side, kind).count_ones() as f32;
        let pieces = |kind| number(mover, kind) - number(other, kind);
        [
            pieces(Kind::Pawn),
            pieces(Kind::Knight),
            pieces(Kind::Bishop),
            pieces(Kind::Rook),
            pieces(Kind::Queen),
            self.ahead(position, mover) - self.ahead(position, other),
            self.can_win(position),
        ]
    }

    /// The total number of rows that a side's pawns have advanced.
    fn ahead(&self, position: &Position, side: usize) -> f32 {
        let pawns = position.pieces(side, Kind::Pawn);
        // Pawns start in row 1 and never move back.
        let on = |row| (pawns & self.row(side, row)).count_ones() as usize;
        (2..self.height).map(|row| (row - 1) * on(row)).sum::<usize>() as f32
    }

    fn attacks(&self, position: &Position, side: usize) -> [u64; 6] {
        let occupied = self.occupied(position);
        let [pawns, knights, bishops, rooks, queens, kings] =
            position.kinds.map(|kind| kind & position.sides[side]);
        [
            attacks::pawns(pawns, side),
            attacks::all(knights, |cell| KNIGHT[usize::from(cell)]),
            attacks::all(bishops, |cell| bishop(cell, occupied)),
            attacks::all(rooks, |cell| rook(cell, occupied)),
            attacks::all(queens, |cell| bishop(cell, occupied) | rook(cell, occupied)),
            attacks::all(kings, |cell| KING[usize::from(cell)]),
        ]
        .map(|cells| cells & self.cells)
    }

    fn can_win(&self, position: &Position) -> f32 {
        const VALUES: [i32; 6] = [1, 3, 3, 5, 9, 3];
        let other = 1 - position.mover();
        let attacks = self.attacks(position, position.mover());
        if attacks.iter().all(|cells| cells & position.side(other) == 0) {
            return 0.0;
        }
        let guarded = self.attacked(position, other, self.occupied(position));
        // A royal king is never left attacked, so it cannot be captured.
        let falls = |&kind: &Kind| kind != Kind::King || !self.setup.royal;
        let victims = Kind::ALL.into_iter().filter(falls);
        let victims = victims.map(|kind| (position.pieces(other, kind), VALUES[kind as usize]));
        let takers = Kind::ALL.map(|kind| (attacks[kind as usize], VALUES[kind as usize]));
        best_capture(victims, takers, guarded) as f32
    }
}
