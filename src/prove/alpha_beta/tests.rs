//! Tests of alpha-beta's horizons, and of its search in a game with endless lines.

use super::horizon::{FIRST_HORIZON, Horizon, LAST_HORIZON};
use crate::bounds::Value;
use crate::game::{Game, Turn};
use crate::math::mix_all_bits;
use crate::prove::prove;
use crate::prove::question::Verdict;
use crate::settings::{Algorithm, Budget, ProofGoal, ProverConfig};
use std::ops::RangeInclusive;

#[test]
fn horizons_take_turns_and_go_further() {
    for thread in [0, 1] {
        let mut horizon = Horizon::first(thread);
        for moves in [FIRST_HORIZON, 8, 16, 32] {
            assert_eq!((horizon.moves, horizon.favours), (moves, Horizon::first(thread).favours));
            horizon = horizon.next(thread);
            assert_eq!(horizon.moves, moves);
            assert_ne!(horizon.favours, Horizon::first(thread).favours);
            horizon = horizon.next(thread);
        }
        (0..100).for_each(|_| horizon = horizon.next(thread));
        assert_eq!(horizon.moves, LAST_HORIZON);
    }
}

#[test]
fn an_open_position_counts_up_to_its_horizon_and_for_its_side() {
    let horizon = Horizon { moves: 16, favours: Verdict::Proven };
    let other = Horizon { favours: Verdict::Disproven, ..horizon };
    let number = horizon.number(7);
    assert!(horizon.covers(number, 7) && horizon.covers(number, 3));
    assert!(!horizon.covers(number, 8) && !other.covers(number, 3));
    assert!(horizon.number(LAST_HORIZON) < 1 << crate::prove::data::FIELD);
}

/// A game with a short win and with endless lines, although random play ends soon: in `Waiting`,
/// the player to move may wait in two ways or give up. No position repeats.
struct Waiting {
    hashed: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Place {
    Start,
    Waiting,
    Before(u8),
    GivenUp(usize),
}

impl Game for Waiting {
    /// The place, the number of moves so far, and a hash of these moves.
    type State = (Place, u32, u64);
    type Move = u8;

    fn initial_state(&self) -> Self::State {
        (Place::Start, 0, 1)
    }
    fn turn(&self, &(place, moves, _): &Self::State) -> Turn {
        match place {
            Place::GivenUp(_) | Place::Before(0) => Turn::Over,
            _ => Turn::Player(moves as usize % 2),
        }
    }
    fn legal_moves(&self, (place, ..): &Self::State, moves: &mut Vec<u8>) {
        moves.extend(
            0..match place {
                Place::Start => 2,
                Place::Waiting => 3,
                // More replies than in `Waiting`, so that the winning move is not searched first.
                _ => 4,
            },
        );
    }
    fn play(&self, (place, moves, all): &mut Self::State, mv: u8) {
        *place = match (*place, mv) {
            (Place::Start, 1) => Place::Before(2),
            (Place::Before(left), _) => Place::Before(left - 1),
            (Place::Waiting, 2) => Place::GivenUp(*moves as usize % 2),
            _ => Place::Waiting,
        };
        *moves += 1;
        *all = mix_all_bits(all.wrapping_add(u64::from(mv) + 1));
    }
    fn payoff(&self, &(place, ..): &Self::State, player: usize) -> i32 {
        let loser = if let Place::GivenUp(loser) = place { loser } else { 1 };
        if player == loser { -1 } else { 1 }
    }
    fn payoff_range(&self, _: usize) -> RangeInclusive<i32> {
        -1..=1
    }
    fn zero_sum(&self) -> bool {
        true
    }
    fn key(&self, &(.., all): &Self::State) -> Option<u64> {
        self.hashed.then_some(all)
    }
}

/// Checks that a walk with the farthest horizon is abandoned in an endless line, even if no
/// repetition is noticed because positions contain a counter or have no key.
#[test]
fn a_line_longer_than_all_playouts_brings_the_horizons_back() {
    for (hashed, threads) in [(true, 1), (false, 1), (true, 2)] {
        let game = Waiting { hashed };
        let config = ProverConfig::default().algorithm(Algorithm::Ab).goal(ProofGoal::Win);
        let config = config.threads(threads).table(1 << 20);
        let (root, budget) = (game.initial_state(), Budget::default().nodes(50_000));
        let report = prove(game, root, config, &budget).expect("a sound game");
        assert_eq!(report.proven, Value::Win, "hashed: {hashed}, {threads} threads");
    }
}
