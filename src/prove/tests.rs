//! Tests that the answers of best-first provers on graphs, including the answers collected for
//! other positions, agree with retrograde analysis. Tests of their public behaviour are in
//! `tests/`.

use super::Prover;
use super::best_first::BestFirst;
use super::question::{Question, Verdict};
use super::run::{Run, Spent};
use super::setting::Setting;
use crate::error::SearchError;
use crate::game::Game;
use crate::prove::best_first::{mcpns, pn2, pns, ppns};
use crate::rules::{Declared, root_key};
use crate::settings::{ProverConfig, StopReason};
use crate::threads::{Control, WhenFull};
use proofwood_testkit::dice::Dice;
use proofwood_testkit::graph::Graph;

/// Runs `threads` threads of a prover until all have returned, and then audits its tree.
pub(super) fn work<G: Game>(
    prover: &impl Prover<G>,
    threads: usize,
    nodes: Option<u64>,
) -> StopReason {
    let (control, spent) = (Control::new(), Spent::default());
    control.reset(threads, nodes, WhenFull::Stop(StopReason::Memory));
    let run = &Run::new(&control, &spent, None, threads);
    let work = |thread| prover.work(thread, run).expect("a sound game");
    std::thread::scope(|scope| {
        (1..threads).for_each(|thread| drop(scope.spawn(move || work(thread))));
        work(0);
    });
    prover.audit().unwrap_or_else(|wrong| panic!("{wrong}"));
    control.reason()
}

type Make = for<'s> fn(Setting<'s, Graph>) -> Result<BestFirst<'s, Graph>, SearchError>;

/// Draws a configuration with few playouts and with second trees of one to a few hundred nodes.
fn drawn(dice: &mut Dice, threads: usize) -> ProverConfig {
    ProverConfig::default()
        .threads(threads)
        .mobility(dice.chance(50))
        .pn2_growth([dice.pick(&[0.0, 20.0, 300.0]), dice.pick(&[0.1, 30.0])])
        .playouts_per_leaf(dice.pick(&[1, 3, 10]))
        .theta(dice.pick(&[0.01, 0.001, 0.3]))
        .seed(dice.below(1000) as u64)
}

/// Checks that the answers to all questions about a random graph are true, and that the answers
/// collected for other positions are true on every path.
fn check_graph(make: Make, seed: u64, threads: usize) {
    let mut dice = Dice::new(seed);
    let game = &Graph::new(seed);
    let declared = &Declared::by(game).expect("a sound game");
    for player in 0..game.num_players() {
        for at_least in [0, 1] {
            let config = &drawn(&mut dice, threads);
            let question = Question { player, at_least };
            let secured = game.secures(player, at_least);
            // Trees without repetitions are finite but may be large.
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
            let prover = make(setting).expect("room");
            work(&prover, threads, None);
            let what = format!("{question:?} of graph {seed} with {config:?}");
            if let Some(answer) = prover.verdict() {
                assert_eq!(answer == Verdict::Proven, secured[0], "{what}");
            }
            prover.solved_positions(&mut |key, told| {
                let number = (0..secured.len())
                    .find(|number| setting.key(0, &0, 0, number) == key)
                    .expect("a key of this game");
                let truth = secured[number];
                assert_eq!(told == Verdict::Proven, truth, "{what} at {number}");
            });
        }
    }
}

fn check_graphs(make: Make) {
    (0..300).for_each(|seed| check_graph(make, seed, [1, 2, 4, 16][seed as usize % 4]));
}

#[test]
fn pns_on_random_graphs() {
    check_graphs(pns::prover);
}

#[test]
fn pn2_on_random_graphs() {
    check_graphs(pn2::prover);
}

#[test]
fn mcpns_on_random_graphs() {
    check_graphs(mcpns::prover);
}

#[test]
fn ppns_on_random_graphs() {
    check_graphs(ppns::prover);
}
