//! Replays random games that other programs recorded. The submodules contain the parts that are
//! specific to one game.

mod connect_four;
pub(crate) mod mnk;
mod othello;

use crate::data::jsonl;
use proofwood::{Game, Turn};
use serde::Deserialize;
use std::collections::BTreeSet;

/// A game and the current position during the replay of a recorded game.
pub(crate) struct Replay<'g, G: Game> {
    pub(crate) game: &'g G,
    pub(crate) state: G::State,
}

impl<'g, G: Game> Replay<'g, G> {
    pub(crate) fn new(game: &'g G) -> Replay<'g, G> {
        Replay { game, state: game.initial_state() }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.game.turn(&self.state) == Turn::Over
    }

    pub(crate) fn moves(&self) -> BTreeSet<String> {
        let mut moves = Vec::new();
        self.game.legal_moves(&self.state, &mut moves);
        moves.into_iter().map(|mv| self.game.move_text(&self.state, mv)).collect()
    }

    pub(crate) fn play(&mut self, text: &str) {
        let mv = self.game.parse_move(&self.state, text).unwrap_or_else(|e| panic!("{e}"));
        self.game.play(&mut self.state, mv);
    }

    /// Returns the position's text up to the end of the board, without separators.
    pub(crate) fn board(&self) -> String {
        let text = self.game.state_text(&self.state);
        let (board, _) = text.split_once(' ').expect("a side follows the board");
        board.replace('/', "")
    }
}

#[derive(Deserialize)]
pub(crate) struct OpenSpielGame {
    pub(crate) id: u32,
    pub(crate) moves: Vec<String>,
    /// The player to move at each ply; −1 means chance.
    pub(crate) players: Vec<i32>,
    pub(crate) n_legal: Vec<usize>,
    pub(crate) returns: Vec<f64>,
    pub(crate) legal: Option<Vec<Vec<String>>>,
    pub(crate) final_state: Option<String>,
}

/// Replays the games in a file from OpenSpiel. `translate` converts a move to our notation, and
/// `board` converts the drawing of the last position to the board of our text.
pub(crate) fn openspiel<G: Game>(
    name: &str,
    game: &G,
    translate: impl Fn(&str) -> String,
    board: impl Fn(&str) -> String,
) {
    let games: Vec<OpenSpielGame> = jsonl(&format!("playouts_openspiel/{name}.jsonl"));
    assert!(!games.is_empty());
    for record in games {
        let replay = replay_openspiel(name, &record, game, &translate);
        for (player, &returned) in record.returns.iter().enumerate() {
            let payoff = game.payoff(&replay.state, player);
            let sign = returned.partial_cmp(&0.0).expect("a number") as i32;
            assert_eq!(payoff.signum(), sign, "{name} game {}", record.id);
        }
        if let Some(last) = &record.final_state {
            assert_eq!(replay.board(), board(last), "{name} game {}", record.id);
        }
    }
}

pub(crate) fn replay_openspiel<'g, G: Game>(
    name: &str,
    record: &OpenSpielGame,
    game: &'g G,
    translate: impl Fn(&str) -> String,
) -> Replay<'g, G> {
    let mut replay = Replay::new(game);
    for (ply, text) in record.moves.iter().enumerate() {
        let at = format!("{name} game {} ply {ply}", record.id);
        let turn = usize::try_from(record.players[ply]).map_or(Turn::Chance, Turn::Player);
        assert_eq!(game.turn(&replay.state), turn, "{at}");
        let moves = replay.moves();
        assert_eq!(moves.len(), record.n_legal[ply], "{at}");
        if let Some(legal) = &record.legal {
            let legal: BTreeSet<String> = legal[ply].iter().map(|mv| translate(mv)).collect();
            assert_eq!(moves, legal, "{at}");
        }
        replay.play(&translate(text));
    }
    assert!(replay.is_over(), "{name} game {}", record.id);
    replay
}

#[derive(Deserialize)]
pub(crate) struct FairyGame {
    pub(crate) id: u32,
    pub(crate) moves: Vec<String>,
    pub(crate) n_legal: Vec<usize>,
    /// `game_over`, or the reason why the game was cut off.
    #[serde(default = "game_over")]
    pub(crate) end: String,
    pub(crate) result: String,
    pub(crate) final_fen: String,
    /// The legal moves at each ply; `None` for lists that were too long.
    legal: Option<Vec<Option<Vec<String>>>>,
    pub(crate) fens: Option<Vec<String>>,
}

impl FairyGame {
    pub(crate) fn legal(&self, ply: usize) -> Option<&Vec<String>> {
        self.legal.as_ref()?[ply].as_ref()
    }
}

fn game_over() -> String {
    "game_over".to_string()
}

/// Replays the games in a file from Fairy-Stockfish. `translate` converts a move to our notation,
/// and `board` converts the board of a FEN to the board of our text.
pub(crate) fn fairy<G: Game>(
    name: &str,
    game: &G,
    translate: impl Fn(&str) -> String,
    board: impl Fn(&str) -> String,
) {
    let games: Vec<FairyGame> = jsonl(&format!("playouts_fairy/{name}.jsonl"));
    assert!(!games.is_empty());
    for record in games {
        let mut replay = Replay::new(game);
        for (ply, text) in record.moves.iter().enumerate() {
            let at = format!("{name} game {} ply {ply}", record.id);
            let moves = replay.moves();
            assert_eq!(moves.len(), record.n_legal[ply], "{at}");
            if let Some(legal) = record.legal(ply) {
                let legal: BTreeSet<String> = legal.iter().map(|mv| translate(mv)).collect();
                assert_eq!(moves, legal, "{at}");
            }
            if let Some(fens) = &record.fens {
                assert_eq!(replay.board(), board(&fens[ply]), "{at}");
            }
            replay.play(&translate(text));
        }
        let at = format!("{name} game {}", record.id);
        assert_eq!(replay.is_over(), record.end == "game_over", "{at}");
        assert_eq!(replay.board(), board(&record.final_fen), "{at}");
        if replay.is_over() {
            let result = match record.result.as_str() {
                "1-0" => 1,
                "0-1" => -1,
                _ => 0,
            };
            assert_eq!(game.payoff(&replay.state, 0).signum(), result, "{at}");
        }
    }
}

#[derive(Deserialize)]
pub(crate) struct LudiiGame {
    pub(crate) id: u32,
    pub(crate) plies: Vec<LudiiPly>,
    pub(crate) end: LudiiEnd,
}

#[derive(Deserialize)]
pub(crate) struct LudiiPly {
    pub(crate) player: usize,
    pub(crate) board: String,
    pub(crate) legal: Vec<String>,
    pub(crate) played: String,
}

#[derive(Deserialize)]
pub(crate) struct LudiiEnd {
    pub(crate) board: String,
    pub(crate) winner: usize,
}

/// Replays the games in a file from Ludii. `translate` converts a move to our notation, and `board`
/// converts the sites to the board of our text. Returns the number of games.
pub(crate) fn ludii<G: Game>(
    name: &str,
    game: &G,
    translate: impl Fn(&str) -> String,
    board: impl Fn(&str) -> String,
) -> usize {
    let games: Vec<LudiiGame> = jsonl(&format!("playouts_ludii/{name}.jsonl"));
    assert!(!games.is_empty());
    for record in &games {
        let mut replay = Replay::new(game);
        for (ply, theirs) in record.plies.iter().enumerate() {
            let at = format!("{name} game {} ply {ply}", record.id);
            assert_eq!(replay.board(), board(&theirs.board), "{at}");
            assert_eq!(game.turn(&replay.state), Turn::Player(theirs.player - 1), "{at}");
            let legal: BTreeSet<String> = theirs.legal.iter().map(|mv| translate(mv)).collect();
            assert_eq!(replay.moves(), legal, "{at}");
            replay.play(&translate(&theirs.played));
        }
        let at = format!("{name} game {}", record.id);
        assert!(replay.is_over(), "{at}");
        assert_eq!(replay.board(), board(&record.end.board), "{at}");
        assert_eq!(winner(game, &replay.state), record.end.winner, "{at}");
    }
    games.len()
}

/// Returns the winner of a two-player game, counted from 1; 0 for a draw.
pub(crate) fn winner<G: Game>(game: &G, state: &G::State) -> usize {
    match game.payoff(state, 0).signum() {
        1 => 1,
        0 => 0,
        _ => 2,
    }
}

/// Writes the rows of a FEN without separators. The given rows start at the top and have one letter
/// for each cell; `.` is an empty cell.
pub(crate) fn fen_rows(rows: impl IntoIterator<Item = String>) -> String {
    let mut text = String::new();
    for row in rows {
        let mut empty = 0;
        for c in row.chars() {
            if c == '.' {
                empty += 1;
                continue;
            }
            if empty > 0 {
                text += &empty.to_string();
                empty = 0;
            }
            text.push(c);
        }
        if empty > 0 {
            text += &empty.to_string();
        }
    }
    text
}

/// Converts Ludii's sites to a FEN's rows; `letters` are the pieces for components 1, 2, ...
pub(crate) fn ludii_rows(board: &str, width: usize, letters: &str) -> String {
    let letter = |site: &str| match site.parse::<usize>() {
        Ok(component) => letters.chars().nth(component - 1).expect("a component"),
        Err(_) => '.',
    };
    let sites: Vec<char> = board.split(',').map(letter).collect();
    fen_rows(sites.chunks(width).rev().map(String::from_iter))
}

/// Converts Ludii's `from-to` to the names of the two cells.
pub(crate) fn ludii_step(text: &str, width: usize) -> String {
    let cell = |site: &str| {
        let site: usize = site.parse().expect(text);
        format!("{}{}", char::from(b'a' + (site % width) as u8), site / width + 1)
    };
    match text.split_once('-') {
        Some((from, to)) => cell(from) + &cell(to),
        None => "pass".to_string(),
    }
}
