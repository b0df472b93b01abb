//! Implements the traits of user code for `Arc` and `Box`.

use super::batch::{BatchContext, BatchEvaluator, Leaf};
use super::context::Context;
use super::evaluate::Evaluator;
use super::evaluation::NoValue;
use super::rollout::{Rollout, RolloutPolicy};
use crate::game::Game;
use crate::math::Rng;
use std::sync::Arc;

/// Implements a trait for `Arc` and `Box`, by calling the methods of the value that they point to.
macro_rules! through_pointers {
    ($Trait:ident: $(fn $name:ident($($arg:ident: $Type:ty),*) $(-> $Answer:ty)?;)*) => {
        through_pointers!(@ Arc $Trait: $(fn $name($($arg: $Type),*) $(-> $Answer)?;)*);
        through_pointers!(@ Box $Trait: $(fn $name($($arg: $Type),*) $(-> $Answer)?;)*);
    };
    (@ $Pointer:ident $Trait:ident: $(fn $name:ident($($arg:ident: $Type:ty),*) $(-> $Answer:ty)?;)*) => {
        impl<G: Game, T: $Trait<G> + ?Sized> $Trait<G> for $Pointer<T> {
            $(#[inline]
            fn $name(&self, $($arg: $Type),*) $(-> $Answer)? {
                (**self).$name($($arg),*)
            })*
        }
    };
}

through_pointers! { Evaluator:
    fn evaluate(state: &mut G::State, context: &mut Context<'_, G>, values: &mut [f32])
        -> Result<(), NoValue>;
    fn has_priors() -> bool;
    fn evaluate_with_priors(
        state: &mut G::State,
        moves: &[G::Move],
        context: &mut Context<'_, G>,
        values: &mut [f32],
        priors: &mut [f32]
    ) -> Result<(), NoValue>;
}

through_pointers! { Rollout:
    fn rollout(state: &mut G::State, context: &mut Context<'_, G>, values: &mut [f32])
        -> Result<(), NoValue>;
}

through_pointers! { RolloutPolicy:
    fn choose(game: &G, state: &G::State, moves: &mut Vec<G::Move>, rng: &mut Rng)
        -> Option<G::Move>;
    fn rollout(game: &G, state: &mut G::State, cap: u32, rng: &mut Rng) -> u32;
    fn evaluate(game: &G, state: &G::State) -> Option<f32>;
}

through_pointers! { BatchEvaluator:
    fn evaluate_batch(leaves: &mut [Leaf<G>], context: &mut BatchContext<'_, G>)
        -> Result<(), NoValue>;
    fn has_priors() -> bool;
    fn is_function() -> bool;
}
