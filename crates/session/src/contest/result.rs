//! The result of a match.

use super::games::{GameRecord, Settings, Spent};
use super::run::decision;
use super::sprt::{Sprt, Verdict};
use super::standing::{Interval, Standing, elo};
use crate::Trouble;
use crate::files::{Whole, csv_file};
use serde::Serialize;
use std::path::Path;

/// The result of a match.
#[derive(Debug, Serialize)]
pub struct MatchResult<'a> {
    /// The settings of the match.
    #[serde(flatten)]
    pub settings: &'a Settings,
    /// The names of the game's players, first player first.
    pub players: Vec<String>,
    /// The number of finished games.
    pub games: u64,
    /// The number of games in which A received the whole point.
    pub wins: u64,
    /// The number of games in which A received a part of the point.
    pub draws: u64,
    /// The number of games in which A received nothing.
    pub losses: u64,
    /// A's share of all points, from 0 to 1; null before the first game.
    pub win_rate: Option<f64>,
    /// Wilson's 95 % confidence interval of the win rate.
    pub interval: Interval,
    /// The win rate of equally strong players: one divided by the number of players.
    pub even: f64,
    /// A's advantage in Elo, for two players; null if it is infinite or no game was played.
    pub elo: Option<f64>,
    /// The ends of the interval in Elo, each null if infinite. The whole is null if no game was
    /// played or if there are more than two players.
    pub elo_interval: Option<[Option<f64>; 2]>,
    /// The sequential test of `--sprt`; null without it.
    pub sprt: Option<SprtResult>,
    /// The games that B forfeited, each as `game 3: ` followed by the reason.
    pub forfeits: Vec<String>,
    /// The mean number of moves in a game, counting the moves of all players.
    pub mean_plies: f64,
    /// The resources spent by A in all games.
    pub a_spent: Spent,
    /// The resources spent by B in all games and all of its seats.
    pub b_spent: Spent,
    /// The file with the record of the games; null without `--record`.
    pub record: Option<&'a Path>,
    /// Whether all games were played or the sequential test came to a decision.
    pub finished: bool,
}

/// The state of a sequential test.
#[derive(Debug, Serialize)]
pub struct SprtResult {
    /// The hypotheses.
    #[serde(flatten)]
    pub test: Sprt,
    /// The logarithm of the likelihood of `elo1` divided by that of `elo0`.
    pub log_likelihood_ratio: f64,
    /// The log-likelihood ratios at which `elo0` and `elo1` are accepted.
    pub limits: [f64; 2],
    /// The accepted hypothesis, or `open` if more games are needed.
    pub verdict: Verdict,
}

impl<'a> MatchResult<'a> {
    /// Returns the result of `games`; `wanted` is the planned number of games.
    pub fn new(
        settings: &'a Settings,
        players: Vec<String>,
        games: &[GameRecord],
        sprt: Option<Sprt>,
        wanted: u64,
        record: Option<&'a Path>,
    ) -> MatchResult<'a> {
        let count = players.len();
        let standing = Standing::of(games);
        let interval = standing.interval();
        let finite = |rate: f64| Some(elo(rate)).filter(|elo| elo.is_finite() && count == 2);
        let sprt = sprt.map(|test| SprtResult::new(test, games));
        let decided = sprt.as_ref().is_some_and(|sprt| sprt.verdict != Verdict::Open);
        let sum = |spent: fn(&GameRecord) -> &Spent| {
            let mut sum = Spent::default();
            games.iter().for_each(|game| sum.add(spent(game)));
            sum
        };
        let plies: usize = games.iter().map(|game| game.plies).sum();
        MatchResult {
            settings,
            players,
            games: standing.games(),
            wins: standing.wins,
            draws: standing.draws,
            losses: standing.losses,
            win_rate: (standing.games() > 0).then(|| standing.rate()),
            interval,
            even: 1.0 / count as f64,
            elo: finite(standing.rate()).filter(|_| standing.games() > 0),
            elo_interval: (count == 2 && standing.games() > 0)
                .then(|| [finite(interval.lower), finite(interval.upper)]),
            sprt,
            forfeits: games
                .iter()
                .filter_map(|game| {
                    Some(format!("game {}: {}", game.number, game.forfeit.as_ref()?))
                })
                .collect(),
            mean_plies: plies as f64 / games.len().max(1) as f64,
            a_spent: sum(|game| &game.a),
            b_spent: sum(|game| &game.b),
            record,
            finished: decided || standing.games() >= wanted,
        }
    }
}

impl SprtResult {
    /// Returns the state of a test after these games.
    pub fn new(test: Sprt, games: &[GameRecord]) -> SprtResult {
        let (standing, verdict) = decision(&test, games);
        let (low, high) = test.limits();
        let log_likelihood_ratio = test.log_likelihood_ratio(&standing);
        SprtResult { test, log_likelihood_ratio, limits: [low, high], verdict }
    }
}

/// Writes a CSV file with one line for every game.
pub fn write_csv(file: &mut Whole, games: &[GameRecord]) -> Result<(), Trouble> {
    #[derive(Serialize)]
    struct Row {
        number: u64,
        a_seat: usize,
        points: f64,
        plies: usize,
        payoffs: String,
        a_moves: u64,
        a_playouts: u64,
        a_seconds: f64,
        b_moves: u64,
        b_playouts: u64,
        b_seconds: f64,
    }
    let rows = games.iter().map(|game| Row {
        number: game.number,
        a_seat: game.a_seat,
        points: game.points,
        plies: game.plies,
        payoffs: game.payoffs.iter().flatten().map(i32::to_string).collect::<Vec<_>>().join(" "),
        a_moves: game.a.moves,
        a_playouts: game.a.playouts,
        a_seconds: game.a.seconds,
        b_moves: game.b.moves,
        b_playouts: game.b.playouts,
        b_seconds: game.b.seconds,
    });
    csv_file(file, rows)
}
