//! What playouts in a row have in common: the stem of their ways through the tree.
//!
//! A choice at a node with many visits is kept for up to 16 playouts. So the next playout goes
//! the same way as the last one through all nodes whose choices are still kept, and chooses only
//! below them. It begins there, at a *fork*: a node whose choice is kept for at most half as many
//! playouts as those of all nodes above it.
//!
//! ```text
//!   nodes on the way, from the root    a   b   c   d   e   f   g   h
//!   more playouts that enter the same
//!   child, at this node and above     15  15  15   7   7   3   0   0
//!   forks, and playouts that may begin there       d: 15   f: 7  g: 3
//! ```
//!
//! A fork has a copy of its position. The nodes above it learn of the playouts that began there
//! when no more may: until then the thread does not read their visits, since it has no choice to
//! make there. So the playouts of one thread are the same, in the same order, as if each had begun
//! at the root. What a playout proves may change a choice above a fork; the fork then goes at once.
//!
//! Forks are one thread's, as its notes are (`deferred.rs` of the selection), and what waits in
//! them reaches the tree by the same additions. Another thread sees it that much later. Such a
//! thread may prove something above a fork; no more than 15 playouts go on there without a look.

use crate::game::MAX_PLAYERS;
use crate::select::Deferred;
use crate::tree::{Peers, Stakes, Step};

/// The forks of the last playouts' ways, and the nodes above them.
pub(super) struct Stem<'t, S> {
    /// The nodes above the last fork, from the root.
    path: Vec<Step<'t>>,
    forks: Vec<Fork<S>>,
    peers: Peers,
}

/// A node at which playouts may begin.
pub(super) struct Fork<S> {
    /// How many nodes are above it.
    pub(super) depth: usize,
    pub(super) state: S,
    /// The stakes that matter there.
    window: Stakes,
    /// Playouts that may still begin here.
    left: u64,
    /// What the nodes between the fork above and this one have not learned.
    waiting: Waiting,
}

/// Playouts of which nodes have not learned.
#[derive(Clone, Copy, Default)]
struct Waiting {
    /// Those that began at the fork, or below.
    begun: u64,
    /// Those that are finished, with the one that found the fork.
    finished: u64,
    /// The sums of their values.
    sums: [i64; MAX_PLAYERS],
}

impl Waiting {
    #[inline]
    fn add(&mut self, finished: u64, sums: &[i64; MAX_PLAYERS]) {
        self.finished += finished;
        self.sums.iter_mut().zip(sums).for_each(|(sum, more)| *sum += more);
    }
}

impl<'t, S: Clone> Stem<'t, S> {
    pub(super) fn new(peers: Peers) -> Stem<'t, S> {
        // Room enough for playouts to need no more.
        Stem { path: Vec::with_capacity(256), forks: Vec::with_capacity(64), peers }
    }

    /// Begins a playout at the last fork that has some left; none where it is to begin at the
    /// root.
    #[inline]
    pub(super) fn begin(&mut self, deferred: &mut Deferred<'t>) -> Option<&Fork<S>> {
        while self.forks.last()?.left == 0 {
            self.drop_last(deferred);
        }
        let fork = self.forks.last_mut()?;
        fork.left -= 1;
        fork.waiting.begun += 1;
        Some(fork)
    }

    /// The stakes that matter where the playout began, and how many more may begin there.
    #[inline]
    pub(super) fn outset(&self) -> (Stakes, u64) {
        self.forks.last().map_or((Stakes::ALL, u64::MAX), |fork| (fork.window, fork.left))
    }

    /// Remembers a node on the way, the last of `path`, as a fork.
    #[inline(never)]
    pub(super) fn push(&mut self, path: &[Step<'t>], state: &S, window: Stakes, left: u64) {
        let depth = path.len() - 1;
        self.path.extend_from_slice(&path[self.depth()..depth]);
        let waiting = Waiting::default();
        self.forks.push(Fork { depth, state: state.clone(), window, left, waiting });
    }

    /// The last fork's depth: nodes above it are not to be told of a playout.
    #[inline]
    pub(super) fn depth(&self) -> usize {
        self.forks.last().map_or(0, |fork| fork.depth)
    }

    /// Counts a finished playout, which is worth so much to the players.
    #[inline]
    pub(super) fn count(&mut self, values: &[i64; MAX_PLAYERS]) {
        if let Some(fork) = self.forks.last_mut() {
            fork.waiting.add(1, values);
        }
    }

    /// Gives up the forks below the node at a depth.
    #[inline]
    pub(super) fn cut(&mut self, depth: usize, deferred: &mut Deferred<'t>) {
        while self.depth() > depth {
            self.drop_last(deferred);
        }
    }

    /// Tells the nodes between the last two forks of the playouts that began at the last or
    /// below it.
    #[inline(never)]
    fn drop_last(&mut self, deferred: &mut Deferred<'t>) {
        let Some(Fork { waiting, .. }) = self.forks.pop() else { return };
        let Waiting { begun, finished, sums } = waiting;
        let from = self.depth();
        for (depth, step) in (from..).zip(self.path.drain(from..)) {
            let sum = sums[step.chosen_by as usize % MAX_PLAYERS];
            match self.peers {
                Peers::Alone => step.node.finish_many_alone(finished, sum),
                Peers::Others { .. } => {
                    if depth == 0 {
                        deferred.count_root(finished, sum);
                    } else {
                        deferred.count(step.index, step.node, finished, sum);
                    }
                    deferred.use_up(step.index, step.node, begun);
                }
            }
        }
        if let Some(above) = self.forks.last_mut() {
            above.left -= begun;
            above.waiting.begun += begun;
            above.waiting.add(finished, &sums);
        }
    }
}
