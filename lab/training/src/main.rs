//! Trains a network: `cargo lab -p proofwood-training -- connect-four --out FILE`.
//!
//! The same plan gives the same file, byte for byte. The program writes the file after each
//! generation, so it can be ended at any time: the file is then that of the last complete
//! generation.

//!
//! | module | content |
//! |---|---|
//! | `self_play` | games that the engine plays against itself |
//! | `learn` | gradients, and Adam |
//! | `training` | the loop over generations |

mod learn;
mod self_play;
mod training;

use crate::learn::Loss;
use crate::training::{Generation, Plan, train};
use clap::{Parser, ValueEnum};
use proofwood_games::{ConnectFour, Othello, Planes};
use proofwood_nets::Network;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// Train a network on games that the engine plays against itself
#[derive(Parser)]
struct Arguments {
    game: Known,
    /// File for the network
    #[arg(long)]
    out: PathBuf,
    /// Seed of all random numbers
    #[arg(long, default_value = "1")]
    seed: u64,
    /// Number of generations; each plays games, then trains
    #[arg(long, default_value = "16")]
    generations: u32,
    /// Games per generation
    #[arg(long, default_value = "2500")]
    games: u64,
    /// Playouts per move
    #[arg(long, default_value = "250")]
    playouts: u64,
    /// Playouts per move in the first generation, which has no network
    #[arg(long, default_value = "1000")]
    first_playouts: u64,
    /// Maximum number of random moves before a game
    #[arg(long, default_value = "12")]
    random_moves: u32,
    /// Games that are played at the same time
    #[arg(long, default_value = "1")]
    jobs: usize,
}

#[derive(Clone, Copy, ValueEnum)]
enum Known {
    /// A board of 7 columns and 6 rows
    ConnectFour,
    /// A board of 8x8 cells
    Othello,
}

impl Arguments {
    fn plan(&self) -> Plan {
        Plan {
            seed: self.seed,
            generations: self.generations,
            games: self.games,
            playouts: self.playouts,
            first_playouts: self.first_playouts,
            random_moves: self.random_moves,
            jobs: self.jobs,
        }
    }
}

fn run<G: Planes>(game: G, plan: &Plan, out: &Path) -> Result<(), Box<dyn Error>> {
    let (started, mut failed) = (Instant::now(), None);
    train(game, plan, |generation: &Generation, network: &Network| {
        let Generation { number, positions, before, after, .. } = generation;
        let loss = |Loss { value, policy }: &Loss| format!("{value:.4} {policy:.4}");
        println!(
            "{number:>3}: {positions} positions, value and policy: {} before, {} after, {:.0} s",
            loss(before),
            loss(after),
            started.elapsed().as_secs_f64()
        );
        failed = network.save(out).err();
        failed.is_none()
    })?;
    failed.map_or(Ok(()), |error| Err(error.into()))
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let (plan, out) = (arguments.plan(), &arguments.out);
    let trained = match arguments.game {
        Known::ConnectFour => run(ConnectFour::default(), &plan, out),
        Known::Othello => run(Othello::default(), &plan, out),
    };
    match trained {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("train: {error}");
            ExitCode::from(2)
        }
    }
}
