//! How long a thread goes by what it chose before, and what it keeps to itself meanwhile.

use crate::tree::{Peers, ReuseRule};

/// The policy of one search, the same for all its threads.
///
/// A thread that is alone in the tree keeps its choices in the nodes. Several threads keep
/// them in notes of their own, each for so much longer. There the visits of a node wait
/// in the notes, too, and from as many visits on as choices are kept no playout under
/// way is counted: who goes by a choice does not look for any.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reuse {
    patience: ReuseRule,
    crowd: Peers,
}

impl Reuse {
    /// For so many threads, of which one alone would keep choices from so many visits of
    /// a node on; where that is 0, every visit chooses.
    pub(crate) fn new(visits: u64, threads: usize) -> Reuse {
        let patience = ReuseRule::from_visits(visits).shared_by(threads);
        Reuse { patience, crowd: Peers::of(threads, patience) }
    }

    /// How long choices are kept in the nodes, by a thread that is alone.
    #[inline(always)]
    pub(crate) fn in_nodes(self) -> ReuseRule {
        self.patience
    }

    /// How long they are kept in a thread's own notes: never by one that is alone.
    pub(crate) fn in_notes(self) -> ReuseRule {
        match self.crowd {
            Peers::Alone => ReuseRule::from_visits(0),
            Peers::Others { .. } => self.patience,
        }
    }

    /// Who else is in the tree.
    pub(crate) fn crowd(self) -> Peers {
        self.crowd
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn one_thread_keeps_choices_in_nodes_and_several_in_notes() {
        let one = Reuse::new(64, 1);
        assert_eq!(one.crowd(), Peers::Alone);
        assert_eq!((one.in_nodes().visits(), one.in_notes().visits()), (Some(64), None));
        for (threads, visits) in [(2, 128), (3, 128), (16, 1024)] {
            let several = Reuse::new(64, threads);
            assert_eq!(several.in_notes().visits(), Some(visits));
            assert_eq!(several.crowd(), Peers::Others { many: Some(visits) });
        }
    }

    #[test]
    fn without_kept_choices_nodes_with_very_many_visits_are_left_out() {
        let several = Reuse::new(0, 4);
        assert!(!several.in_notes().keeps());
        assert_eq!(several.crowd(), Peers::Others { many: Some(4 << 10) });
    }
}
