//! How playouts choose their moves.

use crate::game::{DomainKnowledge, Game};
use crate::math::Rng;
use std::sync::Arc;

/// Chooses the moves of a playout. An `Arc` or a `Box` of a policy is one, also of
/// `dyn RolloutPolicy<G>`.
pub trait RolloutPolicy<G: Game>: Send + Sync + 'static {
    /// A legal move of a position that is not over; `moves` is an empty buffer. `None` there ends
    /// the search with an error, and so does a move that is not legal in debug builds.
    fn choose(
        &self,
        game: &G,
        state: &G::State,
        moves: &mut Vec<G::Move>,
        rng: &mut Rng,
    ) -> Option<G::Move>;

    /// Plays a whole playout of up to `cap` moves and answers how many it has played, as
    /// [`choose`](RolloutPolicy::choose) would one after the other. By default it plays none, and
    /// [`choose`](RolloutPolicy::choose) is asked for each. See [`DomainKnowledge::rollout`].
    #[inline]
    fn rollout(&self, game: &G, state: &mut G::State, cap: u32, rng: &mut Rng) -> u32 {
        let _ = (game, state, cap, rng);
        0
    }

    /// What a position that is not over looks worth to the side to move, from −1 to 1, where a
    /// playout is cut off; for games of two players with zero sum whose winner is asked for.
    /// `None`, the default, pays everybody alike.
    #[inline]
    fn evaluate(&self, game: &G, state: &G::State) -> Option<f32> {
        let _ = (game, state);
        None
    }
}

/// Passes on what the policy within says.
macro_rules! shared_policy {
    ($($Pointer:ident),*) => {
        $(impl<G: Game, P: RolloutPolicy<G> + ?Sized> RolloutPolicy<G> for $Pointer<P> {
            #[inline]
            fn choose(
                &self,
                game: &G,
                state: &G::State,
                moves: &mut Vec<G::Move>,
                rng: &mut Rng,
            ) -> Option<G::Move> {
                (**self).choose(game, state, moves, rng)
            }

            #[inline]
            fn rollout(&self, game: &G, state: &mut G::State, cap: u32, rng: &mut Rng) -> u32 {
                (**self).rollout(game, state, cap, rng)
            }

            #[inline]
            fn evaluate(&self, game: &G, state: &G::State) -> Option<f32> {
                (**self).evaluate(game, state)
            }
        })*
    };
}

shared_policy!(Arc, Box);

/// Every legal move is equally likely.
#[derive(Clone, Copy, Debug, Default)]
pub struct UniformRandom;

impl<G: Game> RolloutPolicy<G> for UniformRandom {
    #[inline]
    fn choose(
        &self,
        game: &G,
        state: &G::State,
        moves: &mut Vec<G::Move>,
        rng: &mut Rng,
    ) -> Option<G::Move> {
        game.random_move(state, moves, rng)
    }

    #[inline]
    fn rollout(&self, game: &G, state: &mut G::State, cap: u32, rng: &mut Rng) -> u32 {
        game.knowledge().rollout_randomly(state, cap, rng)
    }
}

/// The move that the game knows to be better than a random one ([`DomainKnowledge::rollout_move`]);
/// where it knows none, every legal move is equally likely. Where a playout is cut off it is worth
/// what the game says ([`DomainKnowledge::evaluate`]).
#[derive(Clone, Copy, Debug, Default)]
pub struct Informed;

impl<G: Game> RolloutPolicy<G> for Informed {
    #[inline]
    fn choose(
        &self,
        game: &G,
        state: &G::State,
        moves: &mut Vec<G::Move>,
        rng: &mut Rng,
    ) -> Option<G::Move> {
        let known = game.knowledge().rollout_move(state, moves, rng);
        known.or_else(|| {
            moves.clear();
            game.random_move(state, moves, rng)
        })
    }

    #[inline]
    fn rollout(&self, game: &G, state: &mut G::State, cap: u32, rng: &mut Rng) -> u32 {
        game.knowledge().rollout(state, cap, rng)
    }

    #[inline]
    fn evaluate(&self, game: &G, state: &G::State) -> Option<f32> {
        game.knowledge().evaluate(state)
    }
}
