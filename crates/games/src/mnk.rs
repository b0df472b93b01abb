//! m,n,k-games: Tic-Tac-Toe and similar games, for two to four players.
//!
//! The players mark cells in turn. The first player with k marks in a row, a column or a diagonal
//! wins; a full board without such a line is a draw. With N players the winner receives N − 1 and
//! every other player −1.
//!
//! A cell is written as the letter of its column and the number of its row, with a1 at the bottom
//! left. A position is written as its rows from the top, separated by `/`, and the player to move:
//! `.../.x./... o`. The marks of the players are `x o + #`; on reading, `1 2 3 4` are accepted as
//! well, an empty cell may be `.`, `-` or `_`, and the player to move may be omitted, because it
//! follows from the number of marks.

use crate::bits::{cells, random_cell, runs};
use crate::hash::hash_words;
use crate::info::GameInfo;
use crate::options::{Options, SpecError};
use crate::symmetry::{Grid, Symmetries};
use crate::text::{Edge, cell_name, column_name, draw_board, read_board};
use proofwood_game::{DomainKnowledge, Game, Rng, TextError, Turn};
use std::ops::RangeInclusive;

const MARKS: [char; 4] = ['x', 'o', '+', '#'];

pub(crate) const TIC_TAC_TOE_INFO: GameInfo = GameInfo {
    name: "tic-tac-toe",
    summary: "three in a row on a 3x3 board",
    also: &["noughts-and-crosses", "ttt"],
    rules: "x and o mark cells in turn, x first. Three marks of one player in a row, a column or a \
            diagonal win; a full board without such a line is a draw.",
    notation: "A move is a cell, such as b2: the column's letter and the row's number, with a1 at \
               the bottom left. A position is the rows from the top, separated by /, then the \
               player to move; . is an empty cell.",
    options: &[],
    example: "tic-tac-toe",
};

pub(crate) const INFO: GameInfo = GameInfo {
    name: "mnk",
    summary: "k in a row on a board of any size, for two to four players",
    also: &[],
    rules: "The players, x, o, + and #, mark cells in turn. The first player with k marks in a \
            row, a column or a diagonal wins; a full board without such a line is a draw. With N \
            players, the winner receives N-1 and every other player -1.",
    notation: "A move is a cell, such as b2: the column's letter and the row's number, with a1 at \
               the bottom left. A position is the rows from the top, separated by /, then the \
               player to move; . is an empty cell.",
    options: &[
        ("COLUMNS,ROWS,K", "the board's size, up to 64 cells, and the length of a winning line"),
        ("players=N", "2 to 4 players (default 2); the winner receives N-1, the others -1"),
    ],
    example: "mnk:4,4,3",
};

pub(crate) fn tic_tac_toe(_options: &mut Options) -> Result<Mnk, SpecError> {
    Mnk::new(3, 3, 3, 2)
}

pub(crate) fn from_options(options: &mut Options) -> Result<Mnk, SpecError> {
    let columns = options.required_number("the number of columns", 1..=64)?;
    let rows = options.required_number("the number of rows", 1..=64)?;
    let k = options.required_number("k, the length of a line", 1..=64)?;
    let players = options.value("players", 2..=4)?.unwrap_or(2);
    Mnk::new(columns, rows, k, players)
}

/// The greatest line length for which playouts look for decisive moves.
const LONGEST: usize = 8;

/// The rules of an m,n,k-game, including the number of players.
#[derive(Clone, Debug)]
pub struct Mnk {
    columns: usize,
    rows: usize,
    k: usize,
    players: usize,
    /// The cells of the board; a cell is bit `row * columns + column`.
    board: u64,
    directions: [Direction; 4],
    symmetries: Symmetries<u64>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Direction {
    step: u32,
    /// The cells in which a line of this direction can start without leaving the board.
    starts: u64,
}

/// A position of an m,n,k-game: the marks of all players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    marked: u64,
    /// For each cell, the two bits of the number of the player who marked it.
    owner: [u64; 2],
    marks: u8,
    mover: u8,
    line: bool,
}

impl State {
    #[inline]
    fn marks_of(&self, player: usize) -> u64 {
        let differs = |bit: usize| self.owner[bit] ^ 0u64.wrapping_sub((player >> bit & 1) as u64);
        self.marked & !differs(0) & !differs(1)
    }

    fn owner_of(&self, cell: usize) -> Option<usize> {
        let bit = |word: u64| (word >> cell & 1) as usize;
        (bit(self.marked) == 1).then(|| bit(self.owner[0]) | bit(self.owner[1]) << 1)
    }
}

impl Mnk {
    /// Creates the rules for `k` in a row on `columns` times `rows` cells.
    ///
    /// # Errors
    /// Returns an error if the board has no cells or more than 64, no line fits on it, or there are
    /// not two to four players.
    pub fn new(columns: usize, rows: usize, k: usize, players: usize) -> Result<Mnk, SpecError> {
        let refuse = |reason| Err(SpecError::Impossible { game: INFO.name, reason });
        if !(1..=64).contains(&columns.saturating_mul(rows)) {
            return refuse(format!(
                "a board with {columns} columns and {rows} rows has {} cells; it must have 1 to 64",
                columns.saturating_mul(rows)
            ));
        }
        if !(1..=columns.max(rows)).contains(&k) {
            return refuse(format!(
                "a line of {k} does not fit on a board with {columns} columns and {rows} rows; k \
                 must be 1 to {}",
                columns.max(rows)
            ));
        }
        if !(2..=4).contains(&players) {
            return refuse(format!("the game takes 2 to 4 players, not {players}"));
        }
        let board = u64::MAX >> (64 - columns * rows);
        let directions = [(1, 0), (0, 1), (1, 1), (-1, 1)]
            .map(|(right, up)| Direction::new(columns, rows, k, right, up));
        let symmetries = Symmetries::of(Grid::new(columns, rows), true, [board]);
        Ok(Mnk { columns, rows, k, players, board, directions, symmetries })
    }

    fn has_line(&self, marks: u64) -> bool {
        let k = self.k as u32;
        self.directions.iter().any(|d| runs(marks, d.step, k) & d.starts != 0)
    }

    /// The cells that would complete a line of `marks`, whether or not they are marked.
    #[inline]
    fn completing(&self, marks: u64) -> u64 {
        let k = self.k;
        let mut found = 0;
        for &Direction { step, starts } in &self.directions {
            // For each place of a line, the lines whose earlier cells are all marked.
            let mut before = [0; LONGEST];
            let mut lines = starts;
            for (at, before) in before.iter_mut().enumerate().take(k) {
                *before = lines;
                lines &= marks >> (at as u32 * step);
            }
            let mut behind = u64::MAX;
            for at in (0..k).rev() {
                let shift = at as u32 * step;
                found |= (before[at] & behind) << shift;
                behind &= marks >> shift;
            }
        }
        found
    }

    fn last_mover(&self, state: &State) -> usize {
        (usize::from(state.mover) + self.players - 1) % self.players
    }

    fn name(&self, cell: usize) -> String {
        cell_name(cell % self.columns, cell / self.columns)
    }

    fn cell_from_top(&self, column: usize, row: usize) -> usize {
        (self.rows - 1 - row) * self.columns + column
    }

    fn symbol(&self, state: &State, cell: usize) -> char {
        state.owner_of(cell).map_or('.', |player| MARKS[player])
    }

    /// The position with the marks of `owners`; an error if play cannot reach it.
    fn position(&self, owners: &[Option<usize>]) -> Result<State, TextError> {
        let mut state = self.initial_state();
        for (at, owner) in owners.iter().enumerate() {
            let cell = 1 << self.cell_from_top(at % self.columns, at / self.columns);
            if let &Some(player) = owner {
                state.marked |= cell;
                (0..2).filter(|bit| player >> bit & 1 == 1).for_each(|b| state.owner[b] |= cell);
            }
        }
        state.marks = state.marked.count_ones() as u8;
        let marks = usize::from(state.marks);
        state.mover = (marks % self.players) as u8;
        for (player, mark) in MARKS.into_iter().enumerate().take(self.players) {
            let (has, due) = (
                state.marks_of(player).count_ones() as usize,
                (marks + self.players - 1 - player) / self.players,
            );
            if has != due {
                return Err(TextError::new(format!(
                    "{mark} has {has} marks; after {marks} moves it should have {due}"
                )));
            }
            if self.has_line(state.marks_of(player)) {
                self.check_line(&state, player)?;
                state.line = true;
            }
        }
        Ok(state)
    }

    /// Checks that a line was completed by the last move.
    fn check_line(&self, state: &State, player: usize) -> Result<(), TextError> {
        let last = self.last_mover(state);
        let (k, mark) = (self.k, MARKS[player]);
        if player != last {
            return Err(TextError::new(format!(
                "{mark} has {k} in a row, but {} has moved since",
                MARKS[last],
            )));
        }
        let marks = state.marks_of(player);
        match cells(marks).any(|cell| !self.has_line(marks & !(1 << cell))) {
            true => Ok(()),
            false => Err(TextError::new(format!(
                "{mark} has lines of {k} that no single move can have completed"
            ))),
        }
    }
}

impl Direction {
    fn new(columns: usize, rows: usize, k: usize, right: isize, up: isize) -> Direction {
        let fits = |start: usize, size: usize, by: isize| {
            start.checked_add_signed(by * (k as isize - 1)).is_some_and(|end| end < size)
        };
        let starts = (0..columns * rows)
            .filter(|cell| fits(cell % columns, columns, right) && fits(cell / columns, rows, up))
            .fold(0, |set, cell| set | 1 << cell);
        // If no line fits, the step may be too large to shift a word by it.
        let step = if starts == 0 { 0 } else { (up * columns as isize + right) as u32 };
        Direction { step, starts }
    }
}

impl Game for Mnk {
    type State = State;
    /// The number of a cell, counted row by row from a1.
    type Move = u8;

    fn initial_state(&self) -> State {
        State { marked: 0, owner: [0; 2], marks: 0, mover: 0, line: false }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match state.line || state.marked == self.board {
            true => Turn::Over,
            false => Turn::Player(usize::from(state.mover)),
        }
    }

    fn legal_moves(&self, state: &State, moves: &mut Vec<u8>) {
        moves.extend(cells(self.board & !state.marked));
    }

    #[inline]
    fn play(&self, state: &mut State, mv: u8) {
        let cell = 1u64 << mv;
        let player = usize::from(state.mover);
        state.marked |= cell;
        state.owner[0] |= (player as u64 & 1) << mv;
        state.owner[1] |= (player as u64 >> 1) << mv;
        state.marks += 1;
        state.mover = if player + 1 == self.players { 0 } else { state.mover + 1 };
        state.line = self.has_line(state.marks_of(player));
    }

    fn payoff(&self, state: &State, player: usize) -> i32 {
        match state.line {
            false => 0,
            true if player == self.last_mover(state) => self.players as i32 - 1,
            true => -1,
        }
    }

    fn num_players(&self) -> usize {
        self.players
    }

    fn zero_sum(&self) -> bool {
        self.players == 2
    }

    fn payoff_range(&self, _player: usize) -> RangeInclusive<i32> {
        -1..=self.players as i32 - 1
    }

    #[inline]
    fn random_move(&self, state: &State, _moves: &mut Vec<u8>, rng: &mut Rng) -> Option<u8> {
        random_cell(self.board & !state.marked, rng)
    }

    fn mobility(&self, state: &State, _moves: &mut Vec<u8>) -> usize {
        self.columns * self.rows - usize::from(state.marks)
    }

    #[inline]
    fn key(&self, state: &State) -> Option<u64> {
        Some(hash_words([state.marked, state.owner[0], state.owner[1]]))
    }

    fn knowledge(&self) -> impl DomainKnowledge<Self> {
        self
    }

    fn player_name(&self, player: usize) -> String {
        MARKS[player].to_string()
    }

    fn move_text(&self, _state: &State, mv: u8) -> String {
        self.name(usize::from(mv))
    }

    fn state_text(&self, state: &State) -> String {
        let row = |row| {
            let cells = (0..self.columns).map(|column| self.cell_from_top(column, row));
            cells.map(|cell| self.symbol(state, cell)).collect::<String>()
        };
        let rows: Vec<String> = (0..self.rows).map(row).collect();
        format!("{} {}", rows.join("/"), MARKS[usize::from(state.mover)])
    }

    fn parse_state(&self, text: &str) -> Result<State, TextError> {
        let marks = String::from_iter(&MARKS[..self.players]);
        let legend = format!("one of {marks} for a player's mark, or . for an empty cell");
        let read = read_board(text, self.columns, self.rows, &legend, |c| match c {
            '.' | '-' | '_' => Some(None),
            _ => player_of(c).filter(|&player| player < self.players).map(Some),
        })?;
        let state = self.position(&read.cells)?;
        let mover = MARKS[usize::from(state.mover)];
        let mut rest = read.rest.chars();
        match (rest.next().map(player_of), rest.next()) {
            (None, _) => Ok(state),
            (Some(Some(player)), None) if player == usize::from(state.mover) => Ok(state),
            _ => Err(TextError::new(format!(
                "the side to move cannot be '{}': after {} moves it is {mover}'s turn",
                read.rest, state.marks,
            ))),
        }
    }

    fn board_text(&self, state: &State) -> String {
        let rows: Vec<String> = (1..=self.rows).rev().map(|row| row.to_string()).collect();
        let columns: Vec<String> = (0..self.columns).map(column_name).collect();
        draw_board(&rows, &columns, Edge::Bottom, |column, row| {
            self.symbol(state, self.cell_from_top(column, row))
        })
    }
}

impl DomainKnowledge<Mnk> for Mnk {
    /// Draws a cell that completes a line, or else one that would complete the next player's line.
    #[inline]
    fn rollout_move(&self, state: &State, _moves: &mut Vec<u8>, rng: &mut Rng) -> Option<u8> {
        if self.k > LONGEST {
            return None;
        }
        let mover = usize::from(state.mover);
        let next = if mover + 1 == self.players { 0 } else { mover + 1 };
        let empty = self.board & !state.marked;
        let lines = |player| self.completing(state.marks_of(player)) & empty;
        let wins = lines(mover);
        random_cell(if wins == 0 { lines(next) } else { wins }, rng)
    }

    fn symmetries(&self, state: &State, images: &mut Vec<State>) {
        let State { marked, owner: [one, two], .. } = *state;
        self.symmetries.each([marked, one, two], |[marked, one, two]| {
            images.push(State { marked, owner: [one, two], ..*state });
        });
    }

    #[inline]
    fn canonical_key(&self, state: &State) -> Option<u64> {
        let State { marked, owner: [one, two], .. } = *state;
        let least = match two {
            // With two players, the second bit of their numbers is never set.
            0 => {
                let [marked, one] = self.symmetries.least([marked, one]);
                [marked, one, 0]
            }
            _ => self.symmetries.least([marked, one, two]),
        };
        Some(hash_words(least))
    }
}

fn player_of(c: char) -> Option<usize> {
    let marks = [['x', 'X', '1'], ['o', 'O', '2'], ['+', '+', '3'], ['#', '#', '4']];
    marks.iter().position(|mark| mark.contains(&c))
}
