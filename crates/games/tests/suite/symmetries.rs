//! Compares the games' symmetries with independent permutations of the positions' texts.

use proofwood::{DomainKnowledge, Game, Rng, Turn};
use proofwood_games::AnyGame;
use std::collections::BTreeSet;

/// A reflection or rotation of a board. The arguments are the numbers of columns and rows, and a
/// cell's column and row, counted from the top left.
type Map = fn((usize, usize), (usize, usize)) -> (usize, usize);

const MIRROR: Map = |(width, _), (column, row)| (width - 1 - column, row);
const FLIP: Map = |(_, height), (column, row)| (column, height - 1 - row);
const TURN: Map = |size, cell| MIRROR(size, FLIP(size, cell));
const TRANSPOSE: Map = |_, (column, row)| (row, column);
const OTHER_DIAGONAL: Map = |size, cell| TURN(size, TRANSPOSE(size, cell));
const QUARTER: Map = |size, cell| MIRROR(size, TRANSPOSE(size, cell));
const BACK: Map = |size, cell| FLIP(size, TRANSPOSE(size, cell));

const LEFT_RIGHT: &[Map] = &[MIRROR];
const RECTANGLE: &[Map] = &[MIRROR, FLIP, TURN];
const DIAGONALS: &[Map] = &[TRANSPOSE, OTHER_DIAGONAL, TURN];
const SQUARE: &[Map] = &[MIRROR, FLIP, TURN, TRANSPOSE, OTHER_DIAGONAL, QUARTER, BACK];

#[derive(Clone, Copy, PartialEq)]
enum Moves {
    /// Moves are columns.
    Columns,
    /// Moves are cells, with row 1 at the top.
    FromTop,
    /// Moves are cells, with row 1 at the bottom.
    FromBottom,
    /// Moves are lines between dots, with row 1 at the bottom.
    Dots,
}

const GAMES: &[(&str, &[Map], Moves)] = &[
    ("connect-four", LEFT_RIGHT, Moves::Columns),
    ("connect-four:4x4,k=3", LEFT_RIGHT, Moves::Columns),
    ("connect-four:9x5", LEFT_RIGHT, Moves::Columns),
    ("tic-tac-toe", SQUARE, Moves::FromBottom),
    ("mnk:5,4,4", RECTANGLE, Moves::FromBottom),
    ("mnk:4,4,3,players=3", SQUARE, Moves::FromBottom),
    ("mnk:8,8,5", SQUARE, Moves::FromBottom),
    ("mnk:1,9,3", &[FLIP], Moves::FromBottom),
    ("othello", DIAGONALS, Moves::FromTop),
    ("othello:4", DIAGONALS, Moves::FromTop),
    ("othello:6,empties", DIAGONALS, Moves::FromTop),
    ("ataxx:3,clones", DIAGONALS, Moves::FromBottom),
    ("ataxx:4,pieces", DIAGONALS, Moves::FromBottom),
    ("hex:5", &[TURN], Moves::FromTop),
    ("hex:3x4", &[TURN], Moves::FromTop),
    ("hex", &[TURN], Moves::FromTop),
    ("clobber", LEFT_RIGHT, Moves::FromBottom),
    ("clobber:4x4", DIAGONALS, Moves::FromBottom),
    ("clobber:5x5", SQUARE, Moves::FromBottom),
    ("clobber:4x6", &[TURN], Moves::FromBottom),
    ("domineering:6x5", RECTANGLE, Moves::FromBottom),
    ("domineering", RECTANGLE, Moves::FromBottom),
    ("domineering:1x9,horizontal", &[FLIP], Moves::FromBottom),
    ("nogo:4", SQUARE, Moves::FromBottom),
    ("nogo:7x4", RECTANGLE, Moves::FromBottom),
    ("atari-go:4,crosscut", DIAGONALS, Moves::FromBottom),
    ("atari-go:6,crosscut", DIAGONALS, Moves::FromBottom),
    ("atari-go:5", SQUARE, Moves::FromBottom),
    ("breakthrough:5x6", LEFT_RIGHT, Moves::FromBottom),
    ("breakthrough:4x7,pass", LEFT_RIGHT, Moves::FromBottom),
    ("knightthrough:5x6", LEFT_RIGHT, Moves::FromBottom),
    ("dots-and-boxes:2x2", SQUARE, Moves::Dots),
    ("dots-and-boxes:3x3", SQUARE, Moves::Dots),
    ("dots-and-boxes:3x2", RECTANGLE, Moves::Dots),
    ("dots-and-boxes:1x5", RECTANGLE, Moves::Dots),
];

/// Splits a position's text into rows of cells, from the top, and the text after the board.
fn rows(text: &str) -> (Vec<Vec<char>>, String) {
    let (board, rest) = text.split_once(' ').unwrap_or((text, ""));
    let rows: Vec<Vec<char>> = match board.contains('/') {
        true => board.split('/').map(cells_of).collect(),
        false => {
            let cells = cells_of(board);
            let square = (1..=8).find(|side| side * side == cells.len());
            cells.chunks(square.unwrap_or(cells.len())).map(<[char]>::to_vec).collect()
        }
    };
    (rows, rest.into())
}

/// Converts a row to cells; a number stands for a run of empty cells.
fn cells_of(row: &str) -> Vec<char> {
    let (mut cells, mut empty) = (Vec::new(), 0);
    for c in row.chars().chain(['\n']) {
        if let Some(digit) = c.to_digit(10) {
            empty = empty * 10 + digit as usize;
            continue;
        }
        cells.extend(std::iter::repeat_n('.', empty));
        empty = 0;
        if c != '\n' {
            cells.push(if c == '-' { '.' } else { c });
        }
    }
    cells
}

struct Images {
    spec: &'static str,
    maps: &'static [Map],
    moves: Moves,
}

impl Images {
    fn size(&self, rows: &[Vec<char>]) -> (usize, usize) {
        match self.moves {
            // The board consists of the dots that the lines connect.
            Moves::Dots => (rows[1].len(), rows.len() / 2 + 1),
            _ => (rows[0].len(), rows.len()),
        }
    }

    /// Returns the text of the position's image under `map`.
    fn text(&self, text: &str, map: Map) -> String {
        if self.moves == Moves::Dots {
            return self.lines(text, map);
        }
        let (rows, rest) = rows(text);
        let (width, height) = self.size(&rows);
        let mut image = vec![vec!['.'; width]; height];
        for (row, cells) in rows.iter().enumerate() {
            for (column, &cell) in cells.iter().enumerate() {
                let (column, row) = map((width, height), (column, row));
                image[row][column] = cell;
            }
        }
        let image: Vec<String> = image.into_iter().map(String::from_iter).collect();
        format!("{} {rest}", image.join("/"))
    }

    /// Returns the image of a text with alternating rows of horizontal and vertical lines.
    fn lines(&self, text: &str, map: Map) -> String {
        let (board, rest) = text.split_once(' ').expect("boxes");
        let rows: Vec<Vec<char>> = board.split('/').map(|row| row.chars().collect()).collect();
        let size = self.size(&rows);
        let mut image: Vec<Vec<char>> = rows.iter().map(|row| vec!['.'; row.len()]).collect();
        for (row, lines) in rows.iter().enumerate() {
            for (column, _) in lines.iter().enumerate().filter(|(_, line)| **line != '.') {
                // The two dots that the line connects.
                let one = (column, row / 2);
                let other =
                    if row % 2 == 0 { (column + 1, row / 2) } else { (column, row / 2 + 1) };
                let (one, other) = (map(size, one), map(size, other));
                let first = one.min(other);
                match one.1 == other.1 {
                    true => image[2 * first.1][first.0] = '-',
                    false => image[2 * one.1.min(other.1) + 1][first.0] = '|',
                }
            }
        }
        let image: Vec<String> = image.into_iter().map(String::from_iter).collect();
        format!("{} {rest}", image.join("/"))
    }

    fn mv(&self, text: &str, size: (usize, usize), map: Map) -> String {
        if text == "pass" {
            return text.into();
        }
        if self.moves == Moves::Columns {
            let column = text.parse::<usize>().expect("a column") - 1;
            return (map(size, (column, 0)).0 + 1).to_string();
        }
        let (_, height) = size;
        let turned = |row: usize| match self.moves {
            Moves::FromTop => row,
            _ => height - 1 - row,
        };
        let mut image = String::new();
        let starts: Vec<usize> =
            text.char_indices().filter(|(_, c)| c.is_ascii_lowercase()).map(|(at, _)| at).collect();
        let ends = starts.iter().copied().skip(1).chain([text.len()]);
        for (start, end) in starts.iter().copied().zip(ends) {
            let column = usize::from(text.as_bytes()[start] - b'a');
            let row = text[start + 1..end].parse::<usize>().expect("a row") - 1;
            let (column, row) = map(size, (column, turned(row)));
            image.push(char::from(b'a' + column as u8));
            image += &(turned(row) + 1).to_string();
        }
        image
    }

    fn check_games<G: Game>(&self, game: &G) {
        let mut rng = Rng::new(5);
        for _ in 0..8 {
            let mut state = game.initial_state();
            self.check(game, &state);
            while game.turn(&state) != Turn::Over {
                let mv = game.random_move(&state, &mut Vec::new(), &mut rng).expect("a move");
                game.play(&mut state, mv);
                self.check(game, &state);
            }
        }
    }

    fn check<G: Game>(&self, game: &G, state: &G::State) {
        let text = game.state_text(state);
        let size = match self.moves {
            Moves::Dots => {
                let rows: Vec<Vec<char>> = text
                    .split(' ')
                    .next()
                    .into_iter()
                    .flat_map(|b| b.split('/'))
                    .map(|r| r.chars().collect())
                    .collect();
                self.size(&rows)
            }
            _ => self.size(&rows(&text).0),
        };
        let (turn, least) = (game.turn(state), game.knowledge().canonical_key(state));
        let mut found = Vec::new();
        game.knowledge().symmetries(state, &mut found);
        assert_eq!(found.len(), self.maps.len(), "{}", self.spec);
        let found: BTreeSet<String> = found.iter().map(|image| game.state_text(image)).collect();
        let mut texts = BTreeSet::new();
        let mut hashes = vec![game.key(state)];
        for &map in self.maps {
            let image = self.text(&text, map);
            let image = game.parse_state(&image);
            let image = image.unwrap_or_else(|error| panic!("{}: {text}: {error}", self.spec));
            texts.insert(game.state_text(&image));
            hashes.push(game.key(&image));
            assert_eq!(game.knowledge().canonical_key(&image), least, "{}: {text}", self.spec);
            assert_eq!(game.turn(&image), turn, "{}: {text}", self.spec);
            if turn == Turn::Over {
                for player in 0..game.num_players() {
                    assert_eq!(game.payoff(&image, player), game.payoff(state, player), "{text}");
                }
                continue;
            }
            let (mut moves, mut theirs) = (Vec::new(), Vec::new());
            game.legal_moves(state, &mut moves);
            game.legal_moves(&image, &mut theirs);
            assert_eq!(moves.len(), theirs.len(), "{}: {text}", self.spec);
            for &mv in &moves {
                let name = self.mv(&game.move_text(state, mv), size, map);
                let other = game.parse_move(&image, &name);
                let other = other.unwrap_or_else(|e| panic!("{}: {text}: {e}", self.spec));
                let next = game.after(state, mv);
                let expected = self.text(&game.state_text(&next), map);
                let expected = game.parse_state(&expected).expect("an image");
                let reached = game.after(&image, other);
                assert_eq!(game.state_text(&reached), game.state_text(&expected), "{text}: {name}");
                assert_eq!(game.key(&reached), game.key(&expected), "{text}: {name}");
                assert_eq!(
                    game.knowledge().canonical_key(&reached),
                    game.knowledge().canonical_key(&next),
                    "{text}: {name}"
                );
            }
        }
        assert_eq!(found, texts, "{}: {text}", self.spec);
        assert!(hashes.contains(&least), "{}: {text}", self.spec);
    }
}

#[test]
fn images_are_those_of_the_texts() {
    for &(spec, maps, moves) in GAMES {
        Images { spec, maps, moves }.check_games(&AnyGame::from_spec(spec).expect(spec));
    }
}
