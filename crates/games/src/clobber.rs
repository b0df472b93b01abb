//! Clobber on any board of up to 64 cells.
//!
//! The board starts full, with the stones of the two sides alternating like the colours of a
//! chessboard; x moves first and has the stone on a1. A player moves a stone up, down or sideways
//! to a neighbouring cell that holds an opposing stone, and captures that stone. A player who
//! cannot move loses. The usual board is 5x6.
//!
//! In Fairy-Stockfish the board is mirrored top to bottom: the second player has the stone on a1.
//!
//! A move is written as the two cells, `a1a2`; `a1-a2` and `a1xa2` are accepted as well. Positions
//! have a [text form](State#text-form).

use crate::bits::{cells, random_cell};
use crate::hash::hash_words;
use crate::info::GameInfo;
use crate::options::{Options, SpecError};
use crate::symmetry::{Grid, Symmetries};
use crate::text::{
    Edge, cell_name, check_side, column_name, draw_board, parse_step, read_fen, write_fen,
};
use proofwood_game::{DomainKnowledge, Game, Rng, TextError, Turn};
use std::ops::RangeInclusive;

pub(crate) const INFO: GameInfo = GameInfo {
    name: "clobber",
    summary: "capture a neighbouring enemy stone; a player who cannot move loses",
    also: &[],
    rules: "The board starts full, with the stones arranged like the colours of a chessboard. A \
            stone moves up, down or sideways to a neighbouring cell that holds an enemy stone, and \
            captures it. x moves first. A player who cannot move loses.",
    notation: "A move is two cells, such as a1a2, with a1 at the bottom left. A position is the \
               rows from the top, separated by /, with x, o and a number for that many empty \
               cells; then the side to move.",
    options: &[("WIDTHxHEIGHT", "the board's size, up to 64 cells (default 5x6)")],
    example: "clobber:4x4",
};

pub(crate) fn from_options(options: &mut Options) -> Result<Clobber, SpecError> {
    let (width, height) = options.size(1..=64)?.unwrap_or((5, 6));
    Clobber::new(width, height)
}

const MARKS: [&str; 2] = ["x", "o"];
const SIDES: [&[&str]; 2] = [&["x", "w", "white"], &["o", "b", "black"]];
const LEGEND: &str = "x or o for a stone";

/// The rules of Clobber, including the size of the board.
#[derive(Clone, Debug)]
pub struct Clobber {
    width: usize,
    height: usize,
    /// The shift from a cell to the cell above; 0 if the board has a single row, so that no upward
    /// move is found.
    up: u32,
    first_column: u64,
    last_column: u64,
    start: [u64; 2],
    symmetries: Symmetries<u64>,
}

/// A move. Cells are numbered row by row from a1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// The cell that the stone leaves.
    pub from: u8,
    /// The cell of the captured stone.
    pub to: u8,
}

/// A position of Clobber.
///
/// # Text form
/// The rows from the top, separated by `/`, with `x` and `o` for the stones and numbers for runs of
/// empty cells; then the side to move: `oxox/xoxo/xxox/1oxo o`. On reading, an empty cell may be
/// `.`, `-` or `_`, and case does not matter; `w` and `b` are accepted for the sides x and o. The
/// side may be omitted, because it follows from the number of stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    own: u64,
    other: u64,
    side: u8,
}

impl State {
    fn stones(&self) -> [u64; 2] {
        match self.side {
            0 => [self.own, self.other],
            _ => [self.other, self.own],
        }
    }
}

impl Default for Clobber {
    fn default() -> Clobber {
        Clobber::new(5, 6).expect("the usual board is possible")
    }
}

impl Clobber {
    /// Creates the rules for `width` columns and `height` rows.
    ///
    /// # Errors
    /// Returns an error if the board has no cells or more than 64.
    pub fn new(width: usize, height: usize) -> Result<Clobber, SpecError> {
        let size = width.saturating_mul(height);
        if !(1..=64).contains(&size) {
            let reason = format!("a {width}x{height} board has {size} cells; it must have 1 to 64");
            return Err(SpecError::Impossible { game: INFO.name, reason });
        }
        let set = |member: &dyn Fn(usize, usize) -> bool| {
            let cells = (0..size).filter(|cell| member(cell % width, cell / width));
            cells.fold(0, |set, cell| set | 1 << cell)
        };
        let start = [0, 1].map(|colour| set(&|column, row| (column + row) % 2 == colour));
        Ok(Clobber {
            width,
            height,
            up: if height > 1 { width as u32 } else { 0 },
            first_column: set(&|column, _| column == 0),
            last_column: set(&|column, _| column + 1 == width),
            start,
            symmetries: Symmetries::of(Grid::new(width, height), true, start),
        })
    }

    /// The stones that can move right, left, up and down.
    #[inline]
    fn movable(&self, state: &State) -> [u64; 4] {
        let State { own, other, .. } = *state;
        [
            own & other >> 1 & !self.last_column,
            own & other << 1 & !self.first_column,
            own & other >> self.up,
            own & other << self.up,
        ]
    }

    #[inline]
    fn step(&self, from: u8, direction: usize) -> Move {
        let up = self.up as u8;
        let to = match direction {
            0 => from + 1,
            1 => from - 1,
            2 => from + up,
            _ => from - up,
        };
        Move { from, to }
    }

    fn name(&self, cell: u8) -> String {
        let cell = usize::from(cell);
        cell_name(cell % self.width, cell / self.width)
    }

    fn cell(&self, (column, row): (usize, usize)) -> Option<u8> {
        (column < self.width && row < self.height).then(|| (row * self.width + column) as u8)
    }

    fn mark(&self, state: &State, column: usize, row: usize) -> Option<&'static str> {
        let cell = row * self.width + column;
        (0..2).find(|&side| state.stones()[side] >> cell & 1 == 1).map(|side| MARKS[side])
    }

    /// The side to move, implied by the numbers of stones.
    fn due(&self, stones: [u64; 2]) -> Result<usize, TextError> {
        let mut lost = [0; 2];
        for side in 0..2 {
            let (has, had) = (stones[side].count_ones(), self.start[side].count_ones());
            lost[side] = had.checked_sub(has).ok_or_else(|| {
                let mark = MARKS[side];
                TextError::new(format!("{mark} has {has} stones, but starts with {had}"))
            })?;
        }
        match lost[1].checked_sub(lost[0]) {
            Some(side @ 0..=1) => Ok(side as usize),
            _ => Err(TextError::new(format!(
                "x has taken {} and o has taken {}; they take one stone at a time in turn, x first",
                lost[1], lost[0],
            ))),
        }
    }
}

impl Game for Clobber {
    type State = State;
    type Move = Move;

    fn initial_state(&self) -> State {
        State { own: self.start[0], other: self.start[1], side: 0 }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match self.movable(state) {
            [0, 0, 0, 0] => Turn::Over,
            _ => Turn::Player(usize::from(state.side)),
        }
    }

    fn legal_moves(&self, state: &State, moves: &mut Vec<Move>) {
        for (direction, stones) in self.movable(state).into_iter().enumerate() {
            moves.extend(cells(stones).map(|from| self.step(from, direction)));
        }
    }

    #[inline]
    fn play(&self, state: &mut State, mv: Move) {
        let (from, to) = (1 << mv.from, 1 << mv.to);
        let State { own, other, side } = *state;
        *state = State { own: other & !to, other: own & !from | to, side: 1 - side };
    }

    fn payoff(&self, state: &State, player: usize) -> i32 {
        if player == usize::from(state.side) { -1 } else { 1 }
    }

    fn zero_sum(&self) -> bool {
        true
    }

    fn payoff_range(&self, _player: usize) -> RangeInclusive<i32> {
        -1..=1
    }

    #[inline]
    fn random_move(&self, state: &State, _moves: &mut Vec<Move>, rng: &mut Rng) -> Option<Move> {
        let movable = self.movable(state);
        let counts = movable.map(u64::count_ones);
        let total: u32 = counts.iter().sum();
        if total == 0 {
            return None;
        }
        let mut rank = rng.below(total);
        let mut direction = 0;
        while rank >= counts[direction] {
            rank -= counts[direction];
            direction += 1;
        }
        random_cell(movable[direction], rng).map(|from| self.step(from, direction))
    }

    #[inline]
    fn mobility(&self, state: &State, _moves: &mut Vec<Move>) -> usize {
        self.movable(state).map(u64::count_ones).iter().sum::<u32>() as usize
    }

    /// Hashes only the stones, which imply the side to move.
    #[inline]
    fn key(&self, state: &State) -> Option<u64> {
        Some(hash_words(state.stones()))
    }

    fn knowledge(&self) -> impl DomainKnowledge<Self> {
        self
    }

    fn player_name(&self, player: usize) -> String {
        MARKS[player].to_string()
    }

    fn move_text(&self, _state: &State, mv: Move) -> String {
        self.name(mv.from) + &self.name(mv.to)
    }

    fn parse_move(&self, state: &State, text: &str) -> Result<Move, TextError> {
        if self.turn(state) == Turn::Over {
            return Err(TextError::new(format!("the game is over before the move '{text}'")));
        }
        let mut legal = Vec::new();
        self.legal_moves(state, &mut legal);
        parse_step(text)
            .filter(|step| step.suffix.is_empty())
            .and_then(|step| Some(Move { from: self.cell(step.from)?, to: self.cell(step.to)? }))
            .filter(|mv| legal.contains(mv))
            .ok_or_else(|| TextError::illegal_move(self, state, text, &legal))
    }

    fn state_text(&self, state: &State) -> String {
        let board = write_fen(self.width, self.height, |column, row| {
            self.mark(state, column, row).map(str::to_string)
        });
        format!("{board} {}", MARKS[usize::from(state.side)])
    }

    fn parse_state(&self, text: &str) -> Result<State, TextError> {
        let (board, rest) = read_fen(text, self.width, self.height, LEGEND, |c, promoted| {
            let stone = MARKS.iter().position(|mark| mark.starts_with(c.to_ascii_lowercase()));
            stone.filter(|_| !promoted)
        })?;
        let mut stones = [0u64; 2];
        for (cell, stone) in board.into_iter().enumerate() {
            if let Some(side) = stone {
                stones[side] |= 1 << cell;
            }
        }
        let due = self.due(stones)?;
        check_side(rest, SIDES, due)?;
        Ok(State { own: stones[due], other: stones[1 - due], side: due as u8 })
    }

    fn board_text(&self, state: &State) -> String {
        let rows: Vec<String> = (1..=self.height).rev().map(|row| row.to_string()).collect();
        let columns: Vec<String> = (0..self.width).map(column_name).collect();
        draw_board(&rows, &columns, Edge::Bottom, |column, row| {
            let mark = self.mark(state, column, self.height - 1 - row);
            mark.and_then(|mark| mark.chars().next()).unwrap_or('.')
        })
    }
}

impl DomainKnowledge<Clobber> for Clobber {
    fn symmetries(&self, state: &State, images: &mut Vec<State>) {
        self.symmetries.each([state.own, state.other], |[own, other]| {
            images.push(State { own, other, ..*state });
        });
    }

    #[inline]
    fn canonical_key(&self, state: &State) -> Option<u64> {
        Some(hash_words(self.symmetries.least(state.stones())))
    }
}
