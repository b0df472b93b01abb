//! Limits the entries that a machine publishes to those that took the most work.

use proofwood::prover::{SharedEntries, SharedEntry};
use std::time::Duration;

/// The interval between two batches. A shorter one sends more messages, a longer one repeats work.
pub const PUBLISH_EVERY: Duration = Duration::from_millis(50);

/// A machine publishes one entry for this number of nodes times the number of machines. The rate at
/// which each machine receives entries is therefore independent of the number of machines: about
/// two million bytes per second if each machine searches a million nodes per second.
const NODES: u64 = 8;

/// The lowest rate at which a machine receives entries, in entries per second, as long as there are
/// enough of them. Importing this many takes 1 % of the machine's time. If nodes are slow, the rate
/// from [`NODES`] would be lower.
const AFFORDED: f64 = 50_000.0;

/// The highest rate at which a machine receives entries, in entries per second. It corresponds to
/// eight million bytes per second, so a network with one gigabit per second serves fifteen machines
/// of any size.
const MOST: f64 = 500_000.0;

/// The initial threshold for publishing open entries, in expansions. For solved entries it is a
/// sixteenth of that.
const LEAST: u64 = 16;

/// Chooses the entries to publish.
#[derive(Clone, Debug)]
pub struct PublishRate {
    machines: u64,
    /// The least number of expansions with which an open entry is published; see
    /// [`SharedEntries::publish_from`].
    least: u64,
    /// The number of nodes at the last batch.
    nodes: u64,
    /// The position in the list of new entries at which the next batch starts.
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
