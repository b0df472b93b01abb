//! What a position of Minishogi looks worth.

use super::Kind;
use super::position::Position;

/// What the right to move weighs, and a piece of each kind on the board and in hand. They were
/// fitted to who won 108 games that the search played with itself, so that
/// `(1 + tanh(sum)) / 2` is the chance to win.
const TO_MOVE: f32 = 0.15;
const ON_BOARD: [(Kind, f32); 9] = [
    (Kind::Pawn, 0.0),
    (Kind::Silver, 0.49),
    (Kind::Gold, 0.69),
    (Kind::Bishop, 0.67),
    (Kind::Rook, 0.75),
    (Kind::PromotedPawn, 0.32),
    (Kind::PromotedSilver, 0.72),
    (Kind::PromotedBishop, 1.08),
    (Kind::PromotedRook, 1.1),
];
const IN_HAND: [(Kind, f32); 5] = [
    (Kind::Pawn, 0.33),
    (Kind::Silver, 0.22),
    (Kind::Gold, 0.41),
    (Kind::Bishop, 0.69),
    (Kind::Rook, 0.55),
];

impl Position {
    /// What a position that is not over looks worth to the side to move.
    pub(super) fn worth(&self) -> f32 {
        (TO_MOVE + self.look(self.mover()) - self.look(1 - self.mover())).tanh()
    }

    /// How good the pieces of a player are.
    fn look(&self, player: usize) -> f32 {
        let on_board =
            |&(kind, worth): &(Kind, f32)| worth * self.pieces(player, kind).count_ones() as f32;
        let in_hand = |&(kind, worth): &(Kind, f32)| worth * f32::from(self.in_hand(player, kind));
        ON_BOARD.iter().map(on_board).sum::<f32>() + IN_HAND.iter().map(in_hand).sum::<f32>()
    }
}
