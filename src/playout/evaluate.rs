//! Evaluators: what a leaf is worth.

use crate::bounds::{Fixed, Interval, Prospect, Span};
use crate::error::{EvaluatorError, ForeignError, GameError, SearchError};
use crate::game::{Game, MAX_PLAYERS, Outcome};
use crate::math::Rng;
use crate::rules::Thresholds;
use crate::settings::Goal;
use crate::sync::{AtomicBool, Ordering};
use std::any::Any;
use std::error::Error;
use std::fmt;
use std::sync::Arc;

/// Values a position that is not over.
///
/// One evaluator serves all threads, which call it at the same time. Without one, leaves are
/// played out ([`Rollout`](crate::evaluate::Rollout)).
///
/// A value is what a player may expect, from −1 to 1. With
/// [`Goal::Outcome`](crate::Goal::Outcome) these are a loss and a win. With
/// [`Goal::Score`](crate::Goal::Score) a value is the average of that outcome and of the
/// payoff's place in its range, in games with chance the place alone, and without a range
/// the outcome alone; [`Context::utility`] makes it of a payoff.
///
/// ```
/// use proofwood::{Budget, Config, Game, Search, Turn};
/// use proofwood::evaluate::{Context, Evaluator, NoValue};
///
/// # struct Sticks(u32);
/// # impl Game for Sticks {
/// #     type State = (u32, usize);
/// #     type Move = u32;
/// #     fn initial_state(&self) -> (u32, usize) { (self.0, 0) }
/// #     fn turn(&self, &(sticks, mover): &(u32, usize)) -> Turn {
/// #         if sticks == 0 { Turn::Over } else { Turn::Player(mover) }
/// #     }
/// #     fn legal_moves(&self, &(sticks, _): &(u32, usize), moves: &mut Vec<u32>) {
/// #         moves.extend(1..=sticks.min(3));
/// #     }
/// #     fn play(&self, state: &mut (u32, usize), taken: u32) {
/// #         *state = (state.0 - taken, 1 - state.1);
/// #     }
/// #     fn payoff(&self, &(_, mover): &(u32, usize), player: usize) -> i32 {
/// #         if player == mover { -1 } else { 1 }
/// #     }
/// #     fn zero_sum(&self) -> bool { true }
/// # }
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
/// What takes long to set up, such as buffers or a connection of each thread's own, stays
/// in [`Context::workspace`]. A search that is told to stop waits for evaluations under
/// way: long ones look at [`Context::stopped`].
///
/// An `Arc` or a `Box` of an evaluator is one, also of `dyn Evaluator<G>`, so many searches share
/// one, and its type may be chosen when the program runs. An evaluator of your own that asks
/// another one answers all of `evaluate`, `has_priors` and `evaluate_with_priors`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an evaluator of `{G}`",
    note = "implement `Evaluator` for it, with the method `evaluate`; closures are none, and \
            playouts go to `Search::with_rollouts`, batches to `Search::with_batches`"
)]
pub trait Evaluator<G: Game>: Send + Sync + 'static {
    /// Writes each player's value, from −1 to 1, into `values`, one for each player. In
    /// games with zero sum they are opposites, to within 0.01. `state` may be played on;
    /// nobody needs it afterwards.
    ///
    /// # Errors
    /// [`NoValue::Stopped`] when it gave up because [`Context::stopped`]; the visit is
    /// then not counted. Any other error ends the search:
    /// [`EvaluatorError::Failed`](crate::error::EvaluatorError) carries it to the caller. So do
    /// values that are not as they should be, and giving up unasked. The tree is sound
    /// afterwards, and can be searched on.
    fn evaluate(
        &self,
        state: &mut G::State,
        context: &mut Context<'_, G>,
        values: &mut [f32],
    ) -> Result<(), NoValue>;

    /// Whether [`evaluate_with_priors`](Evaluator::evaluate_with_priors) says which moves
    /// look good. The search then chooses by PUCT (Silver et al. 2018) in place of UCT, and
    /// a leaf gets its children with its first evaluation. The answer is the same for the
    /// whole search.
    #[inline]
    fn has_priors(&self) -> bool {
        false
    }

    /// The same as [`evaluate`](Evaluator::evaluate), and for each of the legal moves in
    /// `moves` how good it looks, in `priors`: from 0 on and finite, in any unit, as the
    /// search divides them by their sum. Where all are 0 all moves look the same.
    ///
    /// Asked in place of `evaluate` where [`has_priors`](Evaluator::has_priors), but where
    /// chance decides, and where the memory is full.
    ///
    /// # Errors
    /// As [`evaluate`](Evaluator::evaluate); and a prior that is not as it should be is
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

/// Passes on what the evaluator within says.
macro_rules! shared_evaluator {
    ($($Pointer:ident),*) => {
        $(impl<G: Game, E: Evaluator<G> + ?Sized> Evaluator<G> for $Pointer<E> {
            #[inline]
            fn evaluate(
                &self,
                state: &mut G::State,
                context: &mut Context<'_, G>,
                values: &mut [f32],
            ) -> Result<(), NoValue> {
                (**self).evaluate(state, context, values)
            }

            #[inline]
            fn has_priors(&self) -> bool {
                (**self).has_priors()
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
                (**self).evaluate_with_priors(state, moves, context, values, priors)
            }
        })*
    };
}

shared_evaluator!(Arc, Box);

/// Why an evaluator has no value.
///
/// The `?` operator makes one of any error.
#[derive(Debug)]
#[non_exhaustive]
pub enum NoValue {
    /// The search is to stop, which [`Context::stopped`] said.
    Stopped,
    /// The evaluator failed.
    Failed(Box<dyn Error + Send + Sync>),
}

impl<E: Error + Send + Sync + 'static> From<E> for NoValue {
    fn from(error: E) -> NoValue {
        NoValue::Failed(Box::new(error))
    }
}

impl NoValue {
    /// The error that it is for a search which was not told to stop.
    #[cold]
    pub(crate) fn unasked(self) -> SearchError {
        let NoValue::Failed(error) = self else {
            return SearchError::Evaluator(EvaluatorError::GaveUp);
        };
        // A playout meets the game's own faults.
        let error = match error.downcast::<GameError>() {
            Ok(of_game) => return SearchError::Game(*of_game),
            Err(error) => error,
        };
        SearchError::Evaluator(match error.downcast() {
            Ok(known) => *known,
            Err(foreign) => EvaluatorError::Failed(ForeignError::new(foreign)),
        })
    }
}

/// Holds an evaluator's values to what they should be.
pub(crate) fn check_values(values: &[f32], zero_sum: bool) -> Result<(), SearchError> {
    /// Half precision floats have as much room for errors.
    const SLACK: f32 = 0.01;
    // Written so that what is not a number is refused too.
    if let Some(player) = values.iter().position(|value| !(-1.0..=1.0).contains(value)) {
        let error = EvaluatorError::Value { player, value: values[player] };
        return Err(SearchError::Evaluator(error));
    }
    match *values {
        [first, second] if zero_sum && (first + second).abs() > SLACK => {
            Err(SearchError::Evaluator(EvaluatorError::ZeroSum(first, second)))
        }
        _ => Ok(()),
    }
}

/// Makes an evaluator's priors shares of one, and holds them to what they should be.
pub(crate) fn check_priors(priors: &mut [f32]) -> Result<(), SearchError> {
    // Written so that what is not a number is refused too.
    let wrong = |prior: &f32| !(0.0..=f32::MAX).contains(prior);
    if let Some(number) = priors.iter().position(wrong) {
        let error = EvaluatorError::Prior { number, prior: priors[number] };
        return Err(SearchError::Evaluator(error));
    }
    // Numbers whose sum is no float have shares all the same.
    let sum: f64 = priors.iter().map(|&prior| f64::from(prior)).sum();
    let even = 1.0 / priors.len() as f32;
    for prior in priors {
        *prior = if sum > 0.0 { (f64::from(*prior) / sum) as f32 } else { even };
    }
    Ok(())
}

/// What one thread keeps from one evaluation to the next, and from search to search: a
/// value of each type that was asked for.
///
/// ```
/// # use proofwood::Game;
/// # use proofwood::evaluate::Context;
/// # fn evaluate<G: Game>(context: &mut Context<'_, G>) {
/// /// Input of a network.
/// struct Planes(Vec<f32>);
///
/// let planes = context.workspace.get_or_insert_with(|| Planes(vec![0.0; 1024]));
/// planes.0.fill(0.0);
/// # }
/// ```
#[derive(Default)]
pub struct Workspace(Vec<Box<dyn Any + Send>>);

impl Workspace {
    /// This thread's value of the type `T`; `make` makes it at the first call.
    pub fn get_or_insert_with<T: Send + 'static>(&mut self, make: impl FnOnce() -> T) -> &mut T {
        let kept = self.0.iter().position(|value| value.is::<T>());
        let place = kept.unwrap_or_else(|| {
            self.0.push(Box::new(make()));
            self.0.len() - 1
        });
        match self.0[place].downcast_mut() {
            Some(value) => value,
            None => unreachable!("it was found by its type"),
        }
    }
}

impl fmt::Debug for Workspace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Workspace").field("values", &self.0.len()).finish()
    }
}

/// What an evaluator may use: the rules, the worker's random numbers and
/// buffers, and the stop flag.
pub struct Context<'w, G: Game> {
    /// The rules.
    pub game: &'w G,
    /// The worker's own generator.
    pub rng: &'w mut Rng,
    /// A buffer for moves, empty.
    pub moves: &'w mut Vec<G::Move>,
    /// What this thread keeps for its next evaluations.
    pub workspace: &'w mut Workspace,
    pub(crate) utility: &'w Utility,
    pub(crate) stop: &'w AtomicBool,
}

impl<G: Game> fmt::Debug for Context<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context").field("stopped", &self.stopped()).finish_non_exhaustive()
    }
}

impl<G: Game> Context<'_, G> {
    /// Whether the search is to stop: long evaluations poll it and give up.
    #[inline]
    pub fn stopped(&self) -> bool {
        // Relaxed: the flag carries no data with it.
        self.stop.load(Ordering::Relaxed)
    }

    /// The same for another type of rules, where an evaluator of a wrapped game asks that of
    /// the game within; `moves` is an empty buffer of that game.
    #[inline]
    pub fn with_game<'c, H: Game>(
        &'c mut self,
        game: &'c H,
        moves: &'c mut Vec<H::Move>,
    ) -> Context<'c, H> {
        let Context { rng, workspace, utility, stop, .. } = self;
        Context { game, rng, moves, workspace, utility, stop }
    }

    /// What a payoff is worth to a player in the unit of the search, −1 to 1.
    #[inline]
    pub fn utility(&self, player: usize, payoff: i32) -> f32 {
        self.utility.of(player, payoff)
    }
}

/// How payoffs become values: the outcome as +1, 0 or −1, and when the score
/// is asked for the average of that and of the payoff's place in its range. With
/// chance it is the place alone, because the mean of the values must be that of
/// the payoffs.
#[derive(Clone, Debug)]
pub(crate) struct Utility {
    pub(super) goal: Goal,
    chance: bool,
    thresholds: [Thresholds; MAX_PLAYERS],
    ranges: [Interval; MAX_PLAYERS],
}

impl Utility {
    pub(crate) fn new(
        goal: Goal,
        chance: bool,
        thresholds: [Thresholds; MAX_PLAYERS],
        ranges: [Interval; MAX_PLAYERS],
    ) -> Utility {
        Utility { goal, chance, thresholds, ranges }
    }

    #[inline]
    pub(crate) fn of(&self, player: usize, payoff: i32) -> f32 {
        self.value(player, self.thresholds[player].outcome(payoff), payoff.into())
    }

    #[inline]
    fn value(&self, player: usize, outcome: Outcome, payoff: f64) -> f32 {
        let outcome = self.of_outcome(outcome);
        match self.place(player, payoff) {
            None => outcome,
            Some(place) if self.chance => place,
            Some(place) => (outcome + place) / 2.0,
        }
    }

    /// The least and the greatest value to a player for whom these outcomes and (expected)
    /// payoffs are left.
    pub(crate) fn between(&self, player: usize, outcomes: Prospect, payoffs: Span) -> [f64; 2] {
        let Thresholds { draw, win } = self.thresholds[player];
        let Interval { lower, upper } = self.ranges[player];
        let pays_outcomes = (draw, win) == (Some(0), Some(1)) && lower >= -1 && upper <= 1;
        let ends = [(outcomes.worst, payoffs.lower), (outcomes.best, payoffs.upper)];
        let [(least, low), (most, high)] = ends.map(|(outcome, payoff)| {
            (self.value(player, outcome, payoff.to_f64()).into(), payoff.to_f64())
        });
        // Then the mean of outcomes is that of payoffs.
        if self.chance && self.goal == Goal::Outcome && pays_outcomes {
            return [low.max(least), high.min(most)];
        }
        [least, most]
    }

    /// What an expected payoff is worth.
    pub(crate) fn of_mean(&self, player: usize, payoff: Fixed) -> f32 {
        let place = self.place(player, payoff.to_f64()).filter(|_| self.chance);
        place.unwrap_or_else(|| self.of(player, payoff.floor()))
    }

    /// A payoff's place in its range, −1 to 1, if that counts.
    #[inline]
    fn place(&self, player: usize, payoff: f64) -> Option<f32> {
        let Interval { lower, upper } = self.ranges[player];
        let unbounded = lower == i32::MIN || upper == i32::MAX || lower >= upper;
        if self.goal == Goal::Outcome || unbounded {
            return None;
        }
        let (lower, upper) = (f64::from(lower), f64::from(upper));
        // A playout that was cut off may pay what the game itself never does.
        let payoff = payoff.clamp(lower, upper);
        Some((2.0 * (payoff - lower) / (upper - lower) - 1.0) as f32)
    }

    #[inline]
    pub(crate) fn of_outcome(&self, outcome: Outcome) -> f32 {
        outcome.value() as f32
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn no_payoff_is_worth_more_than_a_win_or_less_than_a_loss() {
        let ranges = [Interval { lower: -36, upper: 36 }; MAX_PLAYERS];
        let thresholds = [Thresholds { draw: Some(0), win: Some(1) }; MAX_PLAYERS];
        for goal in [Goal::Outcome, Goal::Score] {
            let utility = Utility::new(goal, false, thresholds, ranges);
            for (payoff, worth) in [(i32::MIN, -1.0), (-36, -1.0), (36, 1.0), (i32::MAX, 1.0)] {
                assert_eq!(utility.of(0, payoff), worth, "{goal:?} {payoff}");
            }
            assert_eq!(utility.of(0, 0), 0.0);
        }
    }
}
