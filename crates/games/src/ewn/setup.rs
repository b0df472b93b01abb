//! The initial cells of the stones, and a check that stones could have come from these cells.

use super::GONE;

pub(super) const MOST_STONES: usize = 6;

/// The numbers of a side's stones, counted from 0, in the reading order of their cells.
pub(super) type Order = [u8; MOST_STONES];

/// The cells of both sides' corners in reading order, from the top left.
pub(super) fn homes(size: usize) -> [Vec<u8>; 2] {
    let depth = if size < 5 { 2 } else { 3 };
    [0, 1].map(|side| {
        let cells = (0..size).rev().flat_map(|row| (0..size).map(move |column| (column, row)));
        let from_corner = |column: usize, row: usize| match side {
            0 => row + size - 1 - column,
            _ => column + size - 1 - row,
        };
        cells
            .filter(|&(column, row)| from_corner(column, row) < depth)
            .map(|(column, row)| (row * size + column) as u8)
            .collect()
    })
}

/// The order with the index `number`, counted from 0 in lexicographic order.
pub(super) fn order(count: usize, mut number: u16) -> Order {
    let mut left = [0, 1, 2, 3, 4, 5];
    let mut order = [0; MOST_STONES];
    for (place, stone) in order.iter_mut().enumerate().take(count) {
        let ways: u16 = (1..(count - place) as u16).product();
        let chosen = usize::from(number / ways);
        number %= ways;
        *stone = left[chosen];
        left.copy_within(chosen + 1.., chosen);
    }
    order
}

/// The index of an order that is written as the digits of its stones; `None` if the text is not
/// such an order.
pub(super) fn number(count: usize, text: &str) -> Option<u16> {
    let stones: Vec<u8> = text.bytes().map(|digit| digit.wrapping_sub(b'1')).collect();
    if stones.len() != count || !(0..count as u8).all(|stone| stones.contains(&stone)) {
        return None;
    }
    let lower = |place: usize| stones[place..].iter().filter(|&&s| s < stones[place]).count();
    Some((0..count).fold(0, |number, place| number * (count - place) as u16 + lower(place) as u16))
}

/// The cell of each stone if the stones are placed on the cells `home` in the order `order`.
pub(super) fn stand(home: &[u8], order: &Order) -> [u8; MOST_STONES] {
    let mut stones = [GONE; MOST_STONES];
    home.iter().zip(order).for_each(|(&cell, &stone)| stones[usize::from(stone)] = cell);
    stones
}

/// Returns whether the stones on `cells` could have come from distinct cells of `homes`.
pub(super) fn can_come(cells: &[u8], homes: &[u8], comes: &impl Fn(u8, u8) -> bool) -> bool {
    let Some((&cell, cells)) = cells.split_first() else { return true };
    (0..homes.len()).filter(|&home| comes(homes[home], cell)).any(|home| {
        let others = [&homes[..home], &homes[home + 1..]].concat();
        can_come(cells, &others, comes)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_counted_lexicographically() {
        for (count, orders) in [(3, 6), (6, 720)] {
            let texts: Vec<String> = (0..orders)
                .map(|number| order(count, number)[..count].iter().map(|s| s.to_string()).collect())
                .collect();
            assert!(texts.is_sorted_by(|a, b| a < b));
            for (at, text) in texts.iter().enumerate() {
                let counted_from_1: String = text.bytes().map(|b| char::from(b + 1)).collect();
                assert_eq!(number(count, &counted_from_1), Some(at as u16));
            }
        }
        for wrong in ["", "12", "1234", "113", "124", "013", "12é"] {
            assert_eq!(number(3, wrong), None, "{wrong}");
        }
    }
}
