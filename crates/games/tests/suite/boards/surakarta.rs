use super::ludii_perft;
use crate::bad_input::{no_game, refused, same};
use crate::data::jsonl;
use crate::recorded::{LudiiGame, Replay, ludii_rows, winner};
use proofwood::{Game, Rng, Turn};
use proofwood_games::Surakarta;
use std::collections::BTreeSet;

/// Converts a move to Ludii's notation, in which passes, proposals and votes are all `-1`.
fn ludii_move(text: &str) -> String {
    let site = |point: &[u8]| u32::from(point[1] - b'1') * 6 + u32::from(point[0] - b'a');
    match text.split_at_checked(2) {
        Some((from, to)) if text.len() == 4 && text != "pass" => {
            format!("{}-{}", site(from.as_bytes()), site(to.as_bytes()))
        }
        _ => "-1".to_string(),
    }
}

/// Replays games from Ludii. It records both votes alike, but only one vote ends the game.
#[test]
fn ludii_games() {
    let game = Surakarta::default();
    let games: Vec<LudiiGame> = jsonl("playouts_ludii/surakarta.jsonl");
    assert_eq!(games.len(), 10);
    for record in games {
        let mut replay = Replay::new(&game);
        for (ply, theirs) in record.plies.iter().enumerate() {
            let at = format!("game {} ply {ply}", record.id);
            assert_eq!(replay.board(), ludii_rows(&theirs.board, 6, "xo"), "{at}");
            assert_eq!(game.turn(&replay.state), Turn::Player(theirs.player - 1), "{at}");
            let ours = replay.moves();
            let translated = ours.iter().map(|text| ludii_move(text)).collect::<BTreeSet<_>>();
            assert_eq!(translated, theirs.legal.iter().cloned().collect(), "{at}");
            let last = ply + 1 == record.plies.len();
            let mut played = ours.iter().filter(|text| ludii_move(text) == theirs.played);
            let skipped = if ours.contains("end") && !last { 1 } else { 0 };
            replay.play(played.nth(skipped).expect("a move"));
        }
        let at = format!("game {}", record.id);
        assert!(replay.is_over(), "{at}");
        assert_eq!(replay.board(), ludii_rows(&record.end.board, 6, "xo"), "{at}");
        assert_eq!(winner(&game, &replay.state), record.end.winner, "{at}");
    }
}

#[test]
fn perft() {
    ludii_perft("surakarta", "default", "surakarta");
}

/// The lines of each loop in order; an arc follows each line.
const LOOPS: [[&str; 4]; 2] = [
    ["a2b2c2d2e2f2", "e1e2e3e4e5e6", "f5e5d5c5b5a5", "b6b5b4b3b2b1"],
    ["a3b3c3d3e3f3", "d1d2d3d4d5d6", "f4e4d4c4b4a4", "c6c5c4c3c2c1"],
];

/// Finds all captures by following the loops point by point.
fn plain_captures(at: impl Fn(&str) -> char, own: char) -> BTreeSet<String> {
    let mut captures = BTreeSet::new();
    for lines in LOOPS {
        let points: Vec<&str> =
            lines.iter().flat_map(|line| (0..6).map(|i| &line[2 * i..2 * i + 2])).collect();
        for (start, &from) in points.iter().enumerate().filter(|&(_, point)| at(point) == own) {
            for forward in [true, false] {
                let (mut place, mut arcs) = (start, 0);
                for _ in 0..points.len() {
                    let next = if forward { (place + 1) % 24 } else { (place + 23) % 24 };
                    arcs += usize::from(place / 6 != next / 6);
                    place = next;
                    let to = points[place];
                    if to != from && at(to) != '.' {
                        if at(to) != own && arcs > 0 {
                            captures.insert(format!("{from}{to}"));
                        }
                        break;
                    }
                }
            }
        }
    }
    captures
}

fn plain_steps(at: impl Fn(&str) -> char, own: char) -> BTreeSet<String> {
    let point = |column: u8, row: u8| format!("{}{row}", char::from(b'a' + column));
    let points: Vec<(u8, u8)> = (0..6).flat_map(|c| (1..=6).map(move |r| (c, r))).collect();
    let mut steps = BTreeSet::new();
    for &(c, r) in &points {
        for &(column, row) in &points {
            let (from, to) = (point(c, r), point(column, row));
            let beside = c.abs_diff(column).max(r.abs_diff(row)) == 1;
            if beside && at(&from) == own && at(&to) == '.' {
                steps.insert(from + &to);
            }
        }
    }
    steps
}

#[test]
fn moves_by_walking() {
    let game = Surakarta::default();
    let mut rng = Rng::new(4);
    let mut captures = 0;
    for _ in 0..3000 {
        let density = 2 + rng.below(20);
        let mut pieces = [0; 2];
        let cells: Vec<char> = (0..36)
            .map(|_| {
                let side = rng.below(2) as usize;
                if rng.below(24) >= density || pieces[side] == 12 {
                    return '.';
                }
                pieces[side] += 1;
                ['x', 'o'][side]
            })
            .collect();
        if pieces.contains(&0) {
            continue;
        }
        let rows: Vec<String> = cells.chunks(6).map(String::from_iter).collect();
        for own in ['x', 'o'] {
            let state = game.parse_state(&format!("{} {own} 7", rows.join("/"))).unwrap();
            let at = |point: &str| {
                let point = point.as_bytes();
                cells[usize::from(b'6' - point[1]) * 6 + usize::from(point[0] - b'a')]
            };
            let mut moves = Vec::new();
            game.legal_moves(&state, &mut moves);
            assert_eq!(game.mobility(&state, &mut Vec::new()), moves.len());
            let texts = BTreeSet::from_iter(moves.iter().map(|&mv| game.move_text(&state, mv)));
            assert_eq!(texts.len(), moves.len(), "each once: {moves:?}");
            let taking = plain_captures(at, own);
            captures += taking.len();
            let mut plain = plain_steps(at, own);
            plain.extend(taking);
            if plain.is_empty() {
                plain.insert("pass".to_string());
            }
            assert_eq!(texts, plain, "{}", game.board_text(&state));
        }
    }
    assert!(captures > 5000, "{captures} captures");
}

fn play(position: &str, moves: &str) -> String {
    let game = Surakarta::default();
    let mut state = game.parse_state(position).unwrap();
    for text in moves.split_whitespace() {
        let mv = game.parse_move(&state, text).unwrap();
        game.play(&mut state, mv);
    }
    game.state_text(&state)
}

/// Checks that the end may be proposed after 102 quiet moves from the start, or 101 quiet moves
/// after a capture or a vote.
#[test]
fn proposals() {
    let game = Surakarta::default();
    let mut state = game.initial_state();
    let circle = ["b2b3", "b5b4", "b3b2", "b4b5"];
    let may_propose = |state: &_| game.parse_move(state, "propose").is_ok();
    for ply in 0..150 {
        assert_eq!(may_propose(&state), ply >= 102, "ply {ply}");
        let mv = game.parse_move(&state, circle[ply % 4]).unwrap();
        game.play(&mut state, mv);
    }
    let quiet = "oooooo/oooooo/6/6/xxxxxx/xxxxxx";
    assert!(game.state_text(&state).ends_with(" x 101"));
    let asked = play(&format!("{quiet} o 101"), "propose");
    assert_eq!(asked, format!("{quiet} x vote"));
    let voter = game.parse_state(&asked).unwrap();
    assert_eq!(game.turn(&voter), Turn::Player(0));
    let error = game.parse_move(&voter, "a2a3").unwrap_err().to_string();
    assert_eq!(error, "'a2a3' is not a legal move here; legal moves: end no");
    assert_eq!(play(&asked, "no"), format!("{quiet} o 0"));
    assert_eq!(play(&asked, "no b5b4"), play(&format!("{quiet} o 0"), "b5b4"));
    assert_eq!(play(&asked, "END"), format!("{quiet} x ended"));
    for (position, payoff) in [("6/6/2x3/2oo2/6/6", -1), ("6/6/2x3/2o3/6/6", 0)] {
        let over = game.parse_state(&play(&format!("{position} x 101"), "propose end")).unwrap();
        assert_eq!((game.turn(&over), game.payoff(&over, 0)), (Turn::Over, payoff));
        assert_eq!(game.state_text(&over), format!("{position} x ended"));
    }
    // A player who cannot move must propose the end if a proposal is legal.
    let stuck = "6/6/6/6/oo4/xo4 x";
    let moves = |position: &str| {
        let state = game.parse_state(position).unwrap();
        let mut moves = Vec::new();
        game.legal_moves(&state, &mut moves);
        moves.iter().map(|&mv| game.move_text(&state, mv)).collect::<Vec<String>>()
    };
    assert_eq!(moves(&format!("{stuck} 100")), ["pass"]);
    assert_eq!(moves(&format!("{stuck} 101")), ["propose"]);
}

#[test]
fn captures() {
    // The capture runs from a2 to the right, around the corner to e1, and up to e6.
    assert_eq!(play("4o1/6/6/6/x5/6 x 5", "a2xe6"), "4x1/6/6/6/6/6 x 0");
    // The capture runs all around the loop to the adjacent piece.
    assert_eq!(play("6/6/6/6/xo4/5o x 5", "a2b2"), "6/6/6/6/1x4/5o o 0");
    // Corner points cannot be captured.
    let game = Surakarta::default();
    let state = game.parse_state("6/6/6/6/x5/5o x 5").unwrap();
    assert!(game.parse_move(&state, "a2f1").is_err());
}

#[test]
fn positions() {
    let game = Surakarta::default();
    assert_eq!(game.state_text(&game.initial_state()), "oooooo/oooooo/6/6/xxxxxx/xxxxxx x -1");
    refused(
        &game,
        &[
            ("6/6/6/6/6 x", "the position has 5 rows separated by '/'; the board has 6"),
            (
                "6/6/6/6/6/q5 x",
                "'q' in row 6 from the top, column 1, is not a piece; expected x for the first \
                 player or o for the second",
            ),
            ("6/6/6/x5/xxxxxx/xxxxxx x", "x has 13 pieces, but starts with 12 and never gains any"),
            ("6/6/6/6/6/6 x", "the board is empty, but the winner has pieces left"),
            ("6/6/6/6/x5/o5", "the side to move is missing; add x or o after the board"),
            ("6/6/6/6/x5/o5 w", "'w' is not a side; expected x or o after the board"),
            (
                "6/6/6/6/x5/o5 x 102",
                "'102' is not a count of moves without a capture; \
                 expected -1 to 101, 'vote' or 'ended'",
            ),
            (
                "6/6/6/6/x5/o5 x yes",
                "'yes' is not a count of moves without a capture; \
                 expected -1 to 101, 'vote' or 'ended'",
            ),
            ("6/6/6/6/x5/o5 x -1", "the count can be -1 only in the start position"),
            (
                "oooooo/oooooo/6/6/xxxxxx/xxxxxx o -1",
                "the count can be -1 only in the start position",
            ),
            ("6/6/6/6/x5/o5 x 5 1", "unexpected '1' after the count"),
            ("6/6/6/6/x5/x5 x vote", "o has no pieces left, so the game was over before any vote"),
        ],
    );
    same(&game, "6/6/6/6/x5/o5 x 0", &["6/6/6/6/x5/o5 x", "6/6/6/6/X5/O..... X 0"]);
    same(
        &game,
        "oooooo/oooooo/6/6/xxxxxx/xxxxxx x -1",
        &["oooooo/oooooo/6/6/xxxxxx/xxxxxx x", "OOOOOO/OOOOOO/6/6/XXXXXX/XXXXXX X -1"],
    );
    same(&game, "6/6/6/6/x5/x5 x 0", &["6/6/6/6/x5/x5 o 17", "6/6/6/6/x5/x5 x"]);
    no_game("surakarta:8", "surakarta has no option '8'; it has no options");
}

#[test]
fn moves() {
    let game = Surakarta::default();
    let start = game.initial_state();
    for text in ["b2b3", "B2-B3", "b2xb3"] {
        let mv = game.parse_move(&start, text).unwrap();
        assert_eq!(game.move_text(&start, mv), "b2b3");
    }
    for text in ["b2", "b2b4", "b1b2", "b5b4", "pass", "propose", "end", "b2g3", "b2b3x", "-1", ""]
    {
        let error = game.parse_move(&start, text).unwrap_err().to_string();
        let list = "legal moves: b2a3 c2b3 d2c3 e2d3 f2e3 a2a3 b2b3 c2c3 d2d3 e2e3 f2f3 a2b3 b2c3 \
                    c2d3 d2e3 e2f3";
        assert_eq!(error, format!("'{text}' is not a legal move here; {list}"));
    }
}
