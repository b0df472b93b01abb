//! Which prover `solve` uses, and what it is told.

use super::limits::{read, read_count, there_is};
use super::options::SearchOptions;
use super::solver::Solver;
use super::words::Words;
use crate::exit::Failure;
use proofwood::{Algorithm, Chance, Config, ProofGoal, ProverConfig, read_bytes};
use std::str::FromStr;

/// The options of the provers beside those that a search has too.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "Provers")]
pub(crate) struct ProverOptions {
    /// How to prove: gpn is the search with playouts; dfpn and pds go depth
    /// first with a table in place of a tree; pns and pn2 grow a tree where it
    /// proves most; mcpns and ppns do so by playouts from each new position
    /// [gpn | dfpn | pds | pns | pn2 | mcpns | ppns] [default: gpn]
    #[arg(long, value_name = "NAME", hide_possible_values = true,
        value_parser = Words::in_values("gpn | dfpn | pds | pns | pn2 | mcpns | ppns"))]
    algorithm: Option<String>,
    /// Bytes of the transposition table of dfpn and pds; a table that is far too
    /// small makes them slow and never wrong [from 64, or with K, M, G] [default: 1G, or
    /// half of the machine's memory where that is less]
    #[arg(long, value_name = "BYTES", allow_negative_numbers = true)]
    tt: Option<String>,
    /// How much longer dfpn and pds stay with a move than its numbers say: the ε of
    /// the 1+ε trick; 0 is plain dfpn and pds [0 to 1000] [default: 0.25, for pds 0.0625]
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    epsilon: Option<String>,
    /// The player whom the question is about, counted from 0 [default: the side to move]
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    player: Option<String>,
    /// Playouts of mcpns and ppns from each new position [from 1] [default: 60]
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    playouts_per_leaf: Option<String>,
    /// How far mcpns and ppns move a win rate of 0 or 1 inside, so that nothing
    /// sampled looks proven [more than 0, less than 0.5] [default: 0.01]
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    theta: Option<String>,
    /// End ppns as soon as the probability that it estimates is no further than
    /// this from 0 or 1. That is an estimate and proves nothing: the answer stays
    /// open [more than 0, less than 0.5] [default: off]
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    precision: Option<String>,
    /// Nodes of pn2's tree at which its second searches may be half as large as
    /// the tree: the a of Breuker's rule [from 0] [default: 1800000]
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    pn2_a: Option<String>,
    /// How gradually they get there: the b of Breuker's rule [more than 0]
    /// [default: 240000]
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    pn2_b: Option<String>,
}

/// The provers with a table.
const DEPTH_FIRST: &[Algorithm] = &[Algorithm::Dfpn, Algorithm::Pds];
/// The provers that play out.
const SAMPLING: &[Algorithm] = &[Algorithm::Mcpns, Algorithm::Ppns];

impl ProverOptions {
    /// The same with this algorithm where none was given.
    pub(crate) fn or_algorithm(mut self, name: &str) -> ProverOptions {
        self.algorithm.get_or_insert_with(|| name.into());
        self
    }

    /// The solver that was asked for, with its options.
    pub(crate) fn solver(
        &self,
        game: Option<&str>,
        mut options: SearchOptions,
    ) -> Result<Solver, Failure> {
        let name = self.algorithm.as_deref().unwrap_or("gpn").trim();
        if !name.eq_ignore_ascii_case("gpn") {
            let algorithm = Algorithm::from_str(name)
                .map_err(|error| Failure::Input(format!("--algorithm: {error}, and gpn")))?;
            return self.prover(algorithm, options).map(Solver::Prover);
        }
        if let Some((option, users)) = self.given().next() {
            return Err(Failure::Input(format!(
                "--{option} is for a prover: add --algorithm {}, or leave it out",
                users[0]
            )));
        }
        let mut config = Config::proving();
        let goal_is_given = options.gives("goal");
        if let Some(text) = options.take("goal") {
            let name = match goal(&text)? {
                ProofGoal::Outcome => "outcome",
                ProofGoal::Score => "score",
                other => {
                    return Err(Failure::Input(format!(
                        "--goal {other} is for a prover: add --algorithm dfpn; gpn finds out the \
                         outcome or the score"
                    )));
                }
            };
            config.set("goal", name)?;
        }
        let config = options.apply_to(game, config)?;
        if config.chance == Chance::Open {
            let why = "--chance open proves nothing, so that solve would never end; use search";
            return Err(Failure::Input(why.into()));
        }
        Ok(Solver::Playouts { config, goal_is_given })
    }

    /// The options that were given, and the provers that each is for.
    fn given(&self) -> impl Iterator<Item = (&'static str, &'static [Algorithm])> {
        let all: [(&str, &Option<String>, &[Algorithm]); 8] = [
            ("tt", &self.tt, DEPTH_FIRST),
            ("epsilon", &self.epsilon, DEPTH_FIRST),
            ("player", &self.player, Algorithm::ALL),
            ("playouts-per-leaf", &self.playouts_per_leaf, SAMPLING),
            ("theta", &self.theta, SAMPLING),
            ("precision", &self.precision, &[Algorithm::Ppns]),
            ("pn2-a", &self.pn2_a, &[Algorithm::Pn2]),
            ("pn2-b", &self.pn2_b, &[Algorithm::Pn2]),
        ];
        all.into_iter().filter(|(_, text, _)| text.is_some()).map(|(name, _, users)| (name, users))
    }

    fn prover(
        &self,
        algorithm: Algorithm,
        options: SearchOptions,
    ) -> Result<ProverConfig, Failure> {
        if let Some((option, users)) = self.given().find(|(_, users)| !users.contains(&algorithm)) {
            let users: Vec<String> = users.iter().map(Algorithm::to_string).collect();
            return Err(Failure::Input(format!(
                "--{option} is for {} and not for {algorithm}",
                users.join(" and ")
            )));
        }
        if options.preset().is_some() {
            return Err(Failure::Input(format!(
                "--preset is for --algorithm gpn and not for {algorithm}"
            )));
        }
        let mut config = ProverConfig::default().algorithm(algorithm);
        for (name, text) in options.given() {
            // Values are read as everywhere.
            let mut read = Config::default();
            read.set(name, text)
                .or_else(|error| if name == "goal" { Ok(()) } else { Err(error) })?;
            match name {
                "goal" => config.goal = goal(text)?,
                "threads" => config.threads = read.threads,
                "mobility" if !SAMPLING.contains(&algorithm) => config.mobility = read.mobility,
                "memory" if DEPTH_FIRST.contains(&algorithm) => {
                    return Err(Failure::Input(format!(
                        "--memory is for provers that grow a tree and not for {algorithm}; --tt \
                         says how large its table is"
                    )));
                }
                "memory" => {
                    there_is("--memory", text, read.memory)?;
                    config.memory = read.memory;
                }
                "seed" if SAMPLING.contains(&algorithm) => config.seed = read.seed,
                // Best-first provers do not ask what the rules foresee.
                "foresight" if DEPTH_FIRST.contains(&algorithm) => {
                    config.foresight = read.foresight;
                }
                "playout-cap" if SAMPLING.contains(&algorithm) => {
                    config.playout_cap = read.playout_cap;
                }
                "seed" | "mobility" | "foresight" | "playout-cap" => {
                    return Err(Failure::Input(format!(
                        "--{name} changes nothing for {algorithm}; leave it out"
                    )));
                }
                _ => {
                    return Err(Failure::Input(format!(
                        "--{name} is for --algorithm gpn and not for {algorithm}"
                    )));
                }
            }
        }
        if let Some(bytes) = read("--tt", self.tt.as_deref(), read_table)? {
            there_is("--tt", self.tt.as_deref().unwrap_or_default(), bytes)?;
            config.table = bytes;
        }
        config.epsilon = read("--epsilon", self.epsilon.as_deref(), read_number)?;
        config.player = read("--player", self.player.as_deref(), read_number)?;
        let number = |option, text: &Option<String>, default| {
            Ok::<f64, Failure>(read(option, text.as_deref(), read_number)?.unwrap_or(default))
        };
        config.theta = number("--theta", &self.theta, config.theta)?;
        config.pn2_a = number("--pn2-a", &self.pn2_a, config.pn2_a)?;
        config.pn2_b = number("--pn2-b", &self.pn2_b, config.pn2_b)?;
        config.precision = read("--precision", self.precision.as_deref(), read_number)?;
        let playouts = self.playouts_per_leaf.as_deref();
        if let Some(playouts) = read("--playouts-per-leaf", playouts, read_count)? {
            config.playouts_per_leaf = u32::try_from(playouts).unwrap_or(u32::MAX);
        }
        config.check()?;
        Ok(config)
    }
}

fn goal(text: &str) -> Result<ProofGoal, Failure> {
    ProofGoal::from_str(text).map_err(|error| Failure::Input(format!("--goal: {error}")))
}

/// Reads the size of a table, which may be smaller than a tree.
fn read_table(text: &str) -> Result<u64, String> {
    /// More than that no table has.
    const MOST: u64 = 128 << 30;
    let bytes = text.trim().parse().or_else(|_| read_bytes(text))?;
    match bytes <= MOST {
        true => Ok(bytes),
        false => Err(format!("'{text}' should be a number of bytes up to 128G")),
    }
}

fn read_number<T: FromStr>(text: &str) -> Result<T, String> {
    text.trim().parse().map_err(|_| format!("'{text}' should be a number"))
}
