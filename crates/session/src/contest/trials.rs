//! Measurements for each number of threads, for `scale` and the laboratory.

use proofwood::{Budget, CancelToken, Config};
use proofwood_any_game::{Answer, Position, Rules};
use proofwood_session::Trouble;
use proofwood_session::contest::{
    Contender, Contest, End, Interval, Openings, Settings, Side, Standing,
};
use proofwood_session::input::options::SearchOptions;
use proofwood_session::input::position_file::PositionFile;
use proofwood_session::words::numbers;
use std::time::Duration;

pub struct Trials {
    pub game: String,
    pub rules: Box<dyn Rules>,
    pub positions: Vec<Box<dyn Position>>,
    pub limit: Duration,
    pub games: u64,
    pub cancel: CancelToken,
}

impl Trials {
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

    /// Plays games against one thread with the same budget for a move.
    pub fn strength(&self, config: &Config, budget: &Budget) -> Result<Standing, Trouble> {
        let side = |config: Config| Contender { config, budget: budget.clone(), reuse: true };
        let (a, b) = (side(config.clone()), side(config.clone().threads(1)));
        let settings = Settings {
            game: self.game.clone(),
            a: a.written(),
            b: b.written(),
            openings: Openings::Random(2),
            seed: 0,
            max_plies: 2500,
        };
        let contest = Contest {
            rules: &*self.rules,
            settings: &settings,
            a: &a,
            b: Side::Engine(&b),
            remote: None,
        };
        contest.standing(End { games: self.games, jobs: 1, sprt: None }, &self.cancel)
    }
}

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

/// Returns one configuration with one thread, and for each larger number of threads one for each
/// kind of virtual loss.
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

/// Returns the kind of virtual loss, as its option writes it.
pub fn way(config: &Config) -> String {
    let spec = proofwood::options::OPTIONS.iter().find(|spec| spec.name == "virtual-loss");
    spec.map_or_else(String::new, |spec| (spec.get)(config))
}

/// Writes a win rate and its interval, if it was measured.
pub fn strength_text(strength: Option<(f64, (f64, f64))>, games: u64) -> String {
    strength.map_or_else(String::new, |(rate, (lower, upper))| {
        let interval = Interval { lower, upper }.text();
        format!("{:.1} % ({interval}; {})", rate * 100.0, numbers::number(games, "game"))
    })
}
