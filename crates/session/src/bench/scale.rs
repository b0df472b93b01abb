//! Measures speed, proofs and strength for each number of threads.

use crate::Trouble;
use crate::contest::trials::{Trials, way};
use proofwood::{Budget, Config};
use proofwood_measure::{Clock, Took, median};
use serde::Serialize;
use std::time::Duration;

/// The measurements for one number of threads.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Row {
    /// The game's description.
    pub game: String,
    /// The number of threads.
    pub threads: usize,
    /// The kind of virtual loss, which keeps threads off each other's paths.
    pub virtual_loss: String,
    /// The rate in playouts per second.
    pub playouts_per_second: f64,
    /// The rate divided by the rate with one thread; 0 if that was not measured.
    pub speed_up: f64,
    /// The processor time divided by the wall-clock time while the rate was measured: the number of
    /// cores in use.
    pub cores: f64,
    /// The number of positions that the search tried to prove.
    pub positions: u64,
    /// The number of positions that were proven.
    pub solved: u64,
    /// The time spent on all these proofs.
    pub proof_seconds: f64,
    /// The number of playouts in all these proofs.
    pub proof_playouts: u64,
    /// The number of games against one thread.
    pub games: u64,
    /// The win rate against one thread, from 0 to 1; null without games.
    pub win_rate: Option<f64>,
    /// The lower end of the win rate's 95 % confidence interval; null without games.
    pub lower: Option<f64>,
    /// The upper end of the win rate's 95 % confidence interval; null without games.
    pub upper: Option<f64>,
}

/// The measurements to make with each configuration.
pub struct Plan {
    /// The searches, proofs and games to measure.
    pub trials: Trials,
    /// The time of each search that measures the speed.
    pub time: Duration,
    /// The time for a move in games.
    pub move_time: Duration,
    /// The number of searches whose median gives the speed.
    pub rounds: u32,
}

impl Plan {
    /// Measures a configuration, and passes a description of each step to `show`. Does not set the
    /// speed-up.
    pub fn measure(&self, config: &Config, show: &dyn Fn(String)) -> Result<Row, Trouble> {
        let trials = &self.trials;
        let mut row = Row {
            game: trials.game.clone(),
            threads: config.threads,
            virtual_loss: way(config),
            ..Row::default()
        };
        show("speed".into());
        (row.playouts_per_second, row.cores) = self.speed(config)?;
        for (number, position) in trials.positions.iter().enumerate() {
            if trials.cancel.is_cancelled() {
                break;
            }
            show(format!("proof {} of {}", number + 1, trials.positions.len()));
            let answer = trials.search(&**position, config, trials.limit)?;
            row.positions += 1;
            row.solved += u64::from(answer.solved);
            row.proof_seconds += answer.elapsed.as_secs_f64();
            row.proof_playouts += answer.playouts;
        }
        if config.threads > 1 && trials.games > 0 {
            show("games".into());
            let standing = trials.strength(config, &Budget::default().time(self.move_time))?;
            let interval = standing.interval();
            row.games = standing.games();
            row.win_rate = Some(standing.rate());
            (row.lower, row.upper) = (Some(interval.lower), Some(interval.upper));
        }
        Ok(row)
    }

    /// Measures the playouts per second, and the number of cores in use.
    fn speed(&self, config: &Config) -> Result<(f64, f64), Trouble> {
        let position = self.trials.rules.start();
        let (mut rates, mut cores) = (Vec::new(), Vec::new());
        for _ in 0..self.rounds {
            let clock = Clock::start();
            rates.push(self.trials.search(&*position, config, self.time)?.playouts_per_second);
            let Took { wall, cpu } = clock.took();
            cores.push(cpu.as_secs_f64() / wall.as_secs_f64().max(1e-9));
        }
        Ok((median(rates), median(cores)))
    }
}
