//! The rules that games with chess pieces share: boards of up to eight rows and columns, the moves
//! of the pieces, and the notation of positions and moves.
//!
//! White moves first and up the board. A move is written as its origin and target cells, followed
//! by the promotion of a pawn on the last row: `e2e4`, `a7a8q`. Castling is written as the move of
//! the king (`e1g1`), and `pass` is a forced pass. On reading, `e2-e4`, `e2xe4`, `a7a8=Q`, `O-O`
//! and `0-0-0` are accepted as well.
//!
//! A position is a FEN: the rows from the top, with `PNBRQK` for white's pieces, `pnbrqk` for
//! black's and numbers for runs of empty cells; then the side to move, `w` or `b`; the castling
//! rights; and the target cell of a capture en passant, only if such a capture is possible. `-`
//! means no rights or no such cell. The remaining fields depend on the game. On reading, all fields
//! after the side to move may be omitted.

mod attacks;
pub(crate) mod counts;
mod moves;
#[cfg(test)]
mod perft;
pub(crate) mod text;

use crate::hash::hash_words;
pub(crate) use moves::Spans;

/// A kind of chess piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Steps straight ahead, and captures diagonally ahead.
    Pawn,
    /// Leaps two cells along a row or a column and one cell to the side.
    Knight,
    /// Moves diagonally.
    Bishop,
    /// Moves along rows and columns.
    Rook,
    /// Moves like a rook or a bishop.
    Queen,
    /// Steps to any neighbouring cell.
    King,
}

impl Kind {
    const ALL: [Kind; 6] =
        [Kind::Pawn, Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen, Kind::King];
}

/// A move of a chess piece, or a forced pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// A piece moves from one cell to another; cells are numbered `row * 8 + column` from a1.
    /// Castling is given as the king's move.
    Step {
        /// The cell that the piece leaves.
        from: u8,
        /// The cell that the piece moves to.
        to: u8,
        /// The kind to which a pawn is promoted on the last row.
        promotion: Option<Kind>,
    },
    /// The forced pass of a player who has no move.
    Pass,
}

/// The pieces on the board, the side to move, and the rights from earlier moves: castling and
/// captures en passant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    sides: [u64; 2],
    kinds: [u64; 6],
    mover: u8,
    /// The castling rights in the order of the letters `KQkq`, one bit each.
    castling: u8,
    /// The cell that a pawn has just passed in a double step, if the pawn can be captured en
    /// passant; otherwise 0.
    en_passant: u8,
}

impl Position {
    /// The number of the side to move: 0 for white, 1 for black.
    pub(crate) fn mover(&self) -> usize {
        usize::from(self.mover)
    }

    pub(crate) fn side(&self, side: usize) -> u64 {
        self.sides[side]
    }

    pub(crate) fn pieces(&self, side: usize, kind: Kind) -> u64 {
        self.sides[side] & self.kinds[kind as usize]
    }

    pub(crate) fn kind(&self, kind: Kind) -> u64 {
        self.kinds[kind as usize]
    }

    fn kind_at(&self, cell: u8) -> Option<Kind> {
        Kind::ALL.into_iter().find(|&kind| self.kind(kind) >> cell & 1 == 1)
    }

    pub(crate) fn can_take_en_passant(&self) -> bool {
        self.en_passant != 0
    }

    pub(crate) fn pass(&mut self) {
        self.mover = 1 - self.mover;
        self.en_passant = 0;
    }

    /// Hashes the position together with `more`, other data on which the rest of the game depends.
    #[inline]
    pub(crate) fn hash(&self, more: u64) -> u64 {
        let [pawns, knights, bishops, rooks, queens, kings] = self.kinds;
        let flags = [self.mover, self.castling, self.en_passant];
        let flags = flags.into_iter().fold(more, |word, flag| word << 8 | u64::from(flag));
        hash_words([self.sides[0], pawns, knights, bishops, rooks, queens, kings, flags])
    }
}

/// The rules that games with chess pieces share. A cell is bit `row * 8 + column` on a board of any
/// size.
#[derive(Clone, Debug)]
pub(crate) struct Chess {
    width: usize,
    height: usize,
    cells: u64,
    /// The initial pieces of the first row, from the left; black's are opposite them.
    home: &'static [Kind],
    setup: Setup,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Setup {
    /// The kinds to which pawns can be promoted on the last row; empty if they do not promote.
    pub(crate) promotions: &'static [Kind],
    /// Whether a move must not leave one's own king attacked.
    pub(crate) royal: bool,
    /// Whether kings can be captured without ending the game.
    pub(crate) kings_fall: bool,
    /// Whether pawns may step two cells from their initial row and be captured en passant, and
    /// kings may castle.
    pub(crate) long_moves: bool,
}

impl Chess {
    pub(crate) const USUAL: [Kind; 8] = [
        Kind::Rook,
        Kind::Knight,
        Kind::Bishop,
        Kind::Queen,
        Kind::King,
        Kind::Bishop,
        Kind::Knight,
        Kind::Rook,
    ];

    /// Creates a board with the pieces `home` on the first row and pawns in front of them.
    pub(crate) fn new(home: &'static [Kind], setup: Setup) -> Chess {
        let size = home.len();
        assert!((4..=8).contains(&size), "boards have 4 to 8 rows and columns");
        let cells = (0..size).fold(0, |set, row| set | (0xff >> (8 - size)) << (row * 8));
        Chess { width: size, height: size, cells, home, setup }
    }

    pub(crate) fn promotions(&self) -> &'static [Kind] {
        self.setup.promotions
    }

    pub(crate) fn start(&self) -> Position {
        let mut position = Position {
            sides: [0; 2],
            kinds: [0; 6],
            mover: 0,
            castling: if self.setup.long_moves { 0b1111 } else { 0 },
            en_passant: 0,
        };
        for side in 0..2 {
            for (column, &kind) in self.home.iter().enumerate() {
                let pawn = self.row(side, 1) & COLUMN_A << column;
                let piece = self.row(side, 0) & COLUMN_A << column;
                position.sides[side] |= pawn | piece;
                position.kinds[Kind::Pawn as usize] |= pawn;
                position.kinds[kind as usize] |= piece;
            }
        }
        position
    }

    /// The cells of a row, counted from 0 at a side's own end of the board.
    pub(crate) fn row(&self, side: usize, row: usize) -> u64 {
        let row = if side == 0 { row } else { self.height - 1 - row };
        0xff << (row * 8) & self.cells
    }

    /// A side's last row, which is the other side's first.
    pub(crate) fn last_row(&self, side: usize) -> u64 {
        self.row(1 - side, 0)
    }

    /// Plays a step. Returns whether it is irreversible: a pawn has moved, or a piece was captured.
    #[inline]
    pub(crate) fn play(
        &self,
        position: &mut Position,
        from: u8,
        to: u8,
        promotion: Option<Kind>,
    ) -> bool {
        let mover = position.mover();
        let (source, target) = (1u64 << from, 1u64 << to);
        let Some(kind) = position.kind_at(from) else { return false };
        let mut taken = position.sides[1 - mover] & target;
        if kind == Kind::Pawn && to == position.en_passant && to != 0 {
            taken = 1 << (to ^ 8); // the pawn has stepped over this cell, one row on
        }
        for cells in &mut position.kinds {
            *cells &= !(taken | source);
        }
        position.sides[1 - mover] &= !taken;
        position.sides[mover] ^= source | target;
        position.kinds[promotion.unwrap_or(kind) as usize] |= target;
        position.en_passant = 0;
        position.mover = 1 - position.mover;
        if self.setup.long_moves {
            position.castling &= !(rights_of(from) | rights_of(to));
            if kind == Kind::King && from.abs_diff(to) == 2 {
                let (from, to) = if to > from { (to + 1, to - 1) } else { (to - 2, to + 1) };
                position.sides[mover] ^= 1 << from | 1 << to;
                position.kinds[Kind::Rook as usize] ^= 1 << from | 1 << to;
            }
            if kind == Kind::Pawn && from.abs_diff(to) == 16 {
                self.allow_en_passant(position, (from + to) / 2);
            }
        }
        kind == Kind::Pawn || taken != 0
    }

    /// Records that a pawn has just passed `cell`, if it can be captured en passant.
    fn allow_en_passant(&self, position: &mut Position, cell: u8) {
        position.en_passant = cell;
        if self.en_passant_takers(position) == 0 {
            position.en_passant = 0;
        }
    }
}

const COLUMN_A: u64 = 0x0101_0101_0101_0101;

/// The castling rights that are lost when a piece leaves or enters a cell.
fn rights_of(cell: u8) -> u8 {
    match cell {
        4 => 0b0011,
        7 => 0b0001,
        0 => 0b0010,
        60 => 0b1100,
        63 => 0b0100,
        56 => 0b1000,
        _ => 0,
    }
}
