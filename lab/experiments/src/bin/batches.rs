//! Measures the throughput and the strength of batched evaluation: `cargo lab -p
//! proofwood-experiments --bin batches`.
//!
//! **Throughput.** The evaluator takes the same time for a batch of any size, like a device with
//! spare capacity. The greatest possible number of leaves per second is therefore that of full
//! batches in back-to-back calls. Answers are derived from the positions' hashes: a real evaluation
//! would take longer than the call and distort the measurement.
//!
//! **Strength** (`--games`). A search with batches plays against one that evaluates one leaf at a
//! time, with the same evaluation and as many playouts per move, from both sides of each random
//! opening.

use clap::Parser;
use proofwood::evaluate::{BatchContext, BatchEvaluator, Batching, Leaf, LeafEvaluation, NoValue};
use proofwood::{Budget, Config, DomainKnowledge, Game, Rng, Search, Turn};
use proofwood_any_game::ByHand;
use proofwood_games::{ConnectFour, Othello};
use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Measure the throughput and the strength of batches
#[derive(Parser)]
struct Arguments {
    /// Number of leaves evaluated per call
    #[arg(long, default_value = "256")]
    size: usize,
    /// Duration of a call, in microseconds
    #[arg(long, default_value = "1000")]
    call: u64,
    /// Duration of each measurement, in seconds
    #[arg(long, default_value = "3")]
    seconds: u64,
    /// Numbers of threads of the search, measured one after another
    #[arg(long, value_delimiter = ',', default_value = "1,2,8")]
    threads: Vec<usize>,
    /// Games of a match, played in place of the throughput measurement
    #[arg(long)]
    games: Option<u64>,
    /// Playouts for a move of a match
    #[arg(long, default_value = "800")]
    playouts: u64,
    /// Random moves before each game
    #[arg(long, default_value = "6")]
    random: u32,
}

/// An evaluator that takes the same time for any number of leaves.
struct Device {
    call: Duration,
    calls: Arc<Calls>,
}

struct ManyByHand;

#[derive(Default)]
struct Calls {
    number: AtomicU64,
    leaves: AtomicU64,
    /// The time spent in the calls.
    microseconds: AtomicU64,
}

impl<G: Game> BatchEvaluator<G> for Device {
    fn evaluate_batch(
        &self,
        leaves: &mut [Leaf<G>],
        context: &mut BatchContext<'_, G>,
    ) -> Result<(), NoValue> {
        let begin = Instant::now();
        // Relaxed: read when the search has ended.
        self.calls.number.fetch_add(1, Ordering::Relaxed);
        self.calls.leaves.fetch_add(leaves.len() as u64, Ordering::Relaxed);
        for leaf in leaves {
            let mut rng = Rng::new(context.game.key(leaf.state()).unwrap_or(0));
            let mut draw = || rng.below(1 << 16) as f32 / f32::from(u16::MAX);
            let value = draw() - 0.5;
            (leaf.values[0], leaf.values[1]) = (value, -value);
            leaf.priors.iter_mut().for_each(|prior| *prior = 0.1 + draw());
        }
        // A sleep may take longer than requested, so the time is measured.
        std::thread::sleep(self.call.saturating_sub(begin.elapsed()));
        let spent = begin.elapsed().as_micros() as u64;
        self.calls.microseconds.fetch_add(spent, Ordering::Relaxed);
        Ok(())
    }
}

impl<G: Game> BatchEvaluator<G> for ManyByHand {
    fn evaluate_batch(
        &self,
        leaves: &mut [Leaf<G>],
        context: &mut BatchContext<'_, G>,
    ) -> Result<(), NoValue> {
        for leaf in leaves {
            let state = leaf.state().clone();
            let Turn::Player(mover) = context.game.turn(&state) else { continue };
            let look = |state: &G::State| context.game.knowledge().evaluate(state).unwrap_or(0.0);
            let worth = look(&state);
            (leaf.values[mover], leaf.values[1 - mover]) = (worth, -worth);
            for number in 0..leaf.moves().len() {
                let next = context.game.after(&state, leaf.moves()[number]);
                let worth = match context.game.turn(&next) {
                    Turn::Player(other) if other == mover => look(&next),
                    Turn::Player(_) => -look(&next),
                    _ => context.game.payoff(&next, mover).signum() as f32,
                };
                leaf.priors[number] = (4.0 * worth).exp();
            }
        }
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    match arguments.games {
        None => {
            for &threads in &arguments.threads {
                throughput("connect-four", ConnectFour::default(), threads, &arguments)?;
                throughput("othello", Othello::default(), threads, &arguments)?;
            }
        }
        Some(games) => {
            strength("connect-four", &ConnectFour::default(), games, &arguments)?;
            strength("othello:6", &Othello::new(6, false)?, games, &arguments)?;
        }
    }
    Ok(())
}

fn throughput<G: Game>(
    name: &str,
    game: G,
    threads: usize,
    arguments: &Arguments,
) -> Result<(), Box<dyn Error>> {
    let start = game.initial_state();
    let calls = Arc::new(Calls::default());
    let device = Device { call: Duration::from_micros(arguments.call), calls: calls.clone() };
    let batching = Batching::default().size(arguments.size).cache(0);
    let config = Config::default().threads(threads).seed(1);
    let mut search = Search::with_batches(game, start, config, device, batching)?;
    // First grow a tree that is large enough for a batch.
    search.search(&Budget::default().playouts(20_000))?;
    let so_far = || {
        [&calls.number, &calls.leaves, &calls.microseconds]
            .map(|count| count.load(Ordering::Relaxed) as f64)
    };
    let before = so_far();
    let time = Duration::from_secs(arguments.seconds);
    let report = search.search(&Budget::default().time(time))?;
    let after = so_far();
    let [number, leaves, spent] = [0, 1, 2].map(|of| after[of] - before[of]);
    let seconds = arguments.seconds as f64;
    let call = spent / number;
    println!(
        "{name}, {threads} threads: {:.0} playouts and {:.0} evaluations a second, {:.2} of those that are possible; {:.0} calls a second, of {:.0} leaves and {call:.0} µs",
        report.playouts_per_second(),
        leaves / seconds,
        leaves / seconds / (arguments.size as f64 * 1e6 / call),
        number / seconds,
        leaves / number
    );
    Ok(())
}

fn strength<G: Game + Clone>(
    name: &str,
    game: &G,
    games: u64,
    arguments: &Arguments,
) -> Result<(), Box<dyn Error>> {
    let mut points = 0.0;
    for number in 0..games {
        let mut rng = Rng::new(number / 2);
        let (mut state, mut moves) = (game.initial_state(), Vec::new());
        for _ in 0..arguments.random {
            if game.turn(&state) != Turn::Over {
                moves.clear();
                game.legal_moves(&state, &mut moves);
                game.play(&mut state, moves[rng.below(moves.len() as u32) as usize]);
            }
        }
        let batched = (number % 2) as usize;
        while let Turn::Player(mover) = game.turn(&state) {
            let config = Config::default().threads(1).seed(number).memory(64 << 20);
            let mv = if mover == batched {
                // This builds the same tree each time, regardless of the machine's load.
                let batching = Batching::default().size(arguments.size).calls(0).cache(0);
                best(
                    Search::with_batches(
                        game.clone(),
                        state.clone(),
                        config,
                        ManyByHand,
                        batching,
                    )?,
                    arguments,
                )?
            } else {
                best(
                    Search::with_evaluator(game.clone(), state.clone(), config, ByHand)?,
                    arguments,
                )?
            };
            game.play(&mut state, mv.ok_or("a search without a move")?);
        }
        points += f64::from(game.payoff(&state, batched).signum() + 1) / 2.0;
    }
    let rate = points / games as f64;
    let error = 1.96 * (rate * (1.0 - rate) / games as f64).sqrt();
    let elo = |rate: f64| 400.0 * (rate / (1.0 - rate)).log10();
    println!(
        "{name}: batches of {} against one leaf at a time, {} playouts a move, {games} games: {:.1} % ± {:.1}, {:+.0} Elo ({:+.0} to {:+.0})",
        arguments.size,
        arguments.playouts,
        100.0 * rate,
        100.0 * error,
        elo(rate),
        elo(rate - error),
        elo(rate + error)
    );
    Ok(())
}

fn best<G: Game, L: LeafEvaluation<G>>(
    mut search: Search<G, L>,
    arguments: &Arguments,
) -> Result<Option<G::Move>, Box<dyn Error>> {
    Ok(search.search(&Budget::default().playouts(arguments.playouts))?.best_move)
}
