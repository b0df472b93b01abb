//! Domineering on any board of up to 64 cells.
//!
//! One side places dominoes vertically, the other horizontally, each on two empty cells; a player
//! who cannot place a domino loses. The vertical side, V, moves first unless the option
//! `horizontal` is set. The usual board is 8x8.
//!
//! A move is written as the domino's two cells, `a1a2` or `a1b1`, in either order; the lower or
//! left cell is enough: `a1`. Positions have a [text form](State#text-form).

mod playouts;
mod reserve;
mod tiling;

use self::reserve::touched;
use crate::bits::{cells, random_cell};
use crate::hash::hash_words;
use crate::info::GameInfo;
use crate::options::{Options, SpecError};
use crate::symmetry::{Grid, Symmetries};
use crate::text::{
    Edge, cell_name, check_side, column_name, draw_board, parse_cell, parse_step, read_fen,
    write_fen,
};
use proofwood_game::{DomainKnowledge, Game, Rng, StaticBound, TextError, Turn};
use std::ops::RangeInclusive;

pub(crate) const INFO: GameInfo = GameInfo {
    name: "domineering",
    summary: "vertical dominoes against horizontal ones; a player who cannot place one loses",
    also: &["crosscram"],
    rules: "Players take turns covering two empty cells with a domino, Vertical upright and \
            Horizontal sideways. Vertical moves first. A player who cannot place a domino loses.",
    notation: "A move is the domino's two cells, such as a1a2, with a1 at the bottom left. A \
               position is the rows from the top, separated by /, with x for a covered cell and a \
               number for that many empty ones; then V or H for the side to move.",
    options: &[
        ("WIDTHxHEIGHT", "the board's size, up to 64 cells (default 8x8)"),
        ("horizontal", "Horizontal moves first"),
    ],
    example: "domineering:5x4,horizontal",
};

pub(crate) fn from_options(options: &mut Options) -> Result<Domineering, SpecError> {
    let (width, height) = options.size(1..=64)?.unwrap_or((8, 8));
    let first = if options.flag("horizontal") { Side::Horizontal } else { Side::Vertical };
    Domineering::new(width, height, first)
}

/// A player's side, by the direction of the dominoes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Covers a cell and the one above.
    Vertical,
    /// Covers a cell and the one to the right.
    Horizontal,
}

const NAMES: [&[&str]; 2] = [&["V", "vertical"], &["H", "horizontal"]];

/// The rules of Domineering, including the size of the board.
#[derive(Clone, Debug)]
pub struct Domineering {
    width: usize,
    height: usize,
    first: Side,
    board: u64,
    /// For each side, the cells that can be the lower or left end of a domino, and the shift to the
    /// other end.
    ends: [(u64, u32); 2],
    /// The reflections that keep vertical dominoes vertical.
    symmetries: Symmetries<u64>,
}

/// A position of Domineering.
///
/// # Text form
/// The rows from the top, separated by `/`, with `x` for a covered cell and numbers for runs of
/// empty cells; then the side to move: `2xx/x3/x3 V`. The directions of placed dominoes do not
/// matter and are not written. On reading, `#` is accepted for `x`, and an empty cell may be `.`,
/// `-` or `_`. The side may be omitted, because it follows from the number of covered cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    empty: u64,
    mover: u8,
}

impl Default for Domineering {
    fn default() -> Domineering {
        Domineering::new(8, 8, Side::Vertical).expect("the usual board is possible")
    }
}

impl Domineering {
    /// Creates the rules for `width` columns and `height` rows; `first` moves first.
    ///
    /// # Errors
    /// Returns an error if the board has no cells or more than 64.
    pub fn new(width: usize, height: usize, first: Side) -> Result<Domineering, SpecError> {
        let size = width.saturating_mul(height);
        if !(1..=64).contains(&size) {
            let reason = format!("a {width}x{height} board has {size} cells; it must have 1 to 64");
            return Err(SpecError::Impossible { game: INFO.name, reason });
        }
        let set = |member: &dyn Fn(usize) -> bool| {
            (0..size).filter(|&cell| member(cell)).fold(0, |set, cell| set | 1 << cell)
        };
        // On a board of width 64, no cell is a lower end, so a shift of 0 is harmless.
        let lower = (set(&|cell| cell + width < size), width as u32 % 64);
        let left = (set(&|cell| cell % width + 1 < width), 1);
        let board = set(&|_| true);
        let symmetries = Symmetries::of(Grid::new(width, height), false, [board]);
        Ok(Domineering { width, height, first, board, ends: [lower, left], symmetries })
    }

    #[inline]
    fn side(&self, player: u8) -> Side {
        match (self.first, player) {
            (Side::Vertical, 0) | (Side::Horizontal, 1) => Side::Vertical,
            _ => Side::Horizontal,
        }
    }

    /// The lower or left ends of dominoes that the side to move can place.
    #[inline]
    fn places(&self, state: &State) -> u64 {
        self.places_of(state.empty, self.side(state.mover))
    }

    #[inline]
    fn places_of(&self, empty: u64, side: Side) -> u64 {
        let (cells, step) = self.ends[side as usize];
        empty & empty >> step & cells
    }

    /// The places of the side to move and those of the other side, each with the shift to the other
    /// end of a domino.
    #[inline]
    fn sides(&self, state: &State) -> [(u64, u32); 2] {
        [0, 1].map(|player| {
            let side = self.side(state.mover ^ player);
            (self.places_of(state.empty, side), self.ends[side as usize].1)
        })
    }

    fn end(&self, state: &State, cell: u8) -> u8 {
        cell + self.ends[self.side(state.mover) as usize].1 as u8
    }

    fn name(&self, cell: u8) -> String {
        let cell = usize::from(cell);
        cell_name(cell % self.width, cell / self.width)
    }

    fn cell(&self, (column, row): (usize, usize)) -> Option<u8> {
        (column < self.width && row < self.height).then(|| (row * self.width + column) as u8)
    }

    /// Parses a move without checking that it is legal.
    fn read_move(&self, state: &State, text: &str) -> Option<u8> {
        if let Some(cell) = parse_cell(text) {
            return self.cell(cell);
        }
        let step = parse_step(text).filter(|step| step.suffix.is_empty())?;
        let (from, to) = (self.cell(step.from)?, self.cell(step.to)?);
        let cell = from.min(to);
        (self.end(state, cell) == from.max(to)).then_some(cell)
    }
}

impl Game for Domineering {
    type State = State;
    /// The domino's lower or left cell, numbered row by row from a1.
    type Move = u8;

    fn initial_state(&self) -> State {
        State { empty: self.board, mover: 0 }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match self.places(state) {
            0 => Turn::Over,
            _ => Turn::Player(usize::from(state.mover)),
        }
    }

    fn legal_moves(&self, state: &State, moves: &mut Vec<u8>) {
        moves.extend(cells(self.places(state)));
    }

    #[inline]
    fn play(&self, state: &mut State, mv: u8) {
        let domino = 1 << mv | 1 << self.end(state, mv);
        *state = State { empty: state.empty & !domino, mover: 1 - state.mover };
    }

    fn payoff(&self, state: &State, player: usize) -> i32 {
        if player == usize::from(state.mover) { -1 } else { 1 }
    }

    fn zero_sum(&self) -> bool {
        true
    }

    fn payoff_range(&self, _player: usize) -> RangeInclusive<i32> {
        -1..=1
    }

    #[inline]
    fn random_move(&self, state: &State, _moves: &mut Vec<u8>, rng: &mut Rng) -> Option<u8> {
        random_cell(self.places(state), rng)
    }

    #[inline]
    fn mobility(&self, state: &State, _moves: &mut Vec<u8>) -> usize {
        self.places(state).count_ones() as usize
    }

    /// Hashes only the empty cells, whose number implies the side to move.
    #[inline]
    fn key(&self, state: &State) -> Option<u64> {
        Some(hash_words([state.empty]))
    }

    fn knowledge(&self) -> impl DomainKnowledge<Self> {
        self
    }

    fn player_name(&self, player: usize) -> String {
        ["Vertical", "Horizontal"][self.side(player as u8) as usize].to_string()
    }

    fn move_text(&self, state: &State, mv: u8) -> String {
        self.name(mv) + &self.name(self.end(state, mv))
    }

    fn parse_move(&self, state: &State, text: &str) -> Result<u8, TextError> {
        if self.turn(state) == Turn::Over {
            return Err(TextError::new(format!("the game is over before the move '{text}'")));
        }
        let places = self.places(state);
        self.read_move(state, text).filter(|&cell| places >> cell & 1 == 1).ok_or_else(|| {
            TextError::illegal_move(self, state, text, &cells(places).collect::<Vec<u8>>())
        })
    }

    fn state_text(&self, state: &State) -> String {
        let board = write_fen(self.width, self.height, |column, row| {
            let covered = state.empty >> (row * self.width + column) & 1 == 0;
            covered.then(|| "x".to_string())
        });
        format!("{board} {}", NAMES[self.side(state.mover) as usize][0])
    }

    fn parse_state(&self, text: &str) -> Result<State, TextError> {
        let (board, rest) =
            read_fen(text, self.width, self.height, "x for a covered cell", |c, promoted| {
                (matches!(c, 'x' | 'X' | '#') && !promoted).then_some(())
            })?;
        let covered = (0..board.len())
            .filter(|&cell| board[cell].is_some())
            .fold(0u64, |set, cell| set | 1 << cell);
        let count = covered.count_ones();
        if count % 2 == 1 {
            let what = "an odd number of cells is covered, but a domino covers two";
            return Err(TextError::new(what));
        }
        let dominoes = count / 2;
        let mover = (dominoes % 2) as u8;
        check_side(rest, NAMES, self.side(mover) as usize)?;
        let upright = match self.first {
            Side::Vertical => dominoes.div_ceil(2),
            Side::Horizontal => dominoes / 2,
        };
        if !tiling::exists(self.width, self.height, covered, upright) {
            return Err(TextError::new(format!(
                "{upright} vertical and {} horizontal dominoes cannot cover these cells",
                dominoes - upright,
            )));
        }
        Ok(State { empty: self.board & !covered, mover })
    }

    fn board_text(&self, state: &State) -> String {
        let rows: Vec<String> = (1..=self.height).rev().map(|row| row.to_string()).collect();
        let columns: Vec<String> = (0..self.width).map(column_name).collect();
        draw_board(&rows, &columns, Edge::Bottom, |column, row| {
            let cell = (self.height - 1 - row) * self.width + column;
            if state.empty >> cell & 1 == 1 { '.' } else { 'x' }
        })
    }
}

impl DomainKnowledge<Domineering> for Domineering {
    /// Returns the winner if counting the room of both sides decides the game.
    #[inline]
    fn static_bound(&self, state: &State, _moves: &mut Vec<u8>) -> StaticBound {
        let [own, other] = self.sides(state);
        match reserve::mover_wins(own, other) {
            Some(wins) => StaticBound::Payoff(if wins == (state.mover == 0) { 1 } else { -1 }),
            None => StaticBound::Nothing,
        }
    }

    /// Draws a domino on cells that the other side could also cover; cells that only the mover can
    /// cover are left for later.
    #[inline]
    fn rollout_move(&self, state: &State, _moves: &mut Vec<u8>, rng: &mut Rng) -> Option<u8> {
        let [(own, step), other] = self.sides(state);
        let touched = touched(other);
        random_cell(own & (touched | touched >> step), rng)
    }

    fn rollout(&self, state: &mut State, cap: u32, rng: &mut Rng) -> u32 {
        playouts::play_informed(self, state, cap, rng)
    }

    fn symmetries(&self, state: &State, images: &mut Vec<State>) {
        self.symmetries.each([state.empty], |[empty]| images.push(State { empty, ..*state }));
    }

    #[inline]
    fn canonical_key(&self, state: &State) -> Option<u64> {
        Some(hash_words(self.symmetries.least([state.empty])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dominoes_out_of_the_other_sides_reach_can_wait() {
        let game = Domineering::new(5, 6, Side::Vertical).expect("a board");
        let (mut rng, mut met) = (Rng::new(4), 0);
        for _ in 0..60 {
            let mut state = game.initial_state();
            while let Some(mv) = game.random_move(&state, &mut Vec::new(), &mut rng) {
                let others_turn = State { mover: 1 - state.mover, ..state };
                let covers = |state: &State, mv: u8| [mv, game.end(state, mv)];
                let others: Vec<u8> = cells(game.places(&others_turn))
                    .flat_map(|mv| covers(&others_turn, mv))
                    .collect();
                let is_shared =
                    |&mv: &u8| covers(&state, mv).iter().any(|cell| others.contains(cell));
                let shared = cells(game.places(&state)).filter(is_shared).count();
                met += usize::from(shared > 0 && shared < game.mobility(&state, &mut Vec::new()));
                match game.knowledge().rollout_move(&state, &mut Vec::new(), &mut rng) {
                    Some(played) => {
                        assert!(game.places(&state) >> played & 1 == 1 && is_shared(&played));
                    }
                    None => assert_eq!(shared, 0),
                }
                game.play(&mut state, mv);
            }
        }
        assert!(met > 60, "{met}");
    }
}
