//! Tests of the best-first provers on random trees, with memory limits of any size. Answers are
//! compared with exhaustive search, and trees with their recomputation.

use proofwood::prover::Question;
use proofwood::{
    Algorithm, Budget, Game, ProofGoal, ProofReport, ProverConfig, StopReason, Turn, Value,
    Verdict, prove,
};
use proofwood_testkit::dice::Dice;
use proofwood_testkit::oracle::Solution;
use proofwood_testkit::random_game::RandomGame;

const ENOUGH: u64 = 256 << 20;

/// Draws a configuration, with second trees of 1 to a few hundred nodes and few playouts.
fn drawn(dice: &mut Dice, threads: usize) -> ProverConfig {
    ProverConfig::default()
        .threads(threads)
        .mobility(dice.chance(50))
        .pn2_growth([dice.pick(&[0.0, 20.0, 300.0]), dice.pick(&[0.1, 30.0])])
        .playouts_per_leaf(dice.pick(&[1, 3, 10]))
        .theta(dice.pick(&[0.01, 0.001, 0.3]))
        .seed(dice.below(1000) as u64)
}

fn is_open(game: &RandomGame, question: Question) -> bool {
    let (least, most) = game.payoff_range(question.player).into_inner();
    // The negative of the least integer would overflow.
    question.at_least > least.max(-i32::MAX) && question.at_least <= most
}

/// Asks a prover one question and compares its tree with a recomputation at the end. A win means a
/// payoff of at least `at_least`.
fn ask(game: &RandomGame, question: Question, config: ProverConfig) -> ProofReport<RandomGame> {
    let Question { player, at_least } = question;
    let cut = if player == 1 && game.zero_sum() { 1 - at_least } else { at_least };
    let game = RandomGame { cuts: Some((cut, cut)), ..game.clone() };
    let root = game.initial_state();
    let config = config.goal(ProofGoal::Win).player(player).audit(true);
    let report = prove(game, root, config, &Budget::default()).expect("a sound tree");
    assert!(report.asked.iter().all(|asked| asked.question == question));
    report
}

/// Checks that the prover's best move and the legal moves of its line keep the answer.
fn check_line(game: &RandomGame, question: Question, report: &ProofReport<RandomGame>) {
    let mut state = game.initial_state();
    let proven = report.proven == Value::Win;
    let favoured = match game.turn(&state) {
        Turn::Player(mover) => (mover == question.player) == proven,
        _ => false,
    };
    let best = report.best_move;
    assert_eq!(best.is_some(), favoured, "a move where the favoured side is to move");
    for &mv in &report.pv {
        let mut legal = Vec::new();
        game.legal_moves(&state, &mut legal);
        assert!(legal.contains(&mv), "{mv:?} is not legal");
        game.play(&mut state, mv);
        let score = Solution::of(game, &state).root.scores[question.player];
        assert_eq!(score >= question.at_least, proven, "the line gives the answer away");
    }
    assert!(best.is_none() || best == report.pv.first().copied());
}

/// Asks every question about a random tree that its range of payoffs leaves open; returns the
/// number of answers.
fn check_tree(algorithm: Algorithm, seed: u64, threads: usize, bytes: u64) -> usize {
    let mut dice = Dice::new(seed);
    let game = &RandomGame::new(seed);
    let truth = Solution::of(game, &game.initial_state()).root;
    let mut answers = 0;
    for player in 0..game.num_players() {
        let score = truth.scores[player];
        for at_least in [score.saturating_sub(1), score, score.saturating_add(1)] {
            let config = drawn(&mut dice, threads).algorithm(algorithm).memory(bytes);
            let question = Question { player, at_least };
            if !is_open(game, question) {
                continue;
            }
            let what = format!("{question:?} of seed {seed} with {config:?}");
            let report = ask(game, question, config);
            if report.stop_reason == Some(StopReason::GameOver) {
                continue;
            }
            let asked = report.asked[0];
            match asked.verdict {
                Some(verdict) => {
                    assert_eq!(verdict == Verdict::Proven, score >= at_least, "{what}");
                    assert_eq!(report.proven == Value::Win, score >= at_least, "{what}");
                    check_line(game, question, &report);
                    answers += 1;
                }
                None => {
                    let reason = report.stop_reason;
                    assert!(bytes < ENOUGH, "{what}: {reason:?}");
                    assert_eq!(reason, Some(StopReason::Memory), "{what}");
                }
            }
            assert!(asked.effort.bytes <= bytes.max(100));
        }
    }
    answers
}

fn check_trees(algorithm: Algorithm) {
    let answers = |seed: u64| check_tree(algorithm, seed, [1, 2, 4, 16][seed as usize % 4], ENOUGH);
    let asked_about = (0..300).filter(|&seed| answers(seed) > 0).count();
    assert!(asked_about > 280, "questions about {asked_about} of 300 trees");
}

#[test]
fn pns_on_random_trees() {
    check_trees(Algorithm::Pns);
}

#[test]
fn pn2_on_random_trees() {
    check_trees(Algorithm::Pn2);
}

#[test]
fn mcpns_on_random_trees() {
    check_trees(Algorithm::Mcpns);
}

#[test]
fn ppns_on_random_trees() {
    check_trees(Algorithm::Ppns);
}

/// A search ends when its memory is full, and no claim is false.
#[test]
fn full_memories() {
    let answers = |bytes| (0..300).map(|seed| check_tree(Algorithm::Pns, seed, 3, bytes)).sum();
    let (few, all): (usize, usize) = (answers(4 << 10), answers(ENOUGH));
    assert!(few < all && few > 0, "{few} of {all} answered");
}

/// The second-level search of PN² pays off if there is little memory.
#[test]
fn pn2_answers_more_than_pns_in_a_small_memory() {
    const LITTLE: u64 = 2 << 10;
    let answers =
        |algorithm| -> usize { (0..300).map(|seed| check_tree(algorithm, seed, 1, LITTLE)).sum() };
    let (one, two) = (answers(Algorithm::Pns), answers(Algorithm::Pn2));
    assert!(two > one, "{two} answered with second searches, {one} without");
}

/// An estimate proves nothing, even if it is close to 0 or 1.
#[test]
fn a_tolerance_proves_nothing() {
    let (mut estimated, mut wrong) = (0, 0);
    for seed in 0..300 {
        let game = &RandomGame::new(seed);
        let at_least = Solution::of(game, &game.initial_state()).root.scores[0];
        let question = Question { player: 0, at_least };
        if !is_open(game, question) {
            continue;
        }
        let config = ProverConfig::default().algorithm(Algorithm::Ppns).threads(2);
        let config = config.playouts_per_leaf(5).precision(0.01).memory(ENOUGH);
        let report = ask(game, question, config);
        let Some(asked) = report.asked.first() else { continue };
        match asked.verdict {
            Some(verdict) => assert_eq!(verdict, Verdict::Proven),
            None => {
                assert_eq!(report.stop_reason, Some(StopReason::Estimated));
                let estimate = asked.estimate.expect("it estimates");
                assert!(!(0.011..=0.989).contains(&estimate), "ended at {estimate}");
                estimated += 1;
                wrong += usize::from(estimate < 0.5);
            }
        }
    }
    assert!(estimated > 20 && wrong > 0, "{estimated} estimates, {wrong} of them wrong");
}
