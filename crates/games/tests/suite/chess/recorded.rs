//! Replays recorded games with chess pieces.

use crate::data::jsonl;
use crate::recorded::{FairyGame, LudiiGame, Replay, winner};
use proofwood::{Game, Turn};
use proofwood_games::{Minichess, ReachChess, Skirmish};
use std::collections::BTreeSet;

struct Ludii {
    size: usize,
    /// The letters of the pieces, in the order of their numbers in Ludii, which start at 1.
    pieces: &'static str,
}

const ALAMOS: Ludii = Ludii { size: 6, pieces: "PpRrKkNnQq" };
const CHESS: Ludii = Ludii { size: 8, pieces: "PpRrKkBbNnQq" };

impl Ludii {
    fn piece(&self, number: &str) -> char {
        let number: usize = number.parse().expect(number);
        self.pieces.as_bytes()[number - 1].into()
    }

    /// Returns the cells from a1 on, and the indices of kings and rooks that have never moved.
    fn board(&self, sites: &str) -> (String, Vec<usize>) {
        let mut unmoved = Vec::new();
        let cells = sites.split(',').enumerate().map(|(at, site)| match site.split_once('s') {
            _ if site == "." => '.',
            None => self.piece(site),
            Some((piece, state)) => {
                assert_eq!(state, "1");
                unmoved.push(at);
                self.piece(piece)
            }
        });
        (cells.collect(), unmoved)
    }

    /// Converts a move without its promotion, or `pass`.
    fn step(&self, text: &str) -> String {
        let cell = |site: &str| {
            let site: usize = site.parse().expect(text);
            let column = char::from(b'a' + (site % self.size) as u8);
            format!("{column}{}", site / self.size + 1)
        };
        match text.split_once('-') {
            Some((from, to)) => cell(from) + &cell(to),
            None => text.to_string(),
        }
    }

    /// Reads the promotion of a pawn from `site=number`.
    fn promotion(&self, text: &str) -> char {
        let (_, number) = text.split_once('=').expect(text);
        self.piece(number).to_ascii_lowercase()
    }

    /// Replays recorded games. In Ludii, the promotion is a separate ply of the same player after
    /// the pawn's move; here both are one move.
    fn check<G: Game>(&self, name: &str, game: &G) {
        let games: Vec<LudiiGame> = jsonl(&format!("playouts_ludii/{name}.jsonl"));
        assert_eq!(games.len(), 10);
        for record in games {
            let mut replay = Replay::new(game);
            let mut plies = record.plies.iter().enumerate().peekable();
            while let Some((ply, theirs)) = plies.next() {
                let at = format!("{name} game {} ply {ply}", record.id);
                let (board, unmoved) = self.board(&theirs.board);
                assert_eq!(cells(&replay), board, "{at}");
                assert_eq!(rights(&replay), rights_of(&unmoved), "{at}");
                assert_eq!(game.turn(&replay.state), Turn::Player(theirs.player - 1), "{at}");
                let moves = replay.moves();
                let steps: BTreeSet<&str> = moves.iter().map(|mv| &mv[..4]).collect();
                let legal: BTreeSet<String> = theirs.legal.iter().map(|mv| self.step(mv)).collect();
                assert!(steps.into_iter().eq(&legal), "{at}: {moves:?} {legal:?}");
                let mut played = self.step(&theirs.played);
                if let Some((_, next)) = plies.next_if(|(_, next)| next.played.contains('=')) {
                    let become_what = |text: &String| format!("{played}{}", self.promotion(text));
                    let legal: BTreeSet<String> = next.legal.iter().map(become_what).collect();
                    let ours = moves.iter().filter(|mv| mv.starts_with(&played));
                    assert!(ours.eq(&legal), "{at}: {moves:?} {legal:?}");
                    played.push(self.promotion(&next.played));
                }
                replay.play(&played);
            }
            let at = format!("{name} game {}", record.id);
            assert!(replay.is_over(), "{at}");
            assert_eq!(cells(&replay), self.board(&record.end.board).0, "{at}");
            assert_eq!(winner(game, &replay.state), record.end.winner, "{at}");
        }
    }
}

fn cells<G: Game>(replay: &Replay<'_, G>) -> String {
    let text = replay.game.state_text(&replay.state);
    let board = text.split(' ').next().expect("a board");
    let row = |row: &str| -> String {
        let cells = row.chars().map(|c| match c.to_digit(10) {
            Some(empty) => ".".repeat(empty as usize),
            None => c.to_string(),
        });
        cells.collect()
    };
    board.split('/').rev().map(row).collect()
}

fn rights<G: Game>(replay: &Replay<'_, G>) -> String {
    let text = replay.game.state_text(&replay.state);
    text.split(' ').nth(2).expect("rights").to_string()
}

/// Returns the castling rights, given the cells of kings and rooks that have never moved.
fn rights_of(unmoved: &[usize]) -> String {
    let rights = [('K', 4, 7), ('Q', 4, 0), ('k', 60, 63), ('q', 60, 56)].into_iter();
    let rights = rights.filter(|(_, king, rook)| unmoved.contains(king) && unmoved.contains(rook));
    let rights: String = rights.map(|(letter, ..)| letter).collect();
    if rights.is_empty() { "-".to_string() } else { rights }
}

#[test]
fn ludii() {
    ALAMOS.check("losalamos", &Minichess::los_alamos(false));
    CHESS.check("reachchess", &ReachChess::default());
    CHESS.check("skirmish", &Skirmish::default());
}

/// Compares games with those of Fairy-Stockfish, which writes moves and positions in the same way
/// but adds the move number to positions. In Fairy-Stockfish, players may claim a draw after fifty
/// moves and when a position occurs for the third time. Here, fifty moves always draw, and
/// positions do not record repetitions.
fn fairy(name: &str, game: &Minichess) {
    let games: Vec<FairyGame> = jsonl(&format!("playouts_fairy/{name}.jsonl"));
    assert_eq!(games.len(), 60);
    for record in games {
        let mut replay = Replay::new(game);
        let mut boards = Vec::new();
        let mut note = |replay: &Replay<'_, Minichess>, fen: Option<&String>, at: &str| {
            let text = game.state_text(&replay.state);
            if let Some(fen) = fen {
                let (without_number, _) = fen.rsplit_once(' ').expect("a move number");
                assert_eq!(text, without_number, "{at}");
            }
            boards.push(text.split(" - ").next().expect("board and mover").to_string());
        };
        for (ply, text) in record.moves.iter().enumerate() {
            let at = format!("{name} game {} ply {ply}", record.id);
            note(&replay, record.fens.as_ref().map(|fens| &fens[ply]), &at);
            assert!(!replay.is_over(), "{at}");
            let moves = replay.moves();
            assert_eq!(moves.len(), record.n_legal[ply], "{at}");
            if let Some(legal) = record.legal(ply) {
                assert_eq!(moves, legal.iter().cloned().collect(), "{at}");
            }
            replay.play(text);
        }
        let at = format!("{name} game {}", record.id);
        note(&replay, Some(&record.final_fen), &at);
        let times = boards.iter().filter(|&board| board == &boards[boards.len() - 1]).count();
        let fifty_moves = record.final_fen.split(' ').nth(4) == Some("100");
        match record.end.as_str() {
            "game_over" => assert!(replay.is_over(), "{at}"),
            "claimable_draw(rep/n-move)" => {
                assert_eq!(replay.is_over(), fifty_moves, "{at}");
                assert!(fifty_moves || times >= 3, "{at}");
            }
            end => panic!("{at}: {end}"),
        }
        if replay.is_over() {
            let result = match record.result.as_str() {
                "1-0" => 1,
                "0-1" => 2,
                _ => 0,
            };
            assert_eq!(winner(game, &replay.state), result, "{at}");
        }
    }
}

#[test]
fn fairy_stockfish() {
    fairy("gardner", &Minichess::gardner());
    fairy("losalamos", &Minichess::los_alamos(true));
}
