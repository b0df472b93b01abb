//! A tree whose threads are those of a model.

use super::ModelEnds;
use crate::bounds::{Interval, NumberCell, ProofNumber};
use crate::game::{MAX_PLAYERS, Turn};
use crate::rules::{Declared, Thresholds};
use crate::select::{Deferred, refresh_ranks};
use crate::settings::{Bias, Goal};
use crate::sync::{Ordering, Writers};
use crate::tree::{
    Columns, End, EndedChild, Listing, Logic, MoveTree, NodeClaim, Peers, Premises, ROOT,
    Reservation, ReuseRule, SeenChild, Sides, Slab, Stage, Step, Trail, Tried, Word,
};

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
    /// Keep a byte in place of each proof number: proven, open or impossible.
    pub statuses: bool,
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
            statuses: false,
            ranks: false,
            log_odds: false,
            nodes: 8,
        }
    }
}

/// The payoffs of the models' games.
pub(super) const PAYOFFS: Interval = Interval { lower: -1, upper: 1 };

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
pub struct ModelSlab(pub(super) Slab);

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
            symmetric: false,
        };
        let logic = Logic::new(Premises {
            goal: if shape.chance { Goal::Score } else { Goal::Outcome },
            sides: if shape.score_bounds { Sides::Versus(0) } else { Sides::Free },
            solver: shape.score_bounds,
            score_bounds: shape.score_bounds,
            keeps_intervals: true,
            proof_numbers: !shape.statuses,
            mobility: true,
            products: shape.log_odds,
            ..Premises::of(declared)
        });
        let columns = Columns {
            proof_numbers: if logic.proof_numbers { logic.players } else { 0 },
            statuses: if logic.proof_numbers { 0 } else { logic.players },
            intervals: if shape.chance { 0 } else { logic.num_intervals() },
            spans: if shape.chance { logic.num_intervals() } else { 0 },
            weights: shape.chance,
            ranks: shape.ranks,
            priors: false,
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
        let word = self.expand(index, claim, block, children, ended);
        if self.tree.finish_expansion(index, word).any {
            self.climb(path);
        }
        Expansion::Made(word.first_child())
    }

    /// Has a leaf remember that the move to a child was tried once, and was worth so much to
    /// the player who moves.
    pub fn try_move(&self, index: u32, child: u16, value: i16) {
        self.tree.remember_tried(index, Tried { number: child, value });
    }

    /// Third visit to the last node of `path`: makes its children, and the one whose move was
    /// tried begins with that visit, as an open leaf with `mobility` moves. Lets what that
    /// changes climb.
    pub fn expand_tried_and_climb(
        &self,
        path: &[u32],
        slab: &mut ModelSlab,
        children: usize,
        mobility: usize,
    ) -> Expansion {
        let (index, arena) = (path[path.len() - 1], &self.tree.arena);
        let tried = self.tree.node(index).load().tried();
        let Ok(block) = arena.reserve(&mut slab.0, children) else { return Expansion::Full };
        let Some(claim) = self.claim_expansion(index) else {
            arena.give_up(&mut slab.0, block);
            return Expansion::Lost;
        };
        let seen = SeenChild::open(0, self.tree.logic.leaf(0, mobility));
        let was_tried = tried
            .is_some_and(|tried| self.tree.prepare_tried(&claim.0, index, &block, &(tried, seen)));
        let moves: Vec<u8> = (0..children as u8).collect();
        let listing = Listing { was_tried, ..Listing::default() };
        let word = self.tree.expand(claim.0, self.tree.fill(block, &moves), listing);
        if self.tree.finish_expansion(index, word).any {
            self.climb(path);
        }
        Expansion::Made(word.first_child())
    }

    /// The value sum of a node, in parts of what a win is worth.
    pub fn value_sum(&self, index: u32) -> i64 {
        self.tree.node(index).statistics().value_sum
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
        if self.tree.finish_expansion(index, word).any {
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

    /// Publishes the children of a claimed node.
    fn expand(
        &self,
        index: u32,
        claim: ModelClaim<'_>,
        block: Reservation,
        children: usize,
        ended: &[(usize, [i32; 2])],
    ) -> Word {
        let moves: Vec<u8> = (0..children as u8).collect();
        let ended = ended.iter().map(|&(number, [first, second])| {
            let mut payoffs = [0; MAX_PLAYERS];
            (payoffs[0], payoffs[1]) = (first, second);
            EndedChild { number, end: End::Over(payoffs) }
        });
        let ended: Vec<EndedChild> = ended.collect();
        let weights: Vec<u32> = (1..=children as u32).collect();
        let listing = Listing { weights: &weights, ended: &ended, was_tried: false };
        self.tree.expand(claim.0, self.tree.fill(block, &moves), listing)
    }

    /// Carries a change of the last node of `path` to the root; answers
    /// whether this thread changed the root.
    pub fn climb(&self, path: &[u32]) -> bool {
        self.tree.climb(path.len() - 1, |depth| path[depth], |_| {}).is_none()
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
        self.deferred.count(index, node, 1, 0);
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
        let notes = &mut Deferred::new(ReuseRule::from_visits(0));
        self.0.finish(0, &[0.0; MAX_PLAYERS], &[], notes);
    }
}
