//! Compares Chinese Checkers with OpenSpiel's records and counts, and tests texts.

use crate::bad_input::{no_game, refused, same};
use crate::data::{csv_rows, jsonl};
use crate::recorded::{OpenSpielGame, Replay, openspiel};
use proofwood::{Game, Turn};
use proofwood_games::{ChineseCheckers, perft};

/// Translates a move. OpenSpiel numbers cells row by row from the top, where its first player
/// starts. Here they are numbered in the same way from the bottom, so the board is upside down.
fn translate(text: &str) -> String {
    let Some((from, to)) = text.split_once("->").or_else(|| text.split_once("=>")) else {
        assert_eq!(text, "Pass");
        return "pass".to_string();
    };
    cell(from) + &cell(to)
}

fn cell(number: &str) -> String {
    const WIDTHS: [u8; 17] = [1, 2, 3, 4, 13, 12, 11, 10, 9, 10, 11, 12, 13, 4, 3, 2, 1];
    let mut place: u8 = number.parse().expect(number);
    let row = WIDTHS.iter().position(|&width| {
        let here = place < width;
        place -= if here { 0 } else { width };
        here
    });
    format!("{}{}", char::from(b'a' + place), row.expect(number) + 1)
}

/// Converts the board of OpenSpiel's drawing, which shows the players as digits and the player to
/// move in the last line.
fn board(drawing: &str) -> String {
    let rows = drawing.lines().take(17).collect::<Vec<_>>();
    let mut text = String::new();
    for row in rows.iter().rev() {
        let mut empty = 0;
        for c in row.chars().filter(|c| !c.is_whitespace()) {
            if c == '.' {
                empty += 1;
                continue;
            }
            text += &run(std::mem::take(&mut empty));
            text.push(char::from(c as u8 - b'1' + b'A'));
        }
        text += &run(empty);
    }
    text
}

fn run(empty: usize) -> String {
    if empty > 0 { empty.to_string() } else { String::new() }
}

#[test]
fn openspiel_records() {
    let game = ChineseCheckers::new(3, 300).unwrap();
    openspiel("chinese_checkers_3p", &game, translate, board);
}

/// Replays games of players who run for their goals, because random players do not win.
#[test]
fn openspiel_won() {
    for players in [2, 3, 4, 6] {
        let game = ChineseCheckers::new(players, 600).unwrap();
        let name = format!("chinese_checkers_{players}p_won");
        openspiel(&name, &game, translate, board);
        let records: Vec<OpenSpielGame> = jsonl(&format!("playouts_openspiel/{name}.jsonl"));
        for record in records {
            let mut replay = Replay::new(&game);
            record.moves.iter().for_each(|mv| replay.play(&translate(mv)));
            let payoffs = (0..players).map(|player| game.payoff(&replay.state, player).into());
            assert_eq!(payoffs.collect::<Vec<f64>>(), record.returns, "{name} {}", record.id);
            assert!(record.returns.contains(&(players as f64 - 1.0)), "{name} {}", record.id);
        }
    }
}

#[test]
fn openspiel_perft() {
    for (name, players) in [("chinese_checkers_2p", 2), ("chinese_checkers_3p", 3)] {
        let game = ChineseCheckers::new(players, 300).unwrap();
        let rows = csv_rows("perft/perft_start.csv");
        let rows: Vec<_> = rows.iter().filter(|row| row[1] == name).collect();
        assert_eq!(rows.len(), 3);
        for row in rows {
            let depth = row[3].parse().unwrap();
            assert_eq!(perft(&game, &game.initial_state(), depth).to_string(), row[4], "{row:?}");
        }
    }
}

/// The rows of the start position from the top, without the rest of its text.
const START: &str = "1/2/3/4/CCCC5BBBB/CCC6BBB/CC7BB/C8B/9/10/11/12/13/AAAA/AAA/AA/A";

#[test]
fn positions() {
    let game = ChineseCheckers::default();
    let start = |rest: &str| format!("{START}{rest}");
    let changed = |from: &str, to: &str, rest: &str| START.replacen(from, to, 1) + rest;
    let hop = |rest: &str| changed("/13/AAAA/AAA", "/4A8/AAAA/1AA", rest);
    let won = |rest: &str| format!("A/AA/AAA/AAAA/{}/4/3/2/1{rest}", &START[8..49]);
    for (text, message) in [
        (start(""), "the player to move is missing; expected A to C"),
        (start(" D"), "the player to move must be A to C, not 'D'"),
        (start(" AB"), "the player to move must be A to C, not 'AB'"),
        (start(" B - 0"), "the player to move cannot be B: after 0 turns it is A's turn"),
        (start(" A - 301"), "'301' is not a number of turns; expected 0 to 300"),
        (start(" A - -3"), "'-3' is not a number of turns; expected 0 to 300"),
        (start(" A - 3 4"), "unexpected '4' after the number of turns"),
        (
            start(" A x"),
            "'x' is not the path of a hopping piece; expected - or at least two cells, as in a3-g5",
        ),
        (
            start(" A a3"),
            "'a3' is not the path of a hopping piece; expected - or at least two cells, as in \
             a3-g5",
        ),
        (start(" A a9-b9"), "A has no piece on b9, where its hops end"),
        (
            start(" A a3-z5"),
            "'a3-z5' is not the path of a hopping piece; expected - or at least two cells, as in \
             a3-g5",
        ),
        (start(" A - 0 0"), "unexpected '0' after the number of turns"),
        (changed("A/A", "A/1", " A"), "A has 9 pieces instead of 10"),
        (changed("/9/", "/8A/", " A"), "A has 11 pieces instead of 10"),
        (changed("13", "12", " A"), "row 13 from the top has 12 cells; the board is 13 wide"),
        (
            changed("/9/", "/9/9/", " A"),
            "the position has 18 rows separated by '/'; the board has 17",
        ),
        (
            changed("/9/", "/8D/", " A"),
            "'D' in row 9 from the top, column 9, is not a piece; expected A to C",
        ),
        (
            changed("/9/", "/8+A/", " A"),
            "'+' in row 9 from the top, column 9, is not a piece; expected A to C",
        ),
        (start(" A a3-c5"), "A has no piece on c5, where its hops end"),
        (hop(" A a3-e5"), "the piece on e5 cannot hop any further, so its turn is over"),
        (hop(" A b3-e5"), "a piece cannot have hopped from b3 to e5 in this turn"),
        (hop(" A a3-a3-e5"), "a piece cannot have hopped from a3 to e5 in this turn"),
        (hop(" A a3-a4-e5"), "a piece cannot have hopped from a4 to e5 in this turn"),
        (hop(" A a3-e5 300"), "the piece on e5 cannot hop any further, so its turn is over"),
        (hop(" B a3-e5"), "B has no piece on e5, where its hops end"),
        (won(" C"), "A has won, but B has moved since"),
        (won(" A"), "A has won, but C has moved since"),
    ] {
        refused(&game, &[(&text, message)]);
    }
    let state = game.parse_state(&won(" B - 31")).unwrap();
    assert_eq!(game.turn(&state), Turn::Over);
    assert_eq!([0, 1, 2].map(|player| game.payoff(&state, player)), [2, -1, -1]);
    let text = start(" A - 0");
    let dots = START.replace("13", ".............").replace("10", "----------");
    same(&game, &text, &[&start(" a"), &start(" a -"), &format!("{dots} A"), &text.to_lowercase()]);
    let drawn = game.parse_state(&start(" A - 300")).unwrap();
    assert_eq!((game.turn(&drawn), game.payoff(&drawn, 0)), (Turn::Over, 0));
}

/// Checks that the visited cells are part of the position during a turn of hops.
#[test]
fn hops() {
    let game = ChineseCheckers::default();
    let mut state = game.initial_state();
    for text in ["a4f5", "j10i9", "a10a9", "a3xg5"] {
        let mv = game.parse_move(&state, text).unwrap_or_else(|error| panic!("{error}"));
        game.play(&mut state, mv);
    }
    let text = "1/2/3/4/CCCC5BBBB/CCC6BBB/CC7BB/10/C7B/10/11/12/5AA6/1AAA/1AA/AA/A A a3-g5 3";
    assert_eq!(game.state_text(&state), text);
    same(&game, text, &[&text.replace("a3-g5", "A3G5"), &text.replace("/5AA6", "/.....aa6")]);
    let mut moves = Vec::new();
    game.legal_moves(&state, &mut moves);
    let moves: Vec<String> = moves.into_iter().map(|mv| game.move_text(&state, mv)).collect();
    assert_eq!(moves, ["g5e5", "pass"]);
    // A hop back over b4 is illegal, because it returns to a visited cell.
    let error = game.parse_move(&state, "g5a3").unwrap_err().to_string();
    assert_eq!(error, "'g5a3' is not a legal move here; legal moves: g5e5 pass");
    for text in ["pass", "--", "g5-e5", "G5xE5"] {
        let mv = game.parse_move(&state, text).unwrap();
        assert_eq!(game.turn(&game.after(&state, mv)), Turn::Player(1), "{text}");
    }
}

#[test]
fn impossible_games() {
    no_game(
        "chinese-checkers:players=5",
        "chinese-checkers: the game takes 2, 3, 4 or 6 players, not 5",
    );
    no_game(
        "chinese-checkers:5",
        "chinese-checkers: '5' is not a valid value for the side length of the star's points; it \
         must be a number from 1 to 4",
    );
    no_game(
        "chinese-checkers:turns=0",
        "chinese-checkers: '0' is not a valid value for turns; it must be a number from 1 to 10000",
    );
    assert!(ChineseCheckers::new(3, 0).is_err());
}
