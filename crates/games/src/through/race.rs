//! Races to the far row that can be told at a glance.
//!
//! A piece runs. It is stopped only by a piece of the other side that takes it, or that stands
//! in its way straight ahead. All pieces move forward, and each moves once while its side moves
//! once. So after *n* moves of the other side, each of its pieces stands on a cell that it can
//! reach by at most *n* steps, whatever is in its way. [`Through::race`] lets all of them be on
//! all of these cells at a time: they can do no more than that. A cell is safe for the runner
//! if no step of theirs from one of these cells takes it there. The other pieces of the
//! runner's side stay where they are, and it goes around them; where one was taken, a piece of
//! the other side may stand, which is one of these cells again.
//!
//! If the runner comes home by safe cells, and none of the other side's pieces can be home
//! before, its side wins: it makes these moves whatever the other side does, and it always has
//! a move. This is a proof for either rule about who cannot move: a side that is stuck, and so
//! loses or passes, has done less than was allowed for.

use super::{Move, Phase, State, Step, Through};
use crate::bits::cells;
use proofwood_game::Foreseen;

impl Step {
    /// Where pieces of `side` on these cells come to.
    #[inline]
    pub(super) fn ahead(&self, pieces: u64, side: usize) -> u64 {
        let leaving = pieces & self.from[side];
        if side == 0 { leaving << self.shifts[0] } else { leaving >> self.shifts[1] }
    }

    /// The cells from which pieces of `side` come to these.
    #[inline]
    fn behind(&self, targets: u64, side: usize) -> u64 {
        let from = if side == 0 { targets >> self.shifts[0] } else { targets << self.shifts[1] };
        from & self.from[side]
    }
}

impl Through {
    /// What can be told of a position: who wins a race, or the moves that take the one piece
    /// that would win next.
    pub(super) fn foresee(&self, state: &State, moves: &mut Vec<Move>) -> Foreseen {
        let (side, pieces) = (usize::from(state.side), state.pieces);
        let wins = |winner: usize| Foreseen::Payoff(if winner == 0 { 1 } else { -1 });
        // The side to move runs first.
        if self.race(pieces, side, true) {
            return wins(side);
        }
        if self.race(pieces, 1 - side, false) {
            return wins(1 - side);
        }
        let threats = self.winning(pieces, 1 - side);
        if threats == 0 || state.phase != Phase::Step {
            return Foreseen::Nothing;
        }
        // No move wins at once, and each takes one piece at most.
        if !threats.is_power_of_two() {
            return wins(1 - side);
        }
        for step in self.steps.iter().filter(|step| step.takes) {
            let from = step.behind(threats, side) & pieces[side];
            moves.extend(cells(from).map(|from| step.mv(from, side)));
        }
        match moves.is_empty() {
            // On one column: a race counts on blocks that nobody can set up.
            true => wins(1 - side),
            false => Foreseen::Moves,
        }
    }

    /// The pieces of `side` that could come home by its next move.
    #[inline]
    pub(super) fn winning(&self, pieces: [u64; 2], side: usize) -> u64 {
        if pieces[side] & self.near[side] == 0 {
            return 0;
        }
        let winning = |step: &Step| step.origins(pieces, side) & step.wins[side];
        self.steps.iter().fold(0, |all, step| all | winning(step))
    }

    /// Whether a piece of `side` comes home by safe cells before the other side can.
    #[inline]
    fn race(&self, pieces: [u64; 2], side: usize, moves_first: bool) -> bool {
        let (own, other) = (pieces[side], 1 - side);
        // Where one of the runners, and where any of the other side's pieces may be.
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

    /// Those of the runners that a move of the others cannot take, and where the others may be
    /// after it; `None` if one of them may be home.
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
