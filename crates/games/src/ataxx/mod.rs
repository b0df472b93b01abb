//! Ataxx on square boards, by default 7x7.
//!
//! In each move (x moves first), a piece either clones itself to an empty cell next to it or jumps
//! to an empty cell two steps away, vacating its own; then all opposing pieces next to the target
//! change sides. A player who has pieces but no move passes. The two players can never both be
//! forced to pass, since an empty cell next to a piece is a target of that piece. The game ends
//! when the board is full or a side has no pieces; the side with more pieces wins, and equal
//! numbers are a draw (on boards of even size). No rule ends a game of endless jumps.
//!
//! These are the rules of Ludii 1.3.13, in which the first player also starts on a1 and g7. In
//! Ludii, clones to one cell from different pieces are different moves; here they are a single
//! move, as usual, unless the option `clones` is set.
//!
//! With the option `pieces` the payoff is the difference between the numbers of pieces on the board
//! at the end. A player who has captured all of the opponent's pieces thus receives the number of
//! pieces then on the board.
//!
//! A clone is written as its target, `g2`; `P@g2` and, from a piece next to it, `f1g2` are also
//! accepted. A jump is written `a7c7`, a pass `pass`. With `clones`, both cells of a clone are
//! written. Positions have a [text form](State#text-form).

mod counts;
mod text;

use crate::bits::{KING, Shift, cells, random_of};
use crate::hash::hash_words;
use crate::info::GameInfo;
use crate::options::{Options, SpecError};
use crate::symmetry::{Grid, Symmetries};
use proofwood_game::{DomainKnowledge, Game, Recommended, Rng, TextError, Turn};
use std::ops::RangeInclusive;

pub(crate) const INFO: GameInfo = GameInfo {
    name: "ataxx",
    summary: "clone or jump next to enemy pieces to turn them; more pieces win",
    also: &["infection"],
    rules: "A piece clones itself to an empty cell next to it or jumps to an empty cell two steps \
            away; all enemy pieces next to the target cell then change sides. x moves first. A \
            player without a move passes. The game ends when the board is full or a side has no \
            pieces; the player with more pieces wins.",
    notation: "A clone is written as its target cell, such as g2, a jump as two cells, such as \
               a7c7, and a pass as pass; a1 is at the bottom left. A position is the rows from the \
               top, separated by /, with x, o and a number for that many empty cells; then the \
               side to move.",
    options: &[
        ("SIZE", "the board's side length, 3 to 8 (default 7)"),
        ("clones", "clones from different cells count as different moves"),
        ("pieces", "the payoff is the difference in pieces"),
    ],
    example: "ataxx:5",
};

pub(crate) fn from_options(options: &mut Options) -> Result<Ataxx, SpecError> {
    let size = options.square(3..=8)?.unwrap_or(7);
    let game = Ataxx::new(size, options.flag("clones"))?;
    Ok(if options.flag("pieces") { game.paying_pieces() } else { game })
}

const JUMPS: [(isize, isize); 16] = [
    (-2, -2),
    (-1, -2),
    (0, -2),
    (1, -2),
    (2, -2),
    (-2, -1),
    (2, -1),
    (-2, 0),
    (2, 0),
    (-2, 1),
    (2, 1),
    (-2, 2),
    (-1, 2),
    (0, 2),
    (1, 2),
    (2, 2),
];

fn corners(size: usize) -> [u64; 2] {
    let corner = |column: usize, row: usize| 1 << (row * size + column);
    let last = size - 1;
    [corner(0, 0) | corner(last, last), corner(0, last) | corner(last, 0)]
}

/// The rules of Ataxx on a square board.
///
/// The bit of a cell is `row * size + column`, counted from a1 at the bottom left.
#[derive(Clone, Debug)]
pub struct Ataxx {
    size: usize,
    origins_matter: bool,
    pays_pieces: bool,
    board: u64,
    clones: [Shift; 8],
    jumps: [Shift; 16],
    beside: [u64; 64],
    symmetries: Symmetries<u64>,
}

/// A move. Cells are numbered `row * size + column` from a1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// Puts a new piece on a cell, cloned from any piece next to it.
    Clone(u8),
    /// A jump, or a clone if the rules distinguish origins.
    Step {
        /// The cell of the piece that jumps or is cloned.
        from: u8,
        /// The empty cell that is the target.
        to: u8,
    },
    /// The forced pass of a player who has no move.
    Pass,
}

/// A position of Ataxx.
///
/// # Text form
/// The rows from the top, separated by `/`, with `x` for the first player's pieces, `o` for the
/// second's and numbers for runs of empty cells; then the side to move: `o5x/7/7/7/7/7/x5o x`. On
/// reading, `P` and `p` are also accepted for the first and the second player's pieces, `.` for an
/// empty cell, and `w` and `b` for the first and the second side; counters may follow and are
/// ignored: `P5p/7/7/7/7/7/p5P w - - 0 1`. Blocked cells are rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    own: u64,
    other: u64,
    side: u8,
}

impl State {
    fn sides(&self) -> [u64; 2] {
        match self.side {
            0 => [self.own, self.other],
            _ => [self.other, self.own],
        }
    }
}

impl Default for Ataxx {
    fn default() -> Ataxx {
        Ataxx::new(7, false).expect("7 is a possible size")
    }
}

impl Ataxx {
    /// Creates the rules for `size` times `size` cells. With `origins_matter`, clones to one cell
    /// from different pieces are different moves.
    ///
    /// # Errors
    /// Returns an error if the size is not between 3 and 8.
    pub fn new(size: usize, origins_matter: bool) -> Result<Ataxx, SpecError> {
        if !(3..=8).contains(&size) {
            let reason = format!("the board's side length must be 3 to 8, not {size}");
            return Err(SpecError::Impossible { game: INFO.name, reason });
        }
        let shift = |(columns, rows)| Shift::new(size, size, columns, rows);
        let clones = KING.map(shift);
        let around = |set| clones.iter().fold(0, |cells, clone| cells | clone.apply(set));
        let start = corners(size);
        Ok(Ataxx {
            size,
            origins_matter,
            pays_pieces: false,
            board: u64::MAX >> (64 - size * size),
            clones,
            jumps: JUMPS.map(shift),
            beside: std::array::from_fn(|cell| around(1 << cell)),
            symmetries: Symmetries::of(Grid::new(size, size), true, start),
        })
    }

    /// Changes the payoff from 1, 0 or -1 to the difference in pieces at the end (negative for the
    /// side with fewer pieces).
    pub fn paying_pieces(self) -> Ataxx {
        Ataxx { pays_pieces: true, ..self }
    }

    #[inline]
    fn is_over(&self, state: &State) -> bool {
        state.own == 0 || state.other == 0 || state.own | state.other == self.board
    }

    /// Creates a position. If the game is over, the side to move is set to 0.
    #[inline]
    fn position(&self, own: u64, other: u64, side: u8) -> State {
        let state = State { own, other, side };
        if side == 0 || !self.is_over(&state) {
            return state;
        }
        // The side to move no longer matters: all ends have side 0.
        State { own: other, other: own, side: 0 }
    }

    fn empty(&self, state: &State) -> u64 {
        self.board & !(state.own | state.other)
    }

    /// The targets of all moves: sets 0 to 15 contain the targets of jumps by direction; the other
    /// sets contain the targets of clones, by direction if origins matter and otherwise together in
    /// set 16.
    #[inline]
    fn targets(&self, state: &State) -> [u64; 24] {
        let empty = self.empty(state);
        let clones = self.clones.map(|clone| clone.apply(state.own) & empty);
        let mut sets = [0; 24];
        for (set, jump) in sets.iter_mut().zip(self.jumps) {
            *set = jump.apply(state.own) & empty;
        }
        if self.origins_matter {
            sets[16..].copy_from_slice(&clones);
        } else {
            sets[16] = clones.into_iter().fold(0, |all, set| all | set);
        }
        sets
    }

    /// The move to a target in set number `set` of [`targets`](Self::targets).
    #[inline]
    fn step(&self, set: usize, to: u8) -> Move {
        match set {
            0..16 => Move::Step { from: self.jumps[set].origin(to), to },
            _ if self.origins_matter => Move::Step { from: self.clones[set - 16].origin(to), to },
            _ => Move::Clone(to),
        }
    }
}

fn hash([own, other]: [u64; 2], side: u8) -> u64 {
    hash_words([own, other ^ 0u64.wrapping_sub(side.into())])
}

impl Game for Ataxx {
    type State = State;
    type Move = Move;

    fn initial_state(&self) -> State {
        let [own, other] = corners(self.size);
        State { own, other, side: 0 }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        if self.is_over(state) { Turn::Over } else { Turn::Player(usize::from(state.side)) }
    }

    fn legal_moves(&self, state: &State, moves: &mut Vec<Move>) {
        let before = moves.len();
        for (set, targets) in self.targets(state).into_iter().enumerate() {
            moves.extend(cells(targets).map(|to| self.step(set, to)));
        }
        if moves.len() == before {
            moves.push(Move::Pass);
        }
    }

    #[inline]
    fn play(&self, state: &mut State, mv: Move) {
        let (to, left) = match mv {
            Move::Pass => {
                *state = self.position(state.other, state.own, 1 - state.side);
                return;
            }
            Move::Clone(to) => (to, 0),
            Move::Step { from, to } => (to, 1 << from & !self.beside[usize::from(to)]),
        };
        let turned = state.other & self.beside[usize::from(to)];
        let own = (state.own | turned | 1 << to) & !left;
        *state = self.position(state.other & !turned, own, 1 - state.side);
    }

    fn payoff(&self, state: &State, player: usize) -> i32 {
        let [first, second] = state.sides().map(|pieces| pieces.count_ones() as i32);
        let more = if player == 0 { first - second } else { second - first };
        if self.pays_pieces { more } else { more.signum() }
    }

    fn zero_sum(&self) -> bool {
        true
    }

    fn payoff_range(&self, _player: usize) -> RangeInclusive<i32> {
        let most = if self.pays_pieces { self.board.count_ones() as i32 } else { 1 };
        -most..=most
    }

    #[inline]
    fn random_move(&self, state: &State, _moves: &mut Vec<Move>, rng: &mut Rng) -> Option<Move> {
        if self.is_over(state) {
            return None;
        }
        match random_of(&self.targets(state), rng) {
            Some((set, to)) => Some(self.step(set, to)),
            None => Some(Move::Pass),
        }
    }

    #[inline]
    fn mobility(&self, state: &State, _moves: &mut Vec<Move>) -> usize {
        if self.is_over(state) {
            return 0;
        }
        let moves: u32 = self.targets(state).iter().map(|set| set.count_ones()).sum();
        moves.max(1) as usize
    }

    #[inline]
    fn key(&self, state: &State) -> Option<u64> {
        Some(hash([state.own, state.other], state.side))
    }

    fn knowledge(&self) -> impl DomainKnowledge<Self> {
        self
    }

    fn player_name(&self, player: usize) -> String {
        text::PIECES[player].to_string()
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

impl DomainKnowledge<Ataxx> for Ataxx {
    fn evaluate(&self, state: &State) -> Option<f32> {
        Some(counts::WEIGHTS.evaluate(self.counts(state)))
    }

    /// Recommends evaluating leaves without a playout.
    fn recommended(&self) -> Recommended {
        Recommended::default().c(0.2).playout_cap(0)
    }

    /// Returns a higher score for moves that gain more pieces.
    fn move_order(&self, state: &State, mv: Move) -> u32 {
        let (to, cloned) = match mv {
            Move::Pass => return 0,
            Move::Clone(to) => (to, 1),
            Move::Step { from, to } => (to, (self.beside[usize::from(to)] >> from & 1) as u32),
        };
        2 * (state.other & self.beside[usize::from(to)]).count_ones() + cloned
    }

    fn symmetries(&self, state: &State, images: &mut Vec<State>) {
        self.symmetries.each([state.own, state.other], |[own, other]| {
            images.push(State { own, other, ..*state });
        });
    }

    #[inline]
    fn canonical_key(&self, state: &State) -> Option<u64> {
        Some(hash(self.symmetries.least([state.own, state.other]), state.side))
    }

    #[inline]
    fn rollout_move(&self, state: &State, _moves: &mut Vec<Move>, rng: &mut Rng) -> Option<Move> {
        const DRAWS: usize = 3;
        let targets = self.targets(state);
        let (mut most, mut best) = (0, None);
        for _ in 0..DRAWS {
            let (set, to) = random_of(&targets, rng)?;
            let turned = (state.other & self.beside[usize::from(to)]).count_ones();
            let won = 2 * turned + u32::from(set >= 16);
            if best.is_none() || won > most {
                (most, best) = (won, Some(self.step(set, to)));
            }
        }
        best
    }
}
