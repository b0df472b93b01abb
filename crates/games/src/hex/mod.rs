//! Hex on boards of up to 11x11 cells.
//!
//! Black (X) moves first. The players place stones of their colour in turn, and stones are never
//! moved or captured. Black wins by connecting the top and the bottom row, white (O) by connecting
//! the left and the right column; exactly one side always succeeds. A cell touches its two
//! neighbours in its row, the cell above and the cell to the right of that one, and the cell below
//! and the cell to the left of that one.
//!
//! There is no swap rule, so the first player wins on every square board; on any other board the
//! player whose edges are closer together wins.
//!
//! A cell is written as the letter of its column and the number of its row. As usual in Hex, a1 is
//! at the top left, and every row is drawn half a cell to the right of the one above it. Positions
//! have a [text form](State#text-form).

mod bridges;
mod h_search;
mod inferior;
mod links;

use self::bridges::NOWHERE;
use self::links::Linked;
use crate::hash::hash_words;
use crate::info::GameInfo;
use crate::options::{Options, SpecError};
use crate::stones::{Board, Cells, SIDES, STRIDE, each, random, words};
use crate::symmetry::Symmetries;
use proofwood_game::{DomainKnowledge, Game, Recommended, Rng, StaticBound, TextError, Turn};
use std::hash::{Hash, Hasher};
use std::ops::RangeInclusive;

const LONGEST: usize = STRIDE;

pub(crate) const INFO: GameInfo = GameInfo {
    name: "hex",
    summary: "join two opposite sides of the board with your stones",
    also: &[],
    rules: "X and O place stones in turn, X first; stones are never moved or captured. X wins by \
            joining the top and the bottom row, O by joining the left and the right column; one of \
            them always does. A cell has six neighbours: left, right, above, above to the right, \
            below, and below to the left. There is no swap rule.",
    notation: "A move is a cell, such as c2, with a1 at the top left. A position is the rows from \
               the top, separated by /, then the side to move; . is an empty cell.",
    options: &[(
        "WIDTHxHEIGHT",
        "the board's size (default 11x11); the first player joins top and bottom",
    )],
    example: "hex:6",
};

pub(crate) fn from_options(options: &mut Options) -> Result<Hex, SpecError> {
    let (width, height) = options.size(1..=LONGEST)?.unwrap_or((LONGEST, LONGEST));
    Hex::new(width, height)
}

/// The rules of Hex, including the size of the board.
#[derive(Clone, Debug)]
pub struct Hex {
    board: Board,
    /// The two edge rows or columns that each side has to connect.
    edges: [[Cells; 2]; 2],
    touching: [Cells; STRIDE * STRIDE],
    links: links::Links,
    bridges: bridges::Bridges,
    inferior: inferior::Inferior,
    /// The half turn, the only symmetry that does not exchange the players.
    symmetries: Symmetries<Cells>,
}

/// A position of Hex.
///
/// # Text form
/// The rows from the top, separated by `/`, with `X` for black, `O` for white and `.` for an empty
/// cell; then the side to move: `.../.X./... O`. On reading, `*` and `b` are also accepted for
/// black and `w` for white, an empty cell may be `-` or `_`, case and spaces are ignored, and the
/// separators may be omitted. Any numbers of stones are accepted, because puzzles give one side
/// more stones than play would; if white has as many stones as black or one fewer, the side to move
/// (`X`, `O`, `black`, `white`) may be omitted.
#[derive(Clone, Copy, Debug)]
pub struct State {
    stones: [Cells; 2],
    /// The stones that are connected to the first edge of their side.
    rooted: [Cells; 2],
    side: u8,
    /// Whether the side that has just moved has joined its edges.
    joined: bool,
    /// The last move, or `NOWHERE`. Only playouts read it; it is not part of the position.
    last: u8,
}

impl State {
    fn parts(&self) -> ([Cells; 2], u8) {
        (self.stones, self.side)
    }
}

impl PartialEq for State {
    fn eq(&self, other: &State) -> bool {
        self.parts() == other.parts()
    }
}

impl Eq for State {}

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.parts().hash(hasher);
    }
}

impl Default for Hex {
    fn default() -> Hex {
        Hex::new(LONGEST, LONGEST).expect("the usual board is possible")
    }
}

impl Hex {
    /// Creates the rules for `width` columns and `height` rows; black connects top and bottom.
    ///
    /// # Errors
    /// Returns an error if a side of the board is not 1 to 11 cells long.
    pub fn new(width: usize, height: usize) -> Result<Hex, SpecError> {
        let board = Board::new(INFO.name, (width, height), LONGEST, true)?;
        let edges =
            [[board.row(0), board.row(height - 1)], [board.column(0), board.column(width - 1)]];
        let mut touching = [0; STRIDE * STRIDE];
        for cell in each(board.all) {
            touching[usize::from(cell)] = touched(&board, usize::from(cell));
        }
        let links = links::Links::new(&board, &touching, &edges);
        let bridges = bridges::Bridges::new(&board);
        let inferior = inferior::Inferior::new(&board);
        let symmetries = Symmetries::one(board.grid().turn());
        Ok(Hex { board, edges, touching, links, bridges, inferior, symmetries })
    }

    /// The stones of `through` that are connected to `seeds`, including `seeds`.
    #[inline]
    fn connected(&self, seeds: Cells, through: Cells) -> Cells {
        let (mut found, mut fresh) = (seeds, seeds);
        while fresh != 0 {
            let cell = fresh.trailing_zeros() as usize;
            let more = self.touching[cell] & through & !found;
            found |= more;
            fresh = fresh & (fresh - 1) | more;
        }
        found
    }

    /// The stones of a side that are connected to its first edge.
    fn rooted(&self, stones: Cells, side: usize) -> Cells {
        self.connected(stones & self.edges[side][0], stones)
    }

    fn joins(&self, stones: Cells, side: usize) -> bool {
        self.rooted(stones, side) & self.edges[side][1] != 0
    }

    /// Creates a position; returns an error if play cannot reach it.
    fn position(&self, stones: [Cells; 2], side: usize) -> Result<State, TextError> {
        let last = 1 - side;
        if self.joins(stones[side], side) {
            return Err(TextError::new(format!(
                "{} has joined its sides, but {} has moved since",
                SIDES[side], SIDES[last],
            )));
        }
        let joined = self.joins(stones[last], last);
        if joined && each(stones[last]).all(|cell| self.joins(stones[last] & !(1 << cell), last)) {
            return Err(TextError::new(format!(
                "{} has joined its sides, but no single last move can have done so",
                SIDES[last],
            )));
        }
        let rooted = [self.rooted(stones[0], 0), self.rooted(stones[1], 1)];
        Ok(State { stones, rooted, side: side as u8, joined, last: NOWHERE })
    }

    fn empty(&self, state: &State) -> Cells {
        self.board.all & !(state.stones[0] | state.stones[1])
    }
}

fn touched(board: &Board, cell: usize) -> Cells {
    let (column, row) = (cell % STRIDE, cell / STRIDE);
    [(-1, 0), (1, 0), (0, -1), (1, -1), (0, 1), (-1, 1)]
        .into_iter()
        .filter_map(|(right, down)| {
            board.cell(column.checked_add_signed(right)?, row.checked_add_signed(down)?)
        })
        .fold(0, |set, cell| set | 1 << cell)
}

#[inline]
fn hash(stones: [Cells; 2], side: u8) -> u64 {
    let [a, b, c, d] = words(stones);
    hash_words([a, b, c, d ^ 0u64.wrapping_sub(side.into())])
}

impl Game for Hex {
    type State = State;
    /// The number of a cell, counted row by row from a1, with 11 numbers for each row.
    type Move = u8;

    fn initial_state(&self) -> State {
        State { stones: [0; 2], rooted: [0; 2], side: 0, joined: false, last: NOWHERE }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match state.joined {
            true => Turn::Over,
            false => Turn::Player(usize::from(state.side)),
        }
    }

    fn legal_moves(&self, state: &State, moves: &mut Vec<u8>) {
        moves.extend(each(self.empty(state)));
    }

    #[inline]
    fn play(&self, state: &mut State, mv: u8) {
        let (cell, side) = (1 << mv, usize::from(state.side));
        state.stones[side] |= cell;
        state.side = 1 - state.side;
        state.last = mv;
        // Rooted stones stay rooted, so a game visits each stone at most once.
        let [begin, end] = self.edges[side];
        if self.touching[usize::from(mv)] & state.rooted[side] | cell & begin != 0 {
            let loose = state.stones[side] & !state.rooted[side];
            state.rooted[side] |= self.connected(cell, loose);
            state.joined = state.rooted[side] & end != 0;
        }
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
    fn random_move(&self, state: &State, _moves: &mut Vec<u8>, rng: &mut Rng) -> Option<u8> {
        random(self.empty(state), rng)
    }

    #[inline]
    fn mobility(&self, state: &State, _moves: &mut Vec<u8>) -> usize {
        self.empty(state).count_ones() as usize
    }

    #[inline]
    fn key(&self, state: &State) -> Option<u64> {
        Some(hash(state.stones, state.side))
    }

    fn knowledge(&self) -> impl DomainKnowledge<Self> {
        self
    }

    fn player_name(&self, player: usize) -> String {
        SIDES[player].to_string()
    }

    fn move_text(&self, _state: &State, mv: u8) -> String {
        self.board.name(mv)
    }

    fn parse_move(&self, state: &State, text: &str) -> Result<u8, TextError> {
        self.board.parse_move(self, state, self.empty(state), text)
    }

    fn state_text(&self, state: &State) -> String {
        self.board.write(state.stones, state.side.into())
    }

    fn parse_state(&self, text: &str) -> Result<State, TextError> {
        let read = self.board.read(text)?;
        let [x, o] = read.stones.map(Cells::count_ones);
        let side = match (read.side, x.checked_sub(o)) {
            (Some(side), _) => side,
            (None, Some(0)) => 0,
            (None, Some(1)) => 1,
            _ => {
                return Err(TextError::new(format!(
                    "X has {x} stones and O has {o}; add X or O after the cells to say whose turn \
                     it is"
                )));
            }
        };
        self.position(read.stones, side)
    }

    fn board_text(&self, state: &State) -> String {
        // Each row begins half a cell to the right of the one above, so that a cell touches the two
        // above it and the two below.
        let drawn = self.board.draw(state.stones);
        let rows = drawn.lines().enumerate().map(|(row, line)| {
            let indent = row.saturating_sub(1);
            format!("{:indent$}{line}\n", "")
        });
        rows.collect::<String>() + "X joins top and bottom, O left and right\n"
    }
}

/// Converts the result of a link analysis to a static bound; pushes must-play cells onto `moves`.
fn told(seen: Linked, moves: &mut Vec<u8>) -> StaticBound {
    match seen {
        Linked::Wins(side) => StaticBound::Payoff(if side == 0 { 1 } else { -1 }),
        Linked::MustPlay(cells) => {
            moves.extend(each(cells));
            StaticBound::Moves
        }
    }
}

/// The greatest number of empty cells for which a search with playouts computes links.
const MOST_EMPTY: u32 = 12;

impl DomainKnowledge<Hex> for Hex {
    /// Computes links only if at most 12 cells are empty. Computing them takes as long as many
    /// playouts, and playouts already find the shortest links, because they repair bridges. At 20
    /// ms a move on 7x7, a search that computed links with at most 64 empty cells won 25 % of its
    /// games against one that never did; with at most 25 it won 40 %, with at most 12 it won 51 %.
    fn static_bound(&self, state: &State, moves: &mut Vec<u8>) -> StaticBound {
        let empty = self.board.all & !(state.stones[0] | state.stones[1]);
        match empty.count_ones() > MOST_EMPTY {
            true => StaticBound::Nothing,
            false => told(self.look(state), moves),
        }
    }

    fn static_bound_for_prover(&self, state: &State, moves: &mut Vec<u8>) -> StaticBound {
        told(self.look_closely(state), moves)
    }

    /// Recommends late expansion on boards with many moves, where creating a leaf's children takes
    /// longer than a playout. At 50 ms a move, expanding after 8 visits wins 67 % of games on 11x11
    /// and 57 % on 9x9; on 7x7 it gains nothing.
    fn recommended(&self) -> Recommended {
        let has_many_moves = self.board.all.count_ones() >= 81;
        Recommended::default().expand_after(has_many_moves.then_some(8))
    }

    /// Draws a cell that repairs a bridge into which the last move intruded.
    #[inline(always)]
    fn rollout_move(&self, state: &State, _moves: &mut Vec<u8>, rng: &mut Rng) -> Option<u8> {
        self.bridges.mend(state, rng)
    }

    fn symmetries(&self, state: &State, images: &mut Vec<State>) {
        self.symmetries.each(state.stones, |stones| {
            let rooted = [0, 1].map(|side| self.rooted(stones[side], side));
            images.push(State { stones, rooted, last: NOWHERE, ..*state });
        });
    }

    #[inline]
    fn canonical_key(&self, state: &State) -> Option<u64> {
        Some(hash(self.symmetries.least(state.stones), state.side))
    }
}
