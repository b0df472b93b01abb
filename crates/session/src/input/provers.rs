//! The options of provers, and the choice of the solver.

use super::limits::there_is;
use super::options::SearchOptions;
use super::presets::set_one;
use super::solver::Solver;
use crate::Trouble;
use proofwood::options::{OPTIONS, OptionSpec, PROVER_OPTIONS};
use proofwood::{Algorithm, Config, ProofGoal, ProverConfig};
use std::str::FromStr;

/// The options that apply only to provers, not to searches with playouts.
#[derive(Clone, Debug, Default)]
pub struct ProverOptions {
    pub(super) given: Vec<(&'static OptionSpec<ProverConfig>, String)>,
}

/// The provers with a transposition table.
const DEPTH_FIRST: &[Algorithm] =
    &[Algorithm::Auto, Algorithm::Ab, Algorithm::Dfpn, Algorithm::Pds, Algorithm::DfPpns];
/// The provers that use playouts.
const SAMPLING: &[Algorithm] = &[Algorithm::Mcpns, Algorithm::Ppns, Algorithm::DfPpns];

/// Returns the provers that support this option.
fn users(option: &str) -> &'static [Algorithm] {
    match option {
        "threads" | "goal" | "player" | "symmetries" => Algorithm::ALL,
        // Best-first provers do not use the rules' static bounds.
        "tt" | "foresight" => DEPTH_FIRST,
        "epsilon" => &[Algorithm::Auto, Algorithm::Dfpn, Algorithm::Pds, Algorithm::DfPpns],
        "memory" => &[Algorithm::Pns, Algorithm::Pn2, Algorithm::Mcpns, Algorithm::Ppns],
        "mobility" => &[
            Algorithm::Auto,
            Algorithm::Ab,
            Algorithm::Dfpn,
            Algorithm::Pds,
            Algorithm::Pns,
            Algorithm::Pn2,
        ],
        "seed" | "playout-cap" | "playouts-per-leaf" | "theta" => SAMPLING,
        "precision" => &[Algorithm::Ppns, Algorithm::DfPpns],
        _ => &[],
    }
}

/// Returns the prover-only options, except `keep-proofs`, which `solve` sets itself.
pub(super) fn specs() -> impl Iterator<Item = &'static OptionSpec<ProverConfig>> {
    let shared = |name: &str| OPTIONS.iter().any(|spec| spec.name == name);
    PROVER_OPTIONS.iter().filter(move |spec| !shared(spec.name) && spec.name != "keep-proofs")
}

impl ProverOptions {
    /// Sets the algorithm if none was given.
    pub fn or_algorithm(mut self, name: &str) -> ProverOptions {
        let spec = specs().find(|spec| spec.name == "algorithm");
        if let (None, Some(spec)) = (self.text("algorithm"), spec) {
            self.given.push((spec, name.into()));
        }
        self
    }

    /// Sets an option, replacing any earlier value; returns false if `name` is not an option that
    /// applies only to provers.
    pub fn give(&mut self, name: &str, text: &str) -> bool {
        let Some(spec) = specs().find(|spec| spec.name == name) else { return false };
        self.given.retain(|(given, _)| given.name != name);
        self.given.push((spec, text.into()));
        true
    }

    /// Returns the names and texts of the options that were given.
    pub fn given(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.given.iter().map(|(spec, text)| (spec.name, text.as_str()))
    }

    /// Returns whether the option `name` was given.
    pub fn gives(&self, name: &str) -> bool {
        self.text(name).is_some()
    }

    fn text(&self, name: &str) -> Option<&str> {
        let found = self.given.iter().find(|(spec, _)| spec.name == name);
        found.map(|(_, text)| text.as_str())
    }

    /// Returns the solver with its options. If no algorithm was given, this is the search with
    /// playouts if a preset was given, or if an option or a limit (`plays`) applies only to that
    /// search. Otherwise the solver is chosen later to suit the position.
    pub fn solver(
        &self,
        game: Option<&str>,
        options: SearchOptions,
        plays: bool,
    ) -> Result<Solver, Trouble> {
        let Some(name) = self.text("algorithm").map(str::trim) else {
            if plays || options.preset().is_some() || self.names_playouts(&options) {
                return self.playouts(game, options);
            }
            if let Some((option, users)) =
                self.own().find(|(_, users)| !users.contains(&Algorithm::Auto))
            {
                return Err(Trouble::Input(format!(
                    "--{option} does not apply to auto, the default algorithm: add --algorithm {}, \
                     or leave out --{option}",
                    users[0]
                )));
            }
            // In a game with chance, the search with playouts replaces the prover if it supports
            // all the options.
            let playouts = self.playouts(game, options.clone()).ok();
            let prover = self.prover(Algorithm::Auto, options)?;
            return Ok(Solver::Fitting { prover, playouts: playouts.map(Box::new) });
        };
        if name.eq_ignore_ascii_case("gpn") {
            return self.playouts(game, options);
        }
        let algorithm = Algorithm::from_str(name)
            .map_err(|error| Trouble::Input(format!("--algorithm: {error} or gpn")))?;
        self.prover(algorithm, options).map(Solver::Prover)
    }

    /// Returns whether an option applies to the search with playouts but not to `auto`.
    fn names_playouts(&self, options: &SearchOptions) -> bool {
        options.given().any(|(name, _)| !users(name).contains(&Algorithm::Auto))
    }

    fn playouts(&self, game: Option<&str>, mut options: SearchOptions) -> Result<Solver, Trouble> {
        if let Some((option, users)) = self.own().next() {
            return Err(Trouble::Input(format!(
                "--{option} applies to provers, not to gpn: add --algorithm {}, or leave out \
                 --{option}",
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
                    return Err(Trouble::Input(format!(
                        "--goal {other} needs a prover: add --algorithm auto; gpn supports only \
                         outcome and score"
                    )));
                }
            };
            config.set("goal", name)?;
        }
        let config = options.apply_to(game, config)?;
        Ok(Solver::Playouts { config, goal_is_given })
    }

    /// Returns the given options except the algorithm, each with the provers that support it.
    fn own(&self) -> impl Iterator<Item = (&'static str, &'static [Algorithm])> {
        let names = self.given.iter().map(|(spec, _)| spec.name);
        names.filter(|name| *name != "algorithm").map(|name| (name, users(name)))
    }

    fn prover(
        &self,
        algorithm: Algorithm,
        options: SearchOptions,
    ) -> Result<ProverConfig, Trouble> {
        if let Some((option, users)) = self.own().find(|(_, users)| !users.contains(&algorithm)) {
            return Err(Trouble::Input(format!(
                "--{option} applies to {}, not to {algorithm}",
                listed(users)
            )));
        }
        if options.preset().is_some() {
            return Err(Trouble::Input(format!(
                "--preset applies to --algorithm gpn, not to {algorithm}"
            )));
        }
        let mut config = ProverConfig::default().algorithm(algorithm);
        for (name, text) in options.given() {
            let spec = PROVER_OPTIONS.iter().find(|spec| spec.name == name);
            let known = users(name);
            match spec.filter(|_| known.contains(&algorithm)) {
                Some(spec) if name == "goal" => {
                    goal(text)?;
                    set_one(spec, text, &mut config)?;
                }
                Some(spec) => set_one(spec, text, &mut config)?,
                None => return Err(Trouble::Input(unused(name, algorithm))),
            }
            if name == "memory" {
                there_is("--memory", text, config.memory)?;
            }
        }
        for (spec, text) in self.given.iter().filter(|(spec, _)| spec.name != "algorithm") {
            set_one(spec, text, &mut config)?;
            if spec.name == "tt" {
                there_is("--tt", text, config.table)?;
            }
        }
        config.check()?;
        Ok(config)
    }
}

fn listed(provers: &[Algorithm]) -> String {
    let names: Vec<&str> = provers.iter().map(|prover| prover.name()).collect();
    match names.split_last() {
        Some((last, [])) => (*last).into(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

/// Explains why a prover refuses an option of a search.
fn unused(option: &str, algorithm: Algorithm) -> String {
    match option {
        "memory" => format!(
            "--memory applies to provers that grow a tree, not to {algorithm}; --tt sets the size \
             of its table"
        ),
        _ if users(option).is_empty() => {
            format!("--{option} applies to --algorithm gpn, not to {algorithm}")
        }
        _ => format!("--{option} has no effect on {algorithm}; leave it out"),
    }
}

fn goal(text: &str) -> Result<ProofGoal, Trouble> {
    ProofGoal::from_str(text).map_err(|error| Trouble::Input(format!("--goal: {error}")))
}
