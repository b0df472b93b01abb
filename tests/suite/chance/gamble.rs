//! Tests of a gamble in which some outcomes end the game at once and one does not.

use proofwood::options::Bias;
use proofwood::{Budget, Config, Game, Turn, search};
use proofwood_testkit::toy::toy;
use std::ops::RangeInclusive;

/// Move 0 is a roll of ten outcomes: nine win at once for player 0, and the last one leads to a
/// loss some plies later. After move 1 half of the lines win, and the last player chooses between
/// them.
#[derive(Clone, Debug)]
struct Gamble {
    players: usize,
    zero_sum: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    Root,
    Roll,
    Won,
    /// The number of plies to the end, and whether the line is still a win for player 0.
    Long(u8, bool),
}

impl Game for Gamble {
    type State = At;
    type Move = u8;

    fn initial_state(&self) -> At {
        At::Root
    }
    fn turn(&self, at: &At) -> Turn {
        match at {
            At::Root => Turn::Player(0),
            At::Roll => Turn::Chance,
            At::Long(0, _) | At::Won => Turn::Over,
            At::Long(..) => Turn::Player(self.players - 1),
        }
    }
    fn legal_moves(&self, at: &At, moves: &mut Vec<u8>) {
        match at {
            At::Root => moves.extend([0, 1]),
            At::Roll => moves.extend(0..10),
            _ => moves.extend(0..4),
        }
    }
    fn play(&self, at: &mut At, mv: u8) {
        *at = match (*at, mv) {
            (At::Root, 0) => At::Roll,
            (At::Root, _) => At::Long(12, true),
            (At::Roll, 9) => At::Long(12, false),
            (At::Roll, _) => At::Won,
            (At::Long(n, well), mv) => At::Long(n - 1, well & (n > 1 || mv % 2 == 0)),
            (at, _) => at,
        };
    }
    fn payoff(&self, at: &At, player: usize) -> i32 {
        let won = matches!(at, At::Won | At::Long(_, true));
        match player {
            0 => {
                if won {
                    1
                } else {
                    -1
                }
            }
            1 if self.zero_sum => {
                if won {
                    -1
                } else {
                    1
                }
            }
            _ => 0,
        }
    }
    fn num_players(&self) -> usize {
        self.players
    }
    fn zero_sum(&self) -> bool {
        self.zero_sum
    }
    fn payoff_range(&self, _: usize) -> RangeInclusive<i32> {
        -1..=1
    }
    fn has_chance(&self) -> bool {
        true
    }
}

/// The roll has the value 0.9 − 0.1 = 0.8 for player 0, with any settings, number of threads and
/// number of players.
#[test]
fn outcomes_that_are_over_count_by_what_they_pay() {
    for (players, zero_sum) in [(1, false), (2, false), (2, true), (3, false), (8, false)] {
        for setting in 0..8 {
            let on = |bit: usize| setting >> bit & 1 == 1;
            let config = Config::default()
                .solver(on(0))
                .score_bounds(on(1))
                .paranoid(on(2))
                .bias(Bias::None)
                .threads(1)
                .seed(3);
            let (game, root) = toy(Gamble { players, zero_sum });
            let budget = Budget::default().playouts(20_000);
            let report = search(game, root, config.clone(), &budget).expect("sound rules");
            let case = format!("{players} players, zero sum {zero_sum}, {config:?}");
            let value = report.moves[0].mean.expect("it was visited");
            assert!((value - 0.8).abs() < 0.1, "{value} with {case}");
            assert_eq!(report.best_move, Some(0), "{case}");
        }
    }
}
