//! Provers against exhaustive search, and their trees against recomputation.

use super::best_first::{BestFirst, Leaves};
use super::mcpns::Rated;
use super::pn2::{Growth, Searched};
use super::pns::Unknown;
use super::ppns::Likely;
use super::sampling::Sampling;
use super::{Prover, Question, Run, Verdict};
use crate::control::Control;
use crate::game::{Game, Turn};
use crate::tree::Logic;
use crate::{SearchError, StopReason};
use dice::Dice;
use graph::GraphGame;
use oracle::Solution;
use random_game::RandomGame;
use std::hash::Hash;
use std::sync::Arc;

// The games and the oracle of the integration tests.
#[path = "../../tests/common/dice.rs"]
mod dice;
#[path = "../../tests/common/graph.rs"]
mod graph;
#[allow(dead_code, reason = "every test uses its own part")]
#[path = "../../tests/common/oracle.rs"]
mod oracle;
#[allow(dead_code, reason = "every test uses its own part")]
#[path = "../../tests/common/random_game.rs"]
mod random_game;

/// Works on a question with so many threads until they return.
fn work<G: Game>(prover: &impl Prover<G>, threads: usize) -> (Result<(), SearchError>, StopReason) {
    let control = Control::new();
    control.reset(threads, None, Some(StopReason::Memory));
    let run = &Run { control: &control };
    let results: Vec<_> = std::thread::scope(|scope| {
        let handles: Vec<_> =
            (0..threads).map(|thread| scope.spawn(move || prover.work(thread, run))).collect();
        handles.into_iter().map(|handle| handle.join().expect("no panic")).collect()
    });
    (results.into_iter().collect(), control.reason())
}

const ENOUGH: u64 = 256 << 20;

/// Proves one question; the tree equals its recomputation whatever comes of it.
fn prove<G: Game, L: Leaves<G>>(
    game: &Arc<G>,
    root: &G::State,
    question: Question,
    (logic, leaves): (Logic, L),
    threads: usize,
    memory: u64,
) -> BestFirst<G, L> {
    let prover =
        BestFirst::new(Arc::clone(game), root.clone(), question, (logic, leaves), threads, memory)
            .expect("room for a root");
    let (result, reason) = work(&prover, threads);
    assert_eq!(result, Ok(()));
    let audit = prover.audit().unwrap_or_else(|wrong| panic!("{wrong}"));
    assert!(audit.nodes * 24 <= memory);
    let full = reason == StopReason::Memory;
    assert!(prover.verdict().is_some() || full, "ended with neither an answer nor a full memory");
    prover
}

/// The move that a prover shows leads to a position that keeps the answer.
fn check_move<G: Game<State: Eq + Hash>>(
    game: &G,
    root: &G::State,
    question: Question,
    best: Option<G::Move>,
    proven: bool,
) {
    let favoured = match game.turn(root) {
        Turn::Player(mover) => (mover == question.player) == proven,
        _ => false,
    };
    assert_eq!(best.is_some(), favoured, "a move where the favoured side is to move");
    if let Some(mv) = best {
        let after = Solution::of(game, &game.after(root, mv)).root.scores[question.player];
        assert_eq!(after >= question.at_least, proven, "the move {mv:?} gives it away");
    }
}

/// Every question about a random tree, for one kind of leaves.
fn check_tree<L: Leaves<RandomGame>>(
    seed: u64,
    threads: usize,
    memory: u64,
    kind: impl Fn(&mut Dice) -> (Logic, L),
) -> usize {
    let mut dice = Dice::new(seed);
    let game = Arc::new(RandomGame::new(seed));
    let root = game.initial_state();
    let truth = Solution::of(&*game, &root).root;
    let mut answers = 0;
    for player in 0..game.num_players() {
        let score = truth.scores[player];
        for at_least in [score.saturating_sub(1), score, score.saturating_add(1)] {
            let question = Question { player, at_least };
            let proven = score >= at_least;
            let prover = prove(&game, &root, question, kind(&mut dice), threads, memory);
            let right = if proven { Verdict::Proven } else { Verdict::Disproven };
            if let Some(verdict) = prover.verdict() {
                assert_eq!(verdict, right, "{question:?} of seed {seed}");
                check_move(&*game, &root, question, prover.best_move(), proven);
                answers += 1;
            } else {
                assert!(memory < ENOUGH, "the memory was enough for {question:?} of seed {seed}");
            }
        }
    }
    answers
}

/// Every question about a random graph: answers, and what is told of other
/// positions, are true wherever they are met.
fn check_graph<L: Leaves<GraphGame>>(
    seed: u64,
    threads: usize,
    kind: impl Fn(&mut Dice) -> (Logic, L),
) {
    let mut dice = Dice::new(seed);
    let game = Arc::new(GraphGame::new(seed));
    for player in 0..game.num_players() {
        for at_least in [0, 1] {
            let question = Question { player, at_least };
            let secured = game.secured(player, at_least);
            // Trees without repetitions are finite, but may be large.
            let prover = prove(&game, &0, question, kind(&mut dice), threads, 8 << 20);
            let verdict = |secured| if secured { Verdict::Proven } else { Verdict::Disproven };
            if let Some(answer) = prover.verdict() {
                assert_eq!(answer, verdict(secured[0]), "{question:?} of graph {seed}");
            }
            prover.settled_positions(&mut |key, told| {
                let number = game.position_of(key);
                assert_eq!(
                    told,
                    verdict(secured[number]),
                    "{question:?} of graph {seed} at {number}"
                );
            });
        }
    }
}

fn pns(dice: &mut Dice) -> (Logic, Unknown) {
    Unknown::new(dice.chance(50))
}

#[test]
fn pns_answers_every_question_about_random_trees() {
    for seed in 0..300 {
        let threads = [1, 2, 4, 16][seed as usize % 4];
        assert!(check_tree(seed, threads, ENOUGH, pns) > 0);
    }
}

#[test]
fn pns_claims_nothing_false_when_its_memory_is_full() {
    let few: usize = (0..300).map(|seed| check_tree(seed, 3, 4 << 10, pns)).sum();
    let all: usize = (0..300).map(|seed| check_tree(seed, 3, ENOUGH, pns)).sum();
    assert!(few < all && few > 0, "{few} of {all} answered");
}

#[test]
fn pns_answers_every_question_about_random_graphs() {
    for seed in 0..300 {
        check_graph(seed, [1, 2, 4, 16][seed as usize % 4], pns);
    }
}

/// Second trees of 1 to a few hundred nodes.
fn pn2(dice: &mut Dice) -> (Logic, Searched) {
    let growth = Growth { a: dice.pick(&[1.0, 20.0, 300.0]), b: dice.pick(&[0.1, 30.0]) };
    Searched::new(dice.chance(50), growth, 4)
}

#[test]
fn pn2_answers_every_question_about_random_trees() {
    for seed in 0..300 {
        let threads = [1, 2, 4, 16][seed as usize % 4];
        assert!(check_tree(seed, threads, ENOUGH, pn2) > 0);
    }
}

#[test]
fn pn2_answers_every_question_about_random_graphs() {
    for seed in 0..300 {
        check_graph(seed, [1, 2, 4, 16][seed as usize % 4], pn2);
    }
}

/// The second search is worth its time where the memory is small.
#[test]
fn pn2_answers_more_than_pns_in_a_small_memory() {
    const LITTLE: u64 = 2 << 10;
    let growth = Growth { a: 0.0, b: 1.0 };
    let seeds = 0..300;
    let one: usize = seeds.clone().map(|seed| check_tree(seed, 1, LITTLE, pns)).sum();
    let two = |seed| check_tree(seed, 1, LITTLE, |_| Searched::new(false, growth, 1));
    let two: usize = seeds.map(two).sum();
    assert!(two > one, "{two} answered with second searches, {one} without");
}

fn sampling(dice: &mut Dice) -> Sampling {
    Sampling {
        playouts: dice.pick(&[1, 3, 10]),
        theta: dice.pick(&[0.01, 0.001, 0.3]),
        cap: 1000,
        seed: dice.below(1000) as u64,
    }
}

fn mcpns(dice: &mut Dice) -> (Logic, Rated) {
    Rated::new(sampling(dice))
}

#[test]
fn mcpns_answers_every_question_about_random_trees() {
    for seed in 0..300 {
        let threads = [1, 2, 4, 16][seed as usize % 4];
        assert!(check_tree(seed, threads, ENOUGH, mcpns) > 0);
    }
}

#[test]
fn mcpns_answers_every_question_about_random_graphs() {
    for seed in 0..200 {
        check_graph(seed, [1, 2, 4, 16][seed as usize % 4], mcpns);
    }
}

/// Without a tolerance the search ends by its status alone.
fn ppns(dice: &mut Dice) -> (Logic, Likely) {
    Likely::new(sampling(dice), None)
}

#[test]
fn ppns_answers_every_question_about_random_trees() {
    for seed in 0..300 {
        let threads = [1, 2, 4, 16][seed as usize % 4];
        assert!(check_tree(seed, threads, ENOUGH, ppns) > 0);
    }
}

#[test]
fn ppns_answers_every_question_about_random_graphs() {
    for seed in 0..200 {
        check_graph(seed, [1, 2, 4, 16][seed as usize % 4], ppns);
    }
}

/// An estimate is none of the answers, however near to 0 or 1.
#[test]
fn ppns_with_a_tolerance_proves_nothing_that_it_only_estimates() {
    let (mut estimated, mut wrong) = (0, 0);
    for seed in 0..300 {
        let game = Arc::new(RandomGame::new(seed));
        let root = game.initial_state();
        let truth = Solution::of(&*game, &root).root.scores[0];
        let question = Question { player: 0, at_least: truth };
        let sampling = Sampling { playouts: 5, theta: 0.01, cap: 1000, seed };
        let leaves = Likely::new(sampling, Some(0.01));
        let prover = BestFirst::new(game, root, question, leaves, 2, ENOUGH).expect("room");
        assert_eq!(work(&prover, 2).0, Ok(()));
        prover.audit().unwrap_or_else(|wrong| panic!("{wrong}"));
        let estimate = prover.estimate().expect("it estimates");
        match prover.verdict() {
            Some(verdict) => assert_eq!(verdict, Verdict::Proven),
            None => {
                assert!(!(0.011..=0.989).contains(&estimate), "ended at {estimate}");
                estimated += 1;
                wrong += usize::from(estimate < 0.5);
            }
        }
    }
    assert!(estimated > 20 && wrong > 0, "{estimated} estimates, {wrong} of them wrong");
}
