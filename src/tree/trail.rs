//! A playout's way through the tree.

use super::Tree;
use super::node::{Node, ReuseRule};
use crate::sync::{Fault, broken};

/// A node on a playout's way and the player who chose it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step<'t> {
    pub(crate) node: &'t Node,
    pub(crate) index: u32,
    pub(crate) chosen_by: u32,
}

/// The nodes of a playout under way, counted as in flight in the tree until
/// the playout is finished, given up or lost to a panic.
pub(crate) struct Trail<'t> {
    pub(crate) tree: &'t Tree,
    pub(crate) path: Vec<Step<'t>>,
    /// Steps that are not counted in their nodes: the root's, where other
    /// threads are at work.
    pub(crate) uncounted: usize,
    /// Leading steps that are not counted as in flight, those included.
    pub(crate) unannounced: usize,
    /// The later steps still count as in flight, until the playout is finished.
    pub(crate) open: bool,
    pub(crate) peers: Peers,
}

/// Who else is in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Peers {
    /// Nobody: nothing is counted as in flight, and statistics need no locked
    /// instructions.
    Alone,
    /// Other threads. In nodes with many visits, playouts in flight make no difference and
    /// are not counted. Those are the nodes near the root, which every thread reads and
    /// writes all the time.
    Others {
        /// The number of visits; none where all are counted.
        many: Option<u64>,
    },
}

impl Peers {
    /// Who else is there, of `threads` that reuse their choices in this way.
    pub(crate) fn of(threads: usize, rule: ReuseRule) -> Peers {
        /// Visits for each thread, of which one is then less than a thousandth.
        const MANY: u64 = if cfg!(loom) { 1 } else { 1 << 10 };
        // A choice that is kept does not look for playouts under way.
        let many = rule.visits().unwrap_or(MANY * threads as u64);
        match threads {
            1 => Peers::Alone,
            _ => Peers::Others { many: Some(many) },
        }
    }
}

impl<'t> Trail<'t> {
    pub(crate) fn new(tree: &'t Tree, mut path: Vec<Step<'t>>, peers: Peers) -> Trail<'t> {
        path.clear();
        Trail { tree, path, uncounted: 0, unannounced: 0, open: true, peers }
    }

    /// Goes on after the first `steps` steps of a way that was gone before, which are not
    /// counted as in flight.
    #[inline]
    pub(crate) fn go_on(
        tree: &'t Tree,
        mut path: Vec<Step<'t>>,
        steps: usize,
        peers: Peers,
    ) -> Trail<'t> {
        path.truncate(steps);
        let (uncounted, unannounced) = match peers {
            Peers::Alone => (0, 0),
            Peers::Others { .. } => (1, steps),
        };
        Trail { tree, path, uncounted, unannounced, open: true, peers }
    }

    /// Whether the last step is not counted as in flight.
    #[inline]
    pub(crate) fn is_unannounced(&self) -> bool {
        self.peers == Peers::Alone || self.unannounced == self.path.len()
    }

    /// The first step, to the root.
    #[inline]
    pub(crate) fn start(&mut self, root: Step<'t>) {
        self.path.push(root);
        self.uncounted = usize::from(self.peers != Peers::Alone);
        self.unannounced = self.uncounted;
    }

    #[inline]
    pub(crate) fn enter(&mut self, step: Step<'t>) {
        if let Peers::Others { many } = self.peers {
            // Those left out come first on the way: visits fall from node to child.
            let has_many = |many| step.node.statistics().visits >= many;
            if self.unannounced == self.path.len() && many.is_some_and(has_many) {
                self.unannounced += 1;
            } else {
                step.node.enter();
            }
        }
        self.path.push(step);
    }

    /// Goes back to the first `steps` steps.
    pub(crate) fn back_to(&mut self, steps: usize) {
        while self.path.len() > steps.max(1) {
            let Some(step) = self.path.pop() else { break };
            if self.path.len() < self.unannounced {
                self.unannounced = self.path.len();
            } else if self.peers != Peers::Alone && !broken(Fault::ForgottenGuard) {
                step.node.leave();
            }
        }
    }

    #[inline]
    pub(crate) fn last(&self) -> Step<'t> {
        self.path[self.path.len() - 1]
    }

    /// Gives the buffer back for the next playout.
    pub(crate) fn into_path(mut self) -> Vec<Step<'t>> {
        self.take_back();
        std::mem::take(&mut self.path)
    }

    fn take_back(&mut self) {
        if self.open && self.peers != Peers::Alone && !broken(Fault::ForgottenGuard) {
            let uncounted = if broken(Fault::UncountedEnd) { 0 } else { self.unannounced };
            for step in &self.path[uncounted..] {
                step.node.leave();
            }
        }
        self.open = false;
    }
}

impl Drop for Trail<'_> {
    fn drop(&mut self) {
        self.take_back();
    }
}
