//! Moves, as bytes in a column beside the nodes.
//!
//! The tree does not know what type a move has, so its code is compiled once and not for
//! each game. [`MoveTree`] knows the type: it alone writes moves and reads them.

use super::Tree;
use super::arena::{Filled, NoArena, Reservation};
use super::columns::Columns;
use super::logic::Logic;
use super::node::Node;
use super::trail::Step;
use super::word::Word;
use crate::sync::Writers;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ops::{Deref, DerefMut};

/// A tree with the type of its moves.
pub(crate) struct MoveTree<M> {
    tree: Tree,
    moves: PhantomData<M>,
}

impl<M: Copy> MoveTree<M> {
    /// A tree whose root was never visited. With [`Writers::One`] no two threads may
    /// change it at once, for as long as it is there; others may read it.
    ///
    /// # Errors
    /// When not even the root fits into `max_nodes`, or the system has no memory for it.
    pub(crate) fn new(
        logic: Logic,
        columns: Columns,
        max_nodes: u64,
        writers: Writers,
    ) -> Result<MoveTree<M>, NoArena> {
        let columns = Columns { move_bytes: size_of::<M>(), ..columns };
        Tree::new(logic, columns, max_nodes, writers)
            .map(|tree| MoveTree { tree, moves: PhantomData })
    }

    /// Writes the moves of a block that is to become the children of a node.
    ///
    /// # Panics
    /// Unless there is a move for each node.
    pub(crate) fn fill(&self, reservation: Reservation, moves: &[M]) -> Filled {
        let block = self.tree.arena.fresh(&reservation);
        assert_eq!(moves.len(), block.len(), "a block needs a move for each node");
        for (number, mv) in moves.iter().enumerate() {
            let bytes: *const MaybeUninit<u8> = (&raw const *mv).cast();
            for (at, cell) in block.move_bytes::<M>(number).iter().enumerate() {
                // SAFETY: `mv` has a byte here, since there are as many cells as it has
                // bytes. The reservation is the sole right to these indices, and it is
                // consumed here; no block over them that reads moves exists before a word
                // is published, which takes the result. So nobody reads while we write
                // (fact 3 in `arena.rs`).
                cell.with_mut(|slot| unsafe { *slot = *bytes.add(at) });
            }
        }
        Filled::by_fill(reservation)
    }

    /// The move that leads to child `number` of an expanded node.
    #[inline]
    pub(crate) fn child_move(&self, word: Word, number: usize) -> M {
        self.child(word, number).1
    }

    /// The move that leads from a step to the next one on a playout's way.
    #[inline]
    pub(crate) fn move_between(&self, from: Step<'_>, to: Step<'_>) -> M {
        let word = from.node.load();
        self.child_move(word, (to.index - word.first_child()) as usize)
    }

    /// Child `number` of an expanded node, and the move that leads there.
    #[inline(always)]
    pub(crate) fn child(&self, word: Word, number: usize) -> (&Node, M) {
        assert!(
            word.is_expanded() && number < word.num_children(),
            "{word:?} has no child {number}"
        );
        let block = self.tree.arena.children(word);
        let mut mv = MaybeUninit::<M>::uninit();
        let bytes: *mut MaybeUninit<u8> = mv.as_mut_ptr().cast();
        for (at, cell) in block.move_bytes::<M>(number).iter().enumerate() {
            // SAFETY: `mv` has a byte here, as in `fill`. Only `publish` makes words of
            // this stage, once for each claim (fact 4), from a reservation that was filled
            // before; this thread has loaded the word with Acquire (`Node::load`), so the
            // write happened before (fact 3).
            cell.with(|slot| unsafe { *bytes.add(at) = *slot });
        }
        // SAFETY: all its bytes are those of a move that `fill` wrote here. It was of this
        // type: a tree is made by `new` above with its type, and no two trees change
        // places, since nobody assigns through `deref_mut`.
        (&block.nodes()[number], unsafe { mv.assume_init() })
    }
}

impl<M> Deref for MoveTree<M> {
    type Target = Tree;

    #[inline(always)]
    fn deref(&self) -> &Tree {
        &self.tree
    }
}

impl<M> DerefMut for MoveTree<M> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Tree {
        &mut self.tree
    }
}
