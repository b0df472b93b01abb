//! A whole search whose workers are the threads of a model.

use crate::bounds::{Interval, ProofNumber};
use crate::error::{Inconsistency, SearchError};
use crate::game::Game;
use crate::math::Rng;
use crate::playout::{Evaluator, Proven, SharedSearch, Worker, Workspace};
use crate::search::{WorkerSeed, goes_on, prepare};
use crate::settings::{Config, StopReason};
use crate::threads::{Control, Limits, WhenFull, catch_panic};
use crate::tree::{Audit, ROOT, Slab};
use std::sync::Arc;

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
            let mut end = Worker::new(
                shared,
                seed as u32,
                Rng::new(seed),
                Slab::default(),
                Workspace::default(),
                Limits::none(),
                None,
            )
            .run()?;
            shared.tree.arena.give_back(&mut end.slab);
            Ok(())
        });
        let result = result.and_then(|result| result);
        if result.is_err() {
            shared.control.stop(StopReason::Stopped);
        }
        result
    }

    /// Prepares for another run with this many workers and playouts; where the memory is full
    /// it pauses, to be pruned, or goes on without growing the tree.
    pub fn again(&self, workers: usize, playouts: u64, prunes: bool) {
        let when_full = if prunes { WhenFull::Prune } else { WhenFull::Freeze };
        self.shared.control.reset(workers, Some(playouts), when_full);
    }

    /// What a worker does whose prover has an answer: has all workers end, and ends.
    pub fn pause_and_end(&self) {
        self.shared.control.pause();
        self.shared.control.worker_done();
    }

    /// Tells the tree, as the coordinator does, between which ends the root's payoff for
    /// player 0 lies, and by which move the side to move gets the better one.
    ///
    /// # Errors
    /// When the game breaks its contract.
    pub fn learn(&mut self, [lower, upper]: [i32; 2], best: G::Move) -> Result<(), SearchError> {
        let payoffs = Interval { lower, upper };
        self.shared.learn(Proven { payoffs, best: Some(best) })
    }

    /// A player's proof number at the root.
    pub fn proof_number(&self, player: usize) -> ProofNumber {
        self.shared.tree.proof_number(ROOT, player)
    }

    /// Works as one thread of a run, and tells the coordinator at the end.
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
