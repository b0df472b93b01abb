//! Evaluators, which value leaves.

use super::batch::Batches;
use super::context::Context;
use super::evaluation::NoValue;
use super::rollout::LeafSource;
use crate::game::Game;
use std::fmt;

/// Values a position that is not over.
///
/// One evaluator serves all threads, which call it concurrently. A search without an evaluator
/// values leaves by rollouts ([`Rollout`](crate::evaluate::Rollout)).
///
/// A value is a player's expected result, from −1 (a loss) to 1 (a win). With
/// [`Goal::Score`](crate::Goal::Score) it is the average of the outcome and of the payoff's place
/// in its range; in games with chance it is only the place, and without a range only the outcome.
/// [`Context::utility`] computes it from a payoff.
///
/// ```
/// use proofwood::{Budget, Config, Search};
/// use proofwood::evaluate::{Context, Evaluator, NoValue};
///
/// # use proofwood_testkit::sticks::Sticks;
/// /// The mover of the game of sticks has the better chances, but for a multiple of four.
/// struct Fourths;
///
/// impl Evaluator<Sticks> for Fourths {
///     fn evaluate(
///         &self,
///         &mut (sticks, mover): &mut (u32, usize),
///         _: &mut Context<'_, Sticks>,
///         values: &mut [f32],
///     ) -> Result<(), NoValue> {
///         let chances = if sticks % 4 == 0 { -0.5 } else { 0.5 };
///         (values[mover], values[1 - mover]) = (chances, -chances);
///         Ok(())
///     }
/// }
///
/// let mut search = Search::with_evaluator(Sticks(13), (13, 0), Config::default(), Fourths)?;
/// assert_eq!(search.search(&Budget::default().playouts(1000))?.best_move, Some(1));
/// # Ok::<(), proofwood::SearchError>(())
/// ```
///
/// Anything that takes long to set up, such as buffers or a connection for each thread, belongs in
/// [`Context::workspace`]. A search that is stopped waits for evaluations in progress, so long
/// evaluations should poll [`Context::stopped`].
///
/// An `Arc` or a `Box` of an evaluator is also an evaluator, including `dyn Evaluator<G>`, so that
/// several searches can share it and its type can be chosen at run time. An evaluator that wraps
/// another must forward `evaluate`, `has_priors` and `evaluate_with_priors`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an evaluator of `{G}`",
    note = "implement `Evaluator` for it, with the method `evaluate`; for playouts, use \
            `Search::with_rollouts`; for batches, `Search::with_batches`"
)]
pub trait Evaluator<G: Game>: Send + Sync + 'static {
    /// Writes a value from −1 to 1 for each player into `values`. In two-player zero-sum games, the
    /// two values must be opposite, to within 0.01. `state` may be modified, since it is not used
    /// afterwards.
    ///
    /// # Errors
    /// [`NoValue::Stopped`] if the evaluator gave up because [`Context::stopped`] returned `true`;
    /// the visit is then not counted. Any other error ends the search and reaches the caller as
    /// [`EvaluatorError::Failed`](crate::error::EvaluatorError). Invalid values, or giving up
    /// without having been stopped, also end the search. The tree remains consistent, and the
    /// search can be continued.
    fn evaluate(
        &self,
        state: &mut G::State,
        context: &mut Context<'_, G>,
        values: &mut [f32],
    ) -> Result<(), NoValue>;

    /// Returns whether [`evaluate_with_priors`](Evaluator::evaluate_with_priors) returns priors. If
    /// so, the search selects by PUCT (Silver et al. 2018) instead of UCT, and a leaf gets its
    /// children with its first evaluation. The result must stay the same during the whole search.
    #[inline]
    fn has_priors(&self) -> bool {
        false
    }

    /// Like [`evaluate`](Evaluator::evaluate), but also writes a prior for each of the legal moves
    /// in `moves` into `priors`: finite and at least 0, in any unit, since the search divides them
    /// by their sum. If all are 0, all moves get the same prior.
    ///
    /// Called instead of `evaluate` if [`has_priors`](Evaluator::has_priors) returns `true`, except
    /// at chance nodes and when the memory is full.
    ///
    /// # Errors
    /// The errors of [`evaluate`](Evaluator::evaluate); and for an invalid prior,
    /// [`EvaluatorError::Prior`](crate::error::EvaluatorError).
    fn evaluate_with_priors(
        &self,
        state: &mut G::State,
        moves: &[G::Move],
        context: &mut Context<'_, G>,
        values: &mut [f32],
        priors: &mut [f32],
    ) -> Result<(), NoValue> {
        let _ = moves;
        priors.fill(1.0);
        self.evaluate(state, context, values)
    }
}

impl<G: Game> fmt::Debug for Context<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context").field("stopped", &self.stopped()).finish_non_exhaustive()
    }
}

impl<G: Game> Context<'_, G> {
    /// Returns the same context for a different game, so that an evaluator of a wrapped game can
    /// call an evaluator of the inner game. `moves` is an empty buffer for moves of that game.
    #[inline]
    pub fn with_game<'c, H: Game>(
        &'c mut self,
        game: &'c H,
        moves: &'c mut Vec<H::Move>,
    ) -> Context<'c, H> {
        let Context { rng, workspace, utility, stop, .. } = self;
        Context { game, rng, moves, workspace, utility, stop }
    }
}

/// Evaluation of leaves one at a time: see [`Evaluator`].
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

/// Only the root is valued alone, before a search; all other leaves are valued in batches.
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
