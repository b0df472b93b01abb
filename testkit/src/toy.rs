//! Small games of all kinds as one type.
//!
//! What is generic over games is compiled anew for each of them. A test that has a game of its own,
//! and asks nothing of its type, hands it over as a [`Toy`]: searches of toys are compiled once.

use proofwood::{Game, Outcome, Turn};
use std::any::Any;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// A game whose type is forgotten. Its moves are their numbers in the list of legal moves. Of what
/// a game may say beside its rules it says nothing.
#[derive(Clone)]
pub struct Toy(Arc<dyn Rules>);

/// A position of the game.
pub struct Position(Box<dyn Held>);

/// Forgets the type of a game; answers where it begins, too.
pub fn toy(game: impl Game) -> (Toy, Position) {
    let toy = Toy(Arc::new(game));
    let root = toy.initial_state();
    (toy, root)
}

trait Held: Any + Send + Sync {
    fn copy(&self) -> Position;
}

impl<S: Clone + Send + Sync + 'static> Held for S {
    fn copy(&self) -> Position {
        Position(Box::new(self.clone()))
    }
}

impl Clone for Position {
    fn clone(&self) -> Position {
        (*self.0).copy()
    }
}

trait Rules: Send + Sync {
    fn begin(&self) -> Position;
    fn turn(&self, at: &Position) -> Turn;
    fn moves(&self, at: &Position) -> usize;
    fn play(&self, at: &mut Position, number: usize);
    fn weight(&self, at: &Position, number: usize) -> u32;
    fn payoff(&self, at: &Position, player: usize) -> i32;
    fn hash(&self, at: &Position) -> Option<u64>;
    fn num_players(&self) -> usize;
    fn zero_sum(&self) -> bool;
    fn payoff_range(&self, player: usize) -> RangeInclusive<i32>;
    fn outcome(&self, player: usize, payoff: i32) -> Outcome;
    fn has_chance(&self) -> bool;
}

fn own<G: Game>(at: &Position) -> &G::State {
    let held: &dyn Any = &*at.0;
    held.downcast_ref().expect("a position of this game")
}

fn list<G: Game>(game: &G, at: &Position) -> Vec<G::Move> {
    let mut moves = Vec::new();
    game.legal_moves(own::<G>(at), &mut moves);
    moves
}

impl<G: Game> Rules for G {
    fn begin(&self) -> Position {
        Position(Box::new(self.initial_state()))
    }
    fn turn(&self, at: &Position) -> Turn {
        Game::turn(self, own::<G>(at))
    }
    fn moves(&self, at: &Position) -> usize {
        list(self, at).len()
    }
    fn play(&self, at: &mut Position, number: usize) {
        let mv = list(self, at)[number];
        let held: &mut dyn Any = &mut *at.0;
        Game::play(self, held.downcast_mut().expect("a position of this game"), mv);
    }
    fn weight(&self, at: &Position, number: usize) -> u32 {
        self.chance_weight(own::<G>(at), list(self, at)[number])
    }
    fn payoff(&self, at: &Position, player: usize) -> i32 {
        Game::payoff(self, own::<G>(at), player)
    }
    fn hash(&self, at: &Position) -> Option<u64> {
        Game::hash(self, own::<G>(at))
    }
    fn num_players(&self) -> usize {
        Game::num_players(self)
    }
    fn zero_sum(&self) -> bool {
        Game::zero_sum(self)
    }
    fn payoff_range(&self, player: usize) -> RangeInclusive<i32> {
        Game::payoff_range(self, player)
    }
    fn outcome(&self, player: usize, payoff: i32) -> Outcome {
        Game::outcome(self, player, payoff)
    }
    fn has_chance(&self) -> bool {
        Game::has_chance(self)
    }
}

impl Game for Toy {
    type State = Position;
    type Move = u16;

    fn initial_state(&self) -> Position {
        self.0.begin()
    }
    fn turn(&self, at: &Position) -> Turn {
        self.0.turn(at)
    }
    fn legal_moves(&self, at: &Position, moves: &mut Vec<u16>) {
        moves.extend(0..self.0.moves(at) as u16);
    }
    fn play(&self, at: &mut Position, number: u16) {
        self.0.play(at, number.into());
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
    fn chance_weight(&self, at: &Position, outcome: u16) -> u32 {
        self.0.weight(at, outcome.into())
    }
    fn hash(&self, at: &Position) -> Option<u64> {
        self.0.hash(at)
    }
}
