//! Sets of cells as the bits of a word.

use proofwood::Rng;

/// Ones in the lowest bit of every byte.
const LOW: u64 = 0x0101_0101_0101_0101;
/// Ones in the highest bit of every byte.
const HIGH: u64 = 0x8080_8080_8080_8080;

/// `POSITION[rank][byte]` is the place of the set bit of `byte` that has
/// `rank` set bits below it.
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

/// The cells of a set, lowest first.
pub(crate) fn cells(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let lowest = (set != 0).then(|| set.trailing_zeros() as u8);
        set &= set.wrapping_sub(1);
        lowest
    })
}

/// A uniformly random cell of a set.
#[inline]
pub(crate) fn random_cell(set: u64, rng: &mut Rng) -> Option<u8> {
    if set == 0 {
        return None;
    }
    let counts = prefix_counts(set);
    Some(select(set, counts, rng.below((counts >> 56) as u32)))
}

/// The cell of `set` that has `rank` cells of the set below it.
#[inline]
pub(crate) fn nth_cell(set: u64, rank: u32) -> u8 {
    select(set, prefix_counts(set), rank)
}

/// In byte i, the number of set bits in bytes 0 to i: the usual bit count by
/// pairs, nibbles and bytes, summed by a multiplication. Written out because
/// the plain target has no instruction for any of this.
#[inline]
fn prefix_counts(set: u64) -> u64 {
    let pairs = set - (set >> 1 & 0x5555_5555_5555_5555);
    let nibbles = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let bytes = (nibbles + (nibbles >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    bytes.wrapping_mul(LOW)
}

/// The cell of `set` that has `rank` cells of the set below it (Vigna's
/// broadword selection); `counts` are the set's prefix counts.
#[inline]
fn select(set: u64, counts: u64, rank: u32) -> u8 {
    let rank = u64::from(rank);
    // A byte's high bit survives where rank >= its count: the byte is too low.
    let too_low = ((((rank * LOW) | HIGH) - counts) & HIGH) >> 7;
    let shift = (too_low.wrapping_mul(LOW) >> 56) as u32 * 8;
    let rank = rank - ((counts << 8) >> shift & 0xff);
    shift as u8 + POSITION[(rank & 7) as usize][(set >> shift & 0xff) as usize]
}

/// The cells that start a run of `length` set bits, each `step` above the
/// last. Runs across the edge of a board are the caller's to mask out.
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
}
