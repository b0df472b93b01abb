//! Tests that a search on one thread with a given seed grows the same tree every time, on every
//! machine, in debug and in release builds.

use proofwood::evaluate::LeafEvaluation;
use proofwood::options::{Bias, PlayoutPolicy, VirtualLoss};
use proofwood::{Budget, Config, Game, Goal, Report, Search};
use proofwood_games::{ConnectFour, Mnk, Othello};

const PLAYOUTS: u64 = 20_000;

/// Returns a configuration with fixed weights, because those recommended for Connect Four include
/// no bias and may change.
fn config(bias: Bias) -> Config {
    let weights = Config::default().c(std::f64::consts::SQRT_2).c_pn(0.1).expand_after(1);
    weights.threads(1).seed(7).bias(bias)
}

/// Searches the start of a game in parts, each of the given number of playouts.
fn grow<G: Game>(game: G, config: Config, parts: &[u64]) -> Report<G> {
    let root = game.initial_state();
    let mut search = Search::new(game, root, config).expect("it fits");
    for &playouts in parts {
        search.search(&Budget::default().playouts(playouts)).expect("a sound game");
    }
    search.snapshot()
}

/// Formats everything in a report that does not depend on the clock.
fn figures<G: Game>(report: &Report<G>) -> String {
    let Report { proven: value, bounds, mean, proof_numbers, best_move, pv, moves, .. } = report;
    let (playouts, nodes) = (report.total_playouts, report.nodes);
    format!(
        "{value:?} {bounds:?} {mean:?} {proof_numbers:?} {best_move:?} {pv:?} {moves:?} \
         {playouts} {nodes}"
    )
}

fn visits<G: Game>(report: &Report<G>) -> Vec<u64> {
    report.moves.iter().map(|mv| mv.visits).collect()
}

/// A bias formula, with the number of nodes and the visits of the root's moves after 20,000
/// playouts of Connect Four with seed 7.
type Tree = (Bias, u64, [u64; 7]);

/// If these numbers change, a seed grows a different tree than before, either on purpose or because
/// a result depends on the machine.
const PINNED: [Tree; 5] = [
    (Bias::None, 37437, [420, 490, 777, 13941, 2987, 1031, 354]),
    (Bias::Rank, 56895, [442, 1169, 1702, 10966, 1770, 2584, 1367]),
    (Bias::Max, 55749, [406, 585, 1453, 14494, 947, 1612, 503]),
    (Bias::Sum, 56679, [177, 1010, 675, 15300, 1219, 1267, 352]),
    (Bias::RankLudii, 56410, [340, 345, 2040, 15672, 758, 471, 374]),
];

/// The corresponding trees if a selection is made at every visit.
const PINNED_ATTENTIVE: [Tree; 5] = [
    (Bias::None, 36937, [266, 858, 2718, 12288, 2019, 1489, 362]),
    (Bias::Rank, 55899, [808, 1136, 2707, 10302, 3237, 1357, 453]),
    (Bias::Max, 55739, [501, 1142, 1680, 11026, 2419, 2068, 1164]),
    (Bias::Sum, 56369, [944, 917, 716, 14364, 1838, 601, 620]),
    (Bias::RankLudii, 56525, [683, 1327, 2215, 12019, 2187, 1333, 236]),
];

#[test]
fn a_seed_grows_the_pinned_tree() {
    for (pinned, keep_choice) in [(PINNED, 32), (PINNED_ATTENTIVE, 0)] {
        let grown = pinned.map(|(bias, ..)| {
            let config = config(bias).keep_choice(keep_choice);
            // A game's knowledge may change; the engine's trees are pinned.
            let config = config.playout_policy(PlayoutPolicy::Random).foresight(false);
            let report = grow(ConnectFour::default(), config, &[PLAYOUTS]);
            (bias, report.nodes, visits(&report).try_into().expect("seven columns"))
        });
        assert_eq!(grown, pinned);
    }
}

#[test]
fn the_same_seed_grows_the_same_tree() {
    for bias in PINNED.map(|(bias, ..)| bias) {
        let connect_four = || grow(ConnectFour::default(), config(bias), &[3000]);
        assert_eq!(figures(&connect_four()), figures(&connect_four()), "{bias:?}");
        let othello = || {
            let game = Othello::new(6, false).expect("a board");
            grow(game, config(bias).goal(Goal::Score), &[1500])
        };
        assert_eq!(figures(&othello()), figures(&othello()), "{bias:?}");
        let three = || grow(Mnk::new(4, 4, 3, 3).expect("a board"), config(bias), &[1500]);
        assert_eq!(figures(&three()), figures(&three()), "{bias:?}");
    }
}

#[test]
fn another_seed_grows_another_tree() {
    let grown = |seed| grow(ConnectFour::default(), config(Bias::Max).seed(seed), &[3000]);
    assert_ne!(figures(&grown(1)), figures(&grown(2)));
}

/// Proof numbers are counted only if they have a weight.
#[test]
fn numbers_without_weight_are_not_counted() {
    fn counts<G: Game>(game: G, config: Config) -> bool {
        grow(game, config.threads(1), &[100]).counts_proof_numbers
    }
    assert!(!counts(ConnectFour::new(5, 4, 4).expect("a board"), Config::default()));
    assert!(!counts(Mnk::new(4, 4, 3, 3).expect("a board"), Config::default()));
    let two = || Mnk::new(4, 4, 4, 2).expect("a board");
    assert!(counts(two(), Config::default()));
    assert!(!counts(two(), Config::default().c_pn(0.0)));
    assert!(!counts(two(), Config::default().bias(Bias::None)));
}

/// The end of a search also ends selections that serve several playouts. So each part ends at a
/// multiple of 16 playouts or, like the first one, before there are such selections.
#[test]
fn a_search_in_parts_grows_the_tree_of_a_search_in_one() {
    for bias in [Bias::None, Bias::Rank, Bias::Max] {
        let whole = grow(ConnectFour::default(), config(bias), &[5000]);
        let parts = grow(ConnectFour::default(), config(bias), &[1, 1999, 64, 2936]);
        assert_eq!(figures(&whole), figures(&parts), "{bias:?}");
    }
}

#[test]
fn what_one_thread_cannot_meet_changes_nothing() {
    let plain = grow(ConnectFour::default(), config(Bias::Max), &[3000]);
    let other = config(Bias::Max).virtual_loss(VirtualLoss::None).audit(true);
    assert_eq!(figures(&plain), figures(&grow(ConnectFour::default(), other, &[3000])));
}

/// Returns every node's move, visits and value, in the order of the tree.
fn whole_tree<G: Game, L: LeafEvaluation<G>>(search: &Search<G, L>) -> Vec<String> {
    let tree = search.tree().expect("it is at rest");
    let (mut open, mut nodes) = (vec![tree.root()], Vec::new());
    while let Some(node) = open.pop() {
        let numbers = node.proof_numbers();
        nodes.push(format!("{:?} {} {:?} {numbers:?}", node.mv(), node.visits(), node.mean()));
        open.extend(node.children());
    }
    nodes
}

/// With a fixed schedule a seed grows the same tree, bit for bit, on any number of threads.
#[test]
fn a_fixed_schedule_grows_the_same_tree_on_any_number_of_threads() {
    let grow = |threads, leaves, seed| {
        let game = ConnectFour::default();
        let start = game.initial_state();
        let config = Config::default().threads(threads).seed(seed).memory(64 << 20).audit(true);
        let mut search = Search::repeatable(game, start, config, leaves).expect("it fits");
        for playouts in [1, 700, 2500] {
            search.search(&Budget::default().playouts(playouts)).expect("a sound game");
        }
        search.audit().unwrap_or_else(|wrong| panic!("{wrong}"));
        assert_eq!(search.snapshot().total_playouts, 3201);
        whole_tree(&search)
    };
    for leaves in [1, 16, 100] {
        let one = grow(1, leaves, 7);
        for threads in [2, 4, 16] {
            assert!(grow(threads, leaves, 7) == one, "{threads} threads, {leaves} leaves");
        }
        assert!(grow(1, leaves, 8) != one, "another seed");
    }
    assert!(grow(2, 16, 7) != grow(2, 17, 7), "another number of leaves at a time");
}
