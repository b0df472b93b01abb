//! A playout's path through the tree. Its nodes count the playout as in flight during the descent,
//! and as finished after the backup.

use super::growth::Tree;
use super::node::{Node, VALUE_ONE};
use crate::game::MAX_PLAYERS;
use crate::sync::{Fault, Writers, broken};
use std::ops::Range;

/// A node on a playout's path and the player who chose it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step<'t> {
    pub(crate) node: &'t Node,
    pub(crate) index: u32,
    pub(crate) chosen_by: u32,
}

/// The nodes of a playout in progress, which count it as in flight until it is finished, abandoned
/// or lost to a panic.
pub(crate) struct Trail<'t> {
    tree: &'t Tree,
    pub(crate) path: Vec<Step<'t>>,
    /// The number of leading steps that do not count the playout as in flight.
    pub(crate) uncounted: usize,
    /// Only nodes with fewer visits than this count playouts in flight: none if there is only one
    /// thread, all if a thread has many playouts in flight. Otherwise nodes with many visits are
    /// exempt: the count makes no difference there, and every thread reads and writes these nodes.
    count_below: u64,
    /// Whether the playout is unfinished, so that the later steps still count it as in flight.
    open: bool,
}

impl<'t> Trail<'t> {
    /// Creates a trail that continues after the first `steps` steps of an earlier one. Of these,
    /// only the last may count playouts in flight, unless it is the root.
    #[inline]
    pub(crate) fn new(
        tree: &'t Tree,
        mut path: Vec<Step<'t>>,
        steps: usize,
        count_below: u64,
    ) -> Trail<'t> {
        path.truncate(steps);
        let mut trail = Trail { tree, path, uncounted: steps, count_below, open: true };
        if steps > 1 && trail.counts(trail.last()) {
            trail.uncounted -= 1;
            trail.last().node.enter();
        }
        trail
    }

    /// Returns whether a node counts playouts in flight.
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
        // Uncounted steps come first, because a child has no more visits than its parent.
        if self.uncounted == self.path.len() && !self.counts(step) {
            self.uncounted += 1;
        } else {
            step.node.enter();
        }
        self.path.push(step);
    }

    #[inline]
    pub(crate) fn last(&self) -> Step<'t> {
        self.path[self.path.len() - 1]
    }

    /// Adds the values of a finished playout to these steps; returns the values in the nodes' unit.
    #[inline]
    pub(crate) fn finish(
        &mut self,
        steps: Range<usize>,
        values: &[f32; MAX_PLAYERS],
    ) -> [i64; MAX_PLAYERS] {
        self.open = false;
        let units = in_units(values);
        self.add(steps, &units);
        self.tree.count_evaluation(self.last().index);
        units
    }

    #[inline]
    pub(crate) fn add(&self, steps: Range<usize>, values: &[i64; MAX_PLAYERS]) {
        match self.tree.writers() {
            Writers::One => self.add_by(Writers::One, steps, values),
            Writers::Many => self.add_among_others(steps, values),
        }
    }

    /// A separate function, so that this code does not slow down a tree with a single writer.
    #[inline(never)]
    fn add_among_others(&self, steps: Range<usize>, values: &[i64; MAX_PLAYERS]) {
        self.add_by(Writers::Many, steps, values);
    }

    #[inline(always)]
    fn add_by(&self, writers: Writers, steps: Range<usize>, values: &[i64; MAX_PLAYERS]) {
        let uncounted = if broken(Fault::UncountedEnd) { 0 } else { self.uncounted };
        let (quiet, counted) = self.path[..steps.end].split_at(uncounted.min(steps.end));
        let value = |step: &Step<'_>| values[step.chosen_by as usize % MAX_PLAYERS];
        for step in quiet.iter().skip(steps.start) {
            step.node.add(writers, 1, value(step), false);
        }
        for step in counted.iter().skip(steps.start.saturating_sub(uncounted)) {
            step.node.add(writers, 1, value(step), true);
        }
    }

    /// Returns the buffer of the path, which the next playout can use again.
    pub(crate) fn into_path(mut self) -> Vec<Step<'t>> {
        self.take_back();
        std::mem::take(&mut self.path)
    }

    fn take_back(&mut self) {
        if self.open && !broken(Fault::ForgottenGuard) {
            let uncounted = if broken(Fault::UncountedEnd) { 0 } else { self.uncounted };
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

/// Converts values to the unit in which nodes sum them.
#[inline]
pub(crate) fn in_units(values: &[f32; MAX_PLAYERS]) -> [i64; MAX_PLAYERS] {
    values.map(|value| (value * VALUE_ONE as f32) as i64)
}
