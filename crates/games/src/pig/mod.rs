//! Pig, the dice game, for two or three players.
//!
//! In a turn a player rolls a die as often as they like. A roll of 2 to 6 is added to the turn's
//! total; a 1 loses the total and ends the turn; holding adds the total to the player's score and
//! ends the turn. Holding with a total of 0 is allowed. The first player to score the target, 100
//! by default, wins. A player who would reach the target by holding must hold, because rolling
//! again could only lose.
//!
//! With N players the winner receives N − 1 and every other player −1. With the option `turns=K`
//! the game is a draw after K turns, counting those of all players, so it always ends.
//!
//! The players' moves are `roll` and `hold` (also `r`, `h`, `stop`); the results of the die are `1`
//! to `6` (also `roll 5`). Positions have a [text form](State#text-form).

mod text;

use crate::hash::hash_words;
use crate::info::GameInfo;
use crate::options::{Options, SpecError};
use proofwood_game::{Game, Rng, TextError, Turn};
use std::ops::RangeInclusive;

pub(crate) const INFO: GameInfo = GameInfo {
    name: "pig",
    summary: "roll for points, hold before a 1 comes up; the first to reach the target wins",
    also: &[],
    rules: "In a turn, a player rolls a die any number of times. A roll of 2 to 6 is added to the \
            turn's total; a 1 loses the total and ends the turn; hold adds the total to the \
            player's score and ends the turn. The first player to reach the target wins. With N \
            players, the winner receives N-1 and every other player -1.",
    notation: "A player's move is roll or hold; the die's is 1 to 6. A position is the scores \
               separated by /, the player to move, the turn's total, and roll while the die is \
               rolling.",
    options: &[
        ("TARGET", "the number of points needed to win (default 100)"),
        ("players=N", "2 or 3 players (default 2); the winner receives N-1, the others -1"),
        ("turns=K", "a draw after K turns of all players together (default: no limit)"),
    ],
    example: "pig:20,turns=30",
};

const PLAYERS: [&str; MOST_PLAYERS] = ["A", "B", "C"];

pub(crate) fn from_options(options: &mut Options) -> Result<Pig, SpecError> {
    let target = options.number("TARGET", 1..=MOST_POINTS)?.unwrap_or(100);
    let players = options.value("players", 2..=MOST_PLAYERS)?.unwrap_or(2);
    Pig::new(target, players, options.value("turns", 1..=u32::MAX)?)
}

const MOST_POINTS: u16 = 10_000;
/// The greatest number of players of Pig.
pub const MOST_PLAYERS: usize = 3;

/// The rules of Pig for a given target, number of players and limit.
#[derive(Clone, Debug)]
pub struct Pig {
    target: u16,
    players: usize,
    limit: Option<u32>,
}

/// A move of a player, or a result of the die.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// The player rolls the die.
    Roll,
    /// The player adds the turn's total to the score.
    Hold,
    /// The result of the die, from 1 to 6.
    Die(u8),
}

/// A position of Pig.
///
/// # Text form
/// The players' scores, separated by `/`; the player to move (`A`, `B` or `C`); the turn's total;
/// and `roll` while the die is rolling: `23/17 B 6 roll`. With a limit, the number of finished
/// turns follows, such as `t9`. On reading, the player may be a number counted from 1, a total of 0
/// may be omitted, and so may the number of turns, which is then the smallest possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    scores: [u16; MOST_PLAYERS],
    total: u16,
    mover: u8,
    rolling: bool,
    /// The number of finished turns; always 0 without a limit.
    turns: u32,
}

impl State {
    /// The players' scores; 0 for an unused third player.
    pub fn scores(&self) -> [u16; MOST_PLAYERS] {
        self.scores
    }
}

impl Default for Pig {
    fn default() -> Pig {
        Pig::new(100, 2, None).expect("the usual game is possible")
    }
}

impl Pig {
    /// Creates the rules for `target` points, with a draw after `turns` turns of all players.
    ///
    /// # Errors
    /// Returns an error if the target is not 1 to 10,000, there are not two or three players, or
    /// `turns` is 0.
    pub fn new(target: u16, players: usize, turns: Option<u32>) -> Result<Pig, SpecError> {
        let refuse = |reason| Err(SpecError::Impossible { game: INFO.name, reason });
        if !(1..=MOST_POINTS).contains(&target) {
            return refuse(format!("the target must be 1 to {MOST_POINTS}, not {target}"));
        }
        if !(2..=MOST_PLAYERS).contains(&players) {
            return refuse(format!("the game takes 2 or 3 players, not {players}"));
        }
        if turns == Some(0) {
            return refuse("the number of turns must be at least 1".to_string());
        }
        Ok(Pig { target, players, limit: turns })
    }

    fn last(&self, state: &State) -> usize {
        (usize::from(state.mover) + self.players - 1) % self.players
    }

    fn has_winner(&self, state: &State) -> bool {
        state.scores[self.last(state)] >= self.target
    }

    /// Returns whether the player to move would reach the target by holding, and so must hold.
    fn must_hold(&self, state: &State) -> bool {
        state.scores[usize::from(state.mover)] + state.total >= self.target
    }

    fn end_turn(&self, state: &mut State) {
        state.total = 0;
        state.mover =
            if usize::from(state.mover) + 1 == self.players { 0 } else { state.mover + 1 };
        state.turns += u32::from(self.limit.is_some());
    }
}

impl Game for Pig {
    type State = State;
    type Move = Move;

    fn initial_state(&self) -> State {
        State { scores: [0; MOST_PLAYERS], total: 0, mover: 0, rolling: false, turns: 0 }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        if state.rolling {
            return Turn::Chance;
        }
        match self.has_winner(state) || self.limit == Some(state.turns) {
            true => Turn::Over,
            false => Turn::Player(usize::from(state.mover)),
        }
    }

    fn legal_moves(&self, state: &State, moves: &mut Vec<Move>) {
        match state.rolling {
            true => moves.extend((1..=6).map(Move::Die)),
            false if self.must_hold(state) => moves.push(Move::Hold),
            false => moves.extend([Move::Roll, Move::Hold]),
        }
    }

    #[inline]
    fn play(&self, state: &mut State, mv: Move) {
        state.rolling = mv == Move::Roll;
        match mv {
            Move::Roll => {}
            Move::Hold => {
                state.scores[usize::from(state.mover)] += state.total;
                self.end_turn(state);
            }
            Move::Die(1) => self.end_turn(state),
            Move::Die(points) => state.total += u16::from(points),
        }
    }

    fn payoff(&self, state: &State, player: usize) -> i32 {
        match self.has_winner(state) {
            false => 0,
            true if player == self.last(state) => self.players as i32 - 1,
            true => -1,
        }
    }

    fn num_players(&self) -> usize {
        self.players
    }

    fn zero_sum(&self) -> bool {
        self.players == 2
    }

    fn has_chance(&self) -> bool {
        true
    }

    fn payoff_range(&self, _player: usize) -> RangeInclusive<i32> {
        -1..=self.players as i32 - 1
    }

    #[inline]
    fn random_move(&self, state: &State, moves: &mut Vec<Move>, rng: &mut Rng) -> Option<Move> {
        Some(match self.mobility(state, moves) {
            0 => return None,
            1 => Move::Hold,
            2 => [Move::Roll, Move::Hold][rng.below(2) as usize],
            sides => Move::Die(rng.below(sides as u32) as u8 + 1),
        })
    }

    #[inline]
    fn mobility(&self, state: &State, _moves: &mut Vec<Move>) -> usize {
        match self.turn(state) {
            Turn::Over => 0,
            Turn::Chance => 6,
            Turn::Player(_) if self.must_hold(state) => 1,
            Turn::Player(_) => 2,
        }
    }

    #[inline]
    fn key(&self, state: &State) -> Option<u64> {
        let scores = state.scores.iter().fold(0, |word, &score| word << 16 | u64::from(score));
        let turn =
            u64::from(state.total) << 16 | u64::from(state.mover) << 1 | u64::from(state.rolling);
        Some(hash_words([scores, u64::from(state.turns) << 32 | turn]))
    }

    fn player_name(&self, player: usize) -> String {
        PLAYERS[player].to_string()
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
