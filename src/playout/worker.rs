//! One playout: descends the tree by UCT-PN, values its end, and backs up the value.
//!
//! A playout ends at a leaf, at a finished game, or at a node of known value. A node is evaluated
//! at its first visit and gets children at its second; at its third if the second does not need
//! them, and at its first if an evaluator has priors (`priors.rs`). Changes climb immediately,
//! before the playout that made them continues. Nothing here locks, allocates (after warm-up) or
//! waits for another thread. `run.rs` starts playouts until the search stops.

use super::chance::{self, Mix};
use super::context::Context;
use super::evaluation::{Workspace, check_values};
use super::path_cache::{Outset, PathCache};
use super::rollout::LeafEvaluation;
use super::shared::{SharedSearch, Values};
use crate::error::SearchError;
use crate::game::{Game, MAX_PLAYERS};
use crate::math::Rng;
use crate::select::{AtNode, Selected, SelectionBuffer};
use crate::settings::StopReason;
use crate::sync::{Fault, broken};
use crate::threads::{Limits, ThreadClock};
use crate::tree::{ROOT, SeenChild, Slab, Step, Trail, Tried, Window};
use std::ops::ControlFlow::{Break, Continue};
use std::time::Duration;

/// The buffers and counters of one thread.
pub(crate) struct Worker<'s, G: Game, L> {
    pub(crate) shared: &'s SharedSearch<G, L>,
    /// The thread's number, from 0.
    pub(crate) number: u32,
    pub(crate) rng: Rng,
    pub(crate) slab: Slab,
    pub(super) path: Vec<Step<'s>>,
    pub(super) cache: PathCache<'s, G::State>,
    pub(super) buffer: SelectionBuffer,
    /// The moves of the node that is being expanded, and its children whose result is known.
    pub(crate) moves: Vec<G::Move>,
    pub(super) ended: Vec<(usize, SeenChild)>,
    pub(super) static_bound: Vec<G::Move>,
    /// The number of the move that the playout tries at its leaf, and the player who makes it.
    pub(super) tries: Option<(u16, usize)>,
    pub(super) playout_moves: Vec<G::Move>,
    pub(super) workspace: Workspace,
    /// The weights of outcomes at chance nodes, and the adjustments of values in the backup.
    pub(super) weights: Vec<u32>,
    pub(super) mixes: Vec<Mix>,
    pub(super) priors: Vec<f32>,
    /// Buffers for playouts that are in flight at the same time.
    pub(super) paths: Vec<Vec<Step<'s>>>,
    pub(super) limits: Limits,
    /// The thread's processor clock and its limit.
    pub(super) cpu: Option<(ThreadClock, Duration)>,
}

impl<'s, G: Game, L: LeafEvaluation<G>> Worker<'s, G, L> {
    /// Makes one playout. Returns whether it was counted.
    pub(super) fn playout(&mut self) -> Result<bool, SearchError> {
        let shared = self.shared;
        let tree = &shared.tree;
        let Outset { steps, mut state, window, end } = self.cache.begin(&*shared.game, tree);
        let path = std::mem::take(&mut self.path);
        let mut trail = Trail::new(tree, path, steps, shared.selection.count_below);
        let mut values = [0.0; MAX_PLAYERS];
        let counted = match self.descend(&mut trail, &mut state, window, end)? {
            Some(known) => {
                values = known;
                true
            }
            None if !L::PLAYS_OUT && shared.leaves.has_priors() => {
                self.evaluate_with_priors(&trail, &mut state, &mut values)?
            }
            None => self.evaluate_leaf(&mut state, &mut values[..tree.logic.players])?,
        };
        let tries = self.tries.take();
        if counted {
            let units = chance::finish(&mut trail, self.cache.covers(), &values, &self.mixes);
            self.cache.count(&units);
            if let Some((number, mover)) = tries {
                let value = units[mover % MAX_PLAYERS] as i16;
                tree.remember_tried(trail.last().index, Tried { number, value });
            }
        }
        self.path = trail.into_path();
        Ok(counted)
    }

    /// Descends to the end of the playout. Returns the values if they are known there, and `None`
    /// if the position must be evaluated. Evaluates and expands nodes on the path. `window` is the
    /// alpha-beta window at the trail's last node, and the selections above end at `end`.
    pub(super) fn descend(
        &mut self,
        trail: &mut Trail<'s>,
        state: &mut G::State,
        mut window: Window,
        mut end: u64,
    ) -> Result<Option<Values>, SearchError> {
        let shared = self.shared;
        let tree = &shared.tree;
        let next = self.cache.end_of(1);
        self.mixes.clear();
        let mut at = trail.last();
        let mut word = at.node.load();
        loop {
            let Step { node, index, chosen_by, .. } = at;
            // Most nodes on the path are expanded.
            if !word.is_expanded() {
                // A leaf selects nothing, and another playout may end at it.
                if end > next {
                    self.cache.span_to(trail, state, window, end);
                }
                match self.visit_leaf(word, trail, state)? {
                    Continue(on) => word = on,
                    Break(values) => return Ok(values),
                }
            }
            if word.is_solved() && index != ROOT {
                return Ok(shared.known_worth(index));
            }
            let window_here = window;
            let (Selected { child, serves }, chosen_by) = if word.is_chance() {
                window = Window::ALL;
                let (rng, weights) = (&mut self.rng, &mut self.weights);
                let drawn = shared.draw(word, trail.path.len(), rng, weights);
                self.mixes.extend(drawn.mix);
                // Values remain those of the player who moved to the chance node.
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
            // If the selections above serve only this playout, there is nothing to cache.
            if end > next {
                let own = self.cache.end_of(serves);
                if own < end {
                    self.cache.span_to(trail, state, window_here, end);
                    end = own;
                }
            }
            let (node, mv) = tree.child(word, child);
            let index = word.first_child() + child as u32;
            at = Step { node, index, chosen_by };
            word = node.load();
            shared.game.play(state, mv);
            trail.enter(at);
        }
    }

    /// Values the leaf that the playout has reached. Returns whether there is a value.
    #[inline(always)]
    fn evaluate_leaf(
        &mut self,
        state: &mut G::State,
        values: &mut [f32],
    ) -> Result<bool, SearchError> {
        let shared = self.shared;
        let mut context = self.context();
        let valued = shared.leaves.evaluate(state, &mut context, values);
        if !shared.has_value(valued)? {
            return Ok(false);
        }
        if !L::PLAYS_OUT {
            check_values(values, shared.tree.logic.zero_sum)?;
        }
        Ok(true)
    }

    #[inline(always)]
    pub(super) fn context(&mut self) -> Context<'_, G> {
        self.playout_moves.clear();
        Context {
            game: &*self.shared.game,
            rng: &mut self.rng,
            moves: &mut self.playout_moves,
            workspace: &mut self.workspace,
            utility: &self.shared.utility,
            stop: self.shared.control.stop_flag(),
        }
    }

    /// Propagates a change at the trail's end; stops the search if this answers the question.
    pub(super) fn climb(&mut self, trail: &Trail<'s>) {
        let shared = self.shared;
        if self.drops_duties() {
            return;
        }
        let path = &trail.path;
        let mut solved = None;
        let ancestor = |depth: usize| path[depth].index;
        let settle = |depth: usize| solved = Some(depth);
        let ended = shared.tree.climb(path.len() - 1, ancestor, settle);
        // At that node, selection may now leave out a child that it considered before.
        self.cache.distrust(ended.unwrap_or(0));
        let root_changed = ended.is_none();
        if root_changed && shared.is_solved() {
            shared.control.stop(StopReason::Solved);
        }
        if shared.tree.has_contradiction() {
            shared.control.stop(StopReason::Stopped);
        }
        if let Some(highest) = solved {
            shared.remember_from(highest, path);
        }
    }

    /// Returns whether this thread omits its announcements because the search is stopping. It does
    /// so only in a Loom model that is meant to fail.
    #[inline(always)]
    pub(super) fn drops_duties(&self) -> bool {
        broken(Fault::StopDropsOwnership) && self.shared.control.stopped()
    }
}
