//! Reach Chess: chess in which the first piece on the far row wins.
//!
//! The pieces start and move as in chess, with castling and captures en passant, and no move may
//! leave one's own king attacked. A player who moves any piece to the other side's first row wins,
//! so no pawn is ever promoted. Checkmate and stalemate do not end the game: a player without a
//! move passes. After such a pass even the king may be captured, and without a king every move is
//! legal. Two consecutive passes draw the game. These are the rules of Ludii 1.3.13.
//!
//! A position is a [FEN](crate::chess), followed by `pass` if the last move was a pass, or by `pass
//! pass` if the last two were. The two counters at the end of a FEN are ignored on reading.

pub use crate::chess::Move;
use crate::chess::{Chess, Position, Setup, Spans, text};
use crate::info::GameInfo;
use crate::options::{Options, SpecError};
use proofwood_game::{Game, Rng, TextError, Turn};
use std::ops::RangeInclusive;

pub(crate) const INFO: GameInfo = GameInfo {
    name: "reach-chess",
    summary: "chess in which the first piece on the far row wins",
    also: &["chess"],
    rules: "Chess in which the first player with a piece on the other side's first row wins; pawns \
            are never promoted. No move may leave one's own king attacked. Checkmate and stalemate \
            do not end the game: a player without a move passes, and two passes in a row are a \
            draw.",
    notation: "A move is two cells, such as g1f3, or pass. A position is a FEN: the rows from the \
               top, separated by /, with capital letters for White and a number for that many \
               empty cells; then w or b for the side to move, the castling rights and the en \
               passant cell; a final pass means that the last move was a pass.",
    options: &[],
    example: "reach-chess",
};

pub(crate) fn from_options(_options: &mut Options) -> Result<ReachChess, SpecError> {
    Ok(ReachChess::default())
}

/// The rules of Reach Chess, as described in the [module documentation](self).
#[derive(Clone, Debug)]
pub struct ReachChess {
    chess: Chess,
}

impl Default for ReachChess {
    fn default() -> ReachChess {
        let setup = Setup { promotions: &[], royal: true, kings_fall: true, long_moves: true };
        ReachChess { chess: Chess::new(&Chess::USUAL, setup) }
    }
}

/// A position of Reach Chess, with the number of consecutive passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    position: Position,
    passes: u8,
    phase: Phase,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Phase {
    Move,
    Pass,
    Reached,
    Draw,
}

impl ReachChess {
    #[inline]
    fn state(&self, position: Position, passes: u8) -> State {
        let waiting = 1 - position.mover();
        let phase = if position.side(waiting) & self.chess.last_row(waiting) != 0 {
            Phase::Reached
        } else if passes == 2 {
            Phase::Draw
        } else if self.chess.has_move(&position) {
            Phase::Move
        } else {
            Phase::Pass
        };
        State { position, passes, phase }
    }

    fn spans(&self, state: &State) -> Spans {
        self.chess.spans(&state.position, self.chess.promotions())
    }

    /// Rejects pieces on a far row, except a piece that has just won.
    fn check_reached(&self, position: &Position) -> Result<(), TextError> {
        for side in 0..2 {
            let reached = position.side(side) & self.chess.last_row(side);
            let won = side != position.mover();
            if reached.count_ones() > u32::from(won) {
                let name = text::SIDES[side];
                let what = text::names(reached);
                return Err(TextError::new(match won {
                    true => format!(
                        "{name} has pieces on {what}, but the game ends when the first of them \
                         gets there"
                    ),
                    false => format!(
                        "the piece on {what} has won for {name}, so it cannot be {name}'s turn"
                    ),
                }));
            }
        }
        Ok(())
    }
}

impl Game for ReachChess {
    type State = State;
    type Move = Move;

    fn initial_state(&self) -> State {
        self.state(self.chess.start(), 0)
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match state.phase {
            Phase::Move | Phase::Pass => Turn::Player(state.position.mover()),
            _ => Turn::Over,
        }
    }

    fn legal_moves(&self, state: &State, moves: &mut Vec<Move>) {
        match state.phase {
            Phase::Pass => moves.push(Move::Pass),
            _ => self.spans(state).list(moves),
        }
    }

    #[inline]
    fn play(&self, state: &mut State, mv: Move) {
        let passes = match mv {
            Move::Step { from, to, promotion } => {
                self.chess.play(&mut state.position, from, to, promotion);
                0
            }
            Move::Pass => {
                state.position.pass();
                state.passes + 1
            }
        };
        *state = self.state(state.position, passes);
    }

    fn payoff(&self, state: &State, player: usize) -> i32 {
        match state.phase {
            Phase::Reached if player == state.position.mover() => -1,
            Phase::Reached => 1,
            _ => 0,
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
            Phase::Move => self.spans(state).random(rng),
            Phase::Pass => Some(Move::Pass),
            _ => None,
        }
    }

    #[inline]
    fn mobility(&self, state: &State, _moves: &mut Vec<Move>) -> usize {
        match state.phase {
            Phase::Move => self.spans(state).count(),
            Phase::Pass => 1,
            _ => 0,
        }
    }

    #[inline]
    fn key(&self, state: &State) -> Option<u64> {
        Some(state.position.hash(state.passes.into()))
    }

    fn player_name(&self, player: usize) -> String {
        text::NAMES[player].to_string()
    }

    fn move_text(&self, _state: &State, mv: Move) -> String {
        text::move_text(mv)
    }

    fn parse_move(&self, state: &State, text: &str) -> Result<Move, TextError> {
        text::parse_move(self, state, text)
    }

    fn state_text(&self, state: &State) -> String {
        let passes = format!(" {}", text::PASSED).repeat(state.passes.into());
        text::write(&self.chess, &state.position) + &passes
    }

    fn parse_state(&self, text: &str) -> Result<State, TextError> {
        let (position, mut words) = text::read(&self.chess, text)?;
        self.check_reached(&position)?;
        for what in ["the number of plies", "the move number"] {
            text::read_counter(&mut words, what, u32::MAX)?;
        }
        let passes = (0..2).filter(|_| text::read_passed(&mut words)).count() as u8;
        text::finish(words)?;
        let state = self.state(position, passes);
        if passes > 0 && (state.phase == Phase::Reached || position.can_take_en_passant()) {
            return Err(TextError::new("a pass cannot have been the last move here"));
        }
        // A king may be left attacked only after a pass.
        let mut before = position;
        for _ in 0..passes {
            text::check_passed(&self.chess, &before)?;
            before.pass();
        }
        text::check_waiting_king(&self.chess, &before)?;
        Ok(state)
    }

    fn board_text(&self, state: &State) -> String {
        text::draw(&self.chess, &state.position)
    }
}
