//! Who runs out of room first, where counting is enough to tell.
//!
//! Of dominoes that do not overlap, a side can place those that no domino of the
//! other side touches whenever it likes: its *reserve*. Of the others each domino of
//! the other side takes away two at most, so that a side places one of three of them,
//! and, moving first, one more where three do not divide them. On the other hand no
//! side places more dominoes than fit next to each other in its lines.

use multiversion::multiversion;

/// The cells that a side could cover, by its places and the step to a domino's other end.
#[inline(always)]
pub(super) fn touched((places, step): (u64, u32)) -> u64 {
    places | places << step
}

/// Whether the side to move wins, by the places of both sides, each with the step to a domino's
/// other end; `None` where counting does not tell. Compiled a second time for processors that count
/// bits by an instruction.
#[multiversion(targets("x86_64+popcnt"))]
pub(super) fn mover_wins(own: (u64, u32), other: (u64, u32)) -> Option<bool> {
    let [own, other] = [(own, other), (other, own)]
        .map(|((places, step), other)| Room::new(places, step, touched(other)));
    own.wins(other)
}

/// The room of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Room {
    /// Dominoes that nobody can hinder.
    reserve: u32,
    /// Dominoes that fit beside each other and those.
    others: u32,
    /// Dominoes that fit beside each other in all.
    most: u32,
}

impl Room {
    /// The room on these empty cells of a side whose dominoes stand with their lower
    /// or left ends on `places`, `step` before their other ends; those of the other
    /// side touch the cells `touched`.
    #[inline(always)]
    fn new(places: u64, step: u32, touched: u64) -> Room {
        let safe = places & !(touched | touched >> step);
        let used = safe | safe << step;
        Room {
            reserve: beside(safe, step),
            others: beside(places & !(used | used >> step), step),
            most: beside(places, step),
        }
    }

    /// Dominoes that the side places at least, moving first or second.
    #[inline]
    fn least(self, first: bool) -> u32 {
        self.reserve + if first { self.others.div_ceil(3) } else { self.others / 3 }
    }

    /// Whether the side that moves, with this room, wins against the other's; `None`
    /// where counting does not tell.
    #[inline(always)]
    fn wins(self, other: Room) -> Option<bool> {
        if self.least(true) > other.most {
            Some(true)
        } else if other.least(false) >= self.most {
            Some(false)
        } else {
            None
        }
    }
}

/// How many dominoes fit beside each other, of those with their first ends on `places`:
/// in every unbroken row of places every other one, beginning with the first.
#[inline(always)]
fn beside(mut places: u64, step: u32) -> u32 {
    let mut count = 0;
    while places != 0 {
        let first = places & !(places << step);
        count += first.count_ones();
        places &= !(first | first << step);
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_other_place_counts() {
        // Rows of 1, 2, 3 and 4 places side by side.
        assert_eq!([0b1, 0b11, 0b111, 0b1111].map(|places| beside(places, 1)), [1, 1, 2, 2]);
        assert_eq!(beside(0b1011_0111, 1), 4);
        // Two columns of a board of width 3.
        assert_eq!(beside(0b101_101_001, 3), 3);
    }

    #[test]
    fn reserves_decide() {
        let room = |reserve, others| Room { reserve, others, most: reserve + others };
        assert_eq!(room(2, 0).wins(room(0, 1)), Some(true));
        assert_eq!(room(1, 0).wins(room(1, 0)), Some(false));
        // One of three for who moves first, none for the other.
        assert_eq!(room(0, 2).wins(room(0, 0)), Some(true));
        assert_eq!(room(0, 2).wins(room(0, 2)), None);
        assert_eq!(room(0, 1).wins(room(0, 3)), Some(false));
    }

    /// A column of four cells whose ends the other side can take: its middle is safe,
    /// and yet it holds one domino and not two once an end is gone.
    #[test]
    fn what_overlaps_the_reserve_does_not_count() {
        let room = Room::new(0b111, 1, 0b1001);
        assert_eq!(room, Room { reserve: 1, others: 0, most: 2 });
    }
}
