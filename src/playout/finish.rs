//! The end of a playout: its values are added to every node on the way.

use super::chance::Mix;
use crate::game::MAX_PLAYERS;
use crate::select::Deferred;
use crate::sync::{Fault, Ordering, broken};
use crate::tree::{Peers, Trail, VALUE_ONE};
use std::ops::Range;

impl Trail<'_> {
    /// Adds the playout's values to every node on the way, and to what is deferred
    /// where the root is not counted. `mixes` say where chance changed them, the
    /// deepest last.
    #[inline]
    pub(crate) fn finish(
        &mut self,
        values: &[f32; MAX_PLAYERS],
        mixes: &[Mix],
        deferred: &mut Deferred<'_>,
    ) {
        self.open = false;
        let (mut values, mut end) = (*values, self.path.len());
        for mix in mixes.iter().rev() {
            self.add(mix.depth..end, &values, deferred);
            mix.apply(&mut values);
            end = mix.depth;
        }
        self.add(0..end, &values, deferred);
        if let Some(count) = self.tree.arena.single(self.last().index).evaluations().first() {
            // Relaxed: read by the audit after all workers have been joined.
            count.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Adds values to some of the steps.
    #[inline]
    fn add(&self, steps: Range<usize>, values: &[f32; MAX_PLAYERS], deferred: &mut Deferred<'_>) {
        let values = values.map(|value| (value * VALUE_ONE as f32) as i64);
        if self.peers == Peers::Alone {
            for step in &self.path[steps] {
                step.node.finish_alone(values[step.chosen_by as usize % MAX_PLAYERS]);
            }
        } else {
            self.add_among_others(steps, &values, deferred);
        }
    }

    /// The same for one thread of several: kept out of the way of one that is alone.
    #[inline(never)]
    fn add_among_others(
        &self,
        steps: Range<usize>,
        values: &[i64; MAX_PLAYERS],
        deferred: &mut Deferred<'_>,
    ) {
        let unannounced = if broken(Fault::UncountedEnd) { 0 } else { self.unannounced };
        for (number, step) in steps.clone().zip(&self.path[steps]) {
            let value = values[step.chosen_by as usize % MAX_PLAYERS];
            if number < self.uncounted {
                deferred.count_root(value);
            } else if number < unannounced {
                deferred.count(step.index, step.node, value);
            } else {
                step.node.finish(value);
            }
        }
    }
}
