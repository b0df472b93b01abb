//! EinStein würfelt nicht! on boards from 3x3 to 8x8, 5x5 by default.
//!
//! White's six stones, numbered 1 to 6, start in the lower right corner and move up, left or
//! diagonally up and left; Black's start in the upper left corner and move in the opposite
//! directions. White moves first. Before each move a die is rolled, and the player moves the stone
//! with that number or, if it is gone, the stone with the next higher or the next lower number. A
//! stone moves one step and captures any stone there, even one of its own side. The player who
//! reaches the far corner or captures the last stone of the other side wins. On boards of 3x3 and
//! 4x4 each side has three stones, and the die has three sides.
//!
//! The stones of a side start in a triangle in its corner. Their numbering is an option, `setup`:
//!
//! - `fixed`, the default: counted along the rows from the corner;
//! - `random`: chance decides for White, then for Black; all orders are equally probable;
//! - `chosen`: White decides for the white stones, then Black for the black ones.
//!
//! The result of the die is written as a number. A step is written as two cells, `e3d4`; `e3-d4`
//! and `e3xd4` are accepted as well. A numbering is written as the numbers in reading order, from
//! the top left of the board: `654321`. Positions have a [text form](State#text-form).

mod setup;
mod text;

use crate::hash::hash_words;
use crate::info::GameInfo;
use crate::options::{Options, SpecError};
use proofwood_game::{Game, Rng, TextError, Turn};
use setup::MOST_STONES;
use std::ops::RangeInclusive;

pub(crate) const INFO: GameInfo = GameInfo {
    name: "ewn",
    summary: "EinStein würfelt nicht: a die decides which stone runs for the far corner",
    also: &["einstein"],
    rules: "White's stones move up, left, or both at once, Black's down, right, or both at once; \
            White moves first. Before each move a die is rolled: the stone with its number moves \
            or, if that stone is gone, one with the next higher or the next lower number. A stone \
            captures any stone on its target cell. A player who reaches the far corner or captures \
            the last enemy stone wins.",
    notation: "A move is two cells, such as e3d4, with a1 at the bottom left; a roll is the number \
               on the die. A position is the rows from the top, separated by /, with A to F for \
               White's stones 1 to 6, a to f for Black's and a number for that many empty cells; \
               then w or b for the side to move, and the number on the die, or roll before it is \
               rolled.",
    options: &[
        (
            "SIZE",
            "the board's side length, 3 to 8 (default 5); below 5, each player has three stones",
        ),
        ("setup=WAY", "how the stones are numbered: fixed (default), random or chosen"),
    ],
    example: "ewn:3,setup=random",
};

pub(crate) fn from_options(options: &mut Options) -> Result<Ewn, SpecError> {
    let size = options.number("SIZE", 3..=8)?.unwrap_or(5);
    let ways = [("fixed", Setup::Fixed), ("random", Setup::Random), ("chosen", Setup::Chosen)];
    Ewn::new(size, options.word("setup", &ways)?.unwrap_or(Setup::Fixed))
}

/// A rule for numbering a side's stones at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Setup {
    /// The stones are numbered row by row, starting from the corner.
    Fixed,
    /// The stones are numbered at random.
    Random,
    /// Each player chooses the numbers of their own stones.
    Chosen,
}

/// The rules of the game, including the size of the board and the numbering of the stones.
#[derive(Clone, Debug)]
pub struct Ewn {
    size: usize,
    setup: Setup,
    /// The cells of each side's corner in reading order.
    homes: [Vec<u8>; 2],
    orders: u16,
}

/// A move, or an outcome of chance. Cells are numbered row by row from a1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// Numbers the stones in the order with this index, counted from 0 in lexicographic order.
    Place(u16),
    /// The die's result.
    Die(u8),
    /// A stone moves to a neighbouring cell.
    Step {
        /// The cell that the stone leaves.
        from: u8,
        /// The cell that the stone moves to.
        to: u8,
    },
}

/// A position of EinStein würfelt nicht!
///
/// # Text form
/// The rows from the top, separated by `/`: `A` to `F` for White's stones 1 to 6, `a` to `f` for
/// Black's, and numbers for runs of empty cells; then the side, `w` or `b`, and the next event: the
/// result of the die with which the side moves, `roll` before the die is rolled, `place` before the
/// side's stones are numbered, or `over`: `abc2/de3/f3F/3ED/2CBA w 3`. On reading, an empty cell
/// may be `.`, `-` or `_`, and everything after the board may be omitted, except the result of the
/// die.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// The cells of each side's stones; [`GONE`] for a stone off the board.
    stones: [[u8; MOST_STONES]; 2],
    /// The side to move; the loser when the game is over.
    side: u8,
    phase: Phase,
}

const GONE: u8 = u8::MAX;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Phase {
    Place,
    Roll,
    /// The side moves a stone according to this result of the die.
    Move(u8),
    Over,
}

impl Default for Ewn {
    fn default() -> Ewn {
        Ewn::new(5, Setup::Fixed).expect("the usual board is possible")
    }
}

impl Ewn {
    /// Creates the rules for a board with `size` rows and columns.
    ///
    /// # Errors
    /// Returns an error if `size` is not between 3 and 8.
    pub fn new(size: usize, setup: Setup) -> Result<Ewn, SpecError> {
        if !(3..=8).contains(&size) {
            let reason = format!("the board's side length must be 3 to 8, not {size}");
            return Err(SpecError::Impossible { game: INFO.name, reason });
        }
        let homes = setup::homes(size);
        let orders = (1..=homes[0].len() as u16).product();
        Ok(Ewn { size, setup, homes, orders })
    }

    /// The number of stones that each player starts with, which is also the number of faces of the
    /// die.
    fn count(&self) -> usize {
        self.homes[0].len()
    }

    #[inline]
    fn goal(&self, side: usize) -> u8 {
        match side {
            0 => (self.size * (self.size - 1)) as u8,
            _ => self.size as u8 - 1,
        }
    }

    /// The cells to which a side's stone on the cell `from` can move.
    #[inline]
    fn steps(&self, side: usize, from: u8) -> impl Iterator<Item = u8> {
        let size = self.size as u8;
        let (column, row) = (from % size, from / size);
        let (upright, sideways) = match side {
            0 => (row + 1 < size, column > 0),
            _ => (row > 0, column + 1 < size),
        };
        // White's steps; Black's are the opposite steps.
        let steps = [(upright, size as i8), (upright && sideways, size as i8 - 1), (sideways, -1)];
        let ahead = if side == 0 { 1 } else { -1 };
        let can = steps.into_iter().filter(|&(can, _)| can);
        can.map(move |(_, step)| from.wrapping_add_signed(ahead * step))
    }

    #[inline]
    fn candidates(&self, stones: &[u8; MOST_STONES], die: u8) -> impl Iterator<Item = u8> {
        let wanted = usize::from(die) - 1;
        let present = |&stone: &u8| stone != GONE;
        let higher = stones[wanted..].iter().copied().find(present);
        let lower = stones[..wanted].iter().copied().rfind(present);
        let lower = if stones[wanted] == GONE { lower } else { None };
        lower.into_iter().chain(higher)
    }

    fn side_that_has_won(&self, stones: &[[u8; MOST_STONES]; 2]) -> Option<usize> {
        (0..2).find(|&side| {
            stones[side].contains(&self.goal(side)) || stones[1 - side].iter().all(|&s| s == GONE)
        })
    }
}

impl Game for Ewn {
    type State = State;
    type Move = Move;

    fn initial_state(&self) -> State {
        match self.setup {
            Setup::Fixed => {
                let last = self.orders - 1;
                let orders = [last, 0].map(|number| setup::order(self.count(), number));
                let stones = [0, 1].map(|side| setup::stand(&self.homes[side], &orders[side]));
                State { stones, side: 0, phase: Phase::Roll }
            }
            _ => State { stones: [[GONE; MOST_STONES]; 2], side: 0, phase: Phase::Place },
        }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match state.phase {
            Phase::Place if self.setup == Setup::Chosen => Turn::Player(usize::from(state.side)),
            Phase::Place | Phase::Roll => Turn::Chance,
            Phase::Move(_) => Turn::Player(usize::from(state.side)),
            Phase::Over => Turn::Over,
        }
    }

    fn legal_moves(&self, state: &State, moves: &mut Vec<Move>) {
        let side = usize::from(state.side);
        match state.phase {
            Phase::Place => moves.extend((0..self.orders).map(Move::Place)),
            Phase::Roll => moves.extend((1..=self.count() as u8).map(Move::Die)),
            Phase::Move(die) => {
                for from in self.candidates(&state.stones[side], die) {
                    moves.extend(self.steps(side, from).map(|to| Move::Step { from, to }));
                }
            }
            Phase::Over => {}
        }
    }

    #[inline]
    fn play(&self, state: &mut State, mv: Move) {
        let side = usize::from(state.side);
        match mv {
            Move::Place(number) => {
                let order = setup::order(self.count(), number);
                state.stones[side] = setup::stand(&self.homes[side], &order);
                state.phase = if side == 0 { Phase::Place } else { Phase::Roll };
                state.side = 1 - state.side;
            }
            Move::Die(die) => state.phase = Phase::Move(die),
            Move::Step { from, to } => {
                let stones = state.stones.iter_mut().flatten();
                stones.filter(|stone| **stone == to).for_each(|stone| *stone = GONE);
                let moved = state.stones[side].iter_mut().filter(|stone| **stone == from);
                moved.for_each(|stone| *stone = to);
                let won = to == self.goal(side) || state.stones[1 - side] == [GONE; MOST_STONES];
                state.phase = if won { Phase::Over } else { Phase::Roll };
                state.side = 1 - state.side;
            }
        }
    }

    fn payoff(&self, state: &State, player: usize) -> i32 {
        if player == usize::from(state.side) { -1 } else { 1 }
    }

    fn zero_sum(&self) -> bool {
        true
    }

    fn has_chance(&self) -> bool {
        true
    }

    fn payoff_range(&self, _player: usize) -> RangeInclusive<i32> {
        -1..=1
    }

    #[inline]
    fn random_move(&self, state: &State, moves: &mut Vec<Move>, rng: &mut Rng) -> Option<Move> {
        match state.phase {
            Phase::Place => Some(Move::Place(rng.below(self.orders.into()) as u16)),
            Phase::Roll => Some(Move::Die(rng.below(self.count() as u32) as u8 + 1)),
            Phase::Over => None,
            Phase::Move(_) => {
                self.legal_moves(state, moves);
                Some(moves[rng.below(moves.len() as u32) as usize])
            }
        }
    }

    #[inline]
    fn key(&self, state: &State) -> Option<u64> {
        let [white, black] = state
            .stones
            .map(|stones| stones.iter().fold(0, |word, &stone| word << 8 | u64::from(stone)));
        let phase = match state.phase {
            Phase::Move(die) => die.into(),
            Phase::Roll => 0,
            Phase::Place => 10,
            Phase::Over => 11,
        };
        Some(hash_words([white << 8 | u64::from(state.side), black << 8 | phase]))
    }

    fn player_name(&self, player: usize) -> String {
        text::NAMES[player].to_string()
    }

    fn move_text(&self, _state: &State, mv: Move) -> String {
        text::move_text(self, mv)
    }

    fn parse_move(&self, state: &State, text: &str) -> Result<Move, TextError> {
        text::parse_move(self, state, text)
    }

    fn state_text(&self, state: &State) -> String {
        text::write(self, state)
    }

    fn parse_state(&self, text: &str) -> Result<State, TextError> {
        text::read(self, text)
    }

    fn board_text(&self, state: &State) -> String {
        text::draw(self, state)
    }
}
