//! Tests of long lines, which end when a position repeats.

use proofwood::evaluate::{LeafEvaluation, PolicyRollout, UniformRandom};
use proofwood::{Budget, Config, Game, Search, SearchError, Turn, Value};
use proofwood_testkit::toy::{Does, Toy, toy};

/// The players take turns moving a piece one step around a circle, without end. At the last place
/// the rules may allow a player to leave the circle and win.
#[derive(Clone, Copy, Debug)]
struct Round {
    places: u8,
    has_hash: bool,
    has_chance: bool,
    may_leave: bool,
}

const LEFT: u8 = u8::MAX;

/// A circle of ten places that cannot be left.
const TEN: Round = Round { places: 10, has_hash: true, has_chance: false, may_leave: false };

impl Game for Round {
    type State = u8;
    type Move = bool;

    fn initial_state(&self) -> u8 {
        0
    }
    fn turn(&self, place: &u8) -> Turn {
        match *place {
            LEFT => Turn::Over,
            place => Turn::Player(usize::from(place % 2)),
        }
    }
    fn legal_moves(&self, place: &u8, moves: &mut Vec<bool>) {
        moves.push(false);
        if self.may_leave && *place + 1 == self.places {
            moves.push(true);
        }
    }
    fn play(&self, place: &mut u8, leave: bool) {
        *place = if leave { LEFT } else { (*place + 1) % self.places };
    }
    fn payoff(&self, _: &u8, player: usize) -> i32 {
        if player == 1 { 1 } else { -1 }
    }
    fn zero_sum(&self) -> bool {
        true
    }
    fn has_chance(&self) -> bool {
        self.has_chance
    }
    fn key(&self, place: &u8) -> Option<u64> {
        self.has_hash.then(|| (u64::from(*place) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }
}

/// An evaluator for which all positions and all moves are equally good.
fn even() -> Does {
    Does::nothing().with_priors(|_, _, priors| priors.fill(1.0))
}

fn config() -> Config {
    Config::default().threads(1).memory(16 << 20).audit(true)
}

/// The depth of the tree after 300 playouts.
fn depth<L: LeafEvaluation<Toy>>(search: Result<Search<Toy, L>, SearchError>) -> usize {
    let mut search = search.expect("a search");
    search.search(&Budget::default().playouts(300)).expect("an answer");
    search.audit().unwrap_or_else(|wrong| panic!("{wrong}")).depth
}

fn played_out(game: Round) -> usize {
    let (game, start) = toy(game);
    let playouts = PolicyRollout::new(UniformRandom, 10);
    depth(Search::with_rollouts(game, start, config(), playouts))
}

#[test]
fn a_long_line_ends_where_a_position_comes_back() {
    let (game, start) = toy(TEN);
    let by_priors = Search::with_evaluator(game, start, config(), even());
    for depth in [played_out(TEN), depth(by_priors)] {
        assert!((60..80).contains(&depth), "{depth}");
    }
}

#[test]
fn without_a_hash_or_with_chance_it_goes_on() {
    let nameless = Round { has_hash: false, ..TEN };
    let chancy = Round { has_chance: true, ..TEN };
    for depth in [played_out(nameless), played_out(chancy)] {
        assert!(depth > 200, "{depth}");
    }
}

#[test]
fn a_long_line_without_repetition_is_searched_to_its_end() {
    let (game, start) = toy(Round { places: 100, may_leave: true, ..TEN });
    let mut search = Search::new(game, start, config().foresight(false)).expect("a search");
    let report = search.search(&Budget::default().playouts(300)).expect("an answer");
    assert_eq!(report.proven, Value::Loss);
}
