//! Changes the root to one of its children, or to another position.
//!
//! The root stays at index 0, where every playout starts: the child's fields are copied there, its
//! children stay where they are, and everything else is detached in one step. This needs exclusive
//! access to the tree (`&mut`), so there are no races here; the detached nodes are reclaimed during
//! the search (`free.rs`).

use super::logic::Facts;
use super::node::{COUNT_SHIFT, MOVER_SHIFT, STALE, Stage, Word};
use super::{ROOT, Tree};
use crate::game::Turn;
use crate::sync::{Fault, Ordering, broken};

impl Tree {
    /// Makes child `number` of the root the new root; `turn` is the turn at the old one. Returns
    /// whether the new root has children; if not, or without `keep`, it counts as never visited.
    ///
    /// The new root's visits are the sum of its children's visits. Facts that do not follow from
    /// its children are stored in [`Tree::known`].
    pub(crate) fn advance(&mut self, turn: Turn, number: usize, keep: bool) -> bool {
        let root = self.node(ROOT).load();
        let index = root.first_child() + number as u32;
        let word = self.node(index).load();
        let passed_on = self.logic.pass_on(turn, &self.known);
        let known = self.logic.join(&self.facts(index), &passed_on);
        let keeps = keep && word.stage() == Stage::Expanded;
        if keeps && !broken(Fault::SweptRoot) {
            // Workers must not reclaim the new root's children.
            self.node(index).zero();
        }
        self.clear_root();
        self.known = known;
        match keeps {
            true => self.inherit(word),
            false => self.forget_contradiction(),
        }
        if known.contradictory {
            self.contradict(ROOT);
        }
        keeps
    }

    /// Drops everything, so that the root counts as never visited.
    pub(crate) fn reset(&mut self) {
        self.clear_root();
        self.known = self.logic.unknown();
        self.forget_contradiction();
    }

    /// Drops everything except the facts about the root that do not follow from its children.
    pub(crate) fn clear_root(&mut self) {
        self.arena.detach(self.node(ROOT).load());
        self.arena.single(ROOT).zero();
    }

    /// Moves the children of an expanded node, and the facts that follow from them, to the root.
    fn inherit(&mut self, word: Word) {
        let (block, children) = (self.arena.single(ROOT), self.arena.children(word));
        let facts = self.logic.deduce(word.mover(), children);
        self.write_facts(block, 0, &facts);
        let (visits, value_sum) = children.statistics();
        let root = &block.nodes()[0];
        root.set_statistics(visits, value_sum);
        let links = u64::from(word.first_child())
            | (word.num_children() as u64) << COUNT_SHIFT
            | (word.mover() as u64) << MOVER_SHIFT;
        let word = Word(links | word.0 & STALE | facts.flags).with_stage(Stage::Expanded);
        // Relaxed: the threads that will read it have yet to be started.
        root.word.store(word.0, Ordering::Relaxed);
    }

    /// All facts about the root: those from its children, and those proven before it was the root.
    pub(crate) fn root_facts(&self) -> Facts {
        self.logic.join(&self.facts(ROOT), &self.known)
    }
}
