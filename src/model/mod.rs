//! The door through which the loom models reach the library's own code.
//!
//! Nothing here is a copy of what it stands for: a model says what its threads
//! do, and these functions call what the workers call. Built with `--cfg loom`
//! alone, and no part of the library's interface.

use crate::bounds::{AtomicInterval, AtomicSpan, Fixed, Interval, ProofNumber, Span};
use crate::error::{Inconsistency, SearchError};
use crate::game::{Game, MAX_PLAYERS, Turn};
use crate::math::Rng;
use crate::memory::Bucket;
use crate::playout::{Evaluator, SettledTable, SharedSearch, Worker, Workspace};
use crate::prove::{Memo, Question, Recall};
use crate::rules::{Declared, Thresholds};
use crate::search::{WorkerSeed, goes_on, prepare};
use crate::select::{Deferred, refresh_ranks};
use crate::settings::{Bias, Config, Goal, StopReason};
use crate::sync::{Ordering, Writers};
use crate::threads::{Control, Limits, WhenFull, catch_panic};
use crate::tree::{
    Arena, Audit, Columns, End, EndedChild, Logic, MoveTree, NodeClaim, Peers, Premises, ROOT,
    Reservation, ReuseRule, SeenChild, Settled, Sides, Slab, Stage, Step, Trail, Word,
};
use std::sync::Arc;

/// Leaves this many bytes for what runs on this thread; `usize::MAX` leaves all.
pub fn leave_memory(bytes: usize) {
    crate::memory::scarcity::leave(bytes);
}

/// What a model's tree keeps. Every number kept multiplies the interleavings,
/// so that a model asks for those it is about.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Players, each with a proof number.
    pub players: usize,
    /// Keep intervals (payoffs −1 to 1) and skip by them.
    pub score_bounds: bool,
    /// The score is asked for in a game with chance: intervals of means. An
    /// outcome's weight is its number, counted from 1.
    pub chance: bool,
    /// Keep cached ranks.
    pub ranks: bool,
    /// Keep log-odds: those of an open leaf are the difference of its numbers.
    pub log_odds: bool,
    /// The arena's cap.
    pub nodes: u64,
}

impl Default for Shape {
    fn default() -> Shape {
        Shape {
            players: 2,
            score_bounds: false,
            chance: false,
            ranks: false,
            log_odds: false,
            nodes: 8,
        }
    }
}

/// The payoffs of the models' games.
const PAYOFFS: Interval = Interval { lower: -1, upper: 1 };

/// The mover of a node where chance decides.
pub const CHANCE: usize = crate::game::CHANCE;

/// A tree whose moves are the numbers of the children.
pub struct ModelTree {
    tree: MoveTree<u8>,
    ranks: bool,
}

/// How an attempt to expand ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expansion {
    /// Another thread holds the claim or was done already.
    Lost,
    /// The arena had no room.
    Full,
    /// The children start at this index.
    Made(u32),
}

/// A thread's share of the arena.
#[derive(Debug, Default)]
pub struct ModelSlab(Slab);

/// A node's word as one load saw it.
#[derive(Clone, Copy, Debug)]
pub struct ModelWord(Word);

impl ModelWord {
    /// Whether the node has children.
    pub fn is_expanded(self) -> bool {
        self.0.stage() == Stage::Expanded
    }

    /// Whether the node was evaluated and has no children.
    pub fn is_leaf(self) -> bool {
        self.0.stage() == Stage::Leaf
    }

    /// Whether the cached ranks of the children are out of date.
    pub fn is_stale(self) -> bool {
        self.0.is_stale()
    }

    /// The index of the first child.
    pub fn first_child(self) -> u32 {
        self.0.first_child()
    }

    /// The number of children.
    pub fn num_children(self) -> usize {
        self.0.num_children()
    }
}

/// A claim held by the thread that runs.
pub struct ModelClaim<'t>(NodeClaim<'t>);

impl ModelTree {
    /// A tree whose root was never visited.
    pub fn new(shape: Shape) -> ModelTree {
        ModelTree::with_writers(shape, Writers::Many)
    }

    /// The same for one thread that changes it; others may read.
    pub fn of_one_writer(shape: Shape) -> ModelTree {
        ModelTree::with_writers(shape, Writers::One)
    }

    fn with_writers(shape: Shape, writers: Writers) -> ModelTree {
        let declared = Declared {
            players: shape.players,
            zero_sum: shape.score_bounds && shape.players == 2,
            chance: shape.chance,
            ranges: [PAYOFFS; MAX_PLAYERS],
            thresholds: [Thresholds { draw: Some(0), win: Some(1) }; MAX_PLAYERS],
        };
        let logic = Logic::new(Premises {
            goal: if shape.chance { Goal::Score } else { Goal::Win },
            sides: if shape.score_bounds { Sides::Versus(0) } else { Sides::Free },
            solver: shape.score_bounds,
            score_bounds: shape.score_bounds,
            keeps_intervals: true,
            mobility: true,
            products: shape.log_odds,
            ..Premises::of(declared)
        });
        let columns = Columns {
            proof_numbers: logic.players,
            intervals: if shape.chance { 0 } else { logic.num_intervals() },
            spans: if shape.chance { logic.num_intervals() } else { 0 },
            weights: shape.chance,
            ranks: shape.ranks,
            evaluations: false,
            log_odds: shape.log_odds,
            move_bytes: 1,
        };
        let Ok(tree) = MoveTree::new(logic, columns, shape.nodes, writers) else {
            panic!("a model's tree needs room for its root")
        };
        ModelTree { tree, ranks: shape.ranks }
    }

    /// First visit to a node where the game goes on; returns whether its
    /// parent must be told. `None` when the claim went to another thread.
    pub fn evaluate(&self, index: u32, mover: usize, mobility: usize) -> Option<bool> {
        let claim = self.tree.claim_evaluation(self.tree.node(index))?;
        Some(self.tree.set_leaf(claim, index, mover, mobility))
    }

    /// First visit to a node where the game is over; as [`evaluate`](Self::evaluate).
    pub fn end(&self, index: u32, payoffs: &[i32]) -> Option<bool> {
        let claim = self.tree.claim_evaluation(self.tree.node(index))?;
        Some(self.tree.set_terminal(claim, index, payoffs))
    }

    /// Visits the last node of `path` for the first time and lets what that
    /// changes climb.
    pub fn evaluate_and_climb(&self, path: &[u32], mover: usize, mobility: usize) {
        if self.evaluate(path[path.len() - 1], mover, mobility) == Some(true) {
            self.climb(path);
        }
    }

    /// As [`evaluate_and_climb`](Self::evaluate_and_climb) where the game is over.
    pub fn end_and_climb(&self, path: &[u32], payoffs: &[i32]) {
        if self.end(path[path.len() - 1], payoffs) == Some(true) {
            self.climb(path);
        }
    }

    /// Second visit to the last node of `path`: makes its children, of which
    /// `ended` gives those at which the game is over with their payoffs, and
    /// lets what that changes climb.
    pub fn expand_and_climb(
        &self,
        path: &[u32],
        slab: &mut ModelSlab,
        children: usize,
        ended: &[(usize, [i32; 2])],
    ) -> Expansion {
        let index = path[path.len() - 1];
        let arena = &self.tree.arena;
        let Ok(block) = arena.reserve(&mut slab.0, children) else { return Expansion::Full };
        let Some(claim) = self.claim_expansion(index) else {
            arena.give_up(&mut slab.0, block);
            return Expansion::Lost;
        };
        let first = self.expand(claim, block, children, ended);
        if self.tree.finish_expansion(index).any {
            self.climb(path);
        }
        Expansion::Made(first)
    }

    /// A prover's step at the last node of `path`: claims it, makes children of
    /// which each is an open leaf of side 0 with these numbers or, with none,
    /// won by side 0, and lets what that changes climb.
    pub fn prove_and_climb(
        &self,
        path: &[u32],
        slab: &mut ModelSlab,
        children: &[Option<[u64; 2]>],
    ) -> Expansion {
        let index = path[path.len() - 1];
        let Some(claim) = self.claim_expansion(index) else { return Expansion::Lost };
        let logic = &self.tree.logic;
        let seen = children.iter().map(|child| match child {
            Some([first, second]) if logic.products => {
                SeenChild::open(0, logic.leaf_with_log_odds(*first as f64 - *second as f64))
            }
            Some(numbers) => SeenChild::open(0, logic.leaf_with(numbers.map(ProofNumber::finite))),
            None => SeenChild::over(logic.terminal(&[1, -1])),
        });
        let seen: Vec<SeenChild> = seen.collect();
        let moves: Vec<u8> = (0..children.len() as u8).collect();
        let Ok(block) = self.tree.arena.reserve(&mut slab.0, moves.len()) else {
            return Expansion::Full;
        };
        let word = self.tree.expand_seen(claim.0, self.tree.fill(block, &moves), &seen);
        if self.tree.finish_expansion(index).any {
            self.climb(path);
        }
        Expansion::Made(word.first_child())
    }

    /// Claims an expansion.
    pub fn claim_expansion(&self, index: u32) -> Option<ModelClaim<'_>> {
        self.tree.claim_expansion(self.tree.node(index)).map(ModelClaim)
    }

    /// Claims an evaluation.
    pub fn claim_evaluation(&self, index: u32) -> Option<ModelClaim<'_>> {
        self.tree.claim_evaluation(self.tree.node(index)).map(ModelClaim)
    }

    /// Publishes the children of a claimed node, which the caller then owns.
    fn expand(
        &self,
        claim: ModelClaim<'_>,
        block: Reservation,
        children: usize,
        ended: &[(usize, [i32; 2])],
    ) -> u32 {
        let moves: Vec<u8> = (0..children as u8).collect();
        let ended = ended.iter().map(|&(number, [first, second])| {
            let mut payoffs = [0; MAX_PLAYERS];
            (payoffs[0], payoffs[1]) = (first, second);
            EndedChild { number, end: End::Over(payoffs) }
        });
        let ended: Vec<EndedChild> = ended.collect();
        let weights: Vec<u32> = (1..=children as u32).collect();
        self.tree.expand(claim.0, self.tree.fill(block, &moves), &weights, &ended).first_child()
    }

    /// Carries a change of the last node of `path` to the root; answers
    /// whether this thread changed the root.
    pub fn climb(&self, path: &[u32]) -> bool {
        self.tree.climb(path.len() - 1, |depth| path[depth], |_| {})
    }

    /// A node's word, loaded as readers load it.
    pub fn load(&self, index: u32) -> ModelWord {
        ModelWord(self.tree.node(index).load())
    }

    /// The move to a child, read as playouts read it.
    pub fn child_move(&self, word: ModelWord, number: usize) -> u8 {
        self.tree.child_move(word.0, number)
    }

    /// Makes child `number` of the root the root, as `Search::advance` does.
    pub fn advance(&mut self, number: usize) {
        let mover = self.tree.node(ROOT).load().mover();
        assert!(self.tree.advance(Turn::Player(mover), number, true), "it has children");
    }

    /// Sweeps a block, if one is left; returns whether one was.
    pub fn sweep(&self) -> bool {
        self.tree.arena.sweep(1) > 0
    }

    /// How many nodes are in use.
    pub fn nodes(&self) -> u64 {
        self.tree.arena.len()
    }

    /// Leaves the rest of a slab.
    pub fn give_back(&self, slab: &mut ModelSlab) {
        self.tree.arena.give_back(&mut slab.0);
    }

    /// Whether a node is as if it was never visited.
    pub fn is_fresh(&self, index: u32) -> bool {
        let node = self.tree.node(index);
        node.load().stage() == Stage::New
            && node.statistics().visits == 0
            && self.tree.check_facts(index, None).is_ok()
    }

    /// Every index belongs to one node of the tree or is free, once; answers
    /// how many nodes there are.
    pub fn account(&self) -> Result<u64, String> {
        self.tree.account().map_err(|wrong| wrong.to_string())?;
        Ok(self.tree.arena.len())
    }

    /// A player's proof number.
    pub fn proof_number(&self, index: u32, player: usize) -> ProofNumber {
        self.tree.proof_number(index, player)
    }

    /// A player's interval.
    pub fn interval(&self, index: u32, player: usize) -> Interval {
        self.tree.span(index, player).hull()
    }

    /// A player's interval with its mark.
    pub fn span(&self, index: u32, player: usize) -> ModelEnds {
        self.tree.span(index, player).into()
    }

    /// Playouts under way through a node.
    pub fn in_flight(&self, index: u32) -> u64 {
        self.tree.node(index).statistics().in_flight
    }

    /// Finished playouts through a node.
    pub fn visits(&self, index: u32) -> u64 {
        self.tree.node(index).statistics().visits
    }

    /// The central test, as far as it needs no game: nobody owns, has claimed
    /// or is under way through a node, and every node with children holds what
    /// the sequential rules compute from them.
    pub fn check(&self) -> Result<(), String> {
        let mut stack = vec![ROOT];
        while let Some(index) = stack.pop() {
            let word = self.tree.node(index).load();
            self.tree.check_at_rest(index).map_err(|what| format!("node {index}: {what}"))?;
            if word.stage() == Stage::Expanded {
                let facts = self.tree.logic.deduce(word.mover(), self.tree.arena.children(word));
                let check = self.tree.check_facts(index, Some(facts));
                check.map_err(|what| format!("node {index}: {what}"))?;
                stack.extend((0..word.num_children() as u32).map(|n| word.first_child() + n));
            }
        }
        Ok(())
    }

    /// Brings the cached ranks of a node's children up to date, as selection
    /// does before it reads them.
    pub fn refresh_ranks(&self, index: u32) {
        let node = self.tree.node(index);
        let word = node.load();
        let children = self.tree.arena.children(word);
        let numbers = || self.numbers_of_children(word);
        refresh_ranks(Bias::Rank, node, word, children, &mut Vec::new(), numbers);
    }

    /// The cached ranks of a node's children.
    pub fn ranks(&self, index: u32) -> Vec<u16> {
        assert!(self.ranks, "this model keeps no ranks");
        let children = self.tree.arena.children(self.tree.node(index).load());
        children.ranks().iter().map(|rank| rank.load(Ordering::Relaxed)).collect()
    }

    /// The ranks that the children's numbers have now.
    pub fn right_ranks(&self, index: u32) -> Vec<u16> {
        let word = self.tree.node(index).load();
        let mut ranks = vec![0; word.num_children()];
        let numbers = self.numbers_of_children(word);
        Bias::Rank.rank(numbers, &mut Vec::new(), |i, rank| ranks[i] = rank);
        ranks
    }

    fn numbers_of_children(&self, word: Word) -> impl Iterator<Item = ProofNumber> {
        let children = self.tree.arena.children(word);
        let of_mover = &children.proof_numbers()[word.mover()..];
        (0..children.len()).map(|i| of_mover[i * self.tree.logic.players].load())
    }

    /// A playout on its way down `path`.
    pub fn trail(&self, path: &[u32]) -> ModelTrail<'_> {
        self.trail_in(Peers::Others { many: None }, path)
    }

    /// The same where nodes with `many` visits do not count playouts under way.
    pub fn trail_past_many(&self, many: u64, path: &[u32]) -> ModelTrail<'_> {
        self.trail_in(Peers::Others { many: Some(many) }, path)
    }

    fn trail_in(&self, peers: Peers, path: &[u32]) -> ModelTrail<'_> {
        let mut trail = Trail::new(&self.tree, Vec::new(), peers);
        for &index in path {
            let node = self.tree.node(index);
            trail.enter(Step { node, index, chosen_by: 0 });
        }
        ModelTrail(trail)
    }
}

/// What one thread keeps to itself of nodes, from their first visit on. Ends as a worker's
/// does: all that it holds is added to the tree.
pub struct ModelNotes<'t> {
    tree: &'t ModelTree,
    deferred: Deferred<'t>,
}

impl ModelTree {
    /// A thread's notes, which are empty.
    pub fn notes(&self) -> ModelNotes<'_> {
        ModelNotes { tree: self, deferred: Deferred::new(ReuseRule::from_visits(1)) }
    }
}

impl ModelNotes<'_> {
    /// A playout that passes a node, where it enters the first child; answers whether
    /// it did so unseen.
    pub fn playout(&mut self, index: u32) -> bool {
        let node = self.tree.tree.node(index);
        let chosen = &self.tree.tree.arena.children(node.load()).nodes()[0];
        let kept = self.deferred.kept_choice(index, node).is_some();
        if !kept {
            self.deferred.keep_choice(index, node, 0, chosen);
        }
        self.deferred.count(index, node, 0);
        kept
    }
}

impl Drop for ModelNotes<'_> {
    fn drop(&mut self) {
        self.deferred.add_all(self.tree.tree.node(ROOT));
    }
}

/// A playout under way.
pub struct ModelTrail<'t>(Trail<'t>);

impl ModelTrail<'_> {
    /// Ends the playout with a draw.
    pub fn finish(mut self) {
        self.0.finish(&[0.0; MAX_PLAYERS], &[], &mut Deferred::new(ReuseRule::from_visits(0)));
    }
}

/// A whole search whose workers are the threads of a model.
pub struct ModelSearch<G: Game, E> {
    shared: SharedSearch<G, E>,
}

impl<G: Game, E: Evaluator<G>> ModelSearch<G, E> {
    /// A search of `position` that may use `nodes` nodes and play out
    /// `playouts` times.
    ///
    /// # Errors
    /// As [`crate::search::Search::new`].
    pub fn new(
        game: G,
        position: G::State,
        config: Config,
        evaluator: E,
        nodes: u64,
        playouts: u64,
    ) -> Result<ModelSearch<G, E>, SearchError> {
        let threads = config.threads;
        // More than enough bytes, then a cap in nodes.
        let shared = prepare(game, position, config.memory(nodes << 9), evaluator)?;
        shared.tree.arena.set_cap(nodes);
        shared.control.reset(threads, Some(playouts), WhenFull::Freeze);
        Ok(ModelSearch { shared })
    }

    /// Works as one of the search's threads until the search ends.
    ///
    /// # Errors
    /// When the game breaks its contract or panics.
    pub fn work(&self, seed: u64) -> Result<(), SearchError> {
        let shared = &self.shared;
        let result = catch_panic(|| {
            let (mut slab, ..) = Worker::new(
                shared,
                seed as u32,
                Rng::new(seed),
                Slab::default(),
                Workspace::default(),
                Limits::none(),
                None,
            )
            .run()?;
            shared.tree.arena.give_back(&mut slab);
            Ok(())
        });
        let result = result.and_then(|result| result);
        if result.is_err() {
            shared.control.stop(StopReason::Stopped);
        }
        result
    }

    /// Prepares for another run with this many playouts; where the memory is full it
    /// pauses, to be pruned, or goes on without growing the tree.
    pub fn again(&self, playouts: u64, prunes: bool) {
        let when_full = if prunes { WhenFull::Prune } else { WhenFull::Freeze };
        self.shared.control.reset(1, Some(playouts), when_full);
    }

    /// Works as the only thread of a run, and tells the coordinator at the end.
    ///
    /// # Errors
    /// As [`work`](ModelSearch::work).
    pub fn work_to_the_end(&self, seed: u64) -> Result<(), SearchError> {
        let result = self.work(seed);
        self.shared.control.worker_done();
        result
    }

    /// Sleeps, as the coordinator does, until the workers have ended or are to end.
    pub fn keep_time(&self) {
        self.shared.control.keep_time(None, None);
    }

    /// What the coordinator does between two runs: answers whether there is another,
    /// for which it has made room.
    pub fn goes_on(&mut self) -> bool {
        goes_on(&mut self.shared, &mut [WorkerSeed::new(Rng::new(0))])
    }

    /// Who may stop the search, whatever becomes of its tree.
    pub fn stopper(&self) -> ModelStopper {
        ModelStopper(Arc::clone(&self.shared.control))
    }

    /// Whether the search was stopped; otherwise its playouts are used up.
    pub fn was_stopped(&self) -> bool {
        self.shared.control.reason() == StopReason::Stopped
    }

    /// How often the tree was pruned.
    pub fn prunes(&self) -> u64 {
        self.shared.prunes
    }

    /// Finished playouts.
    pub fn visits(&self) -> u64 {
        self.shared.tree.node(ROOT).statistics().visits
    }

    /// Nodes in use.
    pub fn nodes(&self) -> u64 {
        self.shared.tree.arena.len()
    }

    /// Whether the question is settled.
    pub fn is_settled(&self) -> bool {
        self.shared.is_settled()
    }

    /// The rules.
    pub fn game(&self) -> &G {
        &self.shared.game
    }

    /// Raises the stop flag.
    pub fn stop(&self) {
        self.shared.control.stop(StopReason::Stopped);
    }

    /// Checks the tree when no thread works on it.
    ///
    /// # Errors
    /// The first difference to the sequential recomputation.
    pub fn audit(&self) -> Result<Audit, Inconsistency> {
        match self.shared.is_open_loop() {
            true => self.shared.tree.audit_counts(&self.shared.game),
            false => self.shared.tree.audit(&self.shared.game, &self.shared.root),
        }
    }
}

/// Raises the stop flag of a search.
pub struct ModelStopper(Arc<Control>);

impl ModelStopper {
    /// Stops it.
    pub fn stop(&self) {
        self.0.stop(StopReason::Stopped);
    }
}

/// An interval alone, with the payoffs −1 to 1.
#[derive(Debug)]
pub struct ModelInterval(AtomicInterval);

impl ModelInterval {
    /// The whole range.
    #[allow(clippy::new_without_default)]
    pub fn new() -> ModelInterval {
        ModelInterval(AtomicInterval::new())
    }

    /// Tightens it; returns whether it changed, `None` for a contradiction.
    pub fn join(&self, lower: i32, upper: i32) -> Option<bool> {
        self.0.join(Interval { lower, upper }, PAYOFFS).ok()
    }

    /// What is known.
    pub fn load(&self) -> Interval {
        self.0.load(PAYOFFS)
    }
}

/// The ends of an interval of means in the unit of fixed point, and whether they
/// are marked as the last ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModelEnds {
    /// The lower end.
    pub lower: i64,
    /// The upper end.
    pub upper: i64,
    /// Nothing tightens it any more.
    pub rounded: bool,
}

impl From<Span> for ModelEnds {
    fn from(Span { lower, upper, rounded }: Span) -> ModelEnds {
        ModelEnds { lower: lower.to_bits(), upper: upper.to_bits(), rounded }
    }
}

/// An interval of means alone, with the payoffs −1 to 1.
#[derive(Debug)]
pub struct ModelSpan(AtomicSpan);

impl ModelSpan {
    /// The whole range.
    #[allow(clippy::new_without_default)]
    pub fn new() -> ModelSpan {
        ModelSpan(AtomicSpan::new())
    }

    /// Tightens it; `None` for a contradiction. One thread may do so.
    pub fn join(&self, ends: ModelEnds) -> Option<bool> {
        let (lower, upper) = (Fixed::from_bits(ends.lower), Fixed::from_bits(ends.upper));
        self.0.join(Span { lower, upper, rounded: ends.rounded }, PAYOFFS).ok()
    }

    /// What is known.
    pub fn load(&self) -> ModelEnds {
        self.0.load(PAYOFFS).into()
    }
}

/// The table of settled positions alone; at first it uses a single bucket.
pub struct ModelTable(SettledTable);

impl ModelTable {
    /// An empty table that may grow to this many buckets.
    pub fn new(buckets: u64) -> ModelTable {
        // Under loom a bucket is larger than what it stands for.
        match SettledTable::new(buckets * size_of::<Bucket>() as u64) {
            Some(table) => ModelTable(table),
            None => panic!("a table has a bucket at least"),
        }
    }

    /// Remembers an answer.
    pub fn put(&self, key: u64, answer: i32) {
        self.0.put(key, Settled::from_value(answer));
    }

    /// The answer for a key.
    pub fn get(&self, key: u64) -> Option<i32> {
        self.0.get(key).map(|settled| settled.to_bits() as i32)
    }

    /// Whether it counts as many entries as it holds, when nobody is at it.
    pub fn is_counted(&self) -> bool {
        self.0.is_counted()
    }
}

/// Whose entry of an open position it is.
#[derive(Clone, Copy, Debug)]
pub enum OpenKind {
    /// Proof numbers.
    Dfpn,
    /// A horizon and a move.
    AlphaBeta,
}

/// What is asked of the positions in [`ModelTranspositions`].
const QUESTION: Question = Question { player: 0, at_least: 1 };

/// A transposition table alone; at first it uses a single bucket.
pub struct ModelTranspositions(crate::prove::Table);

impl ModelTranspositions {
    /// An empty table that may grow to this many buckets.
    pub fn new(buckets: u64) -> ModelTranspositions {
        // Under loom a bucket is larger than what it stands for.
        match crate::prove::Table::new(buckets * size_of::<Bucket>() as u64) {
            Ok(table) => ModelTranspositions(table),
            Err(error) => panic!("{error}"),
        }
    }

    /// Writes an entry of two numbers that took so much work.
    pub fn put(&self, key: u64, numbers: (u32, u32), work: u64) {
        self.put_over(key, key, numbers, work);
    }

    /// The same; an entry with the key `former` gives way to it.
    pub fn put_over(&self, key: u64, former: u64, numbers: (u32, u32), work: u64) {
        self.0.put(key, former, crate::prove::Data::open(numbers.0, numbers.1, work));
    }

    /// Writes the numbers of an open position as df-pn does, or alpha-beta.
    pub fn put_open(&self, prover: OpenKind, key: u64, numbers: (u32, u32), work: u64) {
        self.memo(prover).put_open(key, numbers.0, numbers.1, work);
    }

    /// The numbers that one of them finds of an open position.
    pub fn recall_open(&self, prover: OpenKind, key: u64) -> Option<(u32, u32)> {
        let memo = self.memo(prover);
        match memo.recall(key, memo.start()) {
            Recall::Open { proof, disproof } => Some((proof, disproof)),
            _ => None,
        }
    }

    fn memo(&self, prover: OpenKind) -> Memo<'_> {
        let memo = Memo::of_question(&self.0, QUESTION);
        match prover {
            OpenKind::Dfpn => memo,
            OpenKind::AlphaBeta => memo.with_horizons(),
        }
    }

    /// How many entries there are.
    pub fn entries(&self) -> usize {
        self.0.entries().count()
    }

    /// The numbers in the entry with a key.
    pub fn get(&self, key: u64) -> Option<(u32, u32)> {
        self.0.get(key).map(|data| data.fields())
    }
}

/// An arena alone.
pub struct ModelArena(Arena);

impl ModelArena {
    /// An arena with room for `nodes` nodes, the root's included.
    pub fn new(nodes: u64) -> ModelArena {
        match Arena::new(Columns { proof_numbers: 1, ..Columns::default() }, nodes) {
            Ok(arena) => ModelArena(arena),
            Err(_) => panic!("an arena needs room for its root"),
        }
    }

    /// Reserves a block; returns the indices of its nodes, `None` when the
    /// arena is full.
    pub fn reserve(&self, slab: &mut ModelSlab, count: usize) -> Option<std::ops::Range<u32>> {
        let reservation = self.0.reserve(&mut slab.0, count).ok()?;
        let block = self.0.fresh(&reservation);
        Some(block.index(0)..block.index(count - 1) + 1)
    }

    /// Reserves a block and gives it up at once; returns whether there was one.
    pub fn take_and_give_up(&self, slab: &mut ModelSlab, count: usize) -> bool {
        let Ok(block) = self.0.reserve(&mut slab.0, count) else { return false };
        self.0.give_up(&mut slab.0, block);
        true
    }

    /// Frees a block.
    pub fn free(&self, block: std::ops::Range<u32>) {
        self.0.free_block(block.start, block.end - block.start);
    }

    /// Takes a free block of this size.
    pub fn take(&self, size: u32) -> Option<std::ops::Range<u32>> {
        let first = self.0.take_block(size)?;
        Some(first..first + size)
    }

    /// Frees the rest of a slab.
    pub fn give_back(&self, slab: &mut ModelSlab) {
        self.0.give_back(&mut slab.0);
    }

    /// Nodes in use.
    pub fn len(&self) -> u64 {
        self.0.len()
    }

    /// Always false: the root is in use.
    pub fn is_empty(&self) -> bool {
        false
    }
}
