//! Tests of evaluators that evaluate several leaves in one call.

use proofwood::error::EvaluatorError;
use proofwood::evaluate::{
    BatchContext, BatchEvaluator, Batching, Leaf, NoValue, RolloutPolicy, UniformRandom,
};
use proofwood::{
    Budget, CancelToken, Config, DomainKnowledge, Game, Report, Search, SearchError, StopReason,
    Value,
};
use proofwood_games::{ConnectFour, Mnk};
use proofwood_testkit::guesses::Guesses;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

#[derive(Debug, Default)]
struct Asked {
    calls: AtomicUsize,
    largest: AtomicUsize,
    leaves: Mutex<HashMap<u64, usize>>,
}

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
            *asked.entry(context.game.key(leaf.state()).unwrap_or(0)).or_default() += 1;
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

/// Several searches share one network, whose type is chosen at run time.
#[test]
fn searches_share_an_evaluator() {
    let asked = Arc::new(Asked::default());
    let counting = Counting { asked: Arc::clone(&asked) };
    let net: Arc<dyn BatchEvaluator<ConnectFour>> = Arc::new(counting);
    let playing: Arc<dyn RolloutPolicy<ConnectFour>> = Arc::new(UniformRandom);
    for number in 0..3 {
        let game = ConnectFour::default();
        let (start, config) = (game.initial_state(), Config::default().threads(1));
        let net = Arc::clone(&net);
        let mut search =
            Search::with_batches(game.clone(), start, config.clone(), net, Batching::default())
                .expect("it fits");
        let before = asked.calls.load(Ordering::Relaxed);
        let budget = Budget::default().playouts(100);
        assert_eq!(search.search(&budget).expect("an answer").playouts, 100, "{number}");
        assert!(asked.calls.load(Ordering::Relaxed) > before);
        let policy = Arc::clone(&playing);
        let mut search = Search::with_rollout_policy(game, start, config, policy).expect("it fits");
        assert_eq!(search.search(&budget).expect("an answer").playouts, 100, "{number}");
    }
}

#[test]
fn numbers_out_of_range_are_refused() {
    let wrong = [
        (Batching::default().size(0), "Batching::size: '0' should be a number from 1 to 512"),
        (Batching::default().size(513), "Batching::size: '513' should be a number from 1 to 512"),
        (Batching::default().calls(65), "Batching::calls: '65' should be a number from 0 to 64"),
    ];
    for (batching, message) in wrong {
        let game = ConnectFour::default();
        let (start, config) = (game.initial_state(), Config::default().threads(1));
        let guesses = Guesses { seed: 1 };
        let error = Search::with_batches(game, start, config, guesses, batching).err();
        assert_eq!(error.expect("it is refused").to_string(), message);
    }
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
            // With several threads the size of a batch depends on the system's scheduler.
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
            // The root is evaluated on its own, before other positions.
            let again = asked.values().filter(|&&times| times > 1).count();
            assert_eq!(again, 0, "of {}", asked.len());
            assert!(asked.len() > 500);
        }
    }
    let (_, asked) = search(Config::default().threads(1), Batching::default().calls(0).cache(0));
    let asked = asked.leaves.lock().unwrap();
    assert!(asked.values().any(|&times| times > 1), "nothing is remembered");
}

/// An evaluator with equal values for a position and its mirror image, which counts the evaluations
/// of each position.
struct Fair {
    asked: Arc<Asked>,
}

impl Fair {
    fn mark(game: &ConnectFour, state: &<ConnectFour as Game>::State) -> u64 {
        let mut images = Vec::new();
        game.knowledge().symmetries(state, &mut images);
        let hashes = images.iter().chain([state]).filter_map(|state| game.key(state));
        hashes.min().expect("it has hashes")
    }
}

impl BatchEvaluator<ConnectFour> for Fair {
    fn evaluate_batch(
        &self,
        leaves: &mut [Leaf<ConnectFour>],
        context: &mut BatchContext<'_, ConnectFour>,
    ) -> Result<(), NoValue> {
        let (game, part) = (context.game, |mark: u64| (mark >> 40) as f32 / (1u64 << 24) as f32);
        for leaf in leaves {
            let mark = Fair::mark(game, leaf.state());
            *self.asked.leaves.lock().expect("no test has failed").entry(mark).or_default() += 1;
            (leaf.values[0], leaf.values[1]) = (part(mark) - 0.5, 0.5 - part(mark));
            for number in 0..leaf.moves().len() {
                let next = game.after(leaf.state(), leaf.moves()[number]);
                leaf.priors[number] = part(Fair::mark(game, &next));
            }
        }
        Ok(())
    }
}

/// A position and its mirror image are evaluated once, and the search equals one that evaluates
/// both: each move has the prior of its mirror image.
#[test]
fn images_are_asked_for_once_and_change_nothing() {
    let search = |symmetries, threads: usize, size| {
        let asked = Arc::new(Asked::default());
        let fair = Fair { asked: Arc::clone(&asked) };
        let game = ConnectFour::default();
        let start = game.initial_state();
        let config = Config::default().threads(threads).memory(64 << 20).audit(true);
        let calls = usize::from(threads > 1);
        let batching = Batching::default().size(size).calls(calls).symmetries(symmetries);
        let mut search =
            Search::with_batches(game, start, config, fair, batching).expect("it fits");
        let report = search.search(&Budget::default().playouts(3000)).expect("an answer");
        search.audit().unwrap_or_else(|wrong| panic!("{wrong}"));
        let asked = asked.leaves.lock().unwrap().clone();
        (format!("{:?}", report.moves), asked)
    };
    let (alone, twice) = search(false, 1, 1);
    let (together, once) = search(true, 1, 1);
    assert_eq!(alone, together);
    let both = twice.values().filter(|&&times| times == 2).count();
    assert!(both > 50, "{both} positions were asked for on both sides");
    assert!(twice.values().all(|&times| times <= 2));
    assert_eq!(twice.len(), once.len());
    for (threads, size) in [(1, 1), (1, 16), (2, 16)] {
        let (_, asked) = search(true, threads, size);
        // The root is evaluated on its own, before other positions.
        assert!(asked.values().all(|&times| times == 1), "{threads} threads, {size} a batch");
    }
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
            assert_eq!(report.proven, Value::Draw);
            search.audit().unwrap_or_else(|wrong| panic!("{wrong}"));
        }
    }
}

/// An evaluator whose first `good` calls succeed; the next call runs `then` instead of evaluating
/// the leaves.
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
    error_after(20, threads, calls, then)
}

/// Returns the error of the call that follows `good` successful ones; the first call evaluates the
/// root.
fn error_after<F>(good: u64, threads: usize, calls: usize, then: F) -> SearchError
where
    F: Fn(&mut [Leaf<ConnectFour>], &BatchContext<'_, ConnectFour>) -> Result<(), NoValue>
        + Send
        + Sync
        + 'static,
{
    let game = ConnectFour::default();
    let start = game.initial_state();
    let config = Config::default().threads(threads).audit(true).memory(16 << 20);
    let (bad, batching) =
        (Bad { good: good.into(), then }, Batching::default().size(8).calls(calls));
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
    }
}

/// An evaluator must not change the length of a leaf's list of values or priors. Doing so is an
/// error for any leaf, including the root, which is evaluated on its own.
#[test]
fn a_list_of_another_length_is_an_error() {
    type Change = fn(&mut Leaf<ConnectFour>);
    let changes: [(Change, &str); 4] = [
        (|leaf| leaf.priors.clear(), "returns 0 priors for a position instead of 7"),
        (|leaf| leaf.priors.push(1.0), "returns 8 priors for a position instead of 7"),
        (|leaf| leaf.values.clear(), "returns 0 values for a position instead of 2"),
        (|leaf| leaf.values.push(0.0), "returns 3 values for a position instead of 2"),
    ];
    for (change, message) in changes {
        let then = move |leaves: &mut [Leaf<ConnectFour>],
                         _: &BatchContext<'_, ConnectFour>|
              -> Result<(), NoValue> {
            leaves.iter_mut().for_each(change);
            Ok(())
        };
        for (threads, calls) in [(1, 0), (1, 1), (4, 2)] {
            for good in [0, 20] {
                let error = error_after(good, threads, calls, then);
                assert_eq!(error.to_string(), format!("the evaluator {message}"));
            }
        }
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
