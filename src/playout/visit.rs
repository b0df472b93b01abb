//! What a playout does at a node that has no children: it evaluates the node, or makes its
//! children.
//!
//! The game is asked and memory fetched before a node is claimed: a thread that the operating
//! system puts to sleep keeps nobody from going on there, but for the moment between the claim
//! and the publication.

use super::chance::read_weights;
use super::rollout::LeafEvaluation;
use super::shared::SharedSearch;
use super::worker::{Arrival, Ending, LazyMove, Worker};
use crate::error::SearchError;
use crate::game::{Game, MAX_PLAYERS, Turn};
use crate::rules::{
    check_chance, check_mobility, check_mover, check_outcome, check_payoff, check_sum,
};
use crate::select::Selection;
use crate::settings::{Bias, Config};
use crate::sync::{Fault, broken};
use crate::tree::{
    End, EndedChild, Full, Listing, Logic, MoveTree, Node, NodeClaim, Reservation, SeenChild,
    Stage, Step, Trail, Tried, Word,
};

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

    /// At a leaf whose moves were listed: whether the playout ends at one of them, which is
    /// played.
    pub(super) fn plays_lazily(&mut self, leaf: &Node, word: Word, state: &mut G::State) -> bool {
        let statistics = leaf.statistics();
        // The playout that asks is under way here itself, where any are counted.
        let alone = statistics.in_flight <= 1;
        let moves = self.moves.len();
        let due = statistics.visits == self.shared.expands_after();
        let may = due && alone && self.ended.is_empty();
        if !may || moves > Tried::MOVES {
            return false;
        }
        // As among new children: a draw where there are several.
        let number = if moves == 1 { 0 } else { self.rng.below(moves as u32) };
        self.shared.game.play(state, self.moves[number as usize]);
        self.lazy_move = Some(LazyMove { number: number as u16, mover: word.mover() });
        true
    }

    /// Lists the moves of a leaf at which one was tried, and looks at the child that it leads
    /// to. No child ends the game or is known: with such a one no move is tried.
    pub(super) fn list_after_try(
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
        let mut mobility = 1;
        if logic.proof_numbers {
            static_bound.clear();
            mobility = game.mobility(&next, static_bound);
            check_mobility(mobility)?;
        }
        Ok(Some((tried, SeenChild::open(mover, logic.leaf(mover, mobility)))))
    }

    /// Whether the position at the end of a trail was on it before. With chance, never: what
    /// an outcome is worth on average takes all places of a position.
    #[inline]
    pub(super) fn has_come_back(&self, trail: &Trail<'_>, state: &G::State) -> bool {
        trail.path.len() > SHORT && !self.shared.tree.logic.chance && self.repeats(trail, state)
    }

    /// The same of any trail. Positions are played anew, as playouts keep none on their way.
    #[cold]
    #[inline(never)]
    fn repeats(&self, trail: &Trail<'_>, state: &G::State) -> bool {
        let (game, tree) = (&self.shared.game, &self.shared.tree);
        let Some(here) = game.key(state) else { return false };
        let mut state = self.shared.root.clone();
        trail.path.windows(2).any(|steps| {
            let is_here = game.key(&state) == Some(here);
            game.play(&mut state, tree.move_between(steps[0], steps[1]));
            is_here
        })
    }

    /// Keeps the answer at a node that was just settled for other nodes with
    /// the same position.
    fn remember(&self, index: u32, state: &G::State) {
        if self.shared.settled.is_some() {
            self.remember_key(index, self.shared.key(state));
        }
    }

    /// The same of the position with this key.
    pub(super) fn remember_key(&self, index: u32, key: u64) {
        let Some(table) = &self.shared.settled else { return };
        if let Some(answer) = self.shared.tree.settled(index) {
            table.put(key, answer);
        }
    }

    /// The same for settled nodes on a path, from one on. Positions are played anew, so
    /// that playouts need no keys of the nodes that they pass; the game is asked when
    /// the tree was told all that there is to tell.
    #[inline(never)]
    pub(super) fn remember_from(&self, highest: usize, path: &[Step<'_>]) {
        let shared = self.shared;
        if shared.settled.is_none() {
            return;
        }
        let mut state = shared.root.clone();
        for (depth, steps) in path.windows(2).enumerate() {
            if depth >= highest && steps[0].node.load().is_settled() {
                self.remember(steps[0].index, &state);
            }
            shared.game.play(&mut state, shared.tree.move_between(steps[0], steps[1]));
        }
    }

    pub(crate) fn payoff_values(
        &self,
        state: &G::State,
    ) -> Result<[f32; MAX_PLAYERS], SearchError> {
        let mut payoffs = [0; MAX_PLAYERS];
        let payoffs = &mut payoffs[..self.shared.tree.logic.players];
        read_payoffs(&self.shared.game, &self.shared.tree, state, payoffs)?;
        Ok(self.values_of(payoffs))
    }
}

/// Lists the moves of a position and, with look-ahead, those that end the
/// game; `buffer` is to work in.
pub(crate) fn list_children<G: Game, L>(
    shared: &SharedSearch<G, L>,
    state: &G::State,
    moves: &mut Vec<G::Move>,
    ended: &mut Vec<EndedChild>,
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
                read_payoffs(game, tree, next, &mut payoffs[..tree.logic.players])?;
                ended.push(EndedChild { number, end: End::Over(payoffs) });
                continue;
            }
            Turn::Player(mover) => check_mover(mover, tree.logic.players)?,
            Turn::Chance => check_chance(game)?,
        };
        if let Some(answer) = shared.known(next, buffer)? {
            ended.push(EndedChild { number, end: End::Settled { mover, answer } });
        }
    }
    Ok(())
}

/// Reads the payoffs of a finished game and holds them to the contract.
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

/// Moves below the root up to which nobody asks for repetitions.
const SHORT: usize = 64;

/// Whether a search by playouts tries moves before it makes children.
pub(crate) fn expands_lazily(config: &Config, selection: &Selection, logic: &Logic) -> bool {
    let by_uct_alone = selection.bias == Bias::None;
    by_uct_alone && !logic.chance && config.look_ahead
}
