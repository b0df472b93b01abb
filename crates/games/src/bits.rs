//! Sets of cells as bits of a 64-bit word.

use proofwood_game::Rng;

const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// `POSITION[rank][byte]` is the index of the set bit of `byte` that has `rank` set bits below it.
static POSITION: [[u8; 256]; 8] = positions();

const fn positions() -> [[u8; 256]; 8] {
    let mut table = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut rank) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[rank][byte] = bit;
                rank += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
}

pub(crate) fn cells(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let lowest = (set != 0).then(|| set.trailing_zeros() as u8);
        set &= set.wrapping_sub(1);
        lowest
    })
}

#[inline]
pub(crate) fn random_cell(set: u64, rng: &mut Rng) -> Option<u8> {
    if set == 0 {
        return None;
    }
    let counts = prefix_counts(set);
    Some(select(set, counts, rng.below((counts >> 56) as u32)))
}

/// Draws a random cell of a non-empty set, like [`random_cell`], but returns it as a set of one
/// cell. It is meant for functions that are also compiled for processors with `bmi2` and `popcnt`.
#[cfg(all(target_arch = "x86_64", not(target_feature = "bmi2")))]
macro_rules! draw_by_instruction {
    ($cells:expr, $rng:expr) => {
        std::arch::x86_64::_pdep_u64(1 << $rng.below(u64::count_ones($cells)), $cells)
    };
}

/// The variant for builds that target processors with `bmi2` and `popcnt`, in which functions are
/// compiled only once.
#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
macro_rules! draw_by_instruction {
    ($cells:expr, $rng:expr) => {
        safe_arch::population_deposit_u64(1 << $rng.below(u64::count_ones($cells)), $cells)
    };
}

#[cfg(target_arch = "x86_64")]
pub(crate) use draw_by_instruction;

/// The cell of `set` that is preceded by `rank` other cells of the set.
#[inline]
pub(crate) fn nth_cell(set: u64, rank: u32) -> u8 {
    select(set, prefix_counts(set), rank)
}

/// Returns a word whose byte i is the number of set bits in bytes 0 to i of `set`. This is the
/// usual bit count by pairs, nibbles and bytes, summed by a multiplication. It is written out
/// because the baseline target has no instruction for counting bits.
#[inline]
fn prefix_counts(set: u64) -> u64 {
    let pairs = set - (set >> 1 & 0x5555_5555_5555_5555);
    let nibbles = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let bytes = (nibbles + (nibbles >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    bytes.wrapping_mul(LOW)
}

/// The cell of `set` that is preceded by `rank` other cells of the set (Vigna's broadword
/// selection). `counts` are the prefix counts of `set`.
#[inline]
fn select(set: u64, counts: u64, rank: u32) -> u8 {
    let rank = u64::from(rank);
    // A byte's high bit remains set if `rank` is at least its count: the cell is in a later byte.
    let too_low = ((((rank * LOW) | HIGH) - counts) & HIGH) >> 7;
    let shift = (too_low.wrapping_mul(LOW) >> 56) as u32 * 8;
    let rank = rank - ((counts << 8) >> shift & 0xff);
    shift as u8 + POSITION[(rank & 7) as usize][(set >> shift & 0xff) as usize]
}

/// The cells that start a run of `length` set bits spaced `step` apart. The caller must mask out
/// runs across the edge of a board.
#[inline]
pub(crate) fn runs(set: u64, step: u32, length: u32) -> u64 {
    let mut starts = set;
    let mut done = 1;
    while done < length {
        let more = done.min(length - done);
        starts &= starts >> (more * step);
        done += more;
    }
    starts
}

/// Draws a cell uniformly from all cells of several sets; returns its set's index and the cell.
#[inline]
pub(crate) fn random_of<const N: usize>(sets: &[u64; N], rng: &mut Rng) -> Option<(usize, u8)> {
    let counts = sets.map(prefix_counts);
    let total: u64 = counts.iter().map(|counts| counts >> 56).sum();
    if total == 0 {
        return None;
    }
    let mut rank = rng.below(total as u32);
    for (index, counts) in counts.into_iter().enumerate() {
        let count = (counts >> 56) as u32;
        if rank < count {
            return Some((index, select(sets[index], counts, rank)));
        }
        rank -= count;
    }
    None
}

/// A shift of all cells of a set by a number of columns and rows; cells that leave the board are
/// dropped.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shift {
    stay: u64,
    by: i8,
}

impl Shift {
    /// Creates the shift for a board on which a cell is bit `row * width + column`.
    pub(crate) fn new(width: usize, height: usize, columns: isize, rows: isize) -> Shift {
        let on_board = |at: usize, by: isize, length: usize| {
            at.checked_add_signed(by).is_some_and(|at| at < length)
        };
        let cells = (0..height).flat_map(|row| (0..width).map(move |column| (column, row)));
        let stay = cells.filter(|&(column, row)| {
            on_board(column, columns, width) && on_board(row, rows, height)
        });
        Shift {
            stay: stay.fold(0, |set, (column, row)| set | 1 << (row * width + column)),
            by: (rows * width as isize + columns) as i8,
        }
    }

    #[inline]
    pub(crate) fn apply(self, set: u64) -> u64 {
        (set & self.stay).rotate_left(self.by as u32)
    }

    /// The cell from which the shift leads to `cell`.
    #[inline]
    pub(crate) fn origin(self, cell: u8) -> u8 {
        cell.wrapping_sub(self.by as u8)
    }
}

/// A king's eight steps, as columns and rows.
pub(crate) const KING: [(isize, isize); 8] =
    [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn select_finds_every_cell() {
        let mut rng = Rng::new(3);
        let dense = (0..200).map(|_| rng.next_u64());
        let mut sparse_rng = Rng::new(4);
        let sparse = (0..200).map(|_| sparse_rng.next_u64() & sparse_rng.next_u64() >> 7);
        for set in dense.chain(sparse).chain([1, 1 << 63, u64::MAX, HIGH, LOW]) {
            let counts = prefix_counts(set);
            assert_eq!(counts >> 56, u64::from(set.count_ones()));
            for (rank, cell) in cells(set).enumerate() {
                assert_eq!(select(set, counts, rank as u32), cell, "{set:#x} {rank}");
            }
        }
    }

    #[test]
    fn runs_are_where_all_their_cells_are() {
        let mut rng = Rng::new(5);
        for length in 1..=9 {
            for step in 1..=6 {
                let set = rng.next_u64() | rng.next_u64() | rng.next_u64();
                let expected = (0..64).filter(|start| {
                    (0..length).all(|i| {
                        let cell = start + i * step;
                        cell < 64 && set >> cell & 1 == 1
                    })
                });
                assert_eq!(runs(set, step, length), expected.fold(0, |s, c| s | 1 << c));
            }
        }
    }

    #[test]
    fn shifts_are_steps_on_the_board() {
        let mut rng = Rng::new(6);
        for (width, height) in [(7, 7), (6, 6), (8, 8), (3, 5)] {
            let set = rng.next_u64() & (u64::MAX >> (64 - width * height));
            for columns in -2..=2 {
                for rows in -2..=2 {
                    let shift = Shift::new(width, height, columns, rows);
                    let mut expected = 0;
                    for cell in cells(set) {
                        let column = isize::from(cell) % width as isize + columns;
                        let row = isize::from(cell) / width as isize + rows;
                        if (0..width as isize).contains(&column)
                            && (0..height as isize).contains(&row)
                        {
                            let target = row * width as isize + column;
                            assert_eq!(shift.origin(target as u8), cell);
                            expected |= 1 << target;
                        }
                    }
                    assert_eq!(shift.apply(set), expected, "{width}x{height} {columns} {rows}");
                }
            }
        }
    }

    #[test]
    fn every_cell_of_several_sets_is_drawn() {
        let mut rng = Rng::new(7);
        let sets = [0, 0b1011, 0, 1 << 63, 0b1000];
        let mut drawn = std::collections::BTreeMap::new();
        for _ in 0..5000 {
            *drawn.entry(random_of(&sets, &mut rng).unwrap()).or_insert(0) += 1;
        }
        let members: Vec<(usize, u8)> = drawn.keys().copied().collect();
        assert_eq!(members, [(1, 0), (1, 1), (1, 3), (3, 63), (4, 3)]);
        assert!(drawn.values().all(|&times| (850..1150).contains(&times)), "{drawn:?}");
        assert_eq!(random_of(&[0, 0], &mut rng), None);
    }
}
