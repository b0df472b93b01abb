//! The engines, each behind the same two calls.

mod alpha_beta;
mod arbor;
mod minimax;
mod proofwood;
mod treant;

use crate::position::{PerThread, Position, Rules};
use ::proofwood::Algorithm;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A search engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Engine {
    Proofwood,
    /// What our `solve` does by itself: no playouts, but proofs.
    Auto,
    /// Our df-pn: no playouts, but proofs.
    DfPn,
    Treant,
    Minimax,
    Arbor,
    /// The alpha-beta search of `minimax`: no playouts, but proofs.
    AlphaBeta,
}

/// What an engine claims of a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Claim {
    /// `win`, `draw` or `loss` of the side to move; none when nothing is proven.
    pub(crate) value: Option<String>,
    pub(crate) playouts: u64,
}

impl Claim {
    /// The claim of a value, or of none.
    fn of(value: Option<&str>, playouts: u64) -> Claim {
        Claim { value: value.map(str::to_string), playouts }
    }
}

impl Engine {
    /// Those that play out.
    pub(crate) const SEARCHERS: [Engine; 4] =
        [Engine::Proofwood, Engine::Treant, Engine::Minimax, Engine::Arbor];
    /// Those that prove.
    pub(crate) const SOLVERS: [Engine; 6] = [
        Engine::Proofwood,
        Engine::Auto,
        Engine::DfPn,
        Engine::Treant,
        Engine::Minimax,
        Engine::AlphaBeta,
    ];

    /// The name and the version for people.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Engine::Proofwood => "proofwood",
            Engine::Auto => "proofwood, auto",
            Engine::DfPn => "proofwood, df-pn",
            Engine::Treant => "treant 0.4",
            Engine::Minimax => "minimax 0.6, MCTS",
            Engine::Arbor => "arbor 0.2",
            Engine::AlphaBeta => "minimax 0.6, alpha-beta",
        }
    }

    /// The name on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Engine::Proofwood => "proofwood",
            Engine::Auto => "auto",
            Engine::DfPn => "df-pn",
            Engine::Treant => "treant",
            Engine::Minimax => "minimax",
            Engine::Arbor => "arbor",
            Engine::AlphaBeta => "alpha-beta",
        }
    }

    /// Whether it can search with several threads.
    pub(crate) fn has_threads(self) -> bool {
        !matches!(self, Engine::Arbor | Engine::AlphaBeta | Engine::Auto | Engine::DfPn)
    }

    /// Makes so many playouts from a position and frees the tree.
    pub(crate) fn search<G>(self, root: Position<G>, playouts: u64, threads: usize)
    where
        G: Rules<Move: PerThread>,
    {
        match self {
            Engine::Proofwood => proofwood::search(root, playouts, threads),
            Engine::Treant => treant::search(root, playouts, threads),
            Engine::Minimax => minimax::search(root, playouts, threads),
            Engine::Arbor => arbor::search(root, playouts),
            Engine::AlphaBeta | Engine::Auto | Engine::DfPn => {}
        }
    }

    /// Tries to prove a position on one thread in so much processor time.
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
            Engine::Arbor => Proof { claim: Claim::of(None, 0), cpu: 0.0 },
        }
    }
}

/// A claim and the processor time that it took, in seconds.
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
