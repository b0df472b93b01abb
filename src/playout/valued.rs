//! Leaves that the user's own code values: one at a time, or many.

use super::batch::Batches;
use super::context::Context;
use super::evaluate::Evaluator;
use super::evaluation::NoValue;
use super::rollout::LeafSource;
use crate::game::Game;

/// Leaves that are valued one at a time: see [`Evaluator`].
#[derive(Debug)]
pub struct Evaluated<E>(pub(crate) E);

impl<G: Game, E: Evaluator<G>> LeafSource<G> for Evaluated<E> {
    const PLAYS_OUT: bool = false;

    #[inline]
    fn evaluate(
        &self,
        state: &mut G::State,
        context: &mut Context<'_, G>,
        values: &mut [f32],
    ) -> Result<(), NoValue> {
        self.0.evaluate(state, context, values)
    }

    #[inline]
    fn has_priors(&self) -> bool {
        self.0.has_priors()
    }

    #[inline]
    fn evaluate_with_priors(
        &self,
        state: &mut G::State,
        moves: &[G::Move],
        context: &mut Context<'_, G>,
        values: &mut [f32],
        priors: &mut [f32],
    ) -> Result<(), NoValue> {
        self.0.evaluate_with_priors(state, moves, context, values, priors)
    }
}

/// Leaves are valued many at a time, but for the root before a search.
impl<G: Game> LeafSource<G> for Batches<G> {
    const PLAYS_OUT: bool = false;

    fn evaluate(
        &self,
        state: &mut G::State,
        context: &mut Context<'_, G>,
        values: &mut [f32],
    ) -> Result<(), NoValue> {
        self.one(state, &[], context, values, &mut [])
    }

    fn has_priors(&self) -> bool {
        self.has_priors
    }

    fn evaluate_with_priors(
        &self,
        state: &mut G::State,
        moves: &[G::Move],
        context: &mut Context<'_, G>,
        values: &mut [f32],
        priors: &mut [f32],
    ) -> Result<(), NoValue> {
        self.one(state, moves, context, values, priors)
    }

    fn batches(&self) -> Option<&Batches<G>> {
        Some(self)
    }
}
