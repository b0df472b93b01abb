//! Best-first provers: one tree in the shared arena, grown where it proves most.
//!
//! Every thread goes down from the root to a *most proving* leaf: at each node
//! to the child with the least number of the side to move, which is the proof
//! number where the claimant moves and the disproof number elsewhere (Allis,
//! van der Meulen and van den Herik, *Proof-number search*, Artificial
//! Intelligence 66, 1994), or else to the child with the best odds for that
//! side. It claims the leaf, makes all its children, looks at
//! each, and lets what that changes climb by the tree's ownership backup. Then
//! it goes on from the deepest node on its way that stayed as it was, which is
//! still on the way to a most proving leaf.
//!
//! How threads share the tree:
//! - A leaf is expanded by the thread that holds its claim, so that a number
//!   that is 0 or ∞ comes from one look at all the children.
//! - Threads that are under way below a child count there as *virtual* proof
//!   numbers: one each, more for a thread that came to a leaf which another was
//!   expanding. They turn threads aside and are never stored, so that no proof
//!   can rest on them.
//! - A thread that loses a claim does not wait; it tries again from the root.
//!
//! A position that is met again on the way from the root counts against the
//! claimant, who has gained nothing by going round. So a proof never rests on a
//! repetition. A disproof may, and then holds on this way only; every node of a
//! tree has one way, so that it may be stored there (see [`harvest`]).

mod harvest;

use super::asked::Asked;
use super::{Effort, Prover, Question, Run, Side, Verdict};
use crate::SearchError;
use crate::contract::check_mobility;
use crate::control::Control;
use crate::game::Game;
use crate::log_odds;
use crate::sync::{AtomicBool, AtomicU64, Ordering};
use crate::trail::{Step, Trail};
use crate::tree::{
    Audit, Claim, Columns, Facts, Full, Inconsistency, Logic, ROOT, SeenChild, Settled, Slab,
    Stage, Tree, Word,
};
use crossbeam_utils::CachePadded;
use std::sync::Arc;

/// What a best-first prover finds out about the children of a leaf: all that
/// such provers differ in.
pub(crate) trait Leaves<G: Game>: Sync {
    /// One thread's buffers.
    type Scratch;

    /// What a thread under way counts, in the unit of the numbers.
    const VIRTUAL: f64 = 1.0;

    /// The buffers of the thread with this number.
    fn scratch(&self, thread: usize) -> Self::Scratch;

    /// Looks at the positions after all `moves` and pushes what it finds, in
    /// the same order. Answers `false` when it gave up because the run is to
    /// stop.
    fn look(
        &self,
        leaf: &mut Leaf<'_, G>,
        scratch: &mut Self::Scratch,
        moves: &[G::Move],
        seen: &mut Vec<SeenChild>,
    ) -> Result<bool, SearchError>;

    /// Whether the search may end without an answer because the root has these
    /// log-odds.
    fn is_good_enough(&self, root: f64) -> bool {
        let _ = root;
        false
    }
}

/// A leaf whose children are looked at, and the way to it.
pub(crate) struct Leaf<'l, G: Game> {
    pub(crate) asked: &'l Asked<G>,
    pub(crate) logic: &'l Logic,
    pub(crate) state: &'l G::State,
    /// The side to move.
    pub(crate) mover: usize,
    /// The keys of the positions on the way, this one's last.
    pub(crate) keys: &'l [Option<u64>],
    /// Nodes of the tree so far, and what it has room for.
    pub(crate) tree_nodes: u64,
    pub(crate) tree_room: u64,
    pub(crate) effort: &'l mut Effort,
    repeats: &'l AtomicBool,
    control: &'l Control,
    /// Whether another thread has answered the question.
    is_done: &'l dyn Fn() -> bool,
}

/// What can be said of a position without a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// The game is over.
    Over(Verdict),
    /// It was met before on its way; this side is to move.
    Repeated(usize),
    /// It is new, and this side is to move.
    Open(usize),
}

impl<G: Game> Leaf<'_, G> {
    /// Looks at a position below the leaf; `way` holds the keys of the
    /// positions between the two.
    pub(crate) fn glance(&self, state: &G::State, way: &[Option<u64>]) -> Look {
        let mover = match self.asked.side(state) {
            Side::Over(verdict) => return Look::Over(verdict),
            Side::Claimant => 0,
            Side::Others => 1,
        };
        let key = self.asked.key(state);
        if key.is_some() && (self.keys.contains(&key) || way.contains(&key)) {
            // Relaxed: read after the threads have been joined.
            self.repeats.store(true, Ordering::Relaxed);
            return Look::Repeated(mover);
        }
        Look::Open(mover)
    }

    /// Looks at all children. Where the game goes on, `value` says what is known
    /// of a position and the side to move there, or nothing when the run is to
    /// stop.
    pub(crate) fn value_children(
        &self,
        moves: &[G::Move],
        seen: &mut Vec<SeenChild>,
        mut value: impl FnMut(&Self, &G::State, usize) -> Result<Option<Facts>, SearchError>,
    ) -> Result<bool, SearchError> {
        for &mv in moves {
            let state = self.asked.game.after(self.state, mv);
            seen.push(match self.glance(&state, &[]) {
                Look::Over(verdict) => SeenChild::over(self.logic.terminal(&verdict.payoffs())),
                Look::Repeated(mover) => SeenChild::known(mover, self.logic.known(Settled(-1))),
                Look::Open(mover) => match value(self, &state, mover)? {
                    Some(facts) => SeenChild::open(mover, facts),
                    None => return Ok(false),
                },
            });
        }
        Ok(true)
    }

    /// Whether what is found out here would come too late.
    pub(crate) fn is_stopped(&self) -> bool {
        self.control.stopped() || (self.is_done)()
    }
}

/// A best-first prover of one question about one position.
pub(crate) struct BestFirst<G: Game, L> {
    asked: Asked<G>,
    root: G::State,
    tree: Tree<G::Move>,
    leaves: L,
    threads: usize,
    /// Some position was met again on its way.
    repeats: AtomicBool,
    expansions: CachePadded<AtomicU64>,
    nodes: CachePadded<AtomicU64>,
}

impl<G: Game, L: Leaves<G>> BestFirst<G, L> {
    /// A prover with a tree that takes at most `memory` bytes, to be worked on
    /// by so many threads.
    ///
    /// # Errors
    /// When the memory does not hold the root.
    pub(crate) fn new(
        game: Arc<G>,
        root: G::State,
        question: Question,
        (logic, leaves): (Logic, L),
        threads: usize,
        memory: u64,
    ) -> Result<BestFirst<G, L>, SearchError> {
        let columns = Columns { proof_numbers: 2, log_odds: logic.products, ..Columns::default() };
        let bytes = columns.bytes_per_node::<G::Move>() as u64;
        let too_small = |Full| SearchError::Memory { given: memory, needed: bytes };
        let tree = Tree::new(logic, columns, memory / bytes).map_err(too_small)?;
        let prover = BestFirst {
            asked: Asked { game, question },
            root,
            tree,
            leaves,
            threads,
            repeats: AtomicBool::new(false),
            expansions: CachePadded::new(AtomicU64::new(0)),
            nodes: CachePadded::new(AtomicU64::new(0)),
        };
        prover.look_at_root()?;
        Ok(prover)
    }

    fn look_at_root(&self) -> Result<(), SearchError> {
        let Some(claim) = self.tree.claim_evaluation(self.tree.node(ROOT)) else {
            unreachable!("the tree is new");
        };
        let mover = match self.asked.side(&self.root) {
            Side::Over(verdict) => {
                self.tree.set_terminal(claim, ROOT, &verdict.payoffs());
                return Ok(());
            }
            Side::Claimant => 0,
            Side::Others => 1,
        };
        let mobility = self.asked.game.mobility(&self.root, &mut Vec::new());
        check_mobility(mobility)?;
        self.tree.set_leaf(claim, ROOT, mover, mobility);
        Ok(())
    }

    /// Whether the question is answered.
    fn is_settled(&self) -> bool {
        self.tree.proof_number(ROOT, 0).is_proven() || self.tree.proof_number(ROOT, 1).is_proven()
    }

    /// Whether there is nothing more to do.
    fn is_done(&self) -> bool {
        self.is_settled() || self.leaves.is_good_enough(self.tree.log_odds(ROOT))
    }

    /// The probability that the question is to be answered with yes, for provers
    /// that estimate it.
    pub(crate) fn estimate(&self) -> Option<f64> {
        self.tree.logic.products.then(|| log_odds::probability(self.tree.log_odds(ROOT)))
    }

    /// Checks that the tree at rest equals its own sequential recomputation.
    ///
    /// # Errors
    /// The first difference, which is a bug.
    pub(crate) fn audit(&self) -> Result<Audit, Inconsistency> {
        self.tree.audit(&self.asked, &self.root)
    }
}

impl<G: Game, L: Leaves<G>> Prover<G> for BestFirst<G, L> {
    fn work(&self, thread: usize, run: &Run<'_>) -> Result<(), SearchError> {
        Worker::new(self, thread).run(run.control)?;
        match self.tree.contradiction() {
            Some(node) => Err(SearchError::Contradiction { node }),
            None => Ok(()),
        }
    }

    fn verdict(&self) -> Option<Verdict> {
        if self.tree.proof_number(ROOT, 0).is_proven() {
            Some(Verdict::Proven)
        } else if self.tree.proof_number(ROOT, 1).is_proven() {
            Some(Verdict::Disproven)
        } else {
            None
        }
    }

    fn best_move(&self) -> Option<G::Move> {
        let word = self.tree.node(ROOT).load();
        if word.stage() != Stage::Expanded {
            return None;
        }
        let children = self.tree.arena.children(word);
        let mut numbers = children.proof_numbers().chunks_exact(2);
        let shown = numbers.position(|numbers| numbers[word.mover()].load().is_proven())?;
        Some(self.tree.arena.child_move(word, shown))
    }

    fn effort(&self) -> Effort {
        let nodes = self.tree.arena.len();
        Effort {
            expansions: self.expansions.load(Ordering::Relaxed),
            nodes: self.nodes.load(Ordering::Relaxed),
            bytes: nodes * self.tree.arena.columns().bytes_per_node::<G::Move>() as u64,
        }
    }

    fn settled_positions(&self, tell: &mut dyn FnMut(u64, Verdict)) {
        self.harvest(tell);
    }
}

/// One thread on its way.
struct Worker<'p, G: Game, L: Leaves<G>> {
    prover: &'p BestFirst<G, L>,
    trail: Trail<'p, G::Move>,
    /// The positions on the trail and their keys.
    states: Vec<G::State>,
    keys: Vec<Option<u64>>,
    slab: Slab,
    moves: Vec<G::Move>,
    seen: Vec<SeenChild>,
    scratch: L::Scratch,
    effort: Effort,
    /// Leaves in a row that this thread wanted and another had.
    misses: u32,
    /// Expansions since the last start from the root.
    since_root: u32,
}

/// How a way down ended.
enum End {
    /// A leaf was expanded.
    Expanded,
    /// Another thread was faster.
    Missed,
    /// The run is to stop.
    Stopped,
    /// The tree has no room.
    Full,
}

impl<G: Game, L: Leaves<G>> Drop for Worker<'_, G, L> {
    fn drop(&mut self) {
        self.prover.tree.arena.give_back(&mut self.slab);
        self.report();
    }
}

impl<'p, G: Game, L: Leaves<G>> Worker<'p, G, L> {
    fn new(prover: &'p BestFirst<G, L>, thread: usize) -> Worker<'p, G, L> {
        let mut trail = Trail::new(&prover.tree, Vec::with_capacity(64), prover.threads == 1);
        trail.start(Step { node: prover.tree.node(ROOT), index: ROOT, chosen_by: 0, key: 0 });
        Worker {
            prover,
            trail,
            states: vec![prover.root.clone()],
            keys: vec![prover.asked.key(&prover.root)],
            slab: Slab::default(),
            moves: Vec::new(),
            seen: Vec::new(),
            scratch: prover.leaves.scratch(thread),
            effort: Effort::default(),
            misses: 0,
            since_root: 0,
        }
    }

    fn run(&mut self, control: &Control) -> Result<(), SearchError> {
        let prover = self.prover;
        while !control.stopped() && !prover.is_done() && !prover.tree.has_contradiction() {
            match self.grow(control)? {
                End::Expanded => self.misses = 0,
                End::Missed => {
                    self.misses += 1;
                    self.back_to(1);
                    std::thread::yield_now();
                }
                End::Stopped => break,
                End::Full => {
                    control.arena_full();
                    break;
                }
            }
        }
        Ok(())
    }

    /// Goes on to a most proving leaf and expands it.
    fn grow(&mut self, control: &Control) -> Result<End, SearchError> {
        /// Expansions after which a thread among others starts from the root,
        /// where they may have changed what proves most.
        const PATIENCE: u32 = 16;
        let prover = self.prover;
        if prover.threads > 1 {
            self.since_root += 1;
            if self.since_root > PATIENCE {
                self.back_to(1);
            }
            let mut path = self.trail.path.iter();
            if let Some(settled) = path.position(|step| step.node.load().is_settled()) {
                self.back_to(settled);
            }
        }
        loop {
            let Step { node, index, .. } = self.trail.last();
            let word = node.load();
            match word.stage() {
                Stage::Expanded if !word.is_settled() => match self.most_proving(word) {
                    Some(child) => self.go_down(word, child),
                    None => return Ok(End::Missed),
                },
                Stage::Leaf => {
                    return match prover.tree.claim_expansion(node) {
                        Some(claim) => self.expand(claim, index, word, control),
                        None => Ok(End::Missed),
                    };
                }
                _ => return Ok(End::Missed),
            }
        }
    }

    /// The open child that promises most to the side to move, virtual numbers
    /// included; none when another thread is about to settle the node.
    fn most_proving(&self, word: Word) -> Option<usize> {
        let tree = &self.prover.tree;
        let (children, mover) = (tree.arena.children(word), word.mover());
        let log_odds = children.log_odds();
        let weight = L::VIRTUAL * f64::from(1 << self.misses.min(24));
        let mut least = (f64::INFINITY, None);
        for (child, numbers) in children.proof_numbers().chunks_exact(2).enumerate() {
            let number = numbers[mover].load();
            if number.is_infinite() {
                continue;
            }
            if number.is_proven() {
                return None;
            }
            let mut effort = match log_odds.get(child).map(|cell| cell.load(Ordering::Relaxed)) {
                None => f64::from(number.raw()),
                Some(log_odds) if mover == 0 => -log_odds,
                Some(log_odds) => log_odds,
            };
            if self.prover.threads > 1 {
                effort += weight * children.nodes()[child].statistics().in_flight as f64;
            }
            if effort < least.0 {
                least = (effort, Some(child));
            }
        }
        least.1
    }

    fn go_down(&mut self, word: Word, child: usize) {
        let BestFirst { tree, asked, .. } = self.prover;
        let (node, mv) = tree.arena.child(word, child);
        let state = asked.game.after(&self.states[self.states.len() - 1], mv);
        self.keys.push(asked.key(&state));
        self.states.push(state);
        let index = word.first_child() + child as u32;
        self.trail.enter(Step { node, index, chosen_by: word.mover() as u32, key: 0 });
    }

    fn back_to(&mut self, steps: usize) {
        let steps = steps.max(1);
        self.trail.back_to(steps);
        self.states.truncate(steps);
        self.keys.truncate(steps);
        if steps == 1 {
            self.since_root = 0;
        }
    }

    fn expand(
        &mut self,
        claim: Claim<'_>,
        index: u32,
        word: Word,
        control: &Control,
    ) -> Result<End, SearchError> {
        let prover = self.prover;
        let tree = &prover.tree;
        let state = &self.states[self.states.len() - 1];
        self.moves.clear();
        prover.asked.game.legal_moves(state, &mut self.moves);
        check_mobility(self.moves.len())?;
        self.seen.clear();
        let mut leaf = Leaf {
            asked: &prover.asked,
            logic: &tree.logic,
            state,
            mover: word.mover(),
            keys: &self.keys,
            tree_nodes: tree.arena.len(),
            tree_room: tree.arena.capacity(),
            effort: &mut self.effort,
            repeats: &prover.repeats,
            control,
            is_done: &|| prover.is_done(),
        };
        if !prover.leaves.look(&mut leaf, &mut self.scratch, &self.moves, &mut self.seen)? {
            return Ok(End::Stopped);
        }
        let Ok(_) = tree.expand_seen(claim, &mut self.slab, &self.moves, &self.seen) else {
            return Ok(End::Full);
        };
        self.effort.expansions += 1;
        self.effort.nodes += self.moves.len() as u64;
        if self.effort.expansions >= 64 {
            self.report();
        }
        if tree.finish_expansion(index).any {
            let path = &self.trail.path;
            let still = tree.climb_until_still(path.len() - 1, |depth| path[depth].index, |_| ());
            self.back_to(still.map_or(1, |depth| depth + 1));
        }
        Ok(End::Expanded)
    }

    /// Adds this thread's effort to that of all.
    fn report(&mut self) {
        let effort = std::mem::take(&mut self.effort);
        self.prover.expansions.fetch_add(effort.expansions, Ordering::Relaxed);
        self.prover.nodes.fetch_add(effort.nodes, Ordering::Relaxed);
    }
}
