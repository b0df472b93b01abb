//! Time control, which determines the time for a move.

use super::budget::Budget;
use std::time::Duration;

/// The state of a player's clock when a move is due.
///
/// The time for the move is an even share of the time left, without a safety margin, plus the
/// increment:
///
/// ```text
/// usable = left − margin
/// time   = min(usable / moves + increment,  usable · max(1/2, 1/moves))
/// ```
///
/// *moves* is [`moves_to_go`](Clock::moves_to_go), or [`MOVES_AHEAD`](Clock::MOVES_AHEAD) if the
/// time is for the rest of the game. The second term keeps half of the usable time for later, even
/// if the increment is larger than the time left; only the last move before a time control may use
/// all of it. The result is at least one millisecond.
///
/// ```
/// use proofwood::Clock;
/// use std::time::Duration;
///
/// // Two minutes for the rest of the game, and one second more for each move.
/// let clock = Clock::new(Duration::from_secs(120)).increment(Duration::from_secs(1));
/// let time = clock.time();
/// assert!(time > Duration::from_secs(4) && time < Duration::from_secs(6));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Clock {
    /// The time left on the clock.
    pub left: Duration,
    /// The time added after each move.
    pub increment: Duration,
    /// The number of moves until the next time control, including this one; `None` or 0 if the time
    /// is for the rest of the game.
    pub moves_to_go: Option<u32>,
    /// The safety margin, which no move uses. It covers the delays between the clock's start and
    /// the search's, and between their ends.
    pub margin: Duration,
}

impl Clock {
    /// The assumed number of moves left if the time is for the rest of the game.
    pub const MOVES_AHEAD: u32 = 30;
    /// The default safety margin.
    pub const MARGIN: Duration = Duration::from_millis(50);
    const LEAST: Duration = Duration::from_millis(1);

    /// Creates a clock with `left` for the rest of the game and no increment.
    pub fn new(left: Duration) -> Clock {
        Clock { left, increment: Duration::ZERO, moves_to_go: None, margin: Clock::MARGIN }
    }

    /// Sets the time added after each move.
    #[must_use]
    pub fn increment(mut self, increment: Duration) -> Clock {
        self.increment = increment;
        self
    }

    /// Sets the number of moves until the next time control.
    #[must_use]
    pub fn moves_to_go(mut self, moves: u32) -> Clock {
        self.moves_to_go = Some(moves);
        self
    }

    /// Sets the safety margin.
    #[must_use]
    pub fn margin(mut self, margin: Duration) -> Clock {
        self.margin = margin;
        self
    }

    /// Returns the time for this move.
    pub fn time(&self) -> Duration {
        let usable = self.left.saturating_sub(self.margin);
        let moves = self.moves_to_go.filter(|&moves| moves > 0).unwrap_or(Clock::MOVES_AHEAD);
        let most = usable / moves.min(2);
        (usable / moves).saturating_add(self.increment).min(most).max(Clock::LEAST)
    }

    /// Returns the time for this move as a search's budget.
    pub fn budget(&self) -> Budget {
        Budget::default().time(self.time())
    }

    /// Returns the clock after a move that took `spent`, with the increment added. When
    /// `moves_to_go` reaches 0, the caller has to add the time for the next period.
    #[must_use]
    pub fn after(self, spent: Duration) -> Clock {
        Clock {
            left: self.left.saturating_sub(spent).saturating_add(self.increment),
            moves_to_go: self.moves_to_go.map(|moves| moves.saturating_sub(1)),
            ..self
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn the_formula_by_hand() {
        let clock = Clock::new(61 * SECOND).margin(SECOND);
        assert_eq!(clock.time(), 2 * SECOND);
        assert_eq!(clock.increment(3 * SECOND).time(), 5 * SECOND);
        assert_eq!(clock.moves_to_go(4).time(), 15 * SECOND);
        assert_eq!(clock.moves_to_go(1).time(), 60 * SECOND);
        assert_eq!(clock.moves_to_go(0).time(), 2 * SECOND);
        // The time is at most half of the usable time, however large the increment is.
        assert_eq!(clock.increment(100 * SECOND).time(), 30 * SECOND);
        assert_eq!(Clock::new(Duration::from_millis(20)).time(), Duration::from_millis(1));
        assert_eq!(clock.budget().time, Some(clock.time()));
    }

    proptest! {
        /// A player who exceeds each move's time by less than the margin never runs out of time.
        #[test]
        fn a_long_game_stays_within_its_time(
            left in 500u64..100_000,
            increment in 0u64..2000,
            lag in 0u64..20,
            period in prop::option::of(1u32..60),
        ) {
            let millis = Duration::from_millis;
            // The increment must exceed the lag.
            let increment = increment.max(lag + 1);
            let mut clock = Clock::new(millis(left)).increment(millis(increment));
            clock.moves_to_go = period;
            for _ in 0..500 {
                let spent = clock.time() + millis(lag);
                prop_assert!(spent <= clock.left, "{:?} of {:?}", spent, clock);
                clock = clock.after(spent);
                if clock.moves_to_go == Some(0) {
                    clock.moves_to_go = period;
                    clock.left += millis(left);
                }
            }
        }

        #[test]
        fn more_time_is_never_less_for_the_move(
            left in 0u64..1_000_000,
            more in 0u64..1_000_000,
            moves in prop::option::of(0u32..100),
        ) {
            let clock = |left| Clock { moves_to_go: moves, ..Clock::new(Duration::from_millis(left)) };
            prop_assert!(clock(left).time() <= clock(left + more).time());
        }
    }
}
