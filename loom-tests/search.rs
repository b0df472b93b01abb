//! Whole workers of a search, from the first playout to the last, in a game of three sticks.
//!
//! The stop flag may be set at any moment: by a caller, by a worker that has answered the question,
//! or after a panic of the game. It may be set between the change of a node and the announcement on
//! its parent:
//!
//! ```text
//!   worker                          another thread
//!   evaluates a node
//!                                   stop
//!   announces on the parent?
//! ```
//!
//! The rule: workers check the flag only between playouts and during long ones; the tree does not
//! read it. So a thread that has changed a node announces on the parent, and an owner completes its
//! rounds, whether or not the flag is set. The tree passes the audit whenever the search ends.

use super::check::{Model, fails, holds};
use super::whole::{AUDIT, ModelSearch, audit, work, worker};
use crate::sync::Fault;
use crate::{Config, Game, SearchError, StopReason, Turn};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A game in which players take one stick or all; the player who takes the last one wins.
#[derive(Default)]
struct Sticks {
    /// If set, the rules panic with two sticks left. Loom does not explore this standard atomic.
    faulty: AtomicBool,
}

impl Game for Sticks {
    type State = (u32, usize);
    type Move = u32;

    fn initial_state(&self) -> (u32, usize) {
        (3, 0)
    }
    fn turn(&self, &(sticks, mover): &(u32, usize)) -> Turn {
        if sticks == 0 { Turn::Over } else { Turn::Player(mover) }
    }
    fn legal_moves(&self, &(sticks, _): &(u32, usize), moves: &mut Vec<u32>) {
        if sticks == 2 && self.faulty.load(Ordering::Relaxed) {
            std::panic::resume_unwind(Box::new("two sticks"));
        }
        moves.push(1);
        if sticks > 1 {
            moves.push(sticks);
        }
    }
    fn play(&self, state: &mut (u32, usize), taken: u32) {
        *state = (state.0 - taken, 1 - state.1);
    }
    fn payoff(&self, &(_, mover): &(u32, usize), player: usize) -> i32 {
        if player == mover { -1 } else { 1 }
    }
    fn payoff_range(&self, _: usize) -> std::ops::RangeInclusive<i32> {
        -1..=1
    }
    fn zero_sum(&self) -> bool {
        true
    }
}

/// A search of two playouts.
fn search() -> Arc<ModelSearch<Sticks>> {
    let config = Config::default().threads(2).look_ahead(false).keep_choice(0).audit(true);
    Arc::new(super::whole::search(Sticks::default(), config, 16, 2))
}

const STOPPED: Model = Model {
    name: "search, stopped from outside",
    threads: 3,
    preemptions: Some(1),
    run: || {
        let search = search();
        let workers = [1, 2].map(|seed| worker(&search, seed));
        search.control.stop(StopReason::Stopped);
        for worker in workers {
            worker.join().unwrap().unwrap();
        }
        audit(&search);
    },
};

#[test]
fn stopped_from_outside() {
    holds(STOPPED);
}

#[test]
fn stopped_without_finishing() {
    fails(STOPPED, Fault::StopDropsOwnership, AUDIT);
}

/// The root's second child wins. The worker that finds this stops the other one, which may still
/// have changes to announce at the first child.
const SOLVED: Model = Model {
    name: "search, two workers settle the question",
    threads: 2,
    preemptions: Some(1),
    run: || {
        let search = search();
        let other = worker(&search, 1);
        work(&search, 2).unwrap();
        other.join().unwrap().unwrap();
        audit(&search);
    },
};

#[test]
fn two_workers_settle_the_question() {
    holds(SOLVED);
}

/// A worker must add its pending playouts to the root before it ends.
#[test]
fn lost_tally() {
    fails(SOLVED, Fault::LostHeld, AUDIT);
}

/// The rules panic in one worker, during a playout with a claim.
const PANIC: Model = Model {
    name: "search, the game panics",
    threads: 2,
    preemptions: Some(1),
    run: || {
        let search = search();
        search.game.faulty.store(true, Ordering::Relaxed);
        let other = worker(&search, 1);
        let results = [work(&search, 2), other.join().unwrap()];
        for result in results {
            assert!(matches!(result, Ok(()) | Err(SearchError::Panic(_))), "{result:?}");
        }
        // The rules work again, and the tree is consistent.
        search.game.faulty.store(false, Ordering::Relaxed);
        audit(&search);
    },
};

#[test]
fn the_game_panics() {
    holds(PANIC);
}

#[test]
fn forgotten_guards() {
    fails(PANIC, Fault::ForgottenGuard, AUDIT);
}
