//! Los Alamos chess and Gardner minichess: chess on small boards.
//!
//! Los Alamos chess, the first chess played by a computer (in 1956), has 6x6 cells and no bishops;
//! Gardner minichess has 5x5 cells. In both games a pawn steps only one cell and there is no
//! castling; on the last row a pawn promotes to a knight, a rook, a queen or, in Gardner minichess,
//! a bishop. Checkmate wins.
//!
//! The two games have different rules for draws:
//! - As in chess: stalemate, fifty moves by each side without a capture or a pawn move, and
//!   insufficient material (bare kings, one knight or bishop, bishops on cells of one colour) draw
//!   at once. The fifty-move draw, which players may claim, is always claimed; threefold repetition
//!   is not part of a position and does not draw. These are the rules of Gardner minichess, and of
//!   Los Alamos chess with the option `chess-draws`; both as in Fairy-Stockfish 11.1.
//! - As in Ludii 1.3.13, in Los Alamos chess by default: a player in stalemate passes, and that
//!   pass draws. The 101st consecutive ply without a capture or a pawn move draws, or the 102nd if
//!   the game has had no capture or pawn move so far. A promotion counts as a separate ply after
//!   the pawn move.
//!
//! A position is a [FEN](crate::chess) with `- -` for castling and en passant. It is followed by
//! the number of plies without a capture or a pawn move, and by `pass` if a pass has drawn the
//! game. In Ludii's rules this number is omitted until the first ply, which distinguishes the start
//! from a position just after a capture. The move number at the end of a FEN is ignored on reading.

pub use crate::chess::Move;
use crate::chess::{Chess, Kind, Position, Setup, Spans, counts, text};
use crate::counts::{Counted, Weights};
use crate::info::GameInfo;
use crate::options::{Options, SpecError};
use proofwood_game::{DomainKnowledge, Game, Recommended, Rng, TextError, Turn};
use std::ops::RangeInclusive;

pub(crate) const LOS_ALAMOS_INFO: GameInfo = GameInfo {
    name: "los-alamos",
    summary: "chess on a 6x6 board without bishops",
    also: &["chess", "minichess"],
    rules: "Chess on a 6x6 board without bishops. A pawn moves only one cell at a time and is \
            promoted to a knight, a rook or a queen on the last row; there is no castling. \
            Checkmate wins. A player in stalemate passes, which draws the game; so does the 101st \
            ply in a row without a capture or a pawn move.",
    notation: "A move is two cells, such as b1c3, followed by the new piece if a pawn is promoted, \
               as in a5a6q. A position is a FEN: the rows from the top, separated by /, with \
               capital letters for White and a number for that many empty cells; then w or b for \
               the side to move, - - and the number of plies without a capture or a pawn move.",
    options: &[(
        "chess-draws",
        "draws as in chess: at stalemate, after fifty moves, or with insufficient material",
    )],
    example: "los-alamos",
};

pub(crate) const GARDNER_INFO: GameInfo = GameInfo {
    name: "gardner",
    summary: "Gardner minichess: chess on a 5x5 board",
    also: &["chess", "minichess"],
    rules: "Chess on a 5x5 board. A pawn moves only one cell at a time and is promoted on the last \
            row; there is no castling. Checkmate wins; stalemate, fifty moves by each side without \
            a capture or a pawn move, and insufficient material draw.",
    notation: "A move is two cells, such as b1c3, followed by the new piece if a pawn is promoted, \
               as in a4a5q. A position is a FEN: the rows from the top, separated by /, with \
               capital letters for White and a number for that many empty cells; then w or b for \
               the side to move, - - and the number of plies without a capture or a pawn move.",
    options: &[],
    example: "gardner",
};

pub(crate) fn los_alamos(options: &mut Options) -> Result<Minichess, SpecError> {
    Ok(Minichess::los_alamos(options.flag("chess-draws")))
}

pub(crate) fn gardner(_options: &mut Options) -> Result<Minichess, SpecError> {
    Ok(Minichess::gardner())
}

/// The rules of Los Alamos chess or Gardner minichess.
#[derive(Clone, Debug)]
pub struct Minichess {
    chess: Chess,
    draws: Draws,
    weights: &'static Weights<7>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Draws {
    Chess,
    Ludii,
}

impl Draws {
    /// The value of the clock at which the game is drawn.
    fn limit(self) -> i8 {
        match self {
            Draws::Chess => 100,
            Draws::Ludii => 101,
        }
    }

    fn start(self) -> i8 {
        match self {
            Draws::Chess => 0,
            Draws::Ludii => -1,
        }
    }
}

/// A position of Los Alamos chess or Gardner minichess.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    position: Position,
    /// The number of plies since the last capture or pawn move.
    clock: i8,
    phase: Phase,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Phase {
    Move,
    Pass,
    Mate,
    Draw,
    /// Drawn by a pass in stalemate.
    Passed,
}

impl Minichess {
    /// Creates the rules of Los Alamos chess, with draws as in chess or as in Ludii.
    pub fn los_alamos(chess_draws: bool) -> Minichess {
        const HOME: [Kind; 6] =
            [Kind::Rook, Kind::Knight, Kind::Queen, Kind::King, Kind::Knight, Kind::Rook];
        let draws = if chess_draws { Draws::Chess } else { Draws::Ludii };
        let chess = small(&HOME, &[Kind::Queen, Kind::Rook, Kind::Knight]);
        Minichess { chess, draws, weights: &LOS_ALAMOS }
    }

    /// Creates the rules of Gardner minichess.
    pub fn gardner() -> Minichess {
        const HOME: [Kind; 5] = [Kind::Rook, Kind::Knight, Kind::Bishop, Kind::Queen, Kind::King];
        let promotions = &[Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight];
        Minichess { chess: small(&HOME, promotions), draws: Draws::Chess, weights: &GARDNER }
    }

    #[inline]
    fn state(&self, position: Position, clock: i8) -> State {
        let phase = if !self.chess.has_move(&position) {
            if self.chess.in_check(&position, position.mover()) {
                Phase::Mate
            } else if self.draws == Draws::Ludii && clock < self.draws.limit() {
                Phase::Pass
            } else {
                Phase::Draw
            }
        } else if clock >= self.draws.limit()
            || self.draws == Draws::Chess && nobody_can_mate(&position)
        {
            Phase::Draw
        } else {
            Phase::Move
        };
        State { position, clock, phase }
    }

    fn check_stalemate(&self, position: &Position) -> Result<(), TextError> {
        let mut before = *position;
        before.pass();
        text::check_waiting_king(&self.chess, &before)?;
        if self.chess.in_check(&before, before.mover()) {
            let name = text::SIDES[before.mover()];
            return Err(TextError::new(format!(
                "{name} cannot have passed, because it was in check"
            )));
        }
        text::check_passed(&self.chess, position)
    }

    fn spans(&self, state: &State) -> Spans {
        self.chess.spans(&state.position, self.chess.promotions())
    }
}

fn small(home: &'static [Kind], promotions: &'static [Kind]) -> Chess {
    Chess::new(home, Setup { promotions, royal: true, kings_fall: false, long_moves: false })
}

/// Returns whether no sequence of moves leads to checkmate: besides the kings, there is at most one
/// knight or bishop, or there are only bishops on cells of one colour.
#[inline]
fn nobody_can_mate(position: &Position) -> bool {
    if [Kind::Pawn, Kind::Rook, Kind::Queen].into_iter().any(|kind| position.kind(kind) != 0) {
        return false;
    }
    const DARK: u64 = 0xaa55_aa55_aa55_aa55;
    let (knights, bishops) = (position.kind(Kind::Knight), position.kind(Kind::Bishop));
    let one = (knights | bishops).count_ones() <= 1;
    one || knights == 0 && (bishops & DARK == 0 || bishops & !DARK == 0)
}

impl Game for Minichess {
    type State = State;
    type Move = Move;

    fn initial_state(&self) -> State {
        self.state(self.chess.start(), self.draws.start())
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
        match mv {
            Move::Step { from, to, promotion } => {
                let fresh = self.chess.play(&mut state.position, from, to, promotion);
                // In Ludii the promotion is a separate ply after the pawn move.
                let first = i8::from(promotion.is_some() && self.draws == Draws::Ludii);
                let clock = if fresh { first } else { state.clock + 1 };
                *state = self.state(state.position, clock);
            }
            Move::Pass => {
                state.position.pass();
                state.clock += 1;
                state.phase = Phase::Passed;
            }
        }
    }

    fn payoff(&self, state: &State, player: usize) -> i32 {
        match state.phase {
            Phase::Mate if player == state.position.mover() => -1,
            Phase::Mate => 1,
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
        let passed = u64::from(state.phase == Phase::Passed);
        Some(state.position.hash(passed << 8 | u64::from(state.clock as u8)))
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
        let mut text = text::write(&self.chess, &state.position);
        if state.clock >= 0 {
            text += &format!(" {}", state.clock);
        }
        if state.phase == Phase::Passed {
            text += &format!(" {}", text::PASSED);
        }
        text
    }

    fn parse_state(&self, text: &str) -> Result<State, TextError> {
        let (position, mut words) = text::read(&self.chess, text)?;
        for side in 0..2 {
            text::check_promoted(&self.chess, &position, side)?;
        }
        let limit = self.draws.limit();
        let what = "the number of plies without a capture or a pawn move";
        let clock = text::read_counter(&mut words, what, limit as u32)?;
        let clock = clock.map_or(self.draws.start(), |clock| clock as i8);
        let mut state = self.state(position, clock);
        if self.draws == Draws::Ludii && text::read_passed(&mut words) {
            state.clock = clock.max(0);
            state.phase = Phase::Passed;
            self.check_stalemate(&position)?;
        } else {
            text::check_waiting_king(&self.chess, &position)?;
            text::read_counter(&mut words, "the move number", u32::MAX)?;
        }
        text::finish(words)?;
        Ok(state)
    }

    fn board_text(&self, state: &State) -> String {
        text::draw(&self.chess, &state.position)
    }
}

static LOS_ALAMOS: Weights<7> = counts::weighed([0.15, 0.47, 0.47, 0.83, 1.44, 0.07, 0.125]);

static GARDNER: Weights<7> = counts::weighed([0.31, 0.74, 0.64, 0.96, 1.63, 0.0, 0.12]);

impl Minichess {
    pub(crate) fn counted(&self, state: &State) -> Vec<Counted> {
        self.weights.named(self.chess.counts(&state.position))
    }
}

impl DomainKnowledge<Minichess> for Minichess {
    fn evaluate(&self, state: &State) -> Option<f32> {
        Some(self.weights.evaluate(self.chess.counts(&state.position)))
    }

    /// Recommends evaluation without playouts, because a random move would often lose a piece.
    fn recommended(&self) -> Recommended {
        Recommended::default().c(0.2).playout_cap(0)
    }
}
