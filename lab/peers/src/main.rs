//! Compares Proofwood with the crates `treant`, `minimax` and `arbor`. All engines have the same
//! rules, uniformly random playouts and the same random number generator, and they are measured in
//! turn in one run.
//!
//! - [`position`]: a position in a form that all engines can store.
//! - [`engines`]: a common interface to the engines: search, prove, and choose a move.
//! - [`child`]: runs each measurement in a separate process.
//! - [`speed`], [`solve`] and [`games`]: the tables.
//! - [`input`]: parses numbers of seconds, and handles Ctrl-C.
#![forbid(unsafe_code)]

mod child;
mod engines;
mod games;
mod input;
mod position;
mod solve;
mod speed;
mod table;

use clap::{Parser, Subcommand};
use proofwood_measure::Counting;
use std::process::ExitCode;

/// The allocator for all engines, which is the one that the program `proofwood` uses.
#[global_allocator]
static ALLOCATOR: Counting<mimalloc::MiMalloc> = Counting::new(mimalloc::MiMalloc);

/// Compare Proofwood with treant, minimax and arbor
///
/// Prints the playouts per second, their cost relative to playouts without a tree, and the memory
/// of a search. Each engine uses the features that it turns on by default.
#[derive(Debug, Parser)]
#[command(name = "peers", version, args_conflicts_with_subcommands = true)]
struct Program {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    speed: speed::Speed,
}

#[derive(Debug, Subcommand)]
enum Command {
    Match(games::Match),
    Solve(solve::Solve),
    #[command(hide = true)]
    Sample(child::Sample),
    #[command(hide = true)]
    Prove(child::Prove),
}

type Failure = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    let program = Program::parse();
    let done = match program.command {
        Some(Command::Match(command)) => command.run(),
        Some(Command::Solve(command)) => command.run(),
        Some(Command::Sample(command)) => command.run(),
        Some(Command::Prove(command)) => command.run(),
        None => program.speed.run(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("peers: {failure}");
            ExitCode::FAILURE
        }
    }
}
