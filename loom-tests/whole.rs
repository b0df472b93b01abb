//! Whole searches whose workers are the threads of a model.

use crate::error::SearchError;
use crate::game::Game;
use crate::math::Rng;
use crate::playout::{Context, Evaluated, Evaluator, NoValue, SharedSearch, Worker, Workspace};
use crate::search::prepare;
use crate::settings::{Config, StopReason};
use crate::threads::{Limits, WhenFull, catch_panic};
use crate::tree::{ROOT, Slab};
use loom::thread::{self, JoinHandle};
use std::sync::Arc;

/// An evaluator that leaves all values at 0.
pub(super) struct Even;

impl<G: Game> Evaluator<G> for Even {
    fn evaluate(
        &self,
        _: &mut G::State,
        _: &mut Context<'_, G>,
        _: &mut [f32],
    ) -> Result<(), NoValue> {
        Ok(())
    }
}

/// A search that has no coordinator.
pub(super) type ModelSearch<G> = SharedSearch<G, Evaluated<Even>>;

/// A search from the initial position, with room for `nodes` nodes and a budget of playouts.
pub(super) fn search<G: Game>(
    game: G,
    config: Config,
    nodes: u64,
    playouts: u64,
) -> ModelSearch<G> {
    let (threads, position) = (config.threads, game.initial_state());
    // More than enough bytes; the capacity in nodes is set below.
    let search = prepare(game, position, config.memory(nodes << 9), Evaluated(Even));
    let search = search.unwrap_or_else(|error| panic!("{error}"));
    search.tree.arena.set_cap(nodes);
    search.control.reset(threads, Some(playouts), WhenFull::Freeze);
    search
}

/// Runs one of the search's workers until the search ends.
pub(super) fn work<G: Game>(search: &ModelSearch<G>, seed: u64) -> Result<(), SearchError> {
    let result = catch_panic(|| {
        let (rng, slab, space) = (Rng::new(seed), Slab::default(), Workspace::default());
        let worker = Worker::new(search, seed as u32, rng, slab, space, Limits::none(), None);
        let mut end = worker.run()?;
        search.tree.arena.give_back(&mut end.slab);
        Ok(())
    });
    let result = result.and_then(|result| result);
    if result.is_err() {
        search.control.stop(StopReason::Stopped);
    }
    result
}

/// Spawns a thread that runs [`work`].
pub(super) fn worker<G: Game + 'static>(
    search: &Arc<ModelSearch<G>>,
    seed: u64,
) -> JoinHandle<Result<(), SearchError>> {
    let search = Arc::clone(search);
    thread::spawn(move || work(&search, seed))
}

pub(super) fn visits<G: Game>(search: &ModelSearch<G>) -> u64 {
    search.tree.node(ROOT).statistics().visits
}

/// Audits the tree while no thread works on it; panics if it is wrong.
pub(super) fn audit<G: Game>(search: &ModelSearch<G>) {
    let audit = search.tree.audit(&search.game, &search.root);
    if let Err(what) = audit {
        panic!("{AUDIT}: {what}");
    }
}

/// The start of the messages with which [`audit`] panics.
pub(super) const AUDIT: &str = "the audit fails";
