//! Games and positions in files that other programs write: SGF, PGN and FEN.
//!
//! - [`sgf`]: trees of moves; [`pgn`]: games of chess and its kin, and their moves in short.
//! - [`export`]: games and trees of moves as SGF.
//! - [`points`]: cells by two letters, as SGF counts them, and set-up stones.
//!
//! Which of them a text is shows in its beginning. A move of a file is played as soon as it
//! is read, so that what is wrong is told with the move's number.

pub(crate) mod export;
pub(crate) mod pgn;
mod points;
pub(crate) mod sgf;

use super::positions::{file_name, split_moves};
use crate::exit::Failure;
use pgn::Pgn;
use proofwood_any_game::{Position, Rules};
use sgf::{Collection, Node};
use std::io::Read;

/// Bytes that a file of a game has at most.
const LARGEST: u64 = 64 << 20;

/// A game that was read: where it began, and the moves that were played.
pub(crate) struct ReadGame {
    /// Before the first move.
    pub(crate) start: Box<dyn Position>,
    /// The moves of the main line, as the game writes them.
    pub(crate) moves: Vec<String>,
    /// After the last move.
    pub(crate) end: Box<dyn Position>,
}

/// What a file is.
enum Kind {
    Sgf(Collection),
    Pgn(Pgn),
    /// A position, or moves as `--moves` takes them.
    Plain(String),
}

/// The text of a file, `-` for standard input.
pub(crate) fn read_text(path: &str) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let read = match path {
        "-" => std::io::stdin().take(LARGEST + 1).read_to_end(&mut bytes),
        _ => std::fs::File::open(path)
            .and_then(|file| file.take(LARGEST + 1).read_to_end(&mut bytes)),
    };
    let name = file_name(path);
    read.map_err(|error| Failure::reading(name, &error))?;
    if bytes.len() as u64 > LARGEST {
        return Err(Failure::Input(format!("{name}: a game has at most 64 MiB")));
    }
    // Names of players may be in any encoding; moves are ASCII in all of them.
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.trim_start_matches('\u{feff}').to_string())
}

impl Kind {
    fn of(text: &str) -> Result<Kind, String> {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let mut lines = lines.filter(|line| !line.starts_with('#'));
        let first = lines.next().ok_or("the file is empty")?;
        let is_numbered = first.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with('.');
        if first.starts_with('(') {
            Collection::read(text).map(Kind::Sgf)
        } else if first.starts_with(['[', '{', ';', '%'])
            || is_numbered && first.starts_with(|c: char| c.is_ascii_digit())
        {
            Pgn::read(text).map(Kind::Pgn)
        } else {
            let lines: Vec<&str> = std::iter::once(first).chain(lines).collect();
            Ok(Kind::Plain(lines.join("\n")))
        }
    }
}

/// The game that a file says it is of, as `proofwood games` spells it; `None` where it does
/// not say.
pub(crate) fn game_of(text: &str) -> Result<Option<String>, String> {
    Ok(match Kind::of(text)? {
        Kind::Sgf(all) => all.roots.first().and_then(|&root| sgf_game(&all.nodes[root])),
        Kind::Pgn(pgn) => pgn.game(),
        Kind::Plain(_) => None,
    })
}

/// The property with the game's name, where the numbers of SGF have none.
const GAME: &str = "XG";
/// The property with the position that a game begins from.
const POSITION: &str = "XP";

/// The games that SGF has a number for, as far as their rules and size are then known.
const NUMBERED: [(&str, &str, &str); 4] =
    [("2", "othello:", "8"), ("9", "loa", "8"), ("10", "ataxx:", "7"), ("11", "hex:", "11")];

fn sgf_game(root: &Node) -> Option<String> {
    if let Some(name) = root.value(GAME) {
        return Some(name.trim().to_string());
    }
    let number = root.value("GM")?.trim();
    let (_, name, usual) = NUMBERED.iter().find(|(known, ..)| *known == number)?;
    let size = root.value("SZ").map_or(*usual, str::trim).replace(':', "x");
    Some(format!("{name}{size}"))
}

/// Reads a game, and plays at most so many of its moves.
pub(crate) fn read_game(
    rules: &dyn Rules,
    text: &str,
    most: Option<usize>,
) -> Result<ReadGame, String> {
    let most = most.unwrap_or(usize::MAX);
    match Kind::of(text)? {
        Kind::Sgf(all) => read_sgf(rules, &all, most),
        Kind::Pgn(pgn) => {
            let start = match pgn.tag("FEN") {
                Some(fen) => read_position(rules, fen)?,
                None => rules.start(),
            };
            let mut game = Played::new(start, most);
            pgn.moves.iter().try_for_each(|mv| game.play(mv, &|p, mv| pgn::play(p, mv)))?;
            Ok(game.done())
        }
        Kind::Plain(text) => {
            let mut game = Played::new(rules.start(), most);
            let own = |position: &mut dyn Position, mv: &str| {
                position.play(mv).map_err(|error| error.to_string())
            };
            let moves = split_moves(rules, &text);
            let played = moves.iter().try_for_each(|mv| game.play(mv, &own));
            // Some texts are both: moves come first.
            match (played, text.contains('\n')) {
                (Ok(()), _) => {}
                (Err(error), true) => return Err(error),
                (Err(error), false) => {
                    let start = read_position(rules, &text).map_err(|_| error)?;
                    game = Played::new(start, most);
                }
            }
            Ok(game.done())
        }
    }
}

/// Reads a position, as the game writes it or as a FEN with its two counters.
pub(crate) fn read_position(rules: &dyn Rules, text: &str) -> Result<Box<dyn Position>, String> {
    rules.read(text).or_else(|error| {
        let words: Vec<&str> = text.split_whitespace().collect();
        let is_fen = words.len() > 4 && words[0].contains('/');
        let counters = words.iter().rev().take_while(|word| word.parse::<u32>().is_ok()).count();
        let shorter = |fewer: usize| rules.read(&words[..words.len() - fewer].join(" ")).ok();
        let found = if is_fen { (1..=counters.min(2)).find_map(shorter) } else { None };
        found.ok_or_else(|| format!("cannot read the position: {error}"))
    })
}

/// A game in the making.
struct Played {
    start: Box<dyn Position>,
    end: Box<dyn Position>,
    moves: Vec<String>,
    most: usize,
}

/// Plays a move of a file; answers it as the game writes it.
type PlayMove<'p> = &'p dyn Fn(&mut dyn Position, &str) -> Result<String, String>;

impl Played {
    fn new(start: Box<dyn Position>, most: usize) -> Played {
        Played { end: start.copy(), start, moves: Vec::new(), most }
    }

    fn play(&mut self, text: &str, play: PlayMove<'_>) -> Result<(), String> {
        if self.moves.len() < self.most {
            let played = play(&mut *self.end, text).map_err(|error| {
                let number = self.moves.len() + 1;
                match error.contains(text) {
                    true => format!("move {number}: {error}"),
                    false => format!("move {number}, '{text}': {error}"),
                }
            })?;
            self.moves.push(played);
        }
        Ok(())
    }

    fn done(self) -> ReadGame {
        ReadGame { start: self.start, moves: self.moves, end: self.end }
    }
}

/// Whether a move takes over what the first player did.
fn is_swap(mv: &str) -> bool {
    ["swap", "swap-pieces", "swap-sides"].iter().any(|swap| mv.eq_ignore_ascii_case(swap))
}

/// The main line of the first game of an SGF file.
fn read_sgf(rules: &dyn Rules, all: &Collection, most: usize) -> Result<ReadGame, String> {
    let &root = all.roots.first().ok_or("the file holds no game")?;
    let mut start = match all.nodes[root].value(POSITION) {
        Some(text) => read_position(rules, text)?,
        None => rules.start(),
    };
    let mut moves = Vec::new();
    for node in all.main_line(root) {
        if points::SETUP.iter().any(|name| !node.values(name).is_empty()) {
            if !moves.is_empty() {
                return Err(
                    "stones are set up after the first move; only those before are read".into()
                );
            }
            start = points::set_up(rules, &*start, node)?;
        }
        match (node.value("B"), node.value("W")) {
            (Some(_), Some(_)) => return Err("a node has a move of both sides".into()),
            (Some(mv), None) => moves.push((mv, 'B')),
            (None, Some(mv)) => moves.push((mv, 'W')),
            (None, None) => {}
        }
    }
    let mut game = Played::new(start, most);
    // Whoever moves first has the colour of the first move.
    let mut colours = [None, None];
    let mut next = moves.iter().skip(1);
    for &(mv, colour) in &moves {
        let next = next.next().map(|&(_, colour)| colour);
        if game.moves.len() == 1 && is_swap(mv) {
            if next == Some(colour) || next.is_none() {
                // The players change sides, and the board stays as it is.
                continue;
            }
            let swapped = points::swapped(rules, &*game.end);
            game = Played::new(swapped.ok_or("move 2: one stone of Hex can be swapped")?, most);
            continue;
        }
        if mv.eq_ignore_ascii_case("resign") {
            break;
        }
        if let proofwood::Turn::Player(player @ 0..2) = game.end.turn() {
            let expected = *colours[player].get_or_insert(colour);
            colours[1 - player].get_or_insert(if colour == 'B' { 'W' } else { 'B' });
            // Many files leave forced passes out.
            if expected != colour && game.play("pass", &|p, mv| points::play(p, mv)).is_err() {
                let number = game.moves.len() + 1;
                return Err(format!(
                    "move {number}, '{mv}', is of {colour}, and it is {expected}'s turn"
                ));
            }
        }
        game.play(mv.trim(), &|position, mv| points::play(position, mv))?;
    }
    Ok(game.done())
}
