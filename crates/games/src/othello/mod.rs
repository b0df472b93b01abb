//! Othello on 8x8, 6x6 and 4x4 boards.
//!
//! Black (X) moves first. A disc is placed where it outflanks a line of the other side's discs,
//! which are flipped. A player without a move passes; the game ends as soon as neither player can
//! move. The payoff is the difference in discs; with the option `empties`, the empty cells count
//! for the winner. The last six empty cells are solved statically, by exhaustive search.
//!
//! A cell is written as the letter of its column and the number of its row, with a1 at the top
//! left, a pass as `pass`; a list of moves needs no separators: `f5d6c3`. Positions have a [text
//! form](State#text-form).

mod counts;
mod endgame;
mod lines;
mod planes;
mod playouts;
mod rays;
mod stable;
pub(crate) mod text;

use crate::bits::{cells, random_cell};
use crate::hash::hash_words;
use crate::info::GameInfo;
use crate::options::{Options, SpecError};
use crate::symmetry::{Grid, Symmetries};
use crate::text::{Edge, legal_move};
use endgame::Endgame;
use lines::Lines;
use proofwood_game::{DomainKnowledge, Game, Recommended, Rng, StaticBound, TextError, Turn};
use std::ops::RangeInclusive;
use text::Names;

pub(crate) const INFO: GameInfo = GameInfo {
    name: "othello",
    summary: "outflank the other side's discs; the payoff is the difference in discs",
    also: &[],
    rules: "X (Black) moves first. A disc must outflank a line of the other side's discs, which \
            are then turned over. A player without a legal move passes; the game ends when neither \
            player can move. The payoff is the difference in discs.",
    notation: "A move is a cell, such as d3, with a1 at the top left, or pass; a list of moves \
               needs no spaces, as in f5d6c3, and may omit forced passes. A position is the cells \
               row by row from a1, X, O or -, then the side to move.",
    options: &[
        ("SIZE", "the board's side length: 4, 6 or 8 (default 8)"),
        ("empties", "cells left empty at the end count for the winner"),
    ],
    example: "othello:6,empties",
};

pub(crate) fn from_options(options: &mut Options) -> Result<Othello, SpecError> {
    let size = options.square(4..=8)?.unwrap_or(8);
    Othello::new(size, options.flag("empties"))
}

/// The greatest number of empty cells for which exhaustive search is cheaper than a tree search.
const STATIC_BOUND_EMPTIES: u32 = 6;

/// The greatest number of empty cells for which exhaustive search answers a prover's question.
const ANSWERED_EMPTIES: u32 = 9;

/// The rules of Othello on a square board.
///
/// The bit of a cell is `row * 8 + column` on a board of any size.
#[derive(Clone, Debug)]
pub struct Othello {
    pub(crate) size: usize,
    empties_to_winner: bool,
    board: u64,
    lines: Lines,
    /// Each corner with the cells next to it.
    corners: [(u64, u64); 4],
    endgame: Endgame,
    symmetries: Symmetries<u64>,
}

/// A move of Othello: a disc, or a forced pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// A disc on a cell; cells are numbered `row * 8 + column` from a1.
    Disc(u8),
    /// The forced pass of a player who cannot place a disc.
    Pass,
}

/// A position of Othello. The cells on which the side to move can place a disc are computed on
/// demand, because they are not needed for most positions.
///
/// # Text form
/// The cells row by row from a1, with `X` for black, `O` for white and `-` for an empty cell; then
/// the side to move. On reading, `*` and `b` are also accepted for black and `w` for white, an
/// empty cell may be `.` or `_`, case does not matter, and spaces and `/` may separate the rows.
/// The side to move (`X`, `O`, `black`, `white`) may be omitted if at most one side can move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    own: u64,
    other: u64,
    /// The side to move, or the side that would move if the game continued.
    side: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Place(u64),
    Pass,
    Over,
}

impl State {
    pub(crate) fn colours(&self) -> [u64; 2] {
        match self.side {
            0 => [self.own, self.other],
            _ => [self.other, self.own],
        }
    }
}

impl Default for Othello {
    fn default() -> Othello {
        Othello::new(8, false).expect("8 is a possible size")
    }
}

impl Othello {
    /// Creates the rules for `size` times `size` cells. With `empties_to_winner`, the cells left
    /// empty at the end count for the winner.
    ///
    /// # Errors
    /// Returns an error if the size is not 4, 6 or 8.
    pub fn new(size: usize, empties_to_winner: bool) -> Result<Othello, SpecError> {
        Othello::sized(INFO.name, size, empties_to_winner)
    }

    /// Creates the rules like [`new`](Othello::new); errors contain `game` as the name of the game.
    pub(crate) fn sized(
        game: &'static str,
        size: usize,
        empties_to_winner: bool,
    ) -> Result<Othello, SpecError> {
        if !matches!(size, 4 | 6 | 8) {
            let reason = format!("the board's side length must be 4, 6 or 8, not {size}");
            return Err(SpecError::Impossible { game, reason });
        }
        let board = (0..size).fold(0, |set, row| set | (0xff >> (8 - size)) << (row * 8));
        let grid = Grid { width: size, height: size, stride: 8, first: 0 };
        let symmetries = Symmetries::of(grid, true, middle(size));
        let (lines, corners, endgame) = (Lines::new(size), corners(size), Endgame::new(size));
        Ok(Othello { size, empties_to_winner, board, lines, corners, endgame, symmetries })
    }

    #[inline]
    fn phase(&self, state: &State) -> Phase {
        let State { own, other, .. } = *state;
        let empty = self.board & !(own | other);
        match self.lines.moves(own, other) & empty {
            0 if self.lines.moves(other, own) & empty != 0 => Phase::Pass,
            0 => Phase::Over,
            moves => Phase::Place(moves),
        }
    }

    /// The side to move; black if the game is over.
    #[inline]
    fn side(&self, state: &State) -> u8 {
        if state.side == 1 && self.phase(state) == Phase::Over { 0 } else { state.side }
    }

    /// The discs of the side that plays a move, and of the other side, after the move.
    #[inline]
    fn discs_after(&self, state: &State, mv: Move) -> (u64, u64) {
        match mv {
            Move::Pass => (state.own, state.other),
            Move::Disc(cell) => self.discs_with(state, 1 << cell),
        }
    }

    #[inline]
    fn discs_with(&self, state: &State, disc: u64) -> (u64, u64) {
        let turned = self.lines.turned(state.own, state.other, disc);
        (state.own | turned | disc, state.other & !turned)
    }

    /// The cells that playouts prefer among `places`: the corners, or else the cells that are not
    /// next to an empty corner.
    #[inline]
    fn wanted(&self, state: &State, places: u64) -> u64 {
        let discs = state.own | state.other;
        let (mut all, mut risky) = (0, 0);
        for (corner, beside) in self.corners {
            all |= corner;
            risky |= if discs & corner == 0 { beside } else { 0 };
        }
        let wanted = [places & all, places & !risky].into_iter().find(|&cells| cells != 0);
        wanted.unwrap_or(places)
    }

    /// The payoff of a finished game for the side with the discs `own`.
    fn difference(&self, own: u64, other: u64) -> i32 {
        let [own, other] = [own, other].map(|discs| discs.count_ones() as i32);
        let difference = own - other;
        match self.empties_to_winner {
            true => {
                let empty = (self.size * self.size) as i32 - own - other;
                difference + empty * difference.signum()
            }
            false => difference,
        }
    }

    fn names(&self) -> Names {
        Names { size: self.size, first_row: Edge::Top }
    }

    fn middle(&self) -> [u64; 2] {
        middle(self.size)
    }

    /// The discs of the side to move, those of the other side, and the side to move. Together they
    /// identify a position.
    #[inline]
    fn told_apart(&self, state: &State) -> ([u64; 2], u8) {
        let State { own, other, .. } = *state;
        let side = self.side(state);
        (if side == state.side { [own, other] } else { [other, own] }, side)
    }
}

fn corners(size: usize) -> [(u64, u64); 4] {
    let cell = |column: usize, row: usize| 1 << (row * 8 + column);
    let ends = [(0, 1), (size - 1, size - 2)];
    [0, 1, 2, 3].map(|corner| {
        let ((column, beside), (row, above)) = (ends[corner & 1], ends[corner >> 1]);
        (cell(column, row), cell(beside, row) | cell(column, above) | cell(beside, above))
    })
}

/// The four cells in the middle of a board: black's two, then white's.
fn middle(size: usize) -> [u64; 2] {
    let low = size / 2 - 1;
    let cell = |column: usize, row: usize| 1 << (row * 8 + column);
    [cell(low + 1, low) | cell(low, low + 1), cell(low, low) | cell(low + 1, low + 1)]
}

#[inline]
fn hash([first, second]: [u64; 2], side: u8) -> u64 {
    hash_words([first, second ^ 0u64.wrapping_sub(side.into())])
}

impl Game for Othello {
    type State = State;
    type Move = Move;

    fn initial_state(&self) -> State {
        let [black, white] = self.middle();
        State { own: black, other: white, side: 0 }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match self.phase(state) {
            Phase::Over => Turn::Over,
            _ => Turn::Player(usize::from(state.side)),
        }
    }

    fn legal_moves(&self, state: &State, moves: &mut Vec<Move>) {
        match self.phase(state) {
            Phase::Place(places) => moves.extend(cells(places).map(Move::Disc)),
            _ => moves.push(Move::Pass),
        }
    }

    #[inline]
    fn play(&self, state: &mut State, mv: Move) {
        let (own, other) = self.discs_after(state, mv);
        *state = State { own: other, other: own, side: 1 - state.side };
    }

    fn payoff(&self, state: &State, player: usize) -> i32 {
        let [black, white] = state.colours();
        let difference = self.difference(black, white);
        if player == 0 { difference } else { -difference }
    }

    fn zero_sum(&self) -> bool {
        true
    }

    fn payoff_range(&self, _player: usize) -> RangeInclusive<i32> {
        let cells = (self.size * self.size) as i32;
        -cells..=cells
    }

    #[inline]
    fn random_move(&self, state: &State, _moves: &mut Vec<Move>, rng: &mut Rng) -> Option<Move> {
        match self.phase(state) {
            Phase::Place(places) => random_cell(places, rng).map(Move::Disc),
            Phase::Pass => Some(Move::Pass),
            Phase::Over => None,
        }
    }

    #[inline]
    fn mobility(&self, state: &State, _moves: &mut Vec<Move>) -> usize {
        match self.phase(state) {
            Phase::Place(places) => places.count_ones() as usize,
            Phase::Pass => 1,
            Phase::Over => 0,
        }
    }

    #[inline]
    fn key(&self, state: &State) -> Option<u64> {
        let (discs, side) = self.told_apart(state);
        Some(hash(discs, side))
    }

    fn knowledge(&self) -> impl DomainKnowledge<Self> {
        self
    }

    fn player_name(&self, player: usize) -> String {
        text::SIDES[player].to_string()
    }

    fn move_text(&self, _state: &State, mv: Move) -> String {
        self.names().move_text(mv)
    }

    fn parse_move(&self, state: &State, text: &str) -> Result<Move, TextError> {
        legal_move(self, state, text, self.names().read_move(text))
    }

    fn split_moves<'t>(&self, text: &'t str) -> Vec<&'t str> {
        text::split_moves(text)
    }

    fn state_text(&self, state: &State) -> String {
        text::write(self, state)
    }

    fn parse_state(&self, text: &str) -> Result<State, TextError> {
        text::read(self, self.names(), text)
    }

    fn board_text(&self, state: &State) -> String {
        self.names().draw(state)
    }
}

impl DomainKnowledge<Othello> for Othello {
    fn evaluate(&self, state: &State) -> Option<f32> {
        Some(counts::WEIGHTS.evaluate(self.counts(state)))
    }

    /// Draws a corner, or else a cell that is not next to an empty corner.
    #[inline]
    fn rollout_move(&self, state: &State, _moves: &mut Vec<Move>, rng: &mut Rng) -> Option<Move> {
        let Phase::Place(places) = self.phase(state) else { return None };
        random_cell(self.wanted(state, places), rng).map(Move::Disc)
    }

    fn rollout(&self, state: &mut State, cap: u32, rng: &mut Rng) -> u32 {
        playouts::play_informed(self, state, cap, rng)
    }

    fn rollout_randomly(&self, state: &mut State, cap: u32, rng: &mut Rng) -> u32 {
        playouts::play_randomly(self, state, cap, rng)
    }

    /// Solves positions with few empty cells by exhaustive search.
    #[inline]
    fn static_bound(&self, state: &State, _moves: &mut Vec<Move>) -> StaticBound {
        let State { own, other, side, .. } = *state;
        let empty = (self.board & !(own | other)).count_ones();
        if empty > STATIC_BOUND_EMPTIES {
            return StaticBound::Nothing;
        }
        let payoff = self.played_out(own, other);
        StaticBound::Payoff(if side == 0 { payoff } else { -payoff })
    }

    /// Decides a prover's question by exhaustive search, which is feasible with more empty cells
    /// than computing the exact result.
    fn static_bound_at(&self, state: &State, at_least: i32, _moves: &mut Vec<Move>) -> StaticBound {
        let State { own, other, side, .. } = *state;
        if (self.board & !(own | other)).count_ones() > ANSWERED_EMPTIES {
            return StaticBound::Nothing;
        }
        // A lower bound for the second player is an upper bound for the first.
        let of_mover = if side == 0 { at_least } else { 1 - at_least };
        let bound = self.played_out_against(own, other, of_mover);
        match (side, bound >= of_mover) {
            (0, true) => StaticBound::AtLeast(bound),
            (0, false) => StaticBound::AtMost(bound),
            (_, true) => StaticBound::AtMost(-bound),
            (_, false) => StaticBound::AtLeast(-bound),
        }
    }

    /// Recommends settings found in matches. Proof numbers start at the number of replies, which is
    /// a good measure of a position in Othello. With `expand_after` = 2, a search needs half the
    /// nodes and wins 57 % of 130 games at 50 and 200 ms a move.
    fn recommended(&self) -> Recommended {
        let (c, c_pn, expand_after, playout_cap) = (Some(0.2), Some(0.1), Some(2), Some(1));
        Recommended::default().c(c).c_pn(c_pn).expand_after(expand_after).playout_cap(playout_cap)
    }

    fn symmetries(&self, state: &State, images: &mut Vec<State>) {
        self.symmetries.each([state.own, state.other], |[own, other]| {
            images.push(State { own, other, ..*state });
        });
    }

    #[inline]
    fn canonical_key(&self, state: &State) -> Option<u64> {
        let (discs, side) = self.told_apart(state);
        Some(hash(self.symmetries.least(discs), side))
    }
}
