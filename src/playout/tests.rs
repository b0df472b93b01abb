//! Tests how playouts are recorded in the tree, which reports do not show.

use super::path_cache::probe;
use super::{Context, DefaultRollout, Evaluator, NoValue};
use crate::game::{Game, Turn};
use crate::math::mix_all_bits;
use crate::search::Search;
use crate::settings::{Bias, Budget, Config, Goal};
use crate::threads::WITHOUT_THREADS;
use crate::tree::{ROOT, VALUE_ONE};
use std::ops::RangeInclusive;

/// A game for two or more players with pseudorandom payoffs.
#[derive(Clone, Copy, Debug)]
struct Drawn {
    seed: u64,
    players: usize,
    moves: u8,
    plies: u64,
}

impl Game for Drawn {
    /// A hash of the moves so far, and their number.
    type State = (u64, u64);
    type Move = u8;

    fn initial_state(&self) -> (u64, u64) {
        (self.seed, 0)
    }
    fn turn(&self, &(_, ply): &(u64, u64)) -> Turn {
        if ply == self.plies { Turn::Over } else { Turn::Player(ply as usize % self.players) }
    }
    fn legal_moves(&self, _: &(u64, u64), moves: &mut Vec<u8>) {
        moves.extend(0..self.moves);
    }
    fn play(&self, (mixed, ply): &mut (u64, u64), mv: u8) {
        *mixed = mix_all_bits(*mixed ^ mix_all_bits(u64::from(mv) + 1));
        *ply += 1;
    }
    fn payoff(&self, &(mixed, _): &(u64, u64), player: usize) -> i32 {
        if self.zero_sum() && player == 1 {
            return -self.payoff(&(mixed, 0), 0);
        }
        (mix_all_bits(mixed ^ player as u64) % 7) as i32 - 3
    }
    fn payoff_range(&self, _: usize) -> RangeInclusive<i32> {
        -3..=3
    }
    fn num_players(&self) -> usize {
        self.players
    }
    fn zero_sum(&self) -> bool {
        self.players == 2
    }
    fn key(&self, &(mixed, ply): &(u64, u64)) -> Option<u64> {
        Some(mix_all_bits(mixed ^ ply))
    }
}

/// Runs a search; returns the visits and the value sum of each node, and the number of nodes below
/// the root at which playouts could begin.
fn grown(game: Drawn, config: &Config, from_root: bool) -> (Vec<(u64, i64)>, u64) {
    probe::FROM_ROOT.set(from_root);
    probe::EXITS.set(0);
    let playout = DefaultRollout::of(config);
    let search = Search::with_rollouts(game, game.initial_state(), config.clone(), playout);
    let mut search = search.unwrap();
    // Neither number is a multiple of 16.
    for playouts in [1_000, 4_001] {
        search.search(&Budget::default().playouts(playouts)).unwrap();
    }
    probe::FROM_ROOT.set(false);
    let (tree, mut nodes) = (&search.shared().tree, Vec::new());
    let mut open = vec![tree.node(ROOT)];
    while let Some(node) = open.pop() {
        let statistics = node.statistics();
        nodes.push((statistics.visits, statistics.value_sum));
        open.extend(tree.arena.children(node.load()).nodes());
    }
    (nodes, probe::EXITS.get())
}

#[test]
fn playouts_that_begin_below_the_root_are_those_that_would_begin_there() {
    WITHOUT_THREADS.set(true);
    for (players, moves, plies) in [(2, 7, 30), (2, 3, 9), (3, 5, 20), (2, 40, 12)] {
        for (seed, keep_choice) in [(1, 32), (2, 1), (3, 4)] {
            let game = Drawn { seed, players, moves, plies };
            let config = Config::default().threads(1).seed(seed).keep_choice(keep_choice);
            let usual = config.c_pn(0.1).memory(64 << 20);
            // Proof numbers are counted, so that most expansions climb, or not, so that leaves try
            // moves; without proofs, playouts often end at the same finished games; and with so
            // little memory, leaves stay leaves, and nodes lose their children.
            for config in [
                usual.clone().bias(Bias::Max),
                usual.clone().bias(Bias::None),
                usual.clone().bias(Bias::None).goal(Goal::Score),
                usual.clone().solver(false).score_bounds(false),
                usual.clone().memory(1 << 16),
                usual.clone().expand_after(40),
            ] {
                let (below, exits) = grown(game, &config, false);
                assert!(below == grown(game, &config, true).0, "{game:?} {config:?}");
                assert!(exits > 0, "{game:?} {config:?}");
            }
        }
    }
    WITHOUT_THREADS.set(false);
}

/// A game with a fixed payoff, in which one player may move twice in a row.
#[derive(Clone, Copy, Debug)]
struct Fixed {
    order: [usize; 2],
    payoff: i32,
}

impl Game for Fixed {
    type State = usize;
    type Move = u8;

    fn initial_state(&self) -> usize {
        0
    }
    fn turn(&self, &ply: &usize) -> Turn {
        self.order.get(ply).map_or(Turn::Over, |&player| Turn::Player(player))
    }
    fn legal_moves(&self, _: &usize, moves: &mut Vec<u8>) {
        moves.extend(0..3);
    }
    fn play(&self, ply: &mut usize, _: u8) {
        *ply += 1;
    }
    fn payoff(&self, _: &usize, player: usize) -> i32 {
        if player == 0 { self.payoff } else { -self.payoff }
    }
    fn payoff_range(&self, _: usize) -> RangeInclusive<i32> {
        -4..=4
    }
    fn zero_sum(&self) -> bool {
        true
    }
}

/// An evaluator that values every position at 0 for every player.
struct Even;

impl Evaluator<Fixed> for Even {
    fn evaluate(
        &self,
        _: &mut usize,
        _: &mut Context<'_, Fixed>,
        values: &mut [f32],
    ) -> Result<(), NoValue> {
        values.fill(0.0);
        Ok(())
    }
}

/// Checks that a position that is solved by its expansion counts with its proven value, from the
/// perspective of the player who moved to it.
#[test]
fn a_solved_position_counts_with_its_value() {
    for order in [[0, 1], [1, 0], [0, 0], [1, 1]] {
        for payoff in [-4, -1, 0, 3] {
            for (goal, solver) in
                [(Goal::Outcome, true), (Goal::Outcome, false), (Goal::Score, true)]
            {
                let game = Fixed { order, payoff };
                let config = Config::default().threads(1).goal(goal).solver(solver);
                let mut search = Search::with_evaluator(game, 0, config, Even).unwrap();
                search.search(&Budget::default().playouts(100)).unwrap();
                let own = if order[0] == 0 { payoff } else { -payoff };
                let sign = f64::from(own.signum());
                let worth = match goal {
                    Goal::Outcome => sign,
                    Goal::Score => (sign + f64::from(own) / 4.0) / 2.0,
                };
                // The first visit adds the evaluator's 0; the second settles the child.
                let tree = &search.shared().tree;
                let children = tree.arena.children(tree.node(ROOT).load());
                let twice = children.nodes().iter().map(|node| node.statistics());
                let twice: Vec<_> = twice.filter(|node| node.visits == 2).collect();
                assert!(!twice.is_empty());
                for node in twice {
                    let sum = node.value_sum as f64 / VALUE_ONE as f64;
                    assert_eq!(sum, worth, "{game:?} {goal:?}");
                }
            }
        }
    }
}
