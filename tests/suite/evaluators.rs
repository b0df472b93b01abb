//! Tests of evaluators that fail, return invalid values, give up, hold memory or recurse deeply:
//! each leads to an error with the cause, and to a sound tree.

use proofwood::error::EvaluatorError;
use proofwood::evaluate::{Context, DefaultRollout, Evaluator, LeafEvaluation, NoValue, Rollout};
use proofwood::{
    Budget, CancelToken, Config, Game, ProverConfig, Search, SearchError, StopReason, Turn, prove,
};
use proofwood_games::ConnectFour;
use proofwood_testkit::guesses::Guesses;
use proofwood_testkit::toy::{Does, Toy, toy};
use std::fmt;
use std::hint::black_box;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Two players add 1 or 2 in turn for `plies` plies; player 0 wins with an odd sum.
#[derive(Clone, Copy)]
struct Sums {
    plies: u32,
    zero_sum: bool,
}

const SUMS: Sums = Sums { plies: 40, zero_sum: true };

impl Game for Sums {
    type State = (u32, u32);
    type Move = u32;

    fn initial_state(&self) -> (u32, u32) {
        (0, 0)
    }
    fn turn(&self, &(ply, _): &(u32, u32)) -> Turn {
        if ply == self.plies { Turn::Over } else { Turn::Player(ply as usize % 2) }
    }
    fn legal_moves(&self, _: &(u32, u32), moves: &mut Vec<u32>) {
        moves.extend([1, 2]);
    }
    fn play(&self, state: &mut (u32, u32), mv: u32) {
        *state = (state.0 + 1, state.1 + mv);
    }
    fn payoff(&self, &(_, sum): &(u32, u32), player: usize) -> i32 {
        if (sum % 2 == 1) == (player == 0) { 1 } else { -1 }
    }
    fn payoff_range(&self, _: usize) -> RangeInclusive<i32> {
        -1..=1
    }
    fn zero_sum(&self) -> bool {
        self.zero_sum
    }
}

/// An evaluator that evaluates everything as 0 for `good` evaluations, and then calls `then`.
fn bad<F>(good: u64, then: F) -> Does
where
    F: Fn(&mut Context<'_, Toy>, &mut [f32]) -> Result<(), NoValue> + Send + Sync + 'static,
{
    let left = AtomicU64::new(good);
    Does::new(move |_, context, values| {
        values.fill(0.0);
        if left.fetch_sub(1, Ordering::Relaxed) == 0 {
            return then(context, values);
        }
        Ok(())
    })
}

/// Searches twice; in the first search the evaluation after `good` others fails. Returns the first
/// search's error, after which the tree must be sound and the second search succeed.
fn error_of<F>(game: Sums, threads: usize, good: u64, then: F) -> SearchError
where
    F: Fn(&mut Context<'_, Toy>, &mut [f32]) -> Result<(), NoValue> + Send + Sync + 'static,
{
    let config = Config::default().threads(threads).memory(16 << 20).audit(true);
    let (game, root) = toy(game);
    let mut search = Search::with_evaluator(game, root, config, bad(good, then)).expect("it fits");
    let budget = Budget::default().playouts(500);
    let error = search.search(&budget).expect_err("it goes wrong");
    search.audit().unwrap_or_else(|wrong| panic!("after '{error}': {wrong}"));
    let before = search.snapshot().total_playouts;
    let report = search.search(&budget).expect("it goes wrong once");
    assert_eq!(report.total_playouts, before + 500);
    search.audit().unwrap_or_else(|wrong| panic!("again after '{error}': {wrong}"));
    error
}

#[derive(Debug, PartialEq)]
struct DeviceLost(u32);

impl fmt::Display for DeviceLost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "device {} is lost", self.0)
    }
}

impl std::error::Error for DeviceLost {}

#[test]
fn an_error_reaches_the_caller() {
    for threads in [1, 4] {
        for good in [0, 1, 100] {
            let error = error_of(SUMS, threads, good, |_, _| {
                Err(DeviceLost(3))?;
                Ok(())
            });
            assert_eq!(error.to_string(), "the evaluator failed: device 3 is lost");
            let SearchError::Evaluator(EvaluatorError::Failed(own)) = &error else {
                panic!("{error:?}");
            };
            assert_eq!(own.downcast_ref(), Some(&DeviceLost(3)));
            assert_eq!(error.clone(), error);
        }
    }
}

#[test]
fn values_out_of_range_are_errors() {
    let wrong = [f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 1e30, -1e6, 1.5, -1.0001];
    for threads in [1, 4] {
        for value in wrong {
            for player in [0, 1] {
                let error = error_of(SUMS, threads, 20, move |_, values| {
                    values[player] = value;
                    Ok(())
                });
                let message = format!(
                    "the evaluator returns the value {value} for player {player}; it should be \
                     from -1 to 1"
                );
                assert_eq!(error.to_string(), message);
            }
        }
    }
}

#[test]
fn values_of_a_zero_sum_game_are_opposites() {
    for pair in [[0.9, 0.8], [-1.0, -1.0], [0.5, 0.0]] {
        let both = move |_: &mut Context<'_, Toy>, values: &mut [f32]| {
            values.copy_from_slice(&pair);
            Ok(())
        };
        let error = error_of(SUMS, 1, 20, both);
        let SearchError::Evaluator(EvaluatorError::ZeroSum(a, b)) = error else {
            panic!("{error}");
        };
        assert_eq!([a, b], pair);
        // Without zero sum both players may win.
        let (game, root) = toy(Sums { zero_sum: false, ..SUMS });
        let config = Config::default().threads(1).memory(16 << 20);
        let mut search =
            Search::with_evaluator(game, root, config, bad(20, both)).expect("it fits");
        search.search(&Budget::default().playouts(100)).expect("an answer");
    }
    // Rounding errors are accepted.
    let config = Config::default().threads(1).memory(16 << 20);
    let then = |_: &mut Context<'_, Toy>, values: &mut [f32]| {
        values.copy_from_slice(&[0.7, -0.698]);
        Ok(())
    };
    let (game, root) = toy(SUMS);
    let mut search = Search::with_evaluator(game, root, config, bad(20, then)).expect("it fits");
    search.search(&Budget::default().playouts(100)).expect("an answer");
}

/// An evaluator that never has a value; with `waits` it returns only when the search stops.
fn gives_up(waits: bool) -> Does {
    Does::new(move |_, context, _| {
        while waits && !context.stopped() {
            std::thread::yield_now();
        }
        Err(NoValue::Stopped)
    })
}

#[test]
fn giving_up_ends_a_search_that_goes_on_and_none_that_is_to_stop() {
    for threads in [1, 4] {
        let config = Config::default().threads(threads).memory(16 << 20).audit(true);
        let (game, root) = toy(SUMS);
        let mut search =
            Search::with_evaluator(game.clone(), root.clone(), config.clone(), gives_up(false))
                .expect("it fits");
        for budget in [Budget::default().playouts(100), Budget::default()] {
            let error = search.search(&budget).expect_err("no value");
            assert_eq!(error, SearchError::Evaluator(EvaluatorError::GaveUp));
        }
        search.audit().expect("a sound tree");

        let mut search =
            Search::with_evaluator(game, root, config, gives_up(true)).expect("it fits");
        let cancel = CancelToken::new();
        cancel.cancel();
        let report = search.search(&Budget::default().cancel(&cancel)).expect("an answer");
        assert_eq!((report.stop_reason, report.playouts), (Some(StopReason::Cancelled), 0));
        search.audit().expect("a sound tree");
    }
}

/// An evaluator that counts the per-thread memories that it creates.
fn keeps(made: &Arc<AtomicU64>) -> Does {
    let made = Arc::clone(made);
    Does::new(move |_, context, values| {
        let planes = context.workspace.get_or_insert_with(|| {
            made.fetch_add(1, Ordering::Relaxed);
            vec![0u64; 8]
        });
        planes[0] += 1;
        let before = planes[0];
        let calls = context.workspace.get_or_insert_with(|| 0u64);
        *calls += 1;
        assert_eq!(*calls, before, "two values of one thread");
        values.fill(0.0);
        Ok(())
    })
}

#[test]
fn a_thread_keeps_what_it_has_made() {
    for threads in [1, 4] {
        let made = Arc::new(AtomicU64::new(0));
        let config = Config::default().threads(threads).memory(16 << 20);
        let (game, root) = toy(SUMS);
        let mut search = Search::with_evaluator(game, root, config, keeps(&made)).expect("it fits");
        for _ in 0..5 {
            search.search(&Budget::default().playouts(1000)).expect("an answer");
        }
        let made = made.load(Ordering::Relaxed);
        assert!((1..=threads as u64).contains(&made), "{made} for {threads} threads");
    }
}

fn descend(left: u32) -> u32 {
    let frame = black_box([left; 256]);
    if left == 0 { 0 } else { descend(left - 1) + black_box(frame)[left as usize % 256] - left + 1 }
}

/// An evaluator that recurses `calls` times, with a kilobyte on the stack for each.
fn deep(calls: u32) -> Does {
    Does::new(move |_, _, values| {
        assert_eq!(descend(calls), calls);
        values.fill(0.0);
        Ok(())
    })
}

#[test]
fn the_stack_is_as_large_as_was_asked_for() {
    // The evaluator needs at least 16 MiB of stack, but threads have 2 MiB by default.
    let config = Config::default().threads(2).memory(16 << 20).stack(64 << 20);
    let (game, root) = toy(SUMS);
    let mut search = Search::with_evaluator(game.clone(), root.clone(), config, deep(16 << 10))
        .expect("it fits");
    search.search(&Budget::default().playouts(10)).expect("an answer");

    // No address space is large enough for this stack.
    let config = Config::default().threads(2).memory(16 << 20).stack(1 << 62);
    let mut search = Search::new(game.clone(), root.clone(), config).expect("it fits");
    let error = search.search(&Budget::default().playouts(10)).expect_err("no such stack");
    assert!(matches!(error, SearchError::Threads(_)), "{error}");
    search.audit().expect("a sound tree");
    let config = ProverConfig::default().threads(2).table(1 << 16).stack(1 << 62);
    let error = prove(game, root, config, &Budget::default()).expect_err("no such stack");
    assert!(matches!(error, SearchError::Threads(_)), "{error}");
    assert!(Config::default().stack(1 << 10).check().is_err());
    assert!(ProverConfig::default().stack(1 << 10).check().is_err());
}

/// The visits and priors of Connect Four's moves, and the number of nodes.
fn grown<L>(
    make: impl Fn(ConnectFour, Config) -> Result<Search<ConnectFour, L>, SearchError>,
) -> String
where
    L: LeafEvaluation<ConnectFour>,
{
    let config = Config::default().threads(1).memory(16 << 20).audit(true);
    let mut search = make(ConnectFour::default(), config).expect("it fits");
    let report = search.search(&Budget::default().playouts(700)).expect("an answer");
    search.audit().unwrap_or_else(|wrong| panic!("{wrong}"));
    let moves: Vec<_> = report.moves.iter().map(|mv| (mv.visits, mv.mean, mv.prior)).collect();
    format!("{} {moves:?}", report.nodes)
}

/// A search with a boxed evaluator or rollout gives the same results as a search with the unboxed
/// type.
#[test]
fn a_pointer_loses_nothing() {
    let guesses = Guesses { seed: 3 };
    let evaluated = |evaluator: Box<dyn Evaluator<ConnectFour>>| {
        let evaluator = Arc::new(evaluator);
        grown(|game, config| {
            let start = game.initial_state();
            Search::with_evaluator(game, start, config, Arc::clone(&evaluator))
        })
    };
    let plain = grown(|game, config| {
        let start = game.initial_state();
        Search::with_evaluator(game, start, config, guesses)
    });
    assert_eq!(evaluated(Box::new(guesses)), plain);
    let plain = grown(|game, config| {
        let start = game.initial_state();
        Search::new(game, start, config)
    });
    let rollouts: Arc<dyn Rollout<ConnectFour>> = Arc::new(DefaultRollout::of(&Config::default()));
    let shared = grown(|game, config| {
        let start = game.initial_state();
        Search::with_rollouts(game, start, config, Arc::clone(&rollouts))
    });
    assert_eq!(shared, plain);
}
