//! Atari Go and NoGo: Go in which the first capture wins, and Go in which captures are illegal.
//!
//! The players, black (X) first, place stones of their colour in turn. Orthogonally adjacent stones
//! of one colour form a group, and the empty cells next to a group are its liberties; a group whose
//! last liberty is filled is captured. A stone must not leave its own group without a liberty
//! unless it captures. Passing is not allowed, and a player who cannot move loses.
//!
//! In **Atari Go** (capture go) the first player to capture wins. The board is empty at the start;
//! with the option `crosscut` there are four stones in the centre, two of each colour that touch
//! diagonally, and black moves first. The lower left stone is black; on a board with an odd side
//! the crosscut is shifted towards a1.
//!
//! In **NoGo** captures are illegal: a stone must not fill the last liberty of any group.
//!
//! A cell is written as the letter of its column and the number of its row, with a1 at the bottom
//! left; the letter i is used as well. Positions have a [text form](State#text-form).

mod atari;
mod text;

use crate::hash::hash_words;
use crate::info::GameInfo;
use crate::options::{Options, SpecError};
use crate::stones::groups::{Atari, beside};
use crate::stones::{Board, Cells, SIDES, STRIDE, each, random, words};
use crate::symmetry::Symmetries;
use proofwood_game::{DomainKnowledge, Game, Rng, StaticBound, TextError, Turn};
use std::ops::RangeInclusive;

const LONGEST: usize = 9;

const SIZE: (&str, &str) = ("WIDTHxHEIGHT", "the board's size, up to 9x9 (default 9x9)");

pub(crate) const ATARI_GO_INFO: GameInfo = GameInfo {
    name: "atari-go",
    summary: "Go in which the first capture wins",
    also: &["go", "capture-go"],
    rules: "X (Black) and O (White) place stones in turn, X first. Stones of one colour that touch \
            along the sides of their cells form a group. The first player to fill the last liberty \
            of an enemy group captures it and wins. A stone must not take the last liberty of its \
            own group unless it captures. A player who cannot move loses.",
    notation: "A move is a cell, such as c2, with a1 at the bottom left and no letter skipped. A \
               position is the rows from the top, separated by /, then the side to move; . is an \
               empty cell.",
    options: &[
        SIZE,
        ("crosscut", "the game starts with four stones in the centre, two of each colour"),
    ],
    example: "atari-go:6,crosscut",
};

pub(crate) const NOGO_INFO: GameInfo = GameInfo {
    name: "nogo",
    summary: "Go in which nothing may be captured; a player who cannot move loses",
    also: &["go"],
    rules: "X (Black) and O (White) place stones in turn, X first. Stones of one colour that touch \
            along the sides of their cells form a group. No stone may fill the last liberty of any \
            group. A player who cannot move loses.",
    notation: "A move is a cell, such as c2, with a1 at the bottom left and no letter skipped. A \
               position is the rows from the top, separated by /, then the side to move; . is an \
               empty cell.",
    options: &[SIZE],
    example: "nogo:5",
};

pub(crate) fn atari_go(options: &mut Options) -> Result<CaptureGo, SpecError> {
    let (width, height) = options.size(1..=LONGEST)?.unwrap_or((LONGEST, LONGEST));
    CaptureGo::atari_go(width, height, options.flag("crosscut"))
}

pub(crate) fn nogo(options: &mut Options) -> Result<CaptureGo, SpecError> {
    let (width, height) = options.size(1..=LONGEST)?.unwrap_or((LONGEST, LONGEST));
    CaptureGo::nogo(width, height)
}

/// The rules of Atari Go or NoGo, including the size of the board.
#[derive(Clone, Debug)]
pub struct CaptureGo {
    board: Board,
    /// Whether a capture wins; otherwise it is illegal.
    capture_wins: bool,
    start: [Cells; 2],
    symmetries: Symmetries<Cells>,
}

/// A position of Atari Go or NoGo, with its legal moves, which nearly every method needs.
///
/// # Text form
/// The rows from the top, separated by `/`, with `X` for black, `O` for white and `.` for an empty
/// cell; then the side to move: `.../.X./... O`. Captured stones stay in place: a group without a
/// liberty means that the game is over. On reading, `*` and `b` are also accepted for black and `w`
/// for white, an empty cell may be `-` or `_`, case and spaces are ignored, and the separators may
/// be omitted, as may the side to move (`X`, `O`, `black`, `white`), which follows from the stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    stones: [Cells; 2],
    /// The cells on which the side to move may play; if there are none, that side has lost.
    moves: Cells,
    captures: Cells,
    side: u8,
}

impl State {
    /// The stones of the side to move, then those of the other side.
    #[inline]
    fn sides(&self) -> [Cells; 2] {
        let side = usize::from(self.side);
        [self.stones[side], self.stones[1 - side]]
    }
}

impl CaptureGo {
    /// Creates the rules of Atari Go for `width` columns and `height` rows, with or without a
    /// crosscut in the centre.
    ///
    /// # Errors
    /// Returns an error if a side of the board is not 1 to 9 cells long, or if the crosscut does
    /// not fit: each of its stones needs a liberty.
    pub fn atari_go(width: usize, height: usize, crosscut: bool) -> Result<CaptureGo, SpecError> {
        let game = ATARI_GO_INFO.name;
        let board = Board::new(game, (width, height), LONGEST, false)?;
        if !crosscut {
            return Ok(CaptureGo::from(board, true, [0; 2]));
        }
        let refuse = |reason| Err(SpecError::Impossible { game, reason });
        if width < 2 || height < 2 {
            return refuse(format!(
                "a crosscut needs at least 2x2 cells; the board has {width}x{height}"
            ));
        }
        if width.max(height) < 4 {
            return refuse(format!(
                "a crosscut on a {width}x{height} board leaves a stone without a liberty; one side \
                 must be at least 4 cells long"
            ));
        }
        let corner = (height / 2 - 1) * STRIDE + width / 2 - 1;
        let start =
            [1 | 1 << (STRIDE + 1), 1 << 1 | 1 << STRIDE].map(|cells: Cells| cells << corner);
        Ok(CaptureGo::from(board, true, start))
    }

    /// Creates the rules of NoGo for `width` columns and `height` rows.
    ///
    /// # Errors
    /// Returns an error if a side of the board is not 1 to 9 cells long.
    pub fn nogo(width: usize, height: usize) -> Result<CaptureGo, SpecError> {
        let board = Board::new(NOGO_INFO.name, (width, height), LONGEST, false)?;
        Ok(CaptureGo::from(board, false, [0; 2]))
    }

    fn from(board: Board, capture_wins: bool, start: [Cells; 2]) -> CaptureGo {
        let symmetries = Symmetries::of(board.grid(), true, start);
        CaptureGo { board, capture_wins, start, symmetries }
    }

    /// Creates a position from stones that all have liberties.
    #[inline]
    fn position(&self, stones: [Cells; 2], side: u8) -> State {
        let (own, other) = (stones[usize::from(side)], stones[usize::from(1 - side)]);
        let empty = self.board.all & !(own | other);
        // A new stone has a liberty if a neighbour is empty, or if its group keeps another liberty.
        let secure = own & !Atari::of(own, empty).stones;
        let alive = empty & beside(empty | secure);
        let takes = Atari::of(other, empty).liberties;
        let (moves, captures) = match self.capture_wins {
            true => (alive | takes, takes),
            false => (alive & !takes, 0),
        };
        State { stones, moves, captures, side }
    }
}

impl Game for CaptureGo {
    type State = State;
    /// The number of a cell, counted row by row from a1, with 11 numbers for each row.
    type Move = u8;

    fn initial_state(&self) -> State {
        self.position(self.start, 0)
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match state.moves {
            0 => Turn::Over,
            _ => Turn::Player(usize::from(state.side)),
        }
    }

    fn legal_moves(&self, state: &State, moves: &mut Vec<u8>) {
        moves.extend(each(state.moves));
    }

    #[inline]
    fn play(&self, state: &mut State, mv: u8) {
        let mut stones = state.stones;
        stones[usize::from(state.side)] |= 1 << mv;
        let side = 1 - state.side;
        *state = match state.captures >> mv & 1 {
            0 => self.position(stones, side),
            _ => State { stones, moves: 0, captures: 0, side },
        };
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
        random(state.moves, rng)
    }

    #[inline]
    fn mobility(&self, state: &State, _moves: &mut Vec<u8>) -> usize {
        state.moves.count_ones() as usize
    }

    #[inline]
    fn key(&self, state: &State) -> Option<u64> {
        Some(hash_words(words(state.stones)))
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
        self.board.parse_move(self, state, state.moves, text)
    }

    fn state_text(&self, state: &State) -> String {
        self.board.write(state.stones, state.side.into())
    }

    fn parse_state(&self, text: &str) -> Result<State, TextError> {
        text::read(self, text)
    }

    fn board_text(&self, state: &State) -> String {
        self.board.draw(state.stones)
    }
}

impl DomainKnowledge<CaptureGo> for CaptureGo {
    /// Returns the winner if a capture cannot be prevented, or pushes the only move that saves a
    /// group. Only provers call this: a search with playouts that also called it won only 40 % of
    /// 300 games on 9x9 at 20 ms a move.
    fn static_bound_for_prover(&self, state: &State, moves: &mut Vec<u8>) -> StaticBound {
        self.atari(state, moves)
    }

    /// In NoGo, draws a cell on which the other side could also play; cells that only the mover can
    /// fill are left for later.
    #[inline]
    fn rollout_move(&self, state: &State, _moves: &mut Vec<u8>, rng: &mut Rng) -> Option<u8> {
        if self.capture_wins {
            return None;
        }
        let others = self.position(state.stones, 1 - state.side).moves;
        random(state.moves & others, rng)
    }

    /// In Atari Go, scores a move by its neighbours: 2 per opposing stone and 1 per empty cell.
    #[inline]
    fn move_order(&self, state: &State, mv: u8) -> u32 {
        if !self.capture_wins {
            return 0;
        }
        let [own, other] = state.sides();
        let around = beside(1 << mv) & self.board.all;
        (around & !(own | other)).count_ones() + 2 * (around & other).count_ones()
    }

    fn symmetries(&self, state: &State, images: &mut Vec<State>) {
        let State { stones: [black, white], moves, captures, .. } = *state;
        self.symmetries.each([black, white, moves, captures], |[black, white, moves, captures]| {
            images.push(State { stones: [black, white], moves, captures, ..*state });
        });
    }

    #[inline]
    fn canonical_key(&self, state: &State) -> Option<u64> {
        Some(hash_words(words(self.symmetries.least(state.stones))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_one_side_alone_can_wait() {
        let game = CaptureGo::nogo(5, 5).expect("a board");
        let (mut rng, mut met) = (Rng::new(4), 0);
        for _ in 0..60 {
            let mut state = game.initial_state();
            while let Some(mv) = game.random_move(&state, &mut Vec::new(), &mut rng) {
                let others_turn = game.position(state.stones, 1 - state.side);
                let mut others = Vec::new();
                game.legal_moves(&others_turn, &mut others);
                let shared = others.iter().filter(|&&other| state.moves >> other & 1 == 1).count();
                met += usize::from(shared > 0 && shared < state.moves.count_ones() as usize);
                match game.knowledge().rollout_move(&state, &mut Vec::new(), &mut rng) {
                    Some(played) => {
                        assert!(state.moves >> played & 1 == 1 && others.contains(&played))
                    }
                    None => assert_eq!(shared, 0),
                }
                game.play(&mut state, mv);
            }
        }
        assert!(met > 60, "{met}");
    }
}
