//! `proofwood analyze`: answers queries from another program.

use super::query::Defaults;
use super::{SCHEMA, serve};
use crate::connection::{Connection, Output};
use proofwood::Config;
use proofwood_session::input::args::with_default;
use proofwood_session::input::limits::{Limits, whole};
use proofwood_session::input::options::SearchOptions;
use proofwood_session::input::provers::ProverOptions;
use proofwood_session::input::spec::find_game;
use proofwood_session::input::threads::cores;
use proofwood_session::{Ended, Trouble};
use std::path::PathBuf;

/// Answer queries from another program as JSON lines
///
/// Each line of the input is a query. Answers come when they are ready, with the query's id; errors
/// are answers too. The book's page on protocols lists the fields.
#[derive(clap::Args, Debug)]
#[command(mut_arg("threads", |argument| with_default(argument, "1")))]
#[command(mut_arg("memory", |argument| with_default(argument, "256M")))]
#[command(after_help = r#"Examples:
  proofwood analyze < queries.jsonl
  proofwood analyze connect-four --playouts 1e4 < queries.jsonl
  proofwood analyze --algorithm dfpn --time 10s < queries.jsonl
  proofwood analyze --schema

A query is a line such as
{"id": "a", "game": "othello", "moves": "f5 d6", "playouts": 1000}.

The fields of a query are id, game, position, moves, turns, priority, priorities,
every, the limits time, cpu_time, playouts, nodes and bytes, and options, an object.
With ask solve, or with algorithm (a prover's name or gpn), the position is solved as
`solve` does; goal sets the question. save_tree and load_tree name trees in the folder
--trees, and force replaces one. ask stop ends queries early: the one whose id is in
which, or all. ask version returns the version.

Limits and options on the command line apply to queries that give none of their own.
Without a limit, a search takes 5s, and a proof runs until the position is solved.

Exit status: 0 at the end of the input, when everything is answered, 1 for a
failure, 2 for bad options, 130 after Ctrl-C, which ends all queries with the
answers so far."#)]
pub struct Analyze {
    /// Game for queries that name none; `proofwood games` lists them all
    game: Option<String>,
    /// Number of positions to analyse at a time [default: the number of cores divided by --threads]
    #[arg(short, long, value_name = "NUMBER",
        value_parser = whole::<u16>(1..=1024), allow_negative_numbers = true)]
    jobs: Option<u16>,
    /// Folder for the trees that queries save and load (save_tree and load_tree)
    #[arg(long, value_name = "DIR")]
    trees: Option<PathBuf>,
    /// Print the JSON Schema of queries and answers
    #[arg(long)]
    schema: bool,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    provers: ProverOptions,
    #[command(flatten)]
    options: SearchOptions,
}

impl Analyze {
    /// Answers queries until the input ends.
    pub fn run(self, connection: Connection<'_>) -> Result<Ended, Trouble> {
        if self.schema {
            return Output(connection.output).text(SCHEMA).map(|()| Ended::Done);
        }
        let game = self.game.map(|game| find_game(&game).map(|(game, _)| game)).transpose()?;
        // Errors on the command line are reported before the first query is read.
        self.limits.budget(None)?;
        let mut threads = Config::default().threads(1);
        if let Some(text) = self.options.clone().take("threads") {
            threads.set("threads", &text)?;
        }
        let threads = threads.threads;
        match self.provers.gives("algorithm") {
            true => self.provers.solver(game.as_deref(), self.options.clone(), false).map(drop)?,
            false => self.options.apply_to(game.as_deref(), Config::default()).map(drop)?,
        }
        let room = (cores() / threads).max(1);
        let jobs = self.jobs.map_or(room, usize::from);
        let (limits, provers, options) = (self.limits, self.provers, self.options);
        let trees = self.trees;
        if let Some(folder) = &trees {
            let unusable = |error| Trouble::Input(format!("--trees {}: {error}", folder.display()));
            std::fs::create_dir_all(folder).map_err(unusable)?;
        }
        let defaults = Defaults { game, limits, provers, options, threads, trees };
        serve(defaults, jobs, connection)
    }
}
