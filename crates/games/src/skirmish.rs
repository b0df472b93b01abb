//! Skirmish: chess without check, in which the side with more pieces after 100 plies wins.
//!
//! The pieces start and move as in chess, with castling, captures en passant and promotion to a
//! queen, a rook, a bishop or a knight. Kings are pieces like any other: they may be attacked and
//! captured, and may castle out of, through and into attacks. The game ends after 100 plies, or
//! when the next player has no move; the player with more pieces of any kind then wins. These are
//! the rules of Ludii 1.3.13, where promotion is a separate ply; here it belongs to the move but
//! also counts as a ply. A pawn that reaches the last row with the 100th ply is not promoted, and
//! its move is written without a promotion.
//!
//! A position is a [FEN](crate::chess), followed by the number of plies played.

pub use crate::chess::Move;
use crate::chess::{Chess, Kind, Position, Setup, Spans, text};
use crate::counts::{Counted, Weights};
use crate::info::GameInfo;
use crate::options::{Options, SpecError};
use proofwood_game::{DomainKnowledge, Game, Recommended, Rng, TextError, Turn};
use std::ops::RangeInclusive;

pub(crate) const INFO: GameInfo = GameInfo {
    name: "skirmish",
    summary: "chess without check for 100 plies; the player with more pieces wins",
    also: &["chess"],
    rules: "Chess without check: kings are pieces like any other and may be captured. The game \
            ends after 100 plies or when a player has no move; the player with more pieces, of \
            whatever kind, then wins.",
    notation: "A move is two cells, such as g1f3, followed by the new piece if a pawn is promoted, \
               as in a7a8q. A position is a FEN: the rows from the top, separated by /, with \
               capital letters for White and a number for that many empty cells; then w or b for \
               the side to move, the castling rights, the en passant cell, and the number of plies \
               played.",
    options: &[],
    example: "skirmish",
};

pub(crate) fn from_options(_options: &mut Options) -> Result<Skirmish, SpecError> {
    Ok(Skirmish::default())
}

const LAST_PLY: u8 = 100;

/// The rules of Skirmish, as described in the [module documentation](self).
#[derive(Clone, Debug)]
pub struct Skirmish {
    chess: Chess,
}

impl Default for Skirmish {
    fn default() -> Skirmish {
        let promotions = &[Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight];
        let setup = Setup { promotions, royal: false, kings_fall: true, long_moves: true };
        Skirmish { chess: Chess::new(&Chess::USUAL, setup) }
    }
}

/// A position of Skirmish, with the number of plies played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    position: Position,
    /// The number of plies played, including one for each promotion.
    plies: u8,
    over: bool,
}

impl Skirmish {
    #[inline]
    fn state(&self, position: Position, plies: u8) -> State {
        State { position, plies, over: plies >= LAST_PLY || !self.chess.has_move(&position) }
    }

    #[inline]
    fn spans(&self, state: &State) -> Spans {
        // If the pawn arrives with the last ply, the game ends before the promotion.
        let promotions = if state.plies + 1 == LAST_PLY { &[] } else { self.chess.promotions() };
        self.chess.spans(&state.position, promotions)
    }
}

impl Game for Skirmish {
    type State = State;
    type Move = Move;

    fn initial_state(&self) -> State {
        self.state(self.chess.start(), 0)
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        if state.over { Turn::Over } else { Turn::Player(state.position.mover()) }
    }

    fn legal_moves(&self, state: &State, moves: &mut Vec<Move>) {
        self.spans(state).list(moves);
    }

    #[inline]
    fn play(&self, state: &mut State, mv: Move) {
        if let Move::Step { from, to, promotion } = mv {
            self.chess.play(&mut state.position, from, to, promotion);
            let plies = 1 + u8::from(promotion.is_some());
            *state = self.state(state.position, state.plies + plies);
        }
    }

    fn payoff(&self, state: &State, player: usize) -> i32 {
        let pieces = |side| state.position.side(side).count_ones() as i32;
        (pieces(player) - pieces(1 - player)).signum()
    }

    fn zero_sum(&self) -> bool {
        true
    }

    fn payoff_range(&self, _player: usize) -> RangeInclusive<i32> {
        -1..=1
    }

    #[inline]
    fn random_move(&self, state: &State, _moves: &mut Vec<Move>, rng: &mut Rng) -> Option<Move> {
        if state.over { None } else { self.spans(state).random(rng) }
    }

    #[inline]
    fn mobility(&self, state: &State, _moves: &mut Vec<Move>) -> usize {
        if state.over { 0 } else { self.spans(state).count() }
    }

    #[inline]
    fn key(&self, state: &State) -> Option<u64> {
        Some(state.position.hash(state.plies.into()))
    }

    fn knowledge(&self) -> impl DomainKnowledge<Self> {
        self
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
        format!("{} {}", text::write(&self.chess, &state.position), state.plies)
    }

    fn parse_state(&self, text: &str) -> Result<State, TextError> {
        let (position, mut words) = text::read(&self.chess, text)?;
        let most = LAST_PLY.into();
        let plies = text::read_counter(&mut words, "the number of plies played", most)?;
        text::finish(words)?;
        let mover = position.mover();
        let all_pawns = position.kind(Kind::Pawn).count_ones() == 16;
        let plies = plies.map_or(mover as u8, |plies| plies as u8);
        if all_pawns && usize::from(plies % 2) != mover {
            return Err(TextError::new(format!(
                "the side to move cannot be {} after ply {plies}: no pawn has been promoted",
                text::SIDES[mover],
            )));
        }
        // The last ply may leave one pawn unpromoted on its last row.
        let late = position.pieces(1 - mover, Kind::Pawn) & self.chess.last_row(1 - mover);
        let just_arrived = plies == LAST_PLY && late.count_ones() == 1;
        text::check_promoted(&self.chess, &position, mover)?;
        if !just_arrived {
            text::check_promoted(&self.chess, &position, 1 - mover)?;
        }
        Ok(self.state(position, plies))
    }

    fn board_text(&self, state: &State) -> String {
        text::draw(&self.chess, &state.position)
    }
}

/// Weights of the features. The player with more pieces at the end wins, so the number of pieces
/// counts for more as more plies are played.
static WEIGHTS: Weights<9> = Weights([
    ("pawns", -0.02),
    ("knights", 0.29),
    ("bishops", 0.39),
    ("rooks", 0.6),
    ("queens", 1.6),
    ("ahead", 0.0),
    ("can win", 0.19),
    ("kings", 0.1),
    ("pieces late", 0.76),
]);

impl Skirmish {
    fn counts(&self, state: &State) -> [f32; 9] {
        let position = &state.position;
        let mover = position.mover();
        let difference =
            |count: &dyn Fn(usize) -> u32| count(mover) as f32 - count(1 - mover) as f32;
        let kings = difference(&|side| position.pieces(side, Kind::King).count_ones());
        let pieces = difference(&|side| position.side(side).count_ones());
        let late = f32::from(state.plies) / f32::from(LAST_PLY);
        let mut counts = [0.0; 9];
        counts[..7].copy_from_slice(&self.chess.counts(position));
        counts[7..].copy_from_slice(&[kings, pieces * late]);
        counts
    }

    pub(crate) fn counted(&self, state: &State) -> Vec<Counted> {
        WEIGHTS.named(self.counts(state))
    }
}

impl DomainKnowledge<Skirmish> for Skirmish {
    fn evaluate(&self, state: &State) -> Option<f32> {
        Some(WEIGHTS.evaluate(self.counts(state)))
    }

    /// Recommends evaluation without playouts, because a random move would often lose a piece.
    fn recommended(&self) -> Recommended {
        Recommended::default().c(0.15).playout_cap(0)
    }
}
