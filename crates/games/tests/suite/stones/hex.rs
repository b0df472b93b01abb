//! Compares the rules of Hex with OpenSpiel, known values, and a search for chains cell by cell.

use super::Board;
use super::hex_must_play::LOOKS;
use crate::data::csv_rows;
use crate::oracle::Oracle;
use crate::{perft, recorded, small_boards};
use proofwood::{Game, Rng, StaticBound, Turn};
use proofwood_games::Hex;
use proofwood_testkit::rounds::rounds;
use std::collections::BTreeSet;

fn square(size: usize) -> Hex {
    Hex::new(size, size).expect("a possible size")
}

/// Replays games from OpenSpiel, which uses the same names for cells and sides but indents the
/// rows.
#[test]
fn openspiel_games() {
    let cells = |board: &str| board.replace(char::is_whitespace, "").to_uppercase();
    for size in 3..=5 {
        recorded::openspiel(&format!("hex_{size}"), &square(size), str::to_string, cells);
    }
}

#[test]
fn openspiel_perft() {
    perft::check("openspiel", "hex_3", "hex:3");
    perft::check("openspiel", "hex_4", "hex:4");
    perft::check("openspiel", "hex_5", "hex:5");
}

fn winning_moves(game: &Hex) -> BTreeSet<String> {
    match Oracle::new(game, 0).solve() {
        (1, moves) => BTreeSet::from_iter(moves),
        _ => BTreeSet::new(),
    }
}

#[test]
fn small_boards_have_the_known_winning_moves() {
    let mut rows = 0;
    for row in csv_rows("small_boards/computed_values.csv") {
        if row[0] == "hex" {
            let (height, width) = small_boards::rows_and_columns(&row[1]);
            let game = Hex::new(width, height).unwrap();
            // The field contains the moves, followed by their number.
            let (moves, _) = row[3].split_once('(').expect("a number of moves");
            let expected = moves.split_whitespace().map(str::to_string).collect();
            assert_eq!(winning_moves(&game), expected, "{row:?}");
            rows += 1;
        }
    }
    assert_eq!(rows, 3);
    let (value, moves) = small_boards::openspiel("hex(board_size=3)", str::to_string);
    assert_eq!((value, moves), (1, winning_moves(&square(3))));
}

/// Checks that only the openings on the short diagonal win on 4x4 (benzene's regression tests).
#[test]
fn openings_on_4x4() {
    let expected = ["a4", "b3", "c2", "d1"].map(str::to_string);
    assert_eq!(winning_moves(&square(4)), BTreeSet::from(expected));
}

/// Checks that the side whose edges are closer together wins, even as the second player.
#[test]
fn the_shorter_way_wins() {
    for (width, height, value) in [(4, 3, 1), (3, 4, -1), (3, 2, 1), (1, 5, -1), (5, 1, 1)] {
        let game = Hex::new(width, height).unwrap();
        let start = game.initial_state();
        assert_eq!(Oracle::new(&game, 0).value(&start), value, "{width}x{height}");
        let rows = vec![".".repeat(width); height].join("/");
        let second = game.parse_state(&format!("{rows} O")).unwrap();
        assert_eq!(Oracle::new(&game, 0).value(&second), value, "{width}x{height}, white first");
    }
}

/// A cell's neighbours, as (right, down), if every row is drawn half a cell to the right of the one
/// above it.
const STEPS: [(isize, isize); 6] = [(1, 0), (-1, 0), (0, 1), (0, -1), (-1, 1), (1, -1)];

fn winner(board: &Board) -> Option<char> {
    let (width, height) = (board.rows[0].len(), board.rows.len());
    board.cells().filter(|&cell| board.at(cell) != '.').find_map(|cell| {
        let mark = board.at(cell);
        let chain = board.group(cell, &STEPS);
        let touches = |column, row| match mark {
            'X' => chain.iter().any(|cell| cell.1 == row),
            _ => chain.iter().any(|cell| cell.0 == column),
        };
        (touches(0, 0) && touches(width - 1, height - 1)).then_some(mark)
    })
}

#[test]
fn chains_are_found_on_boards_of_every_shape() {
    let mut rng = Rng::new(1);
    let mut won = [0, 0];
    for width in 1..=11 {
        for height in 1..=11 {
            let game = Hex::new(width, height).unwrap();
            for _ in 0..8 {
                let mut state = game.initial_state();
                loop {
                    let text = game.state_text(&state);
                    let board = Board::read(&text);
                    let winner = winner(&board);
                    assert_eq!(game.turn(&state) == Turn::Over, winner.is_some(), "{text}");
                    if let Some(winner) = winner {
                        assert_eq!(winner, board.other(), "{text}");
                        assert_eq!(game.payoff(&state, 0), if winner == 'X' { 1 } else { -1 });
                        won[usize::from(winner == 'O')] += 1;
                        break;
                    }
                    let mv = game.random_move(&state, &mut Vec::new(), &mut rng).expect("a move");
                    game.play(&mut state, mv);
                }
            }
        }
    }
    assert!(won.iter().all(|&games| games > 300), "{won:?}");
}

/// Compares static bounds from links with exhaustive search on boards of all shapes. The bounds
/// must decide more than a third of the positions, and more than half for provers.
#[test]
fn foreseen_winners_win() {
    let (mut static_bound, mut asked) = ([0; 2], 0);
    for (width, height) in [(3, 3), (4, 4), (5, 5), (3, 5), (6, 3), (4, 6), (6, 6)] {
        let game = Hex::new(width, height).unwrap();
        let mut oracle = Oracle::new(&game, 0);
        let mut rng = Rng::new(width as u64 * 100 + height as u64);
        for _ in 0..rounds(60) {
            let mut state = game.initial_state();
            while let Some(mv) = game.random_move(&state, &mut Vec::new(), &mut rng) {
                game.play(&mut state, mv);
                if game.turn(&state) == Turn::Over {
                    break;
                }
                if game.mobility(&state, &mut Vec::new()) > 13 {
                    continue;
                }
                asked += 1;
                let side = if game.turn(&state) == Turn::Player(0) { 1 } else { -1 };
                for (look, static_bound) in LOOKS.into_iter().zip(&mut static_bound) {
                    let mut moves = Vec::new();
                    let told = look(&game, &state, &mut moves);
                    if told != StaticBound::Moves {
                        moves.clear();
                        game.legal_moves(&state, &mut moves);
                    }
                    let kept = moves.iter().map(|&mv| oracle.value(&game.after(&state, mv)));
                    let best = kept.map(|value| value * side).max();
                    let board = game.board_text(&state);
                    assert_eq!(best, Some(oracle.value(&state) * side), "{board}");
                    if let StaticBound::Payoff(payoff) = told {
                        *static_bound += 1;
                        assert_eq!(payoff, oracle.value(&state), "\n{board}");
                    }
                }
            }
        }
    }
    let [glance, closely] = static_bound;
    assert!(glance * 3 > asked && closely * 2 > asked, "{static_bound:?} of {asked}");
}
