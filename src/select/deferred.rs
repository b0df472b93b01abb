//! What one thread keeps to itself of the nodes that all threads pass.
//!
//! Near the root every thread is at the same few nodes all the time. Were each playout
//! added to them at once, and all their children looked at by each, the cache lines
//! that hold them would go back and forth between the processors, for longer than the
//! rest of the playout takes. In a node with many visits a few more make next to no
//! difference, to the scores and to the choice. So a thread keeps a note of such a
//! node: the child that it chose there, for the next few playouts to enter unseen, and
//! the playouts that it has finished since. When the choice is used up, these are added
//! to the node together and a choice is made anew. Of the root all playouts are
//! counted like this, from the first one on.
//!
//! Notes are one thread's: no rule about threads hangs on them. What stands in them
//! is missing in the tree until the worker adds it, by read-modify-writes and at its end
//! at the latest, also when the game's code panics (`notes.rs` and `search.rs` of the
//! models).

use crate::tree::{Choice, Node, ReuseRule};

/// Notes of a thread; a node has its place by its index.
const NOTES: usize = 1024;

/// A thread's notes of nodes with many visits, and its playouts that were not yet
/// added to the root.
pub(crate) struct Deferred<'t> {
    root: Finished,
    notes: Box<[Pending<'t>]>,
    rule: ReuseRule,
}

/// Playouts that are not yet added to a node.
#[derive(Clone, Copy, Debug, Default)]
struct Finished {
    playouts: u64,
    value_sum: i64,
}

impl Finished {
    #[inline]
    fn count(&mut self, playouts: u64, value_sum: i64) {
        self.playouts += playouts;
        self.value_sum += value_sum;
    }

    fn add_to(&mut self, node: &Node) {
        let Finished { playouts, value_sum } = std::mem::take(self);
        if playouts > 0 {
            node.finish_many(playouts, value_sum);
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Pending<'t> {
    node: Option<&'t Node>,
    finished: Finished,
    child: u32,
    /// Playouts for which the choice still is.
    left: u32,
}

impl Pending<'_> {
    #[inline]
    fn is_of(&self, node: &Node) -> bool {
        self.node.is_some_and(|noted| std::ptr::eq(noted, node))
    }

    fn add(&mut self) {
        if let Some(node) = self.node {
            self.finished.add_to(node);
        }
    }
}

impl<'t> Deferred<'t> {
    /// An empty one; takes notes of nodes for which choices are kept.
    pub(crate) fn new(rule: ReuseRule) -> Deferred<'t> {
        let notes = if rule.keeps() { NOTES } else { 0 };
        let notes = vec![Pending::default(); notes].into_boxed_slice();
        Deferred { root: Finished::default(), notes, rule }
    }

    #[inline]
    fn note(&mut self, index: u32) -> Option<&mut Pending<'t>> {
        self.notes.get_mut(index as usize % NOTES)
    }

    /// The child that was chosen here before and is to be entered again.
    #[inline(never)]
    pub(crate) fn kept_choice(&mut self, index: u32, node: &Node) -> Option<Choice> {
        let note = self.note(index).filter(|note| note.left > 0 && note.is_of(node))?;
        note.left -= 1;
        Some(Choice { child: note.child as usize, again: note.left.into() })
    }

    /// Keeps a choice for the next playouts, if the node and the chosen child have
    /// visits enough for these not to change much; adds those since the last choice in
    /// any case. Answers for how many playouts after the one under way it is kept.
    #[inline(never)]
    pub(crate) fn keep_choice(
        &mut self,
        index: u32,
        node: &'t Node,
        child: usize,
        chosen: &Node,
    ) -> u64 {
        let rule = self.rule;
        let Some(note) = self.note(index) else { return 0 };
        let (visits, chosen) = (node.statistics().visits, chosen.statistics().visits);
        let playouts = rule.playouts(visits, chosen) as u32;
        let keeps = playouts > 1;
        if keeps || note.is_of(node) {
            note.add();
            let (child, left) = (child as u32, playouts - 1);
            *note = Pending { node: keeps.then_some(node), child, left, ..Pending::default() };
        }
        u64::from(playouts - 1)
    }

    /// Counts finished playouts at the root.
    #[inline]
    pub(crate) fn count_root(&mut self, playouts: u64, value_sum: i64) {
        self.root.count(playouts, value_sum);
    }

    /// Counts finished playouts at a node where they were not counted as under way.
    #[inline]
    pub(crate) fn count(&mut self, index: u32, node: &Node, playouts: u64, value_sum: i64) {
        match self.note(index).filter(|note| note.is_of(node)) {
            Some(note) => note.finished.count(playouts, value_sum),
            None => node.finish_many(playouts, value_sum),
        }
    }

    /// Uses up a kept choice for playouts that took it without a look at the note.
    pub(crate) fn use_up(&mut self, index: u32, node: &Node, playouts: u64) {
        if let Some(note) = self.note(index).filter(|note| note.is_of(node)) {
            note.left = note.left.saturating_sub(playouts as u32);
        }
    }

    /// Adds what was counted at the root to it.
    pub(crate) fn add_root(&mut self, root: &Node) {
        self.root.add_to(root);
    }

    /// Adds all that was counted to the tree.
    pub(crate) fn add_all(&mut self, root: &Node) {
        self.add_root(root);
        self.notes.iter_mut().for_each(Pending::add);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::tree::{Arena, Columns, Slab};

    /// What is deferred, for choices from 64 visits on, and nodes that may share a note.
    fn arena() -> (Arena, ReuseRule) {
        let arena = Arena::new(Columns::default(), 2 * NOTES as u64).expect("room for a root");
        let mut slab = Slab::default();
        while arena.reserve(&mut slab, 8).is_ok() {}
        (arena, ReuseRule::from_visits(64))
    }

    /// What a thread enters in a row at a node with `visits`, where it chooses anew each
    /// time that it may, and the node's own visits after each.
    fn run(visits: u64, chosen: u64) -> Vec<(bool, u64)> {
        let (arena, rule) = arena();
        let mut deferred = Deferred::new(rule);
        let (node, child) = (arena.node(1), arena.node(2));
        node.finish_many(visits, 0);
        child.finish_many(chosen, 0);
        let mut playout = || {
            let kept = deferred.kept_choice(1, node);
            assert!(kept.is_none_or(|kept| kept.child == 7));
            if kept.is_none() {
                deferred.keep_choice(1, node, 7, child);
            }
            deferred.count(1, node, 1, 3);
            (kept.is_some(), node.statistics().visits - visits)
        };
        let seen = (0..6).map(|_| playout()).collect();
        deferred.add_all(arena.node(0));
        assert_eq!(node.statistics().visits, visits + 6);
        assert_eq!(node.statistics().value_sum, 18);
        seen
    }

    #[test]
    fn playouts_are_added_when_a_choice_is_made_anew() {
        assert_eq!(run(50, 1 << 20).last(), Some(&(false, 6)), "too few visits: no note");
        let twos = [(false, 0), (true, 0), (false, 2), (true, 2), (false, 4), (true, 4)];
        assert_eq!(run(64, 1 << 20), twos);
        assert_eq!(run(512, 1 << 20)[1..], [(true, 0); 5]);
        assert_eq!(run(512, 32), twos, "two are a sixteenth of the child's visits");
        let each = [1, 2, 3, 4, 5, 6].map(|added| (false, added));
        assert_eq!(run(64, 31), each, "the child has too few visits");
    }

    #[test]
    fn a_node_that_takes_the_place_of_another_loses_nothing() {
        let (arena, rule) = arena();
        let mut deferred = Deferred::new(rule);
        let (index, other) = (5, 5 + NOTES as u32);
        let (node, second) = (arena.node(index), arena.node(other));
        for node in [node, second] {
            node.finish_many(1000, 0);
        }
        deferred.keep_choice(index, node, 1, second);
        deferred.count(index, node, 1, 10);
        assert_eq!(deferred.kept_choice(other, second), None);
        deferred.keep_choice(other, second, 2, node);
        assert_eq!((node.statistics().visits, node.statistics().value_sum), (1001, 10));
        assert_eq!(deferred.kept_choice(index, node), None);
        assert_eq!(deferred.kept_choice(other, second).map(|kept| kept.child), Some(2));
        deferred.count(index, node, 1, 10);
        assert_eq!(node.statistics().visits, 1002, "it has no note any more");
    }

    #[test]
    fn a_choice_that_is_not_kept_ends_the_note() {
        let (arena, rule) = arena();
        let mut deferred = Deferred::new(rule);
        let (node, many, few) = (arena.node(1), arena.node(2), arena.node(3));
        node.finish_many(1000, 0);
        many.finish_many(900, 0);
        deferred.keep_choice(1, node, 0, many);
        deferred.count(1, node, 1, 5);
        assert_eq!(node.statistics().visits, 1000);
        deferred.keep_choice(1, node, 1, few);
        assert_eq!((node.statistics().visits, node.statistics().value_sum), (1001, 5));
        assert_eq!(deferred.kept_choice(1, node), None);
        deferred.count(1, node, 1, 5);
        assert_eq!(node.statistics().visits, 1002);
    }

    #[test]
    fn without_kept_choices_only_the_root_waits() {
        let (arena, _) = arena();
        let mut deferred = Deferred::new(ReuseRule::from_visits(0));
        let (root, node) = (arena.node(0), arena.node(1));
        node.finish_many(1 << 20, 0);
        deferred.keep_choice(1, node, 0, node);
        assert_eq!(deferred.kept_choice(1, node), None);
        deferred.count(1, node, 1, 1);
        deferred.count_root(1, 1);
        assert_eq!((root.statistics().visits, node.statistics().visits), (0, (1 << 20) + 1));
        deferred.add_root(root);
        assert_eq!(root.statistics().visits, 1);
    }

    #[test]
    fn patience_is_shared_by_threads() {
        let playouts = |threads, visits| {
            ReuseRule::from_visits(64).shared_by(threads).playouts(visits, visits)
        };
        assert_eq!((playouts(1, 64), playouts(2, 64)), (2, 1));
        assert_eq!((playouts(2, 128), playouts(3, 128), playouts(4, 256)), (2, 2, 2));
        assert_eq!((playouts(1024, 1 << 16), playouts(1024, 1 << 40)), (2, 16));
        assert!(!ReuseRule::from_visits(0).shared_by(1024).keeps());
    }
}
