//! Provers against exhaustive search: random trees and graphs, tables of any
//! size, one thread and several.

mod common;

use common::check::is_true;
use common::dice::Dice;
use common::oracle::Solution;
use common::random_game::RandomGame;
use proofwood::{
    Algorithm, Budget, Game, Outcome, ProofGoal, ProofReport, ProverConfig, StopReason, Turn,
    Value, prove,
};

/// A configuration drawn for a game: goal, threads, table, ε.
fn drawn(seed: u64) -> ProverConfig {
    let mut dice = Dice::new(seed);
    let goals = [ProofGoal::Outcome, ProofGoal::Win, ProofGoal::DrawOrBetter, ProofGoal::Score];
    let config = ProverConfig::default()
        .algorithm(dice.pick(Algorithm::ALL))
        .goal(dice.pick(&goals))
        .threads(dice.pick(&[1, 1, 2, 4]))
        // 4, 32 and 4096 entries, and more.
        .table(dice.pick(&[64, 512, 1 << 16, 1 << 20]))
        .mobility(dice.chance(30));
    match dice.below(4) {
        0 => config.epsilon(0.0),
        1 => config.epsilon(1.0),
        _ => config,
    }
}

#[test]
fn random_trees() {
    for seed in 0..3000 {
        let game = RandomGame::new(seed);
        let root = game.initial_state();
        if game.turn(&root) == Turn::Over {
            continue;
        }
        let config = drawn(seed);
        let truth = Solution::of(&game, &root).root;
        let players = game.num_players();
        for player in 0..players {
            let config = config.clone().player(player);
            let goal = config.goal;
            let what = format!("seed {seed}, player {player}, {config:?}");
            let report = prove(game.clone(), root, config, &Budget::default()).expect(&what);
            assert_eq!(report.stop_reason, Some(StopReason::Settled), "{what}");
            check(&report, goal, truth.scores[player], truth.outcomes[player], &what);
        }
    }
}

/// What the goal asks is answered, and nothing is false.
fn check<G: Game>(
    report: &ProofReport<G>,
    goal: ProofGoal,
    score: i32,
    outcome: Outcome,
    what: &str,
) {
    let value = report.value;
    assert!(is_true(value, outcome), "{what}: {value}, but it is {outcome:?}");
    let (lower, upper) = (report.bounds.lower, report.bounds.upper);
    assert!(
        lower.is_none_or(|lower| lower <= score) && upper.is_none_or(|upper| score <= upper),
        "{what}: {:?} without {score}",
        report.bounds
    );
    match goal {
        ProofGoal::Outcome => assert!(value.is_decided(), "{what}: {value}"),
        ProofGoal::Win => assert_eq!(value == Value::Win, outcome == Outcome::Win, "{what}"),
        ProofGoal::DrawOrBetter => {
            assert_eq!(value == Value::Loss, outcome == Outcome::Loss, "{what}");
        }
        _ => assert_eq!(report.bounds.exact(), Some(score), "{what}"),
    }
}
