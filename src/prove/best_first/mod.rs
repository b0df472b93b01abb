//! Best-first provers, which grow one tree in a shared arena by expanding most proving leaves.
//!
//! A thread descends from the root to a *most proving* leaf. At each node it enters the child with
//! the least number for the side to move, that is, the proof number if the claimant is to move and
//! the disproof number otherwise (Allis, van der Meulen and van den Herik, *Proof-number search*,
//! Artificial Intelligence 66, 1994). PPNS enters the child with the best odds for that side. The
//! thread claims the leaf, creates and evaluates all its children, and backs up the changes. Then
//! it continues from the deepest unchanged node, which still leads to a most proving leaf.
//!
//! Threads share the tree as follows:
//! - Only the holder of a leaf's claim expands the leaf, and it evaluates all children before it
//!   publishes any, so a number of 0 or ∞ is based on all of them.
//! - For each thread below a child, a *virtual* number is added to the child's own, to divert other
//!   threads. A thread that found its leaf claimed adds greater virtual numbers. Virtual numbers
//!   are never stored, so no proof can depend on them.
//! - A thread that cannot claim a leaf does not wait but starts again from the root.
//!
//! A repetition of a position on the path from the root counts against the claimant, so a proof
//! never depends on a repetition. A disproof may depend on one, and then holds on this path only.
//! Every node of a tree has only one path, so the node may store such a disproof (see [`harvest`]).

mod harvest;
pub(super) mod mcpns;
pub(super) mod pn2;
pub(super) mod pns;
#[cfg(feature = "ppns")]
pub(super) mod ppns;

use crate::bounds::{Interval, NumberCell};
use crate::error::{Inconsistency, SearchError};
use crate::game::Game;
use crate::math::log_odds;
use crate::prove::Prover;
use crate::prove::question::{Side, Verdict};
use crate::prove::run::{Meter, Run};
use crate::prove::setting::{ImageBuffer, ReplyBuffer, Setting};
use crate::sync::{AtomicBool, AtomicF64, Ordering, Writers};
use crate::tree::{
    Columns, Facts, Logic, MoveTree, NoArena, NodeClaim, ROOT, SeenChild, Slab, Solved, Stage,
    Step, Trail, Word,
};

/// The evaluation of a leaf's children, which distinguishes the best-first provers.
///
/// It is used as a trait object, so that all provers share the compiled code of the tree.
pub(crate) trait LeafNumbers<G: Game>: Sync {
    /// Returns the virtual proof number that one thread adds, in the unit of the leaf numbers.
    fn virtual_number(&self) -> f64 {
        1.0
    }

    fn child_evaluator(&self, thread: usize) -> ChildEvaluator<'_, G>;

    /// Returns whether the root's log-odds are extreme enough to end the search without an answer.
    fn is_good_enough(&self, root: f64) -> bool {
        let _ = root;
        false
    }
}

/// Evaluates the positions after all moves of a leaf and pushes the results, in the order of the
/// moves. Returns `false` if the run stopped first.
pub(crate) type ChildEvaluator<'l, G> = Box<
    dyn FnMut(&NewLeaf<'_, G>, &mut Meter<'_, '_>, &mut Vec<SeenChild>) -> Result<bool, SearchError>
        + 'l,
>;

pub(crate) struct NewLeaf<'l, G: Game> {
    pub(crate) setting: &'l Setting<'l, G>,
    pub(crate) logic: &'l Logic,
    pub(crate) state: &'l G::State,
    pub(crate) moves: &'l [G::Move],
    pub(crate) mover: usize,
    /// The keys of the positions on the path, up to and including the leaf.
    pub(crate) keys: &'l [u64],
    /// The number of nodes in the tree; `tree_room` is the tree's capacity.
    pub(crate) tree_nodes: u64,
    pub(crate) tree_room: u64,
    repeats: &'l AtomicBool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Glance {
    Over(Verdict),
    /// The position repeats a position on its path, and this side is to move.
    Repeated(usize),
    /// The position is open, and this side is to move.
    Open(usize),
}

impl<G: Game> NewLeaf<'_, G> {
    /// Returns the status of a position with the key `key` below the leaf; `way` contains the keys
    /// of the positions in between.
    pub(crate) fn glance(
        &self,
        state: &G::State,
        key: u64,
        way: &[u64],
    ) -> Result<Glance, SearchError> {
        let mover = match self.setting.side(state)? {
            Side::Over(verdict) => return Ok(Glance::Over(verdict)),
            Side::Claimant => 0,
            Side::Others => 1,
        };
        if self.keys.contains(&key) || way.contains(&key) {
            // Relaxed: the flag is read after the threads have been joined.
            self.repeats.store(true, Ordering::Relaxed);
            return Ok(Glance::Repeated(mover));
        }
        Ok(Glance::Open(mover))
    }

    /// Returns the facts about an unknown position: the side to move and, with mobility
    /// initialisation, the number of moves.
    pub(crate) fn unknown(
        &self,
        state: &G::State,
        mover: usize,
        replies: &mut ReplyBuffer<G>,
    ) -> Result<Facts, SearchError> {
        let mobility = match self.logic.mobility {
            true => self.setting.mobility(state, replies)?,
            false => 1,
        };
        Ok(self.logic.leaf(mover, mobility as usize))
    }

    pub(crate) fn key(&self) -> u64 {
        self.keys[self.keys.len() - 1]
    }

    /// Evaluates all children. For an open position, it calls `value` with the side to move;
    /// `value` returns the facts, or `None` if the run must stop.
    pub(crate) fn value_children(
        &self,
        seen: &mut Vec<SeenChild>,
        mut value: impl FnMut(&G::State, usize) -> Result<Option<Facts>, SearchError>,
    ) -> Result<bool, SearchError> {
        for (number, &mv) in self.moves.iter().enumerate() {
            let state = self.setting.game.after(self.state, mv);
            let key = self.setting.key(self.key(), self.state, number, &state);
            seen.push(match self.glance(&state, key, &[])? {
                Glance::Over(verdict) => SeenChild::over(self.logic.terminal(&verdict.payoffs())),
                Glance::Repeated(mover) => {
                    SeenChild::known(mover, self.logic.known(Solved::from_value(-1)))
                }
                Glance::Open(mover) => match value(&state, mover)? {
                    Some(facts) => SeenChild::open(mover, facts),
                    None => return Ok(false),
                },
            });
        }
        Ok(true)
    }
}

pub(crate) struct BestFirst<'s, G: Game> {
    setting: Setting<'s, G>,
    tree: MoveTree<G::Move>,
    leaves: Box<dyn LeafNumbers<G> + 's>,
    threads: usize,
    repeats: AtomicBool,
    /// The root's log-odds with which the search ended without an answer, else NaN. Other threads
    /// may have changed the root since then.
    ended_at: AtomicF64,
}

impl<'s, G: Game> BestFirst<'s, G> {
    /// Creates a prover whose tree backs up values according to `logic`.
    ///
    /// # Errors
    /// Fails if the memory is too small for the root, or the game breaks its contract there.
    pub(crate) fn new(
        setting: Setting<'s, G>,
        logic: Logic,
        leaves: Box<dyn LeafNumbers<G> + 's>,
    ) -> Result<BestFirst<'s, G>, SearchError> {
        let (log_odds, move_bytes) = (logic.products, size_of::<G::Move>());
        let columns = Columns { proof_numbers: 2, log_odds, move_bytes, ..Columns::default() };
        let bytes = columns.bytes_per_node() as u64;
        let no_room = |why| match why {
            NoArena::Small => SearchError::Memory { given: setting.bytes, needed: bytes },
            NoArena::Refused(refused) => refused.into(),
        };
        let threads = setting.config.threads;
        let (max_nodes, writers) = (setting.bytes / bytes, Writers::of(threads));
        let tree = MoveTree::new(logic, columns, max_nodes, writers).map_err(no_room)?;
        let repeats = AtomicBool::new(false);
        let ended_at = AtomicF64::new(f64::NAN);
        let prover = BestFirst { setting, tree, leaves, threads, repeats, ended_at };
        prover.look_at_root()?;
        Ok(prover)
    }

    fn look_at_root(&self) -> Result<(), SearchError> {
        let Some(claim) = self.tree.claim_evaluation(self.tree.node(ROOT)) else {
            unreachable!("the tree is new");
        };
        let root = self.setting.root;
        let mover = match self.setting.side(root)? {
            Side::Over(verdict) => {
                self.tree.set_terminal(claim, ROOT, &verdict.payoffs());
                return Ok(());
            }
            Side::Claimant => 0,
            Side::Others => 1,
        };
        let mobility = self.setting.mobility(root, &mut ReplyBuffer::default())?;
        self.tree.set_leaf(claim, ROOT, mover, mobility as usize);
        Ok(())
    }

    fn is_good_enough(&self) -> bool {
        let root = self.tree.log_odds(ROOT);
        let enough = self.leaves.is_good_enough(root);
        if enough {
            self.ended_at.store(root, Ordering::Relaxed);
        }
        enough
    }

    /// Returns a child with the same answer as the node, and the move to it. If the favoured side
    /// is to move, this move proves the answer.
    fn shown(&self, index: u32) -> Option<(u32, G::Move)> {
        let word = self.tree.node(index).load();
        let verdict = self.answer(index)?;
        if word.stage() != Stage::Expanded {
            return None;
        }
        let mut children = (0..word.num_children()).map(|n| word.first_child() + n as u32);
        let shown = children.position(|child| self.answer(child) == Some(verdict))?;
        Some((word.first_child() + shown as u32, self.tree.child_move(word, shown)))
    }

    fn answer(&self, index: u32) -> Option<Verdict> {
        if self.tree.proof_number(index, 0).is_proven() {
            Some(Verdict::Proven)
        } else if self.tree.proof_number(index, 1).is_proven() {
            Some(Verdict::Disproven)
        } else {
            None
        }
    }
}

impl<G: Game> Prover<G> for BestFirst<'_, G> {
    fn work(&self, thread: usize, run: &Run<'_>) -> Result<(), SearchError> {
        TreeWorker::new(self, thread, run).run(run)?;
        match self.tree.contradiction() {
            Some(node) => Err(SearchError::Contradiction { node }),
            None => Ok(()),
        }
    }

    fn verdict(&self) -> Option<Verdict> {
        self.answer(ROOT)
    }

    fn bounds(&self) -> Option<Interval> {
        let question = self.setting.question;
        let Interval { lower, upper } = self.setting.range();
        match self.verdict()? {
            Verdict::Proven => Some(Interval { lower: question.at_least, upper }),
            // Relaxed: the threads have been joined.
            Verdict::Disproven if self.repeats.load(Ordering::Relaxed) => None,
            Verdict::Disproven => Some(Interval { lower, upper: question.at_least - 1 }),
        }
    }

    fn best_move(&self) -> Option<G::Move> {
        let favoured = match self.verdict()? {
            Verdict::Proven => 0,
            Verdict::Disproven => 1,
        };
        let is_to_move = self.tree.node(ROOT).load().mover() == favoured;
        self.shown(ROOT).filter(|_| is_to_move).map(|(_, mv)| mv)
    }

    fn line(&self) -> Vec<G::Move> {
        let (mut line, mut index) = (Vec::new(), ROOT);
        while let Some((child, mv)) = self.shown(index) {
            line.push(mv);
            index = child;
        }
        line
    }

    fn estimate(&self) -> Option<f64> {
        // Relaxed: no other data depends on this value. If two threads end the search at once,
        // either value is good enough.
        let ended_at = self.ended_at.load(Ordering::Relaxed);
        let now = || self.tree.log_odds(ROOT);
        let log_odds = || if ended_at.is_nan() { now() } else { ended_at };
        self.tree.logic.products.then(|| log_odds::probability(log_odds()))
    }

    fn audit(&self) -> Result<(), Inconsistency> {
        self.tree.audit(&self.setting, self.setting.root).map(|_| ())
    }

    fn bytes(&self) -> u64 {
        self.tree.arena.len() * self.tree.arena.columns().bytes_per_node() as u64
    }

    fn solved_positions(&self, tell: &mut dyn FnMut(u64, Verdict)) {
        self.harvest(tell);
    }
}

struct TreeWorker<'p, 's, 'm, 'r, G: Game> {
    prover: &'p BestFirst<'s, G>,
    trail: Trail<'p>,
    /// The positions on the path; `keys` contains their keys.
    states: Vec<G::State>,
    keys: Vec<u64>,
    slab: Slab,
    moves: Vec<G::Move>,
    images: ImageBuffer<G>,
    seen: Vec<SeenChild>,
    evaluator: ChildEvaluator<'p, G>,
    virtual_number: f64,
    meter: Meter<'m, 'r>,
    /// The number of consecutive descents to leaves that other threads had claimed.
    misses: u32,
    /// The number of expansions since the last start from the root.
    since_root: u32,
}

enum LeafEnd {
    Expanded,
    Missed,
    Stopped,
    Full,
}

impl<G: Game> Drop for TreeWorker<'_, '_, '_, '_, G> {
    fn drop(&mut self) {
        self.prover.tree.arena.give_back(&mut self.slab);
    }
}

impl<'p, 's, 'm, 'r, G: Game> TreeWorker<'p, 's, 'm, 'r, G> {
    fn new(prover: &'p BestFirst<'s, G>, thread: usize, run: &'m Run<'r>) -> Self {
        let count_below = if prover.threads == 1 { 0 } else { u64::MAX };
        let root = Step { node: prover.tree.node(ROOT), index: ROOT, chosen_by: 0 };
        let trail = Trail::from_root(&prover.tree, Vec::with_capacity(64), root, count_below);
        TreeWorker {
            prover,
            trail,
            states: vec![prover.setting.root.clone()],
            keys: vec![prover.setting.root_key()],
            slab: Slab::default(),
            moves: Vec::new(),
            images: ImageBuffer::default(),
            seen: Vec::new(),
            evaluator: prover.leaves.child_evaluator(thread),
            virtual_number: prover.leaves.virtual_number(),
            meter: run.meter(),
            misses: 0,
            since_root: 0,
        }
    }

    fn run(&mut self, run: &Run<'_>) -> Result<(), SearchError> {
        let prover = self.prover;
        while !run.stopped() {
            if prover.verdict().is_some() || prover.tree.has_contradiction() {
                run.settle();
                break;
            }
            if prover.is_good_enough() {
                run.estimated();
                break;
            }
            match self.grow()? {
                LeafEnd::Expanded => self.misses = 0,
                LeafEnd::Missed => {
                    self.misses += 1;
                    self.back_to(1);
                    std::thread::yield_now();
                }
                LeafEnd::Stopped => break,
                LeafEnd::Full => {
                    run.full(prover.tree.arena.is_starved());
                    break;
                }
            }
        }
        Ok(())
    }

    fn grow(&mut self) -> Result<LeafEnd, SearchError> {
        /// The number of expansions after which a thread restarts from the root, because other
        /// threads may have changed the most proving leaf.
        const LOOK_EVERY: u32 = 16;
        let prover = self.prover;
        if prover.threads > 1 {
            self.since_root += 1;
            if self.since_root > LOOK_EVERY {
                self.back_to(1);
            }
            let mut path = self.trail.path.iter();
            if let Some(solved) = path.position(|step| step.node.load().is_solved()) {
                self.back_to(solved);
            }
        }
        loop {
            let Step { node, index, .. } = self.trail.last();
            let word = node.load();
            match word.stage() {
                Stage::Expanded if !word.is_solved() => match self.most_proving(word) {
                    Some(child) => self.go_down(word, child),
                    None => return Ok(LeafEnd::Missed),
                },
                Stage::Leaf => {
                    return match prover.tree.claim_expansion(node) {
                        Some(claim) => self.expand(claim, index, word.mover()),
                        None => Ok(LeafEnd::Missed),
                    };
                }
                _ => return Ok(LeafEnd::Missed),
            }
        }
    }

    /// Returns the open child with the best number for the side to move, including virtual numbers;
    /// `None` if another thread is about to solve the node.
    fn most_proving(&self, word: Word) -> Option<usize> {
        let tree = &self.prover.tree;
        let (children, mover) = (tree.arena.children(word), word.mover());
        let log_odds = children.log_odds();
        let weight = self.virtual_number * f64::from(1 << self.misses.min(24));
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
        let BestFirst { tree, setting, .. } = self.prover;
        let (node, mv) = tree.child(word, child);
        let last = self.states.len() - 1;
        let state = setting.game.after(&self.states[last], mv);
        self.keys.push(setting.key(self.keys[last], &self.states[last], child, &state));
        self.states.push(state);
        let index = word.first_child() + child as u32;
        self.trail.enter(Step { node, index, chosen_by: word.mover() as u32 });
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
        claim: NodeClaim<'_>,
        index: u32,
        mover: usize,
    ) -> Result<LeafEnd, SearchError> {
        let BestFirst { tree, setting, repeats, .. } = self.prover;
        let state = &self.states[self.states.len() - 1];
        setting.list(state, &mut self.moves)?;
        setting.leave_images_out(state, &mut self.moves, &mut self.images);
        self.seen.clear();
        let leaf = NewLeaf {
            setting,
            logic: &tree.logic,
            state,
            moves: &self.moves,
            mover,
            keys: &self.keys,
            tree_nodes: tree.arena.len(),
            tree_room: tree.arena.capacity(),
            repeats,
        };
        if !(self.evaluator)(&leaf, &mut self.meter, &mut self.seen)? {
            return Ok(LeafEnd::Stopped);
        }
        let Ok(reservation) = tree.arena.reserve(&mut self.slab, self.moves.len()) else {
            return Ok(LeafEnd::Full);
        };
        let made = tree.expand_seen(claim, tree.fill(reservation, &self.moves), &self.seen);
        // Published children must be announced even if the run ends.
        if tree.finish_expansion(index, made).any {
            let path = &self.trail.path;
            let still = tree.climb(path.len() - 1, |depth| path[depth].index, |_| ());
            self.back_to(still.map_or(1, |depth| depth + 1));
        }
        self.meter.expanded(self.moves.len());
        Ok(LeafEnd::Expanded)
    }
}
