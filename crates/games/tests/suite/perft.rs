//! Compares the numbers of move sequences with the counts of other programs.

use crate::data::csv_rows;
use proofwood::Game;
use proofwood_games::{GameVisitor, perft, with_game};

struct Count(u32);

impl GameVisitor for Count {
    type Output = u64;
    fn visit<G: Game>(self, game: G) -> u64 {
        perft(&game, &game.initial_state(), self.0)
    }
}

pub(crate) fn count(spec: &str, depth: u32) -> u64 {
    with_game(spec, Count(depth)).expect(spec)
}

/// Checks all counts of an engine for a game.
pub(crate) fn check(engine: &str, game: &str, spec: &str) {
    let mut rows = 0;
    for row in csv_rows("perft/perft_start.csv") {
        if row[0] == engine && row[1] == game {
            let depth = row[3].parse().unwrap();
            assert_eq!(count(spec, depth).to_string(), row[4], "{spec} at depth {depth}");
            rows += 1;
        }
    }
    assert!(rows >= 4, "{engine} {game}: {rows} rows");
}

#[test]
fn openspiel() {
    check("openspiel", "tic_tac_toe", "tic-tac-toe");
    check("openspiel", "mnk_3_3_3", "mnk:3,3,3");
    check("openspiel", "mnk_4_4_4", "mnk:4,4,4");
    check("openspiel", "mnk_5_4_4", "mnk:5,4,4");
    check("openspiel", "connect_four", "connect-four");
    check("openspiel", "connect_four_4x4", "connect-four:4x4");
    check("openspiel", "connect_four_5x4", "connect-four:5x4");
    check("openspiel", "connect_four_6x5", "connect-four:6x5");
    check("openspiel", "othello", "othello");
    check("openspiel", "clobber_4x4", "clobber:4x4");
    check("openspiel", "clobber_5x6", "clobber:6x5");
    check("openspiel", "dots_and_boxes_2x2", "dots-and-boxes:2x2");
    check("openspiel", "dots_and_boxes_2x2_margin", "dots-and-boxes:2x2");
    check("openspiel", "dots_and_boxes_3x3_margin", "dots-and-boxes:3x3");
    check("openspiel", "pig", "pig:20");
    check("openspiel", "pig_3p", "pig:20,players=3");
}

/// Compares counts with those of Fairy-Stockfish. Its start position of Othello is mirrored, which
/// does not change the counts.
#[test]
fn fairy_stockfish() {
    check("fairy-stockfish", "tictactoe", "tic-tac-toe");
    check("fairy-stockfish", "flipello", "othello");
    check("fairy-stockfish", "flipello6", "othello:6");
    check("fairy-stockfish", "losalamos", "los-alamos");
    check("fairy-stockfish", "losalamos", "los-alamos:chess-draws");
    check("fairy-stockfish", "gardner", "gardner");
}

#[test]
fn ludii() {
    let rows = csv_rows("perft/ludii_perft.csv");
    for (game, spec) in [
        ("reversi", "othello"),
        ("connect_four", "connect-four"),
        ("tic_tac_toe", "tic-tac-toe"),
        ("los_alamos_chess", "los-alamos"),
        ("reach_chess", "reach-chess"),
        ("skirmish", "skirmish"),
    ] {
        let row = rows.iter().find(|row| row[0] == game).expect(game);
        for (depth, sequences) in (1..).zip(&row[2..]).filter(|(_, count)| !count.is_empty()) {
            assert_eq!(count(spec, depth).to_string(), *sequences, "{spec} at depth {depth}");
        }
    }
}

/// Checks that games that end before the depth are not counted.
#[test]
fn only_full_sequences_count() {
    assert_eq!(count("tic-tac-toe", 9), 127_872);
    assert_eq!(count("tic-tac-toe", 10), 0);
    assert_eq!(count("p-game:3,4", 4), 81);
    assert_eq!(count("p-game:3,4", 0), 1);
}
