//! One thread's work: playout after playout.
//!
//! A playout goes down the tree by UCT-PN, ends at a leaf, a finished game or
//! a node whose worth is known, values it, and adds the value on the way back.
//! A node is evaluated on its first visit and expanded on its second (with an evaluator
//! that has priors on its first, too: `priors.rs`; on its third, where the second can do
//! without children: `tries.rs`); whatever
//! that changes climbs at once, before the playout that found it goes on.
//! Nothing here locks, allocates (after warm-up) or waits for another thread.

use super::chance::{self, Mix};
use super::context::Context;
use super::evaluation::{Workspace, check_values};
use super::path_cache::{Outset, PathCache};
use super::rollout::LeafEvaluation;
use super::shared::SharedSearch;
use crate::error::SearchError;
use crate::game::{Game, MAX_PLAYERS};
use crate::math::Rng;
use crate::select::{AtNode, Selected, SelectionBuffer};
use crate::settings::StopReason;
use crate::sync::{Fault, broken};
use crate::threads::{Limits, ThreadClock};
use crate::tree::{EndedChild, ROOT, Slab, Step, Trail, Tree, Tried, VALUE_ONE, Window, Word};
use std::time::Duration;

/// The buffers and counters of one thread.
pub(crate) struct Worker<'s, G: Game, L> {
    pub(crate) shared: &'s SharedSearch<G, L>,
    /// Its number among the threads, from 0.
    pub(crate) number: u32,
    pub(crate) rng: Rng,
    pub(crate) slab: Slab,
    pub(super) path: Vec<Step<'s>>,
    pub(super) cache: PathCache<'s, G::State>,
    /// Those of playouts that are under way at the same time.
    pub(super) paths: Vec<Vec<Step<'s>>>,
    pub(super) mixes: Vec<Mix>,
    pub(crate) moves: Vec<G::Move>,
    pub(super) weights: Vec<u32>,
    pub(super) ended: Vec<EndedChild>,
    /// Moves that the rules foresee to be enough.
    pub(super) static_bound: Vec<G::Move>,
    pub(super) priors: Vec<f32>,
    pub(super) playout_moves: Vec<G::Move>,
    pub(super) workspace: Workspace,
    pub(super) buffer: SelectionBuffer,
    /// The move that the playout under way tries at its leaf.
    pub(super) lazy_move: Option<LazyMove>,
    pub(super) limits: Limits,
    /// This thread's clock, and what it may come to.
    pub(super) cpu: Option<(ThreadClock, Duration)>,
}

/// How a playout ended.
pub(crate) enum Ending {
    /// The game is over or the node's worth is known.
    Known([f32; MAX_PLAYERS]),
    /// The position must be evaluated.
    Evaluate,
}

/// What a playout does at a node that had no children.
pub(super) enum Arrival {
    /// It was expanded: go on from its new word.
    Continue(Word),
    /// The playout ends here.
    Stop(Ending),
}

/// A move that a playout under way tries.
#[derive(Clone, Copy, Debug)]
pub(super) struct LazyMove {
    pub(super) number: u16,
    /// The player who moves.
    pub(super) mover: usize,
}

impl LazyMove {
    /// Has the leaf remember what the playout was worth.
    pub(super) fn remember(self, tree: &Tree, leaf: u32, values: &[f32; MAX_PLAYERS]) {
        let LazyMove { number, mover } = self;
        let value = (values[mover % MAX_PLAYERS] * VALUE_ONE as f32) as i16;
        tree.remember_tried(leaf, Tried { number, value });
    }
}

impl<'s, G: Game, L: LeafEvaluation<G>> Worker<'s, G, L> {
    /// One playout; returns whether it was counted.
    pub(super) fn playout(&mut self) -> Result<bool, SearchError> {
        let shared = self.shared;
        let mut values = [0.0; MAX_PLAYERS];
        let players = shared.tree.logic.players;
        let tree = &shared.tree;
        let Outset { steps, mut state, window, end } = self.cache.begin(&*shared.game, tree);
        let path = std::mem::take(&mut self.path);
        let mut trail = Trail::new(tree, path, steps, shared.selection.count_below);
        let counted = match self.descend(&mut trail, &mut state, window, end)? {
            Ending::Known(known) => {
                values = known;
                true
            }
            Ending::Evaluate if !L::PLAYS_OUT && shared.leaves.has_priors() => {
                self.evaluate_with_priors(&trail, &mut state, &mut values)?
            }
            Ending::Evaluate => self.evaluate_leaf(&mut state, &mut values[..players])?,
        };
        let lazy_move = self.lazy_move.take();
        if counted {
            let units = chance::finish(&mut trail, self.cache.covers(), &values, &self.mixes);
            self.cache.count(&units);
            if let Some(lazy_move) = lazy_move {
                lazy_move.remember(&shared.tree, trail.last().index, &values);
            }
        }
        self.path = trail.into_path();
        Ok(counted)
    }

    /// Asks the evaluator; answers whether there is a value.
    #[inline(always)]
    fn evaluate_leaf(
        &mut self,
        state: &mut G::State,
        values: &mut [f32],
    ) -> Result<bool, SearchError> {
        let shared = self.shared;
        self.playout_moves.clear();
        let mut context = Context {
            game: &*shared.game,
            rng: &mut self.rng,
            moves: &mut self.playout_moves,
            workspace: &mut self.workspace,
            utility: &shared.utility,
            stop: shared.control.stop_flag(),
        };
        let valued = shared.leaves.evaluate(state, &mut context, values);
        if !shared.has_value(valued)? {
            return Ok(false);
        }
        if !L::PLAYS_OUT {
            check_values(values, shared.tree.logic.zero_sum)?;
        }
        Ok(true)
    }

    /// Goes down to where the playout ends. Evaluates and expands on the way
    /// and lets what changes climb. Above where the trail begins this `window` is left, and
    /// selections end at `end`.
    pub(super) fn descend(
        &mut self,
        trail: &mut Trail<'s>,
        state: &mut G::State,
        mut window: Window,
        mut end: u64,
    ) -> Result<Ending, SearchError> {
        let shared = self.shared;
        let tree = &shared.tree;
        let next = self.cache.end_of(1);
        self.mixes.clear();
        let mut at = trail.last();
        let mut word = at.node.load();
        loop {
            let Step { node, index, chosen_by, .. } = at;
            // Most nodes on the way are expanded.
            if !word.is_expanded() {
                // A leaf selects nothing, and may be another playout's end.
                if end > next {
                    self.cache.span_to(trail, state, window, end);
                }
                match self.visit_leaf(word, trail, state)? {
                    Arrival::Continue(on) => word = on,
                    Arrival::Stop(ending) => return Ok(ending),
                }
            }
            if word.is_settled() && index != ROOT {
                return Ok(self.worth(index));
            }
            let window_here = window;
            let (Selected { child, serves }, chosen_by) = if word.is_chance() {
                window = Window::ALL;
                let (rng, weights) = (&mut self.rng, &mut self.weights);
                let drawn = shared.draw(word, trail.path.len(), rng, weights);
                self.mixes.extend(drawn.mix);
                // Values stay those of the player who left it to chance.
                (Selected::once(drawn.number), chosen_by)
            } else {
                if word.may_skip() {
                    window = tree.narrow(window, index);
                }
                let viewpoint = chosen_by as usize;
                let thread = self.number;
                let here = AtNode { tree, node, index, word, viewpoint, window, thread };
                let (selection, buffer, rng) = (&shared.selection, &mut self.buffer, &mut self.rng);
                let selected = if !L::PLAYS_OUT && shared.leaves.has_priors() {
                    selection.select::<true>(here, buffer, rng)
                } else {
                    selection.select::<false>(here, buffer, rng)
                };
                (selected, word.mover() as u32)
            };
            // Below the last selection that serves several playouts there is nothing to compare.
            if end > next {
                let own = self.cache.end_of(serves);
                if own < end {
                    self.cache.span_to(trail, state, window_here, end);
                    end = own;
                }
            }
            let (node, mv) = shared.tree.child(word, child);
            let index = word.first_child() + child as u32;
            at = Step { node, index, chosen_by };
            word = node.load();
            shared.game.play(state, mv);
            trail.enter(at);
        }
    }

    /// The outcome to take where chance decides, `depth` steps from the root.
    /// search when that settled the question.
    pub(super) fn climb(&mut self, trail: &Trail<'s>) {
        let shared = self.shared;
        if self.drops_duties() {
            return;
        }
        let path = &trail.path;
        let mut settled = None;
        let ancestor = |depth: usize| path[depth].index;
        let settle = |depth: usize| settled = Some(depth);
        let ended = shared.tree.climb(path.len() - 1, ancestor, settle);
        // There one child may be left out now that was not before.
        self.cache.distrust(ended.unwrap_or(0));
        let root_changed = ended.is_none();
        if root_changed && shared.is_settled() {
            shared.control.stop(StopReason::Settled);
        }
        if shared.tree.has_contradiction() {
            shared.control.stop(StopReason::Stopped);
        }
        if let Some(highest) = settled {
            self.remember_from(highest, path);
        }
    }

    /// Whether what this thread changed is left for nobody to tell because the
    /// search is to stop: never, which a loom model checks.
    #[inline(always)]
    pub(super) fn drops_duties(&self) -> bool {
        broken(Fault::StopDropsOwnership) && self.shared.control.stopped()
    }

    /// What a settled node is worth. Against a coalition only guarantees are
    /// known, so there the position is evaluated instead.
    pub(super) fn worth(&self, index: u32) -> Ending {
        self.shared.known_worth(index).map_or(Ending::Evaluate, Ending::Known)
    }

    pub(super) fn values_of(&self, payoffs: &[i32]) -> [f32; MAX_PLAYERS] {
        let mut values = [0.0; MAX_PLAYERS];
        for (player, &payoff) in payoffs.iter().enumerate() {
            values[player] = self.shared.utility.of(player, payoff);
        }
        values
    }
}
