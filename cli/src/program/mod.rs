//! The command line: all commands, the help and the version.

mod help;
mod mistakes;
mod version;

use crate::commands::{
    bench, check, completions, explore, export, games, machines, man, matches, perft, play, replay,
    review, scale, search, show, solve, tune,
};
use crate::exit::{Failure, STATUSES};
use crate::terminal::interrupt::Interrupt;
use crate::terminal::print::Printer;
use anstream::ColorChoice;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use proofwood_protocols::{Analyze, Connection, Gtp, Uci, Ugi};
use proofwood_session::Ended;
use std::io::{self, BufReader};

/// Search and prove positions of real games.
///
/// All cores search one shared tree with playouts, proof numbers, proven values and score bounds at
/// once. The answer is the best move, the expected line of play and, if possible, a proof.
#[derive(Debug, Parser)]
#[command(name = "proofwood", version, long_version = version::long())]
#[command(after_help = after_help())]
struct Program {
    /// Use colours in the output; auto uses them on a terminal that supports them [auto | always |
    /// never] [default: auto]
    #[arg(long, global = true, value_name = "NAME", hide_short_help = true,
        value_parser = ["auto", "always", "never"], hide_possible_values = true)]
    color: Option<String>,
    #[command(subcommand)]
    command: Command,
}

fn after_help() -> String {
    format!(
        "\
Examples:
  proofwood games                               list the games
  proofwood search othello --moves \"f5 d6\"      the best move in 5 seconds
  proofwood solve othello:4 --goal score        the value, with a proof
  proofwood help search                         all options of a command

{STATUSES}"
    )
}

#[derive(Debug, Subcommand)]
enum Command {
    Games(games::Games),
    Show(show::Show),
    Perft(perft::Perft),
    Replay(replay::Replay),
    Review(Box<review::Review>),
    Search(search::Search),
    Solve(Box<solve::Solve>),
    Check(check::Check),
    Export(export::Export),
    #[cfg_attr(not(feature = "explore"), command(hide = true))]
    Explore(explore::Explore),
    Match(matches::Match),
    Play(play::Play),
    Analyze(Box<Analyze>),
    Gtp(Box<Gtp>),
    Ugi(Box<Ugi>),
    Uci(Box<Uci>),
    Tune(tune::Tune),
    #[command(flatten)]
    Machines(machines::Command),
    Scale(scale::Scale),
    Bench(bench::Bench),
    Completions(completions::Completions),
    Man(man::Man),
}

pub(crate) fn command_line() -> clap::Command {
    help::finish(Program::command())
}

pub(crate) fn run() -> Result<Ended, Failure> {
    mistakes::check_moved()?;
    let matches = command_line()
        .try_get_matches()
        .map_err(|error| mistakes::explained(error, &command_line()))?;
    let program = Program::from_arg_matches(&matches)?;
    match program.color.as_deref() {
        Some("always") => ColorChoice::Always.write_global(),
        Some("never") => ColorChoice::Never.write_global(),
        _ => {}
    }
    let printer = &mut Printer::new();
    let ended = match program.command {
        Command::Games(command) => command.run(printer),
        Command::Show(command) => command.run(printer),
        Command::Perft(command) => command.run(printer),
        Command::Replay(command) => command.run(printer),
        Command::Review(command) => command.run(printer),
        Command::Search(command) => command.run(printer),
        Command::Solve(command) => command.run(printer),
        Command::Check(command) => command.run(printer),
        Command::Export(command) => command.run(printer),
        Command::Explore(command) => command.run(printer),
        Command::Match(command) => command.run(printer),
        Command::Play(command) => command.run(printer),
        Command::Analyze(command) => command.run(connection()),
        Command::Gtp(command) => command.run(connection()),
        Command::Ugi(command) => command.run(connection()),
        Command::Uci(command) => command.run(connection()),
        Command::Tune(command) => command.run(printer),
        Command::Machines(command) => command.run(printer),
        Command::Scale(command) => command.run(printer),
        Command::Bench(command) => command.run(printer),
        Command::Completions(command) => command.run(command_line(), printer),
        Command::Man(command) => command.run(command_line(), printer),
    };
    ended.map_err(Failure::from)
}

/// Returns the connection through standard input and output, with Ctrl-C as the interrupt.
fn connection() -> Connection<'static> {
    Connection {
        input: Box::new(BufReader::new(io::stdin())),
        output: Box::new(io::stdout()),
        on_interrupt: &|hook| Interrupt::catch().map(|interrupt| interrupt.call(hook)),
    }
}
