//! The coordinator's thread, which starts the workers, stops them in time, and collects their
//! results.

use crate::error::SearchError;
use crate::game::Game;
use crate::math::Rng;
use crate::playout::{LeafEvaluation, Proven, SharedSearch, Worker, WorkerEnd, Workspace};
use crate::settings::{CancelToken, StopReason};
use crate::threads::{Limits, ThreadClock, catch_panic, run_team};
use crate::tree::Slab;
use parking_lot::{Mutex, RwLock};
use std::time::Duration;

pub(crate) struct WorkerSeed {
    pub(crate) rng: Rng,
    pub(crate) slab: Slab,
    pub(crate) workspace: Workspace,
    /// The processor time left for this worker in this search; `None` without a limit.
    pub(crate) cpu_left: Option<Duration>,
}

impl WorkerSeed {
    pub(crate) fn new(rng: Rng) -> WorkerSeed {
        WorkerSeed { rng, slab: Slab::default(), workspace: Workspace::default(), cpu_left: None }
    }
}

/// Runs the workers until the search ends. When the memory is full, they finish their playouts, the
/// tree is pruned, and they start again.
pub(crate) fn coordinate<G: Game, L: LeafEvaluation<G>>(
    shared: &RwLock<SharedSearch<G, L>>,
    mut seeds: Vec<WorkerSeed>,
    limits: Limits,
    cancel: Option<&CancelToken>,
) -> (Vec<WorkerSeed>, Option<SearchError>) {
    if let Err(error) = prepare_priors(&mut shared.write(), &mut seeds) {
        return (seeds, Some(error));
    }
    loop {
        let (mut back, proven, error) = run_workers(&shared.read(), seeds, limits, cancel);
        // The write lock waits for snapshots in progress and delays new ones.
        let shared = &mut shared.write();
        let error = error.or_else(|| learn(shared, proven?).err());
        if error.is_some() || !goes_on(shared, &mut back) {
            return (back, error);
        }
        seeds = back;
    }
}

/// Computes the root's priors and their noise, if the evaluator has priors.
fn prepare_priors<G: Game, L: LeafEvaluation<G>>(
    shared: &mut SharedSearch<G, L>,
    seeds: &mut [WorkerSeed],
) -> Result<(), SearchError> {
    if L::PLAYS_OUT {
        return Ok(());
    }
    let Some(first) = seeds.first_mut().filter(|_| shared.leaves.has_priors()) else {
        return Ok(());
    };
    shared.prepare_priors(&mut first.rng, &mut first.workspace)?;
    shared.draw_noise();
    Ok(())
}

/// Imports a background prover's result into the tree after all workers have ended. This may answer
/// the question.
fn learn<G: Game, L>(
    shared: &mut SharedSearch<G, L>,
    proven: Proven<G::Move>,
) -> Result<(), SearchError> {
    catch_panic(|| shared.learn(proven))??;
    if shared.is_solved() {
        shared.control.stop(StopReason::Solved);
    }
    if shared.tree.has_contradiction() {
        shared.control.stop(StopReason::Stopped);
    }
    Ok(())
}

/// Decides, after all workers have ended, whether they continue; if so, makes room for them.
pub(crate) fn goes_on<G: Game, L: LeafEvaluation<G>>(
    shared: &mut SharedSearch<G, L>,
    seeds: &mut [WorkerSeed],
) -> bool {
    let Some(size) = shared.control.paused() else { return false };
    for seed in &mut *seeds {
        shared.tree.arena.give_back(&mut seed.slab);
    }
    let room = match size {
        0 => !shared.control.frozen(),
        _ => {
            shared.prunes += 1;
            shared.tree.make_room(size as u32)
        }
    };
    let callers = shared.leaves.batches().map_or(0, |batches| batches.batching.calls);
    shared.control.resume(seeds.len() + callers, room);
    true
}

/// Runs the workers until they end. Returns their states, the result of the background prover, and
/// the first error.
fn run_workers<G: Game, L: LeafEvaluation<G>>(
    shared: &SharedSearch<G, L>,
    seeds: Vec<WorkerSeed>,
    limits: Limits,
    cancel: Option<&CancelToken>,
) -> (Vec<WorkerSeed>, Option<Proven<G::Move>>, Option<SearchError>) {
    let workers = seeds.len();
    let batches = shared.leaves.batches();
    let callers = batches.map_or(0, |batches| batches.batching.calls);
    if let Some(batches) = batches {
        batches.queue.begin(workers);
    }
    assert!(shared.tree.writers().admit(workers), "a tree for one thread has one worker");
    // If a thread cannot be started, its worker's state remains; if a worker fails, its state is
    // lost.
    let seeds: Vec<_> = seeds.into_iter().map(|seed| Mutex::new(Some(seed))).collect();
    // At most one worker runs a background prover.
    let proven = Mutex::new(None);
    let share = |number: usize| {
        if !L::PLAYS_OUT
            && let Some(batches) = batches.filter(|_| number >= workers)
        {
            return batches.serve(shared);
        }
        let Some(WorkerSeed { rng, slab, workspace, cpu_left }) = seeds[number].lock().take()
        else {
            unreachable!("each seed is for one thread");
        };
        let clock = cpu_left.map(|left| (ThreadClock::now(), left));
        let worker = Worker::new(shared, number as u32, rng, slab, workspace, limits, clock);
        let end = worker.run()?;
        if end.proven.is_some() {
            *proven.lock() = end.proven;
        }
        let WorkerEnd { slab, rng, workspace, .. } = end;
        let cpu_left = clock.map(|(clock, left)| left.saturating_sub(clock.elapsed()));
        *seeds[number].lock() = Some(WorkerSeed { rng, slab, workspace, cpu_left });
        Ok(())
    };
    let stack = shared.config.stack as usize;
    let error =
        run_team(workers + callers, stack, &shared.control, limits.deadline, cancel, &share);
    (seeds.into_iter().filter_map(Mutex::into_inner).collect(), proven.into_inner(), error)
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::game::Turn;
    use crate::playout::{RandomRollout, Rollouts, UniformRandom};
    use crate::search::Search;
    use crate::search::prepare::prepare;
    use crate::settings::{Budget, Config, StopReason};
    use crate::sync::Instant;
    use crate::threads::{UNTIL_REFUSED, WITHOUT_THREADS, WhenFull};

    /// A game that lasts twenty moves, with three moves in each position, and ends in a draw.
    #[derive(Clone)]
    struct Long;

    impl Game for Long {
        type State = u32;
        type Move = u8;

        fn initial_state(&self) -> u32 {
            0
        }
        fn turn(&self, &ply: &u32) -> Turn {
            if ply < 20 { Turn::Player(ply as usize % 2) } else { Turn::Over }
        }
        fn legal_moves(&self, _ply: &u32, moves: &mut Vec<u8>) {
            moves.extend(0..3);
        }
        fn play(&self, ply: &mut u32, _mv: u8) {
            *ply += 1;
        }
        fn payoff(&self, _ply: &u32, _player: usize) -> i32 {
            0
        }
    }

    /// Checks that a worker's memory is not lost if its thread cannot be started.
    #[test]
    fn a_worker_that_cannot_be_started_leaves_its_memory() {
        const THREADS: usize = 3;
        for refused in 0..THREADS as u32 {
            let config = Config::default().threads(THREADS).memory(16 << 20);
            let playout = Rollouts(RandomRollout::new(UniformRandom, 100));
            let shared = RwLock::new(prepare(Long, 0, config, playout).unwrap());
            let mut seeds: Vec<_> =
                Rng::for_workers(0).take(THREADS).map(WorkerSeed::new).collect();
            for until_refused in [u32::MAX, refused, u32::MAX] {
                shared.read().control.reset(THREADS, Some(500), WhenFull::Prune);
                let limits = Limits {
                    started: Instant::now(),
                    deadline: None,
                    playouts: Some(500),
                    visits_before: 0,
                };
                UNTIL_REFUSED.set(until_refused);
                let (back, error) = coordinate(&shared, seeds, limits, None);
                assert_eq!(error.is_some(), until_refused != u32::MAX, "{error:?}");
                assert_eq!(back.len(), THREADS);
                seeds = back;
            }
            let shared = shared.read();
            seeds.iter_mut().for_each(|seed| shared.tree.arena.give_back(&mut seed.slab));
            shared.tree.audit(&*shared.game, &shared.root).unwrap();
        }
    }

    /// Checks that the memory of all workers is not lost if the coordinator cannot be started.
    #[test]
    fn a_search_that_cannot_be_started_can_be_started_again() {
        let config = Config::default().threads(2).memory(16 << 20).audit(true);
        let mut search = Search::new(Long, 0, config).unwrap();
        let budget = Budget::default().playouts(500);
        search.search(&budget).unwrap();
        UNTIL_REFUSED.set(0);
        assert!(matches!(search.start(&budget), Err(SearchError::Threads(_))));
        let audit = search.audit().unwrap();
        assert_eq!((audit.visits, audit.nodes), (500, search.snapshot().nodes));
        assert_eq!(search.search(&budget).unwrap().total_playouts, 1000);
        search.audit().unwrap();
    }

    /// Checks that, without threads, a search has ended when `start` returns, and grows the same
    /// tree as with threads.
    #[test]
    fn a_search_without_threads_runs_where_it_is_started() {
        let config = Config::default().threads(1).memory(16 << 20).audit(true);
        let reports = [false, true].map(|without| {
            WITHOUT_THREADS.set(without);
            let mut search = Search::new(Long, 0, config.clone()).unwrap();
            let (ended, hears) = std::sync::mpsc::channel();
            for playouts in [1, 300, 200] {
                search.start(&Budget::default().playouts(playouts)).unwrap();
                assert!(!without || !search.is_running());
                let ended = ended.clone();
                search.on_end(move || ended.send(()).unwrap());
                assert_eq!(search.wait().unwrap().playouts, playouts);
                hears.recv().unwrap();
            }
            let report = search.snapshot();
            let cancelled = CancelToken::new();
            cancelled.cancel();
            let nothing = search.search(&Budget::default().cancel(&cancelled)).unwrap();
            assert_eq!(nothing.stop_reason, Some(StopReason::Cancelled));
            search.audit().unwrap();
            (report.total_playouts, report.moves)
        });
        WITHOUT_THREADS.set(false);
        assert_eq!(reports[0].0, 501);
        let [with, without] = reports.map(|report| format!("{report:?}"));
        assert_eq!(with, without);
    }
}
