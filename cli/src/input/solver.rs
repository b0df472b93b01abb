//! The solver that answers a question, with its configuration.

use crate::display::json::goal_name;
use crate::exit::Failure;
use proofwood::{Algorithm, Budget, Config, Goal, ProverConfig};
use proofwood_any_game::Position;

/// What answers a question.
#[derive(Clone, Debug)]
pub(crate) enum Solver {
    /// The search with playouts.
    Playouts {
        config: Config,
        /// The user gave the goal, so that it is not fitted to the game.
        goal_is_given: bool,
    },
    /// A prover.
    Prover(ProverConfig),
}

impl Solver {
    /// The solver with the goal that fits the game, unless one was given: who wins
    /// for certain is rarely the question where dice are rolled.
    pub(crate) fn fitting(&self, position: &dyn Position) -> Solver {
        match self {
            Solver::Playouts { config, goal_is_given: false }
                if position.has_chance() && config.score_bounds =>
            {
                let config = config.clone().goal(Goal::Score);
                Solver::Playouts { config, goal_is_given: false }
            }
            other => other.clone(),
        }
    }

    /// Refuses limits that the solver does not have.
    pub(crate) fn check_budget(&self, budget: &Budget) -> Result<(), Failure> {
        let why = match self {
            Solver::Prover(_) if budget.playouts.is_some() => {
                "--playouts: provers play no playouts; limit --time or --nodes"
            }
            Solver::Prover(ProverConfig {
                algorithm: Algorithm::Dfpn | Algorithm::Pds, ..
            }) if budget.bytes.is_some() => {
                "--bytes: dfpn and pds grow no tree, and a full table does not end them; --tt says \
                 how large it is"
            }
            _ => return Ok(()),
        };
        Err(Failure::Input(why.into()))
    }

    /// Refuses a solver that has no table to write checkpoints of.
    pub(crate) fn check_table(&self) -> Result<(), Failure> {
        let why = match self {
            Solver::Prover(ProverConfig {
                algorithm: Algorithm::Dfpn | Algorithm::Pds, ..
            }) => {
                return Ok(());
            }
            Solver::Prover(ProverConfig { algorithm, .. }) => {
                format!("--checkpoint is for dfpn and pds and not for {algorithm}")
            }
            Solver::Playouts { .. } => {
                "--checkpoint is for a prover with a table: add --algorithm dfpn".into()
            }
        };
        Err(Failure::Input(why))
    }

    /// The name of what is to be found out, as in JSON.
    pub(crate) fn goal_name(&self) -> &'static str {
        match self {
            Solver::Playouts { config, .. } => goal_name(config.goal),
            Solver::Prover(config) => config.goal.name(),
        }
    }

    /// The player whom a prover's question is about where this one is to move; none
    /// for the search with playouts, which finds out about all.
    pub(crate) fn player(&self, mover: usize) -> Option<usize> {
        match self {
            Solver::Playouts { .. } => None,
            Solver::Prover(config) => Some(config.player.unwrap_or(mover)),
        }
    }

    /// The prover's name; none for the search with playouts.
    pub(crate) fn algorithm_name(&self) -> &'static str {
        match self {
            Solver::Playouts { .. } => "gpn",
            Solver::Prover(config) => config.algorithm.name(),
        }
    }
}
