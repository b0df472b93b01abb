//! Tests that every thread that calls rules or evaluators has a large stack if one is set
//! ([`Config::stack`]).

use proofwood::{Algorithm, Budget, Config, Game, ProofSearch, ProverConfig, Search, Turn};
use proofwood_testkit::sticks::SticksOrForfeit;
use proofwood_testkit::toy::{Does, toy};
use std::ops::RangeInclusive;
use std::process::Command;
use std::{env, hint, thread};

/// The configured size of the stack, and how much of it a call uses.
const STACK: u64 = 64 << 20;
const DEEP: usize = 4 << 10;

#[inline(never)]
fn deep(kib: usize) -> u64 {
    let mut block = [kib as u8; 1024];
    hint::black_box(&mut block);
    let below = if kib > 0 { deep(kib - 1) } else { 0 };
    below + u64::from(block[kib % 1024])
}

struct Deep(SticksOrForfeit);

impl Game for Deep {
    type State = <SticksOrForfeit as Game>::State;
    type Move = u32;

    fn initial_state(&self) -> Self::State {
        self.0.initial_state()
    }
    fn turn(&self, state: &Self::State) -> Turn {
        self.0.turn(state)
    }
    fn legal_moves(&self, state: &Self::State, moves: &mut Vec<u32>) {
        hint::black_box(deep(DEEP));
        self.0.legal_moves(state, moves);
    }
    fn play(&self, state: &mut Self::State, taken: u32) {
        self.0.play(state, taken);
    }
    fn payoff(&self, state: &Self::State, player: usize) -> i32 {
        self.0.payoff(state, player)
    }
    fn payoff_range(&self, player: usize) -> RangeInclusive<i32> {
        self.0.payoff_range(player)
    }
    fn zero_sum(&self) -> bool {
        true
    }
    fn key(&self, state: &Self::State) -> Option<u64> {
        self.0.key(state)
    }
}

/// Runs one case in a separate process, since too small a stack aborts the process.
fn run(case: &str) {
    let budget = Budget::default().playouts(100);
    let config = Config::default().threads(2).memory(4 << 20).stack(STACK).look_ahead(false);
    let (game, root) = toy(Deep(SticksOrForfeit(12)));
    match case {
        "prover beside" => {
            let config = config.threads(1).prover_share(0.9);
            Search::new(game, root, config).expect("it fits").search(&budget).map(drop)
        }
        "priors" => {
            let (game, root) = toy(SticksOrForfeit(12));
            let evaluator = Does::nothing().with_priors(|_, _, priors| {
                hint::black_box(deep(DEEP));
                priors.fill(1.0);
            });
            let search = Search::with_evaluator(game, root, config, evaluator);
            search.expect("it fits").search(&budget).map(drop)
        }
        "repeatable" => {
            let search = Search::repeatable(game, root, config, 8);
            search.expect("it fits").search(&budget).map(drop)
        }
        "prover" => {
            let config = ProverConfig::default().algorithm(Algorithm::Pns).stack(STACK);
            let mut search = ProofSearch::new(game, root, config).expect("it fits");
            search.start(&Budget::default()).and_then(|()| search.wait().map(drop))
        }
        other => panic!("no case {other}"),
    }
    .expect("sound rules");
}

#[test]
fn rules_and_evaluators_have_the_stack_that_they_need() {
    const CASE: &str = "PROOFWOOD_TEST_STACK";
    if let Ok(case) = env::var(CASE) {
        // The caller's own thread needs a large stack, too.
        let caller = thread::Builder::new().stack_size(STACK as usize);
        return caller.spawn(move || run(&case)).expect("a thread").join().expect("it ends");
    }
    let program = env::current_exe().expect("a path");
    for case in ["prover beside", "priors", "repeatable", "prover"] {
        let name = "stack::rules_and_evaluators_have_the_stack_that_they_need";
        let mut command = Command::new(&program);
        let ran = command.args(["--exact", name]).env(CASE, case).output().expect("it starts");
        let text = String::from_utf8_lossy(&ran.stderr);
        assert!(ran.status.success(), "{case}: {} {}", ran.status, text.trim());
    }
}
