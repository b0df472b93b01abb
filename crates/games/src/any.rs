//! A single type for all games.
//!
//! Code that is generic over games is monomorphized for each game, so a program that searches every
//! game under its own type takes minutes to compile. With [`AnyGame`] the search is compiled once,
//! and each call dispatches on the type of the game, which costs a few nanoseconds. If that is long
//! compared to a playout move, use the game's own type.

use crate::counts::Counted;
use crate::{
    Ataxx, Awari, CaptureGo, ChineseCheckers, Clobber, ConnectFour, Domineering, DotsAndBoxes, Ewn,
    Hex, LinesOfAction, Minichess, Minishogi, Mnk, Othello, Oware, PGame, Pig, ReachChess, Reversi,
    Skirmish, Surakarta, Through,
};
use proofwood_game::{
    DomainKnowledge, Game, Outcome, Recommended, Rng, StaticBound, TextError, Turn,
};
use std::cell::Cell;
use std::fmt;
use std::ops::RangeInclusive;
use std::thread::LocalKey;

/// Stores the state of a game in [`AnyState`] without a box; most games use this.
type Plain<S> = S;

/// A thread-local move buffer for one game. It is empty between uses but retains its capacity.
type Buffer<M> = &'static LocalKey<Cell<Vec<M>>>;

/// A computation on a position, generic over the type of the game.
pub trait OwnTypes {
    /// The result of the computation.
    type Output;

    /// Runs the computation. `moves` is an empty scratch buffer.
    fn run<G: Game>(self, game: &G, state: &mut G::State, moves: &mut Vec<G::Move>)
    -> Self::Output;
}

/// Calls `fill` to list moves of the game's own type, and converts them to [`AnyMove`].
fn list<M: Copy, R>(
    buffer: Buffer<M>,
    moves: &mut Vec<AnyMove>,
    any: fn(M) -> AnyMove,
    fill: impl FnOnce(&mut Vec<M>) -> R,
) -> R {
    let mut own = buffer.take();
    let answer = fill(&mut own);
    moves.extend(own.drain(..).map(any));
    buffer.set(own);
    answer
}

fn lend<M, R>(buffer: Buffer<M>, work: impl FnOnce(&mut Vec<M>) -> R) -> R {
    let mut own = buffer.take();
    let answer = work(&mut own);
    own.clear();
    buffer.set(own);
    answer
}

#[cold]
fn foreign() -> ! {
    panic!("a position or a move of one game was passed to another game")
}

macro_rules! any_game {
    ($($Name:ident $Held:ident,)+) => {
        /// A game selected at run time.
        ///
        /// ```
        /// use proofwood::Game;
        /// use proofwood_games::{AnyGame, perft};
        ///
        /// let game = AnyGame::from_spec("othello:6")?;
        /// assert_eq!(perft(&game, &game.initial_state(), 5), 1364);
        /// # Ok::<(), proofwood_games::SpecError>(())
        /// ```
        #[derive(Clone)]
        #[expect(missing_docs, reason = "each is the type of its name")]
        #[expect(clippy::large_enum_variant, reason = "there is one game, and it is not copied")]
        pub enum AnyGame { $($Name($Name),)+ }

        /// A position of any game. The few large ones are boxed, so that the others are cheap to
        /// copy.
        #[derive(Clone)]
        #[expect(missing_docs, reason = "each is a position of the game of its name")]
        pub enum AnyState { $($Name($Held<<$Name as Game>::State>),)+ }

        /// A move of any game in the registry.
        #[derive(Clone, Copy, PartialEq, Eq)]
        #[expect(missing_docs, reason = "each is a move of the game of its name")]
        pub enum AnyMove { $($Name(<$Name as Game>::Move),)+ }

        $(impl From<$Name> for AnyGame {
            fn from(game: $Name) -> AnyGame {
                AnyGame::$Name(game)
            }
        })+

        impl fmt::Debug for AnyGame {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self { $(AnyGame::$Name(game) => fmt::Debug::fmt(game, f),)+ }
            }
        }

        impl fmt::Debug for AnyMove {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self { $(AnyMove::$Name(mv) => fmt::Debug::fmt(mv, f),)+ }
            }
        }

        impl AnyGame {
            /// Runs `work` on a position with the game's own types. This dispatches only once,
            /// whereas the same work on [`AnyGame`] would dispatch in every call.
            pub fn with_own_types<W: OwnTypes>(&self, state: &mut AnyState, work: W) -> W::Output {
                match (self, state) {
                    $((AnyGame::$Name(game), AnyState::$Name(state)) => {
                        thread_local! {
                            static BUFFER: Cell<Vec<<$Name as Game>::Move>> =
                                const { Cell::new(Vec::new()) };
                        }
                        let state: &mut <$Name as Game>::State = state;
                        lend(&BUFFER, |own| work.run(game, state, own))
                    })+
                    _ => foreign(),
                }
            }
        }

        impl Game for AnyGame {
            type State = AnyState;
            type Move = AnyMove;

            fn initial_state(&self) -> AnyState {
                match self { $(AnyGame::$Name(game) => AnyState::$Name(game.initial_state().into()),)+ }
            }

            fn turn(&self, state: &AnyState) -> Turn {
                match (self, state) {
                    $((AnyGame::$Name(game), AnyState::$Name(state)) => game.turn(state),)+
                    _ => foreign(),
                }
            }

            fn legal_moves(&self, state: &AnyState, moves: &mut Vec<AnyMove>) {
                match (self, state) {
                    $((AnyGame::$Name(game), AnyState::$Name(state)) => {
                        thread_local! {
                            static BUFFER: Cell<Vec<<$Name as Game>::Move>> =
                                const { Cell::new(Vec::new()) };
                        }
                        list(&BUFFER, moves, AnyMove::$Name, |own| game.legal_moves(state, own))
                    })+
                    _ => foreign(),
                }
            }

            fn play(&self, state: &mut AnyState, mv: AnyMove) {
                match (self, state, mv) {
                    $((AnyGame::$Name(game), AnyState::$Name(state), AnyMove::$Name(mv)) => {
                        game.play(state, mv)
                    })+
                    _ => foreign(),
                }
            }

            fn payoff(&self, state: &AnyState, player: usize) -> i32 {
                match (self, state) {
                    $((AnyGame::$Name(game), AnyState::$Name(state)) => game.payoff(state, player),)+
                    _ => foreign(),
                }
            }

            fn num_players(&self) -> usize {
                match self { $(AnyGame::$Name(game) => game.num_players(),)+ }
            }

            fn zero_sum(&self) -> bool {
                match self { $(AnyGame::$Name(game) => game.zero_sum(),)+ }
            }

            fn payoff_range(&self, player: usize) -> RangeInclusive<i32> {
                match self { $(AnyGame::$Name(game) => game.payoff_range(player),)+ }
            }

            fn outcome(&self, player: usize, payoff: i32) -> Outcome {
                match self { $(AnyGame::$Name(game) => game.outcome(player, payoff),)+ }
            }

            fn has_chance(&self) -> bool {
                match self { $(AnyGame::$Name(game) => game.has_chance(),)+ }
            }

            fn player_name(&self, player: usize) -> String {
                match self { $(AnyGame::$Name(game) => game.player_name(player),)+ }
            }

            fn chance_weight(&self, state: &AnyState, outcome: AnyMove) -> u32 {
                match (self, state, outcome) {
                    $((AnyGame::$Name(game), AnyState::$Name(state), AnyMove::$Name(outcome)) => {
                        game.chance_weight(state, outcome)
                    })+
                    _ => foreign(),
                }
            }

            fn key(&self, state: &AnyState) -> Option<u64> {
                match (self, state) {
                    $((AnyGame::$Name(game), AnyState::$Name(state)) => game.key(state),)+
                    _ => foreign(),
                }
            }

            fn random_move(
                &self,
                state: &AnyState,
                _: &mut Vec<AnyMove>,
                rng: &mut Rng,
            ) -> Option<AnyMove> {
                match (self, state) {
                    $((AnyGame::$Name(game), AnyState::$Name(state)) => {
                        thread_local! {
                            static BUFFER: Cell<Vec<<$Name as Game>::Move>> =
                                const { Cell::new(Vec::new()) };
                        }
                        lend(&BUFFER, |own| game.random_move(state, own, rng)).map(AnyMove::$Name)
                    })+
                    _ => foreign(),
                }
            }

            fn mobility(&self, state: &AnyState, _: &mut Vec<AnyMove>) -> usize {
                match (self, state) {
                    $((AnyGame::$Name(game), AnyState::$Name(state)) => {
                        thread_local! {
                            static BUFFER: Cell<Vec<<$Name as Game>::Move>> =
                                const { Cell::new(Vec::new()) };
                        }
                        lend(&BUFFER, |own| game.mobility(state, own))
                    })+
                    _ => foreign(),
                }
            }

            fn knowledge(&self) -> impl DomainKnowledge<Self> {
                self
            }

            fn move_text(&self, state: &AnyState, mv: AnyMove) -> String {
                match (self, state, mv) {
                    $((AnyGame::$Name(game), AnyState::$Name(state), AnyMove::$Name(mv)) => {
                        game.move_text(state, mv)
                    })+
                    _ => foreign(),
                }
            }

            fn parse_move(&self, state: &AnyState, text: &str) -> Result<AnyMove, TextError> {
                match (self, state) {
                    $((AnyGame::$Name(game), AnyState::$Name(state)) => game.parse_move(state, text).map(AnyMove::$Name),)+
                    _ => foreign(),
                }
            }

            fn split_moves<'t>(&self, text: &'t str) -> Vec<&'t str> {
                match self { $(AnyGame::$Name(game) => game.split_moves(text),)+ }
            }

            fn state_text(&self, state: &AnyState) -> String {
                match (self, state) {
                    $((AnyGame::$Name(game), AnyState::$Name(state)) => game.state_text(state),)+
                    _ => foreign(),
                }
            }

            fn parse_state(&self, text: &str) -> Result<AnyState, TextError> {
                match self { $(AnyGame::$Name(game) => game.parse_state(text).map(|state| AnyState::$Name(state.into())),)+ }
            }

            fn board_text(&self, state: &AnyState) -> String {
                match (self, state) {
                    $((AnyGame::$Name(game), AnyState::$Name(state)) => game.board_text(state),)+
                    _ => foreign(),
                }
            }
        }

        impl DomainKnowledge<AnyGame> for AnyGame {
            fn static_bound(&self, state: &AnyState, moves: &mut Vec<AnyMove>) -> StaticBound {
                match (self, state) {
                    $((AnyGame::$Name(game), AnyState::$Name(state)) => {
                        thread_local! {
                            static BUFFER: Cell<Vec<<$Name as Game>::Move>> =
                                const { Cell::new(Vec::new()) };
                        }
                        list(&BUFFER, moves, AnyMove::$Name, |own| game.knowledge().static_bound(state, own))
                    })+
                    _ => foreign(),
                }
            }

            fn static_bound_for_prover(&self, state: &AnyState, moves: &mut Vec<AnyMove>) -> StaticBound {
                match (self, state) {
                    $((AnyGame::$Name(game), AnyState::$Name(state)) => {
                        thread_local! {
                            static BUFFER: Cell<Vec<<$Name as Game>::Move>> =
                                const { Cell::new(Vec::new()) };
                        }
                        list(&BUFFER, moves, AnyMove::$Name, |own| game.knowledge().static_bound_for_prover(state, own))
                    })+
                    _ => foreign(),
                }
            }

            fn rollout(&self, state: &mut AnyState, cap: u32, rng: &mut Rng) -> u32 {
                match (self, state) {
                    $((AnyGame::$Name(game), AnyState::$Name(state)) => {
                        game.knowledge().rollout(state, cap, rng)
                    })+
                    _ => foreign(),
                }
            }

            fn rollout_randomly(&self, state: &mut AnyState, cap: u32, rng: &mut Rng) -> u32 {
                match (self, state) {
                    $((AnyGame::$Name(game), AnyState::$Name(state)) => {
                        game.knowledge().rollout_randomly(state, cap, rng)
                    })+
                    _ => foreign(),
                }
            }

            fn rollout_move(
                &self,
                state: &AnyState,
                _: &mut Vec<AnyMove>,
                rng: &mut Rng,
            ) -> Option<AnyMove> {
                match (self, state) {
                    $((AnyGame::$Name(game), AnyState::$Name(state)) => {
                        thread_local! {
                            static BUFFER: Cell<Vec<<$Name as Game>::Move>> =
                                const { Cell::new(Vec::new()) };
                        }
                        lend(&BUFFER, |own| game.knowledge().rollout_move(state, own, rng))
                            .map(AnyMove::$Name)
                    })+
                    _ => foreign(),
                }
            }

            fn static_bound_at(
                &self,
                state: &AnyState,
                at_least: i32,
                moves: &mut Vec<AnyMove>,
            ) -> StaticBound {
                match (self, state) {
                    $((AnyGame::$Name(game), AnyState::$Name(state)) => {
                        thread_local! {
                            static BUFFER: Cell<Vec<<$Name as Game>::Move>> =
                                const { Cell::new(Vec::new()) };
                        }
                        list(&BUFFER, moves, AnyMove::$Name, |own| {
                            game.knowledge().static_bound_at(state, at_least, own)
                        })
                    })+
                    _ => foreign(),
                }
            }

            fn move_order(&self, state: &AnyState, mv: AnyMove) -> u32 {
                match (self, state, mv) {
                    $((AnyGame::$Name(game), AnyState::$Name(state), AnyMove::$Name(mv)) => {
                        game.knowledge().move_order(state, mv)
                    })+
                    _ => foreign(),
                }
            }

            fn evaluate(&self, state: &AnyState) -> Option<f32> {
                match (self, state) {
                    $((AnyGame::$Name(game), AnyState::$Name(state)) => game.knowledge().evaluate(state),)+
                    _ => foreign(),
                }
            }

            fn recommended(&self) -> Recommended {
                match self {
                    $(AnyGame::$Name(game) => game.knowledge().recommended(),)+
                }
            }

            fn symmetries(&self, state: &AnyState, images: &mut Vec<AnyState>) {
                match (self, state) {
                    $((AnyGame::$Name(game), AnyState::$Name(state)) => {
                        let mut own = Vec::new();
                        game.knowledge().symmetries(state, &mut own);
                        images.extend(own.into_iter().map(|state| AnyState::$Name(state.into())));
                    },)+
                    _ => foreign(),
                }
            }

            fn canonical_key(&self, state: &AnyState) -> Option<u64> {
                match (self, state) {
                    $((AnyGame::$Name(game), AnyState::$Name(state)) => game.knowledge().canonical_key(state),)+
                    _ => foreign(),
                }
            }
        }
    };
}

any_game! {
    Ataxx Plain,
    Awari Plain,
    CaptureGo Plain,
    ChineseCheckers Plain,
    Clobber Plain,
    ConnectFour Plain,
    Domineering Plain,
    DotsAndBoxes Plain,
    Ewn Plain,
    Hex Plain,
    LinesOfAction Plain,
    Minichess Plain,
    Minishogi Box,
    Mnk Plain,
    Othello Plain,
    Oware Box,
    PGame Plain,
    Pig Plain,
    ReachChess Plain,
    Reversi Plain,
    Skirmish Plain,
    Surakarta Plain,
    Through Plain,
}

impl AnyGame {
    /// Returns whether the game has a static evaluation ([`DomainKnowledge::evaluate`]).
    pub fn has_evaluation(&self) -> bool {
        self.knowledge().evaluate(&self.initial_state()).is_some()
    }

    /// Returns the features that the static evaluation ([`DomainKnowledge::evaluate`]) counts in a
    /// position that is not over; empty if the evaluation is not based on such features.
    ///
    /// ```
    /// use proofwood::{Game, DomainKnowledge};
    /// use proofwood_games::AnyGame;
    ///
    /// let game = AnyGame::from_spec("othello")?;
    /// let start = game.initial_state();
    /// let sum: f32 = game.counted(&start).iter().map(|part| part.count * part.weight).sum();
    /// assert_eq!(game.evaluate(&start), Some(sum.tanh()));
    /// # Ok::<(), proofwood_games::SpecError>(())
    /// ```
    pub fn counted(&self, state: &AnyState) -> Vec<Counted> {
        match (self, state) {
            (AnyGame::Ataxx(game), AnyState::Ataxx(state)) => game.counted(state),
            (AnyGame::Awari(game), AnyState::Awari(state)) => game.counted(state),
            (AnyGame::LinesOfAction(game), AnyState::LinesOfAction(state)) => game.counted(state),
            (AnyGame::Minichess(game), AnyState::Minichess(state)) => game.counted(state),
            (AnyGame::Minishogi(game), AnyState::Minishogi(state)) => game.counted(state),
            (AnyGame::Othello(game), AnyState::Othello(state)) => game.counted(state),
            (AnyGame::Oware(game), AnyState::Oware(state)) => game.counted(state),
            (AnyGame::Reversi(game), AnyState::Reversi(state)) => game.counted(state),
            (AnyGame::Skirmish(game), AnyState::Skirmish(state)) => game.counted(state),
            (AnyGame::Surakarta(game), AnyState::Surakarta(state)) => game.counted(state),
            (AnyGame::Through(game), AnyState::Through(state)) => game.counted(state),
            _ => Vec::new(),
        }
    }
}
