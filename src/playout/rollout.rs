//! Rollouts: games played from a leaf to the end, whose payoffs give the leaf's values.

use super::batch::Batches;
use super::context::Context;
use super::evaluation::NoValue;
use crate::game::{DomainKnowledge, Game, Turn};
use crate::math::Rng;
use crate::rules::random_outcome;
use crate::settings::{Config, MOST_MOVES, PlayoutPolicy};

/// The valuation of the leaves of a search: by [`Rollouts`], `Evaluated` one at a time, or
/// in [`Batches`].
///
/// The constructors of [`Search`](crate::Search) choose it. Nothing else implements this trait;
/// write a [`Rollout`], an [`Evaluator`](crate::evaluate::Evaluator) or a
/// [`BatchEvaluator`](crate::evaluate::BatchEvaluator) instead.
pub trait LeafEvaluation<G: Game>: LeafSource<G> {}

impl<G: Game, L: LeafSource<G>> LeafEvaluation<G> for L {}

/// The methods that a search calls. Public in name only, so that other crates cannot implement
/// [`LeafEvaluation`].
pub trait LeafSource<G: Game>: Send + Sync + 'static {
    /// Whether leaves are played out. Then there are no priors and no batches, whose code is not
    /// compiled, and values cannot leave their range.
    const PLAYS_OUT: bool;

    /// Values one leaf.
    fn evaluate(
        &self,
        state: &mut G::State,
        context: &mut Context<'_, G>,
        values: &mut [f32],
    ) -> Result<(), NoValue>;

    /// Whether leaves have priors.
    #[inline]
    fn has_priors(&self) -> bool {
        false
    }

    /// Values one leaf and its moves, if leaves get priors.
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

    /// The leaves of a search that values them in batches.
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
/// [`Search::with_rollouts`](crate::Search::with_rollouts) takes any. All threads call the same
/// rollout at the same time. An `Arc` or a `Box` of a rollout is also a rollout, as is one of `dyn
/// Rollout<G>`.
///
/// If values come from anything but payoffs, or there are priors, implement
/// [`Evaluator`](crate::evaluate::Evaluator) instead: an evaluator may call rollouts, too.
#[diagnostic::on_unimplemented(
    message = "`{Self}` plays no rollouts of `{G}`",
    note = "for evaluators use `Search::with_evaluator`, for policies `Search::with_rollout_policy`"
)]
pub trait Rollout<G: Game>: Send + Sync + 'static {
    /// Plays on from `state`, which is not needed afterwards, and writes each player's value into
    /// `values`, as [`Context::utility`] computes it from a payoff.
    ///
    /// # Errors
    /// As [`Evaluator::evaluate`](crate::evaluate::Evaluator::evaluate).
    fn rollout(
        &self,
        state: &mut G::State,
        context: &mut Context<'_, G>,
        values: &mut [f32],
    ) -> Result<(), NoValue>;
}

/// Plays a game to its end and takes its payoffs.
///
/// [`Search::new`](crate::Search::new) and
/// [`Search::with_rollout_policy`](crate::Search::with_rollout_policy) create one with the cap of
/// the configuration ([`Config::playout_cap`](crate::Config::playout_cap)). One that you create has
/// its own cap, whatever the configuration.
#[derive(Clone, Copy, Debug)]
pub struct PolicyRollout<P> {
    pub(super) policy: P,
    pub(super) cap: u32,
}

/// Uniformly random playouts.
pub type RandomRollout = PolicyRollout<UniformRandom>;

impl<P> PolicyRollout<P> {
    /// Creates rollouts whose moves `policy` chooses, cut off after `cap` moves. They then get the
    /// value of [`RolloutPolicy::evaluate`], or, if that is `None`, every player is paid 0.
    pub fn new(policy: P, cap: u32) -> PolicyRollout<P> {
        PolicyRollout { policy, cap }
    }
}

/// Rollouts as the configuration sets them, the default
/// ([`Config::playout_policy`](crate::Config::playout_policy),
/// [`Config::playout_cap`](crate::Config::playout_cap)).
#[derive(Clone, Copy, Debug)]
pub struct DefaultRollout {
    pub(super) policy: PlayoutPolicy,
    /// The cap that the user has set.
    pub(super) cap: Option<u32>,
    /// Whether the game may recommend a cap.
    pub(super) asks_game: bool,
}

impl DefaultRollout {
    /// Creates the rollouts of a configuration.
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

/// Each policy has its own loop, so that no move has to check which one it is.
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
    // Always, so that what is constant in a game is constant in the loop that calls it.
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
            // Not between the two questions about the position: what both of them need, the
            // compiler works out once where nothing is written between them.
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

/// Chooses the moves of a playout. An `Arc` or a `Box` of a policy is also a policy, as is one of
/// `dyn RolloutPolicy<G>`.
pub trait RolloutPolicy<G: Game>: Send + Sync + 'static {
    /// Returns a legal move of a position that is not over; `moves` is an empty buffer. `None` ends
    /// the search with an error, as does an illegal move in debug builds.
    fn choose(
        &self,
        game: &G,
        state: &G::State,
        moves: &mut Vec<G::Move>,
        rng: &mut Rng,
    ) -> Option<G::Move>;

    /// Plays a whole playout of up to `cap` moves and returns the number of moves, as
    /// [`choose`](RolloutPolicy::choose) would one after the other. By default it plays none, and
    /// [`choose`](RolloutPolicy::choose) is called for each move. See [`DomainKnowledge::rollout`].
    #[inline]
    fn rollout(&self, game: &G, state: &mut G::State, cap: u32, rng: &mut Rng) -> u32 {
        let _ = (game, state, cap, rng);
        0
    }

    /// Estimates a position that is not over for the side to move, from −1 to 1, when a playout is
    /// cut off; only in two-player zero-sum games if the goal is the winner. With `None`, the
    /// default, every player is paid the same.
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

/// The move that the game knows to be better than a random one ([`DomainKnowledge::rollout_move`]);
/// if it knows none, every legal move is equally likely. A playout that is cut off gets the value
/// of [`DomainKnowledge::evaluate`].
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
