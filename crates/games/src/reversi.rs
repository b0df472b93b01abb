//! Reversi as implemented in Ludii 1.3.13, on 8x8, 6x6 and 4x4 boards.
//!
//! The positions and moves are those of [Othello](crate::othello), but the end differs: a player
//! without a move passes, even on a full board, and the game ends after two consecutive passes. The
//! player with more discs wins, and the payoff is +1, 0 or −1. The first player (X) has the discs
//! on d4 and e5 at the start.
//!
//! A cell is written as the letter of its column and the number of its row, with a1 at the bottom
//! left, a pass as `pass`; a list of moves needs no separators. Positions have a [text
//! form](State#text-form).

use crate::counts::Counted;
use crate::hash::hash_words;
use crate::info::GameInfo;
use crate::options::{Options, SpecError};
use crate::othello::text::{self, Names};
use crate::othello::{self, Othello};
use crate::text::{Edge, legal_move};
use proofwood_game::{DomainKnowledge, Game, Recommended, Rng, TextError, Turn};
use std::ops::RangeInclusive;

pub(crate) const INFO: GameInfo = GameInfo {
    name: "reversi",
    summary: "Othello that ends when both players have passed; more discs win",
    also: &[],
    rules: "Othello as Ludii plays it: X moves first, and a disc must outflank a line of the other \
            side's discs, which are then turned over. A player without a legal move passes, and \
            the game ends after two passes in a row. The player with more discs wins.",
    notation: "A move is a cell, such as d3, with a1 at the bottom left, or pass; a list of moves \
               needs no spaces. A position is the cells row by row from the top, X, O or -, then \
               the side to move.",
    options: &[("SIZE", "the board's side length: 4, 6 or 8 (default 8)")],
    example: "reversi:6",
};

pub(crate) fn from_options(options: &mut Options) -> Result<Reversi, SpecError> {
    Reversi::new(options.square(4..=8)?.unwrap_or(8))
}

/// The rules of Reversi, including the size of the board.
#[derive(Clone, Debug)]
pub struct Reversi {
    othello: Othello,
}

/// A move. Cells are numbered `row * 8 + column`, with the row counted from the top.
pub type Move = othello::Move;

/// A position of Reversi.
///
/// # Text form
/// As for [Othello](othello::State#text-form), the cells row by row from the top: `X`, `O` or `-`,
/// then the side to move. If neither side can place a disc, the number of passes since the last
/// disc follows: 0 (or nothing), 1, or 2 if the game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    discs: othello::State,
    /// The side to move; 0 when the game is over.
    side: u8,
    /// The number of passes since the last disc, if neither side can place a disc.
    passes: u8,
}

impl Default for Reversi {
    fn default() -> Reversi {
        Reversi::new(8).expect("8 is a possible size")
    }
}

impl Reversi {
    /// Creates the rules for `size` times `size` cells.
    ///
    /// # Errors
    /// Returns an error if the size is not 4, 6 or 8.
    pub fn new(size: usize) -> Result<Reversi, SpecError> {
        Ok(Reversi { othello: Othello::sized(INFO.name, size, false)? })
    }

    #[inline]
    fn is_closed(&self, state: &State) -> bool {
        self.othello.turn(&state.discs) == Turn::Over
    }

    fn names(&self) -> Names {
        Names { size: self.othello.size, first_row: Edge::Bottom }
    }
}

impl Game for Reversi {
    type State = State;
    type Move = Move;

    fn initial_state(&self) -> State {
        State { discs: self.othello.initial_state(), side: 0, passes: 0 }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        if state.passes == 2 { Turn::Over } else { Turn::Player(usize::from(state.side)) }
    }

    fn legal_moves(&self, state: &State, moves: &mut Vec<Move>) {
        if self.is_closed(state) {
            moves.push(Move::Pass);
        } else {
            self.othello.legal_moves(&state.discs, moves);
        }
    }

    #[inline]
    fn play(&self, state: &mut State, mv: Move) {
        state.side ^= 1;
        if mv != Move::Pass || !self.is_closed(state) {
            self.othello.play(&mut state.discs, mv);
        } else {
            state.passes += 1;
            if state.passes == 2 {
                state.side = 0;
            }
        }
    }

    fn payoff(&self, state: &State, player: usize) -> i32 {
        self.othello.payoff(&state.discs, player).signum()
    }

    fn zero_sum(&self) -> bool {
        true
    }

    fn payoff_range(&self, _player: usize) -> RangeInclusive<i32> {
        -1..=1
    }

    #[inline]
    fn random_move(&self, state: &State, moves: &mut Vec<Move>, rng: &mut Rng) -> Option<Move> {
        match self.is_closed(state) {
            true => (state.passes < 2).then_some(Move::Pass),
            false => self.othello.random_move(&state.discs, moves, rng),
        }
    }

    #[inline]
    fn mobility(&self, state: &State, moves: &mut Vec<Move>) -> usize {
        match self.is_closed(state) {
            true => usize::from(state.passes < 2),
            false => self.othello.mobility(&state.discs, moves),
        }
    }

    #[inline]
    fn key(&self, state: &State) -> Option<u64> {
        let [first, second] = state.discs.colours();
        let counters = u64::from(state.side) | u64::from(state.passes) << 1;
        Some(hash_words([first, second, counters]))
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
        let cells = text::write_cells(&self.othello, &state.discs);
        let side = text::SIDES[usize::from(state.side)];
        match state.passes {
            0 => format!("{cells} {side}"),
            passes => format!("{cells} {side} {passes}"),
        }
    }

    fn parse_state(&self, text: &str) -> Result<State, TextError> {
        let (discs, rest) = text::read_discs(&self.othello, self.names(), text)?;
        let (side, passes) = rest.split_once(char::is_whitespace).unwrap_or((rest, "0"));
        let side = text::side(side)?;
        let passes = match passes.trim() {
            "0" => 0,
            "1" => 1,
            "2" => 2,
            wrong => {
                let what = format!("'{wrong}' is not a number of passes; expected 0, 1 or 2");
                return Err(TextError::new(what));
            }
        };
        let discs = text::position(&self.othello, discs, side)?;
        let closed = self.othello.turn(&discs) == Turn::Over;
        if passes > 0 && !closed {
            return Err(TextError::new(format!(
                "unexpected {passes} after the side: passes are counted only if neither side can \
                 place a disc"
            )));
        }
        let side = match self.othello.turn(&discs) {
            Turn::Player(side) => side as u8,
            _ if passes == 2 => 0,
            _ => side.unwrap_or(0),
        };
        Ok(State { discs, side, passes })
    }

    fn board_text(&self, state: &State) -> String {
        self.names().draw(&state.discs)
    }
}

impl Reversi {
    pub(crate) fn counted(&self, state: &State) -> Vec<Counted> {
        self.othello.counted(&state.discs)
    }
}

impl DomainKnowledge<Reversi> for Reversi {
    #[inline]
    fn rollout_move(&self, state: &State, moves: &mut Vec<Move>, rng: &mut Rng) -> Option<Move> {
        self.othello.rollout_move(&state.discs, moves, rng)
    }

    fn evaluate(&self, state: &State) -> Option<f32> {
        self.othello.evaluate(&state.discs)
    }

    fn recommended(&self) -> Recommended {
        Recommended::default().c(0.2).c_pn(0.1).playout_cap(1)
    }
}
