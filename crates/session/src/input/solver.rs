//! The solver that answers a question, with its configuration.

use crate::Trouble;
use proofwood::options::Leaves;
use proofwood::{Budget, Config, Goal, ProofGoal, ProverConfig};
use proofwood_any_game::Position;

/// A kind of solver, with its configuration.
#[derive(Clone, Debug)]
pub enum Solver {
    /// A search with playouts.
    Playouts {
        /// The configuration of the search.
        config: Config,
        /// Whether the user gave the goal; otherwise it is chosen to suit the game.
        goal_is_given: bool,
    },
    /// A prover with this configuration.
    Prover(ProverConfig),
    /// A solver that suits the position's game: a prover or, for games with chance, a search with
    /// playouts if that supports all the given options.
    Fitting {
        /// The prover for games without chance.
        prover: ProverConfig,
        /// The search for games with chance.
        playouts: Option<Box<Solver>>,
    },
}

impl Solver {
    /// Returns the solver that suits the position's game. In games with chance, the goal is the
    /// score unless the user gave one, because a certain win is rarely the question in such games.
    pub fn fitting(&self, position: &dyn Position) -> Solver {
        match self {
            Solver::Fitting { playouts: Some(playouts), .. } if position.has_chance() => {
                playouts.fitting(position)
            }
            Solver::Fitting { prover, .. } => Solver::Prover(prover.clone()),
            Solver::Playouts { config, goal_is_given: false }
                if position.has_chance() && config.score_bounds =>
            {
                let config = config.clone().goal(Goal::Score);
                Solver::Playouts { config, goal_is_given: false }
            }
            other => other.clone(),
        }
    }

    /// Refuses limits that the solver does not support.
    pub fn check_budget(&self, budget: &Budget) -> Result<(), Trouble> {
        let why = match self {
            Solver::Prover(_) if budget.playouts.is_some() => {
                "--playouts: provers do not run playouts; give --time or --nodes"
            }
            Solver::Prover(config) if config.algorithm.has_table() && budget.bytes.is_some() => {
                "--bytes: auto, ab, dfpn, pds and df-ppns have no tree and do not stop when their \
                 table is full; --tt sets its size"
            }
            _ => return Ok(()),
        };
        Err(Trouble::Input(why.into()))
    }

    /// Returns the solver if it is a prover with a table, which checkpoints need; refuses other
    /// solvers.
    pub fn with_table(self) -> Result<Solver, Trouble> {
        let why = match self {
            Solver::Prover(config) if config.algorithm.has_table() => {
                return Ok(Solver::Prover(config));
            }
            Solver::Fitting { prover, .. } => return Ok(Solver::Prover(prover)),
            Solver::Prover(ProverConfig { algorithm, .. }) => {
                format!("--checkpoint needs auto, ab, dfpn, pds or df-ppns, not {algorithm}")
            }
            Solver::Playouts { .. } => {
                "--checkpoint needs a prover with a table, not gpn: add --algorithm auto, \
                 and leave out the options of gpn"
                    .into()
            }
        };
        Err(Trouble::Input(why))
    }

    /// Makes the solver keep its proofs, for a certificate.
    pub fn keeping_proofs(mut self) -> Solver {
        if let Solver::Prover(config) | Solver::Fitting { prover: config, .. } = &mut self {
            config.keep_proofs = true;
        }
        self
    }

    /// Sets the threads and memory that a machine provides; `None` leaves the configured value.
    pub fn lent(mut self, threads: Option<usize>, memory: Option<u64>) -> Solver {
        match &mut self {
            Solver::Playouts { config, .. } => {
                config.threads = threads.unwrap_or(config.threads);
                config.memory = memory.unwrap_or(config.memory);
            }
            Solver::Prover(config) => config.lend(threads, memory),
            Solver::Fitting { prover, playouts } => {
                prover.lend(threads, memory);
                *playouts = playouts.take().map(|solver| Box::new(solver.lent(threads, memory)));
            }
        }
        self
    }

    /// Returns the source of leaf values in a search with playouts; `None` for a prover.
    pub fn leaves(&self) -> Option<&Leaves> {
        match self {
            Solver::Playouts { config, .. } => Some(&config.leaves),
            Solver::Fitting { playouts, .. } => playouts.as_ref()?.leaves(),
            Solver::Prover(_) => None,
        }
    }

    /// Starts to solve a position with little memory and stops at once, to detect errors that
    /// another machine would report later.
    pub fn try_out(&self, position: &dyn Position) -> Result<(), Trouble> {
        const LITTLE: u64 = 16 << 20;
        match self.fitting(position) {
            Solver::Playouts { config, .. } => {
                drop(position.search(&config.threads(1).memory(LITTLE))?);
            }
            Solver::Prover(config) | Solver::Fitting { prover: config, .. } => {
                drop(position.prove(&config.threads(1).memory(LITTLE).table(LITTLE))?);
            }
        }
        Ok(())
    }

    /// Returns the name of the goal, as in JSON.
    pub fn goal_name(&self) -> &'static str {
        match self {
            Solver::Playouts { config, .. } => ProofGoal::from(config.goal).name(),
            Solver::Prover(config) | Solver::Fitting { prover: config, .. } => config.goal.name(),
        }
    }

    /// Returns the player that the prover's question is about if `mover` is to move; `None` for the
    /// search with playouts, whose answer is about all players.
    pub fn player(&self, mover: usize) -> Option<usize> {
        match self {
            Solver::Playouts { .. } => None,
            Solver::Prover(config) | Solver::Fitting { prover: config, .. } => {
                Some(config.player.unwrap_or(mover))
            }
        }
    }

    /// Returns the name of the algorithm, as in `--algorithm`.
    pub fn algorithm_name(&self) -> &'static str {
        match self {
            Solver::Playouts { .. } => "gpn",
            Solver::Prover(config) | Solver::Fitting { prover: config, .. } => {
                config.algorithm.name()
            }
        }
    }
}

/// Refuses leaf values from a file when other machines do the work, since they do not have the
/// file.
pub fn check_names_no_file(leaves: Option<&Leaves>) -> Result<(), Trouble> {
    match leaves {
        Some(Leaves::Network(file)) => Err(Trouble::Input(format!(
            "--leaves {}: other machines do not have this file; leave out --leaves or --on",
            file.display()
        ))),
        _ => Ok(()),
    }
}

trait Lend {
    fn lend(&mut self, threads: Option<usize>, memory: Option<u64>);
}

impl Lend for ProverConfig {
    fn lend(&mut self, threads: Option<usize>, memory: Option<u64>) {
        self.threads = threads.unwrap_or(self.threads);
        let Some(memory) = memory else { return };
        match self.algorithm.has_table() {
            true => self.table = self.table.min(memory),
            false => self.memory = memory,
        }
    }
}
