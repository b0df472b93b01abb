//! Tests of positions and moves as text: invalid texts, and alternative spellings of valid ones.

use crate::bad_input::{refused, same};
use proofwood::Game;
use proofwood_games::{Minichess, ReachChess, Skirmish};

#[test]
fn los_alamos_positions() {
    let game = Minichess::los_alamos(false);
    let start = "rnqknr/pppppp/6/6/PPPPPP/RNQKNR w - -";
    assert_eq!(game.state_text(&game.initial_state()), start);
    same(
        &game,
        start,
        &[
            "rnqknr/pppppp/6/6/PPPPPP/RNQKNR w",
            " rnqknr/pppppp/6/6/PPPPPP/RNQKNR WHITE - ",
            "rnqknr/pppppp/6/3.2/PPPPPP/RNQKNR w - -",
            "rnqknr/pppppp/....../__----/PPPPPP/RNQKNR w",
        ],
    );
    same(
        &game,
        "1nq2Q/rpkpr1/p2N2/P2P2/1P2P1/RN1K1R w - - 5",
        &[
            "1nq2Q/rpkpr1/p2N2/P2P2/1P2P1/RN1K1R w - - 5 14",
            "1nq2Q/rpkpr1/p2N2/P2P2/1P2P1/RN1K1R w 5",
        ],
    );
    refused(
        &game,
        &[
            ("", "the position has 1 row separated by '/'; the board has 6"),
            (
                "rnbknr/pppppp/6/6/PPPPPP/RNQKNR w",
                "'b' in row 1 from the top, column 3, is not a piece; expected one of PNRQK for \
                 white or pnrqk for black",
            ),
            (
                "rnqknr/pppppp/6/6/PPPPPP/RNQKNR",
                "the side to move is missing; expected w or b after the board",
            ),
            (
                "rnqknr/pppppp/6/6/PPPPPP/RNQKNR x",
                "'x' is not a side; expected w or b after the board",
            ),
            ("rnqknr/pppppp/6/6/PPPPPP/RNQKNR w KQkq -", "unexpected 'KQkq' after the position"),
            (
                "rnqknr/pppppp/6/6/PPPPPP/RNQKNR w - - 102",
                "the number of plies without a capture or a pawn move cannot be 102; it must be 0 \
                 to 101",
            ),
            ("rnqknr/pppppp/6/6/PPPPPP/RNQKNR w - - 0 1 2", "unexpected '2' after the position"),
            ("rnq1nr/pppppp/6/6/PPPPPP/RNQKNR w", "black has no king; it must have 1"),
            ("rnqknr/pppppp/6/6/PPPPPP/RNKKNR w", "white has 2 kings; it must have 1"),
            ("rnqknr/pppppp/p5/6/PPPPPP/RNQKNR w", "black has 7 pawns, but starts with 6"),
            (
                "rnqknr/pppppp/6/4Q1/PPPP1P/RNQKNQ w",
                "white has 2 extra pieces that must be promoted pawns, \
                 but the number of missing pawns is 1",
            ),
            (
                "rnqknr/pppppp/6/6/PPPPP1/RNQKNP w",
                "white has a pawn on f1, behind the row where its pawns start",
            ),
            (
                "rnqknP/pppppp/6/6/PPPPP1/RNQKNR b",
                "white has a pawn on f6, but pawns are promoted there",
            ),
            (
                "3k2/6/6/3R2/6/3K2 w",
                "white is to move and attacks the king on d6, but black must not leave its king \
                 attacked",
            ),
            (
                "rnqknr/pppppp/6/6/PPPPPP/RNQKNR w - - 1 pass",
                "black cannot have passed, because it had the legal move b6a4",
            ),
            (
                "5k/6/5K/6/6/R5 w - - 1 pass",
                "black cannot have passed, because it had the legal move f6e6",
            ),
            ("R4k/6/5K/6/6/6 w - - 1 pass", "black cannot have passed, because it was in check"),
        ],
    );
}

#[test]
fn gardner_positions() {
    let game = Minichess::gardner();
    let start = "rnbqk/ppppp/5/PPPPP/RNBQK w - - 0";
    assert_eq!(game.state_text(&game.initial_state()), start);
    same(&game, start, &["rnbqk/ppppp/5/PPPPP/RNBQK w", "rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1"]);
    refused(
        &game,
        &[
            (
                "rnbqk/ppppp/5/PPPPP/RNBQK w - - 101",
                "the number of plies without a capture or a pawn move cannot be 101; it must be 0 \
                 to 100",
            ),
            ("rnbqk/ppppp/5/PPPPP/RNBQK w - - pass", "unexpected 'pass' after the position"),
            ("rnbqk/ppppp/6/PPPPP/RNBQK w", "row 3 from the top has 6 cells; the board is 5 wide"),
        ],
    );
}

#[test]
fn reach_chess_positions() {
    let game = ReachChess::default();
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    assert_eq!(game.state_text(&game.initial_state()), start);
    same(
        &game,
        start,
        &[
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w qkQK",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR white KQkq - 0 1",
        ],
    );
    // No pawn can capture en passant, so the text omits the target.
    same(
        &game,
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -",
        &["rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"],
    );
    same(
        &game,
        "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3",
        &["rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq E3 0 3"],
    );
    same(
        &game,
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b - -",
        &["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b"],
    );
    refused(
        &game,
        &[
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KX",
                "'X' is not a castling right; the side to move must be followed by some of KQkq, \
                 or - for none",
            ),
            (
                "rnbqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBR1 w KQkq -",
                "the castling right 'K' needs the white king on e1 and a rook on h1",
            ),
            (
                "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq d3",
                "'d3' is not a cell that a pawn of white has just stepped over; the castling \
                 rights must be followed by that cell, or - for none",
            ),
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq é",
                "'é' is not a cell that a pawn of white has just stepped over; the castling rights \
                 must be followed by that cell, or - for none",
            ),
            (
                "rnbqkbnr/pppppp1p/8/8/8/8/PPPPPPPP/RNBQKBNQ w - -",
                "white has 2 queens, but starts with 1 and cannot gain any by promotion",
            ),
            (
                "rnbqkbnN/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R w - -",
                "the piece on h8 has won for white, so it cannot be white's turn",
            ),
            (
                "rnbqkbNN/pppppppp/8/8/8/8/PPPPPPPP/R1BQKB1R b - -",
                "white has pieces on g8 and h8, but the game ends when the first of them gets there",
            ),
            (
                "4k3/8/8/8/4R3/8/8/4K3 w - -",
                "white is to move and attacks the king on e8, but black must not leave its king \
                 attacked",
            ),
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - pass",
                "black cannot have passed, because it had the legal move b8a6",
            ),
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - pass pass pass",
                "unexpected 'pass' after the position",
            ),
            (
                "rnbqkb1N/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R b KQq - pass",
                "a pass cannot have been the last move here",
            ),
        ],
    );
}

#[test]
fn skirmish_positions() {
    let game = Skirmish::default();
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0";
    assert_eq!(game.state_text(&game.initial_state()), start);
    same(
        &game,
        start,
        &[
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq 0",
        ],
    );
    // Kings may be attacked or missing.
    same(&game, "4k3/8/8/8/4R3/8/8/8 w - - 60", &["4k3/8/8/8/4R3/8/8/8 w 60"]);
    refused(
        &game,
        &[
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 1",
                "the side to move cannot be white after ply 1: no pawn has been promoted",
            ),
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 102",
                "the number of plies played cannot be 102; it must be 0 to 100",
            ),
            ("kkr5/8/8/8/8/8/8/4K3 w", "black has 2 kings; it must have at most 1"),
            (
                "4k2P/8/8/8/8/8/8/4K3 b - - 99",
                "white has a pawn on h8, but pawns are promoted there",
            ),
            (
                "4k2P/8/8/8/8/8/8/4K3 w - - 100",
                "white has a pawn on h8, but pawns are promoted there",
            ),
            (
                "4k1PP/8/8/8/8/8/8/4K3 b - - 100",
                "white has a pawn on g8, but pawns are promoted there",
            ),
        ],
    );
}

#[test]
fn moves() {
    let game = Skirmish::default();
    let position = "r3k2r/1P6/8/8/8/8/8/R3K2R w KQkq - 30";
    let state = game.parse_state(position).unwrap();
    for (text, spellings) in [
        ("e1g1", &["E1-G1", "O-O", "0-0", "o-o"][..]),
        ("e1c1", &["O-O-O", "0-0-0", "e1c1"]),
        ("b7a8q", &["b7xa8=Q", "B7-A8Q", "b7a8=q"]),
        ("b7b8n", &["b7b8N", "b7-b8=n"]),
    ] {
        for spelling in spellings {
            let mv = game.parse_move(&state, spelling).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(game.move_text(&state, mv), text);
        }
    }
    for wrong in ["b7b8", "b7b8k", "b7b8p", "b7b8qq", "e1h1", "O-O-O-O", "pass", "a1a9", "é"] {
        let error = game.parse_move(&state, wrong).unwrap_err().to_string();
        let start = format!("'{wrong}' is not a legal move here; legal moves: ");
        assert!(error.starts_with(&start), "{error}");
    }
    let small = Minichess::gardner();
    let error = small.parse_move(&small.initial_state(), "O-O").unwrap_err().to_string();
    assert_eq!(
        error,
        "'O-O' is not a legal move here; legal moves: b1a3 b1c3 a2a3 b2b3 c2c3 d2d3 e2e3"
    );
}
