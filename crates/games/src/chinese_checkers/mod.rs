//! Chinese Checkers (Sternhalma) on the star of 121 cells or a smaller one, for two, three, four or
//! six players.
//!
//! Each player has ten pieces in one point of the star, and wins by having all of them in the
//! opposite point at the end of one of their own turns. In a turn, one piece steps to a
//! neighbouring empty cell, or hops over a neighbouring piece of any player onto the empty cell
//! behind it. After a hop it may continue to hop, but never onto a cell that it has visited in this
//! turn. Each hop is a separate move of the same player; a pass ends the turn early, and the turn
//! ends by itself when no hop is left. A player who cannot move at all passes. The game is drawn
//! after a given number of turns of all players together. With N players the winner receives N − 1
//! and every other player −1.
//!
//! These are the rules of OpenSpiel 2.0.2, in which the limit is 1000 turns; here it is 300 by
//! default, as in the games recorded from OpenSpiel for the tests. No rule forbids staying in one's
//! initial point, which can keep the opposite player from winning.
//!
//! The points of a smaller star have sides of 1, 2 or 3 cells instead of 4, and hold 1, 3 or 6
//! pieces; the hexagon between them has sides that are one cell longer. Such a star has 13, 37 or
//! 73 cells. The rules are the same.
//!
//! On the usual star, rows are numbered from 1 at the bottom to 17, and the cells of each row are
//! lettered from a at the left: the first player starts at the tip a1, between the tips a5 and m5,
//! and has to reach the point with the tip a17. The other players follow anticlockwise. A move is
//! written `a3g5`, a pass `pass`. Positions have a [text form](State#text-form).

mod star;
mod text;

use crate::hash::hash_words;
use crate::info::GameInfo;
use crate::options::{Options, SpecError};
use proofwood_game::{DomainKnowledge, Game, Recommended, TextError, Turn};
use star::{OUTSIDE, Star, USUAL_SIDE};
use std::ops::RangeInclusive;

pub(crate) const INFO: GameInfo = GameInfo {
    name: "chinese-checkers",
    summary: "step and hop with all pieces across the star, for two to six players",
    also: &["sternhalma"],
    rules: "Each player has ten pieces in one point of the star, or fewer on a smaller star, and \
            wins by moving all of them to the opposite point. A piece steps to a neighbouring \
            empty cell, or hops over a neighbouring piece onto the empty cell behind it and may \
            continue from there; each hop is a separate move, and a pass ends the turn early. \
            After a set number of turns the game is a draw. With N players, the winner receives \
            N-1 and every other player -1.",
    notation: "A move is two cells, such as a3g5, or pass; rows are numbered from the bottom, and \
               the cells of a row are lettered from the left. A position is the rows from the top, \
               separated by /, with a letter for each player's pieces and numbers for empty cells; \
               then the player to move, the cells of an unfinished hop or -, and the number of \
               turns played.",
    options: &[
        (
            "SIDE",
            "the side length of the star's points, 1 to 4 (default 4): 1, 3, 6 or 10 pieces each",
        ),
        ("players=N", "2, 3, 4 or 6 players (default 3); the winner receives N-1, the others -1"),
        ("turns=N", "the number of turns after which the game is a draw (default 300)"),
    ],
    example: "chinese-checkers:players=2,turns=40",
};

pub(crate) fn from_options(options: &mut Options) -> Result<ChineseCheckers, SpecError> {
    let side = options.number("the side length of the star's points", 1..=USUAL_SIDE)?;
    let players = options.value("players", 2..=MOST_PLAYERS)?.unwrap_or(3);
    let turns = options.value("turns", 1..=10_000)?.unwrap_or(300);
    ChineseCheckers::on_star(side.unwrap_or(USUAL_SIDE), players, turns)
}

const MOST_PLAYERS: usize = 6;

/// The rules of Chinese Checkers for a given star and number of players.
#[derive(Clone, Debug)]
pub struct ChineseCheckers {
    star: &'static Star,
    /// The initial point of each player; points are counted anticlockwise from the bottom.
    homes: &'static [usize],
    turns: u16,
}

/// A part of a turn: a step, a hop, or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// A step or a hop between two cells, which are counted row by row from a1.
    Go {
        /// The cell that the piece leaves.
        from: u8,
        /// The cell that the piece moves to.
        to: u8,
    },
    /// Ends the turn, by choice or because the player cannot move.
    Pass,
}

/// A position of Chinese Checkers, possibly between two hops of a turn.
///
/// # Text form
/// The rows from the top, separated by `/`, with `A` to `F` for the players' pieces and numbers for
/// runs of empty cells; the player to move; the cells that the hopping piece has visited in this
/// turn, followed by its present cell (`a3-g5`), or `-` between turns; and the number of turns
/// played. On reading, case does not matter, an empty cell may be `.`, and the last two parts may
/// be omitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pieces: [u128; MOST_PLAYERS],
    /// The cells that the hopping piece has visited in this turn, including its present cell; empty
    /// between turns.
    visited: u128,
    hopper: u8,
    mover: u8,
    turns: u16,
    over: bool,
}

#[inline]
fn has(set: u128, cell: u8) -> bool {
    // Selects a half first, because a variable shift of 128 bits is slow.
    let half = if cell < 64 { set as u64 } else { (set >> 64) as u64 };
    half >> (cell & 63) & 1 == 1
}

impl State {
    /// The cells that a piece cannot enter: the occupied cells and `OUTSIDE`.
    #[inline]
    fn taken(&self) -> u128 {
        self.pieces.iter().fold(1 << OUTSIDE, |all, pieces| all | pieces)
    }

    fn is_hopping(&self) -> bool {
        self.visited != 0
    }
}

impl Default for ChineseCheckers {
    fn default() -> ChineseCheckers {
        ChineseCheckers::new(3, 300).expect("three can play")
    }
}

impl ChineseCheckers {
    /// Creates the rules for `players` players on the usual star. The game is drawn after `turns`
    /// turns of all players together.
    ///
    /// # Errors
    /// Returns an error unless there are two, three, four or six players and at least one turn.
    pub fn new(players: usize, turns: u16) -> Result<ChineseCheckers, SpecError> {
        ChineseCheckers::on_star(USUAL_SIDE, players, turns)
    }

    /// Creates the rules for a star whose points have sides of `side` cells.
    ///
    /// # Errors
    /// Returns an error unless the side is 1 to 4, there are two, three, four or six players, and
    /// `turns` is at least 1.
    pub fn on_star(side: usize, players: usize, turns: u16) -> Result<ChineseCheckers, SpecError> {
        let refuse = |reason| Err(SpecError::Impossible { game: INFO.name, reason });
        let Some(star) = Star::of_side(side) else {
            return refuse(format!(
                "the side length of the star's points must be 1 to 4, not {side}"
            ));
        };
        let homes: &[usize] = match players {
            2 => &[0, 3],
            3 => &[0, 2, 4],
            4 => &[0, 1, 3, 4],
            6 => &[0, 1, 2, 3, 4, 5],
            _ => {
                return refuse(format!("the game takes 2, 3, 4 or 6 players, not {players}"));
            }
        };
        if turns == 0 {
            return refuse("the number of turns must be at least 1".to_string());
        }
        Ok(ChineseCheckers { star, homes, turns })
    }

    fn goal(&self, player: usize) -> u128 {
        let points = &self.star.points;
        points[(self.homes[player] + 3) % points.len()]
    }

    fn last_mover(&self, state: &State) -> usize {
        (usize::from(state.mover) + self.homes.len() - 1) % self.homes.len()
    }

    fn has_won(&self, state: &State, player: usize) -> bool {
        state.pieces[player] == self.goal(player)
    }

    /// The cells onto which the hopping piece can hop next.
    #[inline]
    fn next_hops(&self, state: &State) -> impl Iterator<Item = u8> {
        let (taken, visited) = (state.taken(), state.visited);
        let hops = move |way: &&star::Way| {
            has(taken, way.next) && !has(taken, way.behind) && !has(visited, way.behind)
        };
        self.star.ways[usize::from(state.hopper)].iter().filter(hops).map(|way| way.behind)
    }

    #[inline]
    fn end_turn(&self, state: &mut State) {
        let player = usize::from(state.mover);
        state.visited = 0;
        state.hopper = 0;
        state.mover = if player + 1 == self.homes.len() { 0 } else { state.mover + 1 };
        state.turns += 1;
        state.over = state.turns >= self.turns || self.has_won(state, player);
    }
}

impl Game for ChineseCheckers {
    type State = State;
    type Move = Move;

    fn initial_state(&self) -> State {
        let mut pieces = [0; MOST_PLAYERS];
        for (player, &home) in self.homes.iter().enumerate() {
            pieces[player] = self.star.points[home];
        }
        State { pieces, visited: 0, hopper: 0, mover: 0, turns: 0, over: false }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match state.over {
            true => Turn::Over,
            false => Turn::Player(usize::from(state.mover)),
        }
    }

    fn legal_moves(&self, state: &State, moves: &mut Vec<Move>) {
        if state.is_hopping() {
            let from = state.hopper;
            moves.extend(self.next_hops(state).map(|to| Move::Go { from, to }));
            moves.push(Move::Pass);
            return;
        }
        let start = moves.len();
        let taken = state.taken();
        let mut pieces = state.pieces[usize::from(state.mover)];
        while pieces != 0 {
            let from = pieces.trailing_zeros() as u8;
            pieces &= pieces - 1;
            for way in &self.star.ways[usize::from(from)] {
                // A step if the neighbouring cell is free, otherwise a hop.
                let to = if has(taken, way.next) { way.behind } else { way.next };
                if !has(taken, to) {
                    moves.push(Move::Go { from, to });
                }
            }
        }
        if moves.len() == start {
            moves.push(Move::Pass);
        }
    }

    #[inline]
    fn play(&self, state: &mut State, mv: Move) {
        let Move::Go { from, to } = mv else {
            return self.end_turn(state);
        };
        state.pieces[usize::from(state.mover)] ^= 1 << from | 1 << to;
        if self.star.ways[usize::from(from)].iter().any(|way| way.next == to) {
            return self.end_turn(state);
        }
        state.visited |= 1 << from | 1 << to;
        state.hopper = to;
        if self.next_hops(state).next().is_none() {
            self.end_turn(state);
        }
    }

    fn payoff(&self, state: &State, player: usize) -> i32 {
        let winner = self.last_mover(state);
        match self.has_won(state, winner) {
            false => 0,
            true if player == winner => self.homes.len() as i32 - 1,
            true => -1,
        }
    }

    fn num_players(&self) -> usize {
        self.homes.len()
    }

    fn zero_sum(&self) -> bool {
        self.homes.len() == 2
    }

    fn payoff_range(&self, _player: usize) -> RangeInclusive<i32> {
        -1..=self.homes.len() as i32 - 1
    }

    /// The key includes the number of turns, so transpositions are rare.
    #[inline]
    fn key(&self, state: &State) -> Option<u64> {
        let rest = u64::from(state.turns) << 8 | u64::from(state.hopper);
        let hash = hash_words([rest, state.visited as u64, (state.visited >> 64) as u64]);
        let pieces = &state.pieces[..self.homes.len()];
        Some(
            pieces.iter().fold(hash, |hash, pieces| {
                hash_words([hash, *pieces as u64, (pieces >> 64) as u64])
            }),
        )
    }

    fn knowledge(&self) -> impl DomainKnowledge<Self> {
        self
    }

    fn player_name(&self, player: usize) -> String {
        text::LETTERS[player].to_string()
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

impl DomainKnowledge<ChineseCheckers> for ChineseCheckers {
    /// In games of two players, favours the player whose pieces have advanced further.
    fn evaluate(&self, state: &State) -> Option<f32> {
        if self.homes.len() != 2 {
            return None;
        }
        // Player 0 moves up and player 1 down; `ahead` is player 0's lead in rows, 0 at the start.
        let below = |player: usize| self.star.rows_below(state.pieces[player]) as f32;
        let pieces = self.star.pieces() as f32;
        let rows = (self.star.widths().len() - 1) as f32;
        let ahead = below(0) + below(1) - pieces * rows;
        let ahead = if state.mover == 0 { ahead } else { -ahead };
        // A lead of two rows per piece is nearly a win; the right to move counts as half a row.
        Some(((ahead + 0.5) / (2.0 * pieces)).tanh())
    }

    /// Recommends settings for games of two players, in which random playouts would reach the turn
    /// limit.
    fn recommended(&self) -> Recommended {
        match self.homes.len() {
            2 => Recommended::default().c(0.3).playout_cap(1),
            _ => Recommended::default(),
        }
    }
}
