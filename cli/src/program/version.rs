//! The text of `--version`: the version and the features.

use proofwood::{Algorithm, MAX_PLAYERS, certificate};
use std::env::consts::{ARCH, OS};

/// Returns the version, and a line for each feature that may differ between builds or machines.
pub(crate) fn long() -> String {
    let version = env!("CARGO_PKG_VERSION");
    let games = proofwood_games::games().len();
    let provers: Vec<&str> = Algorithm::ALL.iter().map(|algorithm| algorithm.name()).collect();
    let provers = provers.join(", ");
    let format = certificate::VERSION;
    let pages = match cfg!(target_os = "linux") {
        true => "requested for the tables of provers",
        false => "not requested on this system",
    };
    format!(
        "{version}
games         {games}, up to {MAX_PLAYERS} players
search        GPN-MCTS with MCTS-Solver and score bounds
provers       {provers}
certificates  format {format}
huge pages    {pages}
built for     {ARCH}-{OS}"
    )
}
