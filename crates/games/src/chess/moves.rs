//! Legal moves, generated as a set of target cells for each piece.

use super::attacks::{self, BETWEEN, KING, KNIGHT, PAWN, bishop, line_through, rook};
use super::{Chess, Kind, Move, Position};
use crate::bits::{cells, nth_cell};
use proofwood_game::Rng;
use std::ops::ControlFlow;

const MOST_PIECES: usize = 16;

#[derive(Clone, Copy)]
struct Span {
    to: u64,
    from: u8,
    /// The number of promotions at each target; 0 means a single move without a promotion.
    promotions: u8,
    count: u8,
}

pub(crate) struct Spans {
    spans: [Span; MOST_PIECES],
    length: usize,
    count: u32,
    promotions: &'static [Kind],
}

impl Spans {
    #[inline]
    fn new(promotions: &'static [Kind]) -> Spans {
        let none = Span { to: 0, from: 0, promotions: 0, count: 0 };
        Spans { spans: [none; MOST_PIECES], length: 0, count: 0, promotions }
    }

    #[inline]
    fn push(&mut self, from: u8, to: u64, promotes: bool) {
        let promotions = if promotes { self.promotions.len() as u8 } else { 0 };
        let count = to.count_ones() as u8 * promotions.max(1);
        self.spans[self.length] = Span { to, from, promotions, count };
        self.length += 1;
        self.count += u32::from(count);
    }

    pub(crate) fn list(&self, moves: &mut Vec<Move>) {
        for span in &self.spans[..self.length] {
            for to in cells(span.to) {
                moves.extend((0..span.promotions.max(1)).map(|way| self.step(span, to, way)));
            }
        }
    }

    #[inline]
    pub(crate) fn count(&self) -> usize {
        self.count as usize
    }

    #[inline]
    pub(crate) fn random(&self, rng: &mut Rng) -> Option<Move> {
        if self.count == 0 {
            return None;
        }
        let mut rank = rng.below(self.count);
        let mut spans = self.spans.iter();
        let mut span = spans.next()?;
        while rank >= u32::from(span.count) {
            rank -= u32::from(span.count);
            span = spans.next()?;
        }
        let ways = u32::from(span.promotions.max(1));
        Some(self.step(span, nth_cell(span.to, rank / ways), (rank % ways) as u8))
    }

    #[inline]
    fn step(&self, span: &Span, to: u8, way: u8) -> Move {
        let promotion = match span.promotions {
            0 => None,
            _ => Some(self.promotions[usize::from(way)]),
        };
        Move::Step { from: span.from, to, promotion }
    }
}

/// The restrictions that protect the king of the side to move.
struct Guard {
    /// The allowed targets of pieces other than the king: all cells, or those that end a check.
    targets: u64,
    /// The pieces that must stay on their line with the king.
    pinned: u64,
    check: bool,
}

impl Chess {
    /// The moves of all pieces; pawns that reach the last row promote to any of `promotions`.
    #[inline]
    pub(crate) fn spans(&self, position: &Position, promotions: &'static [Kind]) -> Spans {
        let mut spans = Spans::new(promotions);
        let _ = self.each_span(position, |from, to, promotes| {
            spans.push(from, to, promotes);
            ControlFlow::Continue(())
        });
        spans
    }

    #[inline]
    pub(crate) fn has_move(&self, position: &Position) -> bool {
        self.each_span(position, |_, _, _| ControlFlow::Break(())).is_break()
    }

    /// Visits the pieces that can move, with their target cells and a flag for a pawn that reaches
    /// the last row. The king is visited last.
    #[inline(always)]
    fn each_span(
        &self,
        position: &Position,
        mut visit: impl FnMut(u8, u64, bool) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mover = position.mover();
        let (own, other) = (position.sides[mover], position.sides[1 - mover]);
        let occupied = own | other | !self.cells;
        let king = position.pieces(mover, Kind::King);
        let guard = self.guard(position, king);
        let mut piece = |from: u8, mut to: u64, promotes| {
            if guard.pinned >> from & 1 == 1 {
                to &= line_through(king.trailing_zeros() as u8, from);
            }
            if to == 0 { ControlFlow::Continue(()) } else { visit(from, to, promotes) }
        };
        let open = self.cells & !own;
        let targets = open & guard.targets;
        let [pawns, knights, bishops, rooks, queens, _] = position.kinds.map(|kind| kind & own);
        if targets != 0 {
            for from in cells(knights) {
                piece(from, KNIGHT[usize::from(from)] & targets, false)?;
            }
            for from in cells(bishops) {
                piece(from, bishop(from, occupied) & targets, false)?;
            }
            for from in cells(rooks) {
                piece(from, rook(from, occupied) & targets, false)?;
            }
            for from in cells(queens) {
                let to = rook(from, occupied) | bishop(from, occupied);
                piece(from, to & targets, false)?;
            }
            let takers = self.en_passant_takers(position);
            let (double, last) = (self.row(mover, 2), self.last_row(mover));
            for from in cells(pawns) {
                let ahead = |set: u64| if mover == 0 { set << 8 } else { set >> 8 } & !occupied;
                let mut steps = ahead(1 << from);
                if self.setup.long_moves {
                    steps |= ahead(steps & double);
                }
                let to = (steps | PAWN[mover][usize::from(from)] & other) & targets;
                // `takers` contains only pawns whose capture leaves the king safe.
                let to = to | (takers >> from & 1) << position.en_passant;
                piece(from, to, to & last != 0)?;
            }
        }
        for from in cells(king) {
            let mut to = KING[usize::from(from)] & open;
            // A king without a free neighbouring cell cannot castle either.
            if to != 0 {
                let attacked = match self.setup.royal {
                    true => self.attacked(position, 1 - mover, occupied & !king),
                    false => 0,
                };
                to &= !attacked;
                if !guard.check {
                    to |= self.castling(position, occupied, attacked);
                }
            }
            if to != 0 {
                visit(from, to, false)?;
            }
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn guard(&self, position: &Position, king: u64) -> Guard {
        if !self.setup.royal || king == 0 {
            return Guard { targets: u64::MAX, pinned: 0, check: false };
        }
        let king = king.trailing_zeros() as u8;
        let mover = position.mover();
        let (own, other) = (position.sides[mover], position.sides[1 - mover]);
        let [_, _, bishops, rooks, queens, _] = position.kinds.map(|kind| kind & other);
        let mut checkers = self.steppers(position, king);
        let mut pinned = 0;
        // The sliding pieces that would attack the king if its own side's pieces were removed.
        let through = other | !self.cells;
        let snipers =
            rook(king, through) & (rooks | queens) | bishop(king, through) & (bishops | queens);
        for sniper in cells(snipers) {
            let shields = BETWEEN[usize::from(king)][usize::from(sniper)] & own;
            if shields == 0 {
                checkers |= 1 << sniper;
            } else if shields & (shields - 1) == 0 {
                pinned |= shields;
            }
        }
        let targets = match checkers {
            0 => u64::MAX,
            // A double check: only the king can move.
            _ if checkers & (checkers - 1) != 0 => 0,
            _ => checkers | BETWEEN[usize::from(king)][checkers.trailing_zeros() as usize],
        };
        Guard { targets, pinned, check: checkers != 0 }
    }

    /// The pawns and knights of the other side that attack a cell.
    #[inline]
    fn steppers(&self, position: &Position, cell: u8) -> u64 {
        let mover = position.mover();
        let pawns = PAWN[mover][usize::from(cell)] & position.pieces(1 - mover, Kind::Pawn);
        pawns | KNIGHT[usize::from(cell)] & position.pieces(1 - mover, Kind::Knight)
    }

    /// The occupied cells and the cells outside the board, at which lines end.
    #[inline]
    pub(super) fn occupied(&self, position: &Position) -> u64 {
        position.sides[0] | position.sides[1] | !self.cells
    }

    /// The cells that a side attacks, including the cells of its own pieces.
    #[inline]
    pub(super) fn attacked(&self, position: &Position, side: usize, occupied: u64) -> u64 {
        let own = position.sides[side];
        let [pawns, knights, bishops, rooks, queens, kings] = position.kinds.map(|kind| kind & own);
        attacks::pawns(pawns, side)
            | attacks::all(knights, |cell| KNIGHT[usize::from(cell)])
            | attacks::all(kings, |cell| KING[usize::from(cell)])
            | attacks::all(bishops | queens, |cell| bishop(cell, occupied))
            | attacks::all(rooks | queens, |cell| rook(cell, occupied))
    }

    pub(crate) fn in_check(&self, position: &Position, side: usize) -> bool {
        let king = position.pieces(side, Kind::King);
        self.attacked(position, 1 - side, self.occupied(position)) & king != 0
    }

    /// The castling targets that the king can reach over empty cells without crossing a cell in
    /// `attacked`.
    #[inline]
    fn castling(&self, position: &Position, occupied: u64, attacked: u64) -> u64 {
        let rights = position.castling >> (2 * position.mover) & 3;
        if rights == 0 {
            return 0;
        }
        let row = 56 * u32::from(position.mover);
        let free =
            |empty: u64, safe: u64| occupied >> row & empty == 0 && attacked >> row & safe == 0;
        let mut to = 0;
        if rights & 1 != 0 && free(0b0110_0000, 0b0110_0000) {
            to |= 1 << 6 << row;
        }
        if rights & 2 != 0 && free(0b0000_1110, 0b0000_1100) {
            to |= 1 << 2 << row;
        }
        to
    }

    /// The pawns that may capture en passant. Since such a capture removes two pawns from a row and
    /// may end a check, it is tested by playing it; this is affordable because such captures are
    /// rare.
    #[inline]
    pub(super) fn en_passant_takers(&self, position: &Position) -> u64 {
        let to = position.en_passant;
        if to == 0 {
            return 0;
        }
        let mover = position.mover();
        let takers = PAWN[1 - mover][usize::from(to)] & position.pieces(mover, Kind::Pawn);
        let safe = |from: u8| {
            let mut after = *position;
            after.sides[mover] ^= 1 << from | 1 << to;
            after.sides[1 - mover] &= !(1 << (to ^ 8));
            !self.in_check(&after, mover)
        };
        cells(takers)
            .filter(|&from| !self.setup.royal || safe(from))
            .fold(0, |set, from| set | 1 << from)
    }
}
