//! The end of a playout: its values are added to the nodes on the way.

use super::chance::Mix;
use crate::game::MAX_PLAYERS;
use crate::sync::{Fault, Ordering, Writers, broken};
use crate::tree::{Step, Trail, VALUE_ONE};
use std::ops::Range;

/// Values in the units in which nodes sum them.
#[inline]
fn in_units(values: &[f32; MAX_PLAYERS]) -> [i64; MAX_PLAYERS] {
    values.map(|value| (value * VALUE_ONE as f32) as i64)
}

impl Trail<'_> {
    /// Adds the playout's values to every node on the way from depth `from` on. `mixes` say where
    /// chance changed them, the deepest last. Answers the values for the nodes above, in their
    /// units.
    #[inline]
    pub(crate) fn finish(
        &mut self,
        from: usize,
        values: &[f32; MAX_PLAYERS],
        mixes: &[Mix],
    ) -> [i64; MAX_PLAYERS] {
        self.open = false;
        let (mut values, mut end) = (*values, self.path.len());
        for mix in mixes.iter().rev() {
            self.add(mix.depth..end, &in_units(&values));
            mix.apply(&mut values);
            end = mix.depth;
        }
        let units = in_units(&values);
        self.add(from..end, &units);
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
    fn add(&self, steps: Range<usize>, values: &[i64; MAX_PLAYERS]) {
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
