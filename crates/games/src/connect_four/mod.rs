//! Connect Four on any board that fits into a 64-bit word.
//!
//! The players, x first, drop stones into columns. The first player with four (or k) stones in a
//! row, a column or a diagonal wins; a full board without such a line is a draw.
//!
//! A move is the number of a column, counted from 1; a list of moves needs no separators on boards
//! of up to nine columns: `43655644`. Positions have a [text form](State#text-form).

mod evaluation;
mod planes;
mod playouts;
mod text;
mod threats;

use crate::bits::{cells, runs};
use crate::hash::{GAMMA, mix};
use crate::info::GameInfo;
use crate::options::{Options, SpecError};
use proofwood_game::{DomainKnowledge, Game, Recommended, Rng, StaticBound, TextError, Turn};
use std::ops::RangeInclusive;

pub(crate) const INFO: GameInfo = GameInfo {
    name: "connect-four",
    summary: "drop stones into columns; four in a row win",
    also: &["four-in-a-row", "c4"],
    rules: "x and o drop stones into columns in turn, x first. The first player with four stones \
            in a row, a column or a diagonal wins; a full board without such a line is a draw.",
    notation: "A move is a column number, counted from 1; on boards of up to nine columns, a list \
               of moves needs no spaces, as in 43655644. A position is the rows from the top, \
               separated by /, then the side to move; . is an empty cell.",
    options: &[
        ("WIDTHxHEIGHT", "the board's size (default 7x6); width * (height + 1) is at most 64"),
        ("k=N", "the length of a winning line (default 4)"),
    ],
    example: "connect-four:4x4,k=3",
};

pub(crate) fn from_options(options: &mut Options) -> Result<ConnectFour, SpecError> {
    let (width, height) = options.size(1..=63)?.unwrap_or((7, 6));
    let k = options.value("k", 1..=63)?.unwrap_or(4);
    ConnectFour::new(width, height, k)
}

/// The rules of Connect Four, including the size of the board and the length of a line.
///
/// A column takes `height + 1` bits, lowest cell first. The bit above its cells is never set in a
/// position, which keeps lines from continuing in the next column.
#[derive(Clone, Debug)]
pub struct ConnectFour {
    width: usize,
    height: usize,
    k: usize,
    board: u64,
    tops: u64,
    steps: [u32; 4],
}

/// A position of Connect Four. If the number of stones is even, x is to move.
///
/// # Text form
/// The rows from the top, separated by `/`, and the side to move: `...../...../..o../.xxo. x`. On
/// reading, case and spaces are ignored, an empty cell may be `.`, `-` or `_`, and the separators
/// may be omitted, as may the side to move, which follows from the stones. A list of moves from the
/// start, such as `4453` or `4, 4, 5, 3`, is also accepted and stands for the resulting position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    own: u64,
    stones: u64,
}

impl Default for ConnectFour {
    fn default() -> ConnectFour {
        ConnectFour::new(7, 6, 4).expect("the usual board is possible")
    }
}

impl ConnectFour {
    /// Creates the rules for `k` in a row on a board of `width` columns and `height` rows.
    ///
    /// # Errors
    /// Returns an error if `width * (height + 1)` is not 2 to 64, or no line fits.
    pub fn new(width: usize, height: usize, k: usize) -> Result<ConnectFour, SpecError> {
        let refuse = |reason| Err(SpecError::Impossible { game: INFO.name, reason });
        let bits = height.saturating_add(1).saturating_mul(width);
        if width == 0 || height == 0 || bits > 64 {
            return refuse(format!(
                "a {width}x{height} board is too large or empty; width * (height + 1) is {bits} \
                 and must not exceed 64"
            ));
        }
        let longest = width.max(height);
        if !(1..=longest).contains(&k) {
            return refuse(format!(
                "a line of {k} does not fit on a {width}x{height} board; k must be 1 to {longest}"
            ));
        }
        let column = (1 << height) - 1;
        let bottoms = (0..width).fold(0, |set, column| set | 1 << (column * (height + 1)));
        let tops = bottoms << (height - 1);
        // A line too long for the word does not fit on the board either. Searching for vertical
        // lines twice instead is harmless.
        let steps = steps(height).map(|step| if (k as u32 - 1) * step < 64 { step } else { 1 });
        Ok(ConnectFour { width, height, k, board: bottoms * column, tops, steps })
    }

    #[inline]
    fn bottom(&self, column: u8) -> u64 {
        1 << (usize::from(column) * (self.height + 1))
    }

    #[inline]
    fn is_open(&self, stones: u64, column: u8) -> bool {
        stones & self.bottom(column) << (self.height - 1) == 0
    }

    /// The cell in which a stone dropped into an open column lands.
    #[inline]
    fn landing(&self, stones: u64, column: u8) -> u64 {
        // The addition carries through the stones of the column into its lowest free cell.
        (stones + self.bottom(column)) & !stones & self.board
    }

    /// Draws an open column of a board that is not full. This rarely needs many attempts, since
    /// most columns are open in most positions.
    #[inline]
    fn random_column(&self, stones: u64, rng: &mut Rng) -> u8 {
        loop {
            let column = rng.below(self.width as u32) as u8;
            if self.is_open(stones, column) {
                return column;
            }
        }
    }

    #[inline]
    fn has_line(&self, stones: u64) -> bool {
        match (self.k, self.height) {
            // Constant steps and a constant length make the usual game faster.
            (4, 6) => has_line_of(stones, steps(6), 4),
            (k, _) => has_line_of(stones, self.steps, k as u32),
        }
    }

    #[inline]
    fn mirror(&self, set: u64) -> u64 {
        match (self.width, self.height) {
            // A constant size makes the usual board faster.
            (7, 6) => mirror_of(set, 7, 6),
            (width, height) => mirror_of(set, width, height),
        }
    }

    /// A number unique to the position: the sum of the mover's stones and all stones, which never
    /// carries from one column into the next.
    #[inline]
    fn number(state: &State) -> u64 {
        state.own + state.stones
    }

    /// The stones of the player who has just moved.
    #[inline]
    fn others(state: &State) -> u64 {
        state.own ^ state.stones
    }
}

/// The shifts from a cell to the next cell of a line: up, to the right, and along both diagonals.
#[inline(always)]
fn steps(height: usize) -> [u32; 4] {
    let right = height as u32 + 1;
    [1, right, right - 1, right + 1]
}

#[inline(always)]
fn has_line_of(set: u64, steps: [u32; 4], k: u32) -> bool {
    steps.iter().fold(0, |lines, &step| lines | runs(set, step, k)) != 0
}

#[inline(always)]
fn mirror_of(set: u64, width: usize, height: usize) -> u64 {
    let (bits, column) = (height + 1, u64::MAX >> (63 - height));
    (0..width)
        .fold(0, |image, at| image | (set >> (at * bits) & column) << ((width - 1 - at) * bits))
}

impl Game for ConnectFour {
    type State = State;
    type Move = u8;

    fn initial_state(&self) -> State {
        State { own: 0, stones: 0 }
    }

    // Always inlined: playouts call it after each move, and a call costs as much as the body.
    #[inline(always)]
    fn turn(&self, state: &State) -> Turn {
        if state.stones == self.board || self.has_line(Self::others(state)) {
            return Turn::Over;
        }
        Turn::Player((state.stones.count_ones() & 1) as usize)
    }

    fn legal_moves(&self, state: &State, moves: &mut Vec<u8>) {
        moves.extend((0..self.width as u8).filter(|&column| self.is_open(state.stones, column)));
    }

    #[inline]
    fn play(&self, state: &mut State, mv: u8) {
        *state = State {
            own: Self::others(state),
            stones: state.stones | self.landing(state.stones, mv),
        };
    }

    fn payoff(&self, state: &State, player: usize) -> i32 {
        let mover = (state.stones.count_ones() & 1) as usize;
        match self.has_line(Self::others(state)) {
            false => 0,
            true if player == mover => -1,
            true => 1,
        }
    }

    fn zero_sum(&self) -> bool {
        true
    }

    fn payoff_range(&self, _player: usize) -> RangeInclusive<i32> {
        -1..=1
    }

    #[inline]
    fn random_move(&self, state: &State, _moves: &mut Vec<u8>, rng: &mut Rng) -> Option<u8> {
        (state.stones != self.board).then(|| self.random_column(state.stones, rng))
    }

    #[inline]
    fn mobility(&self, state: &State, _moves: &mut Vec<u8>) -> usize {
        (self.tops & !state.stones).count_ones() as usize
    }

    /// A key that no two positions share.
    #[inline]
    fn key(&self, state: &State) -> Option<u64> {
        Some(mix(Self::number(state).wrapping_add(GAMMA)))
    }

    fn knowledge(&self) -> impl DomainKnowledge<Self> {
        self
    }

    fn player_name(&self, player: usize) -> String {
        text::SIDES[player].to_string()
    }

    fn move_text(&self, _state: &State, mv: u8) -> String {
        (mv + 1).to_string()
    }

    fn split_moves<'t>(&self, text: &'t str) -> Vec<&'t str> {
        text::split_moves(text, self.width)
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

impl DomainKnowledge<ConnectFour> for ConnectFour {
    fn evaluate(&self, state: &State) -> Option<f32> {
        Some(self.evaluation(state))
    }

    #[inline]
    fn rollout(&self, state: &mut State, cap: u32, rng: &mut Rng) -> u32 {
        playouts::play_decisively(self, state, cap, rng)
    }

    #[inline]
    fn rollout_move(&self, state: &State, _moves: &mut Vec<u8>, rng: &mut Rng) -> Option<u8> {
        self.decisive_move(state, rng)
    }

    /// Recommends settings found in matches. Selection by proof numbers loses games here, and more
    /// of them at longer thinking times. With C = 1 a search finds the right move in slightly more
    /// critical positions than with 0.8, but wins no more games. With `expand_after` = 2 it wins as
    /// many games and uses three fifths of the memory per playout.
    fn recommended(&self) -> Recommended {
        let (c, c_pn, expand_after, prover_share) = (Some(1.0), Some(0.0), Some(2), Some(0.3));
        Recommended::default().c(c).c_pn(c_pn).expand_after(expand_after).prover_share(prover_share)
    }

    #[inline]
    fn static_bound(&self, state: &State, _moves: &mut Vec<u8>) -> StaticBound {
        self.solved_by_threats(state)
    }

    #[inline]
    fn static_bound_for_prover(&self, state: &State, moves: &mut Vec<u8>) -> StaticBound {
        self.glance(state, moves)
    }

    #[inline]
    fn move_order(&self, state: &State, mv: u8) -> u32 {
        self.threats_after(state, mv)
    }

    #[inline]
    fn symmetries(&self, state: &State, images: &mut Vec<State>) {
        let State { own, stones } = *state;
        images.push(State { own: self.mirror(own), stones: self.mirror(stones) });
    }

    #[inline]
    fn canonical_key(&self, state: &State) -> Option<u64> {
        let number = Self::number(state);
        Some(mix(number.min(self.mirror(number)).wrapping_add(GAMMA)))
    }
}

impl ConnectFour {
    fn cell_from_top(&self, column: usize, row: usize) -> usize {
        column * (self.height + 1) + self.height - 1 - row
    }

    fn sides(state: &State) -> [u64; 2] {
        match state.stones.count_ones() & 1 {
            0 => [state.own, Self::others(state)],
            _ => [Self::others(state), state.own],
        }
    }

    fn highest_stones(&self, stones: u64) -> u64 {
        cells(stones).map(|cell| 1 << cell).filter(|stone| stones & stone << 1 == 0).sum()
    }
}
