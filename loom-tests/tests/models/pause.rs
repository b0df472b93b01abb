//! A pause: the workers end for a moment, and the coordinator has the tree for itself.
//!
//! ```text
//!   worker                          coordinator             somebody
//!   finds no room: pause
//!   ends after its playout
//!                                   sleeps until it has
//!                                                           stop
//!                                   prunes, clears the pause
//! ```
//!
//! In place of a full memory it may be a worker whose prover has found something about the
//! root: the coordinator tells the tree. The two may meet.
//!
//! The scheme: reason, workers and what wakes the coordinator change under one lock, and
//! who changes them notifies afterwards. A pause that meets a stop ends the search, at
//! once or at the worker's next look, and neither loses a playout. A pause for one reason
//! does not forget the other.

use loom::thread;
use loom_tests::{Model, fails, holds};
use proofwood::model::ModelSearch;
use proofwood::sync::Fault;
use proofwood::{Config, Context, Evaluator, Game, NoValue, Turn};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A way on without a choice, longer than the memory, which player 0 wins.
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

/// Values nothing.
struct Even;

impl Evaluator<Way> for Even {
    fn evaluate(
        &self,
        _: &mut u32,
        _: &mut Context<'_, Way>,
        _: &mut [f32],
    ) -> Result<(), NoValue> {
        Ok(())
    }
}

/// Nodes that there is room for.
const NODES: u64 = 8;

/// Runs with a stop in which the tree was pruned.
static PRUNED: AtomicU64 = AtomicU64::new(0);
/// Those in which the search was stopped before its end.
static STOPPED: AtomicU64 = AtomicU64::new(0);

/// The search, after its workers have ended.
fn resting(search: &mut Arc<ModelSearch<Way, Even>>) -> &mut ModelSearch<Way, Even> {
    Arc::get_mut(search).expect("the workers have ended")
}

/// What comes together in a run.
#[derive(Clone, Copy, Default)]
struct Meets {
    /// There is no room after the next playout.
    is_full: bool,
    /// Somebody stops the search.
    is_stopped: bool,
    /// Another worker's prover has found that player 1 does not win.
    proves: bool,
}

/// A search with one worker that plays out, and perhaps one that proves.
fn pause(Meets { is_full, is_stopped, proves }: Meets) {
    let config = Config::default().threads(2).look_ahead(false).keep_choice(0).audit(true);
    // Alone at first, until the next node is one too many.
    let room = if is_full { NODES } else { 4 * NODES };
    let search = ModelSearch::new(Way, 0, config, Even, room, NODES - 1);
    let search = search.expect("the root and its child fit");
    search.work(1).expect("sound rules");
    let before = search.visits();
    search.again(1 + usize::from(proves), PLAYOUTS, true);

    let stopper = search.stopper();
    let somebody = is_stopped.then(|| thread::spawn(move || stopper.stop()));
    let mut search = Arc::new(search);
    let mut runs = 0;
    loop {
        let started = |work: fn(&ModelSearch<Way, Even>)| {
            let search = Arc::clone(&search);
            thread::spawn(move || work(&search))
        };
        let prover = (proves && runs == 0).then(|| started(|search| search.pause_and_end()));
        let worker = started(|search| search.work_to_the_end(2).expect("sound rules"));
        search.keep_time();
        worker.join().unwrap();
        if let Some(prover) = prover {
            prover.join().unwrap();
            resting(&mut search).learn([0, 1], 0).expect("sound rules");
        }
        runs += 1;
        if !resting(&mut search).goes_on() {
            break;
        }
    }
    somebody.into_iter().for_each(|thread| thread.join().unwrap());
    assert!(runs <= 3, "it pauses for ever");
    let played = search.visits() - before;
    assert!(search.was_stopped() || played == PLAYOUTS, "{played} playouts were counted");
    assert!(is_stopped || !is_full || search.prunes() > 0, "nothing was pruned");
    assert!(!proves || search.proof_number(1).is_infinite(), "the tree was not told");
    if let Err(what) = search.audit() {
        panic!("the audit fails: {what}");
    }
    if is_stopped && is_full {
        PRUNED.fetch_add(u64::from(search.prunes() > 0), Ordering::Relaxed);
        STOPPED.fetch_add(u64::from(played < PLAYOUTS), Ordering::Relaxed);
    }
}

/// More than a worker plays between two looks at what it is to do.
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
