//! Positions and moves of Dots and Boxes as text.

use super::{DotsAndBoxes, PLAYERS, State, lines};
use crate::text::{cell_name, column_name, parse_step, read_player};
use proofwood_game::{Game, TextError, Turn};
use std::ops::Range;

impl DotsAndBoxes {
    /// The two dots that a line joins, as columns and rows; rows are counted from the bottom.
    fn dots(&self, line: usize) -> [(usize, usize); 2] {
        let lying = (self.height + 1) * self.width;
        if line < lying {
            let (column, row) = (line % self.width, self.height - line / self.width);
            return [(column, row), (column + 1, row)];
        }
        let (column, down) = ((line - lying) % (self.width + 1), (line - lying) / (self.width + 1));
        let row = self.height - down - 1;
        [(column, row), (column, row + 1)]
    }

    /// The rows of lines from the top, alternately horizontal and vertical, each with the character
    /// of a drawn line.
    fn rows(&self) -> impl Iterator<Item = (char, Range<usize>)> {
        (0..=2 * self.height).map(|row| match row % 2 {
            0 => ('-', self.lying(0, row / 2)..self.lying(self.width, row / 2)),
            _ => ('|', self.upright(0, row / 2)..self.upright(self.width, row / 2) + 1),
        })
    }

    /// The number of boxes that the lines `drawn` complete.
    fn completed(&self, drawn: u128) -> usize {
        self.all_boxes().filter(|lines| lines & !drawn == 0).count()
    }

    /// The side to move after the lines `drawn`; `None` if they do not imply it. Every line passes
    /// the turn unless it completes a box, but two adjacent complete boxes may have been completed
    /// by one line or by two.
    fn due(&self, drawn: u128) -> Option<usize> {
        if drawn == self.all {
            return Some(0);
        }
        let at_once = |line: u8| self.boxes[usize::from(line)].iter().all(|b| b & !drawn == 0);
        let sure = !lines(drawn).any(at_once);
        sure.then(|| (drawn.count_ones() as usize - self.completed(drawn)) % 2)
    }
}

pub(super) fn move_text(game: &DotsAndBoxes, mv: u8) -> String {
    game.dots(mv.into()).map(|(column, row)| cell_name(column, row)).concat()
}

pub(super) fn parse_move(game: &DotsAndBoxes, state: &State, text: &str) -> Result<u8, TextError> {
    if game.turn(state) == Turn::Over {
        return Err(TextError::new(format!("the game is over before the move '{text}'")));
    }
    let legal: Vec<u8> = lines(game.all & !state.drawn).collect();
    let step = parse_step(text).filter(|step| step.suffix.is_empty());
    let joins = |line: u8, from, to| {
        let dots = game.dots(line.into());
        dots == [from, to] || dots == [to, from]
    };
    step.and_then(|step| legal.iter().copied().find(|&line| joins(line, step.from, step.to)))
        .ok_or_else(|| TextError::illegal_move(game, state, text, &legal))
}

pub(super) fn write(game: &DotsAndBoxes, state: &State) -> String {
    let mut text = String::new();
    for (symbol, row) in game.rows() {
        text.extend(row.map(|line| if state.drawn >> line & 1 == 1 { symbol } else { '.' }));
        text.push('/');
    }
    let [first, second] = state.boxes;
    let mover = PLAYERS[usize::from(state.mover)];
    format!("{} {first}-{second} {mover}", text.trim_end_matches('/'))
}

pub(super) fn draw(game: &DotsAndBoxes, state: &State) -> String {
    let margin = (game.height + 1).to_string().len();
    let name = |row: usize| match row % 2 {
        0 => (game.height + 1 - row / 2).to_string(),
        _ => String::new(),
    };
    let mut text = String::new();
    for (row, (symbol, lines)) in game.rows().enumerate() {
        let drawn = lines.map(|line| state.drawn >> line & 1 == 1);
        let line: String = match symbol {
            '-' => drawn.map(|drawn| if drawn { ".---" } else { ".   " }).chain(["."]).collect(),
            _ => drawn.map(|drawn| if drawn { "|   " } else { "    " }).collect(),
        };
        text += format!("{:>margin$} {line}", name(row)).trim_end();
        text.push('\n');
    }
    let columns: String = (0..=game.width).map(|c| format!("{:<4}", column_name(c))).collect();
    let [first, second] = state.boxes;
    let [a, b] = PLAYERS;
    format!("{text}{:margin$} {}\nboxes: {a} {first}, {b} {second}\n", "", columns.trim_end())
}

pub(super) fn read(game: &DotsAndBoxes, text: &str) -> Result<State, TextError> {
    let mut words = text.split_whitespace();
    let drawn = read_lines(game, words.next().unwrap_or(""))?;
    let (mut boxes, mut mover) = (None, None);
    for word in words {
        match word.split_once(['-', ':']) {
            Some(counts) if boxes.is_none() && mover.is_none() => {
                boxes = Some(read_boxes(game, drawn, word, counts)?);
            }
            None if mover.is_none() => mover = Some(read_mover(game, drawn, word)?),
            _ => {
                return Err(TextError::new(format!(
                    "unexpected '{word}'; the lines are followed by the boxes, such as 2-1, and \
                     the player to move"
                )));
            }
        }
    }
    let boxes = match (boxes, game.completed(drawn)) {
        (Some(boxes), _) => boxes,
        (None, 0) => [0; 2],
        (None, boxes) => {
            return Err(TextError::new(format!(
                "some boxes are complete; add each player's number of boxes after the lines, such \
                 as {boxes}-0"
            )));
        }
    };
    let mover = mover
        .or(game.due(drawn))
        .ok_or_else(|| TextError::new("either player could be to move; add A or B at the end"))?;
    Ok(State { drawn, boxes, mover: if drawn == game.all { 0 } else { mover as u8 } })
}

fn read_lines(game: &DotsAndBoxes, text: &str) -> Result<u128, TextError> {
    let found: Vec<&str> = text.split('/').collect();
    let rows: Vec<(char, Range<usize>)> = game.rows().collect();
    if found.len() != rows.len() {
        return Err(TextError::new(format!(
            "the position has {} {} separated by '/'; {} rows of boxes need {} rows of lines",
            found.len(),
            if found.len() == 1 { "row" } else { "rows" },
            game.height,
            rows.len(),
        )));
    }
    let mut drawn = 0;
    for (number, (text, (symbol, row))) in found.iter().zip(rows).enumerate() {
        let kind = if symbol == '-' { "horizontal" } else { "vertical" };
        let length = text.chars().count();
        if length != row.len() {
            return Err(TextError::new(format!(
                "row {} from the top has {length} characters, but must have {} {kind} lines",
                number + 1,
                row.len(),
            )));
        }
        for (place, (c, line)) in text.chars().zip(row).enumerate() {
            if c == symbol || matches!(c, 'x' | 'X') {
                drawn |= 1 << line;
            } else if c != '.' {
                return Err(TextError::new(format!(
                    "'{c}' in row {} from the top, place {}, is not a {kind} line; expected \
                     {symbol}, or . for a line not yet drawn",
                    number + 1,
                    place + 1,
                )));
            }
        }
    }
    Ok(drawn)
}

fn read_boxes(
    game: &DotsAndBoxes,
    drawn: u128,
    word: &str,
    (first, second): (&str, &str),
) -> Result<[u8; 2], TextError> {
    let complete = game.completed(drawn);
    match (first.parse::<u8>(), second.parse::<u8>()) {
        (Ok(first), Ok(second)) if usize::from(first) + usize::from(second) == complete => {
            Ok([first, second])
        }
        (Ok(_), Ok(_)) => Err(TextError::new(format!(
            "the boxes {word} do not add up to {complete}, the number of complete boxes"
        ))),
        _ => Err(TextError::new(format!(
            "'{word}' is not a pair of box counts; expected A's and B's, such as 2-1"
        ))),
    }
}

fn read_mover(game: &DotsAndBoxes, drawn: u128, word: &str) -> Result<usize, TextError> {
    let mover = read_player(word, &PLAYERS).ok_or_else(|| {
        TextError::new(format!("there is no player '{word}'; the players are A and B"))
    })?;
    match game.due(drawn) {
        Some(due) if due != mover && drawn != game.all => Err(TextError::new(format!(
            "the side to move cannot be '{word}': after these lines it is {}'s turn",
            PLAYERS[due],
        ))),
        _ => Ok(mover),
    }
}
