//! Oware, the sowing game played in tournaments, by the rules of OpenSpiel 2.0.2. Sowing and
//! captures are described under [Awari](crate::awari), the game of the GPN-MCTS paper.
//!
//! Oware differs from Awari as follows. Every sowing can capture. A move that would capture all
//! seeds of the other side is legal and captures nothing. A move must leave the other side a seed.
//! The game ends when a player has captured more than half of the seeds, when the player to move
//! has no move, or when a position repeats with the same player to move; both players then receive
//! the seeds in their own rows, and the player with more seeds wins. After 250 moves without a
//! capture, which is very rare, the game ends in the same way.
//!
//! A move is written as the pit from which it sows: `a1` to `f1` for the first player (S), `a2` to
//! `f2` for the second (N), both from the left. Positions have a [text form](State#text-form).

use crate::awari::counts::OWARE;
use crate::awari::sowing::{self, Board, Pits, Seeds};
use crate::awari::text;
use crate::bits::{cells, random_cell};
use crate::counts::Counted;
use crate::hash::hash_words;
use crate::info::GameInfo;
use crate::options::{Options, SpecError};
use crate::text::legal_move;
use proofwood_game::{DomainKnowledge, Game, Recommended, Rng, TextError, Turn};
use std::ops::RangeInclusive;

pub(crate) const INFO: GameInfo = GameInfo {
    name: "oware",
    summary: "Awari by tournament rules: 25 seeds or a repetition ends the game",
    also: &["mancala", "awele"],
    rules: "A player takes all seeds from one of their pits and sows them one by one into the \
            following pits, anticlockwise, skipping the pit they came from. If the last seed \
            brings a pit of the other side to two or three seeds, they are captured, and so are \
            the seeds of the preceding pits in that row, as long as each holds two or three; but a \
            move that would capture all seeds of the other side captures nothing. A move must \
            leave the other side a seed. The game ends when a player has captured more than half \
            of the seeds, when a position is repeated, or when a player has no move; both players \
            then receive the seeds in their own rows, and the player with more seeds wins.",
    notation: "A move is a pit, a1 to f1 for South, who moves first, or a2 to f2 for North, both \
               from the left. A position is the lower row and the upper row, separated by /, the \
               seeds captured by South and by North, and S or N for the side to move, all as they \
               were after the last capture; then the moves since.",
    options: &[(
        "PITS,SEEDS",
        "the number of pits on each side, 2 to 6, and of seeds in each, 2 to 8 (default 6,4)",
    )],
    example: "oware:3,2",
};

pub(crate) fn from_options(options: &mut Options) -> Result<Oware, SpecError> {
    let (pits, seeds) = sowing::size(options)?;
    Oware::new(pits, seeds)
}

const LONGEST_RUN: usize = 250;

/// The rules of Oware, including the numbers of pits and seeds.
#[derive(Clone, Debug)]
pub struct Oware {
    board: Board,
}

/// A position of Oware, with the moves since the last capture. Positions before a capture can never
/// recur.
///
/// # Text form
/// First comes the position after the last capture, or at the start of the game: the seeds in the
/// lower row and in the upper row, both from the left, then the numbers of seeds that S and N have
/// captured, and the side to move. The moves since that position follow, if there are any:
/// `4,4,4,4,4,4/4,4,4,4,4,4 0-0 S moves f1 a2`. On reading, numbers may also be separated by
/// spaces, `south` and `north` are accepted as sides, and `0-0` may be omitted. If the game has
/// ended, the seeds on the board count as captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    seeds: Seeds,
    /// The side to move; 0 when the game is over.
    side: u8,
    run: Run,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Run {
    start: Pits,
    moves: [u8; LONGEST_RUN],
    length: u8,
    /// The sum of the keys of all positions since the last capture, except the current one.
    past: u64,
}

impl Run {
    fn new(start: Pits) -> Run {
        Run { start, moves: [0; LONGEST_RUN], length: 0, past: 0 }
    }

    fn moves(&self) -> &[u8] {
        &self.moves[..usize::from(self.length)]
    }

    fn push(&mut self, pit: u8, before: u64) {
        self.moves[usize::from(self.length)] = pit;
        self.length += 1;
        self.past = self.past.wrapping_add(before);
    }

    /// Returns whether `pits`, the current position, has already occurred since the last capture
    /// with the same player to move.
    fn repeats(&self, board: &Board, pits: &Pits) -> bool {
        let mut earlier = self.start;
        self.moves().iter().enumerate().any(|(ply, &pit)| {
            let same_side = ply % 2 == self.moves().len() % 2;
            let found = same_side && earlier == *pits;
            board.sow(&mut earlier, pit);
            found
        })
    }
}

impl Default for Oware {
    fn default() -> Oware {
        Oware::new(6, 4).expect("the usual board is possible")
    }
}

impl Oware {
    pub(crate) fn counted(&self, state: &State) -> Vec<Counted> {
        OWARE.named(self.board.counts(&state.seeds, state.side))
    }

    /// Creates the rules for `pits` pits on each side and `seeds` seeds in each pit.
    ///
    /// # Errors
    /// Returns an error unless there are 2 to 6 pits on each side and 2 to 8 seeds in each pit.
    pub fn new(pits: usize, seeds: usize) -> Result<Oware, SpecError> {
        Ok(Oware { board: Board::new(INFO.name, pits, seeds)? })
    }

    #[inline]
    fn pits(&self, seeds: &Seeds, side: u8) -> u64 {
        let filled = self.board.filled(&seeds.pits, side);
        if self.board.seeds_of(&seeds.pits, 1 - side) > 0 {
            return filled;
        }
        // The last seed must reach the other side's row.
        let end = (usize::from(side) + 1) * self.board.pits;
        let feeds = |&pit: &u8| usize::from(pit) + usize::from(seeds.pits[usize::from(pit)]) >= end;
        cells(filled).filter(feeds).fold(0, |set, pit| set | 1 << pit)
    }

    /// Gives both sides the seeds in their rows if the game is over, and returns the position.
    #[inline]
    fn settle(&self, mut state: State) -> State {
        let half = self.board.total() / 2;
        let over = state.seeds.captured.iter().any(|&captured| usize::from(captured) > half)
            || self.pits(&state.seeds, state.side) == 0
            || usize::from(state.run.length) == LONGEST_RUN
            || state.run.repeats(&self.board, &state.seeds.pits);
        if over {
            for side in 0..2 {
                let own = self.board.seeds_of(&state.seeds.pits, side);
                state.seeds.captured[usize::from(side)] += own;
            }
            state.seeds.pits = [0; 12];
            state.side = 0;
            state.run = Run::new(state.seeds.pits);
        }
        state
    }

    /// Returns whether the game is over. The board is then empty, since both sides have received
    /// the remaining seeds.
    #[inline]
    fn is_over(state: &State) -> bool {
        state.seeds.pits == [0; 12]
    }

    #[inline]
    fn position_hash(state: &State) -> [u64; 2] {
        let [low, high] = state.seeds.words();
        [low, high | u64::from(state.side) << 56]
    }
}

impl Game for Oware {
    type State = State;
    /// The pit to sow, counted from 0 in the order of sowing, from a1 to f1 and on from f2 to a2.
    type Move = u8;

    fn initial_state(&self) -> State {
        let seeds = self.board.start();
        State { seeds, side: 0, run: Run::new(seeds.pits) }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        if Self::is_over(state) { Turn::Over } else { Turn::Player(usize::from(state.side)) }
    }

    fn legal_moves(&self, state: &State, moves: &mut Vec<u8>) {
        moves.extend(cells(self.pits(&state.seeds, state.side)));
    }

    #[inline]
    fn play(&self, state: &mut State, mv: u8) {
        let before = hash_words(Self::position_hash(state));
        let last = self.board.sow(&mut state.seeds.pits, mv).last;
        let pits = self.board.catch(&state.seeds.pits, state.side, last);
        let caught: u8 = state.seeds.pits[pits.clone()].iter().sum();
        if caught > 0 && caught < self.board.seeds_of(&state.seeds.pits, 1 - state.side) {
            self.board.capture(&mut state.seeds, state.side, pits);
            state.run = Run::new(state.seeds.pits);
        } else {
            state.run.push(mv, before);
        }
        state.side ^= 1;
        *state = self.settle(*state);
    }

    fn payoff(&self, state: &State, player: usize) -> i32 {
        state.seeds.lead(player).signum()
    }

    fn zero_sum(&self) -> bool {
        true
    }

    fn payoff_range(&self, _player: usize) -> RangeInclusive<i32> {
        -1..=1
    }

    #[inline]
    fn random_move(&self, state: &State, _moves: &mut Vec<u8>, rng: &mut Rng) -> Option<u8> {
        random_cell(self.pits(&state.seeds, state.side), rng)
    }

    #[inline]
    fn mobility(&self, state: &State, _moves: &mut Vec<u8>) -> usize {
        self.pits(&state.seeds, state.side).count_ones() as usize
    }

    fn key(&self, state: &State) -> Option<u64> {
        let [low, high] = Self::position_hash(state);
        Some(hash_words([low, high, state.run.past]))
    }

    fn knowledge(&self) -> impl DomainKnowledge<Self> {
        self
    }

    fn player_name(&self, player: usize) -> String {
        text::NAMES[player].to_string()
    }

    fn move_text(&self, _state: &State, mv: u8) -> String {
        text::pit_name(&self.board, mv)
    }

    fn parse_move(&self, state: &State, text: &str) -> Result<u8, TextError> {
        legal_move(self, state, text, text::parse_pit(&self.board, text))
    }

    fn state_text(&self, state: &State) -> String {
        let moves = state.run.moves();
        let start = Seeds { pits: state.run.start, ..state.seeds };
        let side = (usize::from(state.side) + moves.len()) % 2;
        let mut text = text::write(&self.board, &start, side as u8);
        if !moves.is_empty() {
            text += " moves";
        }
        for &pit in moves {
            text += " ";
            text += &text::pit_name(&self.board, pit);
        }
        text
    }

    fn parse_state(&self, text: &str) -> Result<State, TextError> {
        let (seeds, side, rest) = text::read(&self.board, text)?;
        let mut state = self.settle(State { seeds, side, run: Run::new(seeds.pits) });
        let mut words = rest.split_whitespace();
        if let Some(word) = words.next()
            && !word.eq_ignore_ascii_case("moves")
        {
            let what =
                format!("unexpected '{word}' after the side to move; only moves may follow it");
            return Err(TextError::new(what));
        }
        for word in words {
            let mv = self.parse_move(&state, word)?;
            self.play(&mut state, mv);
        }
        Ok(state)
    }

    fn board_text(&self, state: &State) -> String {
        text::draw(&self.board, &state.seeds)
    }
}

impl DomainKnowledge<Oware> for Oware {
    fn evaluate(&self, state: &State) -> Option<f32> {
        Some(OWARE.evaluate(self.board.counts(&state.seeds, state.side)))
    }

    fn recommended(&self) -> Recommended {
        Recommended::default().c(0.3).playout_cap(0)
    }
}
