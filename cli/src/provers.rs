//! Which prover `solve` uses, and what it is told.

use crate::exit::Failure;
use crate::limits::read;
use crate::options::SearchOptions;
use proofwood::{Algorithm, Config, ProofGoal, ProverConfig, read_bytes};
use std::str::FromStr;

/// The options of the provers beside those that a search has too.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "Provers")]
pub(crate) struct ProverOptions {
    /// How to prove: gpn is the search with playouts; dfpn and pds go depth
    /// first with a table in place of a tree [gpn | dfpn | pds; default gpn]
    #[arg(long, value_name = "NAME")]
    algorithm: Option<String>,
    /// Bytes of the transposition table of dfpn and pds; a table that is far too
    /// small makes them slow and never wrong [from 64, or with K, M, G; default 1G]
    #[arg(long, value_name = "BYTES", allow_negative_numbers = true)]
    tt: Option<String>,
    /// How much longer dfpn and pds stay with a move than its numbers say: the ε of
    /// the 1+ε trick; 0 is plain dfpn and pds [0 to 1000; default 0.25, pds 0.0625]
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    epsilon: Option<String>,
    /// The player whom the question is about, counted from 0; by default the
    /// side to move
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    player: Option<String>,
}

/// What answers a question.
#[derive(Clone, Debug)]
pub(crate) enum Solver {
    /// The search with playouts.
    Playouts(Config),
    /// A prover.
    Prover(ProverConfig),
}

impl ProverOptions {
    /// The solver that was asked for, with its options.
    pub(crate) fn solver(&self, mut options: SearchOptions) -> Result<Solver, Failure> {
        let name = self.algorithm.as_deref().unwrap_or("gpn").trim();
        if !name.eq_ignore_ascii_case("gpn") {
            let algorithm = Algorithm::from_str(name)
                .map_err(|error| Failure::Input(format!("--algorithm: {error}, and gpn")))?;
            return self.prover(algorithm, options).map(Solver::Prover);
        }
        let given = [("tt", &self.tt), ("epsilon", &self.epsilon), ("player", &self.player)];
        if let Some((option, _)) = given.iter().find(|(_, text)| text.is_some()) {
            return Err(Failure::Input(format!(
                "--{option} is for a prover: add --algorithm dfpn, or leave it out"
            )));
        }
        let mut config = Config::proving();
        if let Some(text) = options.take("goal") {
            let name = match goal(&text)? {
                ProofGoal::Outcome | ProofGoal::Win => "win",
                ProofGoal::Score => "score",
                other => {
                    return Err(Failure::Input(format!(
                        "--goal {other} is for a prover: add --algorithm dfpn"
                    )));
                }
            };
            config.set("goal", name)?;
        }
        options.apply(config).map(Solver::Playouts)
    }

    fn prover(
        &self,
        algorithm: Algorithm,
        options: SearchOptions,
    ) -> Result<ProverConfig, Failure> {
        let mut config = ProverConfig::default().algorithm(algorithm);
        for (name, text) in options.given() {
            // Values are read as everywhere.
            let mut read = Config::default();
            read.set(name, text)
                .or_else(|error| if name == "goal" { Ok(()) } else { Err(error) })?;
            match name {
                "goal" => config.goal = goal(text)?,
                "threads" => config.threads = read.threads,
                "seed" => config.seed = read.seed,
                "mobility" => config.mobility = read.mobility,
                "memory" => config.memory = read.memory,
                _ => {
                    return Err(Failure::Input(format!(
                        "--{name} is for --algorithm gpn and not for {algorithm}"
                    )));
                }
            }
        }
        config.table = read("--tt", self.tt.as_deref(), read_table)?.unwrap_or(config.table);
        config.epsilon = read("--epsilon", self.epsilon.as_deref(), read_number)?;
        config.player = read("--player", self.player.as_deref(), read_number)?;
        config.check()?;
        Ok(config)
    }
}

fn goal(text: &str) -> Result<ProofGoal, Failure> {
    ProofGoal::from_str(text).map_err(|error| Failure::Input(format!("--goal: {error}")))
}

/// Reads the size of a table, which may be smaller than a tree.
fn read_table(text: &str) -> Result<u64, String> {
    text.trim().parse().or_else(|_| read_bytes(text))
}

fn read_number<T: FromStr>(text: &str) -> Result<T, String> {
    text.trim().parse().map_err(|_| format!("'{text}' should be a number"))
}
