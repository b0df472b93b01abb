//! Pauses, during which the workers end and the coordinator has exclusive access to the tree.
//!
//! ```text
//!   worker                          coordinator             caller
//!   finds no room: pause
//!   ends after its playout
//!                                   sleeps until it has
//!                                                           stop
//!                                   prunes, clears the pause
//! ```
//!
//! A pause may also have another reason than full memory: a worker's prover has found a proof about
//! the root, which the coordinator imports. Both reasons may occur at once.
//!
//! The rule: one lock protects the pause's reason and the number of workers, and a thread that
//! changes them notifies afterwards. A pause that coincides with a stop ends the search at once or
//! at the worker's next check, and no playout is lost. A pause for one reason does not discard the
//! other.

use super::check::{Model, fails, holds};
use super::whole::{ModelSearch, audit, search, visits, work};
use crate::bounds::Interval;
use crate::math::Rng;
use crate::playout::Proven;
use crate::search::{WorkerSeed, goes_on};
use crate::sync::Fault;
use crate::threads::WhenFull;
use crate::tree::ROOT;
use crate::{Config, Game, StopReason, Turn};
use loom::thread;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A game of 30 forced moves that player 0 wins. The memory does not have room for all of them.
struct Way;

impl Game for Way {
    type State = u32;
    type Move = u8;

    fn initial_state(&self) -> u32 {
        0
    }
    fn turn(&self, &steps: &u32) -> Turn {
        if steps == 30 { Turn::Over } else { Turn::Player(0) }
    }
    fn legal_moves(&self, _: &u32, moves: &mut Vec<u8>) {
        moves.push(0);
    }
    fn play(&self, steps: &mut u32, _: u8) {
        *steps += 1;
    }
    fn payoff(&self, _: &u32, player: usize) -> i32 {
        if player == 0 { 1 } else { -1 }
    }
    fn zero_sum(&self) -> bool {
        true
    }
    fn payoff_range(&self, _: usize) -> std::ops::RangeInclusive<i32> {
        -1..=1
    }
}

/// The tree's capacity in nodes.
const NODES: u64 = 8;

/// The number of runs with a stop in which the tree was pruned.
static PRUNED: AtomicU64 = AtomicU64::new(0);
/// The number of runs in which the search was stopped early.
static STOPPED: AtomicU64 = AtomicU64::new(0);

fn resting(search: &mut Arc<ModelSearch<Way>>) -> &mut ModelSearch<Way> {
    Arc::get_mut(search).expect("the workers have ended")
}

/// The events that coincide in a run.
#[derive(Clone, Copy, Default)]
struct Meets {
    /// Whether the memory is full after the next playout.
    is_full: bool,
    /// Whether another thread stops the search.
    is_stopped: bool,
    /// Whether a worker's prover finds that player 1 does not win.
    proves: bool,
}

/// Runs a search with one worker that runs playouts and, if `proves`, one that proves.
fn pause(Meets { is_full, is_stopped, proves }: Meets) {
    let config = Config::default().threads(2).look_ahead(false).keep_choice(0).audit(true);
    // One worker first fills the memory up to its last node.
    let room = if is_full { NODES } else { 4 * NODES };
    let mut search = Arc::new(search(Way, config, room, NODES - 1));
    work(&search, 1).expect("sound rules");
    let before = visits(&search);
    search.control.reset(1 + usize::from(proves), Some(PLAYOUTS), WhenFull::Prune);

    let control = Arc::clone(&search.control);
    let somebody = is_stopped.then(|| thread::spawn(move || control.stop(StopReason::Stopped)));
    let mut runs = 0;
    loop {
        let started = |work: fn(&ModelSearch<Way>)| {
            let search = Arc::clone(&search);
            thread::spawn(move || {
                work(&search);
                search.control.worker_done();
            })
        };
        // The prover has an answer: it requests a pause and ends.
        let prover = (proves && runs == 0).then(|| started(|search| search.control.pause()));
        let worker = started(|search| work(search, 2).expect("sound rules"));
        search.control.keep_time(None, None);
        worker.join().unwrap();
        if let Some(prover) = prover {
            prover.join().unwrap();
            let payoffs = Interval { lower: 0, upper: 1 };
            let learned = resting(&mut search).learn(Proven { payoffs, best: Some(0) });
            learned.expect("sound rules");
        }
        runs += 1;
        if !goes_on(resting(&mut search), &mut [WorkerSeed::new(Rng::new(0))]) {
            break;
        }
    }
    somebody.into_iter().for_each(|thread| thread.join().unwrap());
    assert!(runs <= 3, "it pauses for ever");
    let played = visits(&search) - before;
    let stopped = search.control.reason() == StopReason::Stopped;
    assert!(stopped || played == PLAYOUTS, "{played} playouts were counted");
    assert!(is_stopped || !is_full || search.prunes > 0, "nothing was pruned");
    let told = || search.tree.proof_number(ROOT, 1).is_infinite();
    assert!(!proves || told(), "the tree was not told");
    audit(&search);
    if is_stopped && is_full {
        PRUNED.fetch_add(u64::from(search.prunes > 0), Ordering::Relaxed);
        STOPPED.fetch_add(u64::from(played < PLAYOUTS), Ordering::Relaxed);
    }
}

/// The budget of playouts. It is greater than the number that a worker runs between two checks of
/// the control flags.
const PLAYOUTS: u64 = 18;

const PAUSE: Model = Model {
    name: "pause, a full memory",
    threads: 4,
    preemptions: Some(2),
    run: || pause(Meets { is_full: true, ..Meets::default() }),
};

#[test]
fn a_full_memory() {
    holds(PAUSE);
}

#[test]
fn early_wake() {
    fails(PAUSE, Fault::EarlyWake, "deadlock");
}

const MEETING: Model = Model {
    name: "pause, a stop meets a full memory",
    threads: 5,
    preemptions: Some(1),
    run: || pause(Meets { is_full: true, is_stopped: true, proves: false }),
};

#[test]
fn a_stop_meets_a_full_memory() {
    holds(MEETING);
    let seen = [&PRUNED, &STOPPED].map(|count| count.load(Ordering::Relaxed));
    assert!(seen.iter().all(|&runs| runs > 0), "nothing was pruned or stopped: {seen:?}");
}

const PROOF: Model = Model {
    name: "pause, a proof meets a full memory",
    threads: 5,
    preemptions: Some(1),
    run: || pause(Meets { is_full: true, is_stopped: false, proves: true }),
};

#[test]
fn a_proof_meets_a_full_memory() {
    holds(PROOF);
}

#[test]
fn forgotten_room() {
    fails(PROOF, Fault::ForgottenRoom, "nothing was pruned");
}

#[test]
fn early_wake_by_a_prover() {
    fails(PROOF, Fault::EarlyWake, "deadlock");
}

const STOPPED_PROOF: Model = Model {
    name: "pause, a proof meets a stop",
    threads: 5,
    preemptions: Some(1),
    run: || pause(Meets { is_full: false, is_stopped: true, proves: true }),
};

#[test]
fn a_proof_meets_a_stop() {
    holds(STOPPED_PROOF);
}
