//! What `--version` tells: which program this is, and what it can do.

use proofwood::{Algorithm, MAX_PLAYERS, certificate};
use std::env::consts::{ARCH, OS};

/// The version and a line for each feature that may differ between versions or
/// machines.
pub(crate) fn long() -> String {
    let version = env!("CARGO_PKG_VERSION");
    let games = proofwood_games::games().len();
    let provers: Vec<&str> = Algorithm::ALL.iter().map(|algorithm| algorithm.name()).collect();
    let provers = provers.join(", ");
    let format = certificate::VERSION;
    let pages = match cfg!(target_os = "linux") {
        true => "asked for, for the tables of provers",
        false => "not asked for on this system",
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
