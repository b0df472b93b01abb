//! A playout's way through the tree.

use super::Tree;
use super::node::Node;
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
    /// Leading steps that are not counted as in flight.
    pub(crate) unannounced: usize,
    /// Nodes with fewer visits count playouts in flight: none where a thread is alone in the tree,
    /// and all where a thread has many playouts under way. Otherwise those with many visits do
    /// not, to which it makes no difference. They are near the root, where every thread reads and
    /// writes all the time.
    count_below: u64,
    /// The later steps still count as in flight, until the playout is finished.
    pub(crate) open: bool,
}

impl<'t> Trail<'t> {
    /// A way that goes on after the first `steps` steps of one that was gone before, of which none
    /// but the last may count playouts in flight. The root does not.
    #[inline]
    pub(crate) fn new(
        tree: &'t Tree,
        mut path: Vec<Step<'t>>,
        steps: usize,
        count_below: u64,
    ) -> Trail<'t> {
        path.truncate(steps);
        let mut trail = Trail { tree, path, unannounced: steps, count_below, open: true };
        if steps > 1 && trail.counts(trail.last()) {
            trail.unannounced -= 1;
            trail.last().node.enter();
        }
        trail
    }

    /// A way that begins at the root.
    #[inline]
    pub(crate) fn from_root(
        tree: &'t Tree,
        mut path: Vec<Step<'t>>,
        root: Step<'t>,
        count_below: u64,
    ) -> Trail<'t> {
        path.clear();
        path.push(root);
        Trail::new(tree, path, 1, count_below)
    }

    /// Whether a node counts playouts in flight.
    #[inline]
    fn counts(&self, step: Step<'t>) -> bool {
        match self.count_below {
            0 => false,
            u64::MAX => true,
            many => step.node.statistics().visits < many,
        }
    }

    #[inline]
    pub(crate) fn enter(&mut self, step: Step<'t>) {
        // Those left out come first on the way: visits fall from node to child.
        if self.unannounced == self.path.len() && !self.counts(step) {
            self.unannounced += 1;
        } else {
            step.node.enter();
        }
        self.path.push(step);
    }

    /// Goes back to the first `steps` steps.
    pub(crate) fn back_to(&mut self, steps: usize) {
        while self.path.len() > steps.max(1) {
            let Some(step) = self.path.pop() else { break };
            if self.path.len() < self.unannounced {
                self.unannounced = self.path.len();
            } else if !broken(Fault::ForgottenGuard) {
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
        if self.open && !broken(Fault::ForgottenGuard) {
            let unannounced = if broken(Fault::UncountedEnd) { 0 } else { self.unannounced };
            for step in &self.path[unannounced..] {
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
