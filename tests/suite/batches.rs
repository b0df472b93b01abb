//! Leaves that are valued many at a time.

use proofwood::{
    BatchContext, BatchEvaluator, Batching, Budget, CancelToken, Config, EvaluatorError, Game,
    Leaf, NoValue, Report, Search, SearchError, StopReason, Value,
};
use proofwood_games::{ConnectFour, Mnk};
use proofwood_testkit::guesses::Guesses;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What was asked of an evaluator.
#[derive(Debug, Default)]
struct Asked {
    calls: AtomicUsize,
    largest: AtomicUsize,
    leaves: Mutex<HashMap<u64, usize>>,
}

/// Guesses that count.
struct Counting {
    asked: Arc<Asked>,
}

impl<G: Game<State: std::hash::Hash>> BatchEvaluator<G> for Counting {
    fn evaluate_batch(
        &self,
        leaves: &mut [Leaf<G>],
        context: &mut BatchContext<'_, G>,
    ) -> Result<(), NoValue> {
        self.asked.calls.fetch_add(1, Ordering::Relaxed);
        self.asked.largest.fetch_max(leaves.len(), Ordering::Relaxed);
        let mut asked = self.asked.leaves.lock().expect("no test has failed");
        for leaf in &*leaves {
            *asked.entry(context.game.hash(leaf.state()).unwrap_or(0)).or_default() += 1;
        }
        BatchEvaluator::evaluate_batch(&Guesses { seed: 1 }, leaves, context)
    }
}

fn search(config: Config, batching: Batching) -> (Report<ConnectFour>, Arc<Asked>) {
    let asked = Arc::new(Asked::default());
    let counting = Counting { asked: Arc::clone(&asked) };
    let game = ConnectFour::default();
    let start = game.initial_state();
    let config = config.audit(true).memory(64 << 20);
    let mut search =
        Search::with_batches(game, start, config, counting, batching).expect("it fits");
    let report = search.search(&Budget::default().playouts(3000)).expect("an answer");
    assert_eq!(report.playouts, 3000);
    search.audit().unwrap_or_else(|wrong| panic!("{wrong}"));
    (report, asked)
}

#[test]
fn batches_are_full_and_no_larger_than_asked_for() {
    for threads in [1, 2, 8] {
        for (size, calls) in [(1, 0), (16, 0), (16, 1), (32, 3)] {
            let batching = Batching::default().size(size).calls(calls).cache(0);
            let (_, asked) = search(Config::default().threads(threads), batching);
            let leaves: usize = asked.leaves.lock().unwrap().values().sum();
            let calls_made = asked.calls.load(Ordering::Relaxed);
            assert!(asked.largest.load(Ordering::Relaxed) <= size);
            // How full they are hangs on the system's scheduler where there are threads.
            let least = if threads == 1 && calls == 0 { size / 2 } else { 1 };
            assert!(leaves >= least * calls_made, "{leaves} leaves in {calls_made} calls");
        }
    }
}

#[test]
fn a_position_is_asked_for_once() {
    for threads in [1, 2, 8] {
        for calls in [0, 1, 2] {
            let batching = Batching::default().size(16).calls(calls);
            let (_, asked) = search(Config::default().threads(threads), batching);
            let asked = asked.leaves.lock().unwrap();
            // The root is asked for beforehand.
            let again = asked.values().filter(|&&times| times > 1).count();
            assert_eq!(again, 0, "of {}", asked.len());
            assert!(asked.len() > 500);
        }
    }
    let (_, asked) = search(Config::default().threads(1), Batching::default().calls(0).cache(0));
    let asked = asked.leaves.lock().unwrap();
    assert!(asked.values().any(|&times| times > 1), "nothing is remembered");
}

#[test]
fn one_thread_that_calls_itself_grows_the_same_tree() {
    let figures = || {
        let (report, asked) = search(Config::default().threads(1), Batching::default().calls(0));
        (format!("{:?}", report.moves), report.nodes, asked.calls.load(Ordering::Relaxed))
    };
    assert_eq!(figures(), figures());
}

#[test]
fn a_game_is_proven_with_batches() {
    for threads in [1, 4] {
        for calls in [0, 1] {
            let game = Mnk::new(3, 3, 3, 2).expect("a board");
            let start = game.initial_state();
            let config = Config::proving().threads(threads).audit(true).memory(64 << 20);
            let batching = Batching::default().size(8).calls(calls);
            let guesses = Guesses { seed: 3 };
            let mut search =
                Search::with_batches(game, start, config, guesses, batching).expect("it fits");
            let report = search.search(&Budget::default()).expect("an answer");
            assert_eq!(report.value, Value::Draw);
            search.audit().unwrap_or_else(|wrong| panic!("{wrong}"));
        }
    }
}

/// Does something else than valuing leaves after some calls.
struct Bad<F> {
    good: AtomicU64,
    then: F,
}

impl<F> BatchEvaluator<ConnectFour> for Bad<F>
where
    F: Fn(&mut [Leaf<ConnectFour>], &BatchContext<'_, ConnectFour>) -> Result<(), NoValue>
        + Send
        + Sync
        + 'static,
{
    fn evaluate_batch(
        &self,
        leaves: &mut [Leaf<ConnectFour>],
        context: &mut BatchContext<'_, ConnectFour>,
    ) -> Result<(), NoValue> {
        if self.good.fetch_sub(1, Ordering::Relaxed) == 0 {
            return (self.then)(leaves, context);
        }
        BatchEvaluator::evaluate_batch(&Guesses { seed: 1 }, leaves, context)
    }
}

fn error_of<F>(threads: usize, calls: usize, then: F) -> SearchError
where
    F: Fn(&mut [Leaf<ConnectFour>], &BatchContext<'_, ConnectFour>) -> Result<(), NoValue>
        + Send
        + Sync
        + 'static,
{
    let game = ConnectFour::default();
    let start = game.initial_state();
    let config = Config::default().threads(threads).audit(true).memory(16 << 20);
    let (bad, batching) = (Bad { good: 20.into(), then }, Batching::default().size(8).calls(calls));
    let mut search = Search::with_batches(game, start, config, bad, batching).expect("it fits");
    let budget = Budget::default().playouts(2000);
    let error = search.search(&budget).expect_err("it goes wrong");
    search.audit().unwrap_or_else(|wrong| panic!("after '{error}': {wrong}"));
    let before = search.snapshot().total_playouts;
    let report = search.search(&budget).expect("it goes wrong once");
    assert_eq!(report.total_playouts, before + 2000);
    search.audit().unwrap_or_else(|wrong| panic!("again after '{error}': {wrong}"));
    error
}

#[test]
fn what_goes_wrong_is_said_and_the_tree_is_sound() {
    for (threads, calls) in [(1, 0), (1, 1), (4, 0), (4, 1), (4, 3)] {
        let error = error_of(threads, calls, |_, _| Err(std::fmt::Error.into()));
        assert!(matches!(error, SearchError::Evaluator(EvaluatorError::Failed(_))), "{error}");
        let error = error_of(threads, calls, |_, _| panic!("no device"));
        assert!(error.to_string().contains("no device"), "{error}");
        let error = error_of(threads, calls, |_, _| Err(NoValue::Stopped));
        assert_eq!(error, SearchError::Evaluator(EvaluatorError::GaveUp));
        let error = error_of(threads, calls, |leaves, _| {
            leaves.iter_mut().for_each(|leaf| leaf.values[0] = 2.0);
            Ok(())
        });
        assert!(matches!(error, SearchError::Evaluator(EvaluatorError::Value { .. })), "{error}");
        for wrong in [-0.5, f32::NAN, f32::INFINITY] {
            let error = error_of(threads, calls, move |leaves, _| {
                leaves.iter_mut().for_each(|leaf| leaf.priors.fill(wrong));
                Ok(())
            });
            let is_prior = matches!(error, SearchError::Evaluator(EvaluatorError::Prior { .. }));
            assert!(is_prior, "{error}");
        }
        let error = error_of(threads, calls, |leaves, _| {
            leaves.iter_mut().for_each(|leaf| leaf.priors.clear());
            Ok(())
        });
        assert!(matches!(error, SearchError::Evaluator(EvaluatorError::Prior { .. })), "{error}");
    }
}

#[test]
fn an_evaluator_that_takes_its_time_is_told_to_stop() {
    for (threads, calls) in [(1, 0), (1, 1), (4, 2)] {
        let game = ConnectFour::default();
        let start = game.initial_state();
        let config = Config::default().threads(threads).audit(true).memory(16 << 20);
        let slow = Bad {
            good: 1.into(),
            then: |_: &mut [Leaf<ConnectFour>], context: &BatchContext<'_, ConnectFour>| {
                while !context.stopped() {
                    std::thread::yield_now();
                }
                Err(NoValue::Stopped)
            },
        };
        let batching = Batching::default().size(4).calls(calls).wait(Duration::from_micros(1));
        let mut search =
            Search::with_batches(game, start, config, slow, batching).expect("it fits");
        let cancel = CancelToken::new();
        search.start(&Budget::default().cancel(&cancel)).expect("nothing runs yet");
        cancel.cancel();
        let report = search.wait().expect("an answer");
        assert_eq!(report.stop_reason, Some(StopReason::Cancelled));
        search.audit().unwrap_or_else(|wrong| panic!("{wrong}"));
    }
}
