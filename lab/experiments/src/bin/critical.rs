//! Measures how often a search keeps the value of a position in which a move can lose it.
//!
//! `cargo lab -p proofwood-experiments --bin critical -- 1000,10000 4 --c-pn 0` searches each
//! critical position of Connect Four with 1,000 and with 10,000 playouts and with four seeds, and
//! prints the share of moves that keep the value. Options of a search follow as pairs. A time such
//! as `20ms` may stand for a number of playouts. With `--leaves FILE` a network evaluates leaves.

use proofwood::options::Leaves;
use proofwood::{Budget, Config, Game, Report, Search, SearchError, search};
use proofwood_games::ConnectFour;
use proofwood_nets::{ByNetwork, Network};
use std::error::Error;
use std::process::ExitCode;
use std::time::Duration;

/// Positions after twelve moves, with the value of each column for the side to move.
const POSITIONS: &str = include_str!("../../../../tests/data/positions/connect_four_critical.csv");

struct Critical {
    state: <ConnectFour as Game>::State,
    columns: Vec<String>,
}

impl Critical {
    /// Returns whether no column has a better value than this one.
    fn keeps(&self, column: usize) -> bool {
        let worth = |word: &str| ["loss", "draw", "win"].iter().position(|&known| known == word);
        worth(&self.columns[column]) == self.columns.iter().filter_map(|word| worth(word)).max()
    }
}

/// Reads the positions. In 93 of them a move can lose the value; in 28 none can.
fn positions(game: &ConnectFour) -> Result<Vec<Critical>, Box<dyn Error>> {
    let mut all = Vec::new();
    for row in csv::Reader::from_reader(POSITIONS.as_bytes()).records() {
        let row = row?;
        let mut state = game.initial_state();
        for text in game.split_moves(&row[0]) {
            let mv = game.parse_move(&state, text)?;
            game.play(&mut state, mv);
        }
        all.push(Critical { state, columns: row.iter().skip(1).map(str::to_string).collect() });
    }
    Ok(all)
}

fn look(
    position: &Critical,
    config: Config,
    network: Option<&ByNetwork>,
    budget: &Budget,
) -> Result<Report<ConnectFour>, SearchError> {
    let (game, state) = (ConnectFour::default(), position.state);
    match network {
        None => search(game, state, config, budget),
        Some(network) => {
            Search::with_evaluator(game, state, config, network.clone())?.search(budget)
        }
    }
}

/// Counts the searches whose move keeps the value.
fn kept(
    all: &[Critical],
    config: &Config,
    budget: &Budget,
    seeds: u64,
) -> Result<u64, Box<dyn Error>> {
    let network = match &config.leaves {
        Leaves::Network(file) => {
            Some(ByNetwork::new(Network::load(file)?, &ConnectFour::default())?)
        }
        _ => None,
    };
    let mut kept = 0;
    for seed in 0..seeds {
        for position in all {
            let report = look(position, config.clone().seed(seed), network.as_ref(), budget)?;
            let column = report.best_move.ok_or("a move was expected")?;
            kept += u64::from(position.keeps(usize::from(column)));
        }
    }
    Ok(kept)
}

/// Reads a number of playouts, or a time such as `20ms`.
fn budget(text: &str) -> Option<Budget> {
    let number = text.strip_suffix("ms").unwrap_or(text).parse().ok();
    let number = number.filter(|&number: &u64| number > 0)?;
    Some(match text.ends_with("ms") {
        true => Budget::default().time(Duration::from_millis(number)),
        false => Budget::default().playouts(number),
    })
}

fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let [playouts, seeds, options @ ..] = arguments else {
        return Err("PLAYOUTS,PLAYOUTS… SEEDS [--OPTION VALUE]…".into());
    };
    let mut config = Config::default().threads(1).memory(256 << 20);
    for pair in options.chunks(2) {
        let value = pair.get(1).map_or("", String::as_str);
        config.set(pair[0].trim_start_matches("--"), value)?;
    }
    config.check()?;
    let seeds: u64 = seeds.parse().map_err(|_| format!("'{seeds}' should be a number of seeds"))?;
    let all = positions(&ConnectFour::default())?;
    for count in playouts.split(',') {
        let budget = budget(count)
            .ok_or_else(|| format!("'{count}' should be a number of playouts, or of ms"))?;
        let kept = kept(&all, &config, &budget, seeds)?;
        let searches = all.len() as u64 * seeds;
        // 95 %, by the normal approximation, as if searches were independent.
        let share = kept as f64 / searches.max(1) as f64;
        let error = 1.96 * (share * (1.0 - share) / searches.max(1) as f64).sqrt();
        let (share, error) = (100.0 * share, 100.0 * error);
        let unit = if budget.time.is_some() { "" } else { " playouts" };
        println!(
            "{count:>9}{unit}: {kept} of {searches} keep the value, {share:.1} % ± {error:.1}"
        );
    }
    Ok(())
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("critical: {error}");
            ExitCode::from(2)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_can_lose_the_value_in_93_of_the_positions() {
        let all = positions(&ConnectFour::default()).unwrap();
        let loses = |position: &&Critical| {
            let open = |column: &usize| position.columns[*column] != "illegal";
            !(0..7).filter(open).all(|column| position.keeps(column))
        };
        assert_eq!((all.len(), all.iter().filter(loses).count()), (121, 93));
    }

    #[test]
    fn a_thousand_playouts_keep_the_value_of_four_in_five() {
        let all = positions(&ConnectFour::default()).unwrap();
        let config = Config::default().threads(1).memory(64 << 20);
        let budget = Budget::default().playouts(1000);
        assert!(kept(&all, &config, &budget, 1).unwrap() * 5 >= 4 * 121);
    }
}
