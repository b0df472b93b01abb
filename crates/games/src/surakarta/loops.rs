//! The two loops, and slides along them to the first piece.
//!
//! A loop has 24 places on four lines of six, with an arc after each line; four of its points are
//! crossings and have two places each. The pieces on a loop are the bits of a word in the order of
//! the places, so the next piece in either direction is found by rotating the word and counting
//! zeros.

use super::{BOARD, SIZE};

/// The number of places on a line.
const LINE: usize = SIZE;
const LENGTH: usize = 4 * LINE;
const FULL: u32 = (1 << LENGTH) - 1;

/// The points of each loop, from the left end of its lower row to the right, up its right column,
/// and so on.
static POINTS: [[u8; LENGTH]; 2] = [points(1), points(2)];

/// The points of the loop whose lower row and left column have the index `low`.
const fn points(low: usize) -> [u8; LENGTH] {
    let high = SIZE - 1 - low;
    let mut points = [0; LENGTH];
    let mut at = 0;
    while at < LINE {
        let back = SIZE - 1 - at;
        points[at] = (low * SIZE + at) as u8;
        points[LINE + at] = (at * SIZE + high) as u8;
        points[2 * LINE + at] = (high * SIZE + back) as u8;
        points[3 * LINE + at] = (back * SIZE + low) as u8;
        at += 1;
    }
    points
}

/// The places of each point on each loop as bits of a word.
static PLACES: [[u32; SIZE * SIZE]; 2] = [places(&points(1)), places(&points(2))];

const fn places(points: &[u8; LENGTH]) -> [u32; SIZE * SIZE] {
    let mut places = [0; SIZE * SIZE];
    let mut at = 0;
    while at < LENGTH {
        places[points[at] as usize] |= 1 << at;
        at += 1;
    }
    places
}

/// The places of the pieces in a row, indexed by the six bits of the row.
static ROWS: [[[u32; 1 << SIZE]; SIZE]; 2] = [rows(&places(&points(1))), rows(&places(&points(2)))];

const fn rows(places: &[u32; SIZE * SIZE]) -> [[u32; 1 << SIZE]; SIZE] {
    let mut rows = [[0; 1 << SIZE]; SIZE];
    let mut at = 0;
    while at < SIZE << SIZE {
        let (row, pieces) = (at >> SIZE, at % (1 << SIZE));
        let mut column = 0;
        while column < SIZE {
            if pieces >> column & 1 == 1 {
                rows[row][pieces] |= places[row * SIZE + column];
            }
            column += 1;
        }
        at += 1;
    }
    rows
}

pub(super) struct Loops([u32; 2]);

impl Loops {
    #[inline]
    pub(super) fn new(occupied: u64) -> Loops {
        debug_assert_eq!(occupied & !BOARD, 0);
        let on = |rows: &[[u32; 1 << SIZE]; SIZE]| {
            let pieces = |row: usize| (occupied >> (row * SIZE)) as usize % (1 << SIZE);
            (0..SIZE).fold(0, |places, row| places | rows[row][pieces(row)])
        };
        Loops([on(&ROWS[0]), on(&ROWS[1])])
    }

    /// The pieces of either side that a piece sliding from `from` meets first.
    #[inline]
    pub(super) fn reached(&self, from: u8) -> u64 {
        let mut reached = 0;
        for (on, (places, points)) in self.0.iter().zip(PLACES.iter().zip(&POINTS)) {
            let mut starts = places[usize::from(from)];
            // The piece no longer occupies its own point.
            let others = on & !starts;
            if others == 0 {
                continue;
            }
            while starts != 0 {
                let start = starts.trailing_zeros() as usize;
                starts &= starts - 1;
                // The place `n` after the start becomes bit n.
                let ahead = (others >> start | others << (LENGTH - start)) & FULL;
                let first = ahead.trailing_zeros() as usize;
                let last = ahead.ilog2() as usize;
                let column = start % LINE;
                // A slide around a corner ends beyond the start's line.
                if column + first >= LINE {
                    reached |= 1 << points[(start + first) % LENGTH];
                }
                if LENGTH - last > column {
                    reached |= 1 << points[(start + last) % LENGTH];
                }
            }
        }
        reached
    }
}
