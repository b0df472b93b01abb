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
use dice::Dice;
use graph::Graph;
pub(super) use proofwood_testkit::dice;

/// The testkit's graphs as games of this crate. The testkit itself implements the trait `Game` of
/// the library that it depends on, which the compiler treats as another crate.
pub(super) mod graph {
    use crate::game::{Game, Turn};
    use proofwood_testkit::graph::{self, Position};
    use std::ops::RangeInclusive;

    #[derive(Debug)]
    pub(crate) struct Graph(graph::Graph);

    impl Graph {
        pub(crate) fn new(seed: u64) -> Graph {
            Graph(graph::Graph::new(seed))
        }
        pub(crate) fn secures(&self, player: usize, at_least: i32) -> Vec<bool> {
            self.0.secures(player, at_least)
        }
        fn position(&self, state: usize) -> &Position {
            &self.0.positions[state]
        }
    }

    impl Game for Graph {
        type State = usize;
        type Move = usize;

        fn initial_state(&self) -> usize {
            0
        }
        fn turn(&self, &state: &usize) -> Turn {
            let position = self.position(state);
            if position.is_over() { Turn::Over } else { Turn::Player(position.mover) }
        }
        fn legal_moves(&self, &state: &usize, moves: &mut Vec<usize>) {
            moves.extend(&self.position(state).moves);
        }
        fn play(&self, state: &mut usize, to: usize) {
            *state = to;
        }
        fn payoff(&self, &state: &usize, player: usize) -> i32 {
            self.position(state).payoffs[player]
        }
        fn num_players(&self) -> usize {
            self.0.players
        }
        fn zero_sum(&self) -> bool {
            self.0.zero_sum
        }
        fn payoff_range(&self, _: usize) -> RangeInclusive<i32> {
            -self.0.most..=self.0.most
        }
        fn key(&self, &state: &usize) -> Option<u64> {
            Some(self.0.key(state))
        }
    }
}

/// Runs `threads` threads of a prover until all have returned, and then audits its tree.
fn work<G: Game>(prover: &impl Prover<G>, threads: usize) -> StopReason {
    let (control, spent) = (Control::new(), Spent::default());
    control.reset(threads, None, WhenFull::Stop(StopReason::Memory));
    let run = &Run::new(&control, &spent, None, threads);
    let results: Vec<_> = std::thread::scope(|scope| {
        let handles: Vec<_> =
            (0..threads).map(|thread| scope.spawn(move || prover.work(thread, run))).collect();
        handles.into_iter().map(|handle| handle.join().expect("no panic")).collect()
    });
    assert_eq!(results.into_iter().collect::<Result<(), _>>(), Ok(()));
    prover.audit().unwrap_or_else(|wrong| panic!("{wrong}"));
    control.reason()
}

trait Kind {
    fn make<'s, G: Game>(setting: Setting<'s, G>) -> Result<BestFirst<'s, G>, SearchError>;
}

macro_rules! kinds {
    ($($kind:ident = $module:ident),*) => {
        $(
            struct $kind;
            impl Kind for $kind {
                fn make<'s, G: Game>(
                    setting: Setting<'s, G>,
                ) -> Result<BestFirst<'s, G>, SearchError> {
                    $module::prover(setting)
                }
            }
        )*
    };
}

kinds!(Pns = pns, Pn2 = pn2, Mcpns = mcpns, Ppns = ppns);

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
fn check_graph<K: Kind>(seed: u64, threads: usize) {
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
            let prover = K::make(setting).expect("room");
            work(&prover, threads);
            let what = format!("{question:?} of graph {seed} with {config:?}");
            if let Some(answer) = prover.verdict() {
                assert_eq!(answer == Verdict::Proven, secured[0], "{what}");
            }
            prover.settled_positions(&mut |key, told| {
                let number = (0..secured.len())
                    .find(|number| setting.key(0, &0, 0, number) == key)
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

fn check_graphs<K: Kind>() {
    (0..300).for_each(|seed| check_graph::<K>(seed, threads(seed)));
}

#[test]
fn pns_on_random_graphs() {
    check_graphs::<Pns>();
}

#[test]
fn pn2_on_random_graphs() {
    check_graphs::<Pn2>();
}

#[test]
fn mcpns_on_random_graphs() {
    check_graphs::<Mcpns>();
}

#[test]
fn ppns_on_random_graphs() {
    check_graphs::<Ppns>();
}
