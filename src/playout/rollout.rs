//! Rollouts: games played from a leaf to the end, whose payoffs give the leaf's values.

use super::batch::Batches;
use super::context::Context;
use super::evaluation::NoValue;
use crate::game::{DomainKnowledge, Game, Turn};
use crate::math::Rng;
use crate::rules::random_outcome;
use crate::settings::{Config, MOST_MOVES, PlayoutPolicy};

/// The method by which a search values its leaves: by [`Rollouts`], or by an evaluator, one at a
/// time (`Evaluated`) or in [`Batches`].
///
/// The constructors of [`Search`](crate::Search) choose it. Nothing else implements this trait;
/// write a [`Rollout`], an [`Evaluator`](crate::evaluate::Evaluator) or a
/// [`BatchEvaluator`](crate::evaluate::BatchEvaluator) instead.
pub trait LeafEvaluation<G: Game>: LeafSource<G> {}

impl<G: Game, L: LeafSource<G>> LeafEvaluation<G> for L {}

/// The methods that a search calls. This trait is public but not exported, so other crates cannot
/// implement [`LeafEvaluation`].
pub trait LeafSource<G: Game>: Send + Sync + 'static {
    /// Whether leaves are valued by rollouts. If so, the code for priors and batches is not
    /// compiled, and values need no check, since they are always in range.
    const PLAYS_OUT: bool;

    /// Writes each player's value of a leaf into `values`.
    fn evaluate(
        &self,
        state: &mut G::State,
        context: &mut Context<'_, G>,
        values: &mut [f32],
    ) -> Result<(), NoValue>;

    /// Returns whether [`evaluate_with_priors`](Self::evaluate_with_priors) writes priors.
    #[inline]
    fn has_priors(&self) -> bool {
        false
    }

    /// Values one leaf and writes a prior for each of its moves, if leaves have priors.
    fn evaluate_with_priors(
        &self,
        _state: &mut G::State,
        _moves: &[G::Move],
        _context: &mut Context<'_, G>,
        _values: &mut [f32],
        _priors: &mut [f32],
    ) -> Result<(), NoValue> {
        unreachable!("rollouts have no priors")
    }

    /// Returns the batches; `None` if the search does not value its leaves in batches.
    #[inline]
    fn batches(&self) -> Option<&Batches<G>> {
        None
    }
}

/// Leaf evaluation by rollouts: see [`Rollout`].
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
}

/// Plays a game from a leaf to its end.
///
/// [`Search::new`](crate::Search::new) and
/// [`Search::with_rollout_policy`](crate::Search::with_rollout_policy) use the library's rollouts;
/// [`Search::with_rollouts`](crate::Search::with_rollouts) accepts any type that implements this
/// trait. All threads call the same rollout concurrently. An `Arc` or a `Box` of a rollout is also
/// a rollout, including `dyn Rollout<G>`.
///
/// If values do not come only from payoffs, or if there are priors, implement
/// [`Evaluator`](crate::evaluate::Evaluator) instead; an evaluator may also call rollouts.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not play rollouts of `{G}`",
    note = "for evaluators, use `Search::with_evaluator`; for policies, \
            `Search::with_rollout_policy`"
)]
pub trait Rollout<G: Game>: Send + Sync + 'static {
    /// Plays on from `state`, which is not needed afterwards, and writes each player's value into
    /// `values`, as [`Context::utility`] computes it from a payoff.
    ///
    /// # Errors
    /// See [`Evaluator::evaluate`](crate::evaluate::Evaluator::evaluate).
    fn rollout(
        &self,
        state: &mut G::State,
        context: &mut Context<'_, G>,
        values: &mut [f32],
    ) -> Result<(), NoValue>;
}

/// Plays a game to its end, with moves from a policy, and converts the payoffs to values.
///
/// [`Search::new`](crate::Search::new) and
/// [`Search::with_rollout_policy`](crate::Search::with_rollout_policy) create one with the cap of
/// the configuration ([`Config::playout_cap`](crate::Config::playout_cap)). A rollout that you
/// create yourself has its own cap, regardless of the configuration.
#[derive(Clone, Copy, Debug)]
pub struct PolicyRollout<P> {
    pub(super) policy: P,
    pub(super) cap: u32,
}

/// A rollout with uniformly random moves.
pub type RandomRollout = PolicyRollout<UniformRandom>;

impl<P> PolicyRollout<P> {
    /// Creates rollouts whose moves `policy` chooses. A rollout is cut off after `cap` moves and
    /// then gets the value of [`RolloutPolicy::evaluate`] or, if there is none, the value of a
    /// payoff of 0 for every player.
    pub fn new(policy: P, cap: u32) -> PolicyRollout<P> {
        PolicyRollout { policy, cap }
    }
}

/// The default rollouts, which follow the configuration
/// ([`Config::playout_policy`](crate::Config::playout_policy),
/// [`Config::playout_cap`](crate::Config::playout_cap)).
#[derive(Clone, Copy, Debug)]
pub struct DefaultRollout {
    pub(super) policy: PlayoutPolicy,
    /// The cap set by the user.
    pub(super) cap: Option<u32>,
    /// Whether the game may recommend a cap.
    pub(super) asks_game: bool,
}

impl DefaultRollout {
    /// Creates rollouts with the policy and the cap of a configuration.
    pub fn of(config: &Config) -> DefaultRollout {
        DefaultRollout {
            policy: config.playout_policy,
            cap: config.playout_cap,
            asks_game: config.asks_game(),
        }
    }

    #[inline]
    fn cap<G: Game>(&self, game: &G) -> u32 {
        let recommended = || game.knowledge().recommended().playout_cap.filter(|_| self.asks_game);
        self.cap.or_else(recommended).unwrap_or(MOST_MOVES)
    }
}

/// Each policy has its own loop, so that the policy is not checked again for each move.
impl<G: Game> Rollout<G> for DefaultRollout {
    #[inline]
    fn rollout(
        &self,
        state: &mut G::State,
        context: &mut Context<'_, G>,
        values: &mut [f32],
    ) -> Result<(), NoValue> {
        let cap = self.cap(context.game);
        match self.policy {
            PlayoutPolicy::Random => {
                PolicyRollout { policy: UniformRandom, cap }.rollout(state, context, values)
            }
            PlayoutPolicy::Informed => {
                PolicyRollout { policy: Informed, cap }.rollout(state, context, values)
            }
        }
    }
}

impl<G: Game, P: RolloutPolicy<G>> Rollout<G> for PolicyRollout<P> {
    // Always inlined, so that the game's constants are also constants in the calling loop.
    #[inline(always)]
    fn rollout(
        &self,
        state: &mut G::State,
        context: &mut Context<'_, G>,
        values: &mut [f32],
    ) -> Result<(), NoValue> {
        /// The number of moves between two checks of the stop flag.
        const LOOK_EVERY: u32 = 64;
        let game = context.game;
        context.moves.clear();
        let played = self.policy.rollout(game, state, self.cap, context.rng);
        for ply in played.saturating_add(1)..=self.cap {
            let mv = match game.turn(state) {
                Turn::Over => {
                    for (player, value) in values.iter_mut().enumerate() {
                        *value = context.utility(player, game.payoff(state, player));
                    }
                    return Ok(());
                }
                Turn::Player(_) => self.policy.choose(game, state, context.moves, context.rng),
                Turn::Chance => random_outcome(game, state, context.moves, context.rng),
            };
            // Cleared here, not between the two calls of the game: without a write between them,
            // the compiler can share the computations that both need.
            context.moves.clear();
            let Some(mv) = mv else { return Err(Self::no_move(game, state)) };
            if cfg!(debug_assertions) && !Self::draws_by_rules() {
                Self::check_legal(game, state, mv)?;
            }
            game.play(state, mv);
            if ply % LOOK_EVERY == 0 && context.stopped() {
                return Err(NoValue::Stopped);
            }
        }
        self.cut_off(state, context, values)
    }
}

/// Chooses a rollout's moves. An `Arc` or a `Box` of a policy, even of a `dyn`, is a policy, too.
pub trait RolloutPolicy<G: Game>: Send + Sync + 'static {
    /// Returns a legal move in a position where the game is not over; `moves` is an empty buffer.
    /// `None` ends the search with an error, as does an illegal move in debug builds.
    fn choose(
        &self,
        game: &G,
        state: &G::State,
        moves: &mut Vec<G::Move>,
        rng: &mut Rng,
    ) -> Option<G::Move>;

    /// Plays up to `cap` moves in one call, as repeated calls of [`choose`](RolloutPolicy::choose)
    /// would, and returns their number. By default it plays none, and `choose` is called for each
    /// move. See [`DomainKnowledge::rollout`].
    #[inline]
    fn rollout(&self, game: &G, state: &mut G::State, cap: u32, rng: &mut Rng) -> u32 {
        let _ = (game, state, cap, rng);
        0
    }

    /// Estimates the value of an unfinished position for the side to move, from −1 to 1. Called
    /// when a rollout of a two-player zero-sum game is cut off and the goal is the winner. With
    /// `None`, the default, the rollout counts as if every player were paid 0.
    #[inline]
    fn evaluate(&self, game: &G, state: &G::State) -> Option<f32> {
        let _ = (game, state);
        None
    }
}

/// Chooses every legal move with equal probability.
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

/// Chooses the move that the game's knowledge recommends ([`DomainKnowledge::rollout_move`]), or a
/// uniformly random move if it recommends none. A rollout that is cut off gets the value of
/// [`DomainKnowledge::evaluate`].
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
