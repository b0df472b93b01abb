//! The players' clocks, set by `time_settings` and `time_left`.

use super::super::table::on_clock;
use std::collections::HashMap;
use std::time::Duration;

/// The reserve for delays: a fraction of 1 / `MARGIN` of each period is not used.
const MARGIN: u32 = 20;

#[derive(Debug, Default)]
pub(super) struct Clocks {
    /// The time at the start of a game; `None` if no command has set it.
    settings: Option<Settings>,
    /// Whether a command has set the time to unlimited.
    unlimited: bool,
    /// The time left to each player, as set by `time_left` or computed by [`Clocks::spend`].
    left: HashMap<usize, Left>,
}

/// Main time, followed by periods of `moves` moves each.
#[derive(Clone, Copy, Debug)]
struct Settings {
    main: Duration,
    period: Duration,
    moves: u32,
    /// Whether the system is byoyomi: a period is for one move, and `time_left` counts periods.
    byoyomi: bool,
}

#[derive(Clone, Copy, Debug)]
struct Left {
    time: Duration,
    /// The number of moves to be made in this time; 0 in main time.
    moves: u32,
}

impl Clocks {
    /// Sets all clocks to main time and periods of `moves` moves. In the protocol, a period for 0
    /// moves means unlimited time.
    pub(super) fn set(&mut self, main: Duration, period: Duration, moves: u32) {
        let settings = Settings { main, period, moves, byoyomi: false };
        let unlimited = !period.is_zero() && moves == 0;
        *self =
            Clocks { settings: (!unlimited).then_some(settings), unlimited, ..Clocks::default() };
    }

    /// Sets all clocks to main time and Japanese byoyomi: a period for one move, which restarts if
    /// the move is made in time.
    pub(super) fn set_byoyomi(&mut self, main: Duration, period: Duration) {
        let settings = Some(Settings { main, period, moves: 1, byoyomi: true });
        *self = Clocks { settings, ..Clocks::default() };
    }

    pub(super) fn stop(&mut self) {
        *self = Clocks { unlimited: true, ..Clocks::default() };
    }

    /// Sets a player's clock, as `time_left` does. Has no effect while time is unlimited.
    pub(super) fn tell(&mut self, player: usize, time: Duration, count: u32) {
        let left = match self.settings {
            Some(Settings { byoyomi: true, period, .. }) if count > 0 => {
                // This period is used up, and the next one begins.
                let time = if time.is_zero() && count > 1 { period } else { time };
                Left { time, moves: 1 }
            }
            _ => Left { time, moves: count },
        };
        self.left.insert(player, left);
    }

    pub(super) fn restart(&mut self) {
        self.left.clear();
    }

    /// Deducts the time that a player spent on a move.
    pub(super) fn spend(&mut self, player: usize, time: Duration) {
        let Some(left) = self.now(player) else { return };
        let (period, moves) =
            self.settings.map_or((Duration::ZERO, 0), |settings| (settings.period, settings.moves));
        let rest = left.time.saturating_sub(time);
        let next = match left.moves {
            // The main time is used up.
            0 if rest.is_zero() && moves > 0 => Left { time: period, moves },
            0 => Left { time: rest, moves: 0 },
            // The next period begins.
            1 if moves > 0 => Left { time: period, moves },
            more => Left { time: rest, moves: more - 1 },
        };
        self.left.insert(player, next);
    }

    fn now(&self, player: usize) -> Option<Left> {
        let settings = self.settings.map(|settings| match settings.main.is_zero() {
            true => Left { time: settings.period, moves: settings.moves },
            false => Left { time: settings.main, moves: 0 },
        });
        self.left.get(&player).copied().or(settings).filter(|_| !self.unlimited)
    }

    /// Returns the time for a player's next move; `None` if it is unlimited.
    pub(super) fn time(&self, player: usize) -> Option<Duration> {
        let Left { time, moves } = self.now(player)?;
        let planned = match moves {
            0 => on_clock(time, Duration::ZERO, None),
            1 => return Some((time - time / MARGIN).max(Duration::from_millis(1))),
            more => on_clock(time, Duration::ZERO, Some(more)),
        };
        planned.time
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn clocks_run_down() {
        let mut clocks = Clocks::default();
        assert_eq!(clocks.time(0), None);
        clocks.set(Duration::ZERO, SECOND, 1);
        assert_eq!(clocks.time(1), Some(Duration::from_millis(950)));
        clocks.spend(1, SECOND);
        assert_eq!(clocks.time(1), Some(Duration::from_millis(950)));
        clocks.set(100 * SECOND, Duration::ZERO, 0);
        let first = clocks.time(0).unwrap();
        clocks.spend(0, 50 * SECOND);
        assert!(clocks.time(0).unwrap() < first && clocks.time(1) == Some(first));
        clocks.tell(0, Duration::ZERO, 0);
        assert!(!clocks.time(0).unwrap().is_zero());
        clocks.set(SECOND, SECOND, 0);
        assert_eq!(clocks.time(0), None);
    }

    /// `time_left` counts periods under byoyomi, and moves under Canadian time.
    #[test]
    fn periods_are_no_moves() {
        let whole = Some(SECOND * 30 - SECOND * 30 / MARGIN);
        let mut clocks = Clocks::default();
        clocks.set_byoyomi(300 * SECOND, 30 * SECOND);
        let main = clocks.time(0);
        for (time, periods) in [(30, 5), (30, 1), (0, 5)] {
            clocks.tell(0, time * SECOND, periods);
            assert_eq!(clocks.time(0), whole, "{time} {periods}");
            clocks.spend(0, 10 * SECOND);
            assert_eq!(clocks.time(0), whole, "{time} {periods}");
        }
        assert_eq!(clocks.time(1), main);
        // Canadian time counts moves.
        clocks.set(300 * SECOND, 30 * SECOND, 5);
        clocks.tell(0, 30 * SECOND, 5);
        assert!(clocks.time(0) < Some(10 * SECOND));
        clocks.tell(0, 30 * SECOND, 1);
        assert_eq!(clocks.time(0), whole);
    }

    #[test]
    fn no_limit_stays_no_limit() {
        let mut clocks = Clocks::default();
        clocks.set(Duration::ZERO, 2 * SECOND, 0);
        clocks.tell(0, Duration::ZERO, 0);
        assert_eq!(clocks.time(0), None);
        clocks.stop();
        clocks.tell(0, SECOND, 1);
        assert_eq!(clocks.time(0), None);
        // `time_left` sets a limit even without `time_settings`.
        clocks = Clocks::default();
        clocks.tell(0, SECOND, 1);
        assert!(clocks.time(0).is_some());
    }
}
