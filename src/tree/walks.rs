//! Trails for provers and batched playouts: starting at the root, going back, and reading moves.

use super::growth::{MoveTree, Tree};
use super::trail::{Step, Trail};
use crate::sync::{Fault, broken};

impl<'t> Trail<'t> {
    #[inline]
    pub(crate) fn from_root(
        tree: &'t Tree,
        mut path: Vec<Step<'t>>,
        root: Step<'t>,
        count_below: u64,
    ) -> Trail<'t> {
        path.clear();
        path.push(root);
        Trail::new(tree, path, 1, count_below)
    }

    pub(crate) fn back_to(&mut self, steps: usize) {
        while self.path.len() > steps.max(1) {
            let Some(step) = self.path.pop() else { break };
            if self.path.len() < self.uncounted {
                self.uncounted = self.path.len();
            } else if !broken(Fault::ForgottenGuard) {
                step.node.leave();
            }
        }
    }
}

impl<M: Copy> MoveTree<M> {
    /// The move that leads from a step to the next one on a playout's path.
    #[inline]
    pub(crate) fn move_between(&self, from: Step<'_>, to: Step<'_>) -> M {
        let word = from.node.load();
        self.child_move(word, (to.index - word.first_child()) as usize)
    }
}
