//! Limits the entries that a machine publishes to those that took most work.

use proofwood::prover::{SharedEntries, SharedEntry};
use std::time::Duration;

/// The interval between two batches. A shorter one sends more messages, a longer one has more work
/// done twice.
pub const PUBLISH_EVERY: Duration = Duration::from_millis(50);

/// The number of nodes per published entry, multiplied by the number of machines. So the rate at
/// which each machine receives entries does not grow with their number: about two million bytes per
/// second at a million nodes per second each.
const NODES: u64 = 8;

/// The least rate at which a machine receives entries, per second, if there are enough. This takes
/// a hundredth of its time. It exceeds the rate by [`NODES`] when nodes are slow.
const AFFORDED: f64 = 50_000.0;

/// The greatest rate at which a machine receives entries, per second. This is eight million bytes,
/// so that a network of a gigabit per second serves fifteen machines, however many threads they
/// have.
const MOST: f64 = 500_000.0;

/// The initial threshold in expansions for open entries; that of settled ones is a sixteenth.
const LEAST: u64 = 16;

/// Chooses the entries to publish.
#[derive(Clone, Debug)]
pub struct PublishRate {
    machines: u64,
    /// The least number of expansions of an entry, see [`SharedEntries::publish_from`].
    least: u64,
    /// The number of nodes at the last batch.
    nodes: u64,
    /// The position in the list of new entries.
    from: u64,
}

impl PublishRate {
    /// Creates the state for one of `machines` machines.
    pub fn new(machines: usize) -> PublishRate {
        PublishRate { machines: machines as u64, least: LEAST, nodes: 0, from: 0 }
    }

    /// Changes the number of machines.
    pub fn set_machines(&mut self, machines: usize) {
        self.machines = machines as u64;
    }

    /// Returns the next batch, given the `nodes` so far and the `seconds` since the last batch, and
    /// adapts the threshold.
    pub fn batch(
        &mut self,
        shared_entries: &SharedEntries,
        nodes: u64,
        seconds: f64,
    ) -> Vec<SharedEntry> {
        let findings = shared_entries.entries_since(&mut self.from);
        let machines = self.machines.max(1);
        let by_nodes = (nodes - self.nodes.min(nodes)) / (NODES * machines);
        let of = |many: f64| (seconds * many) as u64 / machines;
        let wanted = by_nodes.clamp(of(AFFORDED), of(MOST));
        self.nodes = nodes;
        let told = findings.len() as u64;
        // The threshold rises fast, because too many entries burden all machines, and falls slowly.
        if told > wanted * 2 {
            self.least *= 2;
        } else if told > wanted {
            self.least += (self.least / 4).max(1);
        } else if told * 4 < wanted * 3 {
            self.least = (self.least * 3 / 4).max(1);
        }
        shared_entries.publish_from(self.least);
        findings
    }
}
