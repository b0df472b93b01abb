//! Measures the number of random games, from start to end, per second of processor time on one
//! thread: `cargo lab -p proofwood-experiments --bin playouts -- othello:6`.

use proofwood::{Game, Rng, Turn};
use proofwood_games::{GameVisitor, games, with_game};
use proofwood_measure::Clock;
use std::time::Duration;

struct Playouts;

impl GameVisitor for Playouts {
    type Output = String;

    fn visit<G: Game>(self, game: G) -> String {
        let (mut games, mut plies, mut payoffs) = (0u64, 0u64, 0i64);
        let mut rng = Rng::new(1);
        let mut moves = Vec::new();
        let clock = Clock::start();
        while clock.took().cpu < Duration::from_secs(1) {
            // Reading the clock costs as much as a short game.
            for _ in 0..100 {
                let mut state = game.initial_state();
                while game.turn(&state) != Turn::Over {
                    moves.clear();
                    let Some(mv) = game.random_move(&state, &mut moves, &mut rng) else { break };
                    game.play(&mut state, mv);
                    plies += 1;
                }
                payoffs += i64::from(game.payoff(&state, 0));
                games += 1;
            }
        }
        let seconds = clock.took().cpu.as_secs_f64();
        format!(
            "{:>9.0} games/s, {:>7.0} ns each, {:>5.1} moves each, first player {:+.3}",
            games as f64 / seconds,
            seconds / games as f64 * 1e9,
            plies as f64 / games as f64,
            payoffs as f64 / games as f64,
        )
    }
}

fn main() {
    let mut specs: Vec<String> = std::env::args().skip(1).collect();
    if specs.is_empty() {
        specs = games().iter().map(|game| game.example.to_string()).collect();
    }
    for spec in specs {
        match with_game(&spec, Playouts) {
            Ok(line) => println!("{spec:<24} {line}"),
            Err(error) => eprintln!("{error}"),
        }
    }
}
