//! Move ordering for provers.
//!
//! Captures come first, beginning with the capture of the foremost piece. Other moves are ordered
//! by the number of the mover's pieces that hang after the move, that is, can be captured without a
//! recapture; moves after which fewer pieces hang come first. Ties are broken in favour of the
//! rearmost pawn, since pawns hold the line, and the foremost knight, since knights leap over
//! pieces.

use super::{Move, Piece, State, Through};

const MOST_ROWS: u32 = 64;
/// The greatest number of hanging pieces that affects the order.
const MOST_HANGING: u32 = 3;

impl Through {
    /// The move-ordering score; moves with greater scores come first.
    #[inline]
    pub(super) fn earliness(&self, state: &State, mv: Move) -> u32 {
        let Move::Step { from, to } = mv else { return 0 };
        let (side, other) = (usize::from(state.side), 1 - usize::from(state.side));
        // Rows are counted from the mover's own edge.
        let row = u32::from(to) / self.width as u32;
        let row = if side == 0 { row } else { self.height as u32 - 1 - row };
        let own = state.pieces[side] & !(1 << from) | 1 << to;
        let others = state.pieces[other] & !(1 << to);
        if others != state.pieces[other] {
            return (MOST_HANGING + 2) * MOST_ROWS - row;
        }
        let (mut taken, mut guarded) = (0, 0);
        for step in self.steps.iter().filter(|step| step.takes) {
            taken |= step.ahead(others, other);
            guarded |= step.ahead(own, side);
        }
        let hanging = (own & taken & !guarded).count_ones().min(MOST_HANGING);
        let by_row = match self.piece {
            Piece::Pawn => MOST_ROWS - 1 - row,
            Piece::Knight => row,
        };
        (MOST_HANGING - hanging) * MOST_ROWS + by_row
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proofwood_game::{DomainKnowledge, Game};

    /// The moves of a position, in order; ties are ordered by name.
    fn in_order(game: &Through, position: &str) -> Vec<String> {
        let state = game.parse_state(position).expect("a position");
        let mut moves = Vec::new();
        game.legal_moves(&state, &mut moves);
        let priority = |mv| game.knowledge().move_order(&state, mv);
        let mut order: Vec<(u32, String)> =
            moves.iter().map(|&mv| (u32::MAX - priority(mv), game.move_text(&state, mv))).collect();
        order.sort();
        order.into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn captures_then_safety_then_rows() {
        // Only c2 guards d3, which c4 can take.
        let pawns = Through::breakthrough(4, 6).expect("a board");
        let order = ["d3c4", "a2a3", "a2b3", "d3d4", "b4a5", "b4c5", "c2b3", "c2c3"];
        assert_eq!(in_order(&pawns, "4/1p2/1Pp1/3P/P1P1/4 w"), order);
        // c3 is unguarded, and b5 can take it.
        let knights = Through::knightthrough(5, 6).expect("a board");
        let order = ["c3b5", "c3d5", "c3a4", "c3e4", "a1b3", "a1c2"];
        assert_eq!(in_order(&knights, "5/1n3/5/2N2/5/N4 w"), order);
        // Of two captures, that of the piece closer to its goal comes first.
        assert_eq!(in_order(&pawns, "4/p1p1/1P2/p3/1P2/4 b")[0], "a5b4");
    }
}
