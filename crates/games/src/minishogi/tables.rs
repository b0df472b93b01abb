//! Moves of the pieces on the 5x5 board, as tables of sets of cells.
//!
//! A cell is bit `row * 5 + column`, counted from a1.

use super::Kind;

pub(super) const SIDE: usize = 5;
pub(super) const CELLS: usize = SIDE * SIDE;
pub(super) const BOARD: u32 = (1 << CELLS) - 1;

/// The row farthest from each player, where that player's pieces promote.
pub(super) const ZONE: [u32; 2] = [0x1f << (CELLS - SIDE), 0x1f];

pub(super) const COLUMN: [u32; SIDE] = {
    let mut columns = [0; SIDE];
    let mut cell = 0;
    while cell < CELLS {
        columns[cell % SIDE] |= 1 << cell;
        cell += 1;
    }
    columns
};

/// A direction, as a number of columns to the right and a number of rows up.
type Direction = (isize, isize);

const ORTHOGONAL: [Direction; 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL: [Direction; 4] = [(1, 1), (-1, 1), (-1, -1), (1, -1)];
const GOLD: [Direction; 6] = [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (-1, 1)];
const SILVER: [Direction; 5] = [(0, 1), (1, 1), (-1, 1), (-1, -1), (1, -1)];
const KING: [Direction; 8] = [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (-1, 1), (-1, -1), (1, -1)];

/// The steps of pieces of a kind, as seen by the first player. Rooks and bishops slide instead;
/// when promoted, they also step.
const fn directions(kind: Kind) -> &'static [Direction] {
    match kind {
        Kind::Pawn => &[(0, 1)],
        Kind::Silver => &SILVER,
        Kind::Gold | Kind::PromotedPawn | Kind::PromotedSilver => &GOLD,
        Kind::King => &KING,
        Kind::PromotedRook => &DIAGONAL,
        Kind::PromotedBishop => &ORTHOGONAL,
        Kind::Rook | Kind::Bishop => &[],
    }
}

const fn cell_at(from: usize, direction: Direction, distance: isize) -> Option<usize> {
    let column = (from % SIDE) as isize + direction.0 * distance;
    let row = (from / SIDE) as isize + direction.1 * distance;
    if column < 0 || column >= SIDE as isize || row < 0 || row >= SIDE as isize {
        return None;
    }
    Some(row as usize * SIDE + column as usize)
}

/// `STEPS[player][kind][cell]`: the cells one step away.
pub(super) static STEPS: [[[u32; CELLS]; Kind::COUNT]; 2] = {
    let mut table = [[[0; CELLS]; Kind::COUNT]; 2];
    let mut kind = 0;
    while kind < Kind::COUNT {
        let directions = directions(Kind::ALL[kind]);
        let mut at = 0;
        while at < directions.len() * CELLS {
            let (direction, cell) = (directions[at / CELLS], at % CELLS);
            if let Some(to) = cell_at(cell, direction, 1) {
                table[0][kind][cell] |= 1 << to;
            }
            if let Some(to) = cell_at(cell, direction, -1) {
                table[1][kind][cell] |= 1 << to;
            }
            at += 1;
        }
        kind += 1;
    }
    table
};

/// For each direction and cell, the cells from there to the edge. The first two directions lead to
/// cells with higher numbers, the other two to cells with lower numbers; an additional empty set
/// stands for "no cell".
type Rays = [[u32; CELLS + 1]; 4];

const fn rays(directions: [Direction; 4]) -> Rays {
    let mut table = [[0; CELLS + 1]; 4];
    let mut at = 0;
    while at < 4 * CELLS {
        let mut distance = 1;
        while let Some(to) = cell_at(at % CELLS, directions[at / CELLS], distance) {
            table[at / CELLS][at % CELLS] |= 1 << to;
            distance += 1;
        }
        at += 1;
    }
    table
}

static ROOK_RAYS: Rays = rays(ORTHOGONAL);
static BISHOP_RAYS: Rays = rays(DIAGONAL);

/// The cells that a slider on `cell` reaches among `pieces`, including the first piece that it
/// meets on each ray.
#[inline]
fn slides(rays: &Rays, cell: usize, pieces: u32) -> u32 {
    // A sentinel with an empty ray ends each ray: above the board the additional set, and below it
    // a1, from which no ray leads down.
    let up = |ray: &[u32; CELLS + 1]| {
        let first = (ray[cell] & pieces | 1 << CELLS).trailing_zeros();
        ray[cell] ^ ray[first as usize]
    };
    let down = |ray: &[u32; CELLS + 1]| {
        let first = 31 - (ray[cell] & pieces | 1).leading_zeros();
        ray[cell] ^ ray[first as usize]
    };
    up(&rays[0]) | up(&rays[1]) | down(&rays[2]) | down(&rays[3])
}

#[inline]
pub(super) fn rook_slides(cell: usize, pieces: u32) -> u32 {
    slides(&ROOK_RAYS, cell, pieces)
}

#[inline]
pub(super) fn bishop_slides(cell: usize, pieces: u32) -> u32 {
    slides(&BISHOP_RAYS, cell, pieces)
}

/// The cells between two cells in one row, column or diagonal. `THROUGH` contains the whole ray
/// from the first cell through the second.
pub(super) static BETWEEN: [[u32; CELLS]; CELLS] = lines().0;
pub(super) static THROUGH: [[u32; CELLS]; CELLS] = lines().1;

const fn lines() -> ([[u32; CELLS]; CELLS], [[u32; CELLS]; CELLS]) {
    let (mut between, mut through) = ([[0; CELLS]; CELLS], [[0; CELLS]; CELLS]);
    let mut at = 0;
    while at < KING.len() * CELLS {
        let (direction, from) = (KING[at / CELLS], at % CELLS);
        let mut ray = 0;
        let mut distance = 1;
        while let Some(to) = cell_at(from, direction, distance) {
            between[from][to] = ray;
            ray |= 1 << to;
            distance += 1;
        }
        let mut distance = 1;
        while let Some(to) = cell_at(from, direction, distance) {
            through[from][to] = ray;
            distance += 1;
        }
        at += 1;
    }
    (between, through)
}
