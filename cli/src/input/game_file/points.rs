//! Cells as SGF names them: two letters, the column and the row, from the upper left
//! corner.
//!
//! How many rows a board has, and whether the game counts them from above or from below,
//! shows in its drawing. So every game with a drawn board has such cells.

use super::sgf::Node;
use proofwood_any_game::{Position, Rules};

/// The properties that set up a position.
pub(super) const SETUP: [&str; 4] = ["AB", "AW", "AE", "PL"];

/// A board as it is drawn: each row's label, from above, and its cells.
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
            // The labels of columns are numbers in some games.
            let is_label = |cell: &String| cell.bytes().all(|b| b.is_ascii_digit());
            (!cells.iter().all(is_label)).then(|| (label.to_string(), cells))
        });
        Board { rows: rows.collect() }
    }

    /// The game's name of a cell.
    fn cell(&self, column: u8, row: u8) -> Option<String> {
        let (label, cells) = self.rows.get(usize::from(row))?;
        let letter = char::from(b'a' + column);
        (usize::from(column) < cells.len()).then(|| format!("{letter}{label}"))
    }

    /// The two letters of a cell with this name.
    fn letters(&self, cell: &str) -> Option<String> {
        let (column, label) = cell.split_at_checked(1)?;
        let row = self.rows.iter().position(|(other, _)| other == label)?;
        let column = column.bytes().next().filter(u8::is_ascii_lowercase)?;
        Some(format!("{}{}", char::from(column), char::from(b'a' + u8::try_from(row).ok()?)))
    }
}

/// Two letters as numbers from 0.
fn numbers(text: &str) -> Option<(u8, u8)> {
    match *text.as_bytes() {
        [column @ b'a'..=b'z', row @ b'a'..=b'z'] => Some((column - b'a', row - b'a')),
        _ => None,
    }
}

/// The position of Hex after the one stone on the board was swapped: it is the other side's,
/// on the cell that is as far from its edges. `None` where there is not one stone.
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

/// Plays a move of an SGF file; answers it as the game writes it. A move is as the game
/// writes it, or one or two cells in letters; an empty one, and `tt`, is a pass.
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

/// A move of one cell in the letters of SGF; as the game writes it where it is no cell.
pub(super) fn in_letters(position: &dyn Position, text: &str) -> String {
    Board::of(position).letters(text).unwrap_or_else(|| text.to_string())
}

/// The size of the board as SGF writes it; `None` where none is drawn.
pub(super) fn size(position: &dyn Position) -> Option<String> {
    let board = Board::of(position);
    let (width, height) = (board.rows.first()?.1.len(), board.rows.len());
    Some(if width == height { width.to_string() } else { format!("{width}:{height}") })
}

/// Sets up the stones of a node, in games whose positions are written cell by cell.
pub(super) fn set_up(
    rules: &dyn Rules,
    position: &dyn Position,
    node: &Node,
) -> Result<Box<dyn Position>, String> {
    let cannot = || {
        "the file sets up stones (AB, AW), which can be read for stones on a board alone; give \
         the position with --position"
            .to_string()
    };
    let (text, board) = (position.text(), Board::of(position));
    let (cells, side) = text.split_once(' ').ok_or_else(cannot)?;
    let first = side.chars().next().filter(|c| matches!(c, 'x' | 'X')).ok_or_else(cannot)?;
    let second = if first == 'X' { 'O' } else { 'o' };
    let empty = if cells.contains('/') { '.' } else { '-' };
    let is_cell = |c: char| [first, second, empty, '/'].contains(&c);
    let is_plain = cells.chars().all(is_cell) && side.len() == 1;
    let width = board.rows.first().map_or(0, |(_, cells)| cells.len());
    let mut rows: Vec<char> = cells.chars().filter(|&c| c != '/').collect();
    if !is_plain || rows.len() != width * board.rows.len() {
        return Err(cannot());
    }
    for (name, stone) in [("AE", empty), ("AB", first), ("AW", second)] {
        for point in node.values(name) {
            for (column, row) in rectangle(&board, point)? {
                let (column, row) = (usize::from(column), usize::from(row));
                if column >= width || row >= board.rows.len() {
                    return Err(format!("{name}[{point}] is outside of the board"));
                }
                rows[row * width + column] = stone;
            }
        }
    }
    let side = match node.value("PL").map(|side| side.trim().to_ascii_uppercase()).as_deref() {
        None => side.to_string(),
        Some("B" | "BLACK" | "1") => first.to_string(),
        Some("W" | "WHITE" | "2") => second.to_string(),
        Some(other) => return Err(format!("PL[{other}] should be B or W")),
    };
    let between = if cells.contains('/') { "/" } else { "" };
    let rows: Vec<String> = rows.chunks(width.max(1)).map(|row| row.iter().collect()).collect();
    let text = format!("{} {side}", rows.join(between));
    let set = rules.read(&text).map_err(|error| format!("the stones of the file: {error}"))?;
    // Rows that the game writes in another order would be turned over.
    let drawn = Board::of(&*set);
    let drawn: Vec<String> = drawn.rows.into_iter().map(|(_, cells)| cells.concat()).collect();
    let same = |(drawn, row): (&String, &String)| {
        drawn
            .chars()
            .zip(row.chars())
            .all(|(a, b)| a.eq_ignore_ascii_case(&b) || a == '.' && b == empty)
    };
    if drawn.iter().zip(&rows).all(same) { Ok(set) } else { Err(cannot()) }
}

/// The cells of a point, or of a rectangle such as `aa:cc`. Hex programs write points as the
/// game does.
fn rectangle(board: &Board, text: &str) -> Result<Vec<(u8, u8)>, String> {
    let point = |text: &str| {
        let own = || numbers(&board.letters(text)?);
        numbers(text).or_else(own).ok_or_else(|| {
            format!("'{text}' is no point: two letters, such as aa, or a cell of the game")
        })
    };
    let (from, to) = text.split_once(':').unwrap_or((text, text));
    let (from, to) = (point(from)?, point(to)?);
    // Where rows are counted from below the upper one comes last.
    let (top, bottom) = (from.1.min(to.1), from.1.max(to.1));
    let rows = move |column| (top..=bottom).map(move |row| (column, row));
    Ok((from.0..=to.0).flat_map(rows).collect())
}
