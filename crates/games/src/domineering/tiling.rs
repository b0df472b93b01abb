//! Possible tilings of a set of cells with dominoes.

use std::collections::HashMap;

/// Returns whether `upright` vertical dominoes and any number of horizontal ones can cover exactly
/// the cells of `covered`, which are numbered row by row.
pub(super) fn exists(width: usize, height: usize, covered: u64, upright: u32) -> bool {
    if height < width {
        // Scanning along the shorter side keeps the number of states small, which depends on the
        // length of the border between tiled and untiled cells.
        let turned = (0..width * height)
            .filter(|cell| covered >> cell & 1 == 1)
            .fold(0, |set, cell| set | 1 << (cell % width * height + cell / width));
        let lying = (covered.count_ones() / 2).checked_sub(upright);
        return lying.is_some_and(|lying| exists_tall(height, turned, lying));
    }
    exists_tall(width, covered, upright)
}

fn exists_tall(width: usize, covered: u64, upright: u32) -> bool {
    // Maps the cells left to tile to a bit set of the possible numbers of vertical dominoes so far.
    let mut ways = HashMap::from([(covered, 1u64)]);
    for cell in 0..64 {
        let mut next = HashMap::new();
        let mut reach = |left: u64, uprights: u64| *next.entry(left).or_insert(0) |= uprights;
        for (left, uprights) in ways {
            if left >> cell & 1 == 0 {
                reach(left, uprights);
                continue;
            }
            // The first cell is the left or the lower end of its domino.
            let lying = 0b11 << cell;
            if left & lying == lying && cell % width + 1 < width {
                reach(left & !lying, uprights);
            }
            let standing = 1 << cell | 1u64.checked_shl((cell + width) as u32).unwrap_or(0);
            if left & standing == standing && cell + width < 64 {
                reach(left & !standing, uprights << 1);
            }
        }
        ways = next;
    }
    ways.get(&0).is_some_and(|uprights| uprights >> upright & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::exists;

    #[test]
    fn tilings_are_found() {
        // A square of four cells can be two vertical or two horizontal dominoes, never one of each.
        assert_eq!([0, 1, 2].map(|upright| exists(2, 2, 0b1111, upright)), [true, false, true]);
        // Cells that are adjacent only across the edge of the board are not a domino.
        assert!(!exists(3, 2, 0b001_100, 0));
        assert!(exists(3, 2, 0b001_001, 1));
        assert!(exists(64, 1, u64::MAX, 0));
        assert!(exists(1, 64, u64::MAX, 32));
        assert!(!exists(8, 8, !(1 | 1 << 63), 15));
        assert!(exists(8, 8, u64::MAX, 16));
        assert!(!exists(8, 8, u64::MAX, 15));
    }
}
