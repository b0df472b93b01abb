//! Boards, points and colours in the form of the Go Text Protocol.
//!
//! A point is a column letter, never I, and a row number counted from the bottom. The cell names of
//! our games agree with it up to column H and differ after that. A board is parsed from the game's
//! drawing, with numbers for rows and letters for columns. In games with falling stones, our move
//! is a column number; here it is the point where the stone comes to rest.

use proofwood_any_game::View;
use std::cmp::Reverse;

/// A board of points, read from a drawing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// The cells of each row, the row with the highest number first.
    pub rows: Vec<Vec<String>>,
    /// Whether stones fall, so that columns have numbers and rows have no names.
    falls: bool,
}

impl Board {
    /// Parses the board in a drawing; returns `None` if the drawing contains no board.
    pub fn read(view: &View) -> Option<Board> {
        Board::named(view).or_else(|| Board::falling(view))
    }

    /// Parses a drawing of stones and empty cells above the columns' numbers.
    fn falling(view: &View) -> Option<Board> {
        let lines = view.board.lines().map(|line| line.split_whitespace());
        let mut rows: Vec<Vec<String>> =
            lines.map(|words| words.map(str::to_string).collect()).collect();
        let header = rows.pop()?;
        let is_numbered =
            (1..).zip(&header).all(|(number, word): (u32, _)| *word == number.to_string());
        let is_cell = |cell: &String| cell == "." || view.players.contains(cell);
        let is_row = |row: &Vec<String>| row.len() == header.len() && row.iter().all(is_cell);
        let is_board = !rows.is_empty() && is_numbered && rows.iter().all(is_row);
        is_board.then_some(Board { rows, falls: true })
    }

    fn heights(&self) -> Vec<usize> {
        let stones = |column: usize| {
            self.rows.iter().filter(|row| row.get(column).is_some_and(|cell| cell != ".")).count()
        };
        (0..self.columns()).map(stones).collect()
    }

    /// Parses a drawing whose rows and columns have names.
    fn named(view: &View) -> Option<Board> {
        let mut rows: Vec<(usize, Vec<String>)> = Vec::new();
        for line in view.board.lines() {
            let mut words = line.split_whitespace();
            let Some(Ok(number)) = words.next().map(str::parse) else { continue };
            // Row names are to the left of the cells.
            if line.find(|c: char| !c.is_whitespace()) > line.find(|c: char| c.is_ascii_digit()) {
                continue;
            }
            rows.push((number, words.map(str::to_string).collect()));
        }
        rows.sort_by_key(|(number, _)| Reverse(*number));
        let columns = rows.first()?.1.len();
        let is_header = |line: &str| {
            let words: Vec<&str> = line.split_whitespace().collect();
            words.len() == columns && words.iter().enumerate().all(|(at, word)| *word == plain(at))
        };
        let numbered = rows.iter().rev().zip(1..).all(|((number, _), at)| *number == at);
        let even = rows.iter().all(|(_, cells)| cells.len() == columns);
        let named = view.board.lines().any(is_header);
        // Cells with numbers are pits with seeds, which are not points.
        let counts = rows.iter().flat_map(|(_, cells)| cells).any(|c| c.parse::<u32>().is_ok());
        let is_board = columns > 0 && numbered && even && named && !counts;
        let rows = rows.into_iter().map(|(_, cells)| cells);
        is_board.then(|| Board { rows: rows.collect(), falls: false })
    }

    /// Returns the number of columns.
    pub fn columns(&self) -> usize {
        self.rows.first().map_or(0, Vec::len)
    }

    /// Returns the owner of the piece on each cell; `None` for an empty cell.
    pub fn owners(&self, players: &[String]) -> Vec<Vec<Option<usize>>> {
        let of = |cell: &String| owner(cell, players);
        self.rows.iter().map(|row| row.iter().map(of).collect()).collect()
    }
}

/// Returns the owner of a piece. The cell shows the owner's name, or an upper-case letter for the
/// first player and a lower-case letter for the second.
fn owner(cell: &str, players: &[String]) -> Option<usize> {
    let named = players.iter().position(|name| name.eq_ignore_ascii_case(cell));
    named.or_else(|| match cell.trim_start_matches('+').chars().next() {
        Some('x' | 'X') => Some(0),
        Some('o' | 'O') => Some(1),
        Some(c) if c.is_ascii_uppercase() => Some(0),
        Some(c) if c.is_ascii_lowercase() => Some(1),
        _ => None,
    })
}

/// Returns the name of a column in letters that include I.
fn plain(column: usize) -> String {
    let letter = |at: usize| char::from(b'a' + (at % 26) as u8);
    match column / 26 {
        0 => letter(column).to_string(),
        more => format!("{}{}", letter(more - 1), letter(column)),
    }
}

const LETTERS: &[u8] = b"abcdefghjklmnopqrstuvwxyz";

/// The choice of letters for columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Letters {
    /// Without I, as in GoGui.
    WithoutI,
    /// All letters, as in our games.
    Plain,
}

impl Letters {
    /// Converts a move from the game's letters to these letters.
    fn write(self, mv: &str) -> String {
        match self {
            Letters::Plain => mv.to_string(),
            Letters::WithoutI => points(mv, |letter| {
                let at = usize::from(letter.to_ascii_lowercase().checked_sub(b'a')?);
                LETTERS.get(at).copied()
            }),
        }
    }

    /// Converts a move from these letters to the game's. The letters of points may be in upper
    /// case.
    fn read(self, text: &str) -> String {
        match self {
            Letters::Plain => text.to_string(),
            Letters::WithoutI => points(text, |letter| {
                let at = LETTERS.iter().position(|&l| l == letter.to_ascii_lowercase())?;
                Some(b'a' + at as u8)
            }),
        }
    }
}

/// The notation of moves at a position.
#[derive(Clone, Debug)]
pub struct Notation {
    letters: Letters,
    heights: Option<Vec<usize>>,
}

impl Notation {
    /// Returns the notation at a position.
    pub fn at(letters: Letters, view: &View) -> Notation {
        let heights = Board::read(view).filter(|board| board.falls).map(|board| board.heights());
        Notation { letters, heights }
    }

    /// Converts a move to a point on the board.
    pub fn write(&self, mv: &str) -> String {
        let fallen = self.heights.as_ref().and_then(|heights| {
            let column = mv.parse::<usize>().ok()?.checked_sub(1)?;
            Some(format!("{}{}", plain(column), heights.get(column)? + 1))
        });
        self.letters.write(fallen.as_deref().unwrap_or(mv))
    }

    /// Converts a sequence of moves that begins at this position.
    pub fn write_line(&self, moves: &[String]) -> String {
        let mut now = self.clone();
        let mut write = |mv: &String| {
            let text = now.write(mv);
            let column = mv.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
            if let (Some(heights), Some(column)) = (&mut now.heights, column) {
                heights.get_mut(column).into_iter().for_each(|height| *height += 1);
            }
            text
        };
        moves.iter().map(&mut write).collect::<Vec<_>>().join(" ")
    }

    /// Converts a point to a move of the game. Text that is not a point is returned unchanged, so
    /// that the game reports the error.
    pub fn read(&self, text: &str) -> String {
        let Some(heights) = &self.heights else { return self.letters.read(text) };
        let there = text.to_ascii_lowercase();
        let rests = |&column: &usize| self.write(&(column + 1).to_string()) == there;
        match (0..heights.len()).find(rests) {
            Some(column) => (column + 1).to_string(),
            None => text.to_string(),
        }
    }
}

/// Changes the letter of each point in a text. Text other than a sequence of points is returned
/// unchanged.
fn points(text: &str, change: impl Fn(u8) -> Option<u8>) -> String {
    let mut changed = String::new();
    let mut rest = text.as_bytes();
    while let [letter, digits @ ..] = rest {
        let end = digits.iter().position(|b| !b.is_ascii_digit()).unwrap_or(digits.len());
        let (true, true, Some(letter)) = (letter.is_ascii_alphabetic(), end > 0, change(*letter))
        else {
            return text.to_string();
        };
        changed.push(char::from(letter));
        changed.extend(digits[..end].iter().map(|&b| char::from(b)));
        rest = digits[end..].strip_prefix(b"-").unwrap_or(&digits[end..]);
    }
    changed
}

/// The players' colours in a protocol that only has Black and White.
pub struct Colours {
    players: Vec<String>,
    white_begins: bool,
}

impl Colours {
    /// Returns the colours of a game's players: the first is Black, unless it is named White.
    pub fn of(players: &[String]) -> Colours {
        let white_begins = players.first().is_some_and(|name| name.eq_ignore_ascii_case("white"));
        Colours { players: players.to_vec(), white_begins }
    }

    /// Returns a player's colour, or the name in games with more than two players.
    pub fn name(&self, player: usize) -> String {
        match (self.players.len(), (player == 1) == self.white_begins) {
            (..=2, true) => "black".into(),
            (..=2, false) => "white".into(),
            _ => self.players.get(player).cloned().unwrap_or_default().replace(' ', "_"),
        }
    }

    /// Finds a player by colour, by name or by number (counted from 0).
    pub fn find(&self, text: &str) -> Option<usize> {
        let lower = text.to_ascii_lowercase();
        let two = self.players.len() <= 2;
        match &*lower {
            "b" | "black" if two => return Some(usize::from(self.white_begins)),
            "w" | "white" if two => return Some(usize::from(!self.white_begins)),
            _ => {}
        }
        let named = |name: &String| name.replace(' ', "_").eq_ignore_ascii_case(text);
        let number = || text.parse().ok().filter(|&player| player < self.players.len());
        self.players.iter().position(named).or_else(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proofwood_any_game::find;

    #[test]
    fn letters_leave_out_i() {
        let letters = Letters::WithoutI;
        for (here, there) in [
            ("a1", "a1"),
            ("h8", "h8"),
            ("i9", "j9"),
            ("i9j10", "j9k10"),
            ("pass", "pass"),
            ("3", "3"),
        ] {
            assert_eq!(letters.write(here), there);
            assert_eq!(letters.read(there), here);
        }
        assert_eq!(letters.read("A2-B3"), "a2b3");
        assert_eq!(letters.read("D4"), "d4");
        for odd in ["", "roll", "P@c3", "i1", "é1", "a"] {
            assert_eq!(letters.read(odd), odd);
        }
        assert_eq!(Letters::Plain.read("i9"), "i9");
    }

    #[test]
    fn boards_are_read_from_drawings() {
        for (game, rows, columns) in [
            ("othello", 8, 8),
            ("mnk:4,3,3", 3, 4),
            ("hex:5", 5, 5),
            ("clobber", 6, 5),
            ("minishogi", 5, 5),
            ("loa8", 8, 8),
            ("breakthrough", 8, 8),
            ("gardner", 5, 5),
            ("connect-four", 6, 7),
        ] {
            let view = find(game).unwrap().start().view();
            let board = Board::read(&view).unwrap_or_else(|| panic!("{game}: {}", view.board));
            assert_eq!((board.rows.len(), board.columns()), (rows, columns), "{game}");
        }
        for game in ["pig", "p-game:2,4", "awari", "oware", "chinese-checkers"] {
            let view = find(game).unwrap().start().view();
            assert_eq!(Board::read(&view), None, "{game}:\n{}", view.board);
        }
    }

    #[test]
    fn stones_fall_to_points() {
        let mut position = find("connect-four:10x5").unwrap().start();
        for mv in ["4", "4", "9"] {
            position.play(mv).unwrap();
        }
        let notation = Notation::at(Letters::WithoutI, &position.view());
        for (here, there) in [("4", "d3"), ("9", "j2"), ("1", "a1"), ("10", "k1")] {
            assert_eq!((notation.write(here), notation.read(there)), (there.into(), here.into()));
        }
        let line = ["9", "9", "4", "10"].map(str::to_string);
        assert_eq!(notation.write_line(&line), "j2 j3 d3 k1");
        // Column numbers stay unchanged, and so do points other than a column's next free one.
        for text in ["4", "d2", "d4", "i2", "l1", "pass", "é", ""] {
            assert_eq!(notation.read(text), text);
        }
        let falls = |game: &str| Board::read(&find(game).unwrap().start().view()).unwrap().falls;
        assert!(!falls("tic-tac-toe") && falls("connect-four:4x4,k=3"));
    }

    #[test]
    fn stones_have_owners() {
        let owners = |game: &str| {
            let view = find(game).unwrap().start().view();
            let owners = Board::read(&view).unwrap().owners(&view.players);
            let count = |player| owners.iter().flatten().filter(|&&o| o == Some(player)).count();
            (count(0), count(1))
        };
        assert_eq!(owners("othello"), (2, 2));
        assert_eq!(owners("breakthrough"), (16, 16));
        assert_eq!(owners("loa8"), (12, 12));
        assert_eq!(owners("clobber"), (15, 15));
    }

    #[test]
    fn colours_follow_names() {
        let names = |names: &[&str]| names.iter().map(|name| name.to_string()).collect::<Vec<_>>();
        let colours = Colours::of(&names(&["x", "o"]));
        assert_eq!(
            (colours.name(0), colours.find("W"), colours.find("o")),
            ("black".into(), Some(1), Some(1))
        );
        let chess = Colours::of(&names(&["White", "Black"]));
        assert_eq!(
            (chess.name(0), chess.find("b"), chess.find("0")),
            ("white".into(), Some(1), Some(0))
        );
        let three = Colours::of(&names(&["player 1", "player 2", "player 3"]));
        assert_eq!(
            (three.name(2), three.find("player_3"), three.find("b")),
            ("player_3".into(), Some(2), None)
        );
    }
}
