//! Measures the number of positions that a prover creates per second of processor time on one
//! thread, and the time that the rules alone take for the same positions: `cargo lab -p
//! proofwood-experiments --bin provers -- --tt 64M othello`.
//!
//! To measure the rules alone, the program takes a sample of the positions that the prover
//! expanded, lists the moves of each, plays them, and calls `turn` and `key`.

use clap::Parser;
use proofwood::options::read_bytes;
use proofwood::{Algorithm, Budget, Game, Outcome, ProverConfig, Turn, prove};
use proofwood_games::{GameVisitor, with_game};
use proofwood_measure::Clock;
use std::hint::black_box;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// Compare a prover's speed with that of the rules
#[derive(Parser)]
struct Arguments {
    /// Games, as `proofwood` names them
    #[arg(value_name = "GAME")]
    games: Vec<String>,
    /// Prover to measure
    #[arg(long, default_value = "dfpn")]
    algorithm: Algorithm,
    /// Size of the transposition table, in bytes
    #[arg(long, value_name = "BYTES", default_value = "1G", value_parser = read_bytes)]
    tt: u64,
    /// Number of positions that the prover creates
    #[arg(long, default_value = "10000000")]
    nodes: u64,
}

/// A wrapper around a game that stores a sample of the positions whose moves the prover lists.
struct Watched<G: Game> {
    game: Arc<G>,
    seen: AtomicU64,
    sample: Mutex<Vec<G::State>>,
}

/// Of the positions whose moves are listed, one in `ONE_IN` is stored, up to `MOST` in all.
const ONE_IN: u64 = 31;
const MOST: usize = 20_000;

impl<G: Game> Game for Watched<G> {
    type State = G::State;
    type Move = G::Move;

    fn initial_state(&self) -> G::State {
        self.game.initial_state()
    }
    fn turn(&self, state: &G::State) -> Turn {
        self.game.turn(state)
    }
    fn legal_moves(&self, state: &G::State, moves: &mut Vec<G::Move>) {
        if self.seen.fetch_add(1, Ordering::Relaxed).is_multiple_of(ONE_IN) {
            let mut sample = self.sample.lock().expect("nothing panics");
            if sample.len() < MOST {
                sample.push(state.clone());
            }
        }
        self.game.legal_moves(state, moves);
    }
    fn play(&self, state: &mut G::State, mv: G::Move) {
        self.game.play(state, mv);
    }
    fn payoff(&self, state: &G::State, player: usize) -> i32 {
        self.game.payoff(state, player)
    }
    fn num_players(&self) -> usize {
        self.game.num_players()
    }
    fn zero_sum(&self) -> bool {
        self.game.zero_sum()
    }
    fn payoff_range(&self, player: usize) -> RangeInclusive<i32> {
        self.game.payoff_range(player)
    }
    fn outcome(&self, player: usize, payoff: i32) -> Outcome {
        self.game.outcome(player, payoff)
    }
    fn key(&self, state: &G::State) -> Option<u64> {
        self.game.key(state)
    }
}

struct Measured<'a>(&'a Arguments);

impl GameVisitor for Measured<'_> {
    type Output = String;

    fn visit<G: Game>(self, game: G) -> String {
        let Arguments { algorithm, tt, nodes, .. } = *self.0;
        let game = Arc::new(game);
        let config = ProverConfig::default().algorithm(algorithm).threads(1).table(tt);
        let budget = Budget::default().nodes(nodes);
        let watched = Arc::new(Watched {
            game: Arc::clone(&game),
            seen: AtomicU64::new(0),
            sample: Mutex::default(),
        });
        let root = game.initial_state();
        let told = |error| format!("{error}");
        if let Err(error) = prove(Arc::clone(&watched), root.clone(), config.clone(), &budget) {
            return told(error);
        }
        let clock = Clock::start();
        let report = match prove(Arc::clone(&game), root, config, &budget) {
            Ok(report) => report,
            Err(error) => return told(error),
        };
        let prover = clock.took().cpu.as_secs_f64() / report.effort.nodes as f64;
        let sample = watched.sample.lock().expect("nothing panics");
        let clock = Clock::start();
        let (mut made, mut moves) = (0u64, Vec::new());
        while clock.took().cpu.as_secs_f64() < 0.5 {
            for state in sample.iter() {
                moves.clear();
                game.legal_moves(state, &mut moves);
                for &mv in &moves {
                    let next = game.after(state, mv);
                    black_box((game.turn(&next), game.key(&next)));
                    made += 1;
                }
            }
        }
        let bare = clock.took().cpu.as_secs_f64() / made as f64;
        format!(
            "{:>7.2} M nodes/s  {:>7.2} M by the rules alone  {:>4.0} %   {:>5.1} moves each  {}",
            1e-6 / prover,
            1e-6 / bare,
            100.0 * bare / prover,
            report.effort.nodes as f64 / report.effort.expansions as f64,
            report.stop_reason.map_or("", |reason| reason.name()),
        )
    }
}

fn main() {
    let mut arguments = Arguments::parse();
    if arguments.games.is_empty() {
        let usual =
            ["connect-four", "othello", "lines-of-action", "breakthrough", "atari-go:6,crosscut"];
        arguments.games = usual.map(String::from).to_vec();
    }
    for spec in &arguments.games {
        match with_game(spec, Measured(&arguments)) {
            Ok(line) => println!("{spec:<24} {line}"),
            Err(error) => eprintln!("{error}"),
        }
    }
}
