//! Decides some races to the far row without search.
//!
//! In a race one side moves a single piece, the runner. Only a piece of the other side can stop it,
//! by capturing it or by blocking the cell straight ahead. All pieces move forward, and each moves
//! at most once in each turn of its side. So after *n* moves of the other side, each of its pieces
//! is on a cell that it can reach in at most *n* steps, ignoring obstacles. [`Through::race`]
//! assumes that every piece is on all of these cells at once, which is more than is possible. A
//! cell is safe for the runner if no step from one of these cells captures it there. The other
//! pieces of the runner's side stay in place, and the runner goes around them. If one of them is
//! captured, the piece that captured it is on one of the assumed cells.
//!
//! If the runner can reach the far row over safe cells, and no piece of the other side can reach
//! its own far row first, the runner's side wins: it can make these moves against any defence, and
//! it always has a move. The proof holds for either rule about players who cannot move, since a
//! side that loses or passes does less than was assumed.

use super::{Move, Phase, State, Step, Through};
use crate::bits::cells;
use proofwood_game::StaticBound;

impl Step {
    /// The targets of this step for pieces of `side` on the cells `pieces`.
    #[inline]
    pub(super) fn ahead(&self, pieces: u64, side: usize) -> u64 {
        let leaving = pieces & self.from[side];
        if side == 0 { leaving << self.shifts[0] } else { leaving >> self.shifts[1] }
    }

    /// The cells from which this step takes pieces of `side` to `targets`.
    #[inline]
    fn behind(&self, targets: u64, side: usize) -> u64 {
        let from = if side == 0 { targets >> self.shifts[0] } else { targets << self.shifts[1] };
        from & self.from[side]
    }
}

impl Through {
    /// Returns the winner of a race, or pushes the moves that capture the only piece that would win
    /// next.
    pub(super) fn foresee(&self, state: &State, moves: &mut Vec<Move>) -> StaticBound {
        let (side, pieces) = (usize::from(state.side), state.pieces);
        let wins = |winner: usize| StaticBound::Payoff(if winner == 0 { 1 } else { -1 });
        // Check the race of the side to move first, because it starts first.
        if self.race(pieces, side, true) {
            return wins(side);
        }
        if self.race(pieces, 1 - side, false) {
            return wins(1 - side);
        }
        let threats = self.winning(pieces, 1 - side);
        if threats == 0 || state.phase != Phase::Step {
            return StaticBound::Nothing;
        }
        // No move wins at once, and each move captures at most one piece.
        if !threats.is_power_of_two() {
            return wins(1 - side);
        }
        for step in self.steps.iter().filter(|step| step.takes) {
            let from = step.behind(threats, side) & pieces[side];
            moves.extend(cells(from).map(|from| step.mv(from, side)));
        }
        match moves.is_empty() {
            // On a single column, a race assumes blocks that the other side cannot set up.
            true => wins(1 - side),
            false => StaticBound::Moves,
        }
    }

    /// The pieces of `side` that could reach the far row in its next move.
    #[inline]
    pub(super) fn winning(&self, pieces: [u64; 2], side: usize) -> u64 {
        if pieces[side] & self.near[side] == 0 {
            return 0;
        }
        let winning = |step: &Step| step.origins(pieces, side) & step.wins[side];
        self.steps.iter().fold(0, |all, step| all | winning(step))
    }

    /// Returns whether a piece of `side` can reach the far row over safe cells before the other
    /// side can reach its own far row.
    #[inline]
    fn race(&self, pieces: [u64; 2], side: usize, moves_first: bool) -> bool {
        let (own, other) = (pieces[side], 1 - side);
        // The possible cells of a runner, and those of all pieces of the other side.
        let (mut runners, mut others) = (own, pieces[other]);
        if !moves_first {
            let Some((safe, further)) = self.pursued(runners, others, other) else { return false };
            (runners, others) = (safe, further);
        }
        while runners != 0 {
            let mut next = 0;
            for step in &self.steps {
                let blocked = if step.takes { own } else { own | others };
                next |= step.ahead(runners, side) & !blocked;
            }
            if next & self.goals[side] != 0 {
                return true;
            }
            let Some((safe, further)) = self.pursued(next, others, other) else { return false };
            (runners, others) = (safe, further);
        }
        false
    }

    /// The runners that no move of the other side can capture, and the cells on which the other
    /// side's pieces may be after the move; `None` if one of them may have reached its far row.
    #[inline]
    fn pursued(&self, runners: u64, others: u64, other: usize) -> Option<(u64, u64)> {
        let (mut taken, mut further) = (0, others);
        for step in &self.steps {
            let reached = step.ahead(others, other);
            further |= reached;
            if step.takes {
                taken |= reached;
            }
        }
        (further & self.goals[other] == 0).then_some((runners & !taken, further))
    }
}
