//! Tests that every prover's search ends with the right answer, on graphs with many cycles.

use super::Prover;
use super::question::{Question, Verdict};
use super::setting::Setting;
use super::table::Table;
use super::tests::work;
use crate::game::{Game, Turn};
use crate::prove::alpha_beta::AlphaBeta;
use crate::prove::auto::Auto;
use crate::prove::best_first::{mcpns, pn2, pns, ppns};
use crate::prove::depth_first::{DepthFirst, DfPpns, Dfpn, Guided, Pds};
use crate::rules::{Declared, root_key};
use crate::settings::{ProverConfig, StopReason};
use proofwood_testkit::dice::Dice;
use proofwood_testkit::graph::Graph;

const GRAPHS: u64 = 100_000;
/// A node budget that is ample for depth-first searches; the longest took 45,000 nodes.
const NODES: u64 = 1 << 20;

/// The size of a best-first prover's tree in bytes. The allocator serves this size from its heap;
/// it would map a larger tree separately for each graph.
const TREE: u64 = 1 << 16;

/// Asks one question about every graph and compares the answer with retrograde analysis.
fn settle_all(
    config: &ProverConfig,
    ask: impl for<'s> Fn(Setting<'s, Graph>) -> (Option<Verdict>, StopReason) + Sync,
) {
    let half = |seeds: std::ops::Range<u64>| -> u64 {
        let mut answers = 0;
        for seed in seeds {
            let game = &Graph::new(seed);
            if game.turn(&0) == Turn::Over {
                continue;
            }
            let mut dice = Dice::new(seed);
            let question =
                Question { player: dice.below(game.num_players()), at_least: dice.pick(&[0, 1]) };
            let declared = &Declared::by(game).expect("a sound game");
            let root_key = root_key(game, &0);
            let bytes = TREE;
            let setting = Setting {
                game,
                root: &0,
                root_key,
                config,
                declared,
                audited: None,
                question,
                bytes,
            };
            let (verdict, reason) = ask(setting);
            let what = format!("{question:?} of graph {seed} with {config:?}");
            match verdict {
                Some(verdict) => {
                    let secured = game.secures(question.player, question.at_least)[0];
                    assert_eq!(verdict == Verdict::Proven, secured, "{what}");
                    answers += 1;
                }
                None => assert_eq!(reason, StopReason::Memory, "{what}"),
            }
        }
        answers
    };
    let answers = std::thread::scope(|scope| {
        let first = scope.spawn(|| half(0..GRAPHS / 2));
        half(GRAPHS / 2..GRAPHS) + first.join().expect("no panic")
    });
    // The trees of the other graphs exceed the memory.
    assert!(answers > GRAPHS * 9 / 10, "{answers} of {GRAPHS}");
}

fn depth_first<D: Guided + 'static>() {
    let config = ProverConfig::default().threads(1).playouts_per_leaf(1).playout_cap(20);
    for config in [config.clone(), config.epsilon(0.0)] {
        settle_all(&config, |setting| {
            let table = Table::new(1 << 14).expect("memory");
            let prover = DepthFirst::new::<D>(setting, &table);
            let reason = work(&prover, 1, Some(NODES));
            // These provers have no tree that could fill the memory.
            assert_eq!(reason, StopReason::Solved, "{:?}", setting.game);
            (prover.verdict(), reason)
        });
    }
}

#[test]
fn dfpn_ends() {
    depth_first::<Dfpn>();
}

#[test]
fn pds_ends() {
    depth_first::<Pds>();
}

#[test]
fn df_ppns_ends() {
    depth_first::<DfPpns>();
}

/// Creates tests of the provers that have a table but no guide.
macro_rules! with_a_table {
    ($($test:ident = $make:expr),*) => {
        $(
            #[test]
            fn $test() {
                settle_all(&ProverConfig::default().threads(1), |setting| {
                    let table = Table::new(1 << 14).expect("memory");
                    let prover = $make(setting, &table);
                    let reason = work(&prover, 1, Some(NODES));
                    assert_eq!(reason, StopReason::Solved, "{:?}", setting.game);
                    (prover.verdict(), reason)
                });
            }
        )*
    };
}

with_a_table!(
    alpha_beta_ends = AlphaBeta::new,
    auto_ends = |setting, table| Auto::new(setting, table, Box::leak(Box::default()))
);

/// Creates tests of best-first provers, whose trees are finite but may exceed the memory.
macro_rules! best_first {
    ($($test:ident = $module:ident),*) => {
        $(
            #[test]
            fn $test() {
                let config = ProverConfig::default().threads(1).playouts_per_leaf(1).playout_cap(20);
                settle_all(&config.pn2_growth([300.0, 30.0]), |setting| {
                    let prover = $module::prover(setting).expect("room");
                    let reason = work(&prover, 1, None);
                    (prover.verdict(), reason)
                });
            }
        )*
    };
}

best_first!(pns_ends = pns, pn2_ends = pn2, mcpns_ends = mcpns, ppns_ends = ppns);
