//! Reading and drawing boards, shared by the games.

use proofwood::TextError;

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

/// A cell as (column, row) counted from 0, when `text` has the form of one.
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

/// A board read from a text: its cells row by row as the text gives them, and
/// what follows them.
pub(crate) struct ReadBoard<'t, C> {
    pub(crate) cells: Vec<C>,
    pub(crate) rest: &'t str,
}

/// Reads `width` times `height` cells. Spaces may stand anywhere, and rows may
/// be cut by `/`, `|` or line ends; where they are, each must have `width`
/// cells. `cell` reads one character, `legend` names those that it reads.
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
                    "'{c}' in row {} from the top, column {}, is no cell; a cell is {legend}",
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

/// Whether the last cell read stands alone after longer words: then it was
/// meant as the side to move, and a cell is missing before it.
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
    // A last word right behind the cells is one cell too many, not a mover.
    if !rest.starts_with(|c: char| c.is_whitespace() || matches!(c, '/' | '|')) {
        return Err(TextError::new(format!(
            "'{rest}' follows the {} cells of the {width}x{height} board without a space",
            cells.len(),
        )));
    }
    let rest = rest.trim_matches(|c: char| c.is_whitespace() || matches!(c, '/' | '|'));
    Ok(ReadBoard { cells, rest })
}

/// On which side of the board its columns are named.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Edge {
    Top,
    Bottom,
}

/// Draws a board: rows from the top with their names on the left.
pub(crate) fn draw_board(
    rows: &[String],
    columns: &[String],
    names: Edge,
    cell: impl Fn(usize, usize) -> char,
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
        .map(|(row, name)| line(name, (0..columns.len()).map(|c| cell(c, row).into()).collect()))
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
}
