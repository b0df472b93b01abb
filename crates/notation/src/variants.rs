//! The games of Fairy-Stockfish and cutechess, in the notation of these programs: names for
//! `UCI_Variant`, positions as FEN, and moves.
//!
//! In their notation, the first player is White. In games with stones, each stone is a pawn, and
//! placing it is a drop, such as `P@d3`. A pass is a move of a piece to its own cell.

/// A game with its name and notation in Fairy-Stockfish and cutechess.
#[derive(Debug)]
pub struct Variant {
    /// The name of the variant.
    pub name: &'static str,
    /// The description of our game.
    pub game: &'static str,
    kind: Kind,
    /// The starting position; empty if it is the same as that of our game.
    start: &'static str,
}

/// The difference between the variant's notation and ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Our positions are the first `words` words of the FEN; `rest` completes it.
    Fen { words: usize, rest: &'static str },
    /// The FEN's clock of moves without a capture is one more than ours, which is omitted if the
    /// FEN's clock is 0.
    LateClock,
    /// Stones x and o that move.
    Stones,
    /// Stones x and o that duplicate themselves or jump.
    Ataxx,
    /// Stones that are placed and flipped. We count rows from the top, so the boards look the same
    /// but the names of cells differ.
    Othello,
    /// Stones that fall. Our move is the number of a column.
    Falling,
    /// Stones that are placed and stay.
    Dropped,
}

/// The variants that this program supports.
pub const VARIANTS: &[Variant] = &[
    elsewhere("ataxx", "ataxx", Kind::Ataxx, "P5p/7/7/7/7/7/p5P w 0 1"),
    variant("breakthrough", "breakthrough", Kind::Fen { words: 2, rest: " - - 0 1" }),
    variant("cfour", "connect-four", Kind::Falling),
    elsewhere("clobber", "clobber", Kind::Stones, "PpPpP/pPpPp/PpPpP/pPpPp/PpPpP/pPpPp w 0 1"),
    variant("flipello", "othello", Kind::Othello),
    variant("gardner", "gardner", Kind::Fen { words: 6, rest: " 1" }),
    variant("losalamos", "los-alamos", Kind::LateClock),
    variant("minishogi", "minishogi", Kind::Fen { words: 6, rest: "" }),
    variant("tictactoe", "tic-tac-toe", Kind::Dropped),
];

const fn variant(name: &'static str, game: &'static str, kind: Kind) -> Variant {
    Variant { name, game, kind, start: "" }
}

const fn elsewhere(
    name: &'static str,
    game: &'static str,
    kind: Kind,
    start: &'static str,
) -> Variant {
    Variant { name, game, kind, start }
}

/// A board: the owner of the stone on each cell, the top row first.
type Cells = Vec<Vec<Option<usize>>>;

impl Variant {
    /// Finds a variant by its name.
    pub fn named(name: &str) -> Option<&'static Variant> {
        VARIANTS.iter().find(|variant| variant.name.eq_ignore_ascii_case(name))
    }

    /// Finds the variant of a game.
    pub fn of(game: &str) -> Option<&'static Variant> {
        let spelled = proofwood_games::spelled(game);
        VARIANTS.iter().find(|variant| variant.game == spelled)
    }

    /// Returns the variant's starting position in our notation; `None` if our game starts from the
    /// same position.
    pub fn start(&self) -> Option<String> {
        (!self.start.is_empty()).then(|| self.read_position(self.start))
    }

    /// Converts a position in our notation to a FEN.
    pub fn write_position(&self, text: &str) -> String {
        match self.kind {
            Kind::Fen { rest, .. } => return format!("{text}{rest}"),
            Kind::LateClock => {
                let words: Vec<&str> = text.split_whitespace().collect();
                let clock = words.get(4).and_then(|clock| clock.parse::<u32>().ok());
                let clock = clock.map_or(0, |clock| clock.saturating_add(1));
                let words = &words[..words.len().min(4)];
                return format!("{} {clock} 1", words.join(" "));
            }
            _ => {}
        }
        let Some((cells, side)) = self.cells_here(text) else { return text.to_string() };
        let rows: Vec<String> = cells.iter().map(|row| row_there(row)).collect();
        let pocket = match self.kind {
            Kind::Othello | Kind::Falling | Kind::Dropped => {
                let each = cells.iter().map(Vec::len).sum::<usize>().div_ceil(2);
                format!("[{}{}]", "P".repeat(each), "p".repeat(each))
            }
            _ => String::new(),
        };
        let side = if side == 0 { 'w' } else { 'b' };
        format!("{}{pocket} {side} - - 0 1", rows.join("/"))
    }

    /// Converts a FEN to our notation. Text that cannot be parsed is returned unchanged, so that
    /// the game reports the error.
    pub fn read_position(&self, fen: &str) -> String {
        let mut all = fen.split_whitespace();
        match self.kind {
            Kind::Fen { words, .. } => return all.take(words).collect::<Vec<_>>().join(" "),
            Kind::LateClock => {
                let board = all.by_ref().take(4).collect::<Vec<_>>().join(" ");
                // A clock that is not a number is kept, so that the game refuses it.
                return match all.next().map(|clock| (clock, clock.parse::<u32>())) {
                    None | Some((_, Ok(0))) => board,
                    Some((_, Ok(clock))) => format!("{board} {}", clock - 1),
                    Some((word, Err(_))) => format!("{board} {word}"),
                };
            }
            _ => {}
        }
        self.translated(fen).unwrap_or_else(|| fen.to_string())
    }

    fn translated(&self, fen: &str) -> Option<String> {
        let mut words = fen.split_whitespace();
        let board = words.next()?.split('[').next()?;
        let side = match words.next()? {
            "w" => 0,
            "b" => 1,
            _ => return None,
        };
        let cells: Cells = board.split('/').map(row_from_there).collect::<Option<_>>()?;
        let marks = if self.kind == Kind::Othello { ['X', 'O'] } else { ['x', 'o'] };
        let cell =
            |empty: char| move |cell: &Option<usize>| cell.map_or(empty, |owner| marks[owner]);
        let rows: Vec<String> = match self.kind {
            Kind::Othello => vec![cells.iter().flatten().map(cell('-')).collect()],
            Kind::Falling | Kind::Dropped => {
                cells.iter().map(|row| row.iter().map(cell('.')).collect()).collect()
            }
            _ => cells.iter().map(|row| row_here(row, marks)).collect(),
        };
        Some(format!("{} {}", rows.join("/"), marks[side]))
    }

    /// Parses one of our positions into the variant's board and the player to move.
    fn cells_here(&self, text: &str) -> Option<(Cells, usize)> {
        let (board, side) = text.split_once(' ')?;
        let side = usize::from(!side.trim().to_ascii_lowercase().starts_with('x'));
        let cells: Cells = match self.kind {
            Kind::Othello => {
                let all: Vec<char> = board.chars().collect();
                all.chunks(8).map(|row| row.iter().map(|&c| stone(c)).collect()).collect()
            }
            _ => board.split('/').map(row_from_here).collect(),
        };
        Some((cells, side))
    }

    /// Converts one of our moves at a position to the variant's notation.
    pub fn write_move(&self, position: &str, mv: &str) -> String {
        match self.kind {
            _ if mv == "pass" => self.pass(position).unwrap_or_else(|| "0000".into()),
            Kind::Fen { .. } | Kind::LateClock | Kind::Stones => mv.to_string(),
            Kind::Ataxx if mv.len() > 2 => mv.to_string(),
            Kind::Ataxx | Kind::Dropped => format!("P@{mv}"),
            Kind::Othello => format!("P@{}", upside_down(mv)),
            Kind::Falling => self.fallen(position, mv).unwrap_or_else(|| mv.to_string()),
        }
    }

    /// Returns the cell where a stone in this column comes to rest.
    fn fallen(&self, position: &str, column: &str) -> Option<String> {
        let (cells, _) = self.cells_here(position)?;
        let column = column.parse::<usize>().ok()?.checked_sub(1)?;
        let empty = cells.iter().filter(|row| row.get(column) == Some(&None)).count();
        let letter = char::from(b'a' + u8::try_from(column).ok()?);
        Some(format!("P@{letter}{}", cells.len() - empty + 1))
    }

    /// Returns a pass: a move of the player's lowest piece to its own cell.
    fn pass(&self, position: &str) -> Option<String> {
        let (cells, side) = self.cells_here(position)?;
        let mut rows = cells.iter().rev().zip(1..);
        rows.find_map(|(row, number)| {
            let column = row.iter().position(|&cell| cell == Some(side))?;
            let letter = char::from(b'a' + u8::try_from(column).ok()?);
            Some(format!("{letter}{number}{letter}{number}"))
        })
    }

    /// Converts a move to our notation.
    pub fn read_move(&self, mv: &str) -> String {
        if let Kind::Fen { .. } | Kind::LateClock = self.kind {
            return mv.to_string();
        }
        let half = mv.len() / 2;
        let stays = mv.len() >= 4 && mv.is_char_boundary(half) && mv[..half] == mv[half..];
        if mv == "0000" || stays {
            return "pass".into();
        }
        let dropped = mv.strip_prefix("P@").or_else(|| mv.strip_prefix("p@"));
        let bare = dropped.unwrap_or(mv);
        match (self.kind, dropped.is_some()) {
            (Kind::Othello, true) => upside_down(bare),
            (Kind::Falling, true) => match bare.bytes().next() {
                Some(letter @ b'a'..=b'z') => (letter - b'a' + 1).to_string(),
                _ => bare.to_string(),
            },
            _ => bare.to_string(),
        }
    }
}

/// Mirrors the row of a cell on a board of eight rows.
fn upside_down(cell: &str) -> String {
    let digits = cell.find(|c: char| c.is_ascii_digit()).unwrap_or(cell.len());
    let (letter, row) = cell.split_at(digits);
    match row.parse::<u8>() {
        Ok(row @ 1..=8) => format!("{letter}{}", 9 - row),
        _ => cell.to_string(),
    }
}

fn stone(c: char) -> Option<usize> {
    match c {
        'x' | 'X' => Some(0),
        'o' | 'O' => Some(1),
        _ => None,
    }
}

/// Parses a row in which numbers mean empty cells; `read` parses a stone.
fn row_from<T>(
    row: &str,
    read: impl Fn(char) -> Option<Option<usize>>,
    done: impl Fn(Vec<Option<usize>>) -> T,
) -> Option<T> {
    const WIDEST: usize = 64;
    let (mut cells, mut empty) = (Vec::new(), 0);
    for c in row.chars() {
        if let Some(digit) = c.to_digit(10) {
            empty = empty * 10 + digit as usize;
            if empty > WIDEST {
                return None;
            }
            continue;
        }
        cells.extend(std::iter::repeat_n(None, empty));
        empty = 0;
        cells.push(read(c)?);
        if cells.len() > WIDEST {
            return None;
        }
    }
    cells.extend(std::iter::repeat_n(None, empty));
    Some(done(cells))
}

fn row_from_here(row: &str) -> Vec<Option<usize>> {
    row_from(row, |c| Some(stone(c)), |cells| cells).unwrap_or_default()
}

fn row_from_there(row: &str) -> Option<Vec<Option<usize>>> {
    let read = |c| match c {
        'P' => Some(Some(0)),
        'p' => Some(Some(1)),
        _ => None,
    };
    row_from(row, read, |cells| cells)
}

fn row_there(row: &[Option<usize>]) -> String {
    row_here(row, ['P', 'p'])
}

/// Formats a row in which numbers mean empty cells.
fn row_here(row: &[Option<usize>], marks: [char; 2]) -> String {
    let (mut text, mut empty) = (String::new(), 0);
    let flush = |empty: &mut usize, text: &mut String| {
        if *empty > 0 {
            text.push_str(&empty.to_string());
            *empty = 0;
        }
    };
    for cell in row {
        match cell {
            None => empty += 1,
            Some(owner) => {
                flush(&mut empty, &mut text);
                text.push(marks[*owner]);
            }
        }
    }
    flush(&mut empty, &mut text);
    text
}

/// Minishogi in the notation of USI: Black moves first, files are numbered from the right, and
/// ranks are letters from the top.
pub mod usi {
    const SIZE: u8 = 5;

    /// Converts a position in our notation to USI.
    pub fn write_position(text: &str) -> String {
        let mut words = text.split_whitespace();
        let board = words.next().unwrap_or_default();
        let (board, hand) = board.split_once('[').unwrap_or((board, ""));
        let hand = hand.trim_end_matches(']');
        let hand = if hand.is_empty() || hand == "-" { "-" } else { hand };
        let side = if words.next() == Some("b") { 'w' } else { 'b' };
        format!("{board} {side} {} 1", counted(hand))
    }

    /// Formats the pieces in hand, each kind once with its count.
    fn counted(hand: &str) -> String {
        let mut kinds: Vec<(char, usize)> = Vec::new();
        for c in hand.chars() {
            match kinds.iter_mut().find(|(kind, _)| *kind == c) {
                Some((_, count)) => *count += 1,
                None => kinds.push((c, 1)),
            }
        }
        let write = |(kind, count): (char, usize)| match count {
            1 => kind.to_string(),
            more => format!("{more}{kind}"),
        };
        kinds.into_iter().map(write).collect()
    }

    /// Converts a USI position to our notation.
    pub fn read_position(sfen: &str) -> String {
        let words: Vec<&str> = sfen.split_whitespace().collect();
        let [board, side, rest @ ..] = &words[..] else { return sfen.to_string() };
        let hand = rest.first().copied().filter(|hand| *hand != "-").unwrap_or("");
        let (mut pieces, mut count) = (String::new(), 0);
        for c in hand.chars() {
            match c.to_digit(10) {
                Some(digit) => count = (count * 10 + digit as usize).min(20),
                None => {
                    pieces.extend(std::iter::repeat_n(c, count.max(1)));
                    count = 0;
                }
            }
        }
        let side = match *side {
            "b" => "w",
            "w" => "b",
            other => other,
        };
        format!("{board}[{pieces}] {side} - - 0 1")
    }

    /// Converts a move in our notation to USI.
    pub fn write_move(mv: &str) -> String {
        mapped(mv, '@', '*', |file, rank| {
            let file = SIZE.checked_sub(file.checked_sub(b'a')?)?;
            let rank = SIZE.checked_sub(rank.checked_sub(b'0')?)?;
            Some([b'0' + file, b'a' + rank])
        })
    }

    /// Converts a USI move to our notation.
    pub fn read_move(mv: &str) -> String {
        mapped(mv, '*', '@', |file, rank| {
            let file = SIZE.checked_sub(file.checked_sub(b'0')?)?;
            let rank = SIZE.checked_sub(rank.checked_sub(b'a')?)?;
            Some([b'a' + file, b'0' + rank])
        })
    }

    /// Maps the cells of a move; returns the text unchanged if it is not a move.
    fn mapped(mv: &str, from: char, to: char, cell: impl Fn(u8, u8) -> Option<[u8; 2]>) -> String {
        let (bare, plus) = mv.strip_suffix('+').map_or((mv, ""), |bare| (bare, "+"));
        let changed = match bare.as_bytes() {
            [piece, mark, file, rank] if *mark == from as u8 => {
                cell(*file, *rank).map(|to_cell| vec![*piece, to as u8, to_cell[0], to_cell[1]])
            }
            [a, b, c, d] => cell(*a, *b).zip(cell(*c, *d)).map(|(a, b)| [a, b].concat()),
            _ => None,
        };
        let text = changed.and_then(|bytes| String::from_utf8(bytes).ok());
        text.map_or_else(|| mv.to_string(), |text| text + plus)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proofwood::{Rng, Turn};
    use proofwood_any_game::find;

    /// Checks that positions and moves of random games survive conversion in both directions.
    #[test]
    fn positions_and_moves_come_back() {
        for variant in VARIANTS {
            let rules = find(variant.game).unwrap();
            for seed in 0..20 {
                let (mut position, mut rng) = (rules.start(), Rng::new(seed));
                for _ in 0..60 {
                    if position.turn() == Turn::Over {
                        break;
                    }
                    let text = position.text();
                    let fen = variant.write_position(&text);
                    let back = rules.read(&variant.read_position(&fen));
                    let back =
                        back.unwrap_or_else(|e| panic!("{}: {text}, {fen}: {e}", variant.name));
                    if variant.name != "minishogi" {
                        assert_eq!(back.text(), text, "{}: {fen}", variant.name);
                    }
                    let before = position.copy();
                    let mv = position.play_random(&mut rng);
                    let there = variant.write_move(&text, &mv);
                    let mut again = before;
                    again
                        .play(&variant.read_move(&there))
                        .unwrap_or_else(|e| panic!("{there}: {e}"));
                    assert_eq!(again.text(), position.text(), "{}: {mv}, {there}", variant.name);
                    if variant.name == "minishogi" {
                        assert_eq!(usi::read_move(&usi::write_move(&mv)), mv);
                        let sfen = usi::write_position(&text);
                        let read = rules.read(&usi::read_position(&sfen));
                        let read = read.unwrap_or_else(|e| panic!("{text}, {sfen}: {e}"));
                        assert_eq!(usi::write_position(&read.text()), sfen);
                    }
                }
            }
        }
    }

    /// Checks the starting positions against the tables of Fairy-Stockfish 11.1 and 14.
    #[test]
    fn starts_are_theirs() {
        let start = |name: &str, fen: &str| {
            let variant = Variant::named(name).unwrap();
            let rules = find(variant.game).unwrap();
            let theirs = rules.read(&variant.read_position(fen)).unwrap();
            assert_eq!(theirs.text(), rules.start().text(), "{name}");
            let written = variant.write_position(&rules.start().text());
            let board = |fen: &str| fen.split(['[', ' ']).next().unwrap_or_default().to_string();
            assert_eq!(board(&written), board(fen), "{name}");
        };
        start("breakthrough", "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w - - 0 1");
        start("flipello", "8/8/8/3pP3/3Pp3/8/8/8[PPpp] w 0 1");
        start("gardner", "rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1");
        start("losalamos", "rnqknr/pppppp/6/6/PPPPPP/RNQKNR w - - 0 1");
        start("minishogi", "rbsgk/4p/5/P4/KGSBR[] w - - 0 1");
        start("cfour", "7/7/7/7/7/7[Pp] w - - 0 1");
        for variant in VARIANTS {
            let start = variant.start().map(|text| find(variant.game).unwrap().read(&text));
            assert!(start.is_none_or(|start| start.is_ok()), "{}", variant.name);
        }
        let ataxx = Variant::named("ataxx").unwrap();
        assert_eq!(ataxx.start().as_deref(), Some("x5o/7/7/7/7/7/o5x x"));
    }

    #[test]
    fn moves_are_written_their_way() {
        let cfour = Variant::named("cfour").unwrap();
        let position = "......./......./......./......./...o.../...x... x";
        assert_eq!(cfour.write_move(position, "4"), "P@d3");
        assert_eq!(cfour.read_move("P@d3"), "4");
        let flipello = Variant::of("othello:8").or(Variant::of("othello")).unwrap();
        assert_eq!(
            (flipello.read_move("P@d3"), flipello.read_move("e1e1")),
            ("d6".into(), "pass".into())
        );
        assert_eq!(
            (usi::write_move("e1e4"), usi::write_move("P@c3")),
            ("1e1b".into(), "P*3c".into())
        );
        for odd in ["", "0000", "é@", "P@", "z9", "P@é3"] {
            for variant in VARIANTS {
                let _ = variant.write_move("no position", &variant.read_move(odd));
                let _ = (variant.read_position(odd), variant.write_position(odd));
            }
            let _ = (usi::read_move(odd), usi::write_move(odd), usi::read_position(odd));
        }
    }
}
