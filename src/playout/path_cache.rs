//! The path cache: a thread's consecutive playouts share a path near the root. The thread selects
//! this path once, and adds these playouts to its nodes together.
//!
//! At a node with many visits, one more playout almost never changes the selection, so a selection
//! serves up to 16 playouts ([`ReuseRule`](crate::select::ReuseRule)). Instead of walking the same
//! path again, the thread begins the next playout at the first node whose selection has ended, with
//! a copy of the position there. It adds values to the nodes above when their selections end.
//!
//! ```text
//!   nodes on the path, from the root     a   b   c   d   e   f   g   h
//!   playouts that the selection serves  16  16   8   8   8   2   1   1
//!   it ends before playout number       32  32  24  24  24  22  21  21    (now: 20)
//!   spans                              |------| |----------| |-|
//!   exits, where playouts may begin             c           f   g
//! ```
//!
//! | term | meaning |
//! |---|---|
//! | path | the nodes of the thread's last playout, from the root |
//! | end | the number of the thread's playout before which a selection is used up |
//! | span | nodes in a row on the path whose selections end together |
//! | exit | the node that a span leads to: playouts begin there |
//! | held | visits and sums of values of a span's nodes that are not yet in the tree |
//! | trust | the depth down to which no proof has changed a selection |
//!
//! **Ends nest.** A selection that serves *s* playouts, a power of two, ends at the next multiple
//! of *s*, or earlier, with the selection above it. So deeper spans end no later, there is about
//! one span for each power of two up to 16, and at multiples of 16 the path is empty and nothing is
//! held. A selection is used up when the path leaves its node, unless a proof intervened.
//!
//! **Statistics are exact where they are read.** Nodes of a span do not select, so this thread does
//! not read their statistics; a node that selects, its children and everything below are in no
//! span. When a span ends, the thread adds what the span holds to the nodes and to the span above.
//! Other threads see these statistics with this delay, at most 16 playouts. They may add to the
//! same nodes meanwhile, so several writers use read-modify-writes.
//!
//! **Proofs.** A proof by this thread climbs. It may close the child that a node above has
//! selected, or narrow the window below that node. So the next playout does not trust the path
//! below the node at which the climb ended: it checks each node there, updates the exits' windows,
//! and cuts the path where a child is closed. The thread sees other threads' proofs when the span
//! ends. This delay costs visits but not correctness, since each node's owner computes its bounds.
//!
//! **A single thread** makes the same playouts, in the same order, as if each began at the root and
//! were added immediately (`tests.rs`). A search that ends between two multiples of 16 discards the
//! rest of its selections.
//!
//! **The base** is a span without a selection, whose exit is the root. With several threads, it
//! holds the root's visits even if no selection is cached, because every thread adds to the root
//! all the time.
//!
//! The cache belongs to one thread, and no concurrency rule depends on it. The thread adds all held
//! statistics when it ends, if not earlier, even if the game's code panics. Nodes do not move while
//! a thread works, so the path stays valid.

use crate::game::{Game, MAX_PLAYERS};
use crate::sync::{Fault, Writers, broken};
use crate::threads::{Event, count_many};
use crate::tree::{MoveTree, Step, Trail, Window};

const LONGEST: u64 = 16;

/// The path of a thread's last playout, down to the lowest node at which the next one may begin.
pub(crate) struct PathCache<'t, S> {
    /// The next playout's number: the root's visits at the beginning plus the finished playouts.
    now: u64,
    /// The steps from the root to the last span's exit.
    steps: Vec<Step<'t>>,
    /// The base, and the spans in the order of the path.
    spans: Vec<Span<S>>,
    /// The depth down to which the path is trusted; `usize::MAX` if all of it is. The next playout
    /// checks the path from the last exit that is not deeper.
    trust: usize,
    writers: Writers,
}

/// Consecutive nodes whose selections end together.
struct Span<S> {
    end: u64,
    exit: usize,
    /// The depth below the last node of the held statistics: the exit, except in the base.
    covers: usize,
    /// The position at the exit, and the alpha-beta window there.
    state: S,
    window: Window,
    held: Held,
}

/// Finished playouts that are not yet added to a span's nodes.
#[derive(Clone, Copy, Default)]
struct Held {
    visits: u64,
    sums: [i64; MAX_PLAYERS],
}

impl Held {
    #[inline]
    fn add(&mut self, visits: u64, sums: &[i64; MAX_PLAYERS]) {
        self.visits += visits;
        self.sums.iter_mut().zip(sums).for_each(|(sum, more)| *sum += more);
    }
}

pub(crate) struct Outset<S> {
    /// The number of steps on the path up to the node, including the node.
    pub(crate) steps: usize,
    pub(crate) state: S,
    pub(crate) window: Window,
    /// The number of the playout before which the selections above end.
    pub(crate) end: u64,
}

impl<'t, S: Clone> PathCache<'t, S> {
    /// Creates a thread's cache at the root; `holds_root` is `true` with several threads.
    pub(crate) fn new(root: Step<'t>, state: S, holds_root: bool, writers: Writers) -> Self {
        let now = root.node.statistics().visits;
        // Large enough that playouts rarely reallocate.
        let (mut steps, mut spans) = (Vec::with_capacity(256), Vec::with_capacity(32));
        steps.push(root);
        spans.push(Span {
            end: ends(now, LONGEST),
            exit: 0,
            covers: usize::from(holds_root),
            state,
            window: Window::ALL,
            held: Held::default(),
        });
        PathCache { now, steps, spans, trust: usize::MAX, writers }
    }

    #[inline]
    fn last(&self) -> &Span<S> {
        &self.spans[self.spans.len() - 1]
    }

    /// Returns whether occasional work is due: after every 16th playout, when nothing is held.
    #[inline]
    pub(crate) fn is_due(&self) -> bool {
        self.now.is_multiple_of(LONGEST)
    }

    /// Returns the number of the playout before which a selection for `serves` playouts ends.
    #[inline]
    pub(crate) fn end_of(&self, serves: u64) -> u64 {
        ends(self.now, serves)
    }

    #[inline]
    pub(crate) fn begin<G>(&mut self, game: &G, tree: &MoveTree<G::Move>) -> Outset<S>
    where
        G: Game<State = S>,
    {
        if self.trust != usize::MAX
            && let Some(outset) = self.retrace(game, tree)
        {
            return outset;
        }
        self.last_exit()
    }

    #[inline]
    pub(crate) fn last_exit(&self) -> Outset<S> {
        let Span { end, exit, ref state, window, .. } = *self.last();
        count_many(Event::ChoiceKept, exit as u64);
        Outset { steps: exit + 1, state: state.clone(), window, end }
    }

    /// Checks the nodes that are not trusted. If one of them is solved, or its child on the path
    /// need no longer be entered, it cuts the path at that node and begins the playout there; the
    /// selections above the node remain.
    #[inline(never)]
    fn retrace<G>(&mut self, game: &G, tree: &MoveTree<G::Move>) -> Option<Outset<S>>
    where
        G: Game<State = S>,
    {
        let trust = std::mem::replace(&mut self.trust, usize::MAX);
        let mut number = self.spans.iter().rposition(|span| span.exit <= trust)?;
        let Span { exit: mut depth, mut window, .. } = self.spans[number];
        while depth < self.last().exit {
            let (step, next) = (self.steps[depth], self.steps[depth + 1]);
            let word = step.node.load();
            let below = if word.may_skip() { tree.narrow(window, step.index) } else { window };
            let child = (next.index - word.first_child()) as usize;
            if depth > 0 && word.is_solved() || !tree.is_open(word, child, below) {
                return Some(self.begin_at(game, tree, (number, depth), window));
            }
            (window, depth) = (below, depth + 1);
            if self.spans[number + 1].exit == depth {
                number += 1;
                self.spans[number].window = window;
            }
        }
        None
    }

    /// Begins a playout at `depth`, not above span `number`'s exit; ends the later spans.
    fn begin_at<G>(
        &mut self,
        game: &G,
        tree: &MoveTree<G::Move>,
        (number, depth): (usize, usize),
        window: Window,
    ) -> Outset<S>
    where
        G: Game<State = S>,
    {
        let Span { exit, ref state, mut end, .. } = self.spans[number];
        let mut state = state.clone();
        for steps in self.steps[exit..=depth].windows(2) {
            game.play(&mut state, tree.move_between(steps[0], steps[1]));
            end = self.spans[number + 1].end;
        }
        count_many(Event::ChoiceKept, depth as u64);
        while self.spans.len() > number + 1 {
            self.pop();
        }
        Outset { steps: depth + 1, state, window, end }
    }

    /// Turns the selections above the last node of a trail into a span that ends at `end`, because
    /// that node's own selection ends sooner. Does nothing if the playout counts as in flight at
    /// one of the nodes above, since other threads need that count.
    #[inline(never)]
    pub(crate) fn span_to(&mut self, trail: &Trail<'t>, state: &S, window: Window, end: u64) {
        let (exit, above) = (trail.path.len() - 1, self.last().exit);
        if exit <= above || trail.uncounted < exit {
            return;
        }
        #[cfg(test)]
        probe::EXITS.with(|exits| exits.set(exits.get() + 1));
        let end = if broken(Fault::EndlessSpan) { u64::MAX } else { end };
        self.steps.extend_from_slice(&trail.path[above + 1..=exit]);
        let (state, held) = (state.clone(), Held::default());
        self.spans.push(Span { end, exit, covers: exit, state, window, held });
    }

    /// Returns the depth from which finished playouts are added to the nodes immediately.
    #[inline]
    pub(crate) fn covers(&self) -> usize {
        self.last().covers
    }

    /// Counts a finished playout for the nodes above; `units` are its values in fixed point.
    #[inline]
    pub(crate) fn count(&mut self, units: &[i64; MAX_PLAYERS]) {
        let last = self.spans.len() - 1;
        self.spans[last].held.add(1, units);
        self.now += 1;
        while self.spans.len() > 1 && self.last().end <= self.now {
            self.pop();
        }
        if self.spans[0].end <= self.now {
            self.release(0);
            self.spans[0].end += LONGEST;
        }
        #[cfg(test)]
        if probe::FROM_ROOT.get() {
            self.add_all();
            self.trust = 0;
        }
    }

    /// Records that a proof may have changed selections at this depth and below.
    #[inline]
    pub(crate) fn distrust(&mut self, depth: usize) {
        if !broken(Fault::KeptTrust) {
            self.trust = self.trust.min(depth);
        }
    }

    #[inline(never)]
    fn pop(&mut self) {
        let last = self.spans.len() - 1;
        self.release(last);
        self.spans.truncate(last);
        self.steps.truncate(self.last().exit + 1);
        debug_assert!(self.spans.is_sorted_by(|above, span| {
            above.exit < span.exit && above.end >= span.end && above.covers <= span.covers
        }));
    }

    /// Adds a span's held statistics to its nodes and to the span above, since these playouts also
    /// passed through the nodes of that span.
    fn release(&mut self, number: usize) {
        let from = number.checked_sub(1).map_or(0, |above| self.spans[above].covers);
        let span = &mut self.spans[number];
        let held = std::mem::take(&mut span.held);
        if held.visits == 0 {
            return;
        }
        let writers = if broken(Fault::StoredHeld) { Writers::One } else { self.writers };
        for step in &self.steps[from..span.covers] {
            let sum = held.sums[step.chosen_by as usize % MAX_PLAYERS];
            step.node.add(writers, held.visits, sum, false);
        }
        if broken(Fault::KeptHeld) {
            span.held = held;
        }
        if let Some(above) = number.checked_sub(1)
            && !broken(Fault::ForgottenSpan)
        {
            self.spans[above].held.add(held.visits, &held.sums);
        }
    }

    /// Adds all held statistics to the tree; the selections remain.
    pub(crate) fn add_all(&mut self) {
        if !broken(Fault::LostHeld) {
            (0..self.spans.len()).rev().for_each(|number| self.release(number));
        }
    }
}

/// Returns the next multiple of `serves`, a power of two.
#[inline]
fn ends(now: u64, serves: u64) -> u64 {
    (now | (serves - 1)) + 1
}

/// Hooks by which tests observe a thread's playouts.
#[cfg(test)]
pub(crate) mod probe {
    use std::cell::Cell;

    std::thread_local! {
        /// Whether all playouts of this thread begin at the root and are added immediately.
        pub(crate) static FROM_ROOT: Cell<bool> = const { Cell::new(false) };
        /// The number of nodes below the root at which playouts of this thread could begin.
        pub(crate) static EXITS: Cell<u64> = const { Cell::new(0) };
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::tree::{Columns, Logic, ROOT};
    use proptest::prelude::*;

    /// The number of nodes on a path below the root.
    const DEPTH: usize = 6;

    fn tree(writers: Writers) -> MoveTree<u8> {
        let logic = Logic::two_sides(false, false);
        MoveTree::new(logic, Columns::default(), 256, writers).expect("room for a root")
    }

    /// A cache under test, the current path, and the finished playouts that each node should have.
    struct Walker<'t> {
        tree: &'t MoveTree<u8>,
        cache: PathCache<'t, usize>,
        path: Vec<Step<'t>>,
        /// The expected visits of each node.
        finished: [u64; 2 * DEPTH + 1],
    }

    impl<'t> Walker<'t> {
        fn new(tree: &'t MoveTree<u8>, holds_root: bool) -> Walker<'t> {
            let root = Self::step(tree, ROOT);
            let cache = PathCache::new(root, 0, holds_root, tree.writers());
            Walker { tree, cache, path: vec![root], finished: [0; 2 * DEPTH + 1] }
        }

        fn step(tree: &'t MoveTree<u8>, index: u32) -> Step<'t> {
            Step { node: tree.node(index), index, chosen_by: index % 2 }
        }

        fn visits(&self, index: u32) -> u64 {
            self.tree.node(index).statistics().visits
        }

        /// Makes a playout along `selections`, which contains, for each depth, the selected child
        /// and the number of playouts that the selection serves. Returns the depth at which the
        /// playout began.
        fn playout(&mut self, selections: &[(u32, u64)], counted: bool) -> usize {
            let Outset { steps, state, mut end, .. } = self.cache.last_exit();
            assert_eq!(state, steps - 1, "the position is that of the exit");
            let mut trail = Trail::new(self.tree, std::mem::take(&mut self.path), steps, 0);
            for (depth, &(child, serves)) in selections.iter().enumerate().skip(steps - 1) {
                if depth > 0 || self.cache.covers() == 0 {
                    let here = trail.last().index;
                    let own = self.finished[here as usize];
                    assert_eq!(self.visits(here), own, "a node that selects is up to date");
                }
                let own = self.cache.end_of(serves);
                if own < end {
                    self.cache.span_to(&trail, &depth, Window::ALL, end);
                    end = own;
                }
                let index = 1 + 2 * depth as u32 + child;
                trail.enter(Self::step(self.tree, index));
            }
            if counted {
                for step in &trail.path {
                    self.finished[step.index as usize] += 1;
                }
                let units =
                    trail.finish(self.cache.covers()..trail.path.len(), &[0.5; MAX_PLAYERS]);
                self.cache.count(&units);
            }
            self.path = trail.into_path();
            steps - 1
        }

        fn check(&self) {
            for (index, &finished) in (0..).zip(&self.finished) {
                let statistics = self.tree.node(index).statistics();
                assert_eq!((statistics.visits, statistics.in_flight), (finished, 0), "{index}");
                let sum = finished as i64 * crate::tree::VALUE_ONE / 2;
                assert_eq!(statistics.value_sum, sum, "{index}");
            }
        }
    }

    fn selections() -> impl Strategy<Value = Vec<(u32, u64)>> {
        let serves = (0u32..=4).prop_map(|shift| 1u64 << shift);
        prop::collection::vec((0u32..2, serves), 1..=DEPTH)
    }

    proptest! {
        #[test]
        fn no_playout_is_lost_or_counted_twice(
            playouts in prop::collection::vec((selections(), prop::bool::weighted(0.9)), 1..80),
            many in any::<bool>(),
            stop in any::<prop::sample::Index>(),
        ) {
            let writers = if many { Writers::Many } else { Writers::One };
            let tree = tree(writers);
            let mut walker = Walker::new(&tree, many);
            let stop = stop.index(playouts.len());
            for (number, (selections, counted)) in playouts.iter().enumerate() {
                walker.playout(selections, *counted);
                let nested = walker.cache.spans.is_sorted_by(|above, span| {
                    above.exit < span.exit && above.end >= span.end
                });
                prop_assert!(nested);
                if *counted && walker.cache.is_due() {
                    prop_assert_eq!(walker.cache.spans.len(), 1);
                    walker.check();
                }
                if number == stop {
                    walker.cache.add_all();
                    walker.check();
                }
            }
            walker.cache.add_all();
            walker.check();
        }
    }

    #[test]
    fn playouts_begin_where_the_first_selection_has_ended() {
        let tree = tree(Writers::One);
        let mut walker = Walker::new(&tree, false);
        let selections = [(0, 16), (0, 8), (0, 8), (0, 2), (0, 1), (0, 1)];
        let begun: Vec<usize> = (0..17).map(|_| walker.playout(&selections, true)).collect();
        assert_eq!(begun, [0, 4, 3, 4, 3, 4, 3, 4, 1, 4, 3, 4, 3, 4, 3, 4, 0]);
        // The root's selection served 16 playouts, and that of a node below it 8.
        assert_eq!((walker.visits(ROOT), walker.visits(1), walker.visits(3)), (16, 16, 16));
    }

    #[test]
    fn the_root_waits_among_several_threads() {
        let tree = tree(Writers::Many);
        let mut walker = Walker::new(&tree, true);
        for playouts in 1..=16 {
            walker.playout(&[(0, 1)], true);
            let root = if playouts == 16 { 16 } else { 0 };
            assert_eq!((walker.visits(ROOT), walker.visits(1)), (root, playouts));
        }
    }
}
