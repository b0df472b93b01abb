//! Measures the cost of a fixed schedule: playouts per second of `Search::repeatable` and of the
//! same search without a schedule. `cargo lab -p proofwood-experiments --bin repeatable` runs it.
//!
//! The two searches take turns, and each figure is the median of the rounds.

use clap::Parser;
use proofwood::evaluate::LeafEvaluation;
use proofwood::{Budget, Config, Game, Search, SearchError};
use proofwood_games::{ConnectFour, LinesOfAction, Othello};
use std::error::Error;
use std::time::Duration;

/// Measure the cost of a fixed schedule
#[derive(Parser)]
struct Arguments {
    /// Number of leaves that one thread gathers at a time
    #[arg(long, default_value = "64")]
    leaves: usize,
    /// Duration of each measurement in milliseconds
    #[arg(long, default_value = "500")]
    milliseconds: u64,
    /// Number of measurements of each search
    #[arg(long, default_value = "5")]
    rounds: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    compare("connect-four", ConnectFour::default, &arguments)?;
    compare("othello", Othello::default, &arguments)?;
    compare("lines-of-action", LinesOfAction::default, &arguments)
}

fn compare<G: Game>(
    name: &str,
    game: impl Fn() -> G,
    arguments: &Arguments,
) -> Result<(), Box<dyn Error>> {
    let time = Duration::from_millis(arguments.milliseconds);
    for threads in [1, 2] {
        let config = Config::default().threads(threads).seed(1);
        let (mut free, mut fixed) = (Vec::new(), Vec::new());
        for _ in 0..arguments.rounds {
            let start = game().initial_state();
            free.push(rate(Search::new(game(), start.clone(), config.clone())?, time)?);
            let search = Search::repeatable(game(), start, config.clone(), arguments.leaves)?;
            fixed.push(rate(search, time)?);
        }
        let [free, fixed] = [free, fixed].map(median);
        println!(
            "{name}, {threads} threads: {:.0} k playouts a second, {:.0} k with a schedule of {} leaves: {:.2} of them",
            free / 1e3,
            fixed / 1e3,
            arguments.leaves,
            fixed / free
        );
    }
    Ok(())
}

fn rate<G: Game, L: LeafEvaluation<G>>(
    mut search: Search<G, L>,
    time: Duration,
) -> Result<f64, SearchError> {
    Ok(search.search(&Budget::default().time(time))?.playouts_per_second())
}

fn median(mut rates: Vec<f64>) -> f64 {
    rates.sort_by(f64::total_cmp);
    rates[rates.len() / 2]
}
