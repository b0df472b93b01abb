//! Open loop: moves that were missing when a node was expanded are children of its rest.
//!
//! ```text
//!   thread A (its dice allow a, c)  thread B (its dice allow b, c)
//!   expands the node: a, c, rest
//!                                   finds b missing: goes to the rest
//!                                   expands the rest: b, rest
//!   finds b behind the rest
//! ```
//!
//! The scheme: a rest is a node like any other, claimed, expanded and published as in
//! closed loop, and blocks never change.

use super::check::{Model, fails, holds};
use super::whole::{audit, search, visits, work, worker};
use crate::sync::Fault;
use crate::threads::WhenFull;
use crate::{Config, Game, Turn};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A die is cast, 0 or 1; who throws may choose what it shows, or 2.
struct Throw;

#[derive(Clone, Copy)]
enum Place {
    Start,
    Thrown(u8),
    End,
}

impl Game for Throw {
    type State = Place;
    type Move = u8;

    fn initial_state(&self) -> Place {
        Place::Start
    }
    fn turn(&self, place: &Place) -> Turn {
        match place {
            Place::Start => Turn::Chance,
            Place::Thrown(_) => Turn::Player(0),
            Place::End => Turn::Over,
        }
    }
    fn has_chance(&self) -> bool {
        true
    }
    fn legal_moves(&self, place: &Place, moves: &mut Vec<u8>) {
        match *place {
            Place::Thrown(die) => moves.extend([die, 2]),
            _ => moves.extend([0, 1]),
        }
    }
    fn play(&self, place: &mut Place, mv: u8) {
        *place = match place {
            Place::Start => Place::Thrown(mv),
            _ => Place::End,
        };
    }
    fn num_players(&self) -> usize {
        1
    }
    fn payoff(&self, _: &Place, _: usize) -> i32 {
        0
    }
    fn payoff_range(&self, _: usize) -> std::ops::RangeInclusive<i32> {
        -1..=1
    }
}

/// A rest was expanded while both threads were at work.
static RESTED: AtomicBool = AtomicBool::new(false);
/// The root, two moves and a rest, one more move and another rest.
const WITH_REST: u64 = 6;

const RESTS: Model = Model {
    name: "rests, two threads with other dice",
    threads: 2,
    preemptions: Some(1),
    run: || {
        let config = Config::default().open_loop().threads(2).keep_choice(0).audit(true);
        let search = Arc::new(search(Throw, config, 16, 1));
        work(&search, 1).expect("sound rules");
        search.control.reset(1, Some(4), WhenFull::Freeze);
        let other = worker(&search, 2);
        work(&search, 3).expect("sound rules");
        other.join().unwrap().expect("sound rules");
        audit(&search);
        assert_eq!(visits(&search), 5);
        let nodes = search.tree.arena.len();
        assert!(nodes <= WITH_REST, "{nodes} nodes for three moves");
        RESTED.fetch_or(nodes == WITH_REST, Ordering::Relaxed);
    },
};

#[test]
fn two_threads_with_other_dice() {
    holds(RESTS);
    assert!(RESTED.load(Ordering::Relaxed), "no rest was expanded");
}

#[test]
fn relaxed_publication_of_a_rest() {
    fails(RESTS, Fault::RelaxedPublish, "Causality violation");
}
