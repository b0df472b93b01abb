//! The ownership backup: how a change climbs the tree past other threads.
//!
//! A node's proof numbers and intervals are functions of its children's. If two threads change two
//! children at once and each simply recomputes the parent, three things can go wrong: the older
//! result overwrites the newer one; each thread looks at the siblings before it can see the other's
//! store, and the parent is never proven; or a reader follows a link to children that do not exist
//! yet. Five rules prevent them:
//!
//! 1. After changing a child, a thread *announces* on the parent: one read-modify-write that sets
//!    OWNED and DIRTY. Whoever finds the node unowned owns it; everyone else goes on at once.
//! 2. The owner clears DIRTY, recomputes the node from its children, stores, and gives ownership up
//!    by an exchange that succeeds only while DIRTY is clear. Otherwise it starts again. So a
//!    recomputation that sees the last announcement always follows it.
//! 3. The owner climbs if *any* round stored something new, not only if the last result differs
//!    from the first: numbers go up and come back, and the parent may have read one in between.
//! 4. The word that publishes new children also takes ownership, unless they change nothing
//!    (unknown children of a leaf that counted them).
//! 5. Owners finish their rounds even after the stop flag is up.
//!
//! No thread waits for another. An owner that is descheduled delays the update of its node's parent
//! until it runs again, but blocks no thread.
//!
//! Orderings: the stores of a round are relaxed. They are released by the next announcement of the
//! same thread (on the parent) and by its giving up of ownership (to the next owner), both
//! acquire-release read-modify-writes. An announcer's stores to the child are released by its
//! announcement and acquired by the owner, either when it takes the node or when it clears DIRTY or
//! fails to leave because DIRTY was set. All changes of a word are read-modify-writes, so no store
//! in between breaks a release sequence.

use super::growth::Tree;
use super::logic::Logic;
use super::node::{DIRTY, EXACT, Node, OWNED, SETTLED, STALE, Word};
use crate::sync::{
    Fault, Ordering, Owning, broken, clear, exchange, met_owner, set, unless_broken,
};

/// The changes made by an owner's rounds.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Change {
    /// Whether anything changed on which the parent depends.
    pub(crate) any: bool,
    /// Whether the node was settled.
    pub(crate) settled: bool,
}

impl Tree {
    /// Carries a change of a node towards the root: `ancestor(0)` is the root and `ancestor(depth -
    /// 1)` the parent of the node that changed. Calls `settled` with the depth of every node that
    /// this settled. Returns the depth of the ancestor at which the climb ended, because that one
    /// did not change or another thread owns it, or `None` if the root changed.
    ///
    /// Runs no user code, takes no lock, never waits, and needs no recursion.
    pub(crate) fn climb(
        &self,
        depth: usize,
        ancestor: impl Fn(usize) -> u32,
        mut settled: impl FnMut(usize),
    ) -> Option<usize> {
        for depth in (0..depth).rev() {
            let index = ancestor(depth);
            if !self.announce(index) {
                met_owner();
                return Some(depth);
            }
            let change = self.recompute_as_owner(index);
            if change.settled {
                settled(depth);
            }
            if !change.any {
                return Some(depth);
            }
        }
        None
    }

    /// Finishes an expansion that published the word `made`; if anything changed, the node's parent
    /// must be notified. Nothing changed if the word does not own the node; another thread may own
    /// it then.
    #[inline]
    pub(crate) fn finish_expansion(&self, index: u32, made: Word) -> Change {
        let is_unowned = !made.is_owned() && !broken(Fault::UnownedRound);
        if is_unowned || broken(Fault::SilentExpansion) {
            return Change::default();
        }
        self.recompute_as_owner(index)
    }

    /// Notifies a node that one of its children changed; returns whether the caller now owns the
    /// node.
    pub(super) fn announce(&self, index: u32) -> bool {
        // Release: the owner must see the child as we left it. Acquire: as the
        // new owner we read what earlier owners and announcers stored.
        let order = unless_broken(Fault::RelaxedAnnounce, Ordering::AcqRel);
        let word = &self.node(index).word;
        let before = set(word, self.writers, OWNED | DIRTY | STALE, order);
        before & OWNED == 0 || broken(Fault::NoOwnership)
    }

    /// Makes the owner's rounds; returns the changes of all of them together.
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
            // SETTLED and EXACT speak of the node to its parent; SKIP is its own.
            let new_flags = flags & !word.0;
            change.any |= new_flags & (SETTLED | EXACT) != 0;
            change.settled |= new_flags & SETTLED != 0;
            if self.release(node, new_flags) {
                break;
            }
        }
        if let Some(first) = first_seen {
            change.any = self.proof_number(index, 0) != first;
        }
        change
    }

    /// Gives up ownership, setting `flags` with the same exchange, unless an announcement came
    /// since DIRTY was cleared.
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
            // announcement. The Acquire is not needed: a failure is followed by another look or
            // by the next round's own Acquire.
            let order = unless_broken(Fault::RelaxedAnnounce, Ordering::AcqRel);
            match exchange(&node.word, self.writers, current, (current | flags) & !OWNED, order) {
                Ok(_) => return true,
                Err(seen) => current = seen,
            }
        }
    }
}
