//! The engines behind a common interface.

mod alpha_beta;
mod arbor;
mod minimax;
mod open_spiel;
mod proofwood;
mod treant;

use crate::Failure;
use crate::position::{PerThread, Position, Rules};
use ::proofwood::Algorithm;
use serde::{Deserialize, Serialize};
use std::time::Duration;

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Engine {
    Proofwood,
    /// The prover that our `solve` uses by default.
    Auto,
    DfPn,
    Treant,
    Minimax,
    Arbor,
    /// The alpha-beta search of `minimax`.
    AlphaBeta,
    /// OpenSpiel's Monte Carlo tree search, in a Python process.
    OpenSpiel,
}

pub(crate) struct Played<'p> {
    pub(crate) time: Duration,
    pub(crate) open_spiel: &'static str,
    /// The Python interpreter in which OpenSpiel is installed.
    pub(crate) python: &'p str,
}

/// An engine's claim about a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Claim {
    /// `win`, `draw` or `loss` for the side to move; `None` when nothing is proven.
    pub(crate) value: Option<String>,
    pub(crate) playouts: u64,
}

impl Claim {
    fn of(value: Option<&str>, playouts: u64) -> Claim {
        Claim { value: value.map(str::to_string), playouts }
    }
}

/// Chooses moves on one thread, within a limit on the processor time of each move.
pub(crate) trait Chooser<G: Rules> {
    /// Chooses a move at `root`, a position that is not over; `moves` lead to it from the start of
    /// the game.
    fn choose(&mut self, root: Position<G>, moves: &[G::Move]) -> Option<G::Move>;

    /// Processor time that the last choice took in another process.
    fn took_elsewhere(&self) -> Duration {
        Duration::ZERO
    }
}

impl<G: Rules, F: FnMut(Position<G>) -> Option<G::Move>> Chooser<G> for F {
    fn choose(&mut self, root: Position<G>, _: &[G::Move]) -> Option<G::Move> {
        self(root)
    }
}

impl Engine {
    /// The engines that our engine plays against.
    pub(crate) const RIVALS: [Engine; 4] =
        [Engine::Treant, Engine::Minimax, Engine::Arbor, Engine::AlphaBeta];
    /// The engines that search with playouts.
    pub(crate) const SEARCHERS: [Engine; 4] =
        [Engine::Proofwood, Engine::Treant, Engine::Minimax, Engine::Arbor];
    /// The engines that can prove a position.
    pub(crate) const SOLVERS: [Engine; 6] = [
        Engine::Proofwood,
        Engine::Auto,
        Engine::DfPn,
        Engine::Treant,
        Engine::Minimax,
        Engine::AlphaBeta,
    ];

    pub(crate) fn title(self) -> &'static str {
        match self {
            Engine::Proofwood => "proofwood",
            Engine::Auto => "proofwood, auto",
            Engine::DfPn => "proofwood, df-pn",
            Engine::Treant => "treant 0.4",
            Engine::Minimax => "minimax 0.6, MCTS",
            Engine::Arbor => "arbor 0.2",
            Engine::AlphaBeta => "minimax 0.6, alpha-beta",
            Engine::OpenSpiel => "OpenSpiel, MCTS",
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Engine::Proofwood => "proofwood",
            Engine::Auto => "auto",
            Engine::DfPn => "df-pn",
            Engine::Treant => "treant",
            Engine::Minimax => "minimax",
            Engine::Arbor => "arbor",
            Engine::AlphaBeta => "alpha-beta",
            Engine::OpenSpiel => "open-spiel",
        }
    }

    pub(crate) fn has_threads(self) -> bool {
        matches!(self, Engine::Proofwood | Engine::Treant | Engine::Minimax)
    }

    /// Runs `playouts` playouts from a position, then frees the tree.
    pub(crate) fn search<G>(self, root: Position<G>, playouts: u64, threads: usize)
    where
        G: Rules<Move: PerThread>,
    {
        match self {
            Engine::Proofwood => proofwood::search(root, playouts, threads),
            Engine::Treant => treant::search(root, playouts, threads),
            Engine::Minimax => minimax::search(root, playouts, threads),
            Engine::Arbor => arbor::search(root, playouts),
            Engine::AlphaBeta | Engine::OpenSpiel | Engine::Auto | Engine::DfPn => {}
        }
    }

    /// Creates a [`Chooser`] with the engine's defaults. It builds a new tree for each move.
    ///
    /// # Errors
    /// If the engine can only prove, or another program is missing.
    pub(crate) fn chooser<G>(self, played: &Played<'_>) -> Result<Box<dyn Chooser<G>>, Failure>
    where
        G: Rules<Move: PerThread>,
    {
        let time = played.time;
        Ok(match self {
            Engine::Proofwood => Box::new(move |root: Position<G>| proofwood::choose(root, time)),
            Engine::Treant => Box::new(move |root: Position<G>| treant::choose(root, time)),
            Engine::Minimax => minimax::chooser(time),
            Engine::Arbor => Box::new(move |root: Position<G>| arbor::choose(root, time)),
            Engine::AlphaBeta => alpha_beta::chooser(time),
            Engine::OpenSpiel => Box::new(open_spiel::Process::start(played)?),
            Engine::Auto | Engine::DfPn => {
                return Err(format!("{} proves and does not play", self.name()).into());
            }
        })
    }

    /// Tries to prove a position on one thread within the processor time `limit`.
    pub(crate) fn prove<G>(self, root: Position<G>, limit: Duration) -> Proof
    where
        G: Rules<Move: PerThread>,
    {
        match self {
            Engine::Proofwood => Proof::timed(|| proofwood::prove(root, limit)),
            Engine::Auto => Proof::timed(|| proofwood::prove_alone(Algorithm::Auto, root, limit)),
            Engine::DfPn => Proof::timed(|| proofwood::prove_alone(Algorithm::Dfpn, root, limit)),
            Engine::Treant => Proof::timed(|| treant::prove(root, limit)),
            Engine::Minimax => minimax::prove(root, limit),
            Engine::AlphaBeta => Proof::timed(|| alpha_beta::prove(root, limit)),
            Engine::Arbor | Engine::OpenSpiel => Proof { claim: Claim::of(None, 0), cpu: 0.0 },
        }
    }
}

/// A claim and the processor time it took, in seconds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Proof {
    pub(crate) claim: Claim,
    pub(crate) cpu: f64,
}

impl Proof {
    fn timed(prove: impl FnOnce() -> Claim) -> Proof {
        let clock = proofwood_measure::Clock::start();
        let claim = prove();
        Proof { claim, cpu: clock.took().cpu.as_secs_f64() }
    }
}
