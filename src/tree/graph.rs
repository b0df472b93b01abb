//! Positions that several ways lead to: the tree as a graph.
//!
//! A node holds the statistics of the move that leads to it, and its children are one block.
//! So a node is an edge, and the block is what a *position* has. In a graph a leaf whose
//! position has a block already takes that block for its children in place of a new one, and
//! several nodes lead to one block. Each of them keeps the visits and the value of its own
//! move. All below is theirs together.
//!
//! What a node says of its position is a function of the block. So whoever changes a node of
//! a block tells every node that leads to the block, and not only the one that it came by;
//! and a change climbs from level to level of the graph, so that each node on the way is
//! computed once. Beside the rules of `backup.rs`, which hold for each of them:
//!
//! 1. A block has a list of the nodes that lead to it ([`Link`]). While threads are in the
//!    tree it only gets longer.
//! 2. A node that takes over a block is published as owned, is put on the list, and then
//!    computed. Who climbs reads the list *after* it has changed the block, by a
//!    read-modify-write. Of these two exchanges with the head of the list one is the first.
//!    If it is the climber's, the new node acquires the change before it is computed; if it
//!    is the new node's, the climber finds it on the list. A load would not do: it could
//!    find an older list while the new node still finds the older numbers.
//! 3. Nodes lead to one block only where their positions are equally many moves away from
//!    the position that the search began with (`blocks.rs`). So no circle can arise,
//!    whatever the game, and every node that leads to a block is of one level.
//! 4. Nothing is freed while a thread is in the tree. When the root moves on, what it does
//!    not reach any more is found by going through all that it reaches.

use super::backup::Change;
use super::blocks::BlockTable;
use super::free::Live;
use super::node::NodeClaim;
use super::word::{OWNED, STALE, Stage, Word};
use super::{ROOT, Reservation, Tree};
use crate::memory::zeroed;
use crate::sync::{AtomicU32, Fault, Ordering, Writers, broken, met_owner};
use std::collections::TryReserveError;

/// How a node hangs in the graph. Where an index is stored as one more, 0 is none.
#[derive(Debug)]
pub(crate) struct Link {
    /// The first node of the node's own block. Relaxed: written before the block is
    /// published.
    home: AtomicU32,
    /// In the first node of a block: the node that was the last to lead to it, as one more.
    leads: AtomicU32,
    /// The node that led to the same block before this one, as one more. Relaxed: written
    /// before the node is on the list.
    next: AtomicU32,
}

zeroed!(Link, Link::new());

impl Link {
    #[cfg(loom)]
    fn new() -> Link {
        Link { home: AtomicU32::new(0), leads: AtomicU32::new(0), next: AtomicU32::new(0) }
    }

    /// For a node that nobody else can reach.
    pub(super) fn zero(&self) {
        for cell in [&self.home, &self.leads, &self.next] {
            cell.store(0, Ordering::Relaxed);
        }
    }
}

/// What a tree has that is a graph.
pub(super) struct Graph {
    blocks: BlockTable,
    /// Nodes that led to blocks which are still there are gone, and their visits with them.
    pub(super) lost_leads: bool,
}

/// What a thread climbs with: buffers that it keeps.
#[derive(Debug, Default)]
pub(crate) struct Climb {
    changed: Vec<u32>,
    told: Vec<u32>,
}

impl Tree {
    /// Makes an empty tree a graph, with a table of blocks; its columns must have links.
    pub(crate) fn share_blocks(&mut self, blocks: BlockTable) {
        self.graph = Some(Graph { blocks, lost_leads: false });
    }

    /// Whether several nodes may have the same children.
    #[inline]
    pub(crate) fn is_graph(&self) -> bool {
        self.graph.is_some()
    }

    /// Bytes of the table of blocks.
    pub(crate) fn table_bytes(&self) -> u64 {
        self.graph.as_ref().map_or(0, |graph| graph.blocks.bytes())
    }

    #[inline]
    fn link(&self, index: u32) -> &Link {
        &self.arena.single(index).links()[0]
    }

    /// Says that a fresh block will be the children of a node; nothing in a tree.
    pub(crate) fn lead_to_fresh(&self, reservation: &Reservation, index: u32) {
        let fresh = self.arena.fresh(reservation);
        for link in fresh.links() {
            link.home.store(fresh.index(0), Ordering::Relaxed);
        }
        if let Some(first) = fresh.links().first() {
            first.leads.store(index + 1, Ordering::Relaxed);
            // It may have led to another block before it lost its children.
            self.link(index).next.store(0, Ordering::Relaxed);
        }
    }

    /// Lets other nodes with this position find the children of an expanded node; key 0 has
    /// no position.
    pub(crate) fn offer(&self, key: u64, word: Word) {
        if let Some(graph) = self.graph.as_ref().filter(|_| key != 0) {
            graph.blocks.put(key, word.first_child());
        }
    }

    /// The word of an expanded node with this position.
    pub(crate) fn twin(&self, key: u64) -> Option<Word> {
        let graph = self.graph.as_ref().filter(|_| key != 0)?;
        let first = graph.blocks.get(key)?;
        // Acquire: whoever leads to a block was published before it was put on the list.
        let index = self.link(first).leads.load(Ordering::Acquire).checked_sub(1)?;
        let word = self.node(index).load();
        (word.is_expanded() && word.first_child() == first).then_some(word)
    }

    /// Gives a claimed node the children of its twin, which has the same position. If that
    /// changed anything, all that lead to the node must be told.
    pub(crate) fn adopt(&self, claim: NodeClaim<'_>, index: u32, twin: Word) -> Change {
        // Owned before it can be found: until it is computed nobody else can own it.
        let made = self.arena.publish_shared(claim, twin, OWNED | STALE);
        self.lead_to(twin.first_child(), index);
        self.finish_expansion(index, made)
    }

    /// Puts a node on the list of those that lead to a block.
    fn lead_to(&self, first: u32, index: u32) {
        let (head, own) = (&self.link(first).leads, self.link(index));
        let mut before = head.load(Ordering::Relaxed);
        loop {
            own.next.store(before, Ordering::Relaxed);
            if self.writers() == Writers::One {
                return head.store(index + 1, Ordering::Release);
            }
            // Release: who finds the node reads its word and its link. Acquire: it is
            // computed from what climbers before it have changed.
            match head.compare_exchange_weak(before, index + 1, Ordering::AcqRel, Ordering::Relaxed)
            {
                Ok(_) => return,
                Err(seen) => before = seen,
            }
        }
    }

    /// The node that was the last to lead to a block whose nodes this thread has changed, as
    /// one more.
    fn last_lead(&self, first: u32) -> u32 {
        let head = &self.link(first).leads;
        if self.writers() == Writers::One || broken(Fault::LoadedLeads) {
            return head.load(Ordering::Acquire);
        }
        // A read-modify-write: see rule 2. Release: our changes. Acquire: the nodes listed.
        head.fetch_or(0, Ordering::AcqRel)
    }

    /// Calls `each` with every node that leads to a block.
    fn for_leads(&self, mut last: u32, mut each: impl FnMut(u32)) {
        while let Some(index) = last.checked_sub(1) {
            each(index);
            if broken(Fault::OneLead) {
                return;
            }
            last = self.link(index).next.load(Ordering::Relaxed);
        }
    }

    /// Carries a change of a node to the root by all ways that lead there, level by level.
    /// Tells `settled` every node that this settled. Returns whether the root changed.
    ///
    /// As [`Tree::climb`], which goes one way, it runs no user code, takes no lock and waits
    /// for nobody.
    pub(crate) fn climb_all(
        &self,
        index: u32,
        climb: &mut Climb,
        mut settled: impl FnMut(u32),
    ) -> bool {
        let Climb { changed, told } = climb;
        changed.clear();
        changed.push(index);
        let mut root_changed = false;
        while !changed.is_empty() {
            told.clear();
            for &index in &*changed {
                let home = self.link(index).home.load(Ordering::Relaxed);
                self.for_leads(self.last_lead(home), |lead| told.push(lead));
            }
            told.sort_unstable();
            told.dedup();
            changed.clear();
            for &lead in &*told {
                if !self.announce(lead) {
                    met_owner();
                    continue;
                }
                let change = self.recompute_as_owner(lead);
                if change.settled {
                    settled(lead);
                }
                if change.any {
                    root_changed |= lead == ROOT;
                    changed.push(lead);
                }
            }
        }
        root_changed
    }

    /// All blocks that the root reaches.
    fn reached(&self) -> Result<Live, TryReserveError> {
        let mut live = Live::new(self.arena.handed_out())?;
        let mut open = vec![self.node(ROOT).load()];
        while let Some(word) = open.pop() {
            if word.stage() != Stage::Expanded || live.holds(word.first_child()) {
                continue;
            }
            live.keep(word);
            let below = self.arena.children(word).nodes();
            open.try_reserve(below.len())?;
            open.extend(below.iter().map(|node| node.load()));
        }
        Ok(live)
    }

    /// Frees what the root does not reach. No thread may be in the tree or hold a slab.
    pub(super) fn collect(&mut self) {
        match self.reached() {
            Ok(live) => {
                self.arena.rebuild(&live, 1);
                self.relink(&live);
            }
            // Without memory for the marks everything stays until the next pruning, and
            // nobody finds it. What led to the root's children before is told of changes, too.
            Err(_) => {
                let Some(graph) = &mut self.graph else { return };
                graph.blocks.clear();
                graph.lost_leads = true;
                let word = self.node(ROOT).load();
                if word.is_expanded() {
                    self.lead_to(word.first_child(), ROOT);
                }
            }
        }
    }

    /// Makes the lists of leads anew for these blocks, which are all that there are, and has
    /// the table forget the others. Nothing in a tree.
    pub(super) fn relink(&mut self, live: &Live) {
        let Some(graph) = &mut self.graph else { return };
        graph.blocks.retain(|first| live.holds(first));
        graph.lost_leads = !live.is_empty();
        let expanded = |index: &u32| self.node(*index).load().is_expanded();
        let nodes = || std::iter::once(ROOT).chain(live.indices()).filter(expanded);
        for index in nodes() {
            let first = self.node(index).load().first_child();
            // Relaxed, here and below: the threads that will read it have yet to be started.
            self.link(first).leads.store(0, Ordering::Relaxed);
        }
        for index in nodes() {
            self.lead_to(self.node(index).load().first_child(), index);
        }
    }

    /// The nodes that lead to a block, in a graph at rest.
    pub(crate) fn leads_to(&self, first: u32) -> Vec<u32> {
        let mut leads = Vec::new();
        let last = self.link(first).leads.load(Ordering::Relaxed);
        self.for_leads(last, |index| leads.push(index));
        leads
    }

    /// The first node of a node's own block, in a graph.
    pub(super) fn home(&self, index: u32) -> u32 {
        self.link(index).home.load(Ordering::Relaxed)
    }
}
