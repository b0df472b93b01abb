//! Counts of a campaign.

use proofwood::StopReason;
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) seed: u64,
    pub(crate) elapsed: Duration,
    pub(crate) rounds: u64,
    /// The number of searches, several of each tree.
    pub(crate) searches: u64,
    pub(crate) playouts: u64,
    pub(crate) nodes: u64,
    /// The number of times that a tree was compared with its recomputation.
    pub(crate) audits: u64,
    /// The number of reports compared with plain recursion, including those of running searches.
    pub(crate) compared: u64,
    /// The number of searches that ended because the game panicked.
    pub(crate) panics: u64,
    /// The number of times that a full memory was pruned.
    pub(crate) prunings: u64,
    pub(crate) moves: u64,
    pub(crate) files: u64,
    /// The number of times that the move chosen by a solved search was compared with the truth.
    pub(crate) choices: u64,
    /// The number of configurations that the evaluator did not support.
    pub(crate) refused: u64,
    /// The number of times that the memory was too small for a position and was then enlarged.
    pub(crate) too_small: u64,
    pub(crate) dropped: u64,
    pub(crate) reasons: BTreeMap<&'static str, u64>,
}

impl Tally {
    pub(crate) fn new(seed: u64) -> Tally {
        Tally { seed, ..Tally::default() }
    }

    pub(crate) fn ended(&mut self, reason: StopReason) {
        *self.reasons.entry(reason.name()).or_default() += 1;
    }

    /// Formats the most important figures on one line.
    pub(crate) fn on_one_line(&self) -> String {
        format!(
            "{} rounds, {} searches, {:.1} M playouts, {:.1} M nodes, {} audits in {:.0} s",
            self.rounds,
            self.searches,
            self.playouts as f64 / 1e6,
            self.nodes as f64 / 1e6,
            self.audits,
            self.elapsed.as_secs_f64()
        )
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Seed {}: {}", self.seed, self.on_one_line())?;
        let reasons: Vec<String> =
            self.reasons.iter().map(|(name, count)| format!("{name} {count}")).collect();
        writeln!(f, "Searches ended by: {}", reasons.join(", "))?;
        writeln!(
            f,
            "{} prunings, {} moves, {} files, {} searches dropped",
            self.prunings, self.moves, self.files, self.dropped
        )?;
        write!(
            f,
            "{} reports and {} solved choices compared with plain recursion, {} panics survived, \
             {} memories too small, {} configurations refused",
            self.compared, self.choices, self.panics, self.too_small, self.refused
        )
    }
}
