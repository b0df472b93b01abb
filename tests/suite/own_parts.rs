//! What a user adds: selection rules, observers.

use proofwood::{
    Bias, Budget, Config, Context, DefaultPlayout, DynEvaluator, Evaluator, EvaluatorError, Game,
    NoValue, NodeData, Observer, Passed, Report, RuleChild, RuleNode, Search, SearchError,
    SelectionRule, Value, WithObserver, WithRule,
};
use proofwood_games::{ConnectFour, Mnk};
use proofwood_testkit::check::check_claims;
use proofwood_testkit::oracle::Solution;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// So much that searches of other seeds share their playouts alike.
const C: f64 = 2.0;

/// UCT from what a rule is told.
struct Uct;

impl<G: Game> SelectionRule<G> for Uct {
    fn score(&self, node: &RuleNode, child: &RuleChild<G::Move>) -> f64 {
        let mean = child.mean.or(node.mean).unwrap_or(0.0);
        mean + C * ((node.tried.max(1) as f64).ln() / child.tried.max(1) as f64).sqrt()
    }
}

/// How many of the playouts go to each move, in the mean of some seeds.
fn shares(config: &Config, search: impl Fn(Config) -> Report<ConnectFour>) -> Vec<f64> {
    const SEEDS: u64 = 16;
    let mut shares = vec![0.0; 7];
    for seed in 0..SEEDS {
        let report = search(config.clone().seed(seed));
        let all: u64 = report.moves.iter().map(|mv| mv.visits).sum();
        for (share, mv) in shares.iter_mut().zip(&report.moves) {
            *share += mv.visits as f64 / (all * SEEDS) as f64;
        }
    }
    shares
}

/// A rule that says what UCT says grows the tree that UCT grows, but for the last digits of
/// the scores.
#[test]
fn a_rule_is_told_what_uct_reads() {
    for threads in [1, 2] {
        let game = ConnectFour::default();
        let start = game.initial_state();
        let config = Config::default().threads(threads).memory(64 << 20).c(C).bias(Bias::None);
        let config = config.c_pn(0.0).keep_choice(0);
        let budget = Budget::default().playouts(5_000);
        let uct = shares(&config, |config| {
            let search = Search::new(game.clone(), start, config);
            search.and_then(|mut search| search.search(&budget)).expect("an answer")
        });
        let own = shares(&config, |config| {
            let evaluator = WithRule::new(DefaultPlayout::of(&config), Uct);
            let mut search =
                Search::with_evaluator(game.clone(), start, config, evaluator).expect("it fits");
            let report = search.search(&budget).expect("an answer");
            search.audit().unwrap_or_else(|wrong| panic!("{wrong}"));
            report
        });
        println!("UCT {uct:.3?}, own {own:.3?}");
        for (uct, own) in uct.iter().zip(&own) {
            assert!((uct - own).abs() < 0.1, "{own} of the playouts, UCT has {uct}");
        }
    }
}

/// Prefers what looks lost, and counts how often it is asked.
struct Suicidal(AtomicU64);

impl SelectionRule<Mnk> for Suicidal {
    fn score(&self, _: &RuleNode, child: &RuleChild<<Mnk as Game>::Move>) -> f64 {
        self.0.fetch_add(1, Ordering::Relaxed);
        -child.mean.unwrap_or(0.0)
    }
}

/// However bad a rule is, what is proven is true, and is found.
#[test]
fn a_bad_rule_proves_what_is_true() {
    for threads in [1, 4] {
        let game = Mnk::new(3, 3, 3, 2).expect("a board");
        let start = game.initial_state();
        // Without a prover beside, which would find it sooner.
        let config = Config::proving().threads(threads).prover_share(0.0);
        let config = config.memory(64 << 20).audit(true);
        let rule = Arc::new(Suicidal(AtomicU64::new(0)));
        let evaluator = WithRule::new(DefaultPlayout::of(&config), Arc::clone(&rule));
        let mut search = Search::with_evaluator(game.clone(), start, config.clone(), evaluator)
            .expect("it fits");
        let report = search.search(&Budget::default()).expect("an answer");
        assert_eq!(report.value, Value::Draw);
        check_claims(&report, &config, &Solution::of(&game, &start));
        assert!(rule.0.load(Ordering::Relaxed) > 100);
    }
}

/// Prefers what was tried least.
struct Fair;

impl<G: Game> SelectionRule<G> for Fair {
    fn score(&self, _: &RuleNode, child: &RuleChild<G::Move>) -> f64 {
        -(child.tried as f64)
    }
}

/// An evaluator of a user's own that asks another one, and knows nothing of what is hidden.
struct Logged<E>(E);

impl<G: Game, E: Evaluator<G>> Evaluator<G> for Logged<E> {
    fn evaluate(
        &self,
        state: &mut G::State,
        context: &mut Context<'_, G>,
        values: &mut [f32],
    ) -> Result<(), NoValue> {
        self.0.evaluate(state, context, values)
    }
}

fn searched(evaluator: impl Evaluator<ConnectFour>) -> Result<Vec<u64>, SearchError> {
    let game = ConnectFour::default();
    let start = game.initial_state();
    let config = Config::default().threads(1).memory(16 << 20);
    let mut search = Search::with_evaluator(game, start, config, evaluator)?;
    let report = search.search(&Budget::default().playouts(700))?;
    Ok(report.moves.iter().map(|mv| mv.visits).collect())
}

/// A rule or an observer works behind an `Arc` and around what has no type, and is never lost
/// without a word.
#[test]
fn a_wrapper_loses_no_rule() {
    let playouts = || DefaultPlayout::of(&Config::default());
    let plain = searched(playouts()).expect("an answer");
    assert_eq!(searched(Arc::new(playouts())), Ok(plain.clone()));
    let fair = Ok(vec![100; 7]);
    assert_ne!(Ok(plain), fair);
    assert_eq!(searched(WithRule::new(playouts(), Fair)), fair);
    assert_eq!(searched(Arc::new(WithRule::new(playouts(), Fair))), fair);
    assert_eq!(searched(WithRule::new(Logged(playouts()), Fair)), fair);
    let dynamic = DynEvaluator::new(Logged(playouts()));
    assert_eq!(searched(WithRule::new(dynamic, Arc::new(Fair))), fair);
    let hidden = |what| Err(SearchError::Evaluator(EvaluatorError::Hidden(what)));
    assert_eq!(searched(Logged(WithRule::new(playouts(), Fair))), hidden("selection rule"));
    let observed = WithObserver::new(playouts(), Fails(u64::MAX.into()));
    assert_eq!(searched(Logged(observed)), hidden("observer"));
    let both = WithRule::new(WithObserver::new(playouts(), Fails(u64::MAX.into())), Fair);
    assert_eq!(searched(Logged(both)), hidden("selection rule"));
}

/// Fails at the playout that it is to fail at.
struct Fails(AtomicU64);

impl<G: Game> Observer<G> for Fails {
    fn backed_up(&self, _: &[Passed<G::Move>]) {
        assert!(self.0.fetch_sub(1, Ordering::Relaxed) != 0, "not this one");
    }
}

/// Who is told of every node has children made at the second visit, which a search without
/// proof numbers does without: it tries a move first. The playouts are the same.
#[test]
fn a_move_that_is_tried_before_there_are_children_changes_no_visit() {
    let game = ConnectFour::default();
    let start = game.initial_state();
    for (seed, bias) in [(1, Bias::Max), (2, Bias::None), (3, Bias::Max)] {
        let config = Config::default().threads(1).seed(seed).memory(64 << 20).bias(bias);
        // Given: a leaf does not wait longer once the tree has more nodes, which one has later.
        let config = config.expand_after(1);
        let config = if bias == Bias::None { config.c_pn(1.0) } else { config };
        let budget = Budget::default().playouts(20_000);
        let mut search = Search::new(game.clone(), start, config.clone().audit(true)).unwrap();
        let tried = search.search(&budget).expect("an answer");
        search.audit().expect("a sound tree");
        let evaluator = WithObserver::new(DefaultPlayout::of(&config), Fails(u64::MAX.into()));
        let mut search = Search::with_evaluator(game.clone(), start, config, evaluator).unwrap();
        let made = search.search(&budget).expect("an answer");
        let moves = |report: &Report<ConnectFour>| {
            let moves = report.moves.iter();
            moves.map(|mv| (mv.visits, mv.mean)).collect::<Vec<_>>()
        };
        assert_eq!(moves(&tried), moves(&made), "seed {seed}");
        // The nodes that are left out are those that nobody visits.
        assert!(tried.nodes * 4 < made.nodes * 3, "{} and {} nodes", tried.nodes, made.nodes);
    }
}

#[test]
fn an_observer_that_panics_ends_the_search_and_leaves_the_tree_sound() {
    for threads in [1, 4] {
        let game = ConnectFour::default();
        let start = game.initial_state();
        let config = Config::default().threads(threads).memory(16 << 20).audit(true);
        let playout = DefaultPlayout::of(&config);
        let evaluator = WithObserver::new(playout, Fails(AtomicU64::new(500)));
        let mut search = Search::with_evaluator(game, start, config, evaluator).expect("it fits");
        let budget = Budget::default().playouts(2000);
        let error = search.search(&budget).expect_err("it panics");
        assert!(error.to_string().contains("not this one"), "{error}");
        search.audit().unwrap_or_else(|wrong| panic!("{wrong}"));
        search.search(&budget).expect("it panics once");
        search.audit().unwrap_or_else(|wrong| panic!("{wrong}"));
    }
}

#[test]
fn data_begin_as_they_are_made() {
    let data = NodeData::new(|| 7);
    assert_eq!([0, 1023, 1024, 100_000].map(|node| *data.get(node)), [7; 4]);
}
