//! The ownership backup, which carries changes up the tree while other threads work on it.
//!
//! A node's proof numbers and intervals are functions of its children's. If two threads change two
//! children at once and each simply recomputes the parent, three things can go wrong: the older
//! result overwrites the newer one; each thread reads the siblings before the other's store is
//! visible, and the parent is never proven; or a reader follows a link to children that do not
//! exist yet. Five rules prevent this:
//!
//! 1. After changing a child, a thread *announces* the change on the parent: one read-modify-write
//!    sets OWNED and DIRTY. If the parent was not owned, the thread is now its owner; otherwise the
//!    thread goes on at once.
//! 2. The owner clears DIRTY, recomputes the node from its children, stores the results, and gives
//!    up ownership with an exchange that succeeds only while DIRTY is clear. Otherwise it starts
//!    again. So every announcement is followed by a recomputation that sees it.
//! 3. The owner climbs to the parent if *any* round stored something new, not only if the last
//!    result differs from the first: a number may change and change back, and the parent may have
//!    read it in between.
//! 4. The store that publishes new children also takes ownership, unless they cannot change the
//!    node (unknown children of a leaf whose numbers already count them).
//! 5. Owners finish their rounds even after the stop flag is set.
//!
//! No thread waits for another. An owner that is descheduled delays the update of its node's parent
//! until it runs again, but blocks no thread.
//!
//! Orderings: the stores of a round are relaxed. The same thread releases them with its next
//! announcement (on the parent) and when it gives up ownership (to the next owner); both are
//! acquire-release read-modify-writes. A thread's stores to the child are released by its
//! announcement, and the owner acquires them when it takes ownership or clears DIRTY. All changes
//! to a word are read-modify-writes, so no store in between breaks a release sequence.

use super::growth::Tree;
use super::logic::Logic;
use super::node::{DIRTY, EXACT, Node, OWNED, SOLVED, STALE, Word};
use crate::sync::{
    Fault, Ordering, Owning, broken, clear, exchange, met_owner, set, unless_broken,
};

/// The changes made by an owner's rounds.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Change {
    /// Whether anything has changed that the parent depends on.
    pub(crate) any: bool,
    /// Whether a round solved the node.
    pub(crate) solved: bool,
}

impl Tree {
    /// Propagates a node's change towards the root: `ancestor(0)` is the root and `ancestor(depth -
    /// 1)` the parent of the node that changed. Calls `solved` with the depth of every ancestor
    /// that becomes solved. Returns the depth of the ancestor at which the climb ended because it
    /// did not change or another thread owns it; `None` if the root changed.
    ///
    /// Runs no user code, takes no lock, never waits, and does not recurse.
    pub(crate) fn climb(
        &self,
        depth: usize,
        ancestor: impl Fn(usize) -> u32,
        mut solved: impl FnMut(usize),
    ) -> Option<usize> {
        for depth in (0..depth).rev() {
            let index = ancestor(depth);
            if !self.announce(index) {
                met_owner();
                return Some(depth);
            }
            let change = self.recompute_as_owner(index);
            if change.solved {
                solved(depth);
            }
            if !change.any {
                return Some(depth);
            }
        }
        None
    }

    /// Finishes an expansion that published the word `made`; if anything changed, the caller must
    /// notify the node's parent. If `made` does not take ownership, nothing changed, and another
    /// thread may own the node.
    #[inline]
    pub(crate) fn finish_expansion(&self, index: u32, made: Word) -> Change {
        let is_unowned = !made.is_owned() && !broken(Fault::UnownedRound);
        if is_unowned || broken(Fault::SilentExpansion) {
            return Change::default();
        }
        self.recompute_as_owner(index)
    }

    /// Announces on a node that a child changed; returns whether the caller now owns the node.
    pub(super) fn announce(&self, index: u32) -> bool {
        // Release: the owner must see the child as we left it. Acquire: as the
        // new owner we read what earlier owners and announcers stored.
        let order = unless_broken(Fault::RelaxedAnnounce, Ordering::AcqRel);
        let word = &self.node(index).word;
        let before = set(word, self.writers, OWNED | DIRTY | STALE, order);
        before & OWNED == 0 || broken(Fault::NoOwnership)
    }

    /// Runs the owner's rounds until no announcement is left; returns their combined changes.
    pub(super) fn recompute_as_owner(&self, index: u32) -> Change {
        let _owning = Owning::begins();
        let block = self.arena.single(index);
        let node = &block.nodes()[0];
        let first_seen = broken(Fault::ClimbOnNetChange).then(|| self.proof_number(index, 0));
        let mut change = Change::default();
        loop {
            // Acquire: pairs with the announcements that set DIRTY.
            let order = unless_broken(Fault::RelaxedAnnounce, Ordering::AcqRel);
            let word = Word(clear(&node.word, self.writers, DIRTY, order));
            let children = self.arena.children(word);
            let flags = if self.logic.has_numbers_only()
                && !word.is_kept()
                && Logic::have_numbers_only(children)
            {
                let (numbers, flags) = self.logic.deduce_numbers_only(word.mover(), children);
                change.any |= self.write_numbers(block, 0, &numbers);
                flags
            } else {
                let facts = self.deduce(index, word);
                change.any |= self.write_facts(block, 0, &facts);
                facts.flags
            };
            // The parent depends on SOLVED and EXACT, but not on SKIP.
            let new_flags = flags & !word.0;
            change.any |= new_flags & (SOLVED | EXACT) != 0;
            change.solved |= new_flags & SOLVED != 0;
            if self.release(node, new_flags) {
                break;
            }
        }
        if let Some(first) = first_seen {
            change.any = self.proof_number(index, 0) != first;
        }
        change
    }

    /// Gives up ownership and sets `flags` in one exchange, unless an announcement has set DIRTY
    /// again. Returns whether ownership was given up.
    fn release(&self, node: &Node, flags: u64) -> bool {
        if broken(Fault::BlindRelease) || broken(Fault::NoOwnership) {
            node.word.fetch_or(flags, Ordering::AcqRel);
            node.word.fetch_and(!(OWNED | DIRTY), Ordering::AcqRel);
            return true;
        }
        let mut current = node.word.load(Ordering::Relaxed);
        loop {
            if current & DIRTY != 0 {
                return false;
            }
            // Release: the next owner must see what we stored; pairs with the Acquire of its
            // announcement. The Acquire is not needed: a failure is followed by another check of
            // DIRTY or by the next round's own Acquire.
            let order = unless_broken(Fault::RelaxedAnnounce, Ordering::AcqRel);
            match exchange(&node.word, self.writers, current, (current | flags) & !OWNED, order) {
                Ok(_) => return true,
                Err(seen) => current = seen,
            }
        }
    }
}
