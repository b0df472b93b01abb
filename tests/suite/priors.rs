//! Tests of priors: the choice at the root, the move to play, and the policy target of a finished
//! search.

use proofwood::evaluate::Evaluator;
use proofwood::options::{Bias, Leaves};
use proofwood::{
    Budget, Config, DomainKnowledge, Game, Goal, Report, Search, SearchError, Turn, Value,
};
use proofwood_games::{ConnectFour, Hex, Othello};
use proofwood_testkit::guesses::Guesses;
use proofwood_testkit::toy::{Does, toy};
use std::collections::HashSet;

/// A configuration that proves nothing, so that all moves stay open.
fn config() -> Config {
    let config = Config::default().threads(1).memory(64 << 20).audit(true);
    config.solver(false).score_bounds(false).bias(Bias::None).look_ahead(false)
}

fn searched(config: Config, playouts: u64) -> Report<ConnectFour> {
    let game = ConnectFour::default();
    let start = game.initial_state();
    let mut search =
        Search::with_evaluator(game, start, config, Guesses { seed: 5 }).expect("it fits");
    let report = search.search(&Budget::default().playouts(playouts)).expect("an answer");
    search.audit().unwrap_or_else(|wrong| panic!("{wrong}"));
    report
}

fn visits(report: &Report<ConnectFour>) -> Vec<u64> {
    report.moves.iter().map(|known| known.visits).collect()
}

#[test]
fn noise_changes_the_choice_and_not_the_tree() {
    let plain = searched(config(), 2000);
    let noisy = |seed| searched(config().noise(0.5).seed(seed), 2000);
    assert_eq!(visits(&noisy(1)), visits(&noisy(1)), "the same seed");
    assert_ne!(visits(&noisy(1)), visits(&noisy(2)), "another seed");
    let priors = |report: &Report<ConnectFour>| -> Vec<Option<f64>> {
        report.moves.iter().map(|known| known.prior).collect()
    };
    assert_eq!(priors(&plain), priors(&noisy(1)), "the evaluator's own");
}

#[test]
fn the_temperature_draws_by_visits_for_some_moves() {
    let drawn = |temperature, seed| {
        searched(config().temperature(temperature).seed(seed), 300).best_move.expect("a move")
    };
    let moves = |temperature| (0..40).map(|seed| drawn(temperature, seed)).collect::<HashSet<_>>();
    assert!(moves(100.0).len() > 4, "all moves are about as likely");
    let most = searched(config(), 300);
    let most = most.moves.iter().max_by_key(|known| known.visits).expect("a move").mv;
    assert_eq!(moves(0.01), HashSet::from([most]));
    assert_eq!(moves(0.0), HashSet::from([most]));

    let game = ConnectFour::default();
    let start = game.initial_state();
    let config = config().temperature(100.0).temperature_moves(1);
    let mut search =
        Search::with_evaluator(game, start, config, Guesses { seed: 5 }).expect("it fits");
    search.advance(3).expect("a legal move");
    let report = search.search(&Budget::default().playouts(300)).expect("an answer");
    let most = report.moves.iter().max_by_key(|known| known.visits).expect("a move").mv;
    assert_eq!(report.best_move, Some(most), "the second move is not drawn");
}

/// If the move is drawn at random, a lead in visits that exceeds the run's remaining playouts does
/// not end the run.
#[test]
fn what_is_drawn_is_not_decided_by_visits() {
    let plain = config().stop_when_decided(true);
    let drawn = plain.clone().temperature(1.0);
    for (config, early) in [(plain, true), (drawn, false)] {
        let game = ConnectFour::default();
        let start = game.initial_state();
        let mut search =
            Search::with_evaluator(game, start, config, Guesses { seed: 5 }).expect("it fits");
        let report = search.search(&Budget::default().playouts(3000)).expect("an answer");
        let most = report.moves.iter().max_by_key(|known| known.visits).expect("a move").mv;
        search.advance(most).expect("a legal move");
        let report = search.search(&Budget::default().playouts(40)).expect("an answer");
        assert_eq!(report.playouts < 40, early, "{report:?}");
    }
}

#[test]
fn a_search_teaches_its_visits_and_its_values() {
    let report = searched(config(), 2000);
    let targets = report.policy_targets();
    for sum in [
        targets.iter().map(|target| target.visits).sum::<f64>(),
        targets.iter().map(|target| target.improved).sum::<f64>(),
    ] {
        assert!((sum - 1.0).abs() < 1e-9, "{sum}");
    }
    // Equation 11 of Danihelka et al. (2022), computed from the report.
    let most = report.moves.iter().map(|known| known.visits).max().unwrap_or(0) as f64;
    let logit = |number: usize| {
        let known = &report.moves[number];
        let q = (known.mean.expect("it was visited") + 1.0) / 2.0;
        known.prior.expect("it has one").ln() + (50.0 + most) * q
    };
    let was_visited = |&number: &usize| report.moves[number].visits > 0;
    for number in (1..targets.len()).filter(was_visited) {
        let right = logit(number) - logit(0);
        let ratio = (targets[number].improved / targets[0].improved).ln();
        assert!((ratio - right).abs() < 1e-6, "{number}: {ratio}, should be {right}");
    }
    let plain =
        Search::new(ConnectFour::default(), ConnectFour::default().initial_state(), config())
            .and_then(|mut search| search.search(&Budget::default().playouts(100)));
    assert!(plain.expect("an answer").policy_targets().is_empty());
}

/// A game in which the first move loses at once, and any other one leads to long random play.
struct Trap;

impl Game for Trap {
    /// The number of moves so far, and whether the first one was the trap.
    type State = (u32, bool);
    type Move = u8;

    fn initial_state(&self) -> (u32, bool) {
        (0, false)
    }
    fn turn(&self, &(ply, fell): &(u32, bool)) -> Turn {
        if fell || ply == 40 { Turn::Over } else { Turn::Player(ply as usize % 2) }
    }
    fn legal_moves(&self, _: &(u32, bool), moves: &mut Vec<u8>) {
        moves.extend(0..3);
    }
    fn play(&self, state: &mut (u32, bool), mv: u8) {
        *state = (state.0 + 1, state.0 == 0 && mv == 0);
    }
    fn payoff(&self, &(_, fell): &(u32, bool), player: usize) -> i32 {
        match (fell, player) {
            (false, _) => 0,
            (true, 0) => -1,
            (true, _) => 1,
        }
    }
    fn payoff_range(&self, _: usize) -> std::ops::RangeInclusive<i32> {
        -1..=1
    }
    fn zero_sum(&self) -> bool {
        true
    }
}

/// The policy target takes account of a proven loss even if the move has no playouts.
#[test]
fn a_move_that_is_proven_lost_teaches_that() {
    for goal in [Goal::Outcome, Goal::Score] {
        let config = Config::default().threads(1).memory(16 << 20).goal(goal);
        let guesses = Guesses { seed: 2 };
        let evaluator = Does::new(move |at, context, values| {
            let mut moves = Vec::new();
            guesses.evaluate(at.state_mut(), &mut context.with_game(&Trap, &mut moves), values)
        });
        let evaluator = evaluator.with_priors(move |at, moves, priors| {
            assert_eq!(moves, [0, 1, 2], "the moves are those of the position");
            guesses.priors(at.state::<(u32, bool)>(), priors);
        });
        let (game, root) = toy(Trap);
        let mut search = Search::with_evaluator(game, root, config, evaluator).expect("it fits");
        let report = search.search(&Budget::default().playouts(200)).expect("an answer");
        let moves = &report.moves;
        assert_eq!((moves[0].visits, moves[0].proven), (0, Value::Loss));
        assert_eq!(moves[0].worth, Some(-1.0));
        assert!(moves[1].visits > 0 && moves[1].worth.is_none());
        let most = moves.iter().map(|known| known.visits).max().unwrap_or(0) as f64;
        let logit = |number: usize, value: f64| {
            moves[number].prior.expect("it has one").ln() + (50.0 + most) * (value + 1.0) / 2.0
        };
        let right = logit(0, -1.0) - logit(1, moves[1].mean.expect("it was visited"));
        let targets = report.policy_targets();
        let ratio = (targets[0].improved / targets[1].improved).ln();
        assert!((ratio - right).abs() < 1e-6, "{ratio}, should be {right}");
    }
}

#[test]
fn an_evaluation_by_hand_sees_what_is_plain() {
    let game = ConnectFour::default();
    let read = |text: &str| game.parse_state(text).expect("a position");
    assert!(game.knowledge().evaluate(&read("1122")) > Some(0.0), "two in a row, and to move");
    let othello = Othello::default();
    let start = othello.initial_state();
    assert!(
        othello.knowledge().evaluate(&start).is_some_and(|worth| worth.abs() < 0.01),
        "the start is even"
    );
}

#[test]
fn who_knows_no_evaluation_says_so() {
    let (game, start) = toy(Hex::new(3, 3).expect("a board"));
    let error = Search::new(game, start, Config::default().leaves(Leaves::Game)).err();
    assert!(matches!(error, Some(SearchError::Config(_))), "{error:?}");
}
