//! Groups of stones and their liberties, on boards of up to 9x9 with orthogonal adjacency.
//!
//! No board fills its rows of [`STRIDE`] bits, so a step over the left or right edge ends outside
//! the board.

use super::{Cells, STRIDE};

const UP: usize = STRIDE;

/// The cells adjacent to the cells of `set`, on the board or not.
#[inline]
pub(crate) fn beside(set: Cells) -> Cells {
    set << 1 | set >> 1 | set << UP | set >> UP
}

/// The cells of `through` that are connected to `seeds`, which is a subset of `through`.
#[inline]
pub(crate) fn fill(mut seeds: Cells, through: Cells) -> Cells {
    loop {
        let more = seeds | beside(seeds) & through;
        if more == seeds {
            return seeds;
        }
        seeds = more;
    }
}

/// The stones of groups that are not adjacent to any of the `empty` cells.
pub(crate) fn without_liberty(stones: Cells, empty: Cells) -> Cells {
    stones & !fill(beside(empty) & stones, stones)
}

/// The groups of a side that have a single liberty.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Atari {
    pub(crate) stones: Cells,
    pub(crate) liberties: Cells,
}

impl Atari {
    /// Finds the groups of `stones` in atari; each group must have a liberty.
    #[inline]
    pub(crate) fn of(stones: Cells, empty: Cells) -> Atari {
        let mut unsure = stones & !fill(beside_two(empty) & stones, stones);
        let mut atari = Atari::default();
        while unsure != 0 {
            let group = fill(unsure & unsure.wrapping_neg(), unsure);
            let liberties = beside(group) & empty;
            if liberties.is_power_of_two() {
                atari.stones |= group;
                atari.liberties |= liberties;
            }
            unsure &= !group;
        }
        atari
    }
}

/// The cells adjacent to at least two cells of `set`.
#[inline]
fn beside_two(set: Cells) -> Cells {
    let (left, right, down, up) = (set << 1, set >> 1, set << UP, set >> UP);
    left & right | down & up | (left | right) & (down | up)
}
