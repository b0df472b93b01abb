//! Fits the weights of a game's counts to the results of recorded games.
//!
//!     proofwood match breakthrough --a "" --b "" --playouts 3000 --random-plies 6 --games 300 --record games.jsonl
//!     cargo lab -p proofwood-experiments --bin weigh -- games.jsonl
//!
//! The first command records games. The second one fits the weights of the counts in
//! `AnyGame::counted`, so that `(1 + tanh(sum)) / 2` is the probability of winning (logistic
//! regression). It prints them with the weights in use, and the loss in held-out games, with all
//! counts and with each left out.

use clap::Parser;
use proofwood::{Game, Turn};
use proofwood_games::{AnyGame, Counted};
use serde::Deserialize;
use std::error::Error;
use std::fs;
use std::path::PathBuf;

/// Fit the weights of a game's counts to the results of recorded games
#[derive(Parser)]
struct Args {
    /// Records of matches of one game, as `match --record` writes them
    #[arg(required = true)]
    records: Vec<PathBuf>,
    /// Counts to leave out
    #[arg(long, value_delimiter = ',')]
    without: Vec<String>,
    /// Strength of the pull of each weight towards 0; it counts like this many positions
    #[arg(long, default_value_t = 3.0)]
    pull: f64,
}

#[derive(Deserialize)]
struct Header {
    #[serde(rename = "match")]
    played: Played,
}

#[derive(Deserialize)]
struct Played {
    game: String,
}

#[derive(Deserialize)]
struct Record {
    moves: String,
    opening_plies: usize,
    /// The payoffs of both players; `None` if the game was too long, so that it counts as a draw.
    payoffs: Option<[i32; 2]>,
}

/// An example for the fit: a position's counts, and the result for the side to move, as a number
/// from 0 to 1.
struct Example {
    counts: Vec<f64>,
    won: f64,
    game: usize,
}

/// Reads a record. Returns an example for each position, and the game's counts with the weights in
/// use.
fn read(path: &PathBuf, games: &mut usize) -> Result<(Vec<Example>, Vec<Counted>), Box<dyn Error>> {
    let text = fs::read_to_string(path)?;
    let mut lines = text.lines();
    let header: Header = serde_json::from_str(lines.next().ok_or("the file is empty")?)?;
    let game = AnyGame::from_spec(&header.played.game)?;
    let parts = game.counted(&game.initial_state());
    if parts.is_empty() {
        return Err(format!("{} counts nothing", header.played.game).into());
    }
    let mut examples = Vec::new();
    for line in lines {
        let record: Record = serde_json::from_str(line)?;
        let mut state = game.initial_state();
        for (ply, text) in game.split_moves(&record.moves).into_iter().enumerate() {
            if let Turn::Player(mover) = game.turn(&state)
                && ply >= record.opening_plies
            {
                let counts = game.counted(&state).iter().map(|part| part.count.into()).collect();
                let payoff = record.payoffs.map_or(0, |payoffs| payoffs[mover]);
                let won = f64::from(1 + payoff.signum()) / 2.0;
                examples.push(Example { counts, won, game: *games });
            }
            let mv = game.parse_move(&state, text)?;
            game.play(&mut state, mv);
        }
        *games += 1;
    }
    Ok((examples, parts))
}

/// The win probability of a position with `counts`.
fn chance(weights: &[f64], counts: &[f64]) -> f64 {
    let sum: f64 = weights.iter().zip(counts).map(|(weight, count)| weight * count).sum();
    1.0 / (1.0 + (-2.0 * sum).exp())
}

fn loss<'e>(weights: &[f64], examples: impl Iterator<Item = &'e Example>) -> f64 {
    let (mut sum, mut number) = (0.0, 0);
    for example in examples {
        let chance = chance(weights, &example.counts).clamp(1e-6, 1.0 - 1e-6);
        sum -= example.won * chance.ln() + (1.0 - example.won) * (1.0 - chance).ln();
        number += 1;
    }
    sum / f64::from(number)
}

/// Finds the weights with the least loss by gradient descent. The weights of the counts in
/// `left_out` are 0.
fn fit(examples: &[&Example], left_out: &[bool], pull: f64) -> Vec<f64> {
    let number = left_out.len();
    // Scales counts to one size, so that one step length suits all.
    let square =
        |part: usize| examples.iter().map(|example| example.counts[part].powi(2)).sum::<f64>();
    let sizes: Vec<f64> =
        (0..number).map(|part| (square(part) / examples.len() as f64).sqrt().max(1e-9)).collect();
    let mut scaled = vec![0.0; number];
    let mut before = vec![0.0; number];
    for step in 0..600 {
        // Nesterov's momentum.
        let ahead = f64::from(step) / f64::from(step + 3);
        let at: Vec<f64> =
            (0..number).map(|part| scaled[part] + ahead * (scaled[part] - before[part])).collect();
        let weights: Vec<f64> = (0..number).map(|part| at[part] / sizes[part]).collect();
        let mut slope: Vec<f64> =
            at.iter().map(|weight| 2.0 * pull * weight / examples.len() as f64).collect();
        for example in examples {
            let wrong = 2.0 * (chance(&weights, &example.counts) - example.won);
            for (part, slope) in slope.iter_mut().enumerate() {
                *slope += wrong * example.counts[part] / sizes[part] / examples.len() as f64;
            }
        }
        before = std::mem::take(&mut scaled);
        let moved = |part: usize| at[part] - slope[part] / number as f64;
        scaled = (0..number).map(|part| if left_out[part] { 0.0 } else { moved(part) }).collect();
    }
    (0..number).map(|part| scaled[part] / sizes[part]).collect()
}

/// The mean loss in the fifths of the games, each with weights fitted to the other four fifths.
fn held_out(examples: &[Example], left_out: &[bool], pull: f64) -> f64 {
    const FOLDS: usize = 5;
    let losses = (0..FOLDS).map(|fold| {
        let is_held = |example: &&Example| example.game / 2 % FOLDS == fold;
        let others: Vec<_> = examples.iter().filter(|example| !is_held(example)).collect();
        let weights = fit(&others, left_out, pull);
        loss(&weights, examples.iter().filter(is_held))
    });
    losses.sum::<f64>() / FOLDS as f64
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    let (mut examples, mut parts, mut games) = (Vec::new(), Vec::new(), 0);
    for path in &args.records {
        let (more, counted) = read(path, &mut games)?;
        examples.extend(more);
        parts = counted;
    }
    let in_use: Vec<f64> = parts.iter().map(|part| part.weight.into()).collect();
    let left_out: Vec<bool> =
        parts.iter().map(|part| args.without.iter().any(|name| name == part.name)).collect();
    let weights = fit(&examples.iter().collect::<Vec<_>>(), &left_out, args.pull);
    println!("{} positions of {games} games", examples.len());
    println!("loss with the weights in use {:.4}", loss(&in_use, examples.iter()));
    println!("loss in games held out       {:.4}\n", held_out(&examples, &left_out, args.pull));
    println!("{:<22} {:>8} {:>8}  loss without it", "", "in use", "fitted");
    for (number, part) in parts.iter().enumerate() {
        let mut without = left_out.clone();
        without[number] = true;
        let worse = held_out(&examples, &without, args.pull);
        println!("{:<22} {:>8.3} {:>8.3}  {worse:.4}", part.name, part.weight, weights[number]);
    }
    Ok(())
}
