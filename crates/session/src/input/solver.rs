//! The solver that answers a question, with its configuration.

use crate::Trouble;
use proofwood::options::Leaves;
use proofwood::{Budget, Config, Goal, ProofGoal, ProverConfig};
use proofwood_any_game::Position;

/// What answers a question.
#[derive(Clone, Debug)]
pub enum Solver {
    /// The search with playouts.
    Playouts {
        /// The configuration of the search.
        config: Config,
        /// The user gave the goal, so that it is not fitted to the game.
        goal_is_given: bool,
    },
    /// A prover.
    Prover(ProverConfig),
    /// The prover, but the search with playouts where the game has chance, if that
    /// understands what is asked for.
    Fitting {
        /// The prover for games without chance.
        prover: ProverConfig,
        /// The search for games with chance.
        playouts: Option<Box<Solver>>,
    },
}

impl Solver {
    /// The solver that fits the game, with the goal that does, unless one was given: who
    /// wins for certain is rarely the question where dice are rolled.
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

    /// Refuses limits that the solver does not have.
    pub fn check_budget(&self, budget: &Budget) -> Result<(), Trouble> {
        let why = match self {
            Solver::Prover(_) if budget.playouts.is_some() => {
                "--playouts: provers play no playouts; limit --time or --nodes"
            }
            Solver::Prover(config) if config.algorithm.has_table() && budget.bytes.is_some() => {
                "--bytes: auto, ab, dfpn, pds and df-ppns grow no tree, and a full table does not end \
                 them; --tt says how large it is"
            }
            _ => return Ok(()),
        };
        Err(Trouble::Input(why.into()))
    }

    /// The solver with checkpoints of its table; refuses one that has none.
    pub fn with_table(self) -> Result<Solver, Trouble> {
        let why = match self {
            Solver::Prover(config) if config.algorithm.has_table() => {
                return Ok(Solver::Prover(config));
            }
            Solver::Fitting { prover, .. } => return Ok(Solver::Prover(prover)),
            Solver::Prover(ProverConfig { algorithm, .. }) => {
                format!(
                    "--checkpoint is for auto, ab, dfpn, pds and df-ppns and not for {algorithm}"
                )
            }
            Solver::Playouts { .. } => {
                "--checkpoint is for a prover with a table and not for gpn: add --algorithm auto, \
                 and leave out what is for gpn alone"
                    .into()
            }
        };
        Err(Trouble::Input(why))
    }

    /// The solver, which keeps what it proves for a certificate.
    pub fn keeping_proofs(mut self) -> Solver {
        if let Solver::Prover(config) | Solver::Fitting { prover: config, .. } = &mut self {
            config.keep_proofs = true;
        }
        self
    }

    /// The solver on a machine that lends so many threads, and so much memory, where they were
    /// not given.
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

    /// Where a search with playouts has the values of leaves from; none for a prover.
    pub fn leaves(&self) -> Option<&Leaves> {
        match self {
            Solver::Playouts { config, .. } => Some(&config.leaves),
            Solver::Fitting { playouts, .. } => playouts.as_ref()?.leaves(),
            Solver::Prover(_) => None,
        }
    }

    /// Begins to solve a position, in little memory, and leaves it at that: refuses what a machine
    /// refuses that has all that it takes.
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

    /// The name of what is to be found out, as in JSON.
    pub fn goal_name(&self) -> &'static str {
        match self {
            Solver::Playouts { config, .. } => ProofGoal::from(config.goal).name(),
            Solver::Prover(config) | Solver::Fitting { prover: config, .. } => config.goal.name(),
        }
    }

    /// The player whom a prover's question is about where this one is to move; none
    /// for the search with playouts, which finds out about all.
    pub fn player(&self, mover: usize) -> Option<usize> {
        match self {
            Solver::Playouts { .. } => None,
            Solver::Prover(config) | Solver::Fitting { prover: config, .. } => {
                Some(config.player.unwrap_or(mover))
            }
        }
    }

    /// The prover's name; none for the search with playouts.
    pub fn algorithm_name(&self) -> &'static str {
        match self {
            Solver::Playouts { .. } => "gpn",
            Solver::Prover(config) | Solver::Fitting { prover: config, .. } => {
                config.algorithm.name()
            }
        }
    }
}

/// Refuses leaves that a file values, where other machines are to do the work: they have other
/// files, and a job names none.
pub fn check_names_no_file(leaves: Option<&Leaves>) -> Result<(), Trouble> {
    match leaves {
        Some(Leaves::Network(file)) => Err(Trouble::Input(format!(
            "--leaves {}: other machines do not have this file; leave --leaves or --on out",
            file.display()
        ))),
        _ => Ok(()),
    }
}

/// What a machine lends to a prover.
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
