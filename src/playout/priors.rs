//! Leaves of a search whose evaluator has priors.
//!
//! A leaf gets its children with its first evaluation, because that also returns their priors. All
//! user code runs before the claim, as in any expansion. If two threads evaluate the same leaf at
//! the same time, one of them makes the children; both values count.

use super::chance::read_weights;
use super::context::Context;
use super::evaluation::{Workspace, check_priors, check_values};
use super::rollout::LeafEvaluation;
use super::shared::SharedSearch;
use super::visit::list_children;
use super::worker::Worker;
use crate::error::SearchError;
use crate::game::{Game, MAX_PLAYERS};
use crate::math::{Rng, mix_all_bits};
use crate::select::noisy;
use crate::tree::{ROOT, Stage, Step, Trail, Word};

impl<'s, G: Game, L: LeafEvaluation<G>> Worker<'s, G, L> {
    /// Values the position at the end of the trail and, if it is a leaf whose expansion is due,
    /// creates its children. Returns whether there is a value.
    pub(super) fn evaluate_with_priors(
        &mut self,
        trail: &Trail<'s>,
        state: &mut G::State,
        values: &mut [f32; MAX_PLAYERS],
    ) -> Result<bool, SearchError> {
        let shared = self.shared;
        let word = trail.last().node.load();
        let expands = self.prepare_expansion(word, trail, state)?;
        let key = shared.key(state);
        let values = &mut values[..shared.tree.logic.players];
        self.playout_moves.clear();
        let mut context = Context {
            game: &*shared.game,
            rng: &mut self.rng,
            moves: &mut self.playout_moves,
            workspace: &mut self.workspace,
            utility: &shared.utility,
            stop: shared.control.stop_flag(),
        };
        let (leaves, moves) = (&shared.leaves, &self.moves);
        let valued = if expands && !word.is_chance() {
            self.priors.clear();
            self.priors.resize(moves.len(), 0.0);
            leaves.evaluate_with_priors(state, moves, &mut context, values, &mut self.priors)
        } else {
            self.priors.clear();
            leaves.evaluate(state, &mut context, values)
        };
        if !shared.has_value(valued)? {
            return Ok(false);
        }
        check_values(values, shared.tree.logic.zero_sum)?;
        if expands {
            check_priors(&mut self.priors)?;
            self.expand_prepared(trail, key);
        }
        Ok(true)
    }

    /// Returns whether the leaf at the end of the trail is to be expanded; if so, lists its moves,
    /// the moves that end the game, and the weights of outcomes.
    pub(super) fn prepare_expansion(
        &mut self,
        word: Word,
        trail: &Trail<'s>,
        state: &G::State,
    ) -> Result<bool, SearchError> {
        let shared = self.shared;
        let visits = trail.last().node.statistics().visits;
        let due = visits + 1 >= shared.expands_after() && !shared.control.frozen();
        if !due || word.stage() != Stage::Leaf || shared.has_come_back(trail, state) {
            return Ok(false);
        }
        let Worker { moves, ended, static_bound, .. } = self;
        list_children(shared, state, moves, ended, static_bound)?;
        self.weights.clear();
        if word.is_chance() {
            read_weights(&shared.game, state, &self.moves, &mut self.weights)?;
        }
        Ok(true)
    }

    /// Creates the children that were listed, unless another thread was faster or there is no room.
    /// `key` is the position's key.
    pub(super) fn expand_prepared(&mut self, trail: &Trail<'s>, key: u64) {
        let tree = &self.shared.tree;
        let Step { node, .. } = trail.last();
        let Some(block) = self.reserve(self.moves.len()) else { return };
        let Some(claim) = tree.claim_expansion(node) else {
            return tree.arena.give_up(&mut self.slab, block);
        };
        tree.arena.fresh(&block).set_priors(&self.priors);
        self.make_children(trail, claim, block, false, || key);
    }
}

impl<G: Game, L: LeafEvaluation<G>> SharedSearch<G, L> {
    /// Draws the noise for the root's priors in a run. It stays the same until the root changes.
    pub(crate) fn draw_noise(&mut self) {
        let word = self.tree.node(ROOT).load();
        let mut noise = Box::default();
        if word.is_expanded() && !word.is_chance() {
            let children = self.tree.arena.children(word);
            // The seed's draws differ from those of the workers.
            let seed = mix_all_bits(self.config.seed ^ (self.moves_played << 1 | 1));
            let mut rng = Rng::new(seed);
            let priors = (0..children.len()).filter_map(|n| children.prior(n));
            noise = noisy(&priors.collect::<Vec<f32>>(), &self.config, &mut rng);
        }
        self.selection.puct.set_noisy(noise);
    }

    /// Computes the root's priors, if the evaluator has priors and the root has none yet. Called
    /// before a run, while no other thread is in the tree. The value that the evaluator also
    /// returns is not counted.
    pub(crate) fn prepare_priors(
        &self,
        rng: &mut Rng,
        workspace: &mut Workspace,
    ) -> Result<(), SearchError> {
        let word = self.tree.node(ROOT).load();
        if !word.is_expanded() || word.is_chance() {
            return Ok(());
        }
        let children = self.tree.arena.children(word);
        if children.has_priors() {
            return Ok(());
        }
        let number = children.len();
        let moves: Vec<G::Move> = (0..number).map(|n| self.tree.child_move(word, n)).collect();
        let (mut priors, mut values) = (vec![0.0; number], [0.0; MAX_PLAYERS]);
        let values = &mut values[..self.tree.logic.players];
        let (mut state, mut buffer) = (self.root.clone(), Vec::new());
        let mut context = Context {
            game: &*self.game,
            rng,
            moves: &mut buffer,
            workspace,
            utility: &self.utility,
            stop: self.control.stop_flag(),
        };
        let valued =
            self.leaves.evaluate_with_priors(&mut state, &moves, &mut context, values, &mut priors);
        if self.has_value(valued)? {
            check_values(values, self.tree.logic.zero_sum)?;
            check_priors(&mut priors)?;
            children.set_priors(&priors);
        }
        Ok(())
    }
}
