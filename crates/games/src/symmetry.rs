//! Symmetries of boards, which map sets of cells to their images under reflections and turns.
//!
//! A reflection swaps pairs of cells. Pairs with the same distance are swapped at once, so a
//! reflection takes only a few steps. Two reflections, applied alternately, generate all images.

use std::ops::{BitAnd, BitOr, BitXor, Shl, Shr};

/// A set of cells, stored as the bits of a word.
pub(crate) trait Set:
    Copy
    + Ord
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    const FIRST: Self;
}

impl Set for u64 {
    const FIRST: u64 = 1;
}

impl Set for u128 {
    const FIRST: u128 = 1;
}

/// The layout of a board: the cell at a column and a row is bit `row * stride + column`, counted
/// from `first`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grid {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) stride: usize,
    pub(crate) first: usize,
}

/// A reflection or a half turn, which is its own inverse: sets of cells to be swapped with the
/// cells at a given distance above them.
#[derive(Clone, Debug)]
pub(crate) struct Swaps<S>(Vec<(S, u32)>);

impl<S: Set> Swaps<S> {
    /// Creates the swaps that move each cell of `cells` to the cell that `to` returns.
    pub(crate) fn new(cells: impl Iterator<Item = usize>, to: impl Fn(usize) -> usize) -> Swaps<S> {
        let mut swaps: Vec<(S, u32)> = Vec::new();
        for cell in cells {
            let Some(distance @ 1..) = to(cell).checked_sub(cell) else { continue };
            let (distance, cell) = (distance as u32, S::FIRST << cell as u32);
            match swaps.iter_mut().find(|(_, known)| *known == distance) {
                Some((low, _)) => *low = *low | cell,
                None => swaps.push((cell, distance)),
            }
        }
        Swaps(swaps)
    }

    /// Appends the swaps of `other`, to be performed after these swaps.
    pub(crate) fn then(mut self, other: Swaps<S>) -> Swaps<S> {
        self.0.extend(other.0);
        self
    }

    #[inline]
    fn apply<const N: usize>(&self, sets: &mut [S; N]) {
        for &(low, distance) in &self.0 {
            for set in sets.iter_mut() {
                let differ = (*set >> distance ^ *set) & low;
                *set = *set ^ differ ^ differ << distance;
            }
        }
    }

    /// Returns whether each of `sets` is its own image.
    fn keeps<const N: usize>(&self, sets: [S; N]) -> bool {
        let mut images = sets;
        self.apply(&mut images);
        images == sets
    }
}

impl Grid {
    pub(crate) fn new(width: usize, height: usize) -> Grid {
        Grid { width, height, stride: width, first: 0 }
    }

    fn cells(self) -> impl Iterator<Item = usize> {
        let Grid { width, height, stride, first } = self;
        let rows = (0..height).map(move |row| first + row * stride);
        rows.flat_map(move |start| start..start + width)
    }

    fn swaps<S: Set>(self, to: impl Fn(usize, usize) -> (usize, usize)) -> Swaps<S> {
        let Grid { stride, first, .. } = self;
        Swaps::new(self.cells(), |cell| {
            let (column, row) = to((cell - first) % stride, (cell - first) / stride);
            first + row * stride + column
        })
    }

    pub(crate) fn mirror<S: Set>(self) -> Swaps<S> {
        self.swaps(|column, row| (self.width - 1 - column, row))
    }

    pub(crate) fn flip<S: Set>(self) -> Swaps<S> {
        self.swaps(|column, row| (column, self.height - 1 - row))
    }

    pub(crate) fn turn<S: Set>(self) -> Swaps<S> {
        self.mirror().then(self.flip())
    }

    pub(crate) fn transpose<S: Set>(self) -> Swaps<S> {
        self.swaps(|column, row| (row, column))
    }
}

/// Symmetries of a board that generate all images of a position.
#[derive(Clone, Debug)]
pub(crate) struct Symmetries<S> {
    two: [Swaps<S>; 2],
    /// The number of images besides the position itself.
    images: usize,
}

impl<S: Set> Symmetries<S> {
    /// The symmetries that a single reflection generates.
    pub(crate) fn one(swaps: Swaps<S>) -> Symmetries<S> {
        let images = usize::from(!swaps.0.is_empty());
        Symmetries { two: [swaps, Swaps(Vec::new())], images }
    }

    /// The symmetries that two reflections generate; `images` does not include the identity.
    pub(crate) fn two(one: Swaps<S>, other: Swaps<S>, images: usize) -> Symmetries<S> {
        Symmetries { two: [one, other], images }
    }

    /// The symmetries of a board that preserve the sets of the initial position; the others lead to
    /// positions that play cannot reach.
    pub(crate) fn of<const N: usize>(grid: Grid, transposes: bool, start: [S; N]) -> Symmetries<S> {
        let kept = |swaps: Swaps<S>| Some(swaps).filter(|s| !s.0.is_empty() && s.keeps(start));
        let square = transposes && grid.width == grid.height;
        let transposed = || if square { kept(grid.transpose()) } else { None };
        let mirrors = [kept(grid.mirror()), kept(grid.flip()), kept(grid.turn())];
        match (mirrors, transposed()) {
            ([Some(mirror), Some(_), _], Some(transposed)) => {
                Symmetries::two(mirror, transposed, 7)
            }
            ([_, _, Some(turn)], Some(transposed)) => Symmetries::two(turn, transposed, 3),
            ([Some(mirror), Some(flip), _], None) => Symmetries::two(mirror, flip, 3),
            ([mirror, flip, turn], transposed) => {
                let one = mirror.or(flip).or(turn).or(transposed);
                Symmetries::one(one.unwrap_or(Swaps(Vec::new())))
            }
        }
    }

    /// Calls `show` with each image of `sets` in turn.
    #[inline]
    pub(crate) fn each<const N: usize>(&self, mut sets: [S; N], mut show: impl FnMut([S; N])) {
        for number in 0..self.images {
            self.two[number & 1].apply(&mut sets);
            show(sets);
        }
    }

    /// The smallest among `sets` and their images.
    #[inline]
    pub(crate) fn least<const N: usize>(&self, sets: [S; N]) -> [S; N] {
        let mut least = sets;
        self.each(sets, |image| least = least.min(image));
        least
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Computes all images of a set, including the set itself, cell by cell.
    fn slowly(grid: Grid, set: u64, square: bool) -> BTreeSet<u64> {
        let Grid { width, height, stride, first } = grid;
        let image = |number: usize| {
            let cells = (0..width * height)
                .filter(|cell| set >> (first + cell / width * stride + cell % width) & 1 == 1);
            let to = cells.map(|cell| {
                let (mut column, mut row) = (cell % width, cell / width);
                column = if number & 1 == 0 { column } else { width - 1 - column };
                row = if number & 2 == 0 { row } else { height - 1 - row };
                if number & 4 != 0 {
                    (column, row) = (row, column);
                }
                first + row * stride + column
            });
            to.fold(0, |set, cell| set | 1 << cell)
        };
        (0..if square { 8 } else { 4 }).map(image).collect()
    }

    #[test]
    fn images_are_all_images() {
        let mut rng = proofwood_game::Rng::new(1);
        for (width, height, stride, first) in
            [(3, 3, 3, 0), (8, 8, 8, 0), (5, 4, 5, 2), (4, 4, 11, 7), (1, 6, 1, 0), (7, 1, 9, 0)]
        {
            let grid = Grid { width, height, stride, first };
            let all = grid.cells().fold(0u64, |set, cell| set | 1 << cell);
            let symmetries = Symmetries::of(grid, true, [all]);
            for _ in 0..100 {
                let set = rng.next_u64() & rng.next_u64() & all;
                let mut images = BTreeSet::from([set]);
                symmetries.each([set], |[image]| {
                    images.insert(image);
                });
                assert_eq!(images, slowly(grid, set, width == height), "{grid:?}: {set:#x}");
                let least = symmetries.least([set]);
                assert_eq!(least, [images.iter().copied().min().unwrap_or(set)]);
                for image in images {
                    assert_eq!(symmetries.least([image]), least);
                }
            }
        }
    }

    #[test]
    fn symmetries_keep_the_start() {
        let grid = Grid::new(4, 4);
        // The colours of a chessboard, which a reflection would exchange.
        assert_eq!(Symmetries::of(grid, true, [0x5a5a_u64]).images, 3);
        // A corner: only the reflection in the diagonal through it remains.
        assert_eq!(Symmetries::of(grid, true, [1u64]).images, 1);
        assert_eq!(Symmetries::of(grid, true, [2u64]).images, 0);
        assert_eq!(Symmetries::of(grid, false, [0u64]).images, 3);
        assert_eq!(Symmetries::of(Grid::new(1, 1), true, [0u64]).images, 0);
    }
}
