use super::ludii_perft;
use crate::bad_input::{no_game, refused, same};
use crate::perft::count;
use crate::recorded::ludii;
use proofwood::{Game, Turn};
use proofwood_games::Reversi;

#[test]
fn ludii_games() {
    let cell = |text: &str| match text.parse::<u8>() {
        Ok(site) => format!("{}{}", char::from(b'a' + site % 8), site / 8 + 1),
        Err(_) => "pass".to_string(),
    };
    let board = |sites: &str| -> String {
        let sites = sites.split(',').map(|site| match site {
            "1s1" => 'X',
            "1s2" => 'O',
            _ => '-',
        });
        sites.collect::<Vec<char>>().chunks(8).rev().flatten().collect()
    };
    assert_eq!(ludii("reversi", &Reversi::default(), cell, board), 10);
}

#[test]
fn perft() {
    ludii_perft("reversi", "default", "reversi");
    for depth in 1..=7 {
        assert_eq!(count("reversi:6", depth), count("othello:6", depth), "depth {depth}");
    }
}

#[test]
fn closing_passes() {
    let game = Reversi::new(4).unwrap();
    let mut state = game.parse_state("XXXXXXXXXXXXXXX- O").unwrap();
    for (text, turn) in [
        ("XXXXXXXXXXXXXXX- O", Turn::Player(1)),
        ("XXXXXXXXXXXXXXX- X 1", Turn::Player(0)),
        ("XXXXXXXXXXXXXXX- X 2", Turn::Over),
    ] {
        assert_eq!(game.state_text(&state), text);
        assert_eq!(game.turn(&state), turn);
        if turn != Turn::Over {
            let mv = game.parse_move(&state, "pass").unwrap();
            assert_eq!(game.mobility(&state, &mut Vec::new()), 1);
            game.play(&mut state, mv);
        }
    }
    assert_eq!((game.payoff(&state, 0), game.payoff(&state, 1)), (1, -1));
    let even = game.parse_state("XXXXXXXXOOOOOOOO X 2").unwrap();
    assert_eq!(game.payoff(&even, 0), 0);
}

#[test]
fn positions() {
    let game = Reversi::new(4).unwrap();
    refused(
        &game,
        &[
            ("-----OX--XO---- X", "the position has 15 cells; the 4x4 board has 16"),
            (
                "-----O---XO----- X",
                "c3 is empty, but the four cells in the middle hold discs from the start",
            ),
            (
                "-----OX--X------ X",
                "c2 is empty, but the four cells in the middle hold discs from the start",
            ),
            ("-----OX--XO----- Z", "'Z' is not a side; expected X or O after the cells"),
            ("XXXXXXXXXXXXXXX- X 3", "'3' is not a number of passes; expected 0, 1 or 2"),
            (
                "-----OX--XO----- X 1",
                "unexpected 1 after the side: \
                 passes are counted only if neither side can place a disc",
            ),
        ],
    );
    same(&game, "-----OX--XO----- X", &["....|.ox.|.xo.|.... black", "-----OX--XO----- X 0"]);
    same(&game, "XXXXXXXXXXXXXXX- X", &["XXXXXXXXXXXXXXX-", "XXXXXXXXXXXXXXX- x 0"]);
    same(&game, "XXXXXXXXXXXXXXX- X 2", &["XXXXXXXXXXXXXXX- O 2", "XXXXXXXXXXXXXXX- X 2"]);
    no_game("reversi:5", "reversi: the board's side length must be 4, 6 or 8, not 5");
    no_game("reversi:8x6", "reversi: the board must be square, not 8x6");
}

/// Rows are numbered from the bottom, so the first player must start on d4 and e5.
#[test]
fn moves() {
    let game = Reversi::default();
    let start = game.initial_state();
    let drawn = game.board_text(&start);
    assert!(drawn.contains("5 . . . O X . . .\n4 . . . X O . . .\n"), "{drawn}");
    let error = game.parse_move(&start, "d3").unwrap_err().to_string();
    assert_eq!(error, "'d3' is not a legal move here; legal moves: d6 c5 f4 e3");
    assert_eq!(game.split_moves("e3f3PASS"), ["e3", "f3", "PASS"]);
}
