//! Compares Lines of Action with recorded games, counts and forced wins of other programs.

use crate::bad_input::{refused, same};
use crate::data::{csv_rows, jsonl};
use crate::perft::{check, count};
use crate::recorded::{OpenSpielGame, Replay, fen_rows, ludii, ludii_rows, ludii_step};
use proofwood::{Game, Turn};
use proofwood_games::LinesOfAction;
use proofwood_games::lines_of_action::{Board, State};
use std::collections::{BTreeSet, HashSet};

#[test]
fn ludii_games() {
    for (name, board, width) in [("loa7", Board::Seven, 7), ("loa8", Board::Eight, 8)] {
        let game = LinesOfAction::new(board, false);
        let translate = |mv: &str| ludii_step(mv, width);
        ludii(name, &game, translate, |board| ludii_rows(board, width, "xo"));
    }
}

/// Replays games from OpenSpiel, where the game is drawn if a board occurs for the second time,
/// with either side to move. The rules here store no history, so the test stores the boards: an
/// OpenSpiel game must end when the game ends here or at the first repetition, and at no other
/// time.
#[test]
fn openspiel_games() {
    let game = LinesOfAction::new(Board::Eight, true);
    let games: Vec<OpenSpielGame> = jsonl("playouts_openspiel/lines_of_action.jsonl");
    assert_eq!(games.len(), 44);
    let translate = |mv: &str| mv.replace(['-', 'x'], "");
    let mut repeated = 0;
    for record in games {
        let mut replay = Replay::new(&game);
        let mut seen = HashSet::from([replay.board()]);
        for (ply, text) in record.moves.iter().enumerate() {
            let at = format!("game {} ply {ply}", record.id);
            assert_eq!(
                game.turn(&replay.state),
                Turn::Player(record.players[ply] as usize),
                "{at}"
            );
            assert_eq!(seen.len(), ply + 1, "{at}: a board has come up again");
            let moves = replay.moves();
            assert_eq!(moves.len(), record.n_legal[ply], "{at}");
            if let Some(legal) = &record.legal {
                let legal: BTreeSet<String> = legal[ply].iter().map(|mv| translate(mv)).collect();
                assert_eq!(moves, legal, "{at}");
            }
            // OpenSpiel writes `-` before an empty cell and `x` before a captured piece.
            replay.play(text);
            seen.insert(replay.board());
        }
        let payoffs = [0, 1].map(|player| match replay.is_over() {
            true => f64::from(game.payoff(&replay.state, player)),
            false => 0.0,
        });
        if !replay.is_over() {
            assert_eq!(seen.len(), record.moves.len(), "game {}: no repetition", record.id);
            repeated += 1;
        }
        assert_eq!(payoffs.as_slice(), record.returns, "game {}", record.id);
        if let Some(drawing) = &record.final_state {
            let rows = drawing.lines().filter(|line| line.starts_with(|c: char| c.is_numeric()));
            assert_eq!(replay.board(), fen_rows(rows.map(|row| row[1..].to_string())));
        }
    }
    assert_eq!(repeated, 9);
}

#[test]
fn perft() {
    check("openspiel", "lines_of_action", "loa8");
    for row in csv_rows("perft/ludii_perft.csv") {
        let spec = match row[0].as_str() {
            "lines_of_action_7x7" => "loa7",
            "lines_of_action_8x8" => "loa8",
            _ => continue,
        };
        let counts = row[2..].iter().filter(|sequences| !sequences.is_empty());
        for (depth, sequences) in (1..).zip(counts) {
            assert_eq!(count(spec, depth).to_string(), *sequences, "{spec} at depth {depth}");
        }
    }
}

/// Returns whether the side to move can force a win in `plies` plies.
fn wins(game: &LinesOfAction, state: &State, plies: u32) -> bool {
    let Turn::Player(mover) = game.turn(state) else { return false };
    let after = children(game, state);
    let won = |next: &State| game.turn(next) == Turn::Over && game.payoff(next, mover) == 1;
    after.iter().any(won) || plies > 1 && after.iter().any(|next| loses(game, next, plies - 1))
}

/// Returns whether the side to move loses in `plies` plies against best play.
fn loses(game: &LinesOfAction, state: &State, plies: u32) -> bool {
    let Turn::Player(mover) = game.turn(state) else { return false };
    children(game, state).iter().all(|next| match game.turn(next) {
        Turn::Over => game.payoff(next, mover) == -1,
        _ => wins(game, next, plies - 1),
    })
}

fn children(game: &LinesOfAction, state: &State) -> Vec<State> {
    let mut moves = Vec::new();
    game.legal_moves(state, &mut moves);
    moves.into_iter().map(|mv| game.after(state, mv)).collect()
}

/// Compares the lengths of forced wins and all moves that preserve them, under both rules for a
/// move that connects both sides.
#[test]
fn forced_wins() {
    let deepest = if cfg!(debug_assertions) { 5 } else { 7 };
    let mut found = 0;
    for row in csv_rows("lines_of_action/forced_wins.csv") {
        let plies: u32 = row[3].parse().unwrap();
        if plies > deepest {
            continue;
        }
        for mover_wins in [false, true] {
            let game = LinesOfAction::new(Board::Eight, mover_wins);
            let state = game.parse_state(&format!("{} {}", row[2], row[1])).unwrap();
            let mut moves = Vec::new();
            game.legal_moves(&state, &mut moves);
            assert_eq!(moves.len().to_string(), row[5], "{row:?}");
            assert!(!wins(&game, &state, plies - 2), "{row:?}");
            moves.retain(|&mv| {
                let next = game.after(&state, mv);
                match game.turn(&next) {
                    Turn::Over => false,
                    _ => loses(&game, &next, plies - 1),
                }
            });
            let winning: BTreeSet<String> =
                moves.iter().map(|&mv| game.move_text(&state, mv)).collect();
            let listed = row[4].split(' ').map(|mv| mv.replace(['-', 'x'], ""));
            assert_eq!(winning, listed.collect(), "{row:?}");
        }
        found += 1;
    }
    assert_eq!(found, if cfg!(debug_assertions) { 91 } else { 107 });
}

/// Plays `moves` from `position`; returns the payoffs if the game is over.
fn ends(game: &LinesOfAction, position: &str, moves: &[&str]) -> Option<[i32; 2]> {
    let mut state = game.parse_state(position).unwrap_or_else(|e| panic!("{position}: {e}"));
    for text in moves {
        let mv = game.parse_move(&state, text).unwrap_or_else(|e| panic!("{position}: {e}"));
        game.play(&mut state, mv);
    }
    (game.turn(&state) == Turn::Over).then(|| [0, 1].map(|player| game.payoff(&state, player)))
}

#[test]
fn ends_of_games() {
    for (mover_wins, x_connects_both, o_connects_both) in
        [(false, [0, 0], [0, 0]), (true, [1, -1], [-1, 1])]
    {
        let game = LinesOfAction::new(Board::Seven, mover_wins);
        // X wins by its own move, and O wins by X's capture.
        assert_eq!(ends(&game, "6o/7/7/x6/7/7/x5o x", &[]), None);
        assert_eq!(ends(&game, "6o/7/7/x6/7/7/x5o x", &["a4a2"]), Some([1, -1]));
        assert_eq!(ends(&game, "7/7/5o1/7/7/7/x2o2x x", &["a1xd1"]), Some([-1, 1]));
        // Moves of X and of O that connect both sides at once.
        let both = ends(&game, "7/7/5o1/7/7/7/x2ox2 x", &["a1xd1"]);
        assert_eq!(both, Some(x_connects_both));
        let both = ends(&game, "7/7/5x1/7/7/7/o2xo2 o", &["a1xd1"]);
        assert_eq!(both, Some(o_connects_both));
        // All pieces of X are blocked, so X passes.
        let walled_in = "5ox/5oo/7/7/7/oo5/xo5 x";
        assert_eq!(ends(&game, walled_in, &["pass", "a2c2"]), None);
        let mut moves = Vec::new();
        let state = game.parse_state(walled_in).unwrap();
        game.legal_moves(&state, &mut moves);
        assert_eq!((moves.len(), game.move_text(&state, moves[0])), (1, "pass".to_string()));
    }
}

#[test]
fn moves() {
    let game = LinesOfAction::new(Board::Seven, false);
    // Row 1 contains three pieces, and a1 may jump over a piece of its own side. Column a contains
    // four pieces, but a1 may not jump over a piece of the other side.
    let state = game.parse_state("o6/7/7/x6/o6/7/xx3o1 x").unwrap();
    let mut moves = Vec::new();
    game.legal_moves(&state, &mut moves);
    let texts: BTreeSet<String> = moves.iter().map(|&mv| game.move_text(&state, mv)).collect();
    let expected = ["a1d1", "a1b2", "b1e1", "b1b2", "b1c2", "b1a2", "a4b4", "a4b5", "a4b3"];
    assert_eq!(texts, expected.map(String::from).into());
    for text in ["a1d1", "A1D1", "a1-d1", "a1xd1", "a1:d1"] {
        let mv = game.parse_move(&state, text).unwrap();
        assert_eq!(game.move_text(&state, mv), "a1d1");
    }
    for text in ["a1a4", "a1", "a1d1q", "pass", "h1a1", "a1h8", "a9b9", "a1a4294967297"] {
        let error = game.parse_move(&state, text).unwrap_err().to_string();
        let list = expected.join(" ");
        assert_eq!(error, format!("'{text}' is not a legal move here; legal moves: {list}"));
    }
    let over = game.parse_state("7/7/7/7/o6/7/x5o o").unwrap();
    let error = game.parse_move(&over, "a3a4").unwrap_err().to_string();
    assert_eq!(error, "the game is over before the move 'a3a4'");
}

#[test]
fn positions() {
    let game = LinesOfAction::new(Board::Seven, false);
    let start = "1xxxxx1/o5o/o5o/o5o/o5o/o5o/1xxxxx1 x";
    refused(
        &game,
        &[
            ("", "the position has 1 row separated by '/'; the board has 7"),
            (
                "1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 x",
                "the position has 8 rows separated by '/'; the board has 7",
            ),
            (
                "1xxxxx1/o6o/o5o/o5o/o5o/o5o/1xxxxx1 x",
                "row 2 from the top has 8 cells; the board is 7 wide",
            ),
            (
                "1xxxxx1/o5p/o5o/o5o/o5o/o5o/1xxxxx1 x",
                "'p' in row 2 from the top, column 7, is not a piece; expected x or o",
            ),
            (
                "1xxxxx1/o5o/o5o/o5o/o5o/o5o/1xxxxx1",
                "the side to move is missing; add x or o after the rows",
            ),
            (
                "1xxxxx1/o5o/o5o/o5o/o5o/o5o/1xxxxx1 red",
                "'red' is not a side; expected x or o after the rows",
            ),
            (
                "1xxxxx1/o5o/o5o/o5o/o5o/o5o/1xxxxx1 x 1",
                "'x 1' is not a side; expected x or o after the rows",
            ),
            ("xxxxxx1/o5o/o5o/o5o/o5o/o5o/1xxxxx1 x", "x has 11 pieces, but starts with 10"),
            ("oxxxxx1/o5o/o5o/o5o/o5o/o5o/1xxxxx1 x", "o has 11 pieces, but starts with 10"),
            (
                "7/7/7/7/7/7/xxxxx2 o",
                "o has no pieces, but the game ends before the last one is taken",
            ),
            (
                "7/7/7/7/o5o/1xxxxx1/1xxxxx1 x",
                "x is to move, but all its 10 pieces are connected, so it has already won",
            ),
        ],
    );
    same(
        &game,
        start,
        &[
            "1XXXXX1/O5O/O5O/O5O/O5O/O5O/1XXXXX1 X",
            ".bbbbb./w.....w/w5w/w5w/w5w/w5w/1bbbbb1 Black",
            " 1xxxxx1/o-----o/o5o/o5o/o5o/o5o/1xxxxx1   b ",
        ],
    );
    // If O is to move, X has already won.
    assert_eq!(ends(&game, "7/7/7/7/o5o/1xxxxx1/1xxxxx1 white", &[]), Some([1, -1]));
    // X may be connected and to move if O's last move captured a piece.
    assert_eq!(ends(&game, "7/7/7/7/o5o/1xxxxx1/1xxxx2 x", &[]), Some([1, -1]));
    assert_eq!(
        game.board_text(&game.initial_state()),
        "7 . X X X X X .\n6 O . . . . . O\n5 O . . . . . O\n4 O . . . . . O\n\
         3 O . . . . . O\n2 O . . . . . O\n1 . X X X X X .\n  a b c d e f g\n"
    );
}
