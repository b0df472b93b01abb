//! Importing a proof about the root.
//!
//! A prover finds bounds on the root's payoff, and a move that secures the better bound for the
//! mover. The tree stores the result as facts of the root's children, since a proof without a move
//! is of no use to a player; the root is recomputed from them as usual. This needs exclusive access
//! to the tree (`&mut`), so there are no races here.
//!
//! A child that receives a result has facts that do not follow from its own children: it is marked
//! KEPT, like a node that lost its children (`prune.rs`).

use super::logic::Facts;
use super::node::{EXACT, KEPT, SOLVED, Stage, Word};
use super::{ROOT, Tree};
use crate::bounds::Interval;
use crate::game::Turn;
use crate::sync::Ordering;

impl Tree {
    /// Imports a proof that player 0's payoff at the root of a two-player zero-sum game lies in
    /// this interval, and that child `best` secures the better end for the mover. All children must
    /// have been evaluated.
    pub(crate) fn import_proof(&mut self, payoffs: Interval, best: Option<usize>) {
        let root = self.node(ROOT).load();
        let facts = self.logic.between(payoffs);
        let of_all = self.logic.pass_on(Turn::Player(root.mover()), &facts);
        for number in 0..root.num_children() {
            let told = if best == Some(number) { &facts } else { &of_all };
            self.tell(root.first_child() + number as u32, told);
        }
        self.recompute(ROOT);
    }

    /// Adds facts to those of an evaluated node.
    fn tell(&self, index: u32, told: &Facts) {
        let (node, before) = (self.node(index), self.facts(index));
        let facts = self.logic.join(&before, told);
        if facts == before {
            return;
        }
        let word = node.load();
        let stage = match word.stage() {
            Stage::Leaf if facts.is_solved() => Stage::Known,
            stage => stage,
        };
        let word = Word(word.0 | facts.flags & (SOLVED | EXACT) | KEPT).with_stage(stage);
        // Relaxed: the threads that will read it have yet to be started.
        node.word.store(word.0, Ordering::Relaxed);
        self.write_facts(self.arena.single(index), 0, &facts);
    }
}
