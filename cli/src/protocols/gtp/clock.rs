//! The players' clocks, as `time_settings` and `time_left` tell of them.

use super::super::table::on_clock;
use std::collections::HashMap;
use std::time::Duration;

/// A share of a period that is never planned with.
const MARGIN: u32 = 20;

/// The clocks.
#[derive(Debug, Default)]
pub(super) struct Clocks {
    /// What each player begins with; none without a limit.
    settings: Option<Settings>,
    /// What is known to be left.
    left: HashMap<usize, Left>,
}

/// Main time, and then periods of so many moves each.
#[derive(Clone, Copy, Debug)]
struct Settings {
    main: Duration,
    period: Duration,
    moves: u32,
}

#[derive(Clone, Copy, Debug)]
struct Left {
    time: Duration,
    /// The moves to be made in this time; 0 in main time.
    moves: u32,
}

impl Clocks {
    /// Sets all clocks. A period without moves is no limit, as the protocol has it.
    pub(super) fn set(&mut self, main: Duration, period: Duration, moves: u32) {
        let unlimited = !period.is_zero() && moves == 0;
        self.settings = (!unlimited).then_some(Settings { main, period, moves });
        self.left.clear();
    }

    /// There is no limit.
    pub(super) fn stop(&mut self) {
        *self = Clocks::default();
    }

    /// Sets one clock. It says nothing where no time is limited.
    pub(super) fn tell(&mut self, player: usize, time: Duration, moves: u32) {
        self.left.insert(player, Left { time, moves });
    }

    /// A new game begins.
    pub(super) fn restart(&mut self) {
        self.left.clear();
    }

    /// A player has thought for so long.
    pub(super) fn spend(&mut self, player: usize, time: Duration) {
        let Some(left) = self.now(player) else { return };
        let Settings { period, moves, .. } = self.settings.unwrap_or(Settings {
            main: Duration::ZERO,
            period: Duration::ZERO,
            moves: 0,
        });
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
        self.left.get(&player).copied().or(settings)
    }

    /// What a player's next move may take; `None` without a limit.
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
}
