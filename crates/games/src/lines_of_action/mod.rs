//! Lines of Action on 8x8 and 7x7 boards.
//!
//! The first player (X, black) starts on the top and bottom rows, the second (O, white) on the left
//! and right columns, both without the corners. A piece moves along its row, column or diagonal
//! exactly as many cells as there are pieces of both sides on that whole line. It may jump over its
//! own side's pieces but not over the enemy's, and lands on an empty cell or an enemy piece, which
//! is captured. A player whose pieces all form one group, connected by sides or corners, wins, even
//! if the other player made the move: a capture may connect the opposing pieces. A single piece
//! counts as a group.
//!
//! A move that connects both sides ends the game in a draw, as in Ludii 1.3.13 by default; with the
//! option `mover-wins`, the side that made the move wins, as in OpenSpiel 2.0.2. A player who
//! cannot move passes; if neither side can move, the game is drawn at once (in Ludii, after two
//! passes). Positions may repeat, so a game may be endless.
//!
//! A move is written as its two cells, `b1b3` (`b1-b3` and `b1xb3` are also accepted), a pass as
//! `pass`. Positions have a [text form](State#text-form).

mod counts;
mod text;

use crate::bits::{cells, nth_cell};
use crate::hash::hash_words;
use crate::info::GameInfo;
use crate::options::{Options, SpecError};
use proofwood_game::{DomainKnowledge, Game, Recommended, Rng, TextError, Turn};
use std::ops::RangeInclusive;

const OPTIONS: &[(&str, &str)] =
    &[("mover-wins", "a move that connects both sides wins instead of drawing")];

pub(crate) const LOA8_INFO: GameInfo = GameInfo {
    name: "loa8",
    summary: "Lines of Action on 8x8: connect all your pieces",
    also: &["loa", "lines-of-action"],
    rules: "A piece moves along its row, column or diagonal exactly as many cells as there are \
            pieces on that whole line. It may jump over pieces of its own side but not over enemy \
            pieces, and captures an enemy piece on which it lands. A player whose pieces are all \
            connected, by sides or corners, wins; a move that connects both sides draws. X moves \
            first. A player who cannot move passes.",
    notation: "A move is two cells, such as b1b3 (a1 is at the bottom left), or pass. A position \
               is the rows from the top, separated by /, with x, o and a number for that many \
               empty cells; then the side to move.",
    options: OPTIONS,
    example: "loa8",
};

pub(crate) const LOA7_INFO: GameInfo = GameInfo {
    name: "loa7",
    summary: "Lines of Action on 7x7: connect all your pieces",
    also: &[],
    rules: "A piece moves along its row, column or diagonal exactly as many cells as there are \
            pieces on that whole line. It may jump over pieces of its own side but not over enemy \
            pieces, and captures an enemy piece on which it lands. A player whose pieces are all \
            connected, by sides or corners, wins; a move that connects both sides draws. X moves \
            first. A player who cannot move passes.",
    notation: "A move is two cells, such as b1b3 (a1 is at the bottom left), or pass. A position \
               is the rows from the top, separated by /, with x, o and a number for that many \
               empty cells; then the side to move.",
    options: OPTIONS,
    example: "loa7:mover-wins",
};

pub(crate) fn loa8(options: &mut Options) -> Result<LinesOfAction, SpecError> {
    Ok(LinesOfAction::new(Board::Eight, options.flag("mover-wins")))
}

pub(crate) fn loa7(options: &mut Options) -> Result<LinesOfAction, SpecError> {
    Ok(LinesOfAction::new(Board::Seven, options.flag("mover-wins")))
}

/// The boards on which the game is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Board {
    /// A board of 7x7 cells, with 10 pieces for each side.
    Seven,
    /// A board of 8x8 cells, with 12 pieces for each side.
    Eight,
}

/// The rules of Lines of Action, including the size of the board.
///
/// The bit of a cell is `row * 8 + column`, counted from a1, on both boards.
#[derive(Clone, Debug)]
pub struct LinesOfAction {
    size: usize,
    mover_wins: bool,
    /// The line through each cell, for each axis.
    lines: [[u64; 64]; 4],
}

/// The distance between neighbouring cells of a line, for each axis: row, column and both
/// diagonals.
const STRIDES: [i32; 4] = [1, 8, 9, 7];

/// The number of directions, two for each axis.
const DIRECTIONS: u32 = 8;

/// A move of a piece, or a forced pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// A piece moves to another cell and captures any enemy piece there.
    Step {
        /// The cell that the piece leaves; cells are numbered `row * 8 + column` from a1.
        from: u8,
        /// The cell that the piece moves to.
        to: u8,
    },
    /// The forced pass of a player who cannot move.
    Pass,
}

/// A position of Lines of Action.
///
/// # Text form
/// The rows from the top, separated by `/`, with `x` for a piece of the first player, `o` for one
/// of the second, and numbers for runs of empty cells; then the side to move, `x` or `o`: the 8x8
/// game starts from `1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 x`. On reading, `b` and `black` are
/// also accepted for `x`, `w` and `white` for `o`, and `.` for an empty cell; case does not matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pieces: [u64; 2],
    /// The side to move, or the side that would move if the game continued.
    side: u8,
}

/// The kind of move that the side to move has, or the fact that the game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Step,
    Pass,
    Won(u8),
    Drawn,
}

impl Default for LinesOfAction {
    fn default() -> LinesOfAction {
        LinesOfAction::new(Board::Eight, false)
    }
}

impl LinesOfAction {
    /// Creates the rules for a board. With `mover_wins`, a move that connects both sides wins
    /// instead of ending in a draw.
    pub fn new(board: Board, mover_wins: bool) -> LinesOfAction {
        let size = match board {
            Board::Seven => 7,
            Board::Eight => 8,
        };
        let mut lines = [[0; 64]; 4];
        let board = || cells(u64::MAX).filter(|cell| cell % 8 < size && cell / 8 < size);
        for (from, to) in board().flat_map(|from| board().map(move |to| (from, to))) {
            let (right, up) = (to as i32 % 8 - from as i32 % 8, to as i32 / 8 - from as i32 / 8);
            let on_axis = [up == 0, right == 0, right == up, right == -up];
            for (line, on) in lines.iter_mut().zip(on_axis) {
                line[usize::from(from)] |= u64::from(on) << to;
            }
        }
        LinesOfAction { size: usize::from(size), mover_wins, lines }
    }

    fn start_count(&self) -> usize {
        2 * (self.size - 2)
    }

    #[inline]
    fn phase(&self, state: &State) -> Phase {
        let (pieces, side) = (state.pieces, usize::from(state.side));
        match pieces.map(connected) {
            [true, true] if self.mover_wins => Phase::Won(1 - side as u8),
            [true, true] => Phase::Drawn,
            [true, false] => Phase::Won(0),
            [false, true] => Phase::Won(1),
            _ if self.can_move(pieces, side) => Phase::Step,
            _ if self.can_move(pieces, 1 - side) => Phase::Pass,
            _ => Phase::Drawn,
        }
    }

    #[inline]
    fn can_move(&self, pieces: [u64; 2], side: usize) -> bool {
        cells(pieces[side]).any(|from| {
            (0..DIRECTIONS).any(|direction| self.step(pieces, side, from, direction).is_some())
        })
    }

    /// Calls `tell` with every move of a side, piece by piece and, for each piece, in the order of
    /// the directions.
    #[inline]
    fn each_step(&self, pieces: [u64; 2], side: usize, mut tell: impl FnMut(Move)) {
        for from in cells(pieces[side]) {
            for axis in 0..STRIDES.len() {
                let far = self.far(pieces, from, axis);
                for backward in [false, true] {
                    self.step_of(pieces, side, from, (axis, far, backward)).map(&mut tell);
                }
            }
        }
    }

    /// The move of the piece on `from` in a direction, if it is legal.
    #[inline]
    fn step(&self, pieces: [u64; 2], side: usize, from: u8, direction: u32) -> Option<Move> {
        let (axis, backward) = (direction as usize / 2, direction % 2 == 1);
        let far = self.far(pieces, from, axis);
        self.step_of(pieces, side, from, (axis, far, backward))
    }

    /// The distance that the piece on `from` moves along an axis, as a number of bits: the stride
    /// of the axis times the number of pieces on the line.
    #[inline]
    fn far(&self, pieces: [u64; 2], from: u8, axis: usize) -> i32 {
        let line = self.lines[axis][usize::from(from)];
        STRIDES[axis] * (line & (pieces[0] | pieces[1])).count_ones() as i32
    }

    /// The move of a piece in a direction by the given distance, if it is legal.
    #[inline]
    fn step_of(
        &self,
        pieces: [u64; 2],
        side: usize,
        from: u8,
        (axis, far, backward): (usize, i32, bool),
    ) -> Option<Move> {
        let line = self.lines[axis][usize::from(from)];
        let (own, enemy) = (pieces[side], pieces[1 - side]);
        let to = i32::from(from) + if backward { -far } else { far };
        // A step across the board's edge would end off the board or on another line.
        if !(0..64).contains(&to) || line & !own & 1 << to == 0 {
            return None;
        }
        let to = to as u8;
        let between = (1 << from.max(to)) - (2 << from.min(to));
        (line & between & enemy == 0).then_some(Move::Step { from, to })
    }
}

const LEFT: u64 = 0x0101_0101_0101_0101;

#[inline]
fn connected(set: u64) -> bool {
    let lowest = set & set.wrapping_neg();
    // A piece without a neighbour settles the question, and most positions have one.
    let alone = set & !beside(set);
    if alone != 0 { set == lowest } else { group_of(lowest, set) == set }
}

#[inline]
fn beside(set: u64) -> u64 {
    let sides = (set & !(LEFT << 7)) << 1 | (set & !LEFT) >> 1;
    let row = set | sides;
    sides | row << 8 | row >> 8
}

/// The pieces of a set that are connected to the pieces of `group`.
#[inline]
fn group_of(mut group: u64, set: u64) -> u64 {
    loop {
        let grown = (group | beside(group)) & set;
        if grown == group {
            return group;
        }
        group = grown;
    }
}

impl Game for LinesOfAction {
    type State = State;
    type Move = Move;

    fn initial_state(&self) -> State {
        let inner = (1..self.size - 1).fold(0, |set, i| set | 1u64 << i);
        let columns = (1..self.size - 1).fold(0, |set, i| set | 1u64 << (i * 8));
        let last = self.size - 1;
        State { pieces: [inner | inner << (last * 8), columns | columns << last], side: 0 }
    }

    fn knowledge(&self) -> impl DomainKnowledge<Self> {
        self
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match self.phase(state) {
            Phase::Step | Phase::Pass => Turn::Player(usize::from(state.side)),
            Phase::Won(_) | Phase::Drawn => Turn::Over,
        }
    }

    fn legal_moves(&self, state: &State, moves: &mut Vec<Move>) {
        let before = moves.len();
        self.each_step(state.pieces, state.side.into(), |mv| moves.push(mv));
        if moves.len() == before {
            moves.push(Move::Pass);
        }
    }

    #[inline]
    fn play(&self, state: &mut State, mv: Move) {
        let side = usize::from(state.side);
        if let Move::Step { from, to } = mv {
            state.pieces[side] ^= 1 << from | 1 << to;
            state.pieces[1 - side] &= !(1 << to);
        }
        state.side = 1 - state.side;
    }

    fn payoff(&self, state: &State, player: usize) -> i32 {
        match self.phase(state) {
            Phase::Won(winner) if player == usize::from(winner) => 1,
            Phase::Won(_) => -1,
            _ => 0,
        }
    }

    fn zero_sum(&self) -> bool {
        true
    }

    fn payoff_range(&self, _player: usize) -> RangeInclusive<i32> {
        -1..=1
    }

    #[inline]
    fn random_move(&self, state: &State, _moves: &mut Vec<Move>, rng: &mut Rng) -> Option<Move> {
        /// The number of failed random draws after which the moves are listed instead. In a
        /// position with a legal move, this many failures in a row are rare.
        const MANY: u32 = 32;
        // About one in three pairs of a piece and a direction is a legal move.
        let side = usize::from(state.side);
        let own = state.pieces[side];
        let choices = own.count_ones() * DIRECTIONS;
        let before = rng.clone();
        for misses in 0.. {
            if misses == MANY && !self.can_move(state.pieces, side) {
                // There is no move, so undo the draws.
                *rng = before;
                break;
            }
            let choice = rng.below(choices);
            let from = nth_cell(own, choice / DIRECTIONS);
            let mv = self.step(state.pieces, side, from, choice % DIRECTIONS);
            if mv.is_some() {
                return mv;
            }
        }
        Some(Move::Pass)
    }

    fn mobility(&self, state: &State, _moves: &mut Vec<Move>) -> usize {
        let mut count = 0;
        self.each_step(state.pieces, state.side.into(), |_| count += 1);
        count.max(1)
    }

    #[inline]
    fn key(&self, state: &State) -> Option<u64> {
        let [x, o] = state.pieces;
        Some(hash_words([x, o ^ 0u64.wrapping_sub(state.side.into())]))
    }

    fn player_name(&self, player: usize) -> String {
        text::LETTERS[player].to_ascii_uppercase().to_string()
    }

    fn move_text(&self, _state: &State, mv: Move) -> String {
        text::move_text(mv)
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

impl DomainKnowledge<LinesOfAction> for LinesOfAction {
    fn evaluate(&self, state: &State) -> Option<f32> {
        Some(counts::WEIGHTS.evaluate(self.counts(state)))
    }

    fn recommended(&self) -> Recommended {
        Recommended::default().c(0.2).playout_cap(1)
    }
}
