//! The end of a search: its limits, and other threads that stop it.

use proofwood::evaluate::LeafEvaluation;
use proofwood::{Budget, CancelToken, Config, Game, Report, Search, SearchError, StopReason};
use proofwood_testkit::dice::Dice;
use std::thread;
use std::time::Duration;

/// The limits of a search, and the threads that stop or watch it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ending {
    /// The time limit. Like the limit on processor time, it is at least a microsecond.
    pub(crate) time: Option<Duration>,
    pub(crate) processor_time: Option<Duration>,
    pub(crate) playouts: Option<u64>,
    pub(crate) nodes: Option<u64>,
    pub(crate) bytes: Option<u64>,
    /// The time from the start until the search's token is cancelled.
    pub(crate) cancelled: Option<Duration>,
    /// The times from the start at which threads stop the search.
    pub(crate) stops: Vec<Duration>,
    /// The number of threads that read reports while the search runs.
    pub(crate) watchers: usize,
    /// The number of calls after which the game panics, and whether it panics at every later call
    /// too.
    pub(crate) fuse: Option<(u64, bool)>,
}

const MOST_PLAYOUTS: usize = 20_000;

impl Ending {
    pub(crate) fn draw(dice: &mut Dice) -> Ending {
        let mut ending = Ending::default();
        if dice.chance(60) {
            ending.playouts = Some(up_to(MOST_PLAYOUTS, dice));
        }
        if dice.chance(20) {
            ending.nodes = Some(up_to(100_000, dice));
        }
        if dice.chance(10) {
            ending.bytes = Some(up_to(10_000_000, dice));
        }
        if dice.chance(25) {
            ending.time = Some(moment(dice) + Duration::from_micros(1));
        }
        if dice.chance(5) {
            ending.processor_time = Some(moment(dice) + Duration::from_micros(1));
        }
        if dice.chance(15) {
            ending.cancelled = Some(moment(dice));
        }
        if dice.chance(25) {
            ending.stops = (0..1 + dice.below(2)).map(|_| moment(dice)).collect();
        }
        ending.watchers = dice.pick(&[0, 0, 0, 1, 2]);
        if dice.chance(8) {
            ending.fuse = Some((up_to(100_000, dice), dice.chance(50)));
        }
        let ends = ending.playouts.is_some() || ending.time.is_some();
        if !ends && ending.cancelled.is_none() && ending.stops.is_empty() {
            // Nothing else ends a search of a game that cannot be solved.
            ending.stops.push(Duration::from_millis(20));
        }
        ending
    }

    fn budget(&self, token: &CancelToken) -> Budget {
        let mut budget = Budget::default();
        budget.time = self.time;
        budget.cpu_time = self.processor_time;
        budget.playouts = self.playouts;
        budget.nodes = self.nodes;
        budget.bytes = self.bytes;
        if self.cancelled.is_some() { budget.cancel(token) } else { budget }
    }

    pub(crate) fn start<G: Game, L: LeafEvaluation<G>>(
        &self,
        search: &mut Search<G, L>,
    ) -> Result<(), SearchError> {
        search.start(&self.budget(&CancelToken::new()))
    }

    /// Runs a search to its end; calls `watch` with the reports that watchers read.
    pub(crate) fn run<G: Game, L: LeafEvaluation<G>>(
        &self,
        search: &mut Search<G, L>,
        watch: impl Fn(&Report<G>) + Sync,
    ) -> Result<Report<G>, SearchError> {
        let token = CancelToken::new();
        if self.cancelled == Some(Duration::ZERO) {
            token.cancel();
        }
        search.start(&self.budget(&token))?;
        let running = &*search;
        thread::scope(|scope| {
            for &after in &self.stops {
                scope.spawn(move || {
                    thread::sleep(after);
                    running.stop();
                });
            }
            if let Some(after) = self.cancelled {
                let token = &token;
                scope.spawn(move || {
                    thread::sleep(after);
                    token.cancel();
                });
            }
            for _ in 0..self.watchers {
                scope.spawn(|| {
                    while running.is_running() {
                        watch(&running.snapshot());
                        thread::sleep(Duration::from_micros(50));
                    }
                });
            }
        });
        search.wait()
    }

    /// Asserts that the search had a reason to end and respected its limits.
    pub(crate) fn check<G: Game>(&self, config: &Config, before: &Report<G>, report: &Report<G>) {
        let reason = report.stop_reason.expect("it has ended");
        let stopped_from_outside = !self.stops.is_empty();
        let endless = self.time.is_none() && self.playouts.is_none();
        let had = match reason {
            StopReason::Playouts => self.playouts == Some(report.playouts),
            StopReason::Time => self.time.is_some_and(|time| report.elapsed >= time),
            StopReason::CpuTime => self.processor_time.is_some(),
            StopReason::Nodes => self.nodes.is_some(),
            StopReason::Bytes => self.bytes.is_some(),
            StopReason::Memory => endless,
            StopReason::Cancelled => self.cancelled.is_some(),
            StopReason::Stopped => stopped_from_outside,
            StopReason::GameOver => report.to_move.is_none(),
            // `Truth::check` compares it with the truth.
            StopReason::Solved => !report.moves.is_empty(),
            StopReason::Decided => config.stop_when_decided && !endless,
            other => panic!("what is {other:?}?"),
        };
        assert!(had, "it ended by {reason:?} after {} playouts: {self:?}", report.playouts);
        assert!(self.playouts.is_none_or(|most| report.playouts <= most), "too many playouts");
        assert!(
            self.nodes.is_none_or(|most| report.nodes <= most.max(before.nodes)),
            "{} nodes",
            report.nodes
        );
        assert!(
            self.bytes.is_none_or(|most| report.bytes <= most.max(before.bytes)),
            "{} bytes",
            report.bytes
        );
        assert_eq!(report.total_playouts, before.total_playouts + report.playouts, "playouts");
    }
}

/// Draws a number from 1 to `most`, small and large numbers equally often.
fn up_to(most: usize, dice: &mut Dice) -> u64 {
    let bits = dice.below(most.ilog2() as usize + 1);
    (1 + dice.below(2 << bits)).min(most) as u64
}

/// Draws a moment within the first milliseconds of a search, early ones more often.
fn moment(dice: &mut Dice) -> Duration {
    match dice.below(8) {
        0 => Duration::ZERO,
        _ => Duration::from_micros(up_to(20_000, dice)),
    }
}
