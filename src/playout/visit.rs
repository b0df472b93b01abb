//! The visit of a node without children, which evaluates the node or creates its children.
//!
//! A thread calls the game and reserves memory before it claims a node. So a thread that the
//! operating system suspends rarely hinders others there: only in the moment between its claim and
//! the publication.
//!
//! **Lazy expansion.** A leaf that is visited again may need no children yet: the playout tries a
//! move without making a node (`tree/tried.rs`). The search is the same as with children if the
//! choice among new children is random, and if nothing above the leaf depends on its number of
//! children. So a move is tried only
//!
//! - if rollouts value leaves and selection is plain UCT: priors and weighted proof numbers
//!   distinguish new children;
//! - if no child ends the game or has a known result, since such a child is better stored as a node
//!   immediately;
//! - by the first of the threads that make the second visit; the others need the children.

use super::chance::read_weights;
use super::rollout::LeafEvaluation;
use super::shared::{SharedSearch, Values};
use super::worker::Worker;
use crate::error::SearchError;
use crate::game::{Game, MAX_PLAYERS, Turn};
use crate::rules::{
    check_chance, check_mobility, check_mover, check_outcome, check_payoff, check_sum,
};
use crate::sync::{Fault, broken};
use crate::tree::{
    Full, Listing, MoveTree, Node, NodeClaim, Reservation, SeenChild, Stage, Step, Trail, Tried,
    Word,
};
use std::ops::ControlFlow::{self, Break, Continue};

impl<'s, G: Game, L: LeafEvaluation<G>> Worker<'s, G, L> {
    /// Evaluates or expands a node without children, if that is due and no other thread has been
    /// faster. Returns the new word if the playout continues below the node, else the values of the
    /// node, if they are known.
    pub(super) fn visit_leaf(
        &mut self,
        word: Word,
        trail: &Trail<'s>,
        state: &mut G::State,
    ) -> Result<ControlFlow<Option<Values>, Word>, SearchError> {
        let shared = self.shared;
        let Step { node, index, .. } = trail.last();
        let known = match word.stage() {
            Stage::New => self.evaluate(trail, state)?,
            // Another thread holds the claim: this playout ends here, too.
            Stage::Evaluating | Stage::Expanding => match shared.game.turn(state) {
                Turn::Over => Some(self.payoff_values(state)?),
                _ => None,
            },
            Stage::Terminal => Some(self.payoff_values(state)?),
            Stage::Known => shared.known_worth(index),
            Stage::Expanded => return Ok(Continue(node.load())),
            // With priors the playout that evaluates a leaf expands it.
            Stage::Leaf if shared.leaves.has_priors() => None,
            Stage::Leaf => {
                let due = node.statistics().visits >= shared.expands_after();
                let may = due && !shared.control.frozen() && !shared.has_come_back(trail, state);
                if may && let Some(word) = self.expand(trail, word, state)? {
                    return Ok(Continue(word));
                }
                None
            }
        };
        Ok(Break(known))
    }

    /// Evaluates a node at its first visit.
    fn evaluate(
        &mut self,
        trail: &Trail<'s>,
        state: &G::State,
    ) -> Result<Option<Values>, SearchError> {
        let (game, tree) = (&self.shared.game, &self.shared.tree);
        let Step { node, index, .. } = trail.last();
        self.shared.check_hash(state)?;
        let mover = match game.turn(state) {
            Turn::Over => {
                let mut payoffs = [0; MAX_PLAYERS];
                let payoffs = &mut payoffs[..tree.logic.players];
                read_payoffs(game, tree, state, payoffs)?;
                if let Some(claim) = tree.claim_evaluation(node)
                    && tree.set_terminal(claim, index, payoffs)
                {
                    self.climb(trail);
                }
                return Ok(Some(self.shared.utility.of_all(payoffs)));
            }
            Turn::Player(mover) => check_mover(mover, tree.logic.players)?,
            Turn::Chance => check_chance(game)?,
        };
        if let Some(answer) = self.shared.known(state, &mut self.moves)? {
            let Some(claim) = tree.claim_evaluation(node) else { return Ok(None) };
            tree.set_known(claim, index, mover, answer);
            if !broken(Fault::SilentKnown) {
                self.climb(trail);
            }
            return Ok(self.shared.known_worth(index));
        }
        let mobility = self.shared.mobility(state, &mut self.moves)?;
        if let Some(claim) = tree.claim_evaluation(node)
            && tree.set_leaf(claim, index, mover, mobility)
        {
            self.climb(trail);
        }
        Ok(None)
    }

    /// Creates the children at the second or the third visit. Returns `None` if another thread is
    /// creating them, if there is no room for them, or if the playout tries a move instead and ends
    /// there.
    fn expand(
        &mut self,
        trail: &Trail<'s>,
        word: Word,
        state: &mut G::State,
    ) -> Result<Option<Word>, SearchError> {
        let (shared, Step { node, index, .. }) = (self.shared, trail.last());
        let tree = &shared.tree;
        let tried = match word.tried() {
            Some(tried) => self.list_after_try(tried, state)?,
            None => {
                let Worker { moves, ended, static_bound, .. } = self;
                list_children(shared, state, moves, ended, static_bound)?;
                if shared.expands_lazily && self.plays_lazily(node, word, state) {
                    return Ok(None);
                }
                None
            }
        };
        self.weights.clear();
        if word.is_chance() {
            read_weights(&shared.game, state, &self.moves, &mut self.weights)?;
        }
        let Some(block) = self.reserve(self.moves.len()) else { return Ok(None) };
        let Some(claim) = tree.claim_expansion(node) else {
            tree.arena.give_up(&mut self.slab, block);
            return Ok(Some(node.load()).filter(|word| word.is_expanded()));
        };
        let was_tried = tried.is_some_and(|seen| tree.prepare_tried(&claim, index, &block, &seen));
        let key = || shared.key(state);
        Ok(Some(self.make_children(trail, claim, block, was_tried, key)))
    }

    /// Reserves memory for `children` nodes, if there is room.
    pub(super) fn reserve(&mut self, children: usize) -> Option<Reservation> {
        let SharedSearch { tree, control, .. } = self.shared;
        let block = tree.arena.reserve(&mut self.slab, children);
        block.inspect_err(|Full| control.arena_full(children, tree.arena.is_starved())).ok()
    }

    /// Gives the claimed node at the end of the trail the listed children, and performs this
    /// thread's resulting duties. `key` returns the key of the node's position.
    #[inline]
    pub(super) fn make_children(
        &mut self,
        trail: &Trail<'s>,
        claim: NodeClaim<'_>,
        block: Reservation,
        was_tried: bool,
        key: impl Fn() -> u64,
    ) -> Word {
        let (tree, index) = (&self.shared.tree, trail.last().index);
        let filled = tree.fill(block, &self.moves);
        let listing = Listing { weights: &self.weights, ended: &self.ended, was_tried };
        let made = tree.expand(claim, filled, listing);
        if !self.drops_duties() {
            let change = tree.finish_expansion(index, made);
            if change.any {
                self.climb(trail);
            }
            if change.solved && self.shared.solved.is_some() {
                self.shared.remember(index, key());
            }
        }
        made
    }

    /// Tries a random move at a leaf whose moves are listed. Returns `true` if it was tried and the
    /// playout ends there, `false` if the leaf needs children.
    fn plays_lazily(&mut self, leaf: &Node, word: Word, state: &mut G::State) -> bool {
        let statistics = leaf.statistics();
        // If playouts in flight are counted, this playout is one of them.
        let alone = statistics.in_flight <= 1;
        let moves = self.moves.len();
        let due = statistics.visits == self.shared.expands_after();
        let may = due && alone && self.ended.is_empty();
        if !may || moves > Tried::MOVES {
            return false;
        }
        // As with new children, the choice is random.
        let number = if moves == 1 { 0 } else { self.rng.below(moves as u32) };
        self.shared.game.play(state, self.moves[number as usize]);
        self.tries = Some((number as u16, word.mover()));
        true
    }

    /// Lists the moves of a leaf at which one was tried, and examines the child that this move
    /// leads to. No child ends the game or has a known result, since otherwise no move would have
    /// been tried.
    fn list_after_try(
        &mut self,
        tried: Tried,
        state: &G::State,
    ) -> Result<Option<(Tried, SeenChild)>, SearchError> {
        let (game, logic) = (&self.shared.game, &self.shared.tree.logic);
        let Worker { moves, ended, static_bound, .. } = self;
        moves.clear();
        ended.clear();
        game.legal_moves(state, moves);
        check_mobility(moves.len())?;
        let Some(&mv) = moves.get(usize::from(tried.number)) else { return Ok(None) };
        let next = game.after(state, mv);
        let mover = match game.turn(&next) {
            Turn::Over => return Ok(None),
            Turn::Player(mover) => check_mover(mover, logic.players)?,
            Turn::Chance => check_chance(&**game)?,
        };
        let mobility = self.shared.mobility(&next, static_bound)?;
        Ok(Some((tried, SeenChild::open(mover, logic.leaf(mover, mobility)))))
    }

    fn payoff_values(&self, state: &G::State) -> Result<Values, SearchError> {
        let mut payoffs = [0; MAX_PLAYERS];
        let payoffs = &mut payoffs[..self.shared.tree.logic.players];
        read_payoffs(&self.shared.game, &self.shared.tree, state, payoffs)?;
        Ok(self.shared.utility.of_all(payoffs))
    }
}

/// Lists the moves of a position and, with look-ahead, those that end the game or have a known
/// result. `buffer` is scratch space.
pub(crate) fn list_children<G: Game, L>(
    shared: &SharedSearch<G, L>,
    state: &G::State,
    moves: &mut Vec<G::Move>,
    ended: &mut Vec<(usize, SeenChild)>,
    buffer: &mut Vec<G::Move>,
) -> Result<(), SearchError> {
    let (game, tree) = (&shared.game, &shared.tree);
    moves.clear();
    ended.clear();
    game.legal_moves(state, moves);
    check_mobility(moves.len())?;
    if !shared.config.look_ahead {
        return Ok(());
    }
    for (number, &mv) in moves.iter().enumerate() {
        let next = &game.after(state, mv);
        shared.check_hash(next)?;
        let mover = match game.turn(next) {
            Turn::Over => {
                let mut payoffs = [0; MAX_PLAYERS];
                let payoffs = &mut payoffs[..tree.logic.players];
                read_payoffs(game, tree, next, payoffs)?;
                ended.push((number, SeenChild::over(tree.logic.terminal(payoffs))));
                continue;
            }
            Turn::Player(mover) => check_mover(mover, tree.logic.players)?,
            Turn::Chance => check_chance(game)?,
        };
        if let Some(answer) = shared.known(next, buffer)? {
            ended.push((number, SeenChild::known(mover, tree.logic.known(answer))));
        }
    }
    Ok(())
}

/// Reads the payoffs of a finished game and checks them against the contract.
pub(crate) fn read_payoffs<G: Game>(
    game: &G,
    tree: &MoveTree<G::Move>,
    state: &G::State,
    payoffs: &mut [i32],
) -> Result<(), SearchError> {
    for (player, payoff) in payoffs.iter_mut().enumerate() {
        *payoff = game.payoff(state, player);
        check_payoff(game, player, *payoff)?;
        if cfg!(debug_assertions) {
            check_outcome(game, tree.logic.thresholds[player], player, *payoff)?;
        }
    }
    if tree.logic.zero_sum {
        check_sum([payoffs[0], payoffs[1]], tree.logic.chance)?;
    }
    Ok(())
}
