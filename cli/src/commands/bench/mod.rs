//! `proofwood bench`: measures the cost of a playout.

mod advice;
mod sample;
mod speed;

use crate::display::screen::{self, Line};
use crate::terminal::interrupt::Interrupt;
use crate::terminal::print::Printer;
use crate::terminal::progress::Progress;
use proofwood::{Budget, Config};
use proofwood_any_game::Rules;
use proofwood_session::bench::advice as recommend;
use proofwood_session::bench::speed::{Plan, Step, measure};
use proofwood_session::input::limits::{read, read_count, read_time, whole};
use proofwood_session::input::options::SearchOptions;
use proofwood_session::input::spec::find_game;
use proofwood_session::input::threads::{cores, thread_list};
use proofwood_session::{Ended, Trouble};

/// Measure the cost of a playout, with and without a tree
///
/// Every search runs in its own process, followed by random playouts without a tree, which are the
/// unit of cost. Each figure is the median of the rounds. Costs are in processor time, which other
/// programs hardly affect; rates are in wall time.
#[derive(clap::Args, Debug)]
#[command(args_conflicts_with_subcommands = true, disable_help_subcommand = true)]
#[command(mut_arg("threads", |argument| argument
    .value_name("LIST")
    .help("Thread counts, separated by commas; auto recommends a number \
        [default: 1, 2 and one per core]")))]
#[command(after_help = "Examples:
  proofwood bench
  proofwood bench othello:6 --threads 1,4 --playouts 1e6 --rounds 9
  proofwood bench connect-four --bias sum --c 0.7 --all --json
  proofwood bench othello --threads auto --games 100 --move-time 100ms

Search options apply to the measured searches. With --all, more rows follow,
each with one mechanism switched off. With proof numbers off, the tree still records
which players can win at all.

--threads auto measures three things for each number of threads: playouts per second,
the strength lost per playout (games at equal playouts against one thread), and the
strength gained in total (games at equal time), with 95 % intervals. It recommends the
fewest threads that reach 95 % of the highest rate and that games have not shown to be
weaker than one thread.

Exit status: 0 when everything was measured, 1 for a failure, 2 for bad input, 130
after Ctrl-C, which stops at once and prints the measurements so far.")]
pub(crate) struct Bench {
    #[command(subcommand)]
    command: Option<BenchCommand>,
    /// Games to measure, from their start positions [default: connect-four othello]
    #[arg(value_name = "GAME")]
    games: Vec<String>,
    /// Number of playouts per search [default: 200000, or as many as fit into --time]
    #[arg(long, value_name = "NUMBER", conflicts_with = "time", allow_negative_numbers = true)]
    playouts: Option<String>,
    /// Time per search, instead of a number of playouts: 500ms, 2s
    #[arg(short, long, value_name = "TIME", allow_negative_numbers = true)]
    time: Option<String>,
    /// Number of rounds, each of which measures everything once
    #[arg(long, value_name = "NUMBER", default_value_t = 5,
        value_parser = whole::<u32>(1..=1000), allow_negative_numbers = true)]
    rounds: u32,
    /// Also measure searches without proof numbers, without the solver and so on
    #[arg(long)]
    all: bool,
    /// With --threads auto: number of games of each kind, 0 for none
    #[arg(short = 'g', long = "games", value_name = "NUMBER", default_value_t = 40,
        value_parser = whole::<u64>(0..=1_000_000), allow_negative_numbers = true)]
    contest: u64,
    /// With --threads auto: time per move in these games
    #[arg(long, value_name = "TIME", default_value = "50ms")]
    move_time: String,
    /// Print one JSON object per game
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    options: SearchOptions,
}

#[derive(Debug, clap::Subcommand)]
enum BenchCommand {
    #[command(hide = true)]
    Sample(sample::Sample),
}

impl Bench {
    pub(crate) fn run(mut self, printer: &mut Printer) -> Result<Ended, Trouble> {
        if let Some(BenchCommand::Sample(command)) = self.command {
            return command.run(printer);
        }
        let interrupt = Interrupt::catch()?;
        let threads = self.options.given().find(|(name, _)| *name == "threads");
        if threads.is_some_and(|(_, text)| text.trim().eq_ignore_ascii_case("auto")) {
            return self.advise(&interrupt, printer);
        }
        let plan = Plan {
            threads: thread_list(&mut self.options, &[1, 2, cores()])?,
            budget: self.budget()?,
            rounds: self.rounds,
            all: self.all,
            config: self.options.apply(Config::default())?,
            cancel: interrupt.token().clone(),
        };
        let games = find_games(&self.games)?;
        let mut measured = Vec::new();
        let mut pace = speed::Progressing::new(games.len());
        for (game, _) in games {
            let (progress, name) = (Progress::new(), game.clone());
            let mut show = |step: &Step<'_>| progress.show(&pace.line(&name, step, plan.rounds));
            let speed = measure(game, &plan, &mut show)?;
            drop(progress);
            let Some(speed) = speed else { break };
            if self.json {
                printer.json(&speed)?;
            } else {
                measured.push(speed);
            }
        }
        if !self.json {
            if !measured.is_empty() {
                printer.text(&speed::table(&measured))?;
            }
            if interrupt.is_raised() {
                printer.text(&speed::interrupted(&measured, self.rounds))?;
            }
        }
        Ok(if interrupt.is_raised() { Ended::Interrupted } else { Ended::Done })
    }

    fn advise(mut self, interrupt: &Interrupt, printer: &mut Printer) -> Result<Ended, Trouble> {
        self.options.take("threads");
        let move_time = read("--move-time", Some(&self.move_time), read_time)?;
        let plan = recommend::Plan {
            budget: self.budget()?,
            rounds: self.rounds,
            games: self.contest,
            move_time: move_time.unwrap_or_default(),
            config: self.options.apply(Config::default())?,
            cancel: interrupt.token().clone(),
            most: cores(),
        };
        for (game, rules) in find_games(&self.games)? {
            let progress = Progress::new();
            let show = |what: String| progress.show(&Line::new().item(0, &game).item(1, what));
            let found = recommend::measure(&game, &*rules, &plan, &show)?;
            drop(progress);
            match self.json {
                true => printer.json(&found)?,
                false => printer.text(&screen::fit(&advice::text(&found, cores())))?,
            }
            if interrupt.is_raised() {
                break;
            }
        }
        Ok(if interrupt.is_raised() { Ended::Interrupted } else { Ended::Done })
    }

    fn budget(&self) -> Result<Budget, Trouble> {
        const USUAL_PLAYOUTS: u64 = 200_000;
        let time = read("--time", self.time.as_deref(), read_time)?;
        let playouts = read("--playouts", self.playouts.as_deref(), read_count)?;
        Ok(match time {
            Some(time) => Budget::default().time(time),
            None => Budget::default().playouts(playouts.unwrap_or(USUAL_PLAYOUTS)),
        })
    }
}

/// The games to measure if the command line names no game.
const USUAL_GAMES: [&str; 2] = ["connect-four", "othello"];

/// A game's description, as on the command line, and its rules.
pub type NamedRules = (String, Box<dyn Rules>);

/// Finds the games with these names, or the default games if there are no names.
pub fn find_games(names: &[String]) -> Result<Vec<NamedRules>, Trouble> {
    match names {
        [] => USUAL_GAMES.iter().map(|name| find_game(name)).collect(),
        names => names.iter().map(|name| find_game(name)).collect(),
    }
}
