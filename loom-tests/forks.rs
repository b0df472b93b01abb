//! Forks: playouts that begin below the root.
//!
//! Where the choices near the root are kept, a thread begins its next playouts further down.
//! The nodes above learn of them later, all at once. If the game panics meanwhile, they must
//! learn of those that ended, and must not count those that did not.
//!
//! ```text
//!   worker                              another worker
//!   goes down, keeps its choices: fork
//!   begins at the fork, ends
//!                                       goes down through the same nodes
//!   begins at the fork, panics
//!   tells the nodes above the fork
//! ```

use super::check::{Model, fails, holds};
use super::whole::{AUDIT, audit, search, work, worker};
use crate::sync::{FORKS, Fault};
use crate::threads::WhenFull;
use crate::{Config, Game, SearchError, Turn};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Six moves, none of which is a choice.
#[derive(Default)]
struct Way {
    /// From the third move on the rules panic. Not part of the model.
    faulty: AtomicBool,
}

impl Game for Way {
    type State = u32;
    type Move = u8;

    fn initial_state(&self) -> u32 {
        0
    }
    fn turn(&self, &steps: &u32) -> Turn {
        if steps >= 6 { Turn::Over } else { Turn::Player(steps as usize % 2) }
    }
    fn legal_moves(&self, &steps: &u32, moves: &mut Vec<u8>) {
        if steps >= 3 && self.faulty.load(Ordering::Relaxed) {
            std::panic::resume_unwind(Box::new("three steps"));
        }
        moves.push(0);
    }
    fn play(&self, steps: &mut u32, _: u8) {
        *steps += 1;
    }
    fn payoff(&self, _: &u32, player: usize) -> i32 {
        if player == 0 { 1 } else { -1 }
    }
    fn payoff_range(&self, _: usize) -> std::ops::RangeInclusive<i32> {
        -1..=1
    }
    fn zero_sum(&self) -> bool {
        true
    }
}

/// Playouts of one thread alone, and then of two.
const PLAYOUTS: u64 = 5;

const PANIC: Model = Model {
    name: "forks, a panic in a playout that begins below the root",
    threads: 2,
    preemptions: Some(1),
    run: || {
        let config = Config::default().threads(2).look_ahead(false).keep_choice(1).audit(true);
        let config = config.solver(false).score_bounds(false);
        let search = Arc::new(search(Way::default(), config, 16, PLAYOUTS));
        work(&search, 1).expect("sound rules");
        search.control.reset(2, Some(PLAYOUTS), WhenFull::Freeze);
        search.game.faulty.store(true, Ordering::Relaxed);
        let other = worker(&search, 2);
        for result in [work(&search, 3), other.join().unwrap()] {
            assert!(matches!(result, Ok(()) | Err(SearchError::Panic(_))), "{result:?}");
        }
        search.game.faulty.store(false, Ordering::Relaxed);
        audit(&search);
    },
};

#[test]
fn a_panic_in_a_playout_that_begins_below_the_root() {
    holds(PANIC);
    assert!(FORKS.load(Ordering::Relaxed) > 0, "no playout began below the root");
}

#[test]
fn lost_forks() {
    fails(PANIC, Fault::LostDeferred, AUDIT);
}
