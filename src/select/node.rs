//! The node at which a playout chooses.

use crate::tree::{Block, Node, Tree, Window, Word};

/// Where a playout stands: at an expanded node.
#[derive(Clone, Copy)]
pub(crate) struct AtNode<'t> {
    pub(crate) tree: &'t Tree,
    pub(crate) node: &'t Node,
    pub(crate) index: u32,
    pub(crate) word: Word,
    /// The player whose values the node's own statistics hold.
    pub(crate) viewpoint: usize,
    /// The values that still matter here.
    pub(crate) window: Window,
    /// The number of the thread.
    pub(crate) thread: u32,
}

impl<'t> AtNode<'t> {
    #[inline]
    pub(crate) fn children(self) -> Block<'t> {
        self.tree.arena.children(self.word)
    }
}
