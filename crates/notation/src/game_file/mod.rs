//! Reads games and positions from files of other programs: SGF, PGN and FEN.
//!
//! - `sgf`: trees of moves; `pgn`: games of chess and its variants.
//! - `kind`: determines the format of a text; `charset`: decodes any charset.
//! - `facts`: compares the game named in a file with the requested one.
//! - [`export`]: writes games and trees of moves as SGF.
//! - `points`: cells as two letters, as in SGF, and stones set up by a file.
//!
//! A move is played as soon as it is read, so that an error names the move's number.

mod charset;
pub mod export;
mod facts;
mod kind;
mod pgn;
mod points;
mod sgf;

use kind::Kind;
use pgn::Pgn;
use points::SetUp;
use proofwood::Turn;
use proofwood_any_game::{Position, Rules};
use proofwood_session::Trouble;
use proofwood_session::input::moves::{about_move, split_moves};
use sgf::Collection;
use std::io::Read;

/// The size limit of a file, in bytes.
const LARGEST: u64 = 64 << 20;

fn file_name(path: &str) -> &str {
    if path == "-" { "standard input" } else { path }
}

/// A game read from a file.
pub struct ReadGame {
    /// The position before the first move.
    pub start: Box<dyn Position>,
    /// The moves of the main line, in the game's notation.
    pub moves: Vec<String>,
    /// The position after the last move.
    pub end: Box<dyn Position>,
}

/// A game parsed from a file, whose moves have not been checked yet.
pub struct GameFile {
    name: String,
    kind: Kind,
}

impl GameFile {
    /// Reads a file, or standard input for `-`, and selects the game with this number, counted from
    /// 1. Without a number, the file must contain exactly one game.
    pub fn open(path: &str, number: Option<usize>) -> Result<GameFile, Trouble> {
        let mut bytes = Vec::new();
        let read = match path {
            "-" => std::io::stdin().take(LARGEST + 1).read_to_end(&mut bytes),
            _ => std::fs::File::open(path)
                .and_then(|file| file.take(LARGEST + 1).read_to_end(&mut bytes)),
        };
        let name = file_name(path);
        read.map_err(|error| Trouble::reading(name, &error))?;
        if bytes.len() as u64 > LARGEST {
            return Err(Trouble::Input(format!("{name}: the file is larger than 64 MiB")));
        }
        GameFile::read(name, &bytes, number)
    }

    /// Parses the contents of a file with this name, like [`open`](GameFile::open).
    pub fn read(name: &str, bytes: &[u8], number: Option<usize>) -> Result<GameFile, Trouble> {
        match charset::read(bytes, &|text| Kind::read(text, number)) {
            Ok(kind) => Ok(GameFile { name: name.into(), kind }),
            Err(error) => Err(Trouble::Input(format!("{name}: {error}"))),
        }
    }

    /// Returns an error about this file.
    pub fn wrong(&self, error: &str) -> Trouble {
        Trouble::Input(format!("{}: {error}", self.name))
    }

    /// Returns the game that the file names, in our spelling.
    pub fn game(&self) -> Option<String> {
        match &self.kind {
            Kind::Sgf(all, root) => facts::of_sgf(&all.nodes[*root]),
            Kind::Pgn(pgn) => pgn.game(),
            Kind::Plain(_) => None,
        }
    }

    /// Returns `asked`, or else the game that the file names.
    pub fn game_or(&self, asked: Option<&str>) -> Result<String, Trouble> {
        let unsaid = || self.wrong("the file does not name its game; give --game GAME");
        asked.map(str::to_string).or_else(|| self.game()).ok_or_else(unsaid)
    }

    /// Returns the game with the board size in the file, if the game exists in that size.
    pub fn resized(&self, game: &str) -> String {
        match &self.kind {
            Kind::Sgf(all, root) => facts::resized(game, &all.nodes[*root]),
            _ => game.to_string(),
        }
    }

    /// Plays up to `most` moves of the game by these rules. Refuses a file whose facts contradict
    /// the game.
    pub fn play(
        &self,
        game: &str,
        rules: &dyn Rules,
        most: Option<usize>,
    ) -> Result<ReadGame, Trouble> {
        let most = most.unwrap_or(usize::MAX);
        let read = match &self.kind {
            Kind::Sgf(all, root) => facts::check_sgf(game, rules, &all.nodes[*root])
                .and_then(|()| read_sgf(rules, all, *root, most)),
            Kind::Pgn(pgn) => facts::check_pgn(game, pgn).and_then(|()| read_pgn(rules, pgn, most)),
            Kind::Plain(text) => read_plain(rules, text, most),
        };
        read.map_err(|error| self.wrong(&error))
    }
}

/// Parses a position in the game's notation, or a FEN with counters that the game lacks.
pub fn read_position(rules: &dyn Rules, text: &str) -> Result<Box<dyn Position>, String> {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    let read = rules.read(text).or_else(|first| {
        while words.len() > 1
            && let Some(counter) = words.pop()
            && (counter == "-" || counter.bytes().all(|b| b.is_ascii_digit()))
        {
            // The game uses this counter, so its error about the value is returned.
            let is_own = |value| rules.read(&format!("{} {value}", words.join(" "))).is_ok();
            if counter != "-" && ["0", "1"].into_iter().any(is_own) {
                return rules.read(&format!("{} {counter}", words.join(" ")));
            }
            if let Ok(position) = rules.read(&words.join(" ")) {
                return Ok(position);
            }
        }
        Err(first)
    });
    read.map_err(|error| format!("cannot read the position: {error}"))
}

struct Played {
    start: Box<dyn Position>,
    end: Box<dyn Position>,
    moves: Vec<String>,
    most: usize,
}

/// A function that plays a move of a file and returns it in the game's notation.
type PlayMove<'p> = &'p dyn Fn(&mut dyn Position, &str) -> Result<String, String>;

impl Played {
    fn new(start: Box<dyn Position>, most: usize) -> Played {
        Played { end: start.copy(), start, moves: Vec::new(), most }
    }

    fn is_done(&self) -> bool {
        self.moves.len() >= self.most
    }

    fn play(&mut self, text: &str, play: PlayMove<'_>) -> Result<(), String> {
        if !self.is_done() {
            let played = play(&mut *self.end, text);
            self.moves.push(played.map_err(|error| about_move(self.moves.len() + 1, text, error))?);
        }
        Ok(())
    }

    fn done(self) -> ReadGame {
        ReadGame { start: self.start, moves: self.moves, end: self.end }
    }
}

fn play_own(position: &mut dyn Position, mv: &str) -> Result<String, String> {
    position.play(mv).map_err(|error| error.to_string())
}

/// Parses a list of moves, or one position.
fn read_plain(rules: &dyn Rules, text: &str, most: usize) -> Result<ReadGame, String> {
    let is_position = text.split_whitespace().next().is_some_and(|word| word.contains('/'));
    if is_position {
        return Ok(Played::new(read_position(rules, text)?, most).done());
    }
    let mut game = Played::new(rules.start(), most);
    let mut moves = split_moves(rules, text).into_iter();
    let played = moves.try_for_each(|mv| {
        let added = if game.is_done() { Ok(Vec::new()) } else { game.end.copy().play_recorded(mv) };
        let added = added.map_err(|error| about_move(game.moves.len() + 1, mv, error))?;
        added.iter().try_for_each(|mv| game.play(mv, &play_own))
    });
    // A text that could be either is read as moves.
    match played {
        Ok(()) => Ok(game.done()),
        Err(error) if text.contains('\n') => Err(error),
        Err(not_moves) => match read_position(rules, text) {
            Ok(start) => Ok(Played::new(start, most).done()),
            Err(not_position) => {
                Err(format!("neither moves ({not_moves}) nor a position ({not_position})"))
            }
        },
    }
}

fn read_pgn(rules: &dyn Rules, pgn: &Pgn, most: usize) -> Result<ReadGame, String> {
    let start = match pgn.tag("FEN") {
        Some(fen) => read_position(rules, fen)?,
        None => rules.start(),
    };
    let mut game = Played::new(start, most);
    for mv in &pgn.moves {
        if game.is_done() {
            break;
        }
        let legal = game.end.view().legal_moves;
        // Skip a move number without a dot, unless the game's moves are numbers.
        let is_number = |mv: &String| mv.bytes().all(|byte| byte.is_ascii_digit());
        if is_number(mv) && !legal.iter().any(is_number) {
            continue;
        }
        if legal == ["pass"] && game.end.copy().play(mv).is_err() {
            game.play("pass", &play_own)?;
        }
        game.play(mv, &pgn::play)?;
    }
    Ok(game.done())
}

fn is_swap(mv: &str) -> bool {
    ["swap", "swap-pieces", "swap-sides"].iter().any(|swap| mv.eq_ignore_ascii_case(swap))
}

/// Plays the main line of a game in an SGF file.
fn read_sgf(
    rules: &dyn Rules,
    all: &Collection,
    root: usize,
    most: usize,
) -> Result<ReadGame, String> {
    let mut start = match all.nodes[root].value(facts::POSITION) {
        Some(text) => read_position(rules, text)?,
        None => rules.start(),
    };
    let mut set_up: Option<SetUp> = None;
    let mut to_move = None;
    let mut moves = Vec::new();
    for node in all.main_line(root) {
        let stones = points::STONES.iter().any(|name| !node.values(name).is_empty());
        let side = node.value("PL").map(points::player).transpose()?;
        if stones || side.is_some() {
            if !moves.is_empty() {
                return Err("the file sets up stones or the side to move after the first move, \
                            which is not supported"
                    .into());
            }
            to_move = side.or(to_move);
        }
        if stones {
            let mut board = set_up.map_or_else(|| SetUp::new(&*start), Ok)?;
            board.add(node)?;
            set_up = Some(board);
        }
        match (node.value("B"), node.value("W")) {
            (Some(_), Some(_)) => return Err("a node contains moves by both sides".into()),
            (Some(mv), None) => moves.push((mv, 'B')),
            (None, Some(mv)) => moves.push((mv, 'W')),
            (None, None) => {}
        }
    }
    facts::check_handicap(&all.nodes[root], set_up.is_some())?;
    // The first player is the one who moves first, unless the file determines who is Black.
    let is_said = all.nodes[root].value(facts::POSITION).is_some();
    let is_bound = is_said || to_move.is_some() || set_up.is_some();
    let first = moves.first().map(|&(_, colour)| usize::from(colour == 'W'));
    let black = match (start.turn(), first) {
        (Turn::Player(player @ 0..2), Some(first)) if !is_bound => player ^ first,
        _ => 0,
    };
    if let Some(board) = set_up {
        start = board.done(rules, to_move.or(first))?;
    } else if let Some(side) = to_move.filter(|&side| start.turn() != Turn::Player(side)) {
        start = SetUp::new(&*start)?.done(rules, Some(side))?;
    }
    let mut game = Played::new(start, most);
    let mut next = moves.iter().skip(1);
    for &(mv, colour) in &moves {
        let next = next.next().map(|&(_, colour)| colour);
        if game.moves.len() == 1 && is_swap(mv) {
            if next == Some(colour) || next.is_none() {
                // The players change sides; the board stays the same.
                continue;
            }
            let swapped = points::swapped(rules, &*game.end);
            game = Played::new(swapped.ok_or("move 2: only one Hex stone can be swapped")?, most);
            continue;
        }
        if mv.eq_ignore_ascii_case("resign") {
            break;
        }
        if let Turn::Player(player @ 0..2) = game.end.turn() {
            let expected = if player == black { 'B' } else { 'W' };
            // Many files omit forced passes.
            if expected != colour && game.play("pass", &points::play).is_err() {
                let number = game.moves.len() + 1;
                return Err(format!(
                    "move {number}, '{mv}', is a move by {colour}, but it is {expected}'s turn"
                ));
            }
        }
        game.play(mv.trim(), &points::play)?;
    }
    Ok(game.done())
}
