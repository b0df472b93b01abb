//! Tests of playouts that are cut off, and of the evaluations used instead of a result.

use proofwood::error::{EvaluatorError, GameError};
use proofwood::evaluate::RolloutPolicy;
use proofwood::options::PlayoutPolicy;
use proofwood::{
    Budget, Config, DomainKnowledge, Game, Goal, Recommended, Report, Rng, Search, SearchError,
    Turn,
};
use proofwood_testkit::toy::{Position, Toy, toy};
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A game in which two players move in turn, without end. The evaluation for the first player is
/// `seems`.
#[derive(Clone, Debug, Default)]
struct Endless {
    seems: Option<f32>,
    cap: Option<u32>,
    played: Arc<AtomicU64>,
}

impl Game for Endless {
    type State = u32;
    type Move = ();

    fn initial_state(&self) -> u32 {
        0
    }
    fn turn(&self, made: &u32) -> Turn {
        Turn::Player(*made as usize % 2)
    }
    fn legal_moves(&self, _: &u32, moves: &mut Vec<()>) {
        moves.push(());
    }
    fn play(&self, made: &mut u32, (): ()) {
        *made += 1;
        self.played.fetch_add(1, Ordering::Relaxed);
    }
    fn payoff(&self, _: &u32, _player: usize) -> i32 {
        0
    }
    fn zero_sum(&self) -> bool {
        true
    }
    fn payoff_range(&self, _player: usize) -> RangeInclusive<i32> {
        -1..=1
    }
    fn knowledge(&self) -> impl DomainKnowledge<Self> {
        self
    }
}

impl DomainKnowledge<Endless> for Endless {
    fn evaluate(&self, made: &u32) -> Option<f32> {
        self.seems.map(|seems| if made.is_multiple_of(2) { seems } else { -seems })
    }
    fn recommended(&self) -> Recommended {
        Recommended::default().playout_cap(self.cap)
    }
}

fn config() -> Config {
    Config::default().threads(1).memory(64 << 20).audit(true)
}

fn searched(game: Endless, config: Config) -> Result<Report<Toy>, SearchError> {
    let (game, start) = toy(game);
    let mut search = Search::new(game, start, config)?;
    let report = search.search(&Budget::default().playouts(50))?;
    search.audit().unwrap_or_else(|wrong| panic!("{wrong}"));
    Ok(report)
}

fn mean(seems: Option<f32>, config: Config) -> Option<f64> {
    searched(Endless { seems, ..Endless::default() }, config).expect("an answer").mean
}

#[test]
fn a_playout_that_is_cut_off_is_worth_what_the_position_looks_worth() {
    for cap in [1, 2, 7] {
        assert_eq!(mean(Some(0.25), config().playout_cap(cap)), Some(0.25), "after {cap} moves");
        assert_eq!(mean(Some(-1.0), config().playout_cap(cap)), Some(-1.0), "after {cap} moves");
    }
    // The game has no evaluation.
    let capped = config().playout_cap(2);
    assert_eq!(mean(None, capped.clone()), Some(0.0));
    // Random playouts do not use the evaluation.
    let random = capped.clone().playout_policy(PlayoutPolicy::Random);
    assert_eq!(mean(Some(0.25), random), Some(0.0));
    assert_eq!(mean(Some(0.25), capped.clone().goal(Goal::Score)), Some(0.0));
    // The same holds if several leaves are evaluated at a time.
    let (game, start) = toy(Endless { seems: Some(0.25), ..Endless::default() });
    let mut search = Search::repeatable(game, start, capped, 4).expect("it fits");
    let report = search.search(&Budget::default().playouts(48)).expect("an answer");
    assert_eq!(report.mean, Some(0.25));
}

/// A policy that plays the only move, and evaluates every position as this value.
struct Says(f32);

impl RolloutPolicy<Toy> for Says {
    fn choose(&self, _: &Toy, _: &Position, _: &mut Vec<u32>, _: &mut Rng) -> Option<u32> {
        Some(0)
    }
    fn evaluate(&self, _: &Toy, at: &Position) -> Option<f32> {
        Some(if at.state::<u32>().is_multiple_of(2) { self.0 } else { -self.0 })
    }
}

#[test]
fn a_policy_of_ones_own_says_it_itself() {
    let (game, start) = toy(Endless { seems: Some(0.25), ..Endless::default() });
    let config = config().playout_cap(3);
    let mut search = Search::with_rollout_policy(game, start, config, Says(-0.5)).expect("it fits");
    let report = search.search(&Budget::default().playouts(50)).expect("an answer");
    assert_eq!(report.mean, Some(-0.5));
}

#[test]
fn a_game_says_after_how_many_moves() {
    let game = Endless { seems: Some(0.25), cap: Some(5), ..Endless::default() };
    let moves = |game: &Endless, config: Config| {
        game.played.store(0, Ordering::Relaxed);
        searched(game.clone(), config).expect("an answer");
        game.played.load(Ordering::Relaxed)
    };
    let own = moves(&game, config());
    assert_eq!(own, moves(&game, config().playout_cap(5)));
    assert!(own < moves(&game, config().playout_cap(6)));
    // If there is no recommended cap, or it does not apply, playouts have a thousand moves.
    let long = moves(&game, config().playout_cap(1000));
    assert_eq!(moves(&game, config().playout_policy(PlayoutPolicy::Random)), long);
    assert_eq!(moves(&game, config().goal(Goal::Score)), long);
    assert_eq!(moves(&Endless::default(), config()), long);
    let wrong = Endless { cap: Some(1_000_001), ..game };
    match searched(wrong, config()) {
        Err(SearchError::Game(GameError::Recommended { field, .. })) => {
            assert_eq!(field, "playout_cap");
        }
        other => panic!("{:?}", other.map(|report| report.mean)),
    }
}

#[test]
fn what_is_no_value_ends_the_search() {
    for wrong in [f32::NAN, f32::INFINITY, 1.001] {
        let game = Endless { seems: Some(wrong), cap: Some(1), ..Endless::default() };
        match searched(game, config()) {
            Err(SearchError::Evaluator(error @ EvaluatorError::Value { .. })) => {
                assert!(!error.to_string().contains('\n'));
            }
            other => panic!("{wrong}: {:?}", other.map(|report| report.mean)),
        }
    }
}
