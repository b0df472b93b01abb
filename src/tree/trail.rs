//! A playout's way through the tree.

use super::growth::{MoveTree, Tree};
use super::node::{Node, VALUE_ONE};
use crate::game::MAX_PLAYERS;
use crate::sync::{Fault, Ordering, Writers, broken};
use std::ops::Range;

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
    /// Adds the values of a finished playout to some of the steps. Answers them in the units of
    /// the nodes.
    #[inline]
    pub(crate) fn finish(
        &mut self,
        steps: Range<usize>,
        values: &[f32; MAX_PLAYERS],
    ) -> [i64; MAX_PLAYERS] {
        self.open = false;
        let units = in_units(values);
        self.add(steps, &units);
        if self.tree.arena.columns().evaluations
            && let Some(count) = self.tree.arena.single(self.last().index).evaluations().first()
        {
            // Relaxed: read by the audit after all workers have been joined.
            count.fetch_add(1, Ordering::Relaxed);
        }
        units
    }

    /// Adds values to some of the steps.
    #[inline]
    pub(crate) fn add(&self, steps: Range<usize>, values: &[i64; MAX_PLAYERS]) {
        match self.tree.writers() {
            Writers::One => self.add_by(Writers::One, steps, values),
            Writers::Many => self.add_among_others(steps, values),
        }
    }

    /// The same for one thread of several: kept out of the way of one that is alone.
    #[inline(never)]
    fn add_among_others(&self, steps: Range<usize>, values: &[i64; MAX_PLAYERS]) {
        self.add_by(Writers::Many, steps, values);
    }

    #[inline(always)]
    fn add_by(&self, writers: Writers, steps: Range<usize>, values: &[i64; MAX_PLAYERS]) {
        let unannounced = if broken(Fault::UncountedEnd) { 0 } else { self.unannounced };
        let (quiet, announced) = self.path[..steps.end].split_at(unannounced.min(steps.end));
        let value = |step: &Step<'_>| values[step.chosen_by as usize % MAX_PLAYERS];
        for step in quiet.iter().skip(steps.start) {
            step.node.add(writers, 1, value(step), false);
        }
        for step in announced.iter().skip(steps.start.saturating_sub(unannounced)) {
            step.node.add(writers, 1, value(step), true);
        }
    }
}

impl Drop for Trail<'_> {
    fn drop(&mut self) {
        self.take_back();
    }
}

/// Values in the units in which nodes sum them.
#[inline]
pub(crate) fn in_units(values: &[f32; MAX_PLAYERS]) -> [i64; MAX_PLAYERS] {
    values.map(|value| (value * VALUE_ONE as f32) as i64)
}

impl<M: Copy> MoveTree<M> {
    /// The move that leads from a step to the next one on a playout's way.
    #[inline]
    pub(crate) fn move_between(&self, from: Step<'_>, to: Step<'_>) -> M {
        let word = from.node.load();
        self.child_move(word, (to.index - word.first_child()) as usize)
    }
}
