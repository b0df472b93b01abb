//! Attacks of pieces on an 8x8 board.
//!
//! Boards with fewer rows or columns lie in the corner at a1. The cells outside them count as
//! occupied, so that lines end there, and are masked out of the result.

use crate::bits::cells;

/// Steps along a row, a column and the two diagonals, each as a number of columns and of rows; each
/// line is followed in both directions.
const LINE_STEPS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];

const KNIGHT_STEPS: [(i32, i32); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

const KING_STEPS: [(i32, i32); 8] =
    [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

pub(super) static KNIGHT: [u64; 64] = steps(&KNIGHT_STEPS);
pub(super) static KING: [u64; 64] = steps(&KING_STEPS);

pub(super) static PAWN: [[u64; 64]; 2] = [steps(&[(-1, 1), (1, 1)]), steps(&[(-1, -1), (1, -1)])];

/// The row, the column and the two diagonals of each cell, without the cell itself.
pub(super) static LINES: [[u64; 4]; 64] = lines();

pub(super) static BETWEEN: [[u64; 64]; 64] = between();

/// `ROW[column][inner]` is the set of columns that a rook in `column` attacks in its row if the
/// inner six columns are occupied according to the bits of `inner`.
static ROW: [[u8; 64]; 8] = rows();

const COLUMN_LINE: usize = 1;
const DIAGONALS: [usize; 2] = [2, 3];

/// The cell `step` away, if it is on the board.
const fn neighbour(cell: usize, step: (i32, i32)) -> Option<usize> {
    let (column, row) = (cell as i32 % 8 + step.0, cell as i32 / 8 + step.1);
    if column < 0 || column > 7 || row < 0 || row > 7 {
        return None;
    }
    Some((row * 8 + column) as usize)
}

const fn steps(steps: &[(i32, i32)]) -> [u64; 64] {
    let mut table = [0; 64];
    let mut cell = 0;
    while cell < 64 {
        let mut i = 0;
        while i < steps.len() {
            if let Some(to) = neighbour(cell, steps[i]) {
                table[cell] |= 1 << to;
            }
            i += 1;
        }
        cell += 1;
    }
    table
}

const fn lines() -> [[u64; 4]; 64] {
    let mut table = [[0; 4]; 64];
    let mut cell = 0;
    while cell < 64 {
        let mut line = 0;
        while line < 4 {
            let (column, row) = LINE_STEPS[line];
            table[cell][line] = ray(cell, (column, row)) | ray(cell, (-column, -row));
            line += 1;
        }
        cell += 1;
    }
    table
}

const fn ray(from: usize, step: (i32, i32)) -> u64 {
    let mut set = 0;
    let mut at = from;
    while let Some(to) = neighbour(at, step) {
        set |= 1 << to;
        at = to;
    }
    set
}

const fn between() -> [[u64; 64]; 64] {
    let mut table = [[0; 64]; 64];
    let mut from = 0;
    while from < 64 {
        let mut direction = 0;
        while direction < 8 {
            let mut passed = 0;
            let mut at = from;
            while let Some(to) = neighbour(at, KING_STEPS[direction]) {
                table[from][to] = passed;
                passed |= 1 << to;
                at = to;
            }
            direction += 1;
        }
        from += 1;
    }
    table
}

const fn rows() -> [[u8; 64]; 8] {
    let mut table = [[0; 64]; 8];
    let mut column = 0;
    while column < 8 {
        let mut inner = 0;
        while inner < 64 {
            let occupied = inner << 1;
            let mut attacked = 0;
            let mut at = column;
            while at < 7 {
                at += 1;
                attacked |= 1 << at;
                if occupied >> at & 1 == 1 {
                    break;
                }
            }
            at = column;
            while at > 0 {
                at -= 1;
                attacked |= 1 << at;
                if occupied >> at & 1 == 1 {
                    break;
                }
            }
            table[column][inner] = attacked;
            inner += 1;
        }
        column += 1;
    }
    table
}

#[inline]
pub(super) fn rook(cell: u8, occupied: u64) -> u64 {
    let first = cell & 56;
    let inner = (occupied >> first >> 1 & 63) as usize;
    let row = u64::from(ROW[usize::from(cell % 8)][inner]) << first;
    row | slide(cell, COLUMN_LINE, occupied)
}

#[inline]
pub(super) fn bishop(cell: u8, occupied: u64) -> u64 {
    DIAGONALS.into_iter().fold(0, |set, line| set | slide(cell, line, occupied))
}

/// The cells attacked along a line with at most one cell in each row.
///
/// Subtracting the piece's bit, doubled, from the occupied cells of the line flips the bits up to
/// the first occupied one above it; reversing the rows does the same below it.
#[inline]
fn slide(cell: u8, line: usize, occupied: u64) -> u64 {
    let line = LINES[usize::from(cell)][line];
    let (bit, occupied) = (1u64 << cell, occupied & line);
    let up = occupied.wrapping_sub(bit << 1);
    let down = occupied.swap_bytes().wrapping_sub(bit.swap_bytes() << 1).swap_bytes();
    (up ^ down) & line
}

#[inline]
pub(super) fn pawns(pawns: u64, side: usize) -> u64 {
    const COLUMN_A: u64 = 0x0101_0101_0101_0101;
    let (left, right) = (pawns & !COLUMN_A, pawns & !(COLUMN_A << 7));
    match side {
        0 => left << 7 | right << 9,
        _ => left >> 9 | right >> 7,
    }
}

/// The cells of the line that contains `cell` and `through`, without `cell` itself; empty if there
/// is no such line.
#[inline]
pub(super) fn line_through(cell: u8, through: u8) -> u64 {
    let lines = LINES[usize::from(cell)];
    lines.into_iter().find(|line| line >> through & 1 == 1).unwrap_or(0)
}

/// The union of `attack` over the cells of `pieces`.
#[inline]
pub(super) fn all(pieces: u64, attack: impl Fn(u8) -> u64) -> u64 {
    cells(pieces).fold(0, |set, cell| set | attack(cell))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proofwood_game::Rng;

    fn walk(cell: u8, occupied: u64, steps: &[(i32, i32)]) -> u64 {
        let mut set = 0;
        for &step in steps {
            let mut at = usize::from(cell);
            while let Some(to) = neighbour(at, step) {
                set |= 1 << to;
                at = to;
                if occupied >> to & 1 == 1 {
                    break;
                }
            }
        }
        set
    }

    #[test]
    fn lines_end_at_the_first_piece() {
        let mut rng = Rng::new(1);
        for _ in 0..2000 {
            let occupied = rng.next_u64() & rng.next_u64();
            for cell in 0..64 {
                let straight = [(1, 0), (-1, 0), (0, 1), (0, -1)];
                let diagonal = [(1, 1), (-1, 1), (1, -1), (-1, -1)];
                assert_eq!(rook(cell, occupied), walk(cell, occupied, &straight));
                assert_eq!(bishop(cell, occupied), walk(cell, occupied, &diagonal));
            }
        }
    }

    #[test]
    fn pawns_attack_as_each_of_them() {
        let mut rng = Rng::new(2);
        for (side, attacked) in PAWN.iter().enumerate() {
            for _ in 0..100 {
                let set = rng.next_u64() & rng.next_u64();
                assert_eq!(pawns(set, side), all(set, |cell| attacked[usize::from(cell)]));
            }
        }
    }

    #[test]
    fn between_is_what_both_see() {
        for a in 0..64u8 {
            for b in 0..64u8 {
                let (from, to) = (usize::from(a), usize::from(b));
                let line = line_through(a, b);
                assert_eq!(line >> b & 1 == 1, BETWEEN[from][to] != 0 || KING[from] >> to & 1 == 1);
                let ends = 1 << a | 1 << b;
                let queen = |cell| rook(cell, ends) | bishop(cell, ends);
                let seen = if line == 0 { 0 } else { queen(a) & queen(b) & line };
                assert_eq!(BETWEEN[from][to], seen);
            }
        }
    }
}
