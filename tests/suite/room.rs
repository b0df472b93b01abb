//! Tests of positions with more moves than a small memory, or one of its free blocks, holds.

use proofwood::{Budget, Config, Game, Search, SearchError, Turn, Value};
use proofwood_testkit::toy::{Position, Toy, toy};
use std::ops::RangeInclusive;

/// A tree with `width` moves at each ply, which ends at ply 10 or does not end. Besides the tree
/// there is a position at ply 99 with one move, which leads to a position with `apart` moves. The
/// last of these wins for the side to move, and all others lose.
struct Apart {
    width: u32,
    apart: u32,
    ends: bool,
    /// The player who moves at even plies.
    first: usize,
}

/// The ply, a number that distinguishes positions of a ply, and whether the last move was good.
type State = (u32, u64, bool);

impl Game for Apart {
    type State = State;
    type Move = u32;

    fn initial_state(&self) -> State {
        (0, 1, false)
    }
    fn turn(&self, &(ply, number, _): &State) -> Turn {
        let over = ply == 101 && number == 0 || ply == 10 && self.ends;
        if over { Turn::Over } else { Turn::Player((ply as usize + self.first) % 2) }
    }
    fn legal_moves(&self, &(ply, number, _): &State, moves: &mut Vec<u32>) {
        moves.extend(
            0..match (ply, number) {
                (99, 0) => 1,
                (100, 0) => self.apart,
                _ => self.width,
            },
        );
    }
    fn play(&self, (ply, number, good): &mut State, mv: u32) {
        (*ply, *good) = (*ply + 1, mv + 1 == self.apart);
        if *number > 0 {
            let next = number.wrapping_mul(0x5851_f42d_4c95_7f2d);
            *number = next.wrapping_add(u64::from(mv) + 1).max(1);
        }
    }
    fn payoff(&self, &(_, number, good): &State, player: usize) -> i32 {
        let random = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 63 == 0;
        let first = if number == 0 { good } else { random };
        if first == (player == self.first) { 1 } else { -1 }
    }
    fn payoff_range(&self, _: usize) -> RangeInclusive<i32> {
        -1..=1
    }
    fn zero_sum(&self) -> bool {
        true
    }
    fn key(&self, &(ply, number, good): &State) -> Option<u64> {
        let number = number << 9 | u64::from(ply) << 1 | u64::from(good);
        Some((number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
}

fn config(memory: u64) -> Config {
    Config::default().threads(1).memory(memory).look_ahead(false).audit(true)
}

fn playouts(search: &mut Search<Toy>, playouts: u64) -> proofwood::Report<Toy> {
    let report = search.search(&Budget::default().playouts(playouts)).expect("sound rules");
    search.audit().unwrap_or_else(|wrong| panic!("{wrong}"));
    report
}

/// The old tree leaves free blocks of 1,024 nodes. A position with more moves therefore needs new
/// memory, and the root has no children until memory is free.
#[test]
fn a_new_root_finds_room_and_is_not_lost_before_it_has_children() {
    for apart in [1_025, 1_500, 3_000] {
        let (game, root) = toy(Apart { width: 8, apart, ends: true, first: 0 });
        let mut search = Search::new(game, root, config(400 << 10)).unwrap();
        playouts(&mut search, 40_000);
        let moved = search.set_position(Position::of((100_u32, 0_u64, false)));
        moved.unwrap_or_else(|error| panic!("{apart} moves: {error}"));
        let report = playouts(&mut search, 4_000);
        assert_eq!(report.proven, Value::Win, "{apart} moves");
    }
}

/// If the memory does not hold the root's moves, nothing is concluded from its missing children,
/// and a background prover finds the answer.
#[test]
fn a_root_without_moves_is_not_lost_because_it_has_none() {
    for (share, apart, first) in
        [(0.9, 21_000, 1), (0.9, 21_000, 0), (0.0, 40_000, 0), (0.0, 40_000, 1)]
    {
        let (game, _) = toy(Apart { width: 1, apart, ends: true, first });
        let config = config(1 << 20).prover_share(share);
        let root = Position::of((99_u32, 0_u64, false));
        let mut search = Search::new(game, root, config).expect("one move fits");
        let moved = search.advance(0);
        assert!(matches!(moved, Err(SearchError::Memory { .. })), "{moved:?}");
        let report = playouts(&mut search, 300);
        assert_eq!((report.to_move, report.moves.len()), (Some(first), 0));
        assert!(matches!(report.proven, Value::Unknown | Value::Win), "{report:?}");
        assert!(report.proof_numbers.iter().all(|number| number.is_open()), "{report:?}");
    }
}

/// Each pruning frees many blocks of the requested size. So a search of wide positions prunes
/// rarely, and not at each check of the memory.
#[test]
fn wide_positions_do_not_fill_the_memory_at_once_again() {
    const PLAYOUTS: u64 = 4_000;
    for width in [1_000, 1_500, 2_000] {
        let (game, root) = toy(Apart { width, apart: 1, ends: false, first: 0 });
        let mut search = Search::new(game, root, config(4 << 20)).expect("it fits");
        let report = playouts(&mut search, PLAYOUTS);
        // A thread checks the memory every 16 playouts.
        assert!(report.prunes < PLAYOUTS / 16 / 2, "{width} moves: {} prunings", report.prunes);
    }
}
