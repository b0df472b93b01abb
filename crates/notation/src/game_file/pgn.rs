//! PGN: games of chess and its variants (the import format of the 1994 standard).
//!
//! Moves may be in short notation (`Nf3`, `exd5`, `e8=Q+`) or in the game's own. A short move is
//! matched against the legal moves; the pieces are read from the position's text, which is a FEN in
//! the games that support PGN.

use proofwood_any_game::Position;
use std::collections::HashMap;

/// A game: its tags and its main line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pgn {
    pub(super) tags: Vec<(String, String)>,
    pub(super) moves: Vec<String>,
}

const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// Names of variants in PGN files, with the names of our games.
const VARIANTS: [(&str, &str); 4] = [
    ("gardner", "gardner"),
    ("gardnerminichess", "gardner"),
    ("losalamos", "los-alamos"),
    ("breakthrough", "breakthrough"),
];

/// Returns the index of the first tag that starts a line.
pub(super) fn begin(text: &str) -> Option<usize> {
    let begins = |at: &usize| {
        let name = text[at + 1..].trim_start_matches(|c: char| c.is_ascii_alphanumeric());
        (*at == 0 || text.as_bytes()[at - 1] == b'\n') && name.trim_start().starts_with('"')
    };
    text.match_indices('[').map(|(at, _)| at).find(begins)
}

/// Returns whether a word is an annotation and not a move: `=`, `±`, `!?`, or N for a novelty. Two
/// hyphens are a pass.
fn is_remark(word: &str) -> bool {
    matches!(word, "N" | "D") || word != "--" && !word.contains(|c: char| c.is_ascii_alphanumeric())
}

impl Pgn {
    /// Parses the games of a file, the first of which starts at byte `begin`.
    pub fn read(text: &str, begin: usize) -> Result<Vec<Pgn>, String> {
        let mut games = Vec::new();
        let mut pgn = Pgn::default();
        let mut rest = &text[begin..];
        let mut place = Place { line: 1, is_blank: true, at: 0 };
        // The lines where open variations begin, for errors.
        let mut open: Vec<usize> = Vec::new();
        let mut in_moves = false;
        loop {
            rest = rest.trim_start();
            let Some(c) = rest.chars().next() else { break };
            place.move_to(text, text.len() - rest.len());
            let line = place.line;
            match c {
                '[' if open.is_empty() => {
                    // A tag after moves begins the next game.
                    if std::mem::take(&mut in_moves) {
                        games.push(std::mem::take(&mut pgn));
                    }
                    let (tag, after) = read_tag(&rest[1..]).ok_or_else(|| {
                        format!("line {line}: a tag should have the form [Name \"value\"]")
                    })?;
                    pgn.tags.push(tag);
                    rest = after;
                }
                '{' => {
                    let end = rest.find('}');
                    let end =
                        end.ok_or_else(|| format!("line {line}: a comment has no closing '}}'"))?;
                    rest = &rest[end + 1..];
                }
                ';' => rest = after_line(rest),
                '%' | '#' if place.is_blank => rest = after_line(rest),
                '(' => {
                    open.push(line);
                    rest = &rest[1..];
                }
                ')' => {
                    open.pop().ok_or_else(|| format!("line {line}: unexpected ')'"))?;
                    rest = &rest[1..];
                }
                _ => {
                    let ends = |c: char| c.is_whitespace() || "[](){};".contains(c);
                    let end = rest.find(ends).unwrap_or(rest.len());
                    if end == 0 {
                        return Err(format!("line {line}: unexpected '{c}'"));
                    }
                    let word = &rest[..end];
                    rest = &rest[end..];
                    if !open.is_empty() {
                        continue;
                    }
                    if RESULTS.contains(&word) {
                        games.push(std::mem::take(&mut pgn));
                        in_moves = false;
                        continue;
                    }
                    in_moves = true;
                    // The number of a move may precede it without a space.
                    let number = word.trim_start_matches(|c: char| c.is_ascii_digit());
                    let mv =
                        if number.starts_with('.') { number.trim_start_matches('.') } else { word };
                    if !mv.is_empty() && !mv.starts_with('$') && !is_remark(mv) {
                        pgn.moves.push(mv.to_string());
                    }
                }
            }
        }
        if let Some(line) = open.last() {
            return Err(format!("line {line}: a '(' is never closed"));
        }
        if in_moves || !pgn.tags.is_empty() || games.is_empty() {
            games.push(pgn);
        }
        Ok(games)
    }

    pub(super) fn tag(&self, name: &str) -> Option<&str> {
        let found = self.tags.iter().find(|(other, _)| other.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// Returns the game that the tags name.
    pub(super) fn game(&self) -> Option<String> {
        if let Some(game) = self.tag("ProofwoodGame") {
            return Some(game.to_string());
        }
        let variant = self.tag("Variant")?.to_ascii_lowercase();
        let variant: String = variant.chars().filter(char::is_ascii_alphanumeric).collect();
        let found = VARIANTS.iter().find(|(name, _)| *name == variant)?;
        Some(found.1.to_string())
    }
}

/// The place up to which a text has been read.
struct Place {
    line: usize,
    /// Whether only whitespace precedes this place on its line.
    is_blank: bool,
    at: usize,
}

impl Place {
    fn move_to(&mut self, text: &str, at: usize) {
        for byte in text.as_bytes()[self.at..at].iter() {
            match byte {
                b'\n' => (self.line, self.is_blank) = (self.line + 1, true),
                byte => self.is_blank &= byte.is_ascii_whitespace(),
            }
        }
        self.at = at;
    }
}

fn after_line(text: &str) -> &str {
    text.split_once('\n').map_or("", |(_, rest)| rest)
}

type Tag = (String, String);

/// Parses a tag after its opening bracket. Also returns the remaining text.
fn read_tag(text: &str) -> Option<(Tag, &str)> {
    let (name, rest) = text.split_once('"')?;
    let name = name.trim();
    if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        return None;
    }
    let mut value = String::new();
    let mut characters = rest.char_indices();
    let end = loop {
        match characters.next()? {
            (_, '\\') => value.push(characters.next()?.1),
            (at, '"') => break at + 1,
            (_, '\n') => return None,
            (_, c) => value.push(c),
        }
    };
    let rest = rest[end..].trim_start().strip_prefix(']')?;
    Some(((name.to_string(), value), rest))
}

/// Plays a move of a PGN file and returns it in the game's notation.
pub(super) fn play(position: &mut dyn Position, text: &str) -> Result<String, String> {
    // Annotations such as "+", "!?" and "±" may follow a move without a space.
    let is_glyph = |c: char| matches!(c, '+' | '#' | '!' | '?' | '=') || !c.is_ascii();
    let bare = text.trim_end_matches(is_glyph);
    let view = position.view();
    let found = match Short::read(bare) {
        Some(short) => short.find(&view.text, &view.legal_moves),
        None => Vec::new(),
    };
    match &found[..] {
        [only] => position.play(only).map_err(|error| error.to_string()),
        [] => position.play(bare).map_err(|error| error.to_string()),
        several => {
            let several: Vec<&str> = several.iter().map(|mv| mv.as_str()).collect();
            Err(format!("'{text}' is ambiguous; it could be {}", several.join(" or ")))
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
struct Short {
    /// The piece's letter in upper case; P for pawns.
    piece: char,
    column: Option<char>,
    row: Option<char>,
    to: String,
    /// The letter of the new piece in lower case.
    promotion: Option<char>,
}

impl Short {
    fn read(text: &str) -> Option<Short> {
        let piece = text.chars().next().filter(|c| "NBRQKP".contains(*c));
        let rest = if piece.is_some() { &text[1..] } else { text };
        let (rest, promotion) = match rest.split_once('=') {
            Some((rest, promotion)) => (rest, Some(promotion)),
            None => match rest.char_indices().next_back() {
                Some((at, c)) if "NBRQ".contains(c) => (&rest[..at], Some(&rest[at..])),
                _ => (rest, None),
            },
        };
        let promotion = match promotion {
            None => None,
            Some(text) if text.len() == 1 => Some(text.to_ascii_lowercase().chars().next()?),
            Some(_) => return None,
        };
        let cells: Vec<char> = rest.chars().filter(|&c| c != 'x').collect();
        let is_column = |c: char| c.is_ascii_lowercase();
        let is_row = |c: char| c.is_ascii_digit();
        let (column, row, to) = match cells[..] {
            [a, b] if is_column(a) && is_row(b) => (None, None, [a, b]),
            [c, a, b] if is_column(c) && is_column(a) && is_row(b) => (Some(c), None, [a, b]),
            [r, a, b] if is_row(r) && is_column(a) && is_row(b) => (None, Some(r), [a, b]),
            [c, r, a, b] if is_column(c) && is_row(r) && is_column(a) && is_row(b) => {
                (Some(c), Some(r), [a, b])
            }
            _ => return None,
        };
        let piece = piece.unwrap_or('P');
        Some(Short { piece, column, row, to: to.iter().collect(), promotion })
    }

    fn find<'m>(&self, fen: &str, legal: &'m [String]) -> Vec<&'m String> {
        let pieces = pieces(fen);
        let fits = |mv: &&String| {
            let Some((from, rest)) = mv.split_at_checked(2) else { return false };
            let Some((to, promotion)) = rest.split_at_checked(2) else { return false };
            let piece = pieces.get(from).copied();
            let at = |number: usize| from.chars().nth(number);
            // Without a named promotion, all promotions match, and several are ambiguous.
            let promoted = promotion.chars().next();
            to == self.to
                && piece == Some(self.piece)
                && self.column.is_none_or(|column| at(0) == Some(column))
                && self.row.is_none_or(|row| at(1) == Some(row))
                && (self.promotion.is_none() || promoted == self.promotion)
                // A pawn capture names the pawn's column.
                && (self.piece != 'P' || self.column.is_some() || at(0) == to.chars().next())
        };
        legal.iter().filter(fits).collect()
    }
}

/// Returns the pieces of a FEN by cell, in upper case.
fn pieces(fen: &str) -> HashMap<String, char> {
    let mut pieces = HashMap::new();
    let board = fen.split_whitespace().next().unwrap_or("");
    let rows: Vec<&str> = board.split('/').collect();
    for (number, row) in rows.iter().enumerate() {
        let label = rows.len() - number;
        let mut column = 0u8;
        let mut empty = 0u8;
        for c in row.chars() {
            match c.to_digit(10) {
                Some(digit) => empty = empty.saturating_mul(10).saturating_add(digit as u8),
                None => {
                    column = column.saturating_add(std::mem::take(&mut empty));
                    let letter = char::from(b'a'.saturating_add(column));
                    pieces.insert(format!("{letter}{label}"), c.to_ascii_uppercase());
                    column = column.saturating_add(1);
                }
            }
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_file::kind::Kind;
    use crate::game_file::{ReadGame, read_pgn, read_plain};
    use proofwood_any_game::{Rules, find};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_text_is_read_to_an_end(text in "[\\[\\]\"(){};%$.*=+# \nA-h1-8x-]{0,80}") {
            let _ = Pgn::read(&text, 0);
        }

        /// Checks that the short form of each legal move in random games matches only that move.
        #[test]
        fn short_moves_name_one_legal_move(seed in 0u64..200) {
            let rules = find(["gardner", "los-alamos", "reach-chess"][seed as usize % 3]).unwrap();
            let mut position = rules.start();
            let mut rng = proofwood::Rng::new(seed);
            for _ in 0..30 {
                let view = position.view();
                let pieces = pieces(&view.text);
                for mv in view.legal_moves.iter().filter(|mv| mv.len() >= 4) {
                    let (from, to) = (&mv[..2], &mv[2..4]);
                    let piece = pieces[from];
                    let short = match piece {
                        'P' if mv[..1] == to[..1] => to.to_string(),
                        'P' => format!("{}x{to}", &mv[..1]),
                        piece => format!("{piece}{from}{to}"),
                    };
                    let promotion = mv[4..].to_ascii_uppercase();
                    let equals = if promotion.is_empty() { "" } else { "=" };
                    let mut after = position.copy();
                    let played = play(&mut *after, &format!("{short}{equals}{promotion}+"));
                    prop_assert_eq!(played.as_ref(), Ok(mv));
                }
                if position.play_random(&mut rng).is_empty() {
                    break;
                }
            }
        }
    }

    #[test]
    fn a_game_with_everything_is_read() {
        let text = "% a line for a program\n[Event \"a \\\"name\\\"\"]\n[Variant \"Gardner\"]\n\n\
                    {before} 1. Nc3 (1. a3 {a (b} b3 (1... c3)) 1...axb3 $3 ; rest (\n2.axb3! Bxb3 \
                    1/2-1/2\n[Event \"next\"]\n1. a3";
        let games = Pgn::read(text, 0).unwrap();
        assert_eq!(games.len(), 2);
        let pgn = &games[0];
        assert_eq!(pgn.moves, ["Nc3", "axb3", "axb3!", "Bxb3"]);
        assert_eq!(games[1].moves, ["a3"]);
        assert_eq!(
            (pgn.tag("event"), pgn.game().as_deref()),
            (Some("a \"name\""), Some("gardner"))
        );
        for (text, why) in [
            ("[Event x]", "line 1: a tag should have the form [Name \"value\"]"),
            ("1. a3\n{ no end", "line 2: a comment has no closing '}'"),
            ("1. a3 )", "line 1: unexpected ')'"),
            ("1. a3\n(a4 (b4)", "line 2: a '(' is never closed"),
        ] {
            assert_eq!(Pgn::read(text, 0).unwrap_err(), why);
        }
    }

    /// Checks that large files are read in linear time. In quadratic time, this test would not
    /// finish.
    #[test]
    fn large_files_are_read_to_an_end() {
        for part in ["1. e4 ", "1. e4\n", "a % ", "(", "{}", "[A \"b\"]\n", "# \n"] {
            let _ = Pgn::read(&part.repeat(1_000_000), 0);
        }
    }

    #[test]
    fn the_moves_of_a_file_are_played() {
        let rules = find("gardner").unwrap();
        let read_game =
            |rules: &dyn Rules, text: &str, most: Option<usize>| -> Result<ReadGame, String> {
                let most = most.unwrap_or(usize::MAX);
                match Kind::read(text, None)? {
                    Kind::Pgn(pgn) => read_pgn(rules, &pgn, most),
                    Kind::Plain(text) => read_plain(rules, &text, most),
                    Kind::Sgf(..) => Err("SGF".into()),
                }
            };
        let game = read_game(&*rules, "1. b3 axb3 2. cxb3 cxb3 3. Nc3 *", None).unwrap();
        assert_eq!(game.moves, ["b2b3", "a4b3", "c2b3", "c4b3", "b1c3"]);
        let game = read_game(&*rules, "1. b3 axb3 2. cxb3", Some(1)).unwrap();
        assert_eq!(game.moves, ["b2b3"]);
        let wrong = |text| read_game(&*rules, text, None).err().unwrap();
        assert!(wrong("1. b3 Nd6").starts_with("move 2: 'Nd6' is not"), "{}", wrong("1. b3 Nd6"));
        let fen = "[FEN \"2k2/P4/5/5/2K2 w - - 0 1\"]\n1. a5=Q#";
        assert_eq!(read_game(&*rules, fen, None).unwrap().moves, ["a4a5q"]);
        let fen = "2k2/5/R3R/5/2K2 w - - 0 1";
        assert_eq!(read_game(&*rules, fen, None).unwrap().end.text(), "2k2/5/R3R/5/2K2 w - - 0");
        let both = format!("[FEN \"{fen}\"]\n1. Rc3");
        assert_eq!(wrong(&both), "move 1: 'Rc3' is ambiguous; it could be a3c3 or e3c3");
    }
}
