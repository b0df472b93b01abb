//! Best-first provers against exhaustive search, and their trees against
//! recomputation.

use super::best_first::{BestFirst, Leaves};
use super::run::Spent;
use super::{
    Prover, ProverConfig, Question, Run, Setting, Share, Verdict, mcpns, pn2, pns, ppns, root_key,
};
use crate::contract::Declared;
use crate::control::{Control, WhenFull};
use crate::game::{Game, Turn};
use crate::{SearchError, StopReason};
use dice::Dice;
use graph::Graph;
use oracle::Solution;
use random_game::RandomGame;
use std::hash::Hash;

// The games and the oracle of the integration tests.
#[path = "../../tests/common/dice.rs"]
pub(super) mod dice;
#[path = "../../tests/common/graph.rs"]
pub(super) mod graph;
#[allow(dead_code, reason = "every test uses its own part")]
#[path = "../../tests/common/oracle.rs"]
mod oracle;
#[allow(dead_code, reason = "every test uses its own part")]
#[path = "../../tests/common/random_game.rs"]
mod random_game;

/// Works on a question until all threads return; the tree then equals its
/// recomputation, whatever came of it.
fn work<G: Game>(prover: &impl Prover<G>, threads: usize) -> StopReason {
    let (control, spent) = (Control::new(), Spent::default());
    control.reset(threads, None, WhenFull::Stop(StopReason::Memory));
    let run = &Run { control: &control, spent: &spent, deadline: None, threads };
    let results: Vec<_> = std::thread::scope(|scope| {
        let handles: Vec<_> =
            (0..threads).map(|thread| scope.spawn(move || prover.work(thread, run))).collect();
        handles.into_iter().map(|handle| handle.join().expect("no panic")).collect()
    });
    assert_eq!(results.into_iter().collect::<Result<(), _>>(), Ok(()));
    prover.audit().unwrap_or_else(|wrong| panic!("{wrong}"));
    control.reason()
}

const ENOUGH: u64 = 256 << 20;

/// A kind of prover, for every game.
trait Kind {
    fn make<'s, G: Game>(
        setting: Setting<'s, G>,
    ) -> Result<BestFirst<'s, G, impl Leaves<G> + 's>, SearchError>;
}

macro_rules! kinds {
    ($($kind:ident = $module:ident),*) => {
        $(
            struct $kind;
            impl Kind for $kind {
                fn make<'s, G: Game>(
                    setting: Setting<'s, G>,
                ) -> Result<BestFirst<'s, G, impl Leaves<G> + 's>, SearchError> {
                    $module::prover(setting)
                }
            }
        )*
    };
}

kinds!(Pns = pns, Pn2 = pn2, Mcpns = mcpns, Ppns = ppns);

/// A configuration drawn for the dice, with second trees of 1 to a few hundred
/// nodes and few playouts.
fn drawn(dice: &mut Dice, threads: usize) -> ProverConfig {
    ProverConfig::default()
        .threads(threads)
        .mobility(dice.chance(50))
        .pn2_a(dice.pick(&[0.0, 20.0, 300.0]))
        .pn2_b(dice.pick(&[0.1, 30.0]))
        .playouts_per_leaf(dice.pick(&[1, 3, 10]))
        .share(dice.pick(Share::ALL))
        .theta(dice.pick(&[0.01, 0.001, 0.3]))
        .seed(dice.below(1000) as u64)
}

/// The move that a prover shows leads to a position that keeps the answer, and
/// so do the legal moves of its line.
fn check_line<G: Game<State: Eq + Hash>>(
    game: &G,
    root: &G::State,
    question: Question,
    prover: &impl Prover<G>,
    proven: bool,
) {
    let favoured = match game.turn(root) {
        Turn::Player(mover) => (mover == question.player) == proven,
        _ => false,
    };
    let best = prover.best_move();
    assert_eq!(best.is_some(), favoured, "a move where the favoured side is to move");
    let mut state = root.clone();
    for mv in prover.line() {
        let mut legal = Vec::new();
        game.legal_moves(&state, &mut legal);
        assert!(legal.contains(&mv), "{mv:?} is not legal");
        state = game.after(&state, mv);
        let score = Solution::of(game, &state).root.scores[question.player];
        assert_eq!(score >= question.at_least, proven, "the line gives the answer away");
    }
    assert!(best.is_none() || best == prover.line().first().copied());
}

/// Every question about a random tree; answers how many were answered.
fn check_tree<K: Kind>(seed: u64, threads: usize, bytes: u64) -> usize {
    let mut dice = Dice::new(seed);
    let game = &RandomGame::new(seed);
    let root = &game.initial_state();
    let truth = Solution::of(game, root).root;
    let declared = &Declared::by(game).expect("a sound game");
    let mut answers = 0;
    for player in 0..game.num_players() {
        let score = truth.scores[player];
        for at_least in [score.saturating_sub(1), score, score.saturating_add(1)] {
            let config = &drawn(&mut dice, threads);
            let question = Question { player, at_least };
            let prover = K::make(Setting {
                game,
                root,
                root_key: root_key(game, root),
                config,
                declared,
                audited: None,
                question,
                bytes,
            })
            .expect("room");
            let reason = work(&prover, threads);
            let what = format!("{question:?} of seed {seed} with {config:?}");
            match prover.verdict() {
                Some(verdict) => {
                    assert_eq!(verdict == Verdict::Proven, score >= at_least, "{what}");
                    check_line(game, root, question, &prover, score >= at_least);
                    answers += 1;
                }
                None => {
                    assert!(bytes < ENOUGH && reason == StopReason::Memory, "{what}: {reason:?}")
                }
            }
            assert!(prover.bytes() <= bytes.max(100));
        }
    }
    answers
}

/// Every question about a random graph: the answers, and what is told of other
/// positions, are true wherever these are met.
fn check_graph<K: Kind>(seed: u64, threads: usize) {
    let mut dice = Dice::new(seed);
    let game = &Graph::new(seed);
    let declared = &Declared::by(game).expect("a sound game");
    for player in 0..game.num_players() {
        for at_least in [0, 1] {
            let config = &drawn(&mut dice, threads);
            let question = Question { player, at_least };
            let secured = game.secures(player, at_least);
            // Trees without repetitions are finite, but may be large.
            let setting = Setting {
                game,
                root: &0,
                root_key: root_key(game, &0),
                config,
                declared,
                audited: None,
                question,
                bytes: 8 << 20,
            };
            let prover = K::make(setting).expect("room");
            work(&prover, threads);
            let what = format!("{question:?} of graph {seed} with {config:?}");
            if let Some(answer) = prover.verdict() {
                assert_eq!(answer == Verdict::Proven, secured[0], "{what}");
            }
            prover.settled_positions(&mut |key, told| {
                let number = (0..secured.len())
                    .find(|number| setting.key(0, 0, number) == key)
                    .expect("a key of this game");
                let truth = secured[number];
                assert_eq!(told == Verdict::Proven, truth, "{what} at {number}");
            });
        }
    }
}

fn threads(seed: u64) -> usize {
    [1, 2, 4, 16][seed as usize % 4]
}

fn check_trees<K: Kind>() {
    for seed in 0..300 {
        assert!(check_tree::<K>(seed, threads(seed), ENOUGH) > 0);
    }
}

fn check_graphs<K: Kind>() {
    (0..300).for_each(|seed| check_graph::<K>(seed, threads(seed)));
}

#[test]
fn pns_on_random_trees() {
    check_trees::<Pns>();
}

#[test]
fn pns_on_random_graphs() {
    check_graphs::<Pns>();
}

#[test]
fn pn2_on_random_trees() {
    check_trees::<Pn2>();
}

#[test]
fn pn2_on_random_graphs() {
    check_graphs::<Pn2>();
}

#[test]
fn mcpns_on_random_trees() {
    check_trees::<Mcpns>();
}

#[test]
fn mcpns_on_random_graphs() {
    check_graphs::<Mcpns>();
}

#[test]
fn ppns_on_random_trees() {
    check_trees::<Ppns>();
}

#[test]
fn ppns_on_random_graphs() {
    check_graphs::<Ppns>();
}

/// A memory that is full ends the search; nothing false is claimed.
#[test]
fn full_memories() {
    let answers = |bytes| (0..300).map(|seed| check_tree::<Pns>(seed, 3, bytes)).sum();
    let (few, all): (usize, usize) = (answers(4 << 10), answers(ENOUGH));
    assert!(few < all && few > 0, "{few} of {all} answered");
}

/// The second search is worth its time where the memory is small.
#[test]
fn pn2_answers_more_than_pns_in_a_small_memory() {
    const LITTLE: u64 = 2 << 10;
    let one: usize = (0..300).map(|seed| check_tree::<Pns>(seed, 1, LITTLE)).sum();
    let two: usize = (0..300).map(|seed| check_tree::<Pn2>(seed, 1, LITTLE)).sum();
    assert!(two > one, "{two} answered with second searches, {one} without");
}

/// An estimate is none of the answers, however near to 0 or 1.
#[test]
fn a_tolerance_proves_nothing() {
    let (mut estimated, mut wrong) = (0, 0);
    for seed in 0..300 {
        let game = &RandomGame::new(seed);
        let root = &game.initial_state();
        let question = Question { player: 0, at_least: Solution::of(game, root).root.scores[0] };
        let config = &ProverConfig::default().threads(2).playouts_per_leaf(5).precision(0.01);
        let declared = &Declared::by(game).expect("a sound game");
        let root_key = root_key(game, root);
        let setting = Setting {
            game,
            root,
            root_key,
            config,
            declared,
            audited: None,
            question,
            bytes: ENOUGH,
        };
        let prover = ppns::prover(setting).expect("room");
        let reason = work(&prover, 2);
        let estimate = prover.estimate().expect("it estimates");
        match prover.verdict() {
            Some(verdict) => assert_eq!(verdict, Verdict::Proven),
            None => {
                assert_eq!(reason, StopReason::Estimated);
                assert!(!(0.011..=0.989).contains(&estimate), "ended at {estimate}");
                estimated += 1;
                wrong += usize::from(estimate < 0.5);
            }
        }
    }
    assert!(estimated > 20 && wrong > 0, "{estimated} estimates, {wrong} of them wrong");
}
