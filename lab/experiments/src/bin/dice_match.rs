//! A match between two ways to search a game with dice: EinStein würfelt nicht!
//! on 5x5, sides and dice alternating.
//!
//! `cargo lab -p proofwood-experiments --bin dice_match -- 100 2000 closed open` plays 100
//! games with 2,000 playouts a move; the ways are `closed` and `open`.

use proofwood::{Budget, Config, Game, Rng, Turn, search};
use proofwood_games::Ewn;
use std::process::ExitCode;

/// The configuration of a way to search.
fn way(name: &str) -> Option<Config> {
    let config = Config::default().threads(1).memory(64 << 20);
    match name {
        "closed" => Some(config),
        "open" => Some(config.open_loop()),
        _ => None,
    }
}

/// Plays a game; returns whether the first player won.
fn play(
    sides: [&Config; 2],
    playouts: u64,
    dice: &mut Rng,
    seed: u64,
) -> Result<bool, proofwood::SearchError> {
    let game = Ewn::default();
    let mut state = game.initial_state();
    let mut outcomes = Vec::new();
    loop {
        let mv = match game.turn(&state) {
            Turn::Over => return Ok(game.payoff(&state, 0) > 0),
            Turn::Chance => {
                outcomes.clear();
                game.legal_moves(&state, &mut outcomes);
                outcomes[dice.below(outcomes.len() as u32) as usize]
            }
            Turn::Player(player) => {
                let config = sides[player].clone().seed(seed);
                let budget = Budget::default().playouts(playouts);
                let report = search(Ewn::default(), state, config, &budget)?;
                report.best_move.expect("a player is to move")
            }
        };
        game.play(&mut state, mv);
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (games, playouts, names) = match arguments[..] {
        [] => (Ok(4), Ok(200), ["closed", "open"]),
        [games, playouts, first, second] => (games.parse(), playouts.parse(), [first, second]),
        _ => (Ok(0), Ok(0), ["", ""]),
    };
    let (Ok(games), Ok(playouts), [Some(first), Some(second)]) = (games, playouts, names.map(way))
    else {
        eprintln!("dice_match: GAMES PLAYOUTS WAY WAY; a way is closed or open");
        return ExitCode::from(2);
    };
    let (games, playouts): (u64, u64) = (games, playouts);
    let mut won = 0;
    for number in 0..games {
        // Both games of a pair have the same dice.
        let mut dice = Rng::new(number / 2);
        let first_begins = number % 2 == 0;
        let sides = if first_begins { [&first, &second] } else { [&second, &first] };
        match play(sides, playouts, &mut dice, number) {
            Ok(beginner_won) => won += u64::from(beginner_won == first_begins),
            Err(error) => {
                eprintln!("dice_match: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    // 95 %, by the normal approximation.
    let share = won as f64 / games.max(1) as f64;
    let error = 1.96 * (share * (1.0 - share) / games.max(1) as f64).sqrt();
    let [first, second] = names;
    println!(
        "{first} won {won} of {games} games against {second} with {playouts} playouts a move: \
         {:.1} % ± {:.1}",
        share * 100.0,
        error * 100.0
    );
    ExitCode::SUCCESS
}
