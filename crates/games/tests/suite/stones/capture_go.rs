//! Compares the rules of Atari Go and NoGo with values from other programs and with liberties
//! counted cell by cell.

use super::{Board, Cell};
use crate::data::csv_rows;
use crate::oracle::Oracle;
use crate::small_boards::rows_and_columns;
use proofwood::{DomainKnowledge, Game, Rng, StaticBound, Turn};
use proofwood_games::CaptureGo;
use std::collections::BTreeSet;

#[test]
fn small_boards_have_the_known_winner() {
    let mut rows = 0;
    for row in csv_rows("small_boards/computed_values.csv") {
        let (height, width) = match row[0].as_str() {
            "atarigo" | "atarigo_crosscut" | "nogo" => rows_and_columns(&row[1]),
            _ => continue,
        };
        // The largest board takes half a minute.
        if row[..2] == ["atarigo", "4rows x 5cols"] && cfg!(debug_assertions) {
            continue;
        }
        let game = match row[0].as_str() {
            "nogo" => CaptureGo::nogo(width, height),
            name => CaptureGo::atari_go(width, height, name == "atarigo_crosscut"),
        };
        let game = game.unwrap();
        let winner = match Oracle::new(&game, 0).value(&game.initial_state()) {
            1 => "first",
            _ => "second",
        };
        assert_eq!(winner, row[3], "{row:?}");
        rows += 1;
    }
    assert_eq!(rows, if cfg!(debug_assertions) { 16 } else { 17 });
}

const STEPS: [(isize, isize); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];

fn liberties(board: &Board, stone: Cell) -> usize {
    let beside = board.group(stone, &STEPS).into_iter().flat_map(|c| board.neighbours(c, &STEPS));
    beside.filter(|&cell| board.at(cell) == '.').collect::<BTreeSet<Cell>>().len()
}

fn judge(board: &mut Board, cell: Cell) -> (bool, bool) {
    let (own, other) = (board.side, board.other());
    board.rows[cell.1][cell.0] = own;
    let enemies = board.neighbours(cell, &STEPS).into_iter().filter(|&c| board.at(c) == other);
    let captures = enemies.collect::<Vec<_>>().iter().any(|&c| liberties(board, c) == 0);
    let lives = liberties(board, cell) > 0;
    board.rows[cell.1][cell.0] = '.';
    (lives, captures)
}

fn name(board: &Board, (column, row): Cell) -> String {
    format!("{}{}", char::from(b'a' + column as u8), board.rows.len() - row)
}

#[derive(Debug, Default)]
struct Ends {
    captures: usize,
    stuck: usize,
}

fn check(game: &CaptureGo, capture_wins: bool, rng: &mut Rng, ends: &mut Ends) {
    let mut state = game.initial_state();
    let mut captured = false;
    loop {
        let text = game.state_text(&state);
        let mut board = Board::read(&text);
        let mut legal = BTreeSet::new();
        let mut capturing = BTreeSet::new();
        let empty: Vec<Cell> = board.cells().filter(|&c| board.at(c) == '.').collect();
        for cell in empty {
            let (lives, captures) = judge(&mut board, cell);
            if captures {
                capturing.insert(name(&board, cell));
            }
            if if capture_wins { lives || captures } else { lives && !captures } {
                legal.insert(name(&board, cell));
            }
        }
        let over = captured || legal.is_empty();
        assert_eq!(game.turn(&state) == Turn::Over, over, "{text}");
        if over {
            let winner = usize::from(board.other() == 'O');
            assert_eq!(game.payoff(&state, winner), 1, "{text}");
            *if captured { &mut ends.captures } else { &mut ends.stuck } += 1;
            return;
        }
        let mut moves = Vec::new();
        game.legal_moves(&state, &mut moves);
        let named = moves.iter().map(|&mv| game.move_text(&state, mv)).collect::<BTreeSet<_>>();
        assert_eq!(named, legal, "{text}");
        // Most captures are skipped to make games longer.
        let spared = rng.below(8) > 0;
        let quiet = |mv: &u8| !spared || !capturing.contains(&game.move_text(&state, *mv));
        let choice: Vec<u8> = moves.iter().copied().filter(quiet).collect();
        let choice = if choice.is_empty() { moves } else { choice };
        let mv = choice[rng.below(choice.len() as u32) as usize];
        captured = capturing.contains(&game.move_text(&state, mv));
        game.play(&mut state, mv);
    }
}

#[test]
fn liberties_are_counted_on_boards_of_every_shape() {
    let mut rng = Rng::new(1);
    let (mut atari_go, mut nogo) = (Ends::default(), Ends::default());
    for width in 1..=9 {
        for height in 1..=9 {
            for crosscut in [false, true] {
                if let Ok(game) = CaptureGo::atari_go(width, height, crosscut) {
                    (0..5).for_each(|_| check(&game, true, &mut rng, &mut atari_go));
                }
            }
            let game = CaptureGo::nogo(width, height).unwrap();
            (0..10).for_each(|_| check(&game, false, &mut rng, &mut nogo));
        }
    }
    assert!(atari_go.captures > 300 && atari_go.stuck > 30, "{atari_go:?}");
    assert!(nogo.captures == 0 && nogo.stuck == 810, "{nogo:?}");
}

/// Compares static bounds with plain recursion: payoffs must be right, and the pushed move optimal.
#[test]
fn what_ataris_tell_is_so() {
    let (mut payoffs, mut moves_told, mut asked) = ([0, 0], 0, 0);
    for (width, height) in [(3, 4), (4, 3), (5, 2), (2, 6), (3, 3), (7, 1)] {
        let game = CaptureGo::atari_go(width, height, false).unwrap();
        let mut oracle = Oracle::new(&game, 0);
        let mut rng = Rng::new(5 * width as u64 + height as u64);
        for _ in 0..300 {
            let mut state = game.initial_state();
            while let Turn::Player(mover) = game.turn(&state) {
                let board = game.board_text(&state);
                asked += 1;
                let mut moves = Vec::new();
                match game.knowledge().static_bound_for_prover(&state, &mut moves) {
                    StaticBound::Payoff(payoff) => {
                        assert_eq!(payoff, oracle.value(&state), "{board}");
                        payoffs[usize::from((payoff == 1) == (mover == 0))] += 1;
                    }
                    StaticBound::Moves => {
                        assert_eq!(moves.len(), 1, "{board}");
                        let next = game.after(&state, moves[0]);
                        assert_eq!(oracle.value(&next), oracle.value(&state), "{board}");
                        moves_told += 1;
                    }
                    static_bound => assert_eq!(static_bound, StaticBound::Nothing, "{board}"),
                }
                let mv = game.random_move(&state, &mut Vec::new(), &mut rng).expect("a move");
                game.play(&mut state, mv);
            }
        }
    }
    let [lost, won] = payoffs;
    assert!(lost * 20 > asked && won * 10 > asked, "{payoffs:?} of {asked}");
    assert!(moves_told * 50 > asked, "{moves_told} of {asked}");
}
