//! The search for good options by successive halving.

use super::{
    Contender, Contest, End, Interval, Openings, Records, RemoteGames, Settings, Side, Standing,
};
use crate::Trouble;
use crate::input::presets;
use crate::solving::machines::Remote;
use proofwood::{Budget, CancelToken, Config};
use proofwood_any_game::Rules;
use serde::Serialize;

/// A combination of option values, with its results against the engine without proof numbers.
#[derive(Clone, Debug, Serialize)]
pub struct Candidate {
    /// The values as command-line options.
    pub options: String,
    /// The number of games played.
    pub games: u64,
    /// The share of points won, from 0 to 1.
    pub win_rate: f64,
    /// Wilson's 95 % confidence interval of the win rate.
    pub interval: Interval,
}

/// The settings common to all matches.
pub struct Tuning {
    /// The description of the game.
    pub game: String,
    /// The rules of the game.
    pub rules: Box<dyn Rules>,
    /// The options common to all players.
    pub base: Config,
    /// The budget of a move.
    pub budget: Budget,
    /// The positions in which games begin.
    pub openings: Openings,
    /// The records of the games.
    pub records: Records,
    /// The number of games played in parallel.
    pub jobs: usize,
    /// Remote machines that play the games instead of this one.
    pub machines: Option<Box<dyn Remote>>,
    /// Stops the tuning early when cancelled.
    pub cancel: CancelToken,
}

/// The candidate that plays next.
pub struct Turn<'a> {
    /// The stage, counted from 1.
    pub stage: usize,
    /// The candidate's number within the stage, counted from 1.
    pub number: usize,
    /// The number of candidates in the stage.
    pub of: usize,
    /// The total number of games that each candidate has played by the end of the stage.
    pub games: u64,
    /// The candidate's options.
    pub options: &'a str,
}

impl Tuning {
    /// Plays all stages, with about `games` games in total, and sorts the candidates, best first.
    /// If cancelled, leaves them unsorted and returns the stage and the number of stages.
    pub fn halve(
        &self,
        candidates: &mut [Candidate],
        games: u64,
        show: &dyn Fn(Turn<'_>),
    ) -> Result<Option<(usize, usize)>, Trouble> {
        let stages = stages(candidates.len(), games);
        for (stage, &(left, games)) in (1..).zip(&stages) {
            for (number, candidate) in (1..).zip(&mut candidates[..left]) {
                let options = candidate.options.clone();
                show(Turn { stage, number, of: left, games, options: &options });
                *candidate = self.play(&options, games, 0)?;
                if self.cancel.is_cancelled() {
                    return Ok(Some((stage, stages.len())));
                }
            }
            // The sort is stable: among equally good candidates, those listed first survive.
            candidates[..left].sort_by(|a, b| b.win_rate.total_cmp(&a.win_rate));
        }
        Ok(None)
    }

    /// Plays `games` games between a candidate and the engine without proof numbers.
    pub fn play(&self, options: &str, games: u64, seed: u64) -> Result<Candidate, Trouble> {
        let side = |own: &str| {
            let mut config = self.base.clone();
            presets::set(own, &mut config)?;
            config.check()?;
            Ok::<_, Trouble>(Contender { config, budget: self.budget.clone(), reuse: true })
        };
        let a = side(options)?;
        let b = side("--c-pn 0")?;
        let settings = Settings {
            game: self.game.clone(),
            a: a.written(),
            b: b.written(),
            openings: self.openings.clone(),
            seed,
            max_plies: 2500,
        };
        let remote = self.machines.as_ref().map(|machines| &**machines as &dyn RemoteGames);
        let (rules, b) = (&*self.rules, Side::Engine(&b));
        let contest = Contest { rules, settings: &settings, a: &a, b, remote };
        let plain: String =
            options.replace("--", "").split_whitespace().collect::<Vec<_>>().join("-");
        let name = format!("{plain}.{seed}");
        let end = End { games, jobs: self.jobs, sprt: None };
        let standing = contest.resume(&self.records, &name, end, &self.cancel)?;
        Ok(Candidate::new(options, &standing))
    }
}

impl Candidate {
    /// Creates a candidate with the results of the games that it has played.
    pub fn new(options: &str, standing: &Standing) -> Candidate {
        Candidate {
            options: options.to_string(),
            games: standing.games(),
            win_rate: standing.rate(),
            interval: standing.interval(),
        }
    }
}

/// Returns, for each stage, the number of candidates and the total number of games that each has
/// played by the end of the stage. All stages cost about the same.
fn stages(candidates: usize, games: u64) -> Vec<(usize, u64)> {
    let mut counts = Vec::new();
    let mut left = candidates;
    while left > 1 {
        counts.push(left);
        left = left.div_ceil(2);
    }
    let share = games / counts.len().max(1) as u64;
    let mut total = 0;
    let stage = |count: usize| {
        // Each opening takes two games.
        total += (share / count as u64 / 2 * 2).max(2);
        (count, total)
    };
    counts.into_iter().map(stage).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_cost_the_same_and_leave_one() {
        let stages = stages(42, 1200);
        let counts: Vec<usize> = stages.iter().map(|stage| stage.0).collect();
        assert_eq!(counts, [42, 21, 11, 6, 3, 2]);
        let mut before = 0;
        for (count, games) in stages {
            let played = (games - before) * count as u64;
            assert!(games % 2 == 0 && (100..=200).contains(&played), "{count} {games}");
            before = games;
        }
        assert!(super::stages(1, 100).is_empty());
    }
}
