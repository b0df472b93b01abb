//! Whole workers: the threads of a search, from its first playout to its end.

use loom::thread;
use loom_tests::{Model, fails, holds};
use proofwood::model::ModelSearch;
use proofwood::sync::Fault;
use proofwood::{Config, Context, Evaluator, Game, Turn};
use std::sync::Arc;

/// Take one or two of the sticks; who takes the last one wins.
struct Sticks;

impl Game for Sticks {
    type State = (u32, usize);
    type Move = u32;

    fn initial_state(&self) -> (u32, usize) {
        (2, 0)
    }
    fn turn(&self, &(sticks, mover): &(u32, usize)) -> Turn {
        if sticks == 0 { Turn::Over } else { Turn::Player(mover) }
    }
    fn legal_moves(&self, &(sticks, _): &(u32, usize), moves: &mut Vec<u32>) {
        moves.extend(1..=sticks.min(2));
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

/// Values nothing.
struct Even;

impl Evaluator<Sticks> for Even {
    fn evaluate(&self, _: &mut (u32, usize), _: &mut Context<'_, Sticks>, _: &mut [f32]) -> bool {
        true
    }
}

fn search(position: (u32, usize), playouts: u64) -> Arc<ModelSearch<Sticks, Even>> {
    let config = Config::default().threads(2).look_ahead(false).audit(true);
    match ModelSearch::new(Sticks, position, config, Even, 16, playouts) {
        Ok(search) => Arc::new(search),
        Err(error) => panic!("{error}"),
    }
}

const STOPPED: Model = Model {
    name: "search, stopped at any moment",
    threads: 2,
    preemptions: Some(2),
    run: || {
        let search = search((2, 0), 2);
        let worker = {
            let search = Arc::clone(&search);
            thread::spawn(move || search.work(1))
        };
        search.stop();
        worker.join().unwrap().unwrap();
        search.audit().unwrap();
    },
};

#[test]
fn stopped() {
    holds(STOPPED);
}

#[test]
fn drops() {
    fails(STOPPED, Fault::StopDropsOwnership, "");
}

const TWO: Model = Model {
    name: "search, two workers",
    threads: 2,
    preemptions: Some(1),
    run: || {
        let search = search((2, 0), 2);
        let worker = {
            let search = Arc::clone(&search);
            thread::spawn(move || search.work(1))
        };
        search.work(2).unwrap();
        worker.join().unwrap().unwrap();
        search.audit().unwrap();
    },
};

#[test]
fn two() {
    holds(TWO);
}
