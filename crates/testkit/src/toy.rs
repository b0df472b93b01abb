//! Wrappers that give all kinds of small games the same type.
//!
//! Code that is generic over games is compiled again for each game. A test that has its own game
//! but does not depend on the game's type wraps the game in a [`Toy`], because searches of toys are
//! compiled only once. For the same reason it wraps its own evaluator in [`Does`].

use proofwood::evaluate::{Context, Evaluator, NoValue};
use proofwood::{DomainKnowledge, Game, Outcome, Recommended, Rng, StaticBound, TextError, Turn};
use std::any::Any;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// A game with an erased type, which forwards all calls.
#[derive(Clone)]
pub struct Toy(Arc<dyn Rules>);

/// A position of the wrapped game, with an erased type.
pub struct Position(Box<dyn Held>);

/// Wraps a game whose moves are numbers; returns it with its initial position.
pub fn toy<G: Game<Move: Number>>(game: G) -> (Toy, Position) {
    made(Known { game, names: Some((G::Move::number, G::Move::of)) })
}

/// Wraps a game whose moves are not numbers. A move becomes its index in the list of legal moves,
/// which is therefore requested more often.
pub fn listed<G: Game>(game: G) -> (Toy, Position) {
    made(Known { game, names: None })
}

fn made<G: Game>(game: Known<G>) -> (Toy, Position) {
    let toy = Toy(Arc::new(game));
    let root = toy.initial_state();
    (toy, root)
}

/// A move that can be converted to a number and back.
pub trait Number: Copy {
    /// Converts the move to a number.
    fn number(self) -> u32;
    /// Converts a number back to the move.
    fn of(number: u32) -> Self;
}

macro_rules! numbers {
    ($($number:ty)*) => {$(
        impl Number for $number {
            fn number(self) -> u32 {
                self.try_into().expect("a small number")
            }
            fn of(number: u32) -> $number {
                number.try_into().expect("a number of a move")
            }
        }
    )*};
}

numbers!(u8 u16 u32 u64 usize);

impl Number for bool {
    fn number(self) -> u32 {
        self.into()
    }
    fn of(number: u32) -> bool {
        number == 1
    }
}

impl<N: Number> Number for Option<N> {
    fn number(self) -> u32 {
        self.map_or(0, |some| some.number() + 1)
    }
    fn of(number: u32) -> Option<N> {
        number.checked_sub(1).map(N::of)
    }
}

impl Number for () {
    fn number(self) -> u32 {
        0
    }
    fn of(_: u32) {}
}

trait Held: Any + Send + Sync {
    fn copy(&self) -> Position;
}

impl<S: Clone + Send + Sync + 'static> Held for S {
    fn copy(&self) -> Position {
        Position::of(self.clone())
    }
}

impl Position {
    /// Wraps a state of the game as a position of the [`Toy`].
    pub fn of(state: impl Clone + Send + Sync + 'static) -> Position {
        Position(Box::new(state))
    }

    /// Returns the wrapped state, which must be of type `S`.
    pub fn state<S: 'static>(&self) -> &S {
        let held: &dyn Any = &*self.0;
        held.downcast_ref().expect("a position of this game")
    }

    /// Returns the wrapped state for modification. It must be of type `S`.
    pub fn state_mut<S: 'static>(&mut self) -> &mut S {
        let held: &mut dyn Any = &mut *self.0;
        held.downcast_mut().expect("a position of this game")
    }
}

impl Clone for Position {
    fn clone(&self) -> Position {
        (*self.0).copy()
    }
}

/// A game and the conversion between its moves and numbers, or no conversion if a move's number is
/// its index in the list of legal moves.
struct Known<G: Game> {
    game: G,
    names: Option<Names<G::Move>>,
}

type Names<M> = (fn(M) -> u32, fn(u32) -> M);

impl<G: Game> Known<G> {
    fn list(&self, at: &Position) -> Vec<G::Move> {
        let mut moves = Vec::new();
        self.game.legal_moves(at.state(), &mut moves);
        moves
    }

    fn number(&self, at: &Position, mv: G::Move) -> u32 {
        match self.names {
            Some((number, _)) => number(mv),
            None => {
                let mut moves = self.list(at).into_iter();
                moves.position(|legal| legal == mv).expect("a legal move") as u32
            }
        }
    }

    fn mv(&self, at: &Position, number: u32) -> G::Move {
        match self.names {
            Some((_, mv)) => mv(number),
            None => self.list(at)[number as usize],
        }
    }

    /// Calls `ask`, which returns a static bound and pushes moves, and converts these moves to
    /// numbers.
    fn ask(
        &self,
        at: &Position,
        numbers: &mut Vec<u32>,
        ask: impl FnOnce(&G::State, &mut Vec<G::Move>) -> StaticBound,
    ) -> StaticBound {
        let mut moves = Vec::new();
        let static_bound = ask(at.state(), &mut moves);
        numbers.extend(moves.into_iter().map(|mv| self.number(at, mv)));
        static_bound
    }
}

/// [`Game`] and [`DomainKnowledge`] with an erased type.
trait Rules: Send + Sync {
    fn initial_state(&self) -> Position;
    fn turn(&self, at: &Position) -> Turn;
    fn legal_moves(&self, at: &Position, numbers: &mut Vec<u32>);
    fn play(&self, at: &mut Position, number: u32);
    fn after(&self, at: &Position, number: u32) -> Position;
    fn payoff(&self, at: &Position, player: usize) -> i32;
    fn num_players(&self) -> usize;
    fn zero_sum(&self) -> bool;
    fn payoff_range(&self, player: usize) -> RangeInclusive<i32>;
    fn outcome(&self, player: usize, payoff: i32) -> Outcome;
    fn has_chance(&self) -> bool;
    fn chance_weight(&self, at: &Position, number: u32) -> u32;
    fn key(&self, at: &Position) -> Option<u64>;
    fn random_move(&self, at: &Position, rng: &mut Rng) -> Option<u32>;
    fn mobility(&self, at: &Position) -> usize;
    fn player_name(&self, player: usize) -> String;
    fn move_text(&self, at: &Position, number: u32) -> String;
    fn parse_move(&self, at: &Position, text: &str) -> Result<u32, TextError>;
    fn split_moves<'t>(&self, text: &'t str) -> Vec<&'t str>;
    fn state_text(&self, at: &Position) -> String;
    fn parse_state(&self, text: &str) -> Result<Position, TextError>;
    fn board_text(&self, at: &Position) -> String;

    fn static_bound(&self, at: &Position, numbers: &mut Vec<u32>) -> StaticBound;
    fn static_bound_for_prover(&self, at: &Position, numbers: &mut Vec<u32>) -> StaticBound;
    fn static_bound_at(&self, at: &Position, least: i32, numbers: &mut Vec<u32>) -> StaticBound;
    fn move_order(&self, at: &Position, number: u32) -> u32;
    fn rollout(&self, at: &mut Position, cap: u32, rng: &mut Rng) -> u32;
    fn rollout_randomly(&self, at: &mut Position, cap: u32, rng: &mut Rng) -> u32;
    fn rollout_move(&self, at: &Position, rng: &mut Rng) -> Option<u32>;
    fn evaluate(&self, at: &Position) -> Option<f32>;
    fn recommended(&self) -> Recommended;
    fn symmetries(&self, at: &Position, images: &mut Vec<Position>);
    fn canonical_key(&self, at: &Position) -> Option<u64>;
}

impl<G: Game> Rules for Known<G> {
    fn initial_state(&self) -> Position {
        Position::of(self.game.initial_state())
    }
    fn turn(&self, at: &Position) -> Turn {
        self.game.turn(at.state())
    }
    fn legal_moves(&self, at: &Position, numbers: &mut Vec<u32>) {
        let moves = self.list(at);
        match self.names {
            Some((number, _)) => numbers.extend(moves.into_iter().map(number)),
            None => numbers.extend(0..moves.len() as u32),
        }
    }
    fn play(&self, at: &mut Position, number: u32) {
        let mv = self.mv(at, number);
        self.game.play(at.state_mut(), mv);
    }
    fn after(&self, at: &Position, number: u32) -> Position {
        Position::of(self.game.after(at.state(), self.mv(at, number)))
    }
    fn payoff(&self, at: &Position, player: usize) -> i32 {
        self.game.payoff(at.state(), player)
    }
    fn num_players(&self) -> usize {
        self.game.num_players()
    }
    fn zero_sum(&self) -> bool {
        self.game.zero_sum()
    }
    fn payoff_range(&self, player: usize) -> RangeInclusive<i32> {
        self.game.payoff_range(player)
    }
    fn outcome(&self, player: usize, payoff: i32) -> Outcome {
        self.game.outcome(player, payoff)
    }
    fn has_chance(&self) -> bool {
        self.game.has_chance()
    }
    fn chance_weight(&self, at: &Position, number: u32) -> u32 {
        self.game.chance_weight(at.state(), self.mv(at, number))
    }
    fn key(&self, at: &Position) -> Option<u64> {
        self.game.key(at.state())
    }
    fn random_move(&self, at: &Position, rng: &mut Rng) -> Option<u32> {
        let mv = self.game.random_move(at.state(), &mut Vec::new(), rng)?;
        Some(self.number(at, mv))
    }
    fn mobility(&self, at: &Position) -> usize {
        self.game.mobility(at.state(), &mut Vec::new())
    }
    fn player_name(&self, player: usize) -> String {
        self.game.player_name(player)
    }
    fn move_text(&self, at: &Position, number: u32) -> String {
        self.game.move_text(at.state(), self.mv(at, number))
    }
    fn parse_move(&self, at: &Position, text: &str) -> Result<u32, TextError> {
        let mv = self.game.parse_move(at.state(), text)?;
        Ok(self.number(at, mv))
    }
    fn split_moves<'t>(&self, text: &'t str) -> Vec<&'t str> {
        self.game.split_moves(text)
    }
    fn state_text(&self, at: &Position) -> String {
        self.game.state_text(at.state())
    }
    fn parse_state(&self, text: &str) -> Result<Position, TextError> {
        self.game.parse_state(text).map(Position::of)
    }
    fn board_text(&self, at: &Position) -> String {
        self.game.board_text(at.state())
    }

    fn static_bound(&self, at: &Position, numbers: &mut Vec<u32>) -> StaticBound {
        self.ask(at, numbers, |state, moves| self.game.knowledge().static_bound(state, moves))
    }
    fn static_bound_for_prover(&self, at: &Position, numbers: &mut Vec<u32>) -> StaticBound {
        self.ask(at, numbers, |state, moves| {
            self.game.knowledge().static_bound_for_prover(state, moves)
        })
    }
    fn static_bound_at(&self, at: &Position, least: i32, numbers: &mut Vec<u32>) -> StaticBound {
        let knowledge = self.game.knowledge();
        self.ask(at, numbers, |state, moves| knowledge.static_bound_at(state, least, moves))
    }
    fn move_order(&self, at: &Position, number: u32) -> u32 {
        self.game.knowledge().move_order(at.state(), self.mv(at, number))
    }
    fn rollout(&self, at: &mut Position, cap: u32, rng: &mut Rng) -> u32 {
        self.game.knowledge().rollout(at.state_mut(), cap, rng)
    }
    fn rollout_randomly(&self, at: &mut Position, cap: u32, rng: &mut Rng) -> u32 {
        self.game.knowledge().rollout_randomly(at.state_mut(), cap, rng)
    }
    fn rollout_move(&self, at: &Position, rng: &mut Rng) -> Option<u32> {
        let mv = self.game.knowledge().rollout_move(at.state(), &mut Vec::new(), rng)?;
        Some(self.number(at, mv))
    }
    fn evaluate(&self, at: &Position) -> Option<f32> {
        self.game.knowledge().evaluate(at.state())
    }
    fn recommended(&self) -> Recommended {
        self.game.knowledge().recommended()
    }
    fn symmetries(&self, at: &Position, images: &mut Vec<Position>) {
        let mut found = Vec::new();
        self.game.knowledge().symmetries(at.state(), &mut found);
        images.extend(found.into_iter().map(Position::of));
    }
    fn canonical_key(&self, at: &Position) -> Option<u64> {
        self.game.knowledge().canonical_key(at.state())
    }
}

/// Forwards every method, so that no method falls back to its default.
#[deny(clippy::missing_trait_methods)]
impl Game for Toy {
    type State = Position;
    /// A move's number, large enough for lists that are longer than allowed.
    type Move = u32;

    fn initial_state(&self) -> Position {
        self.0.initial_state()
    }
    fn turn(&self, at: &Position) -> Turn {
        self.0.turn(at)
    }
    fn legal_moves(&self, at: &Position, moves: &mut Vec<u32>) {
        self.0.legal_moves(at, moves);
    }
    fn play(&self, at: &mut Position, number: u32) {
        self.0.play(at, number);
    }
    fn after(&self, at: &Position, number: u32) -> Position {
        self.0.after(at, number)
    }
    fn payoff(&self, at: &Position, player: usize) -> i32 {
        self.0.payoff(at, player)
    }
    fn num_players(&self) -> usize {
        self.0.num_players()
    }
    fn zero_sum(&self) -> bool {
        self.0.zero_sum()
    }
    fn payoff_range(&self, player: usize) -> RangeInclusive<i32> {
        self.0.payoff_range(player)
    }
    fn outcome(&self, player: usize, payoff: i32) -> Outcome {
        self.0.outcome(player, payoff)
    }
    fn has_chance(&self) -> bool {
        self.0.has_chance()
    }
    fn chance_weight(&self, at: &Position, outcome: u32) -> u32 {
        self.0.chance_weight(at, outcome)
    }
    fn key(&self, at: &Position) -> Option<u64> {
        self.0.key(at)
    }
    fn random_move(&self, at: &Position, _: &mut Vec<u32>, rng: &mut Rng) -> Option<u32> {
        self.0.random_move(at, rng)
    }
    fn mobility(&self, at: &Position, _: &mut Vec<u32>) -> usize {
        self.0.mobility(at)
    }
    fn knowledge(&self) -> impl DomainKnowledge<Self> {
        self
    }
    fn player_name(&self, player: usize) -> String {
        self.0.player_name(player)
    }
    fn move_text(&self, at: &Position, number: u32) -> String {
        self.0.move_text(at, number)
    }
    fn parse_move(&self, at: &Position, text: &str) -> Result<u32, TextError> {
        self.0.parse_move(at, text)
    }
    fn split_moves<'t>(&self, text: &'t str) -> Vec<&'t str> {
        self.0.split_moves(text)
    }
    fn state_text(&self, at: &Position) -> String {
        self.0.state_text(at)
    }
    fn parse_state(&self, text: &str) -> Result<Position, TextError> {
        self.0.parse_state(text)
    }
    fn board_text(&self, at: &Position) -> String {
        self.0.board_text(at)
    }
}

#[deny(clippy::missing_trait_methods)]
impl DomainKnowledge<Toy> for Toy {
    fn static_bound(&self, at: &Position, moves: &mut Vec<u32>) -> StaticBound {
        self.0.static_bound(at, moves)
    }
    fn static_bound_for_prover(&self, at: &Position, moves: &mut Vec<u32>) -> StaticBound {
        self.0.static_bound_for_prover(at, moves)
    }
    fn static_bound_at(&self, at: &Position, at_least: i32, moves: &mut Vec<u32>) -> StaticBound {
        self.0.static_bound_at(at, at_least, moves)
    }
    fn move_order(&self, at: &Position, number: u32) -> u32 {
        self.0.move_order(at, number)
    }
    fn rollout(&self, at: &mut Position, cap: u32, rng: &mut Rng) -> u32 {
        self.0.rollout(at, cap, rng)
    }
    fn rollout_randomly(&self, at: &mut Position, cap: u32, rng: &mut Rng) -> u32 {
        self.0.rollout_randomly(at, cap, rng)
    }
    fn rollout_move(&self, at: &Position, _: &mut Vec<u32>, rng: &mut Rng) -> Option<u32> {
        self.0.rollout_move(at, rng)
    }
    fn evaluate(&self, at: &Position) -> Option<f32> {
        self.0.evaluate(at)
    }
    fn recommended(&self) -> Recommended {
        self.0.recommended()
    }
    fn symmetries(&self, at: &Position, images: &mut Vec<Position>) {
        self.0.symmetries(at, images);
    }
    fn canonical_key(&self, at: &Position) -> Option<u64> {
        self.0.canonical_key(at)
    }
}

type Value =
    dyn Fn(&mut Position, &mut Context<'_, Toy>, &mut [f32]) -> Result<(), NoValue> + Send + Sync;
type Priors = dyn Fn(&Position, &[u32], &mut [f32]) + Send + Sync;

/// An evaluator of toys that calls the test's functions.
pub struct Does {
    value: Box<Value>,
    priors: Option<Box<Priors>>,
}

impl Does {
    /// Creates an evaluator that computes values with a function.
    pub fn new<F>(value: F) -> Does
    where
        F: Fn(&mut Position, &mut Context<'_, Toy>, &mut [f32]) -> Result<(), NoValue>
            + Send
            + Sync
            + 'static,
    {
        Does { value: Box::new(value), priors: None }
    }

    /// Creates an evaluator that returns the value 0 for every player.
    pub fn nothing() -> Does {
        Does::new(|_, _, values| {
            values.fill(0.0);
            Ok(())
        })
    }

    /// Adds priors that a function computes.
    pub fn with_priors<F>(self, priors: F) -> Does
    where
        F: Fn(&Position, &[u32], &mut [f32]) + Send + Sync + 'static,
    {
        Does { priors: Some(Box::new(priors)), ..self }
    }
}

impl Evaluator<Toy> for Does {
    fn evaluate(
        &self,
        at: &mut Position,
        context: &mut Context<'_, Toy>,
        values: &mut [f32],
    ) -> Result<(), NoValue> {
        (self.value)(at, context, values)
    }

    fn has_priors(&self) -> bool {
        self.priors.is_some()
    }

    fn evaluate_with_priors(
        &self,
        at: &mut Position,
        moves: &[u32],
        context: &mut Context<'_, Toy>,
        values: &mut [f32],
        priors: &mut [f32],
    ) -> Result<(), NoValue> {
        if let Some(say) = &self.priors {
            say(at, moves, priors);
        }
        self.evaluate(at, context, values)
    }
}
