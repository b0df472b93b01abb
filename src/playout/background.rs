//! The background prover's state in a search, and its result. `turns.rs` runs the prover.

use crate::bounds::Interval;
use crate::memory::leave_spare;
use crate::prove::Table;
use crate::settings::{Algorithm, Config, ProverConfig};
use std::iter::successors;

/// The state of the background prover between runs.
pub(crate) struct BackgroundProver {
    pub(crate) table: Table,
    pub(crate) config: ProverConfig,
    /// The prover's share of the work of all threads.
    pub(super) share: f64,
    /// The number of playouts that a run makes before the prover starts.
    pub(super) after: u64,
}

/// The memory is divided by this number to get the maximum size of the prover's table.
pub(crate) const BACKGROUND_SHARE: u64 = 4;

/// The minimum size of the table in bytes; a smaller table would be useless.
const LEAST_TABLE: u64 = 1 << 14;

/// A proof about the root.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Proven<M> {
    /// The bounds on the payoff of player 0.
    pub(crate) payoffs: Interval,
    /// The move with which the side to move secures the better end of these bounds.
    pub(crate) best: Option<M>,
}

/// The number of playouts that a run makes before it starts a prover that the game recommends. A
/// move of 20 ms has half as many playouts; in such short moves, a prover that does a quarter of
/// the work costs Connect Four some 17 Elo.
const PATIENCE: u64 = 1 << 15;

impl BackgroundProver {
    /// Creates a prover that does this share of the work. If the system lacks memory for its table,
    /// tries a sixteenth of the size, then a sixteenth of that, and so on. Returns `None` if even
    /// the smallest table does not fit.
    pub(crate) fn new(config: &Config, share: f64) -> Option<BackgroundProver> {
        let Config { foresight, seed, memory, .. } = *config;
        let sizes = successors(Some(memory / BACKGROUND_SHARE), |bytes| Some(bytes / 16));
        let fits = |bytes| Table::new(bytes).ok().filter(|_| leave_spare().is_ok());
        Some(BackgroundProver {
            table: sizes.take_while(|&bytes| bytes >= LEAST_TABLE).find_map(fits)?,
            config: ProverConfig::default()
                .algorithm(Algorithm::Auto)
                .threads(1)
                .foresight(foresight)
                .seed(seed),
            share,
            after: if config.prover_share.is_some() { 0 } else { PATIENCE },
        })
    }
}
