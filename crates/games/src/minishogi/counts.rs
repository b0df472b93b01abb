//! Evaluation features of Minishogi positions.

use super::position::Position;
use super::{Kind, Minishogi, State};
use crate::bits::cells;
use crate::counts::{Counted, Weights, best_capture};

/// Weights of the features. `can win` is the gain from the best capture of the side to move, in
/// pawns, assuming that guarded pieces are recaptured.
pub(super) const WEIGHTS: Weights<15> = Weights([
    ("gold", 0.42),
    ("pawn", 0.08),
    ("silver", 0.53),
    ("rook", 0.53),
    ("bishop", 0.5),
    ("promoted pawn", 0.23),
    ("promoted silver", 0.41),
    ("promoted rook", 0.84),
    ("promoted bishop", 0.45),
    ("gold in hand", 0.43),
    ("pawn in hand", 0.1),
    ("silver in hand", 0.45),
    ("rook in hand", 0.7),
    ("bishop in hand", 0.49),
    ("can win", 0.11),
]);

/// The gain from capturing a piece of each kind, in pawns, in the order of [`Kind::ALL`].
const VALUES: [i32; Kind::COUNT] = [5, 1, 4, 7, 6, 100, 2, 5, 9, 8];

impl Position {
    /// The features of a position that is not over, for the side to move, in the order of
    /// [`WEIGHTS`].
    pub(super) fn counts(&self) -> [f32; 15] {
        let (mover, other) = (self.mover(), 1 - self.mover());
        let mut counts = [0.0; 15];
        let kinds = Kind::ALL.into_iter().filter(|&kind| kind != Kind::King);
        for (count, kind) in counts.iter_mut().zip(kinds) {
            let [own, others] = [mover, other].map(|player| self.pieces(player, kind).count_ones());
            *count = own as f32 - others as f32;
        }
        for (count, &kind) in counts[9..].iter_mut().zip(&Kind::ALL[..Kind::IN_HAND]) {
            *count = f32::from(self.in_hand(mover, kind)) - f32::from(self.in_hand(other, kind));
        }
        counts[14] = self.can_win();
        counts
    }

    /// The gain from the best capture, in pawns. No king can be captured, since the other side
    /// cannot have left its king in check.
    fn can_win(&self) -> f32 {
        let (mover, other) = (self.mover(), 1 - self.mover());
        let takers = self.attacks(mover);
        let guarded = self.attacks(other).into_iter().fold(0, |all, (cells, _)| all | cells);
        let victims = Kind::ALL.into_iter().zip(VALUES);
        let victims = victims.map(|(kind, worth)| (u64::from(self.pieces(other, kind)), worth));
        best_capture(victims, takers, guarded) as f32
    }

    /// For each kind, the cells that a player's pieces of that kind attack, and the kind's value.
    fn attacks(&self, player: usize) -> [(u64, i32); Kind::COUNT] {
        let pieces = self.occupied();
        let mut attacks = [(0, 0); Kind::COUNT];
        for ((attack, kind), worth) in attacks.iter_mut().zip(Kind::ALL).zip(VALUES) {
            let all = cells(u64::from(self.pieces(player, kind)));
            let reach = |cell: u8| self.reach(player, kind, usize::from(cell), pieces);
            *attack = (u64::from(all.fold(0, |set, cell| set | reach(cell))), worth);
        }
        attacks
    }
}

impl Minishogi {
    pub(crate) fn counted(&self, state: &State) -> Vec<Counted> {
        WEIGHTS.named(state.position.counts())
    }
}
