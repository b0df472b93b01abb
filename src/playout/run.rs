//! The loop of a worker, which makes playouts until the search must stop.

use super::background::Proven;
use super::evaluation::Workspace;
use super::final_move::is_decided;
use super::path_cache::PathCache;
use super::rollout::LeafEvaluation;
use super::shared::SharedSearch;
use super::worker::Worker;
use crate::error::SearchError;
use crate::game::Game;
use crate::math::Rng;
use crate::select::SelectionBuffer;
use crate::settings::StopReason;
use crate::sync::Instant;
use crate::threads::{Limits, ThreadClock};
use crate::tree::Slab;
use std::time::Duration;

impl<G: Game, L> Drop for Worker<'_, G, L> {
    fn drop(&mut self) {
        // After an error or a panic, the slab's unused nodes would belong to no thread.
        self.shared.tree.arena.give_back(&mut self.slab);
        self.shared.counted.end_thread();
        self.cache.add_all();
    }
}

/// The state that a worker returns when it ends.
pub(crate) struct WorkerEnd<M> {
    pub(crate) slab: Slab,
    pub(crate) rng: Rng,
    pub(crate) workspace: Workspace,
    /// A proof to be imported into the tree.
    pub(crate) proven: Option<Proven<M>>,
}

/// The action of a worker after a periodic check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    GoOn,
    /// The memory is full, or a proof is ready: the worker ends and continues later.
    Pause,
    /// The search is stopping.
    End,
}

impl<'s, G: Game, L: LeafEvaluation<G>> Worker<'s, G, L> {
    pub(crate) fn new(
        shared: &'s SharedSearch<G, L>,
        number: u32,
        rng: Rng,
        slab: Slab,
        workspace: Workspace,
        limits: Limits,
        cpu: Option<(ThreadClock, Duration)>,
    ) -> Worker<'s, G, L> {
        let tree = &shared.tree;
        let root = shared.root_step();
        // True if the thread is one of several, or has several playouts in flight.
        let holds_root = shared.selection.count_below > 0;
        let cache = PathCache::new(root, shared.root.clone(), holds_root, tree.writers());
        let mut path = Vec::with_capacity(256);
        path.push(root);
        Worker {
            shared,
            number,
            limits,
            cpu,
            rng,
            slab,
            path,
            cache,
            paths: Vec::new(),
            mixes: Vec::new(),
            moves: Vec::with_capacity(256),
            weights: Vec::new(),
            ended: Vec::with_capacity(16),
            static_bound: Vec::new(),
            priors: Vec::new(),
            playout_moves: Vec::with_capacity(256),
            workspace,
            buffer: SelectionBuffer::default(),
            tries: None,
        }
    }

    /// Makes playouts until the search must stop or pause. Returns the state for the next run.
    pub(crate) fn run(mut self) -> Result<WorkerEnd<G::Move>, SearchError> {
        self.shared.counted.begin_thread();
        let proven = if L::PLAYS_OUT {
            self.run_one_by_one()?
        } else {
            match self.shared.leaves.batches() {
                None => self.run_one_by_one()?,
                Some(batches) => self.run_batched(batches).map(|()| None)?,
            }
        };
        let (slab, workspace) = (&mut self.slab, &mut self.workspace);
        let (slab, workspace) = (std::mem::take(slab), std::mem::take(workspace));
        Ok(WorkerEnd { slab, rng: self.rng.clone(), workspace, proven })
    }

    /// Makes one playout after another; the first thread also runs the background prover, if any.
    #[inline]
    fn run_one_by_one(&mut self) -> Result<Option<Proven<G::Move>>, SearchError> {
        if let Some(background) = self.shared.background.as_ref().filter(|_| self.number == 0) {
            let proven = self.prove_in_background(background)?;
            if proven.is_some() {
                return Ok(proven);
            }
        }
        self.play_out(u64::MAX).map(|_| None)
    }

    /// Makes `times` playouts. Returns whether the search continues.
    #[inline]
    pub(super) fn play_out(&mut self, mut times: u64) -> Result<bool, SearchError> {
        let control = &self.shared.control;
        let (mut lease, mut begins) = (0, true);
        let mut goes_on = false;
        while !control.stopped() {
            let due = std::mem::take(&mut begins) || self.cache.is_due();
            if due && self.look() != Look::GoOn {
                break;
            }
            if times == 0 {
                goes_on = !control.is_spent();
                break;
            }
            times -= 1;
            if lease == 0 {
                lease = control.lease(self.shared.config.threads);
                if lease == 0 {
                    break;
                }
            }
            if self.playout()? {
                lease -= 1;
            }
        }
        control.return_lease(lease);
        self.cache.add_all();
        Ok(goes_on)
    }

    /// Does occasional work while the path cache holds nothing: checks the clock and reclaims some
    /// nodes. The coordinator also checks the time, but may run late if there are more threads than
    /// cores.
    pub(super) fn look(&mut self) -> Look {
        /// The number of nodes to reclaim at each check; 16 playouts usually create fewer.
        const RECLAIM: u64 = 128;
        let control = &self.shared.control;
        let stop = |reason| {
            control.stop(reason);
            Look::End
        };
        if self.limits.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return stop(StopReason::Time);
        }
        if self.shared.config.stop_when_decided && is_decided(self.shared, &self.limits) {
            return stop(StopReason::Decided);
        }
        if self.cpu.is_some_and(|(clock, time)| clock.elapsed() >= time) {
            return stop(StopReason::CpuTime);
        }
        if control.pauses() {
            return Look::Pause;
        }
        if self.shared.tree.arena.is_reclaiming() {
            self.shared.tree.arena.reclaim(RECLAIM);
        }
        Look::GoOn
    }
}
