//! The discs that a move flips, found on the rays that start at its cell.
//!
//! On a ray with rising cell numbers, the first cell that is not the other side's is found by
//! addition: all bits outside the ray are set first, so that the sum carries through them (as in
//! Delorme's *Edax*). On a ray with falling numbers, this cell is the highest set bit.

pub(super) static NEIGHBOURS: [u64; 64] = neighbours();

const fn neighbours() -> [u64; 64] {
    const NOT_FIRST: u64 = !0x0101_0101_0101_0101;
    const NOT_LAST: u64 = !0x8080_8080_8080_8080;
    let mut all = [0; 64];
    let mut cell = 0;
    while cell < 64 {
        let disc = 1u64 << cell;
        let row = disc | (disc & NOT_FIRST) >> 1 | (disc & NOT_LAST) << 1;
        all[cell] = (row | row << 8 | row >> 8) & !disc;
        cell += 1;
    }
    all
}

/// The rays from each cell to the edge of the board: four with rising cell numbers, then four with
/// falling cell numbers.
#[derive(Clone, Debug)]
pub(super) struct Rays([[u64; 8]; 64]);

const STEPS: [(isize, isize); 4] = [(1, 0), (-1, 1), (0, 1), (1, 1)];

impl Rays {
    pub(super) fn new(size: usize) -> Rays {
        let ray = |cell: usize, (right, down): (isize, isize)| {
            let (mut column, mut row, mut set) = (cell % 8, cell / 8, 0u64);
            loop {
                let next = column.checked_add_signed(right).zip(row.checked_add_signed(down));
                match next {
                    Some((c, r)) if c < size && r < size => (column, row) = (c, r),
                    _ => return set,
                }
                set |= 1 << (row * 8 + column);
            }
        };
        Rays(std::array::from_fn(|cell| {
            std::array::from_fn(|way| {
                let (right, down) = STEPS[way % 4];
                if cell % 8 >= size || cell / 8 >= size {
                    0
                } else if way < 4 {
                    ray(cell, (right, down))
                } else {
                    ray(cell, (-right, -down))
                }
            })
        }))
    }

    /// The discs of `other` that a disc of `own` on `cell` flips.
    #[inline]
    pub(super) fn turned(&self, own: u64, other: u64, cell: u8) -> u64 {
        let [rising @ .., a, b, c, d] = &self.0[usize::from(cell & 63)];
        let up = rising.iter().fold(0, |turned, &ray| {
            let end = (other | !ray).wrapping_add(1) & own & ray;
            turned | end.wrapping_sub((end != 0).into()) & ray
        });
        [a, b, c, d].into_iter().fold(up, |turned, &ray| {
            let stop = ray & !other;
            let end = (1 << 63 >> (stop | 1).leading_zeros()) & stop & own;
            turned | (end.wrapping_neg() << 1) & ray
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::lines::Lines;
    use super::*;

    /// Checks that rays and shifted lines flip the same discs, on boards of all sizes.
    #[test]
    fn rays_turn_what_lines_turn() {
        for size in [4, 6, 8] {
            let (rays, lines) = (Rays::new(size), Lines::new(size));
            let board = (0..size).fold(0u64, |set, row| set | (0xff >> (8 - size)) << (row * 8));
            let mut rng = proofwood_game::Rng::new(size as u64);
            let mut turns = 0;
            for round in 0..20_000 {
                let more = if round % 2 == 0 { 0 } else { rng.next_u64() };
                let taken = rng.next_u64() | more;
                let own = rng.next_u64() & taken & board;
                let other = taken & board & !own;
                for cell in crate::bits::cells(board & !taken) {
                    let turned = lines.turned(own, other, 1 << cell);
                    assert_eq!(rays.turned(own, other, cell), turned, "{own:#x} {other:#x} {cell}");
                    assert!(turned == 0 || NEIGHBOURS[usize::from(cell)] & other != 0);
                    turns += u32::from(turned != 0);
                }
            }
            assert!(turns > 10_000);
        }
    }
}
