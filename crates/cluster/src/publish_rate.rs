//! What a machine tells the others: what took it most work, and little at a time.

use proofwood::prover::{SharedEntries, SharedEntry};
use std::time::Duration;

/// How often a machine tells the others. Sooner is more talk, later is more work done twice.
pub const PUBLISH_EVERY: Duration = Duration::from_millis(50);

/// A finding is told for so many nodes that a machine makes, times the number of machines: so
/// what each of them hears stays the same, however many there are. It is some two million
/// bytes a second where a machine makes a million nodes.
const NODES: u64 = 8;

/// Findings that a machine hears in a second at least, where there are so many. They take a
/// hundredth of its time. Where nodes are slow to make, they are more than one for [`NODES`].
const AFFORDED: f64 = 50_000.0;

/// Findings that a machine hears in a second at most: eight million bytes, so that a network of a
/// gigabit a second serves fifteen machines, however many threads they have.
const MOST: f64 = 500_000.0;

/// What is open and took fewer expansions than this is not told at first, nor what is settled
/// and took fewer than a sixteenth of it.
const LEAST: u64 = 16;

/// How much a machine tells.
#[derive(Clone, Debug)]
pub struct PublishRate {
    machines: u64,
    /// Expansions that a finding must have taken, see [`SharedEntries::publish_from`].
    least: u64,
    /// Nodes when it told last.
    nodes: u64,
    /// Where to read on in the news.
    from: u64,
}

impl PublishRate {
    /// For one of so many machines.
    pub fn new(machines: usize) -> PublishRate {
        PublishRate { machines: machines as u64, least: LEAST, nodes: 0, from: 0 }
    }

    /// There are so many machines now.
    pub fn set_machines(&mut self, machines: usize) {
        self.machines = machines as u64;
    }

    /// What is to be told by a machine that has made so many nodes so far, so many seconds after it
    /// told last.
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
        // Up at once, since many machines are told too much meanwhile, and down with care.
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
