//! Cells in the notation of SGF: two letters, for the column and the row, from the upper left
//! corner.
//!
//! The number of rows and the direction in which the game counts them are read from its drawing, so
//! this works for every game with a drawn board.

use super::sgf::Node;
use proofwood_any_game::{Position, Rules};

/// The properties that set up stones: empty cells, the first player's stones, and the second's.
pub(super) const STONES: [&str; 3] = ["AE", "AB", "AW"];

/// A drawn board: the label and the cells of each row, from the top.
struct Board {
    rows: Vec<(String, Vec<String>)>,
}

impl Board {
    fn of(position: &dyn Position) -> Board {
        let drawing = position.view().board;
        let rows = drawing.lines().filter_map(|line| {
            let mut words = line.split_whitespace();
            let label = words.next().filter(|word| word.bytes().all(|b| b.is_ascii_digit()))?;
            let cells: Vec<String> = words.map(String::from).collect();
            // In some games the labels of columns are numbers.
            let is_label = |cell: &String| cell.bytes().all(|b| b.is_ascii_digit());
            (!cells.iter().all(is_label)).then(|| (label.to_string(), cells))
        });
        Board { rows: rows.collect() }
    }

    fn cell(&self, column: u8, row: u8) -> Option<String> {
        let (label, cells) = self.rows.get(usize::from(row))?;
        let letter = char::from(b'a' + column);
        (usize::from(column) < cells.len()).then(|| format!("{letter}{label}"))
    }

    fn letters(&self, cell: &str) -> Option<String> {
        let (column, label) = cell.split_at_checked(1)?;
        let row = self.rows.iter().position(|(other, _)| other == label)?;
        let column = column.bytes().next().filter(u8::is_ascii_lowercase)?;
        Some(format!("{}{}", char::from(column), char::from(b'a' + u8::try_from(row).ok()?)))
    }
}

fn numbers(text: &str) -> Option<(u8, u8)> {
    match *text.as_bytes() {
        [column @ b'a'..=b'z', row @ b'a'..=b'z'] => Some((column - b'a', row - b'a')),
        _ => None,
    }
}

/// Returns a Hex position after a swap: its only stone moves to the mirrored cell and changes its
/// owner. Returns `None` if there is not exactly one stone.
pub(super) fn swapped(rules: &dyn Rules, position: &dyn Position) -> Option<Box<dyn Position>> {
    let text = position.text();
    let (cells, side) = text.split_once(' ')?;
    let rows: Vec<Vec<char>> = cells.split('/').map(|row| row.chars().collect()).collect();
    let is_square = rows.iter().all(|row| row.len() == rows.len());
    let stones = cells.chars().filter(|&c| !matches!(c, '.' | '/'));
    let (stone, own) = (Some(stones.clone().next()?), side.chars().next()?);
    let one = stones.count() == 1 && stone != Some(own) && is_square;
    let turned: Vec<String> = (0..rows.len())
        .map(|column| {
            let cells = rows.iter().filter_map(|row| row.get(column));
            cells.map(|&cell| if cell == '.' { '.' } else { own }).collect()
        })
        .collect();
    let text = format!("{} {}", turned.join("/"), stone?);
    rules.read(&text).ok().filter(|_| one)
}

/// Plays a move of an SGF file and returns it in the game's notation. The file may use that
/// notation, or letters for one or two cells. An empty move and `tt` are passes.
pub(super) fn play(position: &mut dyn Position, text: &str) -> Result<String, String> {
    let own = match position.play(text) {
        Ok(played) => return Ok(played),
        Err(error) => error.to_string(),
    };
    let is_pass = text.is_empty() || text == "tt";
    let in_letters = || {
        let board = Board::of(position);
        let cell = |text: &str| numbers(text).and_then(|(column, row)| board.cell(column, row));
        match text.len() {
            2 => cell(text),
            4 if text.is_ascii() => Some(cell(&text[..2])? + &cell(&text[2..])?),
            _ => None,
        }
    };
    match if is_pass { Some("pass".into()) } else { in_letters() } {
        Some(text) => position.play(&text).map_err(|error| error.to_string()),
        None => Err(own),
    }
}

/// Converts a move that is a single cell to SGF letters; returns other moves unchanged.
pub(super) fn in_letters(position: &dyn Position, text: &str) -> String {
    Board::of(position).letters(text).unwrap_or_else(|| text.to_string())
}

/// Returns the size of the board in SGF's form; `None` if the drawing has no board.
pub(super) fn size(position: &dyn Position) -> Option<String> {
    let board = Board::of(position);
    let (width, height) = (board.rows.first()?.1.len(), board.rows.len());
    Some(if width == height { width.to_string() } else { format!("{width}:{height}") })
}

/// Parses the colour in a property PL into a player; Black is the first player.
pub(super) fn player(side: &str) -> Result<usize, String> {
    match side.trim().to_ascii_uppercase().as_str() {
        "B" | "BLACK" | "1" => Ok(0),
        "W" | "WHITE" | "2" => Ok(1),
        _ => Err(format!("PL[{side}] should be B or W")),
    }
}

/// Sets up stones on a board, in games that write positions cell by cell.
pub(super) struct SetUp {
    board: Board,
    /// The cells row by row, from the top.
    cells: Vec<char>,
    width: usize,
    /// The separator of rows in the position's text.
    between: &'static str,
    empty: char,
    stones: [char; 2],
    /// The player to move before the set-up.
    side: usize,
}

impl SetUp {
    fn cannot() -> String {
        "the file sets up stones (AB, AW) or the side to move (PL), which is possible only in \
         games with stones on a board; give the position with --position"
            .into()
    }

    pub(super) fn new(position: &dyn Position) -> Result<SetUp, String> {
        let (text, board) = (position.text(), Board::of(position));
        let (cells, side) = text.split_once(' ').ok_or_else(SetUp::cannot)?;
        let stones = match side {
            "x" | "o" => ['x', 'o'],
            "X" | "O" => ['X', 'O'],
            _ => return Err(SetUp::cannot()),
        };
        let (between, empty) = if cells.contains('/') { ("/", '.') } else { ("", '-') };
        let is_cell = |c: char| stones.contains(&c) || c == empty;
        let width = board.rows.first().map_or(0, |(_, cells)| cells.len());
        let side = usize::from(side.starts_with(stones[1]));
        let cells: Vec<char> = cells.chars().filter(|&c| c != '/').collect();
        match cells.len() == width * board.rows.len() && cells.iter().all(|&c| is_cell(c)) {
            true => Ok(SetUp { board, cells, width, between, empty, stones, side }),
            false => Err(SetUp::cannot()),
        }
    }

    pub(super) fn add(&mut self, node: &Node) -> Result<(), String> {
        let marks = [self.empty, self.stones[0], self.stones[1]];
        for (name, stone) in STONES.into_iter().zip(marks) {
            for point in node.values(name) {
                for (column, row) in rectangle(&self.board, point)? {
                    let (column, row) = (usize::from(column), usize::from(row));
                    if column >= self.width || row >= self.board.rows.len() {
                        return Err(format!("{name}[{point}] is outside the board"));
                    }
                    self.cells[row * self.width + column] = stone;
                }
            }
        }
        Ok(())
    }

    /// Returns the position with `side` to move. Without `side`, the player to move stays the same,
    /// unless that would make the position illegal.
    pub(super) fn done(
        self,
        rules: &dyn Rules,
        side: Option<usize>,
    ) -> Result<Box<dyn Position>, String> {
        let rows = self.cells.chunks(self.width.max(1));
        let rows: Vec<String> = rows.map(|row| row.iter().collect()).collect();
        let read = |side: usize| {
            let text = format!("{} {}", rows.join(self.between), self.stones[side]);
            rules
                .read(&text)
                .map_err(|error| format!("cannot set up the stones in the file: {error}"))
        };
        let set = match side {
            Some(side) => read(side)?,
            None => read(self.side).or_else(|error| read(1 - self.side).map_err(|_| error))?,
        };
        // If the game writes its rows in another order, the board would be upside down.
        let drawn = Board::of(&*set).rows.into_iter().flat_map(|(_, cells)| cells);
        let drawn: String = drawn.collect();
        let same =
            |(a, b): (char, &char)| a.eq_ignore_ascii_case(b) || a == '.' && *b == self.empty;
        match drawn.chars().zip(&self.cells).all(same) {
            true => Ok(set),
            false => Err(SetUp::cannot()),
        }
    }
}

/// Returns the cells of a point, or of a rectangle such as `aa:cc`, given by two opposite corners.
/// Points may also be in the game's notation, which Hex programs use.
fn rectangle(board: &Board, text: &str) -> Result<Vec<(u8, u8)>, String> {
    let point = |text: &str| {
        let own = || numbers(&board.letters(text)?);
        numbers(text).or_else(own).ok_or_else(|| {
            format!(
                "'{text}' is not a point; expected two letters, such as aa, or a cell in the \
                 game's notation"
            )
        })
    };
    let (from, to) = text.split_once(':').unwrap_or((text, text));
    let (from, to) = (point(from)?, point(to)?);
    let (left, right) = (from.0.min(to.0), from.0.max(to.0));
    let (top, bottom) = (from.1.min(to.1), from.1.max(to.1));
    let rows = move |column| (top..=bottom).map(move |row| (column, row));
    Ok((left..=right).flat_map(rows).collect())
}
