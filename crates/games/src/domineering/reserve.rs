//! Decides by counting, if possible, which side runs out of room first.
//!
//! The *reserve* of a side is a set of non-overlapping dominoes that no domino of the other side
//! can touch, so the side can place all of them. The side also has room for further dominoes that
//! do not overlap. Each domino of the other side blocks at most two of them, so the side places at
//! least a third of them, rounded down, or rounded up if it moves first. Conversely, no side places
//! more dominoes than fit end to end in its lines.

use multiversion::multiversion;

/// The cells that a side could cover, given its places and the shift to the other end of a domino.
#[inline(always)]
pub(super) fn touched((places, step): (u64, u32)) -> u64 {
    places | places << step
}

/// Returns whether the side to move wins, given the places of both sides, each with the shift to
/// the other end of a domino; `None` if counting does not decide. It is compiled a second time for
/// processors with an instruction that counts bits.
#[multiversion(targets("x86_64+popcnt"))]
pub(super) fn mover_wins(own: (u64, u32), other: (u64, u32)) -> Option<bool> {
    let [own, other] = [(own, other), (other, own)]
        .map(|((places, step), other)| Room::new(places, step, touched(other)));
    own.wins(other)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Room {
    /// The number of dominoes that the other side cannot prevent.
    reserve: u32,
    /// The number of further dominoes that fit without overlapping.
    others: u32,
    /// The total number of dominoes that fit without overlapping.
    most: u32,
}

impl Room {
    /// Counts a side's room. Its dominoes have their lower or left ends on `places` and their other
    /// ends `step` bits higher; the other side's dominoes touch the cells `touched`.
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

    /// The number of dominoes that the side is sure to place, depending on whether it moves first.
    #[inline]
    fn least(self, first: bool) -> u32 {
        self.reserve + if first { self.others.div_ceil(3) } else { self.others / 3 }
    }

    /// Returns whether the side to move, with this room, wins against a side with the room `other`;
    /// `None` if counting does not decide.
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

/// The number of dominoes with first ends on `places` that fit without overlapping: every other
/// place of each unbroken run, starting with the first.
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
        // Runs of 1, 2, 3 and 4 places.
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
        // Of two dominoes, the first mover is sure to place one, the other side none.
        assert_eq!(room(0, 2).wins(room(0, 0)), Some(true));
        assert_eq!(room(0, 2).wins(room(0, 2)), None);
        assert_eq!(room(0, 1).wins(room(0, 3)), Some(false));
    }

    /// Checks a column of four cells whose ends the other side can cover: its middle is safe, but
    /// it holds only one domino instead of two once an end is covered.
    #[test]
    fn what_overlaps_the_reserve_does_not_count() {
        let room = Room::new(0b111, 1, 0b1001);
        assert_eq!(room, Room { reserve: 1, others: 0, most: 2 });
    }
}
