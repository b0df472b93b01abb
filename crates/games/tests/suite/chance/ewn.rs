use super::{check_weights, mean};
use crate::bad_input::{no_game, refused, same};
use crate::data::{csv_rows, jsonl};
use crate::recorded::Replay;
use proofwood::{Game, Turn};
use proofwood_games::Ewn;
use proofwood_games::ewn::{Move, Setup};
use serde::Deserialize;
use std::collections::{BTreeSet, HashMap};

#[derive(Deserialize)]
struct Record {
    id: u32,
    moves: Vec<String>,
    players: Vec<i32>,
    n_legal: Vec<usize>,
    returns: Vec<f64>,
    /// The legal moves at each ply; `None` for the choice among 720 orders.
    legal: Option<Vec<Option<Vec<String>>>>,
    final_state: Option<String>,
}

/// Replays games from OpenSpiel. Its player 1, White, moves first and corresponds to our first
/// player, but Black's stones are placed first. A placement is given as the number of a permutation
/// of the stones in reading order. A step is written as the stone, its direction, and `*` if it
/// captures a stone.
#[test]
fn openspiel_games() {
    let game = Ewn::new(5, Setup::Random).unwrap();
    let games: Vec<Record> = jsonl("playouts_openspiel/einstein_wurfelt_nicht.jsonl");
    assert!(!games.is_empty());
    for record in games {
        let mut replay = Replay::new(&game);
        for at in [1, 0] {
            assert_eq!((record.players[at], record.n_legal[at]), (-1, 720));
            assert_eq!(game.turn(&replay.state), Turn::Chance);
            assert_eq!(replay.moves().len(), 720);
            let (_, action) = record.moves[at].rsplit_once(' ').expect("an action");
            game.play(&mut replay.state, Move::Place(action.parse().unwrap()));
        }
        for (ply, text) in record.moves.iter().enumerate().skip(2) {
            let at = format!("game {} ply {ply}", record.id);
            let turn = match record.players[ply] {
                -1 => Turn::Chance,
                player => Turn::Player(1 - player as usize),
            };
            assert_eq!(game.turn(&replay.state), turn, "{at}");
            let moves = replay.moves();
            assert_eq!(moves.len(), record.n_legal[ply], "{at}");
            let board = cells(&game.state_text(&replay.state));
            if let Some(legal) = &record.legal {
                let legal = legal[ply].iter().flatten().map(|mv| translate(&board, mv));
                assert_eq!(moves, legal.collect::<BTreeSet<String>>(), "{at}");
            }
            replay.play(&translate(&board, text));
        }
        assert!(replay.is_over(), "game {}", record.id);
        let payoffs = [1, 0].map(|player| f64::from(game.payoff(&replay.state, player)));
        assert_eq!(payoffs, record.returns[..], "game {}", record.id);
        if let Some(last) = &record.final_state {
            assert_eq!(cells(&game.state_text(&replay.state)), theirs(last), "game {}", record.id);
        }
    }
}

type Cells = HashMap<char, (usize, usize)>;

fn cells(text: &str) -> Cells {
    let (board, _) = text.split_once(' ').expect("a board");
    let mut cells = HashMap::new();
    for (row, text) in board.split('/').rev().enumerate() {
        let mut column = 0;
        for c in text.chars() {
            match c.to_digit(10) {
                Some(empty) => column += empty as usize,
                None => {
                    cells.insert(c, (column, row));
                    column += 1;
                }
            }
        }
    }
    cells
}

fn letter(stone: &str) -> char {
    let first = if stone.starts_with(['w', 'W']) { b'A' } else { b'a' };
    char::from(first + stone.as_bytes()[1] - b'1')
}

/// Reads the stones from a drawing by OpenSpiel such as `|w4||__|`.
fn theirs(drawing: &str) -> Cells {
    let mut cells = HashMap::new();
    for (row, text) in drawing.lines().filter(|line| !line.is_empty()).rev().enumerate() {
        let stones = text.split('|').filter(|stone| !stone.is_empty());
        for (column, stone) in stones.enumerate().filter(|(_, stone)| *stone != "__") {
            cells.insert(letter(stone), (column, row));
        }
    }
    cells
}

fn translate(board: &Cells, text: &str) -> String {
    if let Some(die) = text.strip_prefix("roll ") {
        return die.to_string();
    }
    let (stone, direction) = text.split_once('-').expect(text);
    let (column, row) = board[&letter(stone)];
    let (to_column, to_row) = match (stone.starts_with('W'), direction.trim_end_matches('*')) {
        (true, "up") => (column, row + 1),
        (true, "left") => (column - 1, row),
        (true, "diag") => (column - 1, row + 1),
        (false, "down") => (column, row - 1),
        (false, "right") => (column + 1, row),
        (false, "diag") => (column + 1, row - 1),
        _ => panic!("{text}"),
    };
    let taken = board.values().any(|&cell| cell == (to_column, to_row));
    assert_eq!(taken, direction.ends_with('*'), "{text}");
    let name = |column, row| format!("{}{}", char::from(b'a' + column as u8), row + 1);
    name(column, row) + &name(to_column, to_row)
}

#[test]
fn openspiel_perft() {
    let game = Ewn::new(5, Setup::Random).unwrap();
    let rows = csv_rows("perft/perft_start.csv");
    let rows = rows.iter().filter(|row| row[1] == "einstein_wurfelt_nicht");
    let counts: Vec<&str> = rows.map(|row| row[4].as_str()).collect();
    // There are 720 * 720 positions with six rolls in each.
    assert_eq!(counts, ["720", "518400", "3110400"]);
    let found = [1, 2].map(|depth| proofwood_games::perft(&game, &game.initial_state(), depth));
    assert_eq!(found, [720, 518_400]);
    let mut placed = game.initial_state();
    game.play(&mut placed, Move::Place(0));
    game.play(&mut placed, Move::Place(719));
    assert_eq!(game.mobility(&placed, &mut Vec::new()), 6);
}

#[test]
fn dice_and_orders_are_fair() {
    check_weights(&Ewn::default(), |_| 6);
    check_weights(&Ewn::new(3, Setup::Fixed).unwrap(), |_| 3);
    for (size, orders, sides) in [(3, 6, 3), (4, 6, 3), (5, 720, 6)] {
        let game = Ewn::new(size, Setup::Random).unwrap();
        check_weights(&game, |state| match game.state_text(state).ends_with("place") {
            true => orders,
            false => sides,
        });
    }
}

/// Checks the probability that a stone can move. If the die shows a captured stone's number, the
/// player may move the stone with the next lower or the next higher number.
#[test]
fn gone_stones_lend_their_numbers() {
    let game = Ewn::default();
    let state = game.parse_state("a1c2/5/4F/5/C4 w roll").unwrap();
    let can = |from: &str| {
        mean(&game, &state, |next| {
            let mut moves = Vec::new();
            game.legal_moves(next, &mut moves);
            let any = moves.iter().any(|&mv| game.move_text(next, mv).starts_with(from));
            f64::from(u8::from(any))
        })
    };
    // White has stone 3 on a1 and stone 6 on e3: 1, 2 and 3 move stone 3, 4 and 5 either one.
    assert!((can("a1") - 5.0 / 6.0).abs() < 1e-12);
    assert!((can("e3") - 3.0 / 6.0).abs() < 1e-12);
}

/// Computes the value of a small board by plain recursion. Stones only advance, so every game ends.
fn value(game: &Ewn, state: &<Ewn as Game>::State, memo: &mut Memo) -> f64 {
    if let Some(&value) = memo.get(state) {
        return value;
    }
    let mut moves = Vec::new();
    let found = match game.turn(state) {
        Turn::Over => f64::from(game.payoff(state, 0)),
        Turn::Chance => mean(game, state, |next| value(game, next, memo)),
        Turn::Player(player) => {
            game.legal_moves(state, &mut moves);
            let sign = if player == 0 { 1.0 } else { -1.0 };
            let values = moves.iter().map(|&mv| sign * value(game, &game.after(state, mv), memo));
            sign * values.fold(f64::MIN, f64::max)
        }
    };
    memo.insert(*state, found);
    found
}

type Memo = HashMap<<Ewn as Game>::State, f64>;

/// Checks that the start has the mean value of all numberings if they are random, and the value
/// under best play if players choose them.
#[test]
fn setups_of_three_by_three() {
    let game = Ewn::new(3, Setup::Random).unwrap();
    let mut memo = HashMap::new();
    let mut values = [[0.0; 6]; 6];
    for (white, row) in (0..).zip(&mut values) {
        let placed = game.after(&game.initial_state(), Move::Place(white));
        for (black, found) in (0..).zip(row) {
            *found = value(&game, &game.after(&placed, Move::Place(black)), &mut memo);
        }
    }
    let solve = |setup| {
        let game = Ewn::new(3, setup).unwrap();
        value(&game, &game.initial_state(), &mut HashMap::new())
    };
    let mean = values.as_flattened().iter().sum::<f64>() / 36.0;
    assert!((solve(Setup::Random) - mean).abs() < 1e-12);
    let worst = values.map(|row| row.into_iter().fold(f64::MAX, f64::min));
    let chosen = worst.into_iter().fold(f64::MIN, f64::max);
    assert!((solve(Setup::Chosen) - chosen).abs() < 1e-12);
    // In the fixed setup, White has the numbering 321 and Black has 123.
    assert!((solve(Setup::Fixed) - values[5][0]).abs() < 1e-12);
}

#[test]
fn starts() {
    for (size, text) in [
        (3, "ab1/c1C/1BA w roll"),
        (4, "ab2/c3/3C/2BA w roll"),
        (5, "abc2/de3/f3F/3ED/2CBA w roll"),
        (6, "abc3/de4/f5/5F/4ED/3CBA w roll"),
    ] {
        let game = Ewn::new(size, Setup::Fixed).unwrap();
        assert_eq!(game.state_text(&game.initial_state()), text);
    }
    let game = Ewn::new(5, Setup::Chosen).unwrap();
    let mut state = game.initial_state();
    assert_eq!(game.state_text(&state), "5/5/5/5/5 w place");
    assert_eq!(game.turn(&state), Turn::Player(0));
    state = game.after(&state, game.parse_move(&state, "512346").unwrap());
    assert_eq!(game.state_text(&state), "5/5/4E/3AB/2CDF b place");
    assert_eq!(game.turn(&state), Turn::Player(1));
    state = game.after(&state, game.parse_move(&state, "654321").unwrap());
    assert_eq!(game.state_text(&state), "fed2/cb3/a3E/3AB/2CDF w roll");
    assert_eq!(game.turn(&state), Turn::Chance);
    assert_eq!(
        game.board_text(&state),
        "5 f e d . .\n4 c b . . .\n3 a . . . E\n2 . . . A B\n1 . . C D F\n  a b c d e\n\
         White: roll\n",
    );
}

/// Plays moves from a position; returns the text of the last position.
fn play(game: &Ewn, from: &str, moves: &str) -> String {
    let mut state = game.parse_state(from).unwrap();
    for mv in game.split_moves(moves) {
        state = game.after(&state, game.parse_move(&state, mv).unwrap());
    }
    game.state_text(&state)
}

#[test]
fn captures_and_ends() {
    let game = Ewn::new(5, Setup::Random).unwrap();
    // A stone in the far corner wins, whether or not it captures a stone there.
    let won = play(&game, "a4/B4/5/4b/4C w 2", "a4a5");
    assert_eq!(won, "B4/5/5/4b/4C b over");
    let state = game.parse_state(&won).unwrap();
    assert_eq!(game.turn(&state), Turn::Over);
    assert_eq!([game.payoff(&state, 0), game.payoff(&state, 1)], [1, -1]);
    assert_eq!(play(&game, "1A3/5/5/4b/5 b 1", "e2e1"), "1A3/5/5/5/4b w over");
    // A capture of the other side's last stone wins.
    assert_eq!(play(&game, "5/5/2b2/3A1/5 w 6", "d2c3"), "5/5/2A2/5/5 b over");
    // A stone may capture a stone of its own side.
    assert_eq!(play(&game, "a4/5/5/3A1/4B w 2", "e1-d2"), "a4/5/5/3B1/5 b roll");
    assert_eq!(play(&game, "a4/1b3/5/3A1/5 b roll", "1 a5xb4"), "5/1a3/5/3A1/5 w roll");
}

#[test]
fn moves() {
    let game = Ewn::default();
    let state = game.parse_state("ab3/5/4F/3ED/3B1 w 3").unwrap();
    for text in ["d1d2", "D1-D2", "d1xd2"] {
        assert_eq!(game.move_text(&state, game.parse_move(&state, text).unwrap()), "d1d2");
    }
    // Stone 3 is captured, so stone 2 or stone 4 moves.
    for text in ["", "d2d3", "3", "roll", "d1d3", "e3d3"] {
        assert_eq!(
            game.parse_move(&state, text).unwrap_err().to_string(),
            format!(
                "'{text}' is not a legal move here; legal moves: d1d2 d1c2 d1c1 e2e3 e2d3 e2d2"
            ),
        );
    }
    let error = game.parse_move(&game.initial_state(), "7").unwrap_err().to_string();
    assert_eq!(error, "'7' is not a legal move here; legal moves: 1 2 3 4 5 6");
    let random = Ewn::new(4, Setup::Random).unwrap();
    let error = random.parse_move(&random.initial_state(), "124").unwrap_err().to_string();
    assert_eq!(error, "'124' is not a legal move here; legal moves: 123 132 213 231 312 321");
}

#[test]
fn positions() {
    let game = Ewn::default();
    refused(
        &game,
        &[
            ("", "the position has 1 row separated by '/'; the board has 5"),
            (
                "abc2/de3/f3G/3ED/2CBA w",
                "'G' in row 3 from the top, column 5, is not a piece; expected A to F for a white \
                 stone or a to f for a black one",
            ),
            ("abc2/de3/f3F/3EE/2CBA w", "White's stone 5 stands on both d2 and e2"),
            ("abc2/de3/f3F/3ED/2CBA x", "'x' is not a side; expected w or b after the board"),
            (
                "abc2/de3/f3F/3ED/2CBA w 7",
                "unexpected '7'; expected roll or the number on the die, 1 to 6",
            ),
            (
                "abc2/de3/f3F/3ED/2CBA w over",
                "unexpected 'over'; expected roll or the number on the die, 1 to 6",
            ),
            ("abc2/de3/f3F/3ED/2CBA w 3 4", "unexpected '4' after the side and the die"),
            (
                "abc2/de3/f3F/3ED/2CBA",
                "the side to move is missing; expected w or b after the board",
            ),
            (
                "abc2/de3/f3F/3ED/2CAB w",
                "White's stone on e1 cannot have come from its starting cell, d1",
            ),
            (
                "bac2/de3/f3F/3ED/2CBA w",
                "Black's stone on a5 cannot have come from its starting cell, b5",
            ),
            ("5/5/5/5/5 w", "there are no stones on the board"),
            ("5/5/4F/3ED/2CBA b", "Black has no stones, but White's stones have not moved"),
            (
                "A4/5/5/5/4a w",
                "both sides have reached the far corner, but the first to get there has already \
                 won",
            ),
            ("A4/5/5/3a1/5 w", "it cannot be White's turn: White has won"),
            ("A4/5/5/3a1/5 b 3", "unexpected '3'; expected over"),
        ],
    );
    same(&game, "abc2/de3/f3F/3ED/2CBA w roll", &[" abc../de---/f3F/3ED/2CBA  White "]);
    same(&game, "a4/5/5/3A1/5 b 6", &["a4/5/5/3A1/5 B 6"]);
    same(&game, "A4/5/5/3a1/5 b over", &["A4/5/5/3a1/5", "A4/5/5/3a1/5 b"]);
    let random = Ewn::new(5, Setup::Random).unwrap();
    refused(
        &random,
        &[
            ("5/5/4F/3ED/2CBA w", "it cannot be White's turn: Black's stones are not yet placed"),
            ("5/5/4F/3ED/2CBA b 3", "unexpected '3'; expected place"),
            ("a4/5/5/5/FEDC1 w", "White's stones cannot all have come from their corner"),
            ("a4/b4/c4/d4/4A w", "Black's stones cannot all have come from their corner"),
        ],
    );
    same(&random, "5/5/5/5/5 w place", &["5/5/5/5/5", "5/5/5/5/5 w"]);
    same(&random, "5/5/4F/3ED/2CBA b place", &["5/5/4F/3ED/2CBA"]);
    same(&random, "bac2/de3/f3F/3ED/2CBA w 5", &["bac2/de3/f3F/3ED/2CBA W 5"]);
}

#[test]
fn impossible_games() {
    no_game("ewn:9", "ewn: '9' is not a valid value for SIZE; it must be a number from 3 to 8");
    no_game(
        "ewn:setup=free",
        "ewn: 'free' is not a valid value for setup; it must be fixed or random or chosen",
    );
    assert!(Ewn::new(2, Setup::Fixed).is_err());
}
