//! Recommends a number of threads.
//!
//! More threads run more playouts per second, but each playout is slightly less effective because
//! it cannot use the results of playouts in flight. Searches measure the rate. Games against one
//! thread measure the loss if both sides have equal playouts, and the net effect if they have equal
//! time.

use super::sample;
use crate::Trouble;
use crate::contest::trials::against_one_thread;
use crate::contest::{Interval, Standing, elo};
use crate::words::numbers;
use proofwood::{Budget, CancelToken, Config};
use proofwood_any_game::Rules;
use proofwood_measure::median;
use serde::Serialize;
use std::time::Duration;

/// A number of threads counts as fast as any other if its rate is at least this share of the
/// greatest rate.
const AS_FAST: f64 = 0.95;

/// The measurements to make.
pub struct Plan {
    /// The budget of a search.
    pub budget: Budget,
    /// The number of rounds in which each thread count is measured.
    pub rounds: u32,
    /// The number of games with equal playouts, and of games with equal time.
    pub games: u64,
    /// The time for a move in games.
    pub move_time: Duration,
    /// The configuration of the searches.
    pub config: Config,
    /// A token that ends the measurements early.
    pub cancel: CancelToken,
    /// The greatest number of threads to try.
    pub most: usize,
}

/// The advice on the number of threads for a game, with the measurements behind it.
#[derive(Debug, Serialize)]
pub struct Advice {
    /// The game's description.
    pub game: String,
    /// The recommended number of threads; null if nothing was measured.
    pub threads: Option<usize>,
    /// The measurements, one row for each number of threads.
    pub rows: Vec<Row>,
    /// Whether all measurements were made; false after Ctrl-C.
    pub finished: bool,
}

/// The measurements for one number of threads.
#[derive(Debug, Serialize)]
pub struct Row {
    /// The number of threads.
    pub threads: usize,
    /// The median rate of the rounds, in playouts per second.
    pub playouts_per_second: f64,
    /// The least and the greatest rate of the rounds, in playouts per second.
    pub range: [f64; 2],
    /// The rate divided by that of one thread.
    pub speed_up: f64,
    /// The results of games against one thread with equal playouts for each move; null if none were
    /// played.
    pub equal_playouts: Option<Strength>,
    /// The results of games against one thread with equal time for each move; null if none were
    /// played.
    pub equal_time: Option<Strength>,
}

/// The results of games against one thread.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Strength {
    /// The number of games.
    pub games: u64,
    /// The share of points won, from 0 to 1.
    pub win_rate: f64,
    /// Wilson's 95 % confidence interval of the win rate.
    pub interval: Interval,
    /// The win rate as a difference in Elo; null if it is infinite.
    pub elo: Option<f64>,
    /// The ends of the interval as differences in Elo, each null if infinite.
    pub elo_interval: [Option<f64>; 2],
}

impl Strength {
    /// Returns the results of the games in `standing`; `None` if there are none.
    pub fn of(standing: &Standing) -> Option<Strength> {
        let finite = |rate: f64| Some(elo(rate)).filter(|elo| elo.is_finite());
        let (win_rate, interval) = (standing.rate(), standing.interval());
        (standing.games() > 0).then(|| Strength {
            games: standing.games(),
            win_rate,
            interval,
            elo: finite(win_rate),
            elo_interval: [finite(interval.lower), finite(interval.upper)],
        })
    }
}

/// Returns the numbers of threads to try: the powers of two below `most`, and `most`.
fn numbers_of_threads(most: usize) -> Vec<usize> {
    let doublings = std::iter::successors(Some(1), |threads| Some(threads * 2));
    doublings.take_while(|&threads| threads < most).chain([most]).collect()
}

/// Measures all rows, and passes a description of each step to `show`. If cancelled, returns the
/// rows completed so far.
pub fn measure(
    game: &str,
    rules: &dyn Rules,
    plan: &Plan,
    show: &dyn Fn(String),
) -> Result<Advice, Trouble> {
    let mut rows: Vec<Row> = Vec::new();
    let mut finished = true;
    for threads in numbers_of_threads(plan.most) {
        let config = plan.config.clone().threads(threads);
        let mut rates = Vec::new();
        for round in 1..=plan.rounds {
            show(format!("{}, round {round}", numbers::number(threads as u64, "thread")));
            let Some(found) = sample::measure(game, &config, &plan.budget, &plan.cancel)? else {
                break;
            };
            rates.push(found.tree.rate());
        }
        if rates.len() < plan.rounds as usize {
            finished = false;
            break;
        }
        let playouts_per_second = median(rates.clone());
        let range = [
            rates.iter().copied().fold(f64::INFINITY, f64::min),
            rates.iter().copied().fold(0.0, f64::max),
        ];
        let one = rows.first().map_or(playouts_per_second, |row| row.playouts_per_second);
        rows.push(Row {
            threads,
            playouts_per_second,
            range,
            speed_up: playouts_per_second / one,
            equal_playouts: None,
            equal_time: None,
        });
    }
    // Elo is only defined for two players.
    let games = if rules.players() == 2 { plan.games } else { 0 };
    let one = rows.first().map_or(0.0, |row| row.playouts_per_second);
    // The number of playouts that one thread runs in the time for a move.
    let playouts = ((one * plan.move_time.as_secs_f64()) as u64).max(1);
    let budgets = [Budget::default().playouts(playouts), Budget::default().time(plan.move_time)];
    for row in rows.iter_mut().filter(|row| row.threads > 1 && games > 0) {
        for (number, budget) in budgets.iter().enumerate() {
            let equal = if number == 0 { "playouts" } else { "time" };
            let threads = numbers::number(row.threads as u64, "thread");
            show(format!("{threads}, games at equal {equal}"));
            let config = plan.config.clone().threads(row.threads);
            let standing = against_one_thread(game, rules, &config, budget, games, &plan.cancel)?;
            finished &= standing.games() == games;
            let strength = Strength::of(&standing);
            match number {
                0 => row.equal_playouts = strength,
                _ => row.equal_time = strength,
            }
        }
    }
    Ok(Advice { game: game.into(), threads: advised(&rows), rows, finished })
}

/// Returns the smallest number of threads that is about as fast as the fastest, ignoring numbers
/// that lost to one thread in games with equal time.
fn advised(rows: &[Row]) -> Option<usize> {
    let is_weaker = |row: &&Row| row.equal_time.is_some_and(|found| found.interval.upper < 0.5);
    let sound: Vec<&Row> = rows.iter().filter(|row| !is_weaker(row)).collect();
    let most = sound.iter().map(|row| row.playouts_per_second).fold(0.0, f64::max);
    let fast = sound.iter().filter(|row| row.playouts_per_second >= AS_FAST * most);
    fast.map(|row| row.threads).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(threads: usize, rate: f64, points: Option<(u64, u64)>) -> Row {
        let equal_time = points.and_then(|(wins, losses)| {
            Strength::of(&Standing { wins, losses, draws: 0, points: wins as f64 })
        });
        let (range, equal_playouts) = ([rate, rate], equal_time);
        Row {
            threads,
            playouts_per_second: rate,
            range,
            speed_up: rate,
            equal_playouts,
            equal_time,
        }
    }

    #[test]
    fn doublings_and_the_most_are_tried() {
        for (most, tried) in
            [(1, vec![1]), (2, vec![1, 2]), (6, vec![1, 2, 4, 6]), (8, vec![1, 2, 4, 8])]
        {
            assert_eq!(numbers_of_threads(most), tried);
        }
    }

    #[test]
    fn the_fewest_that_are_fast_and_not_weaker() {
        let advised = |rows: &[Row]| advised(rows);
        assert_eq!(advised(&[]), None);
        assert_eq!(advised(&[row(1, 1.0, None), row(2, 1.9, None), row(4, 1.95, None)]), Some(2));
        assert_eq!(advised(&[row(1, 1.0, None), row(2, 1.02, None)]), Some(1));
        let weaker = row(4, 3.5, Some((0, 40)));
        assert_eq!(advised(&[row(1, 1.0, None), row(2, 1.9, Some((20, 20))), weaker]), Some(2));
    }
}
