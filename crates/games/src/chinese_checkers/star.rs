//! The star-shaped board. Cells are numbered row by row from the bottom, each row from the left.

/// The side length of the points on the usual star, which is the largest one supported.
pub(super) const USUAL_SIDE: usize = 4;
const MOST_ROWS: usize = 4 * USUAL_SIDE + 1;
const MOST_CELLS: usize = 6 * USUAL_SIDE * (USUAL_SIDE + 1) + 1;

/// A number that means "no cell" on stars of every size.
pub(super) const OUTSIDE: u8 = MOST_CELLS as u8;

/// The six directions, each as a number of rows up and of half cells to the right.
const DIRECTIONS: [(isize, isize); 6] = [(1, 1), (0, 2), (-1, 1), (-1, -1), (0, -2), (1, -1)];

/// The two cells in a direction: the neighbour, and the cell behind it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    pub(super) next: u8,
    pub(super) behind: u8,
}

/// A star: a hexagon with sides of `side + 1` cells, and six points, which are triangles with sides
/// of `side` cells on the sides of the hexagon.
#[derive(Debug)]
pub(super) struct Star {
    side: usize,
    widths: [usize; MOST_ROWS],
    /// The neighbours of each cell; [`OUTSIDE`] if they would lie outside the star.
    pub(super) ways: [[Way; 6]; MOST_CELLS],
    pub(super) points: [u128; 6],
}

static STARS: [Star; USUAL_SIDE] = [Star::new(1), Star::new(2), Star::new(3), Star::new(4)];

impl Star {
    /// The star whose points have sides of `side` cells; `None` if that size is not supported.
    pub(super) fn of_side(side: usize) -> Option<&'static Star> {
        STARS.iter().find(|star| star.side == side)
    }

    pub(super) fn widths(&self) -> &[usize] {
        &self.widths[..4 * self.side + 1]
    }

    /// The number of pieces of each player, which is the number of cells in a point.
    pub(super) fn pieces(&self) -> u32 {
        self.points[0].count_ones()
    }

    /// The number of rows below each of `cells`, summed over the cells.
    pub(super) fn rows_below(&self, cells: u128) -> u32 {
        let (mut rest, mut rows) = (cells, 0);
        for width in self.widths() {
            rest >>= width;
            rows += rest.count_ones();
        }
        rows
    }

    const fn new(side: usize) -> Star {
        let mut star = Star {
            side,
            widths: [0; MOST_ROWS],
            ways: [[Way { next: OUTSIDE, behind: OUTSIDE }; 6]; MOST_CELLS],
            points: [0; 6],
        };
        // The star is the union of two triangles, one standing on its tip and one on its base.
        let mut row = 0;
        while row <= 4 * side {
            let standing = if row <= 3 * side { row + 1 } else { 0 };
            let hanging = if row >= side { 4 * side - row + 1 } else { 0 };
            star.widths[row] = if standing > hanging { standing } else { hanging };
            row += 1;
        }
        let mut cell = 0;
        while cell < star.cell(4 * side + 1, 0) {
            star.ways[cell] = star.ways_from(cell);
            if let Some(point) = star.point_of(cell) {
                star.points[point] |= 1 << cell;
            }
            cell += 1;
        }
        star
    }

    /// The number of the cell at the index `place` of a row, both counted from 0.
    pub(super) const fn cell(&self, row: usize, place: usize) -> usize {
        let mut cell = place;
        let mut below = 0;
        while below < row {
            cell += self.widths[below];
            below += 1;
        }
        cell
    }

    /// The row of a cell and the index of the cell in that row.
    pub(super) const fn place(&self, cell: usize) -> (usize, usize) {
        let mut row = 0;
        let mut place = cell;
        while place >= self.widths[row] {
            place -= self.widths[row];
            row += 1;
        }
        (row, place)
    }

    /// The horizontal position of a cell, in half cells; all rows are centred.
    pub(super) const fn across(&self, row: usize, place: usize) -> usize {
        3 * self.side + 1 - self.widths[row] + 2 * place
    }

    /// The cell at a row and a horizontal position in half cells; [`OUTSIDE`] if there is none.
    const fn cell_at(&self, row: isize, across: isize) -> u8 {
        if row < 0 || row > 4 * self.side as isize {
            return OUTSIDE;
        }
        let row = row as usize;
        let start = self.across(row, 0) as isize;
        if across < start || across >= start + 2 * self.widths[row] as isize {
            return OUTSIDE;
        }
        self.cell(row, (across - start) as usize / 2) as u8
    }

    const fn ways_from(&self, cell: usize) -> [Way; 6] {
        let mut ways = [Way { next: OUTSIDE, behind: OUTSIDE }; 6];
        let (row, place) = self.place(cell);
        let (row, across) = (row as isize, self.across(row, place) as isize);
        let mut way = 0;
        while way < 6 {
            let (up, right) = DIRECTIONS[way];
            let next = self.cell_at(row + up, across + right);
            if next != OUTSIDE {
                let behind = self.cell_at(row + 2 * up, across + 2 * right);
                ways[way] = Way { next, behind };
            }
            way += 1;
        }
        ways
    }

    /// The point of the star that contains a cell; `None` for a cell of the hexagon.
    const fn point_of(&self, cell: usize) -> Option<usize> {
        let (row, place) = self.place(cell);
        let middle = 2 * self.side;
        let from_middle = row.abs_diff(middle);
        if from_middle > self.side {
            return Some(if row < middle { 0 } else { 3 });
        }
        // The rows of the hexagon become longer up to the middle row, and then shorter again.
        let inner = middle + 1 - from_middle;
        let beside = (self.widths[row] - inner) / 2;
        match (place < beside, place >= beside + inner) {
            (true, _) => Some(if row < middle { 5 } else { 4 }),
            (_, true) => Some(if row < middle { 1 } else { 2 }),
            _ => None,
        }
    }
}
