//! Adapter for our engine, with the defaults of its commands.

use super::Claim;
use crate::position::{Position, Rules};
use proofwood::options::PlayoutPolicy;
use proofwood::{Algorithm, Budget, Config, ProverConfig, Search};
use std::time::Duration;

/// Searches as `proofwood search` does, with random playouts like the other engines.
pub(super) fn search<G: Rules>(root: Position<G>, playouts: u64, threads: usize) {
    let config = Config::default().threads(threads).seed(1).playout_policy(PlayoutPolicy::Random);
    let _ = run(root, config, &Budget::default().playouts(playouts));
}

/// Chooses a move as `proofwood search --cpu-time TIME --threads 1` does.
pub(super) fn choose<G: Rules>(root: Position<G>, time: Duration) -> Option<G::Move> {
    let config = Config::default().threads(1).seed(1);
    let search = Search::new(root.game.clone(), root.state, config);
    let report = search.and_then(|mut search| search.search(&Budget::default().cpu_time(time)));
    report.ok()?.best_move
}

/// Proves a position as `proofwood solve --algorithm gpn` does. The limit is one of wall time,
/// which on one thread is at least the processor time, so our engine has no more time than the
/// others.
pub(super) fn prove<G: Rules>(root: Position<G>, limit: Duration) -> Claim {
    let config = Config::proving().threads(1).seed(1);
    match run(root, config, &Budget::default().time(limit)) {
        Ok(claim) => claim,
        Err(_) => Claim::of(None, 0),
    }
}

/// Proves a position as `proofwood solve --algorithm NAME` does, for a prover without playouts.
pub(super) fn prove_alone<G: Rules>(
    algorithm: Algorithm,
    root: Position<G>,
    limit: Duration,
) -> Claim {
    let budget = Budget::default().time(limit);
    let config = ProverConfig::default().algorithm(algorithm).threads(1);
    match proofwood::prove(root.game.clone(), root.state, config, &budget) {
        Ok(report) => {
            Claim::of(Some(report.proven.name()).filter(|_| report.proven.is_decided()), 0)
        }
        Err(_) => Claim::of(None, 0),
    }
}

fn run<G: Rules>(
    root: Position<G>,
    config: Config,
    budget: &Budget,
) -> Result<Claim, proofwood::SearchError> {
    let report = Search::new(root.game.clone(), root.state, config)?.search(budget)?;
    let value = Some(report.proven.name()).filter(|_| report.proven.is_decided());
    Ok(Claim::of(value, report.playouts))
}
