//! Compares Breakthrough and Knightthrough with records and values from other programs.

use crate::bad_input::{no_game, refused, same};
use crate::data::csv_rows;
use crate::oracle::Oracle;
use crate::perft::{check, count};
use crate::recorded::{fairy, fen_rows, ludii, ludii_rows, ludii_step, openspiel};
use proofwood::{DomainKnowledge, Game, Rng, StaticBound, Turn};
use proofwood_games::Through;
use proofwood_games::through::{Piece, Stuck};
use proofwood_testkit::rounds::rounds;
use std::collections::BTreeSet;

#[test]
fn ludii_games() {
    let game = Through::knightthrough(8, 8).unwrap();
    let translate = |mv: &str| ludii_step(mv, 8);
    ludii("knightthrough", &game, translate, |board| ludii_rows(board, 8, "Nn"));
    // In Ludii's Breakthrough, a player who cannot move passes; this does not occur in these games.
    for stuck in [Stuck::Passes, Stuck::Loses] {
        let game = Through::new(Piece::Pawn, 8, 8, 2, stuck).unwrap();
        ludii("breakthrough", &game, translate, |board| ludii_rows(board, 8, "Pp"));
    }
}

/// Mirrors a move. In OpenSpiel black moves first, down the board; if rows are counted from the
/// other end, black becomes the first player here. A `*` marks captures.
fn mirrored(mv: &str, height: usize) -> String {
    let row = |c: char| match c.to_digit(10) {
        Some(row) => (height + 1 - row as usize).to_string(),
        None => c.to_string(),
    };
    mv.trim_end_matches('*').chars().map(row).collect()
}

#[test]
fn openspiel_games() {
    for (name, size) in [("breakthrough", 8), ("breakthrough_6x6", 6)] {
        let game = Through::breakthrough(size, size).unwrap();
        let board = |drawing: &str| {
            let rows = drawing.lines().filter(|line| line.starts_with(|c: char| c.is_numeric()));
            let rows: Vec<String> =
                rows.map(|row| row[1..].replace('b', "P").replace('w', "p")).collect();
            fen_rows(rows.into_iter().rev())
        };
        openspiel(name, &game, |mv| mirrored(mv, size), board);
    }
}

#[test]
fn fairy_stockfish_games() {
    for (name, size) in [("breakthrough", 8), ("breakthrough5", 5), ("breakthrough6", 6)] {
        let game = Through::breakthrough(size, size).unwrap();
        let board = |fen: &str| {
            // The game accepts Fairy-Stockfish's FENs unchanged.
            let state = game.parse_state(fen).unwrap_or_else(|e| panic!("{fen}: {e}"));
            assert!(fen.starts_with(&format!("{} ", game.state_text(&state))), "{fen}");
            fen.split(' ').next().unwrap().replace('/', "")
        };
        fairy(name, &game, str::to_string, board);
    }
}

#[test]
fn perft() {
    check("openspiel", "breakthrough", "breakthrough");
    check("openspiel", "breakthrough_6x6", "breakthrough:6");
    // With fewer than six rows, each side has only one row of pieces in OpenSpiel.
    check("openspiel", "breakthrough_5x5", "breakthrough:5,rows=1");
    check("fairy-stockfish", "breakthrough", "breakthrough");
    check("fairy-stockfish", "breakthrough5", "breakthrough:5");
    check("fairy-stockfish", "breakthrough6", "breakthrough:6");
    check("fairy-stockfish", "breakthrough7", "breakthrough:7");
    let deepest = if cfg!(debug_assertions) { 4 } else { 5 };
    for row in csv_rows("perft/ludii_perft.csv") {
        if matches!(row[0].as_str(), "breakthrough" | "knightthrough") {
            let counts = row[2..].iter().filter(|sequences| !sequences.is_empty());
            for (depth, sequences) in (1..=deepest).zip(counts) {
                assert_eq!(count(&row[0], depth).to_string(), *sequences, "{row:?} {depth}");
            }
        }
    }
}

/// Reads width, height and piece rows from `6rows x 4cols` and `start 2 piece rows each`.
fn small_board(row: &[String]) -> (usize, usize, usize) {
    let numbers = |text: &str| -> Vec<usize> {
        let words = text.split(|c: char| !c.is_ascii_digit());
        words.filter_map(|word| word.parse().ok()).collect()
    };
    let (size, rows) = (numbers(&row[1]), numbers(&row[2]));
    (size[1], size[0], rows[0])
}

/// Compares values that were computed with the rule that a player who cannot move loses. The other
/// rule leads to the same values, because a player without pieces cannot stop the other side. (No
/// board here is so narrow that a side with pieces cannot move.)
#[test]
fn values_of_small_boards() {
    let mut solved = 0;
    for row in csv_rows("small_boards/computed_values.csv") {
        let piece = match row[0].as_str() {
            "breakthrough" => Piece::Pawn,
            "knightthrough" => Piece::Knight,
            _ => continue,
        };
        let (width, height, rows) = small_board(&row);
        // These boards have twenty million positions or more.
        if height == 7 && width > 2 {
            continue;
        }
        for stuck in [Stuck::Loses, Stuck::Passes] {
            let game = Through::new(piece, width, height, rows, stuck).unwrap();
            let winner = match Oracle::new(&game, 0).value(&game.initial_state()) {
                1 => "first",
                -1 => "second",
                _ => "nobody",
            };
            assert_eq!(winner, row[3], "{row:?} {stuck:?}");
            solved += 1;
        }
    }
    assert_eq!(solved, 2 * 22);
}

#[test]
fn first_moves_that_win() {
    let mut solved = 0;
    for row in csv_rows("small_boards/openspiel_minimax_values.csv") {
        let Some(size) = row[0].strip_prefix("breakthrough(rows=") else { continue };
        let (height, width) = size.trim_end_matches(')').split_once(",columns=").unwrap();
        let (width, height) = (width.parse().unwrap(), height.parse().unwrap());
        let rows = if height < 6 { 1 } else { 2 };
        let game = Through::new(Piece::Pawn, width, height, rows, Stuck::Loses).unwrap();
        let (value, moves) = Oracle::new(&game, 0).solve();
        let best: BTreeSet<String> = row[3].split(' ').map(|mv| mirrored(mv, height)).collect();
        assert_eq!(f64::from(value), row[2].parse::<f64>().unwrap(), "{row:?}");
        assert_eq!(BTreeSet::from_iter(moves), best, "{row:?}");
        solved += 1;
    }
    assert_eq!(solved, 4);
}

/// Plays `moves` from `position`; returns the payoffs if the game is over.
fn ends(game: &Through, position: &str, moves: &[&str]) -> Option<[i32; 2]> {
    let mut state = game.parse_state(position).unwrap();
    for text in moves {
        let mv = game.parse_move(&state, text).unwrap_or_else(|e| panic!("{e}"));
        game.play(&mut state, mv);
    }
    (game.turn(&state) == Turn::Over).then(|| [0, 1].map(|player| game.payoff(&state, player)))
}

#[test]
fn ends_of_games() {
    let breakthrough = Through::breakthrough(4, 5).unwrap();
    let passes = Through::new(Piece::Pawn, 4, 5, 2, Stuck::Passes).unwrap();
    // A piece in the far row wins under both rules, for either side, with or without a capture.
    for game in [&breakthrough, &passes] {
        assert_eq!(ends(game, "p2p/1P2/4/4/4 w", &["b4xa5"]), Some([1, -1]));
        assert_eq!(ends(game, "p2p/1P2/4/4/4 w", &["b4b5"]), Some([1, -1]));
        assert_eq!(ends(game, "4/4/4/p3/3P b", &["a2a1"]), Some([-1, 1]));
        assert_eq!(ends(game, "4/p3/4/4/3P b", &["a4a3"]), None);
    }
    // A side without pieces loses at once, or passes until the other side reaches the far row.
    let last = "4/4/1p2/P3/4 w";
    assert_eq!(ends(&breakthrough, last, &["a2b3"]), Some([1, -1]));
    assert_eq!(ends(&passes, last, &["a2b3"]), None);
    assert_eq!(ends(&passes, last, &["a2b3", "pass", "b3b4"]), None);
    assert_eq!(ends(&passes, last, &["a2b3", "pass", "b3b4", "pass", "b4c5"]), Some([1, -1]));

    // In a single column the foremost pieces block each other, and the side to move is stuck.
    for (stuck, end) in [(Stuck::Loses, [-1, 1]), (Stuck::Passes, [0, 0])] {
        let game = Through::new(Piece::Pawn, 1, 6, 2, stuck).unwrap();
        assert_eq!(ends(&game, "1/p/1/1/P/1 w", &["a2a3"]), None);
        assert_eq!(ends(&game, "1/p/1/1/P/1 w", &["a2a3", "a5a4"]), Some(end));
    }
    // On three columns a knight one row before the far row may have no move.
    let game = Through::knightthrough(3, 6).unwrap();
    assert_eq!(ends(&game, "3/1N1/n2/3/3/3 w", &["pass"]), None);
}

#[test]
fn moves() {
    let game = Through::breakthrough(8, 8).unwrap();
    let state = game.parse_state("8/8/8/3ppp2/4P3/8/8/8 w").unwrap();
    for text in ["e4d5", "E4D5", "e4-d5", "e4xd5", "e4:d5"] {
        assert_eq!(
            game.parse_move(&state, text).map(|mv| game.move_text(&state, mv)),
            Ok("e4d5".into())
        );
    }
    for text in
        ["e4e5", "e4", "d5e4", "e4d5q", "e4d5+", "pass", "i4h5", "e9e10", "a99999999999999999999b1"]
    {
        let error = game.parse_move(&state, text).unwrap_err().to_string();
        assert_eq!(error, format!("'{text}' is not a legal move here; legal moves: e4d5 e4f5"));
    }
    let over = game.parse_state("P7/8/8/8/8/8/8/p7 b");
    assert!(over.is_err());
    let over = game.parse_state("P7/8/8/8/8/p7/8/8 b").unwrap();
    let error = game.parse_move(&over, "a3a2").unwrap_err().to_string();
    assert_eq!(error, "the game is over before the move 'a3a2'");
    let knights = Through::knightthrough(8, 8).unwrap();
    let state = knights.parse_state("8/8/3p4/8/8/8/8/8 w").unwrap_err().to_string();
    assert_eq!(
        state,
        "'p' in row 3 from the top, column 4, is not a piece; expected N for white's or n for \
         black's"
    );
    let state = knights.parse_state("n7/8/8/8/8/8/8/8 w").unwrap();
    for text in ["pass", "Pass", "--"] {
        let mv = knights.parse_move(&state, text).unwrap();
        assert_eq!(knights.move_text(&state, mv), "pass");
    }
}

#[test]
fn positions() {
    let game = Through::breakthrough(4, 5).unwrap();
    refused(
        &game,
        &[
            ("", "the position has 1 row separated by '/'; the board has 5"),
            ("pppp/pppp/4/PPPP w", "the position has 4 rows separated by '/'; the board has 5"),
            ("pppp/pppp/5/PPPP/PPPP w", "row 3 from the top has 5 cells; the board is 4 wide"),
            (
                "pppp/ppqp/4/PPPP/PPPP w",
                "'q' in row 2 from the top, column 3, is not a piece; expected P for white's or p \
                 for black's",
            ),
            ("pppp/pppp/4/PPPP/PPPP", "the side to move is missing; add w or b after the rows"),
            ("pppp/pppp/4/PPPP/PPPP x", "'x' is not a side; expected w or b after the rows"),
            (
                "pppp/pppp/4/PPPP/PPPP w - - 0 x",
                "unexpected 'x' after the side to move; only the rest of a FEN, '- - 0 1', may \
                 follow",
            ),
            (
                "pppp/pppp/4/PPPP/PPPP w - - 0 1 2",
                "unexpected '2' after the side to move; only the rest of a FEN, '- - 0 1', may \
                 follow",
            ),
            ("pppp/pppp/1p2/PPPP/PPPP w", "black has 9 pieces, but starts with 8"),
            ("pppp/pppp/1P2/PPPP/PPPP w", "white has 9 pieces, but starts with 8"),
            ("P3/4/p3/4/4 w", "white has won with the piece on a5, so black must be to move"),
            ("4/4/P3/4/1p2 b", "black has won with the piece on b1, so white must be to move"),
            ("P3/4/4/4/1p2 b", "black has won with the piece on b1, so white must be to move"),
            (
                "PP2/4/p3/4/4 b",
                "white has 2 pieces on its far row, but the first to get there ends the game",
            ),
            ("4/4/4/4/4 w", "neither side has any pieces, but one side must have some left"),
            (
                "4/4/1p2/4/4 b",
                "white has no pieces left and has lost, so it must be the side to move",
            ),
        ],
    );
    same(
        &game,
        "p3/4/1P2/4/4 b",
        &["p.../..../.P../..../.... black", " p3/4/1P2/4/4  B - - 12 7", "p3/4/1P2/4/4 b 0 1"],
    );
    // A side without pieces loses; if it passes instead, either side may be to move.
    assert_eq!(ends(&game, "4/4/1p2/4/4 w", &[]), Some([-1, 1]));
    let passes = Through::new(Piece::Pawn, 4, 5, 2, Stuck::Passes).unwrap();
    assert_eq!(ends(&passes, "4/4/1p2/4/4 w", &["pass"]), None);
    assert_eq!(ends(&passes, "4/4/1p2/4/4 b", &["b3a2", "pass", "a2a1"]), Some([-1, 1]));
    let start = game.initial_state();
    assert_eq!(
        game.board_text(&start),
        "5 p p p p\n4 p p p p\n3 . . . .\n2 P P P P\n1 P P P P\n  a b c d\n"
    );
}

#[test]
fn impossible_games() {
    no_game(
        "breakthrough:9x8",
        "breakthrough: a board with 9 columns and 8 rows has 72 cells; it must have 1 to 64",
    );
    no_game(
        "breakthrough:5x3",
        "breakthrough: each side must start with at least 1 and at most half of the board's 3 \
         rows, not 2",
    );
    no_game("breakthrough:1x4", "breakthrough: no move is ever possible on a 1x4 board");
    no_game("knightthrough:1x8", "knightthrough: no move is ever possible on a 1x8 board");
    no_game("knightthrough:2x2,rows=1", "knightthrough: no move is ever possible on a 2x2 board");
    no_game(
        "knightthrough:rows=0",
        "knightthrough: '0' is not a valid value for rows; it must be a number from 1 to 32",
    );
    no_game(
        "knightthrough:pass",
        "knightthrough has no option 'pass'; its options are: WIDTHxHEIGHT rows=R no-pass",
    );
}

/// Compares static bounds with plain recursion in all positions of random games on small boards:
/// payoffs must be right, and one of the pushed moves must be optimal.
#[test]
fn what_is_foreseen_is_so() {
    let (mut rng, mut asked, mut told) = (Rng::new(1), 0, [0, 0, 0]);
    for (piece, width, height, rows) in [
        (Piece::Pawn, 2, 7, 1),
        (Piece::Pawn, 3, 6, 2),
        (Piece::Pawn, 4, 5, 1),
        (Piece::Pawn, 5, 4, 1),
        (Piece::Knight, 3, 6, 2),
        (Piece::Knight, 4, 5, 1),
        (Piece::Knight, 5, 5, 1),
        (Piece::Knight, 3, 8, 1),
    ] {
        for stuck in [Stuck::Loses, Stuck::Passes] {
            let game = Through::new(piece, width, height, rows, stuck).unwrap();
            let mut oracle = Oracle::new(&game, 0);
            let mut moves = Vec::new();
            for _ in 0..rounds(300) {
                let mut state = game.initial_state();
                while let Turn::Player(mover) = game.turn(&state) {
                    let value = oracle.value(&state);
                    moves.clear();
                    match game.knowledge().static_bound_for_prover(&state, &mut moves) {
                        StaticBound::Payoff(payoff) => {
                            assert_eq!(payoff, value, "{}", game.state_text(&state));
                            told[usize::from((payoff == 1) == (mover == 0))] += 1;
                        }
                        StaticBound::Moves => {
                            let best = |&mv: &_| oracle.value(&game.after(&state, mv)) == value;
                            assert!(moves.iter().any(best), "{}", game.state_text(&state));
                            told[2] += 1;
                        }
                        static_bound => assert_eq!(static_bound, StaticBound::Nothing),
                    }
                    asked += 1;
                    let mv = game.random_move(&state, &mut moves, &mut rng).unwrap();
                    game.play(&mut state, mv);
                }
            }
        }
    }
    let often = told.map(|times| times * 50 > asked);
    assert!(often == [true; 3], "losses, wins and moves: {told:?} of {asked}");
}

/// Checks a board with one column, on which captures are impossible, so a piece next to its goal
/// wins. The analysis of races does not always find this win, because it assumes blocks that the
/// other side cannot set up.
#[test]
fn a_piece_that_nothing_takes_has_won() {
    for stuck in [Stuck::Loses, Stuck::Passes] {
        let game = Through::new(Piece::Pawn, 1, 8, 2, stuck).unwrap();
        let state = game.parse_state("p/P/1/1/P/1/p/1 w").unwrap();
        assert_eq!(Oracle::new(&game, 0).value(&state), -1);
        let static_bound = game.knowledge().static_bound(&state, &mut Vec::new());
        assert_eq!(static_bound, StaticBound::Payoff(-1));
    }
}
