//! Measurements for each number of threads or workers.

use super::{Contender, Contest, End, Interval, Openings, Settings, Side, Standing};
use crate::Trouble;
use crate::input::options::SearchOptions;
use crate::input::position_file::PositionFile;
use crate::words::numbers;
use proofwood::options::OPTIONS;
use proofwood::{Budget, CancelToken, Config};
use proofwood_any_game::{Answer, Position, Rules};
use std::time::Duration;

/// The positions, games and limits of a measurement.
pub struct Trials {
    /// The description of the game.
    pub game: String,
    /// The rules of the game.
    pub rules: Box<dyn Rules>,
    /// Positions whose proofs are timed.
    pub positions: Vec<Box<dyn Position>>,
    /// The time limit of each proof.
    pub limit: Duration,
    /// The number of games against one thread.
    pub games: u64,
    /// Stops the measurement early when cancelled.
    pub cancel: CancelToken,
}

impl Trials {
    /// Searches a position for the duration `time`.
    pub fn search(
        &self,
        position: &dyn Position,
        config: &Config,
        time: Duration,
    ) -> Result<Answer, Trouble> {
        let mut search = position.search(config)?;
        search.start(&Budget::default().time(time).cancel(&self.cancel))?;
        Ok(search.wait()?)
    }

    /// Plays `config` against its single-threaded version with the same budget for a move.
    pub fn strength(&self, config: &Config, budget: &Budget) -> Result<Standing, Trouble> {
        against_one_thread(&self.game, &*self.rules, config, budget, self.games, &self.cancel)
    }
}

/// Plays games between a configuration and its single-threaded version.
pub fn against_one_thread(
    game: &str,
    rules: &dyn Rules,
    config: &Config,
    budget: &Budget,
    games: u64,
    cancel: &CancelToken,
) -> Result<Standing, Trouble> {
    let side = |config: Config| Contender { config, budget: budget.clone(), reuse: true };
    let (a, b) = (side(config.clone()), side(config.clone().threads(1)));
    let settings = Settings {
        game: game.into(),
        a: a.written(),
        b: b.written(),
        openings: Openings::Random(2),
        seed: config.seed,
        max_plies: 2500,
    };
    let contest = Contest { rules, settings: &settings, a: &a, b: Side::Engine(&b), remote: None };
    contest.standing(End { games, jobs: 1, sprt: None }, cancel)
}

/// Reads the positions of this game from a file.
pub fn read_positions(
    path: &str,
    game: &str,
    rules: &dyn Rules,
) -> Result<Vec<Box<dyn Position>>, Trouble> {
    let mut file = PositionFile::open(path)?;
    let mut positions = Vec::new();
    while let Some(entry) = file.next()? {
        if entry.is_of_another_game(game) {
            continue;
        }
        let position = match &entry.text {
            Ok(text) => text.find(rules),
            Err(why) => Err(why.clone()),
        };
        positions.push(position.map_err(|why| file.wrong(&entry, &why).0)?);
    }
    match positions.is_empty() {
        true => Err(file.is_empty()),
        false => Ok(positions),
    }
}

/// Returns a configuration for each combination of a number of threads and a kind of virtual loss,
/// but only one configuration for a single thread.
pub fn configurations(
    options: &mut SearchOptions,
    game: &str,
    threads: &[usize],
) -> Result<Vec<Config>, Trouble> {
    let list = options.take("virtual-loss").unwrap_or("unobserved,none".into());
    let base = options.apply_to(Some(game), Config::default())?;
    let mut configurations = Vec::new();
    for &threads in threads {
        let ways: Vec<&str> = list.split(',').take(if threads == 1 { 1 } else { 64 }).collect();
        for way in ways {
            let mut config = base.clone().threads(threads);
            config.set("virtual-loss", way.trim())?;
            configurations.push(config);
        }
    }
    Ok(configurations)
}

/// Returns the kind of virtual loss, in the form used by its option.
pub fn way(config: &Config) -> String {
    let spec = OPTIONS.iter().find(|spec| spec.name == "virtual-loss");
    spec.map_or_else(String::new, |spec| (spec.get)(config))
}

/// Formats a win rate and its interval; returns an empty text if they were not measured.
pub fn strength_text(strength: Option<(f64, (f64, f64))>, games: u64) -> String {
    strength.map_or_else(String::new, |(rate, (lower, upper))| {
        let interval = Interval { lower, upper }.text();
        format!("{:.1} % ({interval}; {})", rate * 100.0, numbers::number(games, "game"))
    })
}
