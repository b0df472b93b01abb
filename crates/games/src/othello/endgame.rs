//! Exhaustive search of endgames.
//!
//! An alpha-beta search with the usual endgame techniques (Andersson 2007):
//! - The last few cells are tried without listing moves.
//! - Cells in regions with an odd number of empty cells come first (*parity*). If more cells are
//!   empty, moves that leave the fewest replies come first (*fastest first*).
//! - Discs that can never be flipped again bound the score.

use super::Othello;
use super::rays::{NEIGHBOURS, Rays};
use super::stable::Axes;
use crate::bits::cells;

/// The greatest number of empty cells at which every empty cell is tried in turn, because listing
/// the moves would take longer.
const FEW: u32 = 4;
/// The least number of empty cells at which moves are sorted by the number of their replies.
const MANY: u32 = 7;
const MOST_MOVES: usize = 32;

#[derive(Clone, Debug)]
pub(super) struct Endgame {
    rays: Box<Rays>,
    axes: Axes,
}

#[derive(Clone, Copy, Default)]
struct Ranked {
    rank: u32,
    own: u64,
    other: u64,
}

impl Endgame {
    pub(super) fn stable(&self, own: u64, other: u64) -> u64 {
        self.axes.stable(own, other)
    }

    pub(super) fn new(size: usize) -> Endgame {
        Endgame { rays: Box::new(Rays::new(size)), axes: Axes::new(size) }
    }
}

impl Othello {
    /// The payoff of the side to move under best play.
    pub(super) fn played_out(&self, own: u64, other: u64) -> i32 {
        let most = self.most();
        self.best(own, other, self.empty(own, other).count_ones(), (-most, most))
    }

    /// A bound on the payoff of the side to move that decides whether the payoff is at least
    /// `at_least`: a lower bound that is at least `at_least`, or an upper bound below it.
    pub(super) fn played_out_against(&self, own: u64, other: u64, at_least: i32) -> i32 {
        let left = self.empty(own, other).count_ones();
        self.best(own, other, left, (at_least - 1, at_least))
    }

    fn most(&self) -> i32 {
        (self.size * self.size) as i32
    }

    #[inline]
    fn empty(&self, own: u64, other: u64) -> u64 {
        self.board & !(own | other)
    }

    /// The payoff of the side to move in a position with `left` empty cells, or a bound on the
    /// payoff if it lies outside the window.
    fn best(&self, own: u64, other: u64, left: u32, window: (i32, i32)) -> i32 {
        match left {
            0 | 1 => self.last(own, other),
            2..=FEW => self.few(own, other, left, window, false),
            _ if left < MANY => self.by_parity(own, other, left, window),
            _ => self.by_replies(own, other, left, window),
        }
    }

    /// The position after a disc is placed on a cell, from the point of view of the next mover;
    /// `None` if the disc flips nothing.
    #[inline]
    fn placed(&self, own: u64, other: u64, cell: u8) -> Option<(u64, u64)> {
        if NEIGHBOURS[usize::from(cell)] & other == 0 {
            return None;
        }
        let turned = self.endgame.rays.turned(own, other, cell);
        (turned != 0).then_some((other & !turned, own | turned | 1 << cell))
    }

    /// Searches a position with few empty cells by trying each of them.
    fn few(
        &self,
        own: u64,
        other: u64,
        left: u32,
        (mut alpha, beta): (i32, i32),
        passed: bool,
    ) -> i32 {
        let empty = self.empty(own, other);
        let odd = odd_quadrants(empty);
        let mut best = i32::MIN;
        for set in [empty & odd, empty & !odd] {
            for cell in cells(set) {
                let Some((next, last)) = self.placed(own, other, cell) else { continue };
                best = best.max(-self.best(next, last, left - 1, (-beta, -alpha)));
                if best >= beta {
                    return best;
                }
                alpha = alpha.max(best);
            }
        }
        match best {
            i32::MIN if passed => -self.difference(other, own),
            i32::MIN => -self.few(other, own, left, (-beta, -alpha), true),
            best => best,
        }
    }

    /// The result if the side to move has to pass or the game is over.
    #[cold]
    fn passed(&self, own: u64, other: u64, left: u32, (alpha, beta): (i32, i32)) -> i32 {
        match self.lines.moves(other, own) & self.empty(own, other) {
            0 => self.difference(own, other),
            _ => -self.best(other, own, left, (-beta, -alpha)),
        }
    }

    fn by_parity(&self, own: u64, other: u64, left: u32, (mut alpha, beta): (i32, i32)) -> i32 {
        let empty = self.empty(own, other);
        let moves = self.lines.moves(own, other) & empty;
        if moves == 0 {
            return self.passed(own, other, left, (alpha, beta));
        }
        let odd = odd_quadrants(empty);
        let mut best = i32::MIN;
        for set in [moves & odd, moves & !odd] {
            for cell in cells(set) {
                let turned = self.endgame.rays.turned(own, other, cell);
                let (next, last) = (other & !turned, own | turned | 1 << cell);
                best = best.max(-self.best(next, last, left - 1, (-beta, -alpha)));
                if best >= beta {
                    return best;
                }
                alpha = alpha.max(best);
            }
        }
        best
    }

    fn by_replies(&self, own: u64, other: u64, left: u32, (mut alpha, beta): (i32, i32)) -> i32 {
        let most = self.most_left(own, other, alpha);
        if most <= alpha {
            return most;
        }
        let empty = self.empty(own, other);
        let moves = self.lines.moves(own, other) & empty;
        if moves == 0 {
            return self.passed(own, other, left, (alpha, beta));
        }
        let odd = odd_quadrants(empty);
        let mut ranked = [Ranked::default(); MOST_MOVES];
        let mut len = 0;
        for cell in cells(moves) {
            let turned = self.endgame.rays.turned(own, other, cell);
            let (next, last) = (other & !turned, own | turned | 1 << cell);
            let replies = self.lines.moves(next, last) & self.empty(next, last);
            let rank = self.rank(replies, odd >> cell & 1 == 0);
            // Insert the move into the sorted list.
            let mut at = len;
            while at > 0 && ranked[at - 1].rank > rank {
                ranked[at] = ranked[at - 1];
                at -= 1;
            }
            ranked[at] = Ranked { rank, own: next, other: last };
            len += 1;
        }
        let mut best = i32::MIN;
        for &Ranked { own, other, .. } in &ranked[..len] {
            best = best.max(-self.best(own, other, left - 1, (-beta, -alpha)));
            if best >= beta {
                return best;
            }
            alpha = alpha.max(best);
        }
        best
    }

    /// The sort key of a move: the number of replies, with replies in a corner counted twice. Ties
    /// are broken in favour of quadrants with an odd number of empty cells.
    #[inline]
    fn rank(&self, replies: u64, even: bool) -> u32 {
        let corners = replies & self.endgame.axes.corners;
        (replies.count_ones() + corners.count_ones()) * 2 + u32::from(even)
    }

    /// An upper bound on the payoff of the side to move, from the other side's stable discs, which
    /// are counted only if the bound can be as low as `alpha`.
    #[inline]
    fn most_left(&self, own: u64, other: u64, alpha: i32) -> i32 {
        let most = self.most();
        if 2 * other.count_ones() as i32 >= most - alpha {
            most - 2 * self.endgame.axes.stable(other, own).count_ones() as i32
        } else {
            most
        }
    }

    /// The payoff of the side to move in a position with at most one empty cell.
    #[inline]
    fn last(&self, own: u64, other: u64) -> i32 {
        let empty = self.empty(own, other);
        if empty == 0 {
            return self.difference(own, other);
        }
        let cell = empty.trailing_zeros() as u8;
        if let Some((next, last)) = self.placed(own, other, cell) {
            return self.difference(last, next);
        }
        match self.placed(other, own, cell) {
            Some((next, last)) => self.difference(next, last),
            None => self.difference(own, other),
        }
    }
}

/// The quadrants of the board with an odd number of empty cells. The side that moves first in such
/// a quadrant tends to make the last move there, which cannot be answered (*parity*).
#[inline]
fn odd_quadrants(empty: u64) -> u64 {
    const QUADRANTS: [u64; 4] = [0x0f0f_0f0f, 0xf0f0_f0f0, 0x0f0f_0f0f << 32, 0xf0f0_f0f0 << 32];
    let odd = |set: u64, quadrant: u64| match (empty & quadrant).count_ones() % 2 {
        0 => set,
        _ => set | quadrant,
    };
    QUADRANTS.into_iter().fold(0, odd)
}
