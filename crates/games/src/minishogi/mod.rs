//! Minishogi: Japanese chess on 5x5 cells.
//!
//! Each player has a king, a gold, a silver, a bishop, a rook and a pawn. The last row is the
//! promotion zone: a silver, bishop or rook that enters or leaves it may promote, and a pawn that
//! enters it must promote. Captured pieces change sides, lose their promotion and may be dropped on
//! an empty cell as a move. A pawn may not be dropped on the last row, in a column with an
//! unpromoted pawn of its own side, or where it gives mate. A player who has no legal move, in
//! check or not, loses.
//!
//! These are the rules of Ludii 1.3.13, where the choice to promote is a separate ply; here it is
//! part of the move. Under these rules positions may repeat without limit, so games may be endless.
//!
//! The option `sennichite` adds the rule used in practice, as implemented by Fairy-Stockfish 11.1:
//! the fourth occurrence of a position, with the same side to move and the same hands, ends the
//! game. If all moves of one player since the first occurrence have given check, that player loses;
//! if this is true of both players, the game is drawn; otherwise the first player loses. The other
//! rules do not change. Fairy-Stockfish also allows pawn drops that mate, but the player who makes
//! one loses.
//!
//! With `sennichite` the state stores the game: all of its first 512 plies, and in longer games at
//! least the last 256, so a longer repetition may go unnoticed. The value of a position then
//! depends on the path to it, and no two orders of moves lead to the same state. Therefore a game
//! with `sennichite` has no [key](proofwood_game::Game::key): a transposition table would only cost
//! memory.
//!
//! A move is written `a1b2`, followed by `+` if the piece promotes (`c4c5+`), and a drop `P@c3`.
//! Also accepted are `a1-b2`, `a1xb2`, `P*c3`, and `c4c5=` for not promoting. Positions have a
//! [text form](State#text-form).

mod counts;
mod history;
mod position;
mod tables;
mod text;

use crate::info::GameInfo;
use crate::options::{Options, SpecError};
use history::{History, Repetition};
use position::{Moves, Position};
use proofwood_game::{DomainKnowledge, Game, Recommended, Rng, TextError, Turn};
use std::ops::RangeInclusive;
use tables::CELLS;

pub(crate) const INFO: GameInfo = GameInfo {
    name: "minishogi",
    summary: "shogi on a 5x5 board; captured pieces may be dropped",
    also: &[],
    rules: "Shogi on a 5x5 board with a king, a gold, a silver, a bishop, a rook and a pawn for \
            each side. Sente moves first. A silver, bishop or rook may promote on the last row; a \
            pawn must. Captured pieces change sides and may be dropped on an empty cell instead of \
            a move; a pawn may not be dropped on the last row, in a column with another unpromoted \
            pawn of its side, or to give checkmate. A player who has no legal move loses.",
    notation: "A move is two cells, such as a1b2, followed by + if the piece promotes, or a drop, \
               such as P@c3; a1 is at the bottom left. A position is a FEN: the rows from the top, \
               separated by /, with capital letters for Sente and + before promoted pieces; then \
               the pieces in hand in brackets, and w for Sente or b for Gote to move. SFEN, in \
               which b is Sente, is also accepted.",
    options: &[(
        "sennichite",
        "the fourth occurrence of a position loses for the first player, or for a player giving \
         perpetual check",
    )],
    example: "minishogi",
};

pub(crate) fn from_options(options: &mut Options) -> Result<Minishogi, SpecError> {
    Ok(Minishogi::new(options.flag("sennichite")))
}

/// The rules of Minishogi, with or without the rule against repetition.
#[derive(Clone, Debug, Default)]
pub struct Minishogi {
    sennichite: bool,
}

/// A kind of piece, unpromoted or promoted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Kind {
    Gold,
    Pawn,
    Silver,
    Rook,
    Bishop,
    King,
    PromotedPawn,
    PromotedSilver,
    PromotedRook,
    PromotedBishop,
}

impl Kind {
    const ALL: [Kind; Kind::COUNT] = [
        Kind::Gold,
        Kind::Pawn,
        Kind::Silver,
        Kind::Rook,
        Kind::Bishop,
        Kind::King,
        Kind::PromotedPawn,
        Kind::PromotedSilver,
        Kind::PromotedRook,
        Kind::PromotedBishop,
    ];
    const COUNT: usize = 10;
    const IN_HAND: usize = 5;
    const EACH: usize = 2;

    /// The promoted form of a kind that can promote.
    fn promoted(self) -> Kind {
        Kind::ALL[self as usize + 5]
    }

    fn unpromoted(self) -> Kind {
        if self.is_promoted() { Kind::ALL[self as usize - 5] } else { self }
    }

    fn is_promoted(self) -> bool {
        self as usize > Kind::King as usize
    }
}

/// A move: a step, or the drop of a captured piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// A piece moves from one cell to another; cells are numbered `row * 5 + column` from a1.
    Step {
        /// The cell that the piece leaves.
        from: u8,
        /// The cell that the piece moves to.
        to: u8,
        /// Whether the piece promotes at the end of the step.
        promote: bool,
    },
    /// A piece is dropped from the hand.
    Drop {
        /// The kind of the dropped piece.
        kind: Kind,
        /// The cell on which the piece is dropped.
        to: u8,
    },
}

/// A position of Minishogi. It stores its legal moves, because nearly every method needs them.
///
/// # Text form
/// As in Fairy-Stockfish: `rbsgk/4p/5/P4/KGSBR[] w - - 0 1`. The rows are listed from the top; the
/// pieces of Sente, who moves first, are capital letters, and promoted pieces are marked by a
/// preceding `+`. The pieces in hand follow in brackets, then `w` if Sente is to move or `b` if
/// Gote is. The other fields are constant, have no meaning here and may be omitted. The usual form
/// of shogi programs is accepted as well, in which the side to move, `b` for Sente and `w` for
/// Gote, precedes the hands: `rbsgk/4p/5/P4/KGSBR b - 1`.
///
/// The word `moves` and the moves played from that position may follow. With `sennichite` the
/// stored game is written in this way: the earliest position, then the moves. Pieces may be
/// missing, as in problems.
#[derive(Clone, Debug)]
pub struct State {
    position: Position,
    moves: Moves,
    ending: Option<Ending>,
    /// The game so far, if the rules require it.
    history: Option<History>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    Won(usize),
    Drawn,
}

impl State {
    fn new(position: Position, history: Option<History>) -> State {
        let mut state = State { position, moves: Moves::none(false), ending: None, history };
        state.arrive();
        state
    }

    #[inline]
    fn arrive(&mut self) {
        self.moves = self.position.moves();
        self.ending = match (self.moves.count(), &self.history) {
            (0, _) => Some(Ending::Won(1 - self.position.mover())),
            (_, None) => None,
            (_, Some(history)) => history.fourth(&self.position, self.moves.check).map(Ending::of),
        };
    }
}

impl Ending {
    fn of(repetition: Repetition) -> Ending {
        match repetition {
            Repetition::Plain => Ending::Won(1),
            Repetition::PerpetualCheck(player) => Ending::Won(1 - player),
            Repetition::Mutual => Ending::Drawn,
        }
    }
}

impl Minishogi {
    /// Creates the rules; `sennichite` adds the rule against repetition.
    pub fn new(sennichite: bool) -> Minishogi {
        Minishogi { sennichite }
    }

    fn state(&self, position: Position) -> State {
        State::new(position, self.sennichite.then(|| History::new(position)))
    }
}

impl Game for Minishogi {
    type State = State;
    type Move = Move;

    fn initial_state(&self) -> State {
        const BACK: [Kind; tables::SIDE] =
            [Kind::King, Kind::Gold, Kind::Silver, Kind::Bishop, Kind::Rook];
        let mut position = Position::EMPTY;
        for (column, kind) in BACK.into_iter().enumerate() {
            position.toggle(0, kind, column);
            position.toggle(1, kind, CELLS - 1 - column);
        }
        position.toggle(0, Kind::Pawn, tables::SIDE);
        position.toggle(1, Kind::Pawn, CELLS - 1 - tables::SIDE);
        self.state(position)
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match state.ending {
            None => Turn::Player(state.position.mover()),
            Some(_) => Turn::Over,
        }
    }

    fn legal_moves(&self, state: &State, moves: &mut Vec<Move>) {
        moves.extend(state.moves.iter());
    }

    #[inline]
    fn play(&self, state: &mut State, mv: Move) {
        if let Some(history) = &mut state.history {
            history.push(&state.position, state.moves.check, mv);
        }
        state.position.play(mv);
        state.arrive();
    }

    fn payoff(&self, state: &State, player: usize) -> i32 {
        match state.ending {
            Some(Ending::Won(winner)) if winner == player => 1,
            Some(Ending::Won(_)) => -1,
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
        match state.moves.count() {
            0 => None,
            count => state.moves.nth(rng.below(count as u32)),
        }
    }

    #[inline]
    fn mobility(&self, state: &State, _moves: &mut Vec<Move>) -> usize {
        state.moves.count()
    }

    /// Returns `None` with `sennichite`, since then no two orders of moves lead to the same state.
    #[inline]
    fn key(&self, state: &State) -> Option<u64> {
        (!self.sennichite).then(|| state.position.key())
    }

    fn knowledge(&self) -> impl DomainKnowledge<Self> {
        self
    }

    fn player_name(&self, player: usize) -> String {
        text::PLAYERS[player].to_string()
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

impl DomainKnowledge<Minishogi> for Minishogi {
    fn evaluate(&self, state: &State) -> Option<f32> {
        Some(counts::WEIGHTS.evaluate(state.position.counts()))
    }

    /// Recommends evaluation without playouts, because a random move would often lose a piece.
    fn recommended(&self) -> Recommended {
        Recommended::default().c(0.3).playout_cap(0)
    }
}
