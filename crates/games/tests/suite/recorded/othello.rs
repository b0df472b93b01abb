use super::{FairyGame, LudiiGame, Replay, openspiel, winner};
use crate::data::jsonl;
use proofwood::{Game, Turn};
use proofwood_games::Othello;
use std::collections::BTreeSet;

#[test]
fn openspiel_othello() {
    let cells = |board: &str| -> String {
        let rows = board.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit()));
        rows.flat_map(|row| row[1..row.len() - 1].chars())
            .filter(|c| !c.is_whitespace() && !c.is_ascii_digit())
            .map(|c| c.to_ascii_uppercase())
            .collect()
    };
    openspiel("othello", &Othello::default(), str::to_string, cells);
}

/// Replays games from Fairy-Stockfish, where the start is mirrored left to right and a pass is a
/// null move from any cell to itself. If neither side can move, the record may end with two passes.
#[test]
fn fairy_othello() {
    for (name, size) in [("flipello", 8), ("flipello6", 6)] {
        let game = Othello::new(size, false).unwrap();
        let games: Vec<FairyGame> = jsonl(&format!("playouts_fairy/{name}.jsonl"));
        assert_eq!(games.len(), 60);
        for record in games {
            let mut replay = Replay::new(&game);
            for (ply, text) in record.moves.iter().enumerate() {
                let at = format!("{name} game {} ply {ply}", record.id);
                let text = fairy_move(text, size);
                if replay.is_over() {
                    assert_eq!(text, "pass", "{at}");
                    assert!(ply + 2 >= record.moves.len(), "{at}");
                    continue;
                }
                let moves = replay.moves();
                assert_eq!(moves.len(), record.n_legal[ply], "{at}");
                if let Some(legal) = record.legal(ply) {
                    let legal: BTreeSet<String> =
                        legal.iter().map(|mv| fairy_move(mv, size)).collect();
                    assert_eq!(moves, legal, "{at}");
                }
                if let Some(fens) = &record.fens {
                    assert_eq!(replay.board(), fairy_board(&fens[ply]), "{at}");
                }
                replay.play(&text);
            }
            assert!(replay.is_over(), "{name} game {}", record.id);
            assert_eq!(replay.board(), fairy_board(&record.final_fen), "{name} {}", record.id);
            let result = match record.result.as_str() {
                "1-0" => 1,
                "0-1" => -1,
                _ => 0,
            };
            assert_eq!(game.payoff(&replay.state, 0).signum(), result, "{name} {}", record.id);
        }
    }
}

fn fairy_move(text: &str, size: usize) -> String {
    match text.strip_prefix("P@").map(str::as_bytes) {
        None => "pass".to_string(),
        Some(cell) => {
            let column = char::from(b'a' + size as u8 - 1 - (cell[0] - b'a'));
            format!("{column}{}", char::from(cell[1]))
        }
    }
}

/// Converts the board of a FEN, whose ranks are listed from the top. Here rows are numbered from
/// the top and the start is mirrored, so the board must be rotated by half a turn.
fn fairy_board(fen: &str) -> String {
    let board: String = fen.split(['[', ' ']).next().unwrap().replace('/', "");
    let cells = board.chars().rev().flat_map(|c| match c.to_digit(10) {
        Some(empty) => vec!['-'; empty as usize],
        None => vec![if c == 'P' { 'X' } else { 'O' }],
    });
    cells.collect()
}

/// Replays games from Ludii, where the start is mirrored, too, and all games end with two passes.
#[test]
fn ludii_reversi() {
    let game = Othello::default();
    let games: Vec<LudiiGame> = jsonl("playouts_ludii/reversi.jsonl");
    assert_eq!(games.len(), 10);
    for record in games {
        let mut replay = Replay::new(&game);
        let mut closing = 0;
        for (ply, theirs) in record.plies.iter().enumerate() {
            let at = format!("game {} ply {ply}", record.id);
            assert_eq!(replay.board(), ludii_board(&theirs.board), "{at}");
            if replay.is_over() {
                assert_eq!(theirs.played, "pass", "{at}");
                closing += 1;
                continue;
            }
            assert_eq!(game.turn(&replay.state), Turn::Player(theirs.player - 1), "{at}");
            let legal: BTreeSet<String> = theirs.legal.iter().map(|mv| ludii_move(mv)).collect();
            assert_eq!(replay.moves(), legal, "{at}");
            replay.play(&ludii_move(&theirs.played));
        }
        assert_eq!(closing, 2, "game {}", record.id);
        assert_eq!(replay.board(), ludii_board(&record.end.board), "game {}", record.id);
        assert_eq!(winner(&game, &replay.state), record.end.winner, "game {}", record.id);
    }
}

fn ludii_move(text: &str) -> String {
    match text.parse::<u8>() {
        Ok(site) => format!("{}{}", char::from(b'h' - site % 8), site / 8 + 1),
        Err(_) => "pass".to_string(),
    }
}

fn ludii_board(board: &str) -> String {
    let sites: Vec<char> = board
        .split(',')
        .map(|site| match site {
            "1s1" => 'X',
            "1s2" => 'O',
            _ => '-',
        })
        .collect();
    sites.chunks(8).flat_map(|row| row.iter().rev()).collect()
}
