//! What a campaign did, in figures.

use proofwood::StopReason;
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

/// Counts over all rounds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    /// The seed that all this came from.
    pub(crate) seed: u64,
    /// How long it took.
    pub(crate) elapsed: Duration,
    /// Rounds played.
    pub(crate) rounds: u64,
    /// Searches, several of each tree.
    pub(crate) searches: u64,
    /// Playouts of all searches.
    pub(crate) playouts: u64,
    /// Nodes of all trees.
    pub(crate) nodes: u64,
    /// Trees held against their recomputation.
    pub(crate) audits: u64,
    /// Reports held against plain recursion, those of running searches too.
    pub(crate) compared: u64,
    /// Searches that ended because the game panicked.
    pub(crate) panics: u64,
    /// How often a full memory was pruned.
    pub(crate) prunings: u64,
    /// Moves of the root.
    pub(crate) moves: u64,
    /// Trees that went through a file.
    pub(crate) files: u64,
    /// Choices of settled searches that were held against the truth.
    pub(crate) choices: u64,
    /// Configurations that an evaluator does not go with.
    pub(crate) refused: u64,
    /// Memory too small for a position, which was then given what it needs.
    pub(crate) too_small: u64,
    /// Trees that were dropped while a search was running.
    pub(crate) dropped: u64,
    /// Why searches ended.
    pub(crate) reasons: BTreeMap<&'static str, u64>,
}

impl Tally {
    /// Nothing yet.
    pub(crate) fn new(seed: u64) -> Tally {
        Tally { seed, ..Tally::default() }
    }

    /// Counts the end of a search.
    pub(crate) fn ended(&mut self, reason: StopReason) {
        *self.reasons.entry(reason.name()).or_default() += 1;
    }

    /// The most important figures.
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
            "{} reports and {} settled choices compared with plain recursion, {} panics survived, \
             {} memories too small, {} configurations refused",
            self.compared, self.choices, self.panics, self.too_small, self.refused
        )
    }
}
