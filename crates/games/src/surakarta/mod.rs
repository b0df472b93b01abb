//! Surakarta as implemented in Ludii 1.3.13 ("Official").
//!
//! Each side has twelve pieces on the two rows nearest to it on a board of 6x6 points. A piece
//! steps to an adjacent empty point in any of eight directions, or captures along one of the two
//! loops: lines 2 and 5 with the arcs around the corners that join them, and lines 3 and 4 with
//! their arcs. It slides over empty points (its own counts as empty) and around at least one
//! corner, and captures the first piece that it meets if that piece belongs to the other side. The
//! corner points lie on no loop. A player without a move passes; the players are never both without
//! a move, since some piece can step to an adjacent empty point. A player without pieces has lost.
//! Two captures between the same points are a single move, whatever their paths.
//!
//! The player to move may also propose to end the game (written `propose`) if none of the last 101
//! moves (at the start of the game, the last 102) was a capture. The other player then votes: after
//! `end` the player with more pieces wins, and equal numbers are a draw; after `no` the game
//! continues, and the count restarts.
//!
//! Other moves are written as two points, `a2a3`; `a2-a3` and `a2xa3` are also accepted. Positions
//! have a [text form](State#text-form).

mod counts;
mod loops;
mod text;

use crate::bits::{KING, Shift, cells, random_cell};
use crate::hash::hash_words;
use crate::info::GameInfo;
use crate::options::{Options, SpecError};
use loops::Loops;
use proofwood_game::{DomainKnowledge, Game, Recommended, Rng, TextError, Turn};
use std::ops::RangeInclusive;

pub(crate) const INFO: GameInfo = GameInfo {
    name: "surakarta",
    summary: "step, or capture along the loops around the corners; capture all pieces",
    also: &[],
    rules: "Each side has twelve pieces; x moves first. A piece steps to an empty point next to it \
            in any of eight directions, or captures: it slides along one of the two loops formed \
            by the inner lines and the arcs at the corners, around at least one corner, and \
            captures the first piece in its way. A player who has no pieces left loses. After a \
            hundred moves without a capture, a player may propose to end the game; if the other \
            player agrees, the player with more pieces wins.",
    notation: "A move is two points, such as a2a3, with a1 at the bottom left; or pass, propose, \
               end or no. A position is the rows from the top, separated by /, with x, o and a \
               number for that many empty points; then the side to move, and the number of moves \
               since the last capture, or -1 at the start.",
    options: &[],
    example: "surakarta",
};

pub(crate) fn from_options(_options: &mut Options) -> Result<Surakarta, SpecError> {
    Ok(Surakarta::default())
}

const SIZE: usize = 6;
const PIECES: u32 = 12;
const BOARD: u64 = (1 << (SIZE * SIZE)) - 1;
/// The number of moves without a capture after which the end may be proposed.
const PATIENCE: i8 = 101;

/// The rules of Surakarta, as described in the [module documentation](self).
///
/// The bit of a point is `row * 6 + column`, counted from a1 at the bottom left.
#[derive(Clone, Debug)]
pub struct Surakarta {
    steps: [Shift; 8],
}

/// A move of a piece, a pass, or a step towards ending the game by agreement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// A step or a capture. Points are numbered `row * 6 + column` from a1.
    Step {
        /// The point that the piece leaves.
        from: u8,
        /// The target: an empty point or a piece of the other side.
        to: u8,
    },
    /// The forced pass of a player who has no move.
    Pass,
    /// The proposal to end the game.
    Propose,
    /// The vote to end the game.
    End,
    /// The vote against ending the game.
    No,
}

/// A position of Surakarta.
///
/// # Text form
/// The rows from the top, separated by `/`, with `x` for the first player's pieces, `o` for the
/// second's and numbers for runs of empty points; then the side to move, and the number of moves
/// since the last capture, which stops at 101, when the end may be proposed:
/// `oooooo/oooooo/6/6/xxxxxx/xxxxxx x -1`. The count is −1 at the start. It is replaced by `vote`
/// if the other side has proposed the end, and by `ended` if both sides have agreed. On reading,
/// the count may be omitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// The pieces of the side to move; the first player's when the game is over.
    own: u64,
    other: u64,
    side: u8,
    phase: Phase,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Phase {
    Play(i8),
    Vote,
    Ended,
}

impl State {
    fn sides(&self) -> [u64; 2] {
        match self.side {
            0 => [self.own, self.other],
            _ => [self.other, self.own],
        }
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.own == 0 || self.other == 0 || self.phase == Phase::Ended
    }

    fn may_propose(&self) -> bool {
        self.phase == Phase::Play(PATIENCE)
    }
}

impl Default for Surakarta {
    fn default() -> Surakarta {
        let shift = |(columns, rows)| Shift::new(SIZE, SIZE, columns, rows);
        Surakarta { steps: KING.map(shift) }
    }
}

impl Surakarta {
    /// Creates a position; the side to move is set to 0 if the game is over.
    #[inline]
    fn position(own: u64, other: u64, side: u8, phase: Phase) -> State {
        let state = State { own, other, side, phase };
        if !state.is_over() {
            return state;
        }
        // The side to move no longer matters: all ends have side 0.
        let (own, other) = if side == 0 { (own, other) } else { (other, own) };
        let phase = if own == 0 || other == 0 { Phase::Play(0) } else { Phase::Ended };
        State { own, other, side: 0, phase }
    }

    #[inline]
    fn steps(&self, state: &State) -> [u64; 8] {
        let empty = BOARD & !(state.own | state.other);
        self.steps.map(|step| step.apply(state.own) & empty)
    }

    #[inline]
    fn captures(state: &State) -> impl Iterator<Item = (u8, u64)> {
        let loops = Loops::new(state.own | state.other);
        let other = state.other;
        cells(state.own).map(move |from| (from, loops.reached(from) & other))
    }
}

impl Game for Surakarta {
    type State = State;
    type Move = Move;

    fn initial_state(&self) -> State {
        let own = (1 << PIECES) - 1;
        State { own, other: own << 24, side: 0, phase: Phase::Play(-1) }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        if state.is_over() { Turn::Over } else { Turn::Player(usize::from(state.side)) }
    }

    fn legal_moves(&self, state: &State, moves: &mut Vec<Move>) {
        if state.phase == Phase::Vote {
            moves.extend([Move::End, Move::No]);
            return;
        }
        let before = moves.len();
        for (step, points) in self.steps.iter().zip(self.steps(state)) {
            moves.extend(cells(points).map(|to| Move::Step { from: step.origin(to), to }));
        }
        for (from, pieces) in Self::captures(state) {
            moves.extend(cells(pieces).map(|to| Move::Step { from, to }));
        }
        if state.may_propose() {
            moves.push(Move::Propose);
        }
        if moves.len() == before {
            moves.push(Move::Pass);
        }
    }

    #[inline]
    fn play(&self, state: &mut State, mv: Move) {
        let mut own = state.own;
        let mut other = state.other;
        let phase = match (mv, state.phase) {
            (Move::Step { from, to }, phase) => {
                own ^= 1 << from | 1 << to;
                let taken = other & 1 << to;
                other ^= taken;
                if taken != 0 { Phase::Play(0) } else { phase.after_quiet_move() }
            }
            (Move::Pass, phase) => phase.after_quiet_move(),
            (Move::Propose, _) => Phase::Vote,
            (Move::End, _) => Phase::Ended,
            (Move::No, _) => Phase::Play(0),
        };
        *state = Self::position(other, own, 1 - state.side, phase);
    }

    fn payoff(&self, state: &State, player: usize) -> i32 {
        let [first, second] = state.sides().map(|pieces| pieces.count_ones() as i32);
        let sign = (first - second).signum();
        if player == 0 { sign } else { -sign }
    }

    fn zero_sum(&self) -> bool {
        true
    }

    fn payoff_range(&self, _player: usize) -> RangeInclusive<i32> {
        -1..=1
    }

    /// Draws a piece and one of its directions until they form a legal move. A piece has eight
    /// steps and four possible captures, since it is on at most two lines, each with two
    /// directions.
    #[inline]
    fn random_move(&self, state: &State, moves: &mut Vec<Move>, rng: &mut Rng) -> Option<Move> {
        const WAYS: u32 = 12;
        const TRIES: usize = 50;
        if state.is_over() {
            return None;
        }
        let occupied = state.own | state.other;
        let tries =
            if matches!(state.phase, Phase::Play(count) if count < PATIENCE) { TRIES } else { 0 };
        for _ in 0..tries {
            let from = random_cell(state.own, rng)?;
            let way = rng.below(WAYS) as usize;
            let targets = match self.steps.get(way) {
                Some(step) => step.apply(1 << from) & !occupied,
                None => {
                    let pieces = Loops::new(occupied).reached(from) & state.other;
                    (8..way).fold(pieces, |pieces, _| pieces & pieces.wrapping_sub(1))
                }
            };
            if targets != 0 {
                return Some(Move::Step { from, to: targets.trailing_zeros() as u8 });
            }
        }
        // There are very few moves, or moves other than steps.
        self.legal_moves(state, moves);
        Some(moves[rng.below(moves.len() as u32) as usize])
    }

    fn mobility(&self, state: &State, _moves: &mut Vec<Move>) -> usize {
        if state.is_over() {
            return 0;
        }
        if state.phase == Phase::Vote {
            return 2;
        }
        let steps = self.steps(state).into_iter();
        let targets = steps.chain(Self::captures(state).map(|(_, pieces)| pieces));
        let moves: u32 = targets.map(u64::count_ones).sum();
        (moves as usize + usize::from(state.may_propose())).max(1)
    }

    #[inline]
    fn key(&self, state: &State) -> Option<u64> {
        let phase = match state.phase {
            Phase::Play(count) => (count + 1) as u64,
            Phase::Vote => 200,
            Phase::Ended => 201,
        };
        let side = u64::from(state.side);
        Some(hash_words([state.own | side << 63, state.other | phase << 40]))
    }

    fn knowledge(&self) -> impl DomainKnowledge<Self> {
        self
    }

    fn player_name(&self, player: usize) -> String {
        text::LETTERS[player].to_string()
    }

    fn move_text(&self, _state: &State, mv: Move) -> String {
        text::move_text(mv)
    }

    fn parse_move(&self, state: &State, text: &str) -> Result<Move, TextError> {
        text::parse_move(self, state, text)
    }

    fn state_text(&self, state: &State) -> String {
        text::write(state)
    }

    fn parse_state(&self, text: &str) -> Result<State, TextError> {
        text::read(self, text)
    }

    fn board_text(&self, state: &State) -> String {
        text::draw(state)
    }
}

impl DomainKnowledge<Surakarta> for Surakarta {
    fn evaluate(&self, state: &State) -> Option<f32> {
        Some(counts::WEIGHTS.evaluate(counts::counts(state)))
    }

    /// Recommends playouts that end after a single move.
    fn recommended(&self) -> Recommended {
        Recommended::default().c(0.3).playout_cap(1)
    }
}

impl Phase {
    /// The phase after a move without a capture. The count stops at the number at which the end may
    /// be proposed.
    #[inline]
    fn after_quiet_move(self) -> Phase {
        match self {
            Phase::Play(count) => Phase::Play((count + 1).min(PATIENCE)),
            other => other,
        }
    }
}
