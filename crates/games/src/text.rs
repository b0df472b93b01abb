//! Reads and draws boards and cells, for all games.

use proofwood_game::{Game, TextError, Turn};
use std::fmt::{Display, Write};

/// A column's name: a to z, then aa, ab and so on, as in a spreadsheet.
pub(crate) fn column_name(column: usize) -> String {
    let last = char::from(b'a' + (column % 26) as u8);
    match column / 26 {
        0 => last.to_string(),
        rest => column_name(rest - 1) + &last.to_string(),
    }
}

/// A cell's name: its column's name, then its row counted from 1.
pub(crate) fn cell_name(column: usize, row: usize) -> String {
    format!("{}{}", column_name(column), row + 1)
}

/// Reads a cell as (column, row), counted from 0, if `text` has the form of a cell.
pub(crate) fn parse_cell(text: &str) -> Option<(usize, usize)> {
    let digits = text.find(|c: char| !c.is_ascii_alphabetic())?;
    let (letters, row) = text.split_at(digits);
    if letters.is_empty() || letters.len() > 2 || !row.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let column = letters.bytes().fold(0, |column, letter| {
        column * 26 + usize::from(letter.to_ascii_lowercase() - b'a') + 1
    });
    Some((column - 1, row.parse::<usize>().ok()?.checked_sub(1)?))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step<'t> {
    /// Column and row counted from 0.
    pub(crate) from: (usize, usize),
    pub(crate) to: (usize, usize),
    /// The text after the cells: a promotion, or empty.
    pub(crate) suffix: &'t str,
}

/// Reads `a1b2`, `a1-b2` or `a1xb2`, and the rest of the text; `None` for other forms.
pub(crate) fn parse_step(text: &str) -> Option<Step<'_>> {
    let (from, rest) = leading_cell(text)?;
    let cut = rest.strip_prefix(['-', 'x', 'X', ':', '*']);
    // An `x` may also name the column of the second cell.
    let (to, suffix) = cut.and_then(leading_cell).or_else(|| leading_cell(rest))?;
    Some(Step { from, to, suffix })
}

/// Splits `text` into the cell at its start and the rest.
pub(crate) fn leading_cell(text: &str) -> Option<((usize, usize), &str)> {
    let digits = text.find(|c: char| !c.is_ascii_alphabetic())?;
    let length = text[digits..].bytes().take_while(u8::is_ascii_digit).count();
    let (cell, rest) = text.split_at(digits + length);
    Some((parse_cell(cell)?, rest))
}

/// Returns whether `text` means a forced pass.
pub(crate) fn is_pass(text: &str) -> bool {
    ["pass", "pa", "ps", "--", "0000"].iter().any(|pass| text.eq_ignore_ascii_case(pass))
}

/// Returns the move `wanted`, read from `text`; an error if it is `None` or illegal.
pub(crate) fn legal_move<G: Game>(
    game: &G,
    state: &G::State,
    text: &str,
    wanted: Option<G::Move>,
) -> Result<G::Move, TextError> {
    if game.turn(state) == Turn::Over {
        return Err(TextError::new(format!("the game is over before the move '{text}'")));
    }
    let mut legal = Vec::new();
    game.legal_moves(state, &mut legal);
    wanted
        .filter(|mv| legal.contains(mv))
        .ok_or_else(|| TextError::illegal_move(game, state, text, &legal))
}

/// Reads the side, 0 or 1, that is named after a board; returns `None` if `text`, the part after
/// the board, is empty. Error messages suggest the first name of each side.
pub(crate) fn read_side(text: &str, names: [&[&str]; 2]) -> Result<Option<usize>, TextError> {
    if text.is_empty() {
        return Ok(None);
    }
    let side = names.iter().position(|names| names.iter().any(|n| text.eq_ignore_ascii_case(n)));
    side.map(Some).ok_or_else(|| {
        let [first, second] = names.map(|names| names[0]);
        TextError::new(format!(
            "'{text}' is not a side; expected {first} or {second} after the board"
        ))
    })
}

/// Reads a player, given as one of `names` or as a number counted from 1.
pub(crate) fn read_player(text: &str, names: &[&str]) -> Option<usize> {
    let number = || text.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    let named = names.iter().position(|name| name.eq_ignore_ascii_case(text));
    named.or_else(number).filter(|&player| player < names.len())
}

/// Rejects a side other than `due`, the side that the board implies.
pub(crate) fn check_side(text: &str, names: [&[&str]; 2], due: usize) -> Result<(), TextError> {
    match read_side(text, names)? {
        Some(side) if side != due => Err(TextError::new(format!(
            "the side to move cannot be '{text}': with this board it is {}'s turn",
            names[due][0],
        ))),
        _ => Ok(()),
    }
}

/// Reads the rows of a FEN; returns the cells from the bottom row up, each row from the left, and
/// the rest of the text. In the text the rows are listed from the top, separated by `/`; a number
/// is a run of empty cells, and `.`, `-` or `_` is a single one. `piece` reads a piece, given its
/// letter and whether a `+` precedes it; `legend` lists the accepted pieces.
pub(crate) fn read_fen<'t, P>(
    text: &'t str,
    width: usize,
    height: usize,
    legend: &str,
    piece: impl Fn(char, bool) -> Option<P>,
) -> Result<(Vec<Option<P>>, &'t str), TextError> {
    read_fen_rows(text, &vec![width; height], legend, piece)
}

/// Reads rows of the widths `widths`, listed from the top, like [`read_fen`].
pub(crate) fn read_fen_rows<'t, P>(
    text: &'t str,
    widths: &[usize],
    legend: &str,
    piece: impl Fn(char, bool) -> Option<P>,
) -> Result<(Vec<Option<P>>, &'t str), TextError> {
    let height = widths.len();
    let text = text.trim();
    let end = text.find(|c: char| c.is_whitespace() || c == '[').unwrap_or(text.len());
    let (board, rest) = text.split_at(end);
    let rows: Vec<&str> = board.split('/').collect();
    if rows.len() != height {
        return Err(TextError::new(format!(
            "the position has {} {} separated by '/'; the board has {height}",
            rows.len(),
            if rows.len() == 1 { "row" } else { "rows" },
        )));
    }
    let mut cells = Vec::with_capacity(widths.iter().sum());
    for (row, text) in rows.iter().enumerate().rev() {
        let at = |column: usize| format!("in row {} from the top, column {column},", row + 1);
        let (start, width) = (cells.len(), widths[row]);
        let mut letters = text.chars().peekable();
        while let Some(c) = letters.next() {
            let column = cells.len() - start + 1;
            if let Some(digit) = c.to_digit(10) {
                let mut run = digit as usize;
                while let Some(digit) = letters.peek().and_then(|c| c.to_digit(10)) {
                    run = (run * 10 + digit as usize).min(1000);
                    letters.next();
                }
                if run == 0 {
                    let what = format!("'{c}' {} is not a number of empty cells", at(column));
                    return Err(TextError::new(what));
                }
                cells.extend((0..run).map(|_| None));
            } else if matches!(c, '.' | '-' | '_') {
                cells.push(None);
            } else {
                let read = match c {
                    '+' => letters.next().and_then(|letter| piece(letter, true)),
                    letter => piece(letter, false),
                };
                cells.push(Some(read.ok_or_else(|| {
                    let what = format!("'{c}' {} is not a piece; expected {legend}", at(column));
                    TextError::new(what)
                })?));
            }
        }
        let found = cells.len() - start;
        if found != width {
            return Err(TextError::new(format!(
                "row {} from the top has {found} cells; the board is {width} wide",
                row + 1,
            )));
        }
    }
    Ok((cells, rest.trim()))
}

/// Writes the rows of a FEN. `piece` returns the piece at (column, row), with rows counted from the
/// bottom.
pub(crate) fn write_fen<P: Display>(
    width: usize,
    height: usize,
    piece: impl Fn(usize, usize) -> Option<P>,
) -> String {
    let mut text = String::new();
    let write_run = |text: &mut String, empty: usize| {
        if empty > 0 {
            *text += &empty.to_string();
        }
    };
    for row in (0..height).rev() {
        let mut empty = 0;
        for column in 0..width {
            let Some(piece) = piece(column, row) else {
                empty += 1;
                continue;
            };
            write_run(&mut text, std::mem::take(&mut empty));
            write!(text, "{piece}").expect("a string takes all that is written");
        }
        write_run(&mut text, empty);
        if row > 0 {
            text.push('/');
        }
    }
    text
}

/// A parsed board: its cells row by row in the order of the text, and the rest of the text.
pub(crate) struct ReadBoard<'t, C> {
    pub(crate) cells: Vec<C>,
    pub(crate) rest: &'t str,
}

/// Reads `width` times `height` cells. Spaces are ignored, and rows may be separated by `/`, `|` or
/// line ends, in which case each must have `width` cells. `cell` reads a character, and `legend`
/// lists the accepted characters.
pub(crate) fn read_board<'t, C>(
    text: &'t str,
    width: usize,
    height: usize,
    legend: &str,
    cell: impl Fn(char) -> Option<C>,
) -> Result<ReadBoard<'t, C>, TextError> {
    let mut cells = Vec::with_capacity(width * height);
    for (at, c) in text.char_indices() {
        if cells.len() == width * height {
            return finish_board(cells, &text[at..], width, height);
        }
        if matches!(c, '/' | '|' | '\n') {
            if !cells.len().is_multiple_of(width) {
                return Err(TextError::new(format!(
                    "row {} from the top has {} cells; the board is {width} wide",
                    cells.len() / width + 1,
                    cells.len() % width,
                )));
            }
        } else if !c.is_whitespace() {
            let read = cell(c).ok_or_else(|| {
                TextError::new(format!(
                    "'{c}' in row {} from the top, column {}, is not a cell; expected {legend}",
                    cells.len() / width + 1,
                    cells.len() % width + 1,
                ))
            })?;
            cells.push(read);
        }
    }
    let found = cells.len().saturating_sub(ends_in_a_mover(text).into());
    if found < width * height {
        return Err(TextError::new(format!(
            "the position has {found} cells; the {width}x{height} board has {}",
            width * height,
        )));
    }
    Ok(ReadBoard { cells, rest: "" })
}

/// Returns whether the last cell read is a separate word after longer words: then it was meant as
/// the side to move, and a cell is missing before it.
fn ends_in_a_mover(text: &str) -> bool {
    let mut words = text.split_whitespace().rev().map(|word| word.chars().count());
    words.next() == Some(1) && words.next().is_some_and(|length| length > 1)
}

fn finish_board<C>(
    cells: Vec<C>,
    rest: &str,
    width: usize,
    height: usize,
) -> Result<ReadBoard<'_, C>, TextError> {
    // A word directly after the cells is one cell too many, not a side.
    if !rest.starts_with(|c: char| c.is_whitespace() || matches!(c, '/' | '|')) {
        return Err(TextError::new(format!(
            "'{rest}' follows the {} cells of the {width}x{height} board without a space",
            cells.len(),
        )));
    }
    let rest = rest.trim_matches(|c: char| c.is_whitespace() || matches!(c, '/' | '|'));
    Ok(ReadBoard { cells, rest })
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Edge {
    Top,
    Bottom,
}

/// Draws a board: rows from the top with their names on the left. Cells are as wide as the widest
/// column name.
pub(crate) fn draw_board<C: Display>(
    rows: &[String],
    columns: &[String],
    names: Edge,
    cell: impl Fn(usize, usize) -> C,
) -> String {
    let margin = rows.iter().map(String::len).max().unwrap_or(0);
    let wide = columns.iter().map(String::len).max().unwrap_or(1);
    let line = |name: &str, cells: Vec<String>| {
        let cells: String = cells.iter().map(|c| format!(" {c:>wide$}")).collect();
        format!("{name:>margin$}{cells}\n")
    };
    let header = line("", columns.to_vec());
    let body: String = rows
        .iter()
        .enumerate()
        .map(|(row, name)| {
            line(name, (0..columns.len()).map(|c| cell(c, row).to_string()).collect())
        })
        .collect();
    match names {
        Edge::Top => header + &body,
        Edge::Bottom => body + &header,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_round_trip() {
        for column in 0..70 {
            for row in [0, 8, 63] {
                assert_eq!(parse_cell(&cell_name(column, row)), Some((column, row)));
            }
        }
        assert_eq!(parse_cell("C3"), Some((2, 2)));
        for wrong in ["", "a", "3", "a0", "3a", "a-1", "a+1", "aaa1", "a1b", "é1"] {
            assert_eq!(parse_cell(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn steps_are_read_in_all_spellings() {
        let step = |suffix| Step { from: (0, 0), to: (1, 11), suffix };
        for text in ["a1b12", "A1-B12", "a1xb12", "a1*b12", "a1:b12"] {
            assert_eq!(parse_step(text), Some(step("")), "{text}");
        }
        assert_eq!(parse_step("a1b12=q"), Some(step("=q")));
        let column_x = Step { from: (22, 0), to: (23, 0), suffix: "" };
        assert_eq!(["w1x1", "w1-x1", "w1xx1"].map(parse_step), [Some(column_x); 3]);
        assert_eq!(parse_step("a1b12+"), Some(step("+")));
        let across = |from, to| Some(Step { from: (from, 0), to: (to, 1), suffix: "" });
        assert_eq!([parse_step("y1x2"), parse_step("y1xx2")], [across(24, 23); 2]);
        for wrong in ["", "a1", "a1b", "a1--b2", "a0b1", "1a2b", "é1a2"] {
            assert_eq!(parse_step(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn fens_round_trip() {
        let piece = |c: char, promoted: bool| c.is_alphabetic().then_some((c, promoted));
        let text = "12/a10+b/3cd7";
        let full = format!("{text} w - 3");
        let (cells, rest) = read_fen(&full, 12, 3, "a letter", piece).unwrap();
        assert_eq!(rest, "w - 3");
        assert_eq!(cells[3], Some(('c', false)));
        assert_eq!(cells[23], Some(('b', true)));
        let written = write_fen(12, 3, |column, row| {
            cells[row * 12 + column].map(|(c, promoted)| match promoted {
                true => format!("+{c}"),
                false => c.to_string(),
            })
        });
        assert_eq!(written, text);
        for wrong in ["12/12", "12/12/11", "12/12/13", "12/0/12", "12/12/11?", "12/12/11+", ""] {
            assert!(read_fen(wrong, 12, 3, "a letter", piece).is_err(), "{wrong}");
        }
    }
}
