//! The star: its cells row by row from the bottom, each row from the left.

pub(super) const CELLS: usize = 121;
pub(super) const ROWS: usize = 17;

/// Stands for a cell that is not on the star.
pub(super) const OUTSIDE: u8 = CELLS as u8;

/// The number of cells of each row.
pub(super) const WIDTHS: [usize; ROWS] =
    [1, 2, 3, 4, 13, 12, 11, 10, 9, 10, 11, 12, 13, 4, 3, 2, 1];

/// A cell by the row and the place in its row, counted from 0.
pub(super) const fn cell(row: usize, place: usize) -> usize {
    let mut cell = place;
    let mut below = 0;
    while below < row {
        cell += WIDTHS[below];
        below += 1;
    }
    cell
}

/// The row of a cell and its place there.
pub(super) const fn place(cell: usize) -> (usize, usize) {
    let mut row = 0;
    let mut place = cell;
    while place >= WIDTHS[row] {
        place -= WIDTHS[row];
        row += 1;
    }
    (row, place)
}

/// How far to the right a cell lies, in half cells. All rows have the same
/// middle.
pub(super) const fn across(row: usize, place: usize) -> usize {
    13 - WIDTHS[row] + 2 * place
}

/// The cell at this row and distance from the left, if the star has it.
const fn cell_at(row: isize, across: isize) -> u8 {
    if row < 0 || row >= ROWS as isize {
        return OUTSIDE;
    }
    let row = row as usize;
    let start = 13 - WIDTHS[row] as isize;
    if across < start || across >= start + 2 * WIDTHS[row] as isize {
        return OUTSIDE;
    }
    cell(row, (across - start) as usize / 2) as u8
}

/// The six directions as rows up and half cells to the right.
const DIRECTIONS: [(isize, isize); 6] = [(1, 1), (0, 2), (-1, 1), (-1, -1), (0, -2), (1, -1)];

/// In one direction from a cell: its neighbour, and the cell behind that.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    pub(super) next: u8,
    pub(super) behind: u8,
}

/// The ways from each cell; [`OUTSIDE`] where they end.
pub(super) static WAYS: [[Way; 6]; CELLS] = {
    let mut ways = [[Way { next: OUTSIDE, behind: OUTSIDE }; 6]; CELLS];
    let mut at = 0;
    while at < CELLS * 6 {
        let (row, place) = place(at / 6);
        let (row, across) = (row as isize, across(row, place) as isize);
        let (up, right) = DIRECTIONS[at % 6];
        let next = cell_at(row + up, across + right);
        if next != OUTSIDE {
            let behind = cell_at(row + 2 * up, across + 2 * right);
            ways[at / 6][at % 6] = Way { next, behind };
        }
        at += 1;
    }
    ways
};

/// The points of the star, anticlockwise from the bottom.
pub(super) static POINTS: [u128; 6] = {
    let mut points = [0; 6];
    let mut at = 0;
    while at < CELLS {
        let (row, place) = place(at);
        // Beside the hexagon in the middle, whose rows 4 to 12 grow to nine
        // cells and shrink again.
        let inner = 9 - row.abs_diff(8);
        let side = (WIDTHS[row] - inner) / 2;
        let point = match (row, place) {
            (..=3, _) => 0,
            (13.., _) => 3,
            (4..=7, place) if place >= side + inner => 1,
            (9..=12, place) if place >= side + inner => 2,
            (9..=12, place) if place < side => 4,
            (4..=7, place) if place < side => 5,
            _ => 6,
        };
        if point < 6 {
            points[point] |= 1 << at;
        }
        at += 1;
    }
    points
};
