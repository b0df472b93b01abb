//! The program `proofwood-lab`: measurements and experiments for developers of the engine. It uses
//! the library of the program `proofwood`.
//!
//! | module | content |
//! |---|---|
//! | `reproduce` | the experiments of papers |
//! | `ladder` | Elo from more time, or from another value of an option |
//! | `cactus` | a comparison of runs over a set of positions |
//! | `plot`, `chart` | tables as pictures; charts as SVG |
//! | `deadline`, `proofs` | delays of deadlines; speed-up of proofs by threads |
//! | `logical`, `machines` | losses with many workers, and with many machines in simulated time (`simulation`) |
#![forbid(unsafe_code)]

mod cactus;
mod chart;
mod deadline;
mod ladder;
#[cfg(feature = "logical")]
mod logical;
mod machines;
mod plot;
mod proofs;
mod reproduce;
mod simulation;

use clap::Parser;
use proofwood_cli::exit::{Failure, finish};
use proofwood_cli::terminal::print::Printer;
use proofwood_session::Ended;
use std::process::ExitCode;

/// The same allocator as in the program `proofwood`, since figures are compared with those of that
/// program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Measure the engine and repeat published experiments
#[derive(Debug, Parser)]
#[command(name = "proofwood-lab", version, max_term_width = 76)]
enum Program {
    Reproduce(reproduce::Reproduce),
    Ladder(Box<ladder::Ladder>),
    Cactus(cactus::Cactus),
    Plot(plot::Plot),
    Deadline(deadline::Deadline),
    Proofs(Box<proofs::Proofs>),
    Machines(Box<machines::Simulated>),
    #[cfg(feature = "logical")]
    Logical(Box<logical::Logical>),
}

fn run() -> Result<Ended, Failure> {
    let printer = &mut Printer::new();
    let ended = match Program::try_parse()? {
        Program::Reproduce(command) => command.run(printer),
        Program::Ladder(command) => command.run(printer),
        Program::Cactus(command) => command.run(printer),
        Program::Plot(command) => command.run(printer),
        Program::Deadline(command) => command.run(printer),
        Program::Proofs(command) => command.run(printer),
        Program::Machines(command) => command.run(printer),
        #[cfg(feature = "logical")]
        Program::Logical(command) => command.run(printer),
    };
    ended.map_err(Failure::from)
}

fn main() -> ExitCode {
    finish(run)
}
