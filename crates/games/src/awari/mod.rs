//! Awari as implemented in Ludii 1.3.13. The tournament game known as Awari or Oware is a
//! [different game](crate::oware).
//!
//! Each side has a row of six pits with four seeds each. A player takes all seeds from one of its
//! own pits and sows them one by one into the following pits, anticlockwise, skipping the pit they
//! came from. If the last seed brings a pit of the other side to two or three seeds, they are
//! captured, and so are the seeds of the preceding pits in that row, as long as each holds two or
//! three. A move must leave the other side a seed: a move that does not feed an empty row is
//! illegal, as is one that captures a whole row. A player who has no move passes. The game ends
//! when no pit holds more than one seed: the player with more captured seeds wins, and seeds left
//! on the board do not count. Two consecutive passes are a draw, whatever the captures.
//!
//! A sowing of 12 seeds skips its own pit and ends in the next one. In Ludii such a sowing captures
//! nothing, and neither does a sowing of 23 or 34 seeds. With the option `sow12` these sowings
//! capture like all others, as is usual in practice.
//!
//! A move is written as the pit from which it sows: `a1` to `f1` for the first player (S, for
//! south), from the left, `a2` to `f2` for the second (N), also from the left; N sows from f2 to
//! a2. A pass is `pass`. Positions have a [text form](State#text-form).

pub(crate) mod counts;
pub(crate) mod sowing;
pub(crate) mod text;

use crate::bits::{cells, random_cell};
use crate::counts::Counted;
use crate::hash::hash_words;
use crate::info::GameInfo;
use crate::options::{Options, SpecError};
use crate::text::{is_pass, legal_move};
use counts::AWARI;
use proofwood_game::{DomainKnowledge, Game, Recommended, Rng, TextError, Turn};
use sowing::{Board, Seeds};
use std::ops::RangeInclusive;

pub(crate) const INFO: GameInfo = GameInfo {
    name: "awari",
    summary: "sow seeds to capture twos and threes; more captured seeds win",
    also: &["mancala", "awele"],
    rules: "A player takes all seeds from one of their pits and sows them one by one into the \
            following pits, anticlockwise, skipping the pit they came from. If the last seed \
            brings a pit of the other side to two or three seeds, they are captured, and so are \
            the seeds of the preceding pits in that row, as long as each holds two or three. A \
            move must leave the other side a seed; a player who cannot move passes. The game ends \
            when no pit holds more than one seed, and the player with more captured seeds wins. \
            Two passes in a row are a draw.",
    notation: "A move is a pit, a1 to f1 for South, who moves first, or a2 to f2 for North, both \
               from the left; or pass. A position is the lower row and the upper row, separated by \
               /, the seeds captured by South and by North, and S or N for the side to move.",
    options: &[
        (
            "PITS,SEEDS",
            "the number of pits on each side, 2 to 6, and of seeds in each, 2 to 8 (default 6,4)",
        ),
        ("sow12", "a sowing of 12 seeds, all around the board, can also capture"),
    ],
    example: "awari:3,2",
};

pub(crate) fn from_options(options: &mut Options) -> Result<Awari, SpecError> {
    let (pits, seeds) = sowing::size(options)?;
    Awari::new(pits, seeds, options.flag("sow12"))
}

/// The rules of Awari, including the numbers of pits and seeds.
#[derive(Clone, Debug)]
pub struct Awari {
    board: Board,
    round_captures: bool,
}

/// A move of Awari: a sowing, or a forced pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// Sows the seeds of a pit; pits are counted from 0 in the order of sowing, from a1 to f1 and
    /// on from f2 to a2.
    Sow(u8),
    /// The forced pass of a player who has no move.
    Pass,
}

/// A position of Awari.
///
/// # Text form
/// The seeds in the lower row and in the upper row, both from the left, the seeds that S and N have
/// captured, and the side to move: `4,4,4,4,4,4/4,4,4,4,4,4 0-0 S`. If neither side can move, the
/// number of consecutive passes follows: 1, or 2 when they have ended the game. On reading, numbers
/// may also be separated by spaces, `south` and `north` are accepted as sides, and `0-0` may be
/// omitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    seeds: Seeds,
    /// The side to move; 0 when the game is over.
    side: u8,
    /// The number of consecutive passes; reset to 0 once the side to move can move.
    passes: u8,
}

impl Default for Awari {
    /// The game of the GPN-MCTS paper: six pits, four seeds, no captures by 12 seeds.
    fn default() -> Awari {
        Awari::new(6, 4, false).expect("the usual board is possible")
    }
}

impl Awari {
    pub(crate) fn counted(&self, state: &State) -> Vec<Counted> {
        AWARI.named(self.board.counts(&state.seeds, state.side))
    }

    /// Creates the rules for `pits` pits on each side and `seeds` seeds in each pit. With
    /// `round_captures`, sowings of 12 seeds capture as well.
    ///
    /// # Errors
    /// Returns an error unless there are 2 to 6 pits on each side and 2 to 8 seeds in each pit.
    pub fn new(pits: usize, seeds: usize, round_captures: bool) -> Result<Awari, SpecError> {
        Ok(Awari { board: Board::new(INFO.name, pits, seeds)?, round_captures })
    }

    /// The seeds after sowing from a pit; `None` if the move is illegal.
    #[inline]
    fn sown(&self, seeds: &Seeds, side: u8, pit: u8) -> Option<Seeds> {
        let mut next = *seeds;
        let sowing = self.board.sow(&mut next.pits, pit);
        if self.round_captures || !sowing.skips_before_last {
            let pits = self.board.catch(&next.pits, side, sowing.last);
            self.board.capture(&mut next, side, pits);
        }
        (self.board.seeds_of(&next.pits, 1 - side) > 0).then_some(next)
    }

    fn can_move(&self, seeds: &Seeds, side: u8) -> bool {
        cells(self.board.filled(&seeds.pits, side)).any(|pit| self.sown(seeds, side, pit).is_some())
    }

    #[inline]
    fn is_done(seeds: &Seeds) -> bool {
        seeds.pits.iter().fold(0, |all, &pit| all | pit) <= 1
    }

    /// Creates a position after `passes` consecutive passes.
    fn position(&self, seeds: Seeds, side: u8, passes: u8) -> State {
        if passes == 2 || Self::is_done(&seeds) {
            // The side to move no longer matters: all ends have side 0.
            let passes = if Self::is_done(&seeds) { 0 } else { 2 };
            return State { seeds, side: 0, passes };
        }
        // The count of passes restarts as soon as a side can move.
        let passes = if passes == 1 && self.can_move(&seeds, side) { 0 } else { passes };
        State { seeds, side, passes }
    }

    #[inline]
    fn is_over(state: &State) -> bool {
        state.passes == 2 || Self::is_done(&state.seeds)
    }
}

impl Game for Awari {
    type State = State;
    type Move = Move;

    fn initial_state(&self) -> State {
        State { seeds: self.board.start(), side: 0, passes: 0 }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        if Self::is_over(state) { Turn::Over } else { Turn::Player(usize::from(state.side)) }
    }

    fn legal_moves(&self, state: &State, moves: &mut Vec<Move>) {
        let before = moves.len();
        let pits = cells(self.board.filled(&state.seeds.pits, state.side));
        let legal = pits.filter(|&pit| self.sown(&state.seeds, state.side, pit).is_some());
        moves.extend(legal.map(Move::Sow));
        if moves.len() == before {
            moves.push(Move::Pass);
        }
    }

    #[inline]
    fn play(&self, state: &mut State, mv: Move) {
        let (seeds, passes) = match mv {
            Move::Sow(pit) => {
                let sown = self.sown(&state.seeds, state.side, pit);
                (sown.expect("a legal move"), 0)
            }
            Move::Pass => (state.seeds, state.passes + 1),
        };
        *state = self.position(seeds, 1 - state.side, passes);
    }

    fn payoff(&self, state: &State, player: usize) -> i32 {
        if state.passes == 2 {
            return 0;
        }
        state.seeds.lead(player).signum()
    }

    fn zero_sum(&self) -> bool {
        true
    }

    fn payoff_range(&self, _player: usize) -> RangeInclusive<i32> {
        -1..=1
    }

    #[inline]
    fn random_move(&self, state: &State, _moves: &mut Vec<Move>, rng: &mut Rng) -> Option<Move> {
        if Self::is_over(state) {
            return None;
        }
        let mut pits = self.board.filled(&state.seeds.pits, state.side);
        while let Some(pit) = random_cell(pits, rng) {
            if self.sown(&state.seeds, state.side, pit).is_some() {
                return Some(Move::Sow(pit));
            }
            pits &= !(1 << pit);
        }
        Some(Move::Pass)
    }

    fn key(&self, state: &State) -> Option<u64> {
        let [low, high] = state.seeds.words();
        let counters = u64::from(state.side) | u64::from(state.passes) << 1;
        Some(hash_words([low, high | counters << 56]))
    }

    fn knowledge(&self) -> impl DomainKnowledge<Self> {
        self
    }

    fn player_name(&self, player: usize) -> String {
        text::NAMES[player].to_string()
    }

    fn move_text(&self, _state: &State, mv: Move) -> String {
        match mv {
            Move::Sow(pit) => text::pit_name(&self.board, pit),
            Move::Pass => "pass".to_string(),
        }
    }

    fn parse_move(&self, state: &State, text: &str) -> Result<Move, TextError> {
        let wanted = match is_pass(text) {
            true => Some(Move::Pass),
            false => text::parse_pit(&self.board, text).map(Move::Sow),
        };
        legal_move(self, state, text, wanted)
    }

    fn state_text(&self, state: &State) -> String {
        let text = text::write(&self.board, &state.seeds, state.side);
        match state.passes {
            0 => text,
            passes => format!("{text} {passes}"),
        }
    }

    fn parse_state(&self, text: &str) -> Result<State, TextError> {
        let (seeds, side, rest) = text::read(&self.board, text)?;
        let passes = match rest {
            "" | "0" => 0,
            "1" => 1,
            "2" => 2,
            _ => {
                let what = format!("'{rest}' is not a number of passes; expected 0, 1 or 2");
                return Err(TextError::new(what));
            }
        };
        // Only a player without a move may have passed.
        let passers = [1 - side, side];
        if let Some(&free) =
            passers[..passes.into()].iter().find(|&&passer| self.can_move(&seeds, passer))
        {
            return Err(TextError::new(format!(
                "{} cannot have passed, because it had a legal move",
                text::SIDES[usize::from(free)],
            )));
        }
        if passes == 0 && !Self::is_done(&seeds) && self.board.seeds_of(&seeds.pits, side) == 0 {
            return Err(TextError::new(format!(
                "{}'s row is empty, but a move must leave the other side a seed; if the last move was a pass, add 1 at the end",
                text::SIDES[usize::from(side)],
            )));
        }
        Ok(self.position(seeds, side, passes))
    }

    fn board_text(&self, state: &State) -> String {
        text::draw(&self.board, &state.seeds)
    }
}

impl DomainKnowledge<Awari> for Awari {
    fn evaluate(&self, state: &State) -> Option<f32> {
        Some(AWARI.evaluate(self.board.counts(&state.seeds, state.side)))
    }

    fn recommended(&self) -> Recommended {
        Recommended::default().c(0.3).playout_cap(0)
    }
}
