//! A full memory: the worker ends for a moment, and the coordinator prunes.
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
//! The scheme: reason, workers and what wakes the coordinator change under one lock, and
//! who changes them notifies afterwards. A pause that meets a stop ends the search, at
//! once or at the worker's next look, and neither loses a playout.

use loom::thread;
use loom_tests::{Model, fails, holds};
use proofwood::model::ModelSearch;
use proofwood::sync::Fault;
use proofwood::{Config, Context, Evaluator, Game, NoValue, Turn};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A way on without a choice, longer than the memory.
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
    fn num_players(&self) -> usize {
        1
    }
    fn payoff(&self, _: &u32, _: usize) -> i32 {
        1
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

/// A search whose memory is full after the next playout, with one worker; somebody may
/// stop it.
fn pause(is_stopped: bool) {
    let config = Config::default().threads(2).look_ahead(false).keep_choice(0).audit(true);
    // Alone at first, until the next node is one too many.
    let search = ModelSearch::new(Way, 0, config, Even, NODES, NODES - 1);
    let search = search.expect("the root and its child fit");
    search.work(1).expect("sound rules");
    let before = search.visits();
    search.again(PLAYOUTS, true);

    let stopper = search.stopper();
    let somebody = is_stopped.then(|| thread::spawn(move || stopper.stop()));
    let mut search = Arc::new(search);
    let mut runs = 0;
    loop {
        let worker = {
            let search = Arc::clone(&search);
            thread::spawn(move || search.work_to_the_end(2))
        };
        search.keep_time();
        worker.join().unwrap().expect("sound rules");
        runs += 1;
        let resting = Arc::get_mut(&mut search).expect("the worker has ended");
        if !resting.goes_on() {
            break;
        }
    }
    somebody.into_iter().for_each(|thread| thread.join().unwrap());
    assert!(runs <= 3, "it pauses for ever");
    let played = search.visits() - before;
    assert!(search.was_stopped() || played == PLAYOUTS, "{played} playouts were counted");
    assert!(is_stopped || search.prunes() > 0, "nothing was pruned");
    if let Err(what) = search.audit() {
        panic!("the audit fails: {what}");
    }
    if is_stopped {
        PRUNED.fetch_add(u64::from(search.prunes() > 0), Ordering::Relaxed);
        STOPPED.fetch_add(u64::from(played < PLAYOUTS), Ordering::Relaxed);
    }
}

/// More than a worker plays between two looks at what it is to do.
const PLAYOUTS: u64 = 18;

const PAUSE: Model =
    Model { name: "pause, a full memory", threads: 4, preemptions: Some(2), run: || pause(false) };

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
    run: || pause(true),
};

#[test]
fn a_stop_meets_a_full_memory() {
    holds(MEETING);
    let seen = [&PRUNED, &STOPPED].map(|count| count.load(Ordering::Relaxed));
    assert!(seen.iter().all(|&runs| runs > 0), "nothing was pruned or stopped: {seen:?}");
}
