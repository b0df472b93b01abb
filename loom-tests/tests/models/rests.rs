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

use loom::thread;
use loom_tests::{Model, fails, holds};
use proofwood::model::ModelSearch;
use proofwood::sync::Fault;
use proofwood::{Config, Context, Evaluator, Game, NoValue, Turn};
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

/// Values nothing.
struct Even;

impl Evaluator<Throw> for Even {
    fn evaluate(
        &self,
        _: &mut Place,
        _: &mut Context<'_, Throw>,
        _: &mut [f32],
    ) -> Result<(), NoValue> {
        Ok(())
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
        let search = ModelSearch::new(Throw, Place::Start, config, Even, 16, 1);
        let search = search.expect("the root fits");
        search.work(1).expect("sound rules");
        search.again(1, 4, false);
        let search = Arc::new(search);
        let other = {
            let search = Arc::clone(&search);
            thread::spawn(move || search.work(2))
        };
        search.work(3).expect("sound rules");
        other.join().unwrap().expect("sound rules");
        if let Err(what) = search.audit() {
            panic!("the audit fails: {what}");
        }
        assert_eq!(search.visits(), 5);
        assert!(search.nodes() <= WITH_REST, "{} nodes for three moves", search.nodes());
        RESTED.fetch_or(search.nodes() == WITH_REST, Ordering::Relaxed);
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
