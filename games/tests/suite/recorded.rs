//! Random games that other programs have recorded, played again by our rules.

use crate::data::jsonl;
use proofwood::{Game, Turn};
use proofwood_games::{ConnectFour, Mnk, Othello};
use serde::Deserialize;
use std::collections::BTreeSet;

/// Plays one recorded game: at every ply the legal moves, or their number,
/// must be as recorded.
struct Replay<'g, G: Game> {
    game: &'g G,
    state: G::State,
}

impl<'g, G: Game> Replay<'g, G> {
    fn new(game: &'g G) -> Replay<'g, G> {
        Replay { game, state: game.initial_state() }
    }

    fn is_over(&self) -> bool {
        self.game.turn(&self.state) == Turn::Over
    }

    fn moves(&self) -> BTreeSet<String> {
        let mut moves = Vec::new();
        self.game.legal_moves(&self.state, &mut moves);
        moves.into_iter().map(|mv| self.game.move_text(&self.state, mv)).collect()
    }

    fn play(&mut self, text: &str) {
        let mv = self.game.parse_move(&self.state, text).unwrap_or_else(|e| panic!("{e}"));
        self.game.play(&mut self.state, mv);
    }

    /// The board without its cuts and without the side to move.
    fn board(&self) -> String {
        let text = self.game.state_text(&self.state);
        let (board, _) = text.rsplit_once(' ').expect("a side follows the board");
        board.replace('/', "")
    }
}

#[derive(Deserialize)]
struct OpenSpielGame {
    id: u32,
    moves: Vec<String>,
    players: Vec<usize>,
    n_legal: Vec<usize>,
    returns: Vec<f64>,
    legal: Option<Vec<Vec<String>>>,
    final_state: Option<String>,
}

/// Checks the games in a file; `translate` turns a move of theirs into ours,
/// `board` the drawing of the last position.
fn openspiel<G: Game>(
    name: &str,
    game: &G,
    translate: impl Fn(&str) -> String,
    board: impl Fn(&str) -> String,
) {
    let games: Vec<OpenSpielGame> = jsonl(&format!("playouts_openspiel/{name}.jsonl"));
    assert_eq!(games.len(), 60);
    for record in games {
        let mut replay = Replay::new(game);
        for (ply, text) in record.moves.iter().enumerate() {
            let at = format!("{name} game {} ply {ply}", record.id);
            assert_eq!(game.turn(&replay.state), Turn::Player(record.players[ply]), "{at}");
            let moves = replay.moves();
            assert_eq!(moves.len(), record.n_legal[ply], "{at}");
            if let Some(legal) = &record.legal {
                let legal: BTreeSet<String> = legal[ply].iter().map(|mv| translate(mv)).collect();
                assert_eq!(moves, legal, "{at}");
            }
            replay.play(&translate(text));
        }
        assert!(replay.is_over(), "{name} game {}", record.id);
        for (player, &returned) in record.returns.iter().enumerate() {
            let payoff = game.payoff(&replay.state, player);
            assert_eq!(payoff.signum(), returned as i32, "{name} game {}", record.id);
        }
        if let Some(last) = &record.final_state {
            assert_eq!(replay.board(), board(last), "{name} game {}", record.id);
        }
    }
}

#[test]
fn openspiel_connect_four() {
    // The mark, then the column counted from 0.
    let translate = |mv: &str| (mv[1..].parse::<usize>().unwrap() + 1).to_string();
    for (name, width, height) in [
        ("connect_four", 7, 6),
        ("connect_four_4x4", 4, 4),
        ("connect_four_5x4", 5, 4),
        ("connect_four_6x5", 6, 5),
    ] {
        let game = ConnectFour::new(width, height, 4).unwrap();
        openspiel(name, &game, translate, |board| board.replace('\n', ""));
    }
}

#[test]
fn openspiel_mnk() {
    for (name, m, n, k) in [
        ("tic_tac_toe", 3, 3, 3),
        ("mnk_3_3_3", 3, 3, 3),
        ("mnk_4_4_4", 4, 4, 4),
        ("mnk_5_4_4", 5, 4, 4),
    ] {
        let game = Mnk::new(m, n, k, 2).unwrap();
        openspiel(name, &game, |mv| mnk_cell(mv, n), |board| board.replace('\n', ""));
    }
}

/// Theirs are `x(row,column)`, counted from 0 at the top left.
pub(crate) fn mnk_cell(text: &str, rows: usize) -> String {
    let (row, column) = text[2..text.len() - 1].split_once(',').expect(text);
    let column = char::from(b'a' + column.parse::<u8>().unwrap());
    format!("{column}{}", rows - row.parse::<usize>().unwrap())
}

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

#[derive(Deserialize)]
struct FairyGame {
    id: u32,
    moves: Vec<String>,
    n_legal: Vec<usize>,
    result: String,
    final_fen: String,
    legal: Option<Vec<Vec<String>>>,
    fens: Option<Vec<String>>,
}

/// Fairy-Stockfish starts mirrored left to right; a pass is a null move from
/// any cell to itself, and where neither side can move, it may note two.
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
                if let Some(legal) = &record.legal {
                    let legal: BTreeSet<String> =
                        legal[ply].iter().map(|mv| fairy_move(mv, size)).collect();
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

/// Ranks from the top, in each the files from the left. Ours count rows from
/// the top, so that both ways of mirroring together turn the board around.
fn fairy_board(fen: &str) -> String {
    let board: String = fen.split(['[', ' ']).next().unwrap().replace('/', "");
    let cells = board.chars().rev().flat_map(|c| match c.to_digit(10) {
        Some(empty) => vec!['-'; empty as usize],
        None => vec![if c == 'P' { 'X' } else { 'O' }],
    });
    cells.collect()
}

#[derive(Deserialize)]
struct LudiiGame {
    id: u32,
    plies: Vec<LudiiPly>,
    end: LudiiEnd,
}

#[derive(Deserialize)]
struct LudiiPly {
    player: usize,
    board: String,
    legal: Vec<String>,
    played: String,
}

#[derive(Deserialize)]
struct LudiiEnd {
    board: String,
    winner: usize,
}

/// Ludii starts mirrored as well, and closes every game with two passes.
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
        let winner = match game.payoff(&replay.state, 0).signum() {
            0 => 0,
            sign => {
                if sign > 0 {
                    1
                } else {
                    2
                }
            }
        };
        assert_eq!(winner, record.end.winner, "game {}", record.id);
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
