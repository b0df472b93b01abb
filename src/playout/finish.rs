//! The end of a playout: its values are added to every node on the way.

use super::chance::Mix;
use crate::game::MAX_PLAYERS;
use crate::select::Deferred;
use crate::sync::{Fault, Ordering, broken};
use crate::tree::{Peers, Trail, VALUE_ONE};
use std::ops::Range;

/// Values in the units in which nodes sum them.
#[inline]
fn in_units(values: &[f32; MAX_PLAYERS]) -> [i64; MAX_PLAYERS] {
    values.map(|value| (value * VALUE_ONE as f32) as i64)
}

impl Trail<'_> {
    /// Adds the playout's values to every node on the way from depth `from` on, and to what is
    /// deferred where the root is not counted. `mixes` say where chance changed them, the
    /// deepest last. Answers the values that the nodes above are to be told, in their units.
    #[inline]
    pub(crate) fn finish(
        &mut self,
        from: usize,
        values: &[f32; MAX_PLAYERS],
        mixes: &[Mix],
        deferred: &mut Deferred<'_>,
    ) -> [i64; MAX_PLAYERS] {
        self.open = false;
        let (mut values, mut end) = (*values, self.path.len());
        for mix in mixes.iter().rev() {
            self.add(mix.depth..end, &in_units(&values), deferred);
            mix.apply(&mut values);
            end = mix.depth;
        }
        let units = in_units(&values);
        self.add(from..end, &units, deferred);
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
    fn add(&self, steps: Range<usize>, values: &[i64; MAX_PLAYERS], deferred: &mut Deferred<'_>) {
        if self.peers == Peers::Alone {
            for step in &self.path[steps] {
                step.node.finish_alone(values[step.chosen_by as usize % MAX_PLAYERS]);
            }
        } else {
            self.add_among_others(steps, values, deferred);
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
                deferred.count_root(1, value);
            } else if number < unannounced {
                deferred.count(step.index, step.node, 1, value);
            } else {
                step.node.finish(value);
            }
        }
    }
}
