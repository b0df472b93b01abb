use super::ludii_perft;
use crate::bad_input::{no_game, refused, same};
use crate::data::csv_rows;
use crate::perft::check;
use crate::recorded::{fairy, ludii, ludii_rows, ludii_step};
use proofwood::{Algorithm, Budget, Game, ProofGoal, ProverConfig, Rng, Turn, Value, prove};
use proofwood_games::Ataxx;
use std::collections::BTreeSet;

fn distance(from: &str, to: &str) -> u8 {
    let (from, to) = (from.as_bytes(), to.as_bytes());
    from[0].abs_diff(to[0]).max(from[1].abs_diff(to[1]))
}

/// Reduces a clone to its target cell, because clones from different cells to it are the same move.
fn merged(step: &str) -> String {
    match step.split_at_checked(2) {
        Some((from, to)) if distance(from, to) == 1 => to.to_string(),
        _ => step.to_string(),
    }
}

#[test]
fn ludii_games() {
    let board = |sites: &str| ludii_rows(sites, 7, "xo");
    let step = |text: &str| match text.starts_with(|c: char| c.is_ascii_digit()) {
        true => ludii_step(text, 7),
        false => "pass".to_string(),
    };
    assert_eq!(ludii("ataxx", &Ataxx::new(7, true).unwrap(), step, board), 10);
    assert_eq!(ludii("ataxx", &Ataxx::default(), |text| merged(&step(text)), board), 10);
}

/// Replays games from Fairy-Stockfish, where the start is mirrored left to right and a pass is a
/// step from a cell to itself.
#[test]
fn fairy_games() {
    let mirror = |text: &str| -> String {
        let text = text.strip_prefix("P@").unwrap_or(text);
        if text.len() == 4 && text[..2] == text[2..] {
            return "pass".to_string();
        }
        text.chars().map(|c| if c.is_ascii_digit() { c } else { turned(c) }).collect()
    };
    let board = |fen: &str| -> String {
        let rows = fen.split(' ').next().unwrap().split('/');
        let rows = rows.flat_map(|row| row.chars().rev());
        rows.map(|c| match c {
            'P' => 'x',
            'p' => 'o',
            empty => empty,
        })
        .collect()
    };
    fairy("ataxx", &Ataxx::default(), mirror, board);
}

fn turned(column: char) -> char {
    char::from(b'a' + (b'g' - column as u8))
}

#[test]
fn perft() {
    ludii_perft("ataxx", "moves with the same result merged (the usual count)", "ataxx");
    ludii_perft("ataxx", "clones with different origins are different moves", "ataxx:clones");
    check("fairy-stockfish", "ataxx", "ataxx");
}

/// Finds the moves of the side to move by testing all pairs of cells.
fn plain_moves(board: &[Vec<char>], own: char, origins_matter: bool) -> BTreeSet<String> {
    let size = board.len();
    let cells = || (0..size).flat_map(|row| (0..size).map(move |column| (column, row)));
    let name = |(column, row)| format!("{}{}", char::from(b'a' + column as u8), row + 1);
    let mut moves = BTreeSet::new();
    for from in cells().filter(|&(column, row)| board[row][column] == own) {
        for to in cells().filter(|&(column, row)| board[row][column] == '.') {
            let (from, to) = (name(from), name(to));
            match distance(&from, &to) {
                1 if !origins_matter => moves.insert(to),
                1 | 2 => moves.insert(from + &to),
                _ => false,
            };
        }
    }
    if moves.is_empty() {
        moves.insert("pass".to_string());
    }
    moves
}

#[test]
fn boards_of_all_sizes() {
    let mut rng = Rng::new(3);
    let mut passes = 0;
    for size in 3..=8 {
        for origins_matter in [false, true] {
            let game = Ataxx::new(size, origins_matter).unwrap();
            for _ in 0..10 {
                let mut state = game.initial_state();
                while let Turn::Player(side) = game.turn(&state) {
                    let drawn = game.board_text(&state);
                    let mut board: Vec<Vec<char>> = drawn
                        .lines()
                        .take(size)
                        .map(|row| row[1..].replace(' ', "").chars().collect())
                        .collect();
                    board.reverse();
                    let mut moves = Vec::new();
                    game.legal_moves(&state, &mut moves);
                    let texts =
                        BTreeSet::from_iter(moves.iter().map(|&mv| game.move_text(&state, mv)));
                    assert_eq!(texts.len(), moves.len());
                    assert_eq!(
                        texts,
                        plain_moves(&board, ['x', 'o'][side], origins_matter),
                        "{drawn}"
                    );
                    passes += usize::from(texts.contains("pass"));
                    let mv = game.random_move(&state, &mut Vec::new(), &mut rng).unwrap();
                    game.play(&mut state, mv);
                }
            }
        }
    }
    assert!(passes > 10, "{passes} passes");
}

#[test]
fn ends() {
    let game = Ataxx::new(4, false).unwrap();
    // The move captures the last o.
    let mut state = game.parse_state("4/4/xx2/xx1o x").unwrap();
    let mv = game.parse_move(&state, "c2").unwrap();
    game.play(&mut state, mv);
    assert_eq!(game.turn(&state), Turn::Over);
    assert_eq!((game.payoff(&state, 0), game.payoff(&state, 1)), (1, -1));
    assert_eq!(game.state_text(&state), "4/4/xxx1/xx1x x");
    let even = game.parse_state("xxxx/xxxx/oooo/oooo o").unwrap();
    assert_eq!((game.turn(&even), game.payoff(&even, 1)), (Turn::Over, 0));
    let game = game.paying_pieces();
    assert_eq!(game.payoff_range(1), -16..=16);
    assert_eq!((game.payoff(&state, 0), game.payoff(&state, 1)), (6, -6));
    let few = game.parse_state("xxxx/xxxx/ooox/oooo o").unwrap();
    assert_eq!((game.payoff(&few, 0), game.payoff(&few, 1)), (2, -2));
}

#[test]
fn positions() {
    let game = Ataxx::default();
    refused(
        &game,
        &[
            ("", "the position has 1 row separated by '/'; the board has 7"),
            ("x5o/7/7/7/7/7 x", "the position has 6 rows separated by '/'; the board has 7"),
            ("x5o/7/7/7/7/6/o5x x", "row 6 from the top has 6 cells; the board is 7 wide"),
            (
                "x5q/7/7/7/7/7/o5x x",
                "'q' in row 1 from the top, column 7, is not a piece; expected x for the first \
                 player or o for the second",
            ),
            (
                "x4+x/7/7/7/7/7/o5x x",
                "'+' in row 1 from the top, column 6, is not a piece; expected x for the first \
                 player or o for the second",
            ),
            (
                "x5o/7/2-1-2/7/2-1-2/7/o5x x",
                "blocked cells ('-') are not supported; write an empty cell as '.' or as part of a \
                 number",
            ),
            (
                "x5o/7/7/7/7/7/7 x",
                "the board has 2 pieces; the game starts with 4, and pieces never leave the board",
            ),
            ("x5o/7/7/7/7/7/o5x", "the side to move is missing; add x or o after the board"),
            ("x5o/7/7/7/7/7/o5x z", "'z' is not a side; expected x or o after the board"),
            ("x5o/7/7/7/7/7/o5x x 0 end", "unexpected 'end' after the side to move"),
        ],
    );
    same(
        &game,
        "x5o/7/7/7/7/7/o5x x",
        &["x5o/7/7/7/7/7/o5x x 0 1", "P5p/7/7/7/7/7/p5P w - - 0 1", "X.....O/7/7/7/.3.../7/O5X X"],
    );
    same(&game, "x5o/7/7/7/7/7/o5x o", &["P5p/7/7/7/7/7/p5P b - - 12 34"]);
    same(&game, "x5x/7/7/7/7/7/x5x x", &["x5x/7/7/7/7/7/x5x o"]);
    no_game(
        "ataxx:2",
        "ataxx: '2' is not a valid value for the board's width; it must be a number from 3 to 8",
    );
    no_game("ataxx:7x6", "ataxx: the board must be square, not 7x6");
    assert!(Ataxx::new(9, false).is_err());
}

#[test]
fn moves() {
    let game = Ataxx::default();
    let start = game.initial_state();
    assert_eq!(game.state_text(&start), "o5x/7/7/7/7/7/x5o x");
    let read = |text: &str| {
        game.parse_move(&start, text)
            .map(|mv| game.move_text(&start, mv))
            .map_err(|e| e.to_string())
    };
    for text in ["b2", "B2", "P@b2", "p@B2", "a1b2", "a1-b2", "A1xB2"] {
        assert_eq!(read(text).as_deref(), Ok("b2"), "{text}");
    }
    for text in ["a1c3", "a1-c3", "A1C3"] {
        assert_eq!(read(text).as_deref(), Ok("a1c3"), "{text}");
    }
    // No piece of x, too far, off the board, onto a piece, and texts that are not moves.
    for text in ["a7b6", "a1d4", "a1h1", "a1g7", "d4", "a1a1", "pass", "a1b2q", "a9", "P@", "é1"] {
        let error = read(text).unwrap_err();
        let list = "a3 ";
        assert!(
            error.starts_with(&format!("'{text}' is not a legal move here; legal moves: ")),
            "{error}"
        );
        assert!(error.contains(list), "{error}");
    }
    let clones = Ataxx::new(7, true).unwrap();
    let state = clones.parse_state("7/7/7/7/7/oo5/xx5 x").unwrap();
    let mv = clones.parse_move(&state, "c1").unwrap();
    assert_eq!(clones.move_text(&state, mv), "b1c1");
    let state = clones.parse_state("7/7/7/7/7/x6/xoo4 x").unwrap();
    assert!(clones.parse_move(&state, "a3").is_ok());
    assert!(clones.parse_move(&state, "b2").is_err());
    assert!(clones.parse_move(&state, "a1b2").is_ok());
}

/// Compares proven wins and their margins with tables of all positions, computed backwards from the
/// ends of the game.
#[test]
fn provers_agree_with_tables_made_backwards() {
    let rows = csv_rows("small_boards/ataxx.csv");
    assert!(rows.len() >= 200, "{} rows", rows.len());
    let mut undecided = 0;
    for (number, row) in rows.iter().enumerate() {
        let [size, text, question, answer] = [0, 1, 2, 3].map(|field| row[field].as_str());
        let game = Ataxx::new(size.parse().unwrap(), false).unwrap().paying_pieces();
        let state = game.parse_state(text).unwrap();
        let Turn::Player(mover) = game.turn(&state) else { panic!("{text} is over") };
        let algorithm = [Algorithm::Ab, Algorithm::Dfpn][number % 2];
        let asked = |goal, player: usize| {
            let config = ProverConfig::default().algorithm(algorithm).threads(1).table(1 << 24);
            let config = config.goal(goal).player(player);
            prove(game.clone(), state, config, &Budget::default()).unwrap()
        };
        let wins = |player| asked(ProofGoal::Win, player).proven == Value::Win;
        let found = match question {
            "winner" => match (wins(mover), wins(1 - mover)) {
                (true, false) => "win".to_string(),
                (false, true) => "loss".into(),
                (false, false) => "neither".into(),
                (true, true) => "both".into(),
            },
            "pieces" => asked(ProofGoal::Score, mover).bounds.lower.unwrap().to_string(),
            question => panic!("{question}"),
        };
        assert_eq!(found, answer, "{question} of {text}");
        undecided += usize::from(answer == "neither");
    }
    assert!(undecided >= 4, "{undecided} that nobody wins");
}
