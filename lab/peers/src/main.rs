//! Proofwood beside its peers, the crates `treant`, `minimax` and `arbor`: the
//! same rules, the same uniformly random playouts, the same random numbers, in
//! turn in one run.
//!
//! - [`position`]: a position in the form that all engines can hold.
//! - [`engines`]: each engine behind the same calls: search, prove, and choose a move.
//! - [`child`]: what is measured runs in a process of its own.
//! - [`speed`], [`solve`] and [`games`]: the tables.
//! - [`input`]: seconds and Ctrl-C.
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

/// All engines get the program's own allocator.
#[global_allocator]
static ALLOCATOR: Counting<mimalloc::MiMalloc> = Counting::new(mimalloc::MiMalloc);

/// Proofwood beside treant, minimax and arbor
///
/// Prints playouts a second, their cost in playouts without a tree and the
/// memory they take, with every feature of each engine as its defaults have it.
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

/// Why the program failed, in one line.
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
