//! The stress test: random searches of random games, one after another, until the time is up.
//!
//! From its seed every round draws a game, a position, an evaluator, a value for every option, a
//! number of threads, and the steps of one tree ([`plan`]). There are three kinds of steps:
//! searches (each with its own limits, with stops from other threads, and sometimes with a game
//! that panics), moves, and saving the tree to a file and loading it again. After each step
//! [`round`](mod@round) checks that the tree equals its own sequential recomputation, that its
//! figures add up and, if plain recursion can solve the position, that every claim of the search is
//! true. Random games have true static bounds, symmetries, and their own playouts ([`knowing`]). A
//! failed round is reported with its seed and the command that repeats it; a round that hangs fails
//! too ([`watchdog`]).
//!
//! Instead, `proofwood-stress bundled` compares small boards of all games in the registry with
//! retrograde analysis ([`bundled`]).
//!
//! The ordinary tests include the same checks for chosen games, in `tests/suite/central.rs`.
#![forbid(unsafe_code)]

mod bundled;
mod campaign;
mod ending;
mod knowing;
mod options;
mod plan;
mod position;
mod round;
mod tally;
mod truth;
mod watchdog;

use campaign::Campaign;
use clap::Parser;
use std::process::ExitCode;
use std::time::Duration;

/// Search random games at random, and check every tree
///
/// The exit status is 0 when every round passed, 1 when one failed or hung, and 130 after Ctrl-C.
#[derive(Debug, Parser)]
#[command(name = "proofwood-stress", version, max_term_width = 100)]
#[command(args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// Duration, such as 90s, 5m or 2h
    #[arg(short, long, default_value = "1m", value_parser = humantime::parse_duration)]
    time: Duration,
    /// Seed of all rounds [default: random]
    #[arg(short, long)]
    seed: Option<u64>,
    /// Maximum number of threads of a search
    #[arg(long, value_name = "MAX", default_value_t = 16, value_parser = clap::value_parser!(u64).range(1..=1024))]
    threads: u64,
    /// Repeat the round with this seed
    #[arg(long, value_name = "SEED", conflicts_with = "seed")]
    round: Option<u64>,
    /// Time after which a round counts as hanging
    #[arg(long, value_name = "TIME", default_value = "2m", value_parser = humantime::parse_duration)]
    patience: Duration,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Bundled(bundled::Bundled),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if let Some(Command::Bundled(bundled)) = arguments.command {
        return bundled.run();
    }
    let campaign = Campaign {
        time: arguments.time,
        seed: arguments.seed.unwrap_or_else(campaign::any_seed),
        threads: arguments.threads as usize,
        round: arguments.round,
        patience: arguments.patience,
        rounds: u64::MAX,
    };
    let interrupt = match campaign::catch_interrupt() {
        Ok(interrupt) => interrupt,
        Err(error) => {
            eprintln!("cannot catch Ctrl-C: {error}");
            return ExitCode::FAILURE;
        }
    };
    let (tally, end) = campaign.run(&interrupt);
    println!("{tally}");
    match end {
        campaign::End::Done => ExitCode::SUCCESS,
        campaign::End::Interrupted => ExitCode::from(130),
        campaign::End::Failed(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}
