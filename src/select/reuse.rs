//! How long a thread goes by what it chose before, and what it keeps to itself meanwhile.

use crate::tree::{Peers, ReuseRule};

/// The policy of one search, the same for all its threads.
///
/// A thread that is alone in the tree keeps its choices in the nodes. Several threads keep
/// them in notes of their own, and begin at nodes with more visits. A node's visits wait in
/// the notes, too. Where choices are kept, playouts under way are not counted: a thread
/// that reuses a choice does not look for them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reuse {
    rule: ReuseRule,
    peers: Peers,
}

impl Reuse {
    /// The policy for `threads`. One thread alone keeps choices in nodes with `visits` or
    /// more; where that is 0, every visit chooses.
    pub(crate) fn new(visits: u64, threads: usize) -> Reuse {
        let rule = ReuseRule::from_visits(visits).shared_by(threads);
        Reuse { rule, peers: Peers::of(threads, rule) }
    }

    /// Where each thread has many playouts under way: every visit chooses, and all of them
    /// are counted in all nodes.
    pub(crate) fn batched() -> Reuse {
        Reuse { rule: ReuseRule::from_visits(0), peers: Peers::Others { many: None } }
    }

    /// How long choices are kept in the nodes, by a thread that is alone.
    #[inline(always)]
    pub(crate) fn in_nodes(self) -> ReuseRule {
        self.rule
    }

    /// How long they are kept in a thread's own notes: never by one that is alone.
    pub(crate) fn in_notes(self) -> ReuseRule {
        match self.peers {
            Peers::Alone => ReuseRule::from_visits(0),
            Peers::Others { .. } => self.rule,
        }
    }

    /// Who else is in the tree.
    pub(crate) fn peers(self) -> Peers {
        self.peers
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn one_thread_keeps_choices_in_nodes_and_several_in_notes() {
        let one = Reuse::new(64, 1);
        assert_eq!(one.peers(), Peers::Alone);
        assert_eq!((one.in_nodes().visits(), one.in_notes().visits()), (Some(64), None));
        for (threads, visits) in [(2, 128), (3, 128), (16, 1024)] {
            let several = Reuse::new(64, threads);
            assert_eq!(several.in_notes().visits(), Some(visits));
            assert_eq!(several.peers(), Peers::Others { many: Some(visits) });
        }
    }

    #[test]
    fn without_kept_choices_nodes_with_very_many_visits_are_left_out() {
        let several = Reuse::new(0, 4);
        assert!(!several.in_notes().keeps());
        assert_eq!(several.peers(), Peers::Others { many: Some(4 << 10) });
    }
}
