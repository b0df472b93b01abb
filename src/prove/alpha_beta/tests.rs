//! Horizons, and walks that are interrupted.

use super::{FIRST_HORIZON, Horizon, LAST_HORIZON};
use crate::prove::question::Verdict;

#[test]
fn horizons_take_turns_and_go_further() {
    for thread in [0, 1] {
        let mut horizon = Horizon::first(thread);
        for moves in [FIRST_HORIZON, 8, 16, 32] {
            assert_eq!((horizon.moves, horizon.favours), (moves, Horizon::first(thread).favours));
            horizon = horizon.next(thread);
            assert_eq!(horizon.moves, moves);
            assert_ne!(horizon.favours, Horizon::first(thread).favours);
            horizon = horizon.next(thread);
        }
        (0..100).for_each(|_| horizon = horizon.next(thread));
        assert_eq!(horizon.moves, LAST_HORIZON);
    }
}

#[test]
fn an_open_position_counts_up_to_its_horizon_and_for_its_side() {
    let horizon = Horizon { moves: 16, favours: Verdict::Proven };
    let other = Horizon { favours: Verdict::Disproven, ..horizon };
    let number = horizon.number(7);
    assert!(horizon.covers(number, 7) && horizon.covers(number, 3));
    assert!(!horizon.covers(number, 8) && !other.covers(number, 3));
    assert!(horizon.number(LAST_HORIZON) < 1 << crate::prove::table::FIELD);
}
