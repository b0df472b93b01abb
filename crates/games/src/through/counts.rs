//! Evaluation features of Breakthrough and Knightthrough positions.

use super::{Piece, State, Through};
use crate::counts::{Counted, Weights};

/// Weights of the features. The progress of a piece is the fraction of the board that it has
/// crossed: `ahead` is the sum of the fourth powers of the progress of all pieces, and `furthest`
/// is the progress of the foremost piece. A loose piece is an unguarded one.
const fn weighed([pieces, ahead, furthest, takes_loose, can_win]: [f32; 5]) -> Weights<5> {
    Weights([
        ("pieces", pieces),
        ("ahead", ahead),
        ("furthest", furthest),
        ("takes a loose one", takes_loose),
        ("can win", can_win),
    ])
}

static PAWNS: Weights<5> = weighed([0.55, 0.9, -0.85, 0.56, 2.5]);
static KNIGHTS: Weights<5> = weighed([0.55, 3.3, -1.5, 0.83, 1.75]);

impl Piece {
    pub(super) fn weights(self) -> &'static Weights<5> {
        match self {
            Piece::Pawn => &PAWNS,
            Piece::Knight => &KNIGHTS,
        }
    }
}

impl Through {
    pub(crate) fn counted(&self, state: &State) -> Vec<Counted> {
        self.piece.weights().named(self.counts(state))
    }

    pub(super) fn counts(&self, state: &State) -> [f32; 5] {
        let side = usize::from(state.side);
        let [own, other] = [side, 1 - side].map(|side| state.pieces[side]);
        let [attacked, attacked_by_other] =
            [side, 1 - side].map(|side| self.attacked(state.pieces[side], side));
        let [(ahead, furthest), (ahead_of_other, furthest_of_other)] =
            [side, 1 - side].map(|side| self.advance(state.pieces[side], side));
        let number = |cells: u64| cells.count_ones() as f32;
        let any = |cells: u64| f32::from(u8::from(cells != 0));
        [
            number(own) - number(other),
            ahead - ahead_of_other,
            furthest - furthest_of_other,
            any(other & attacked & !attacked_by_other),
            any(self.winning(state.pieces, side)),
        ]
    }

    fn attacked(&self, pieces: u64, side: usize) -> u64 {
        let takes = self.steps.iter().filter(|step| step.takes);
        takes.fold(0, |cells, step| cells | step.ahead(pieces, side))
    }

    /// The sum of the fourth powers of the progress of a side's pieces, each from 0 to 1, and the
    /// greatest progress.
    fn advance(&self, pieces: u64, side: usize) -> (f32, f32) {
        let first_row = self.goals[1];
        let last = (self.height - 1) as f32;
        let (mut ahead, mut furthest) = (0.0, 0.0);
        for row in 1..self.height {
            let up = if side == 0 { row } else { self.height - 1 - row };
            let number = (pieces >> (up * self.width) & first_row).count_ones();
            let way = row as f32 / last;
            ahead += number as f32 * way.powi(4);
            if number > 0 {
                furthest = way;
            }
        }
        (ahead, furthest)
    }
}
