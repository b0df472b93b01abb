//! The ways in which the leaves of a search get their values.

use super::batch::Batches;
use super::evaluate::{Context, Evaluator, NoValue};
use super::rollout::Rollout;
use crate::game::Game;

/// How the leaves of a search get their values: by [`Rollouts`], [`Evaluated`] one at a time, or
/// in [`Batches`].
///
/// The constructors of [`Search`](crate::Search) choose it. Nothing else implements this trait;
/// a [`Rollout`], an [`Evaluator`] or a [`BatchEvaluator`](crate::evaluate::BatchEvaluator) is what
/// you write yourself.
pub trait LeafEvaluation<G: Game>: LeafSource<G> {}

impl<G: Game, L: LeafSource<G>> LeafEvaluation<G> for L {}

/// What a search asks. Public only in name, so nobody outside implements [`LeafEvaluation`].
pub trait LeafSource<G: Game>: Send + Sync + 'static {
    /// Whether leaves are played out. There are no priors and no batches then, so that what
    /// serves those is not compiled, and all values are made of payoffs: they cannot leave their
    /// range. Rollouts that were cut off pay everybody the same, also where payoffs add up to
    /// zero.
    const PLAYS_OUT: bool;

    /// Values one leaf.
    fn evaluate(
        &self,
        state: &mut G::State,
        context: &mut Context<'_, G>,
        values: &mut [f32],
    ) -> Result<(), NoValue>;

    /// Whether leaves get priors.
    #[inline]
    fn has_priors(&self) -> bool {
        false
    }

    /// Values one leaf with its moves, where leaves get priors.
    fn evaluate_with_priors(
        &self,
        state: &mut G::State,
        moves: &[G::Move],
        context: &mut Context<'_, G>,
        values: &mut [f32],
        priors: &mut [f32],
    ) -> Result<(), NoValue>;

    /// The leaves of a search that has them valued many at a time.
    #[inline]
    fn batches(&self) -> Option<&Batches<G>> {
        None
    }
}

/// Leaves that are played out: see [`Rollout`].
#[derive(Debug)]
pub struct Rollouts<R>(pub(crate) R);

impl<G: Game, R: Rollout<G>> LeafSource<G> for Rollouts<R> {
    const PLAYS_OUT: bool = true;

    #[inline(always)]
    fn evaluate(
        &self,
        state: &mut G::State,
        context: &mut Context<'_, G>,
        values: &mut [f32],
    ) -> Result<(), NoValue> {
        self.0.rollout(state, context, values)
    }

    fn evaluate_with_priors(
        &self,
        _: &mut G::State,
        _: &[G::Move],
        _: &mut Context<'_, G>,
        _: &mut [f32],
        _: &mut [f32],
    ) -> Result<(), NoValue> {
        unreachable!("rollouts have no priors")
    }
}

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
