//! Breakthrough and Knightthrough on boards of any size up to 64 cells.
//!
//! Both sides start with full rows of pieces, the first player (white) at the bottom, and race to
//! the far row: the first piece there wins. All moves go forward, onto an empty cell or an enemy
//! piece, which is captured.
//!
//! - **Breakthrough**: one cell diagonally forward, or one straight forward if that cell is empty.
//! - **Knightthrough**: one of the four forward leaps of a chess knight.
//!
//! In Breakthrough, by default, a player who cannot move loses, so capturing the last enemy piece
//! wins as well, as in OpenSpiel 2.0.2. In Knightthrough, by default, a player who cannot move
//! passes, as in Ludii 1.3.13 for both games; if neither side can move, the game is drawn at once
//! (in Ludii, after two passes). Each game has an option for the rule of the other game. On boards
//! at least four columns wide a side with pieces can always move, since its foremost piece can.
//!
//! A move is written as its two cells, `a2b3` (`a2-b3` and `a2xb3` are also accepted), a pass as
//! `pass`. Positions have a [text form](State#text-form).

mod counts;
mod order;
mod race;
mod text;

use crate::bits::{cells, nth_cell, random_of};
use crate::hash::hash_words;
use crate::info::GameInfo;
use crate::options::{Options, SpecError};
use crate::symmetry::{Grid, Symmetries};
use proofwood_game::{DomainKnowledge, Game, Recommended, Rng, StaticBound, TextError, Turn};
use std::ops::RangeInclusive;

const SIZE: (&str, &str) =
    ("WIDTHxHEIGHT", "the board's columns and rows, up to 64 cells (default 8x8)");
const ROWS: (&str, &str) = ("rows=R", "the rows of pieces each side starts with (default 2)");

pub(crate) const BREAKTHROUGH_INFO: GameInfo = GameInfo {
    name: "breakthrough",
    summary: "pawns race to the far row; a player who cannot move loses",
    also: &[],
    rules: "Pawns race to the far row; the first player to get one there wins. A pawn moves one \
            cell straight forward if that cell is empty, or one cell diagonally forward, where it \
            may also capture. White moves first. A player who cannot move loses.",
    notation: "A move is two cells, such as a2b3, with a1 at the bottom left. A position is a FEN: \
               the rows from the top, separated by /, with capital letters for White and a number \
               for that many empty cells; then w or b for the side to move.",
    options: &[SIZE, ROWS, ("pass", "a player who cannot move passes instead of losing")],
    example: "breakthrough:5x6",
};

pub(crate) const KNIGHTTHROUGH_INFO: GameInfo = GameInfo {
    name: "knightthrough",
    summary: "knights race to the far row, leaping forward only",
    also: &[],
    rules: "Knights race to the far row; the first player to get one there wins. Knights leap as \
            in chess, but only forward, and capture a piece on their target cell. White moves \
            first. A player who cannot move passes.",
    notation: "A move is two cells, such as b1c3 (a1 is at the bottom left), or pass. A position \
               is a FEN: the rows from the top, separated by /, with capital letters for White and \
               a number for that many empty cells; then w or b for the side to move.",
    options: &[SIZE, ROWS, ("no-pass", "a player who cannot move loses instead of passing")],
    example: "knightthrough:5x6,no-pass",
};

pub(crate) fn breakthrough(options: &mut Options) -> Result<Through, SpecError> {
    let stuck = if options.flag("pass") { Stuck::Passes } else { Stuck::Loses };
    from_options(options, Piece::Pawn, stuck)
}

pub(crate) fn knightthrough(options: &mut Options) -> Result<Through, SpecError> {
    let stuck = if options.flag("no-pass") { Stuck::Loses } else { Stuck::Passes };
    from_options(options, Piece::Knight, stuck)
}

fn from_options(options: &mut Options, piece: Piece, stuck: Stuck) -> Result<Through, SpecError> {
    let (width, height) = options.size(1..=64)?.unwrap_or((8, 8));
    let rows = options.value("rows", 1..=32)?.unwrap_or(2);
    Through::new(piece, width, height, rows, stuck)
}

/// The kind of piece with which both sides play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Piece {
    /// The piece of Breakthrough, which steps.
    Pawn,
    /// The piece of Knightthrough, which leaps.
    Knight,
}

impl Piece {
    /// The moves of the piece: columns to the right, rows forward, and whether it may capture.
    fn steps(self) -> &'static [(i32, i32, bool)] {
        match self {
            Piece::Pawn => &[(-1, 1, true), (0, 1, false), (1, 1, true)],
            Piece::Knight => &[(-2, 1, true), (-1, 2, true), (1, 2, true), (2, 1, true)],
        }
    }

    fn game(self) -> &'static str {
        match self {
            Piece::Pawn => BREAKTHROUGH_INFO.name,
            Piece::Knight => KNIGHTTHROUGH_INFO.name,
        }
    }
}

/// The rule for a player who cannot move, which includes a player without pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stuck {
    /// The player loses.
    Loses,
    /// The player passes; if neither side can move, the game is drawn.
    Passes,
}

/// The rules of Breakthrough or Knightthrough, including the size of the board.
///
/// The bit of a cell is `row * width + column`, counted from a1.
#[derive(Clone, Debug)]
pub struct Through {
    piece: Piece,
    width: usize,
    height: usize,
    rows: usize,
    stuck: Stuck,
    steps: [Step; 4],
    goals: [u64; 2],
    /// The cells from which a step may reach the winning row.
    near: [u64; 2],
    symmetries: Symmetries<u64>,
}

/// One kind of step on the board. The default step has no origins, so it is never possible.
#[derive(Clone, Copy, Debug, Default)]
struct Step {
    takes: bool,
    /// The shift of each side's steps, white's up and black's down.
    shifts: [u32; 2],
    /// For each side, the cells from which the step stays on the board.
    from: [u64; 2],
    /// For each side, the cells from which the step reaches the winning row.
    wins: [u64; 2],
}

impl Step {
    /// The cells from which `side` can make the step.
    #[inline]
    fn origins(&self, pieces: [u64; 2], side: usize) -> u64 {
        let own = pieces[side];
        let blocked = if self.takes { own } else { pieces[0] | pieces[1] };
        let behind = match side {
            0 => blocked >> self.shifts[0],
            _ => blocked << self.shifts[1],
        };
        own & self.from[side] & !behind
    }

    #[inline]
    fn mv(&self, from: u8, side: usize) -> Move {
        let shift = self.shifts[side] as u8;
        Move::Step { from, to: if side == 0 { from + shift } else { from - shift } }
    }
}

/// A move of a piece, or a forced pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// A piece moves to another cell and captures any enemy piece there.
    Step {
        /// The cell that the piece leaves; cells are numbered `row * width + column` from a1.
        from: u8,
        /// The cell that the piece moves to.
        to: u8,
    },
    /// The forced pass of a player who cannot move.
    Pass,
}

/// A position of Breakthrough or Knightthrough.
///
/// # Text form
/// A FEN as written by Fairy-Stockfish 11.1, without its counters: the rows from the top, separated
/// by `/`, with `P` for white's pieces, `p` for black's (`N` and `n` in Knightthrough) and numbers
/// for runs of empty cells; then the side to move, `w` or `b`. On reading, `white`, `black`, and
/// `.` for an empty cell are also accepted, and the rest of a FEN (`- - 0 1`) may follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pieces: [u64; 2],
    /// The side to move, or the side that would move if the game continued.
    side: u8,
    phase: Phase,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Phase {
    Step,
    Pass,
    Lost,
    Drawn,
}

impl Through {
    /// Creates the rules for a kind of piece on `width` times `height` cells; each side starts with
    /// `rows` rows of pieces.
    ///
    /// # Errors
    /// Returns an error if the board has more than 64 cells or no room for the pieces, or if the
    /// first player could not move.
    pub fn new(
        piece: Piece,
        width: usize,
        height: usize,
        rows: usize,
        stuck: Stuck,
    ) -> Result<Through, SpecError> {
        let impossible = |reason| Err(SpecError::Impossible { game: piece.game(), reason });
        let size = width.saturating_mul(height);
        if !(1..=64).contains(&size) {
            return impossible(format!(
                "a board with {width} columns and {height} rows has {size} cells; it must have 1 \
                 to 64"
            ));
        }
        if rows == 0 || rows > height / 2 {
            return impossible(format!(
                "each side must start with at least 1 and at most half of the board's {height} \
                 rows, not {rows}"
            ));
        }
        let mut steps = [Step::default(); 4];
        for (step, &(right, forward, takes)) in steps.iter_mut().zip(piece.steps()) {
            *step = on_board(width, height, right, forward, takes);
        }
        let row = u64::MAX >> (64 - width);
        let goals = [row << (size - width), row];
        let symmetries = Symmetries::one(Grid::new(width, height).mirror());
        let near = [0, 1].map(|side| steps.iter().fold(0, |near, step| near | step.wins[side]));
        let game = Through { piece, width, height, rows, stuck, steps, goals, near, symmetries };
        if game.initial_state().phase != Phase::Step {
            return impossible(format!("no move is ever possible on a {width}x{height} board"));
        }
        Ok(game)
    }

    /// Creates the usual rules of Breakthrough, with two rows of pieces for each side.
    ///
    /// # Errors
    /// Returns the errors of [`new`](Through::new).
    pub fn breakthrough(width: usize, height: usize) -> Result<Through, SpecError> {
        Through::new(Piece::Pawn, width, height, 2, Stuck::Loses)
    }

    /// Creates the rules of Knightthrough as in Ludii, with two rows of pieces for each side.
    ///
    /// # Errors
    /// Returns the errors of [`new`](Through::new).
    pub fn knightthrough(width: usize, height: usize) -> Result<Through, SpecError> {
        Through::new(Piece::Knight, width, height, 2, Stuck::Passes)
    }

    #[inline]
    fn position(&self, pieces: [u64; 2], side: usize) -> State {
        let phase = if pieces[1 - side] & self.goals[1 - side] != 0 {
            Phase::Lost
        } else if self.can_move(pieces, side) {
            Phase::Step
        } else if self.stuck == Stuck::Loses {
            Phase::Lost
        } else if self.can_move(pieces, 1 - side) {
            Phase::Pass
        } else {
            Phase::Drawn
        };
        State { pieces, side: side as u8, phase }
    }

    #[inline]
    fn can_move(&self, pieces: [u64; 2], side: usize) -> bool {
        self.steps.iter().any(|step| step.origins(pieces, side) != 0)
    }

    /// Draws a step that wins at once, or else a step that captures the only piece that would win
    /// next, if either exists.
    #[inline]
    fn decisive_step(&self, state: &State, rng: &mut Rng) -> Option<Move> {
        let (side, pieces) = (usize::from(state.side), state.pieces);
        if pieces[side] & self.near[side] != 0 {
            let wins = self.steps.map(|step| step.origins(pieces, side) & step.wins[side]);
            if let Some((step, from)) = random_of(&wins, rng) {
                return Some(self.steps[step].mv(from, side));
            }
        }
        let threats = self.winning(pieces, 1 - side);
        // Of two such pieces, at most one can be captured.
        if !threats.is_power_of_two() {
            return None;
        }
        let takes = self.steps.map(|step| {
            let behind =
                if side == 0 { threats >> step.shifts[0] } else { threats << step.shifts[1] };
            if step.takes { behind & pieces[side] & step.from[side] } else { 0 }
        });
        random_of(&takes, rng).map(|(step, from)| self.steps[step].mv(from, side))
    }

    #[inline]
    fn origins(&self, state: &State) -> [u64; 4] {
        self.steps.map(|step| step.origins(state.pieces, usize::from(state.side)))
    }
}

fn on_board(width: usize, height: usize, right: i32, forward: i32, takes: bool) -> Step {
    let (w, h) = (width as i32, height as i32);
    let mut step = Step { takes, ..Step::default() };
    if right.abs() >= w || forward >= h {
        return step;
    }
    for (side, up) in [(0, forward), (1, -forward)] {
        for cell in 0..w * h {
            let (column, row) = (cell % w + right, cell / w + up);
            if (0..w).contains(&column) && (0..h).contains(&row) {
                step.from[side] |= 1 << cell;
                step.wins[side] |= u64::from(row == if side == 0 { h - 1 } else { 0 }) << cell;
                step.shifts[side] = (row * w + column).abs_diff(cell);
            }
        }
    }
    step
}

#[inline]
fn hash([white, black]: [u64; 2], side: u8) -> u64 {
    hash_words([white, black ^ 0u64.wrapping_sub(side.into())])
}

impl Game for Through {
    type State = State;
    type Move = Move;

    fn initial_state(&self) -> State {
        let count = self.width * self.rows;
        let white = u64::MAX >> (64 - count);
        self.position([white, white << (self.width * self.height - count)], 0)
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match state.phase {
            Phase::Step | Phase::Pass => Turn::Player(usize::from(state.side)),
            Phase::Lost | Phase::Drawn => Turn::Over,
        }
    }

    fn legal_moves(&self, state: &State, moves: &mut Vec<Move>) {
        if state.phase == Phase::Pass {
            return moves.push(Move::Pass);
        }
        for (step, origins) in self.steps.iter().zip(self.origins(state)) {
            moves.extend(cells(origins).map(|from| step.mv(from, state.side.into())));
        }
    }

    #[inline]
    fn play(&self, state: &mut State, mv: Move) {
        let side = usize::from(state.side);
        let mut pieces = state.pieces;
        if let Move::Step { from, to } = mv {
            pieces[side] ^= 1 << from | 1 << to;
            pieces[1 - side] &= !(1 << to);
        }
        *state = self.position(pieces, 1 - side);
    }

    fn payoff(&self, state: &State, player: usize) -> i32 {
        match state.phase {
            Phase::Drawn => 0,
            _ if player == usize::from(state.side) => -1,
            _ => 1,
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
        match state.phase {
            Phase::Step => {}
            Phase::Pass => return Some(Move::Pass),
            Phase::Lost | Phase::Drawn => return None,
        }
        let origins = self.origins(state);
        let mut rank = rng.below(origins.iter().map(|set| set.count_ones()).sum());
        for (step, set) in self.steps.iter().zip(origins) {
            let count = set.count_ones();
            if rank < count {
                return Some(step.mv(nth_cell(set, rank), state.side.into()));
            }
            rank -= count;
        }
        None
    }

    #[inline]
    fn mobility(&self, state: &State, _moves: &mut Vec<Move>) -> usize {
        match state.phase {
            Phase::Step => self.origins(state).iter().map(|set| set.count_ones() as usize).sum(),
            Phase::Pass => 1,
            Phase::Lost | Phase::Drawn => 0,
        }
    }

    #[inline]
    fn key(&self, state: &State) -> Option<u64> {
        Some(hash(state.pieces, state.side))
    }

    fn knowledge(&self) -> impl DomainKnowledge<Self> {
        self
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

impl DomainKnowledge<Through> for Through {
    fn evaluate(&self, state: &State) -> Option<f32> {
        Some(self.piece.weights().evaluate(self.counts(state)))
    }

    /// Recommends playouts that end after a single move.
    fn recommended(&self) -> Recommended {
        Recommended::default().c(0.3).playout_cap(1)
    }

    /// Returns the winner of a race, or pushes the moves that capture a piece that would win next.
    fn static_bound(&self, state: &State, moves: &mut Vec<Move>) -> StaticBound {
        self.foresee(state, moves)
    }

    #[inline]
    fn move_order(&self, state: &State, mv: Move) -> u32 {
        self.earliness(state, mv)
    }

    #[inline]
    fn rollout_move(&self, state: &State, _moves: &mut Vec<Move>, rng: &mut Rng) -> Option<Move> {
        if state.phase == Phase::Step { self.decisive_step(state, rng) } else { None }
    }

    fn symmetries(&self, state: &State, images: &mut Vec<State>) {
        self.symmetries.each(state.pieces, |pieces| images.push(State { pieces, ..*state }));
    }

    #[inline]
    fn canonical_key(&self, state: &State) -> Option<u64> {
        Some(hash(self.symmetries.least(state.pieces), state.side))
    }
}
