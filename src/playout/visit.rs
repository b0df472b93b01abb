//! What a playout does at a node that has no children: it evaluates the node, or makes its
//! children.
//!
//! The game is asked and memory fetched before a node is claimed: a thread that the operating
//! system puts to sleep keeps nobody from going on there, but for the moment between the claim
//! and the publication.

use super::expand::{list_children, read_payoffs, read_weights};
use super::leaves::LeafEvaluation;
use super::shared::SharedSearch;
use super::worker::{Arrival, Ending, Worker};
use crate::error::SearchError;
use crate::game::{Game, MAX_PLAYERS, Turn};
use crate::rules::{check_chance, check_mobility, check_mover};
use crate::sync::{Fault, broken};
use crate::tree::{Full, Listing, NodeClaim, Reservation, Stage, Step, Trail, Word};

impl<'s, G: Game, L: LeafEvaluation<G>> Worker<'s, G, L> {
    /// At a node without children: evaluates or expands it where that is due
    /// and no other thread is faster.
    pub(super) fn visit_leaf(
        &mut self,
        word: Word,
        trail: &Trail<'s>,
        state: &mut G::State,
    ) -> Result<Arrival, SearchError> {
        let shared = self.shared;
        let Step { node, index, .. } = trail.last();
        let ending = match word.stage() {
            Stage::New => self.evaluate(trail, state)?,
            Stage::Evaluating | Stage::Expanding => self.elsewhere(state)?,
            Stage::Terminal => Ending::Known(self.payoff_values(state)?),
            Stage::Known => self.worth(index),
            Stage::Expanded => return Ok(Arrival::Continue(node.load())),
            // With priors the playout that evaluates a leaf expands it.
            Stage::Leaf if shared.leaves.has_priors() => Ending::Evaluate,
            Stage::Leaf => {
                let due = node.statistics().visits >= shared.expands_after();
                let may = due && !shared.control.frozen() && !self.has_come_back(trail, state);
                match if may { self.expand(trail, word, state)? } else { None } {
                    Some(word) => return Ok(Arrival::Continue(word)),
                    None => Ending::Evaluate,
                }
            }
        };
        Ok(Arrival::Stop(ending))
    }

    /// Where another thread holds the claim: this playout ends here too.
    fn elsewhere(&self, state: &G::State) -> Result<Ending, SearchError> {
        match self.shared.game.turn(state) {
            Turn::Over => Ok(Ending::Known(self.payoff_values(state)?)),
            _ => Ok(Ending::Evaluate),
        }
    }

    /// The first visit to a node. Whoever claims it has asked the game before: a thread
    /// that the operating system puts to sleep holds nobody up but where it is about to
    /// write.
    fn evaluate(&mut self, trail: &Trail<'s>, state: &G::State) -> Result<Ending, SearchError> {
        let (game, tree) = (&self.shared.game, &self.shared.tree);
        let Step { node, index, .. } = trail.last();
        self.shared.check_hash(state)?;
        match game.turn(state) {
            Turn::Over => {
                let mut payoffs = [0; MAX_PLAYERS];
                let payoffs = &mut payoffs[..tree.logic.players];
                read_payoffs(game, tree, state, payoffs)?;
                if let Some(claim) = tree.claim_evaluation(node)
                    && tree.set_terminal(claim, index, payoffs)
                {
                    self.climb(trail);
                }
                Ok(Ending::Known(self.values_of(payoffs)))
            }
            turn => {
                let mover = match turn {
                    Turn::Player(mover) => check_mover(mover, tree.logic.players)?,
                    _ => check_chance(game)?,
                };
                if let Some(answer) = self.shared.known(state, &mut self.moves)? {
                    let Some(claim) = tree.claim_evaluation(node) else {
                        return Ok(Ending::Evaluate);
                    };
                    tree.set_known(claim, index, mover, answer);
                    if !broken(Fault::SilentKnown) {
                        self.climb(trail);
                    }
                    return Ok(self.worth(index));
                }
                let mut mobility = 1;
                if tree.logic.proof_numbers {
                    self.moves.clear();
                    mobility = game.mobility(state, &mut self.moves);
                    check_mobility(mobility)?;
                }
                if let Some(claim) = tree.claim_evaluation(node)
                    && tree.set_leaf(claim, index, mover, mobility)
                {
                    self.climb(trail);
                }
                Ok(Ending::Evaluate)
            }
        }
    }

    /// The second visit, or the third: makes the children. None where another thread is at
    /// it, where there is no room for them, or where the playout ends at one of the moves,
    /// which it tries.
    ///
    /// The game is asked and memory fetched before the claim: a thread that the
    /// operating system puts to sleep keeps nobody from expanding the node, but for the
    /// moment between the claim and the publication.
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

    /// Gives a claimed node at the end of the trail the children that were listed, and does
    /// what that obliges its thread to. `key` is that of its position.
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
            if change.settled && self.shared.settled.is_some() {
                self.remember_key(index, key());
            }
        }
        made
    }

    /// Room for this many children, if there is any.
    pub(crate) fn reserve(&mut self, children: usize) -> Option<Reservation> {
        let SharedSearch { tree, control, .. } = self.shared;
        let block = tree.arena.reserve(&mut self.slab, children);
        block.inspect_err(|Full| control.arena_full(children, tree.arena.is_starved())).ok()
    }
}
