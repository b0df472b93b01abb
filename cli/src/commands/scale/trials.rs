//! What is measured with every number of threads, or of workers.

use crate::contest::{Contender, Contest, End, Interval, Openings, Settings, Side, Standing};
use crate::display::numbers;
use crate::exit::Failure;
use proofwood::{Budget, CancelToken, Config};
use proofwood_any_game::{Answer, Position, Rules};
use std::time::Duration;

/// What is measured.
pub(super) struct Trials {
    pub(super) game: String,
    pub(super) rules: Box<dyn Rules>,
    pub(super) positions: Vec<Box<dyn Position>>,
    /// The longest that a proof may take.
    pub(super) limit: Duration,
    pub(super) time: Duration,
    pub(super) move_time: Duration,
    pub(super) rounds: u32,
    pub(super) games: u64,
    pub(super) cancel: CancelToken,
}

impl Trials {
    pub(super) fn search(
        &self,
        position: &dyn Position,
        config: &Config,
        time: Duration,
    ) -> Result<Answer, Failure> {
        let mut search = position.search(config)?;
        search.start(&Budget::default().time(time).cancel(&self.cancel))?;
        Ok(search.wait()?)
    }

    /// Games against one thread with the same budget for a move.
    pub(super) fn strength(&self, config: &Config, budget: &Budget) -> Result<Standing, Failure> {
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
            elsewhere: None,
        };
        contest.standing(End { games: self.games, jobs: 1, sprt: None }, &self.cancel)
    }
}

/// How playouts under way count, as its option writes it.
pub(super) fn way(config: &Config) -> String {
    let spec = proofwood::OPTIONS.iter().find(|spec| spec.name == "virtual-loss");
    spec.map_or_else(String::new, |spec| (spec.get)(config))
}

/// A win rate with the ends of its interval, where there is one.
pub(super) fn strength_text(strength: Option<(f64, (f64, f64))>, games: u64) -> String {
    strength.map_or_else(String::new, |(rate, (lower, upper))| {
        let interval = Interval { lower, upper }.text();
        format!("{:.1} % ({interval}; {})", rate * 100.0, numbers::number(games, "game"))
    })
}
