//! A playout's way through the tree.

use crate::MAX_PLAYERS;
use crate::chance::Mix;
use crate::sync::{Fault, Ordering, broken};
use crate::tree::{Node, Tree, VALUE_ONE};
use std::ops::Range;

/// A node on a playout's way and the player who chose it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step<'t> {
    pub(crate) node: &'t Node,
    pub(crate) index: u32,
    pub(crate) chosen_by: u32,
    /// The position's key in the table of settled positions.
    pub(crate) key: u64,
}

/// Playouts that one thread has finished and not yet added to the root.
///
/// Every playout of every thread passes the root. Were its statistics added to
/// at once, the cache line that holds them, and the first children with them,
/// would go back and forth between the processors. Nothing but ln N and the
/// value of unvisited children hangs on them, and a few playouts more or less
/// do not change these.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    playouts: u64,
    value_sum: i64,
}

impl Tally {
    /// Adds what was counted to the root.
    pub(crate) fn flush(&mut self, root: &Node) {
        let Tally { playouts, value_sum } = std::mem::take(self);
        if playouts > 0 {
            root.finish_many(playouts, value_sum);
        }
    }
}

/// The nodes of a playout under way, counted as in flight in the tree until
/// the playout is finished, given up or lost to a panic.
pub(crate) struct Trail<'t, M: Copy> {
    tree: &'t Tree<M>,
    pub(crate) path: Vec<Step<'t>>,
    /// Steps that are not counted in their nodes: the root's, where other
    /// threads are at work.
    uncounted: usize,
    /// Steps, with those, that are not counted as in flight.
    unannounced: usize,
    /// The others are counted as in flight.
    open: bool,
    crowd: Crowd,
}

/// Who else is in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Crowd {
    /// Nobody: nothing is counted as in flight, and statistics need no locked
    /// instructions.
    Alone,
    /// Other threads. From so many visits of a node on, playouts in flight below it
    /// are too few to make a difference, and are not counted: the nodes near the
    /// root, which every thread reads and writes all the time.
    Others {
        /// The number of visits; none where all are counted.
        many: Option<u64>,
    },
}

impl Crowd {
    /// The crowd of so many threads that play out.
    pub(crate) fn of(threads: usize) -> Crowd {
        /// Visits for each thread, of which one is then less than a thousandth.
        const MANY: u64 = if cfg!(loom) { 1 } else { 1 << 10 };
        match threads {
            1 => Crowd::Alone,
            _ => Crowd::Others { many: Some(MANY * threads as u64) },
        }
    }
}

impl<'t, M: Copy> Trail<'t, M> {
    pub(crate) fn new(tree: &'t Tree<M>, mut path: Vec<Step<'t>>, crowd: Crowd) -> Trail<'t, M> {
        path.clear();
        Trail { tree, path, uncounted: 0, unannounced: 0, open: true, crowd }
    }

    /// The first step, to the root.
    #[inline]
    pub(crate) fn start(&mut self, root: Step<'t>) {
        self.path.push(root);
        self.uncounted = usize::from(self.crowd != Crowd::Alone);
        self.unannounced = self.uncounted;
    }

    #[inline]
    pub(crate) fn enter(&mut self, step: Step<'t>) {
        if let Crowd::Others { many } = self.crowd {
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
            } else if self.crowd != Crowd::Alone && !broken(Fault::ForgottenGuard) {
                step.node.leave();
            }
        }
    }

    #[inline]
    pub(crate) fn last(&self) -> Step<'t> {
        self.path[self.path.len() - 1]
    }

    /// Adds the playout's values to every node on the way, and to the tally
    /// where the root is not counted. `mixes` say where chance changed them, the
    /// deepest last.
    #[inline]
    pub(crate) fn finish(&mut self, values: &[f32; MAX_PLAYERS], mixes: &[Mix], tally: &mut Tally) {
        self.open = false;
        let (mut values, mut end) = (*values, self.path.len());
        for mix in mixes.iter().rev() {
            self.add(mix.depth..end, &values, tally);
            mix.apply(&mut values);
            end = mix.depth;
        }
        self.add(0..end, &values, tally);
        if let Some(count) = self.tree.arena.single(self.last().index).evaluations().first() {
            // Relaxed: read by the audit after all workers have been joined.
            count.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Adds values to some of the steps.
    #[inline]
    fn add(&self, steps: Range<usize>, values: &[f32; MAX_PLAYERS], tally: &mut Tally) {
        let values = values.map(|value| (value * VALUE_ONE as f32) as i64);
        let counted = steps.start.max(self.uncounted);
        let unannounced = if broken(Fault::UncountedEnd) { 0 } else { self.unannounced };
        let announced = unannounced.clamp(counted, steps.end.max(counted));
        for step in &self.path[steps.start..self.uncounted.max(steps.start)] {
            tally.playouts += 1;
            tally.value_sum += values[step.chosen_by as usize % MAX_PLAYERS];
        }
        for step in &self.path[counted..announced] {
            step.node.finish_many(1, values[step.chosen_by as usize % MAX_PLAYERS]);
        }
        for step in &self.path[announced..steps.end.max(announced)] {
            let value = values[step.chosen_by as usize % MAX_PLAYERS];
            if self.crowd == Crowd::Alone {
                step.node.finish_alone(value);
            } else {
                step.node.finish(value);
            }
        }
    }

    /// Gives the buffer back for the next playout.
    pub(crate) fn into_path(mut self) -> Vec<Step<'t>> {
        self.take_back();
        std::mem::take(&mut self.path)
    }

    fn take_back(&mut self) {
        if self.open && self.crowd != Crowd::Alone && !broken(Fault::ForgottenGuard) {
            let uncounted = if broken(Fault::UncountedEnd) { 0 } else { self.unannounced };
            for step in &self.path[uncounted..] {
                step.node.leave();
            }
        }
        self.open = false;
    }
}

impl<M: Copy> Drop for Trail<'_, M> {
    fn drop(&mut self) {
        self.take_back();
    }
}
