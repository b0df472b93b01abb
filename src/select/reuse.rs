//! How many playouts a selection serves.

/// How many playouts a selection serves, the same for all threads of a search.
///
/// In a node with many visits a few more make next to no difference to the scores, so
/// that a look at all children finds the same child again and again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReuseRule {
    /// The logarithm of the visits from which on a selection serves two.
    shift: u32,
}

impl ReuseRule {
    /// From `visits` for each thread on a selection serves 2 playouts, from twice that 4, at most
    /// 16. 0: every visit selects.
    pub(crate) fn new(visits: u64, threads: usize) -> ReuseRule {
        const NEVER: u32 = u64::BITS - 1;
        let shift = visits.checked_ilog2().map_or(NEVER, |shift| shift + threads.ilog2());
        ReuseRule { shift: shift.min(NEVER) }
    }

    /// The visits from which on selections serve several playouts; none where they never do.
    #[inline]
    pub(crate) fn visits(self) -> Option<u64> {
        (self.shift < u64::BITS - 1).then(|| 1 << self.shift)
    }

    /// Nodes with fewer visits than this count playouts in flight. Where selections are
    /// kept, no thread looks for those.
    pub(crate) fn count_below(self, threads: usize) -> u64 {
        /// Visits for each thread, of which one is then less than a thousandth.
        const MANY: u64 = if cfg!(loom) { 1 } else { 1 << 10 };
        match threads {
            1 => 0,
            _ => self.visits().unwrap_or(MANY * threads as u64),
        }
    }

    /// How many playouts a selection serves, given the node's `visits` and those of the `chosen`
    /// child: a power of two, and at most an eighth of the child's visits where selections are
    /// kept from 32 on.
    #[inline]
    pub(crate) fn playouts(self, visits: u64, chosen: u64) -> u64 {
        let many = (visits.min(chosen << 1) >> self.shift).min(15);
        let many = many | many >> 1;
        (many | many >> 2) + 1
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn a_selection_serves_up_to_16_playouts_and_a_sixteenth_of_what_the_child_has() {
        let rule = ReuseRule::new(64, 1);
        let served = |visits| rule.playouts(visits, 1 << 20);
        for (visits, playouts) in [(63, 1), (64, 2), (127, 2), (128, 4), (256, 8), (511, 8)] {
            assert_eq!(served(visits), playouts, "{visits}");
        }
        assert_eq!((served(512), served(1 << 40)), (16, 16));
        for (chosen, playouts) in [(31, 1), (32, 2), (63, 2), (64, 4), (128, 8), (255, 8)] {
            assert_eq!(rule.playouts(1 << 20, chosen), playouts, "{chosen}");
        }
        assert_eq!(rule.playouts(1 << 20, 256), 16);
    }

    #[test]
    fn patience_is_shared_by_threads() {
        let playouts = |threads, visits| ReuseRule::new(64, threads).playouts(visits, visits);
        assert_eq!((playouts(1, 64), playouts(2, 64)), (2, 1));
        assert_eq!((playouts(2, 128), playouts(3, 128), playouts(4, 256)), (2, 2, 2));
        assert_eq!((playouts(1024, 1 << 16), playouts(1024, 1 << 40)), (2, 16));
        assert_eq!(ReuseRule::new(0, 1024).playouts(1 << 40, 1 << 40), 1);
    }

    #[test]
    fn playouts_in_flight_are_counted_where_every_visit_selects() {
        let below = |visits, threads| ReuseRule::new(visits, threads).count_below(threads);
        assert_eq!((below(64, 1), below(0, 1)), (0, 0), "a thread that is alone counts none");
        assert_eq!((below(64, 2), below(64, 3), below(64, 16)), (128, 128, 1024));
        assert_eq!(below(0, 4), 4 << 10);
    }
}
