//! Evaluations by hand: what a position is worth at a glance, and which moves look good.
//!
//! They are for games that have one ([`Evaluates`]), and for who wants to see how an evaluator
//! with priors is made. A move's prior is what its position is worth to the other side, one
//! move later: who has a better guess gives that.

use crate::any::{AnyGame, AnyMove, AnyState};
use crate::{ConnectFour, Othello};
use proofwood::{Context, Evaluator, Game, NoValue, Turn};
use std::sync::Arc;

/// A game of two players with zero sum that has an evaluation by hand.
pub trait Evaluates: Game {
    /// How good a position that is not over looks for the side to move, from a loss (−1) to a
    /// win (1).
    fn worth(&self, state: &Self::State) -> f32;
}

/// The evaluator of games that have an evaluation by hand.
///
/// ```
/// use proofwood::{Budget, Config, Game, Search};
/// use proofwood_games::{ByHand, Othello};
///
/// let game = Othello::default();
/// let start = game.initial_state();
/// let mut search = Search::with_evaluator(game, start, Config::default().threads(1), ByHand)?;
/// let report = search.search(&Budget::default().playouts(1000))?;
/// let priors: f64 = report.moves.iter().filter_map(|known| known.prior).sum();
/// assert!((priors - 1.0).abs() < 0.001);
/// # Ok::<(), proofwood::SearchError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct ByHand;

impl<G: Evaluates> Evaluator<G> for ByHand {
    fn evaluate(
        &self,
        state: &mut G::State,
        context: &mut Context<'_, G>,
        values: &mut [f32],
    ) -> Result<(), NoValue> {
        write_values(context.game, state, values);
        Ok(())
    }

    fn has_priors(&self) -> bool {
        true
    }

    fn evaluate_with_priors(
        &self,
        state: &mut G::State,
        moves: &[G::Move],
        context: &mut Context<'_, G>,
        values: &mut [f32],
        priors: &mut [f32],
    ) -> Result<(), NoValue> {
        write_values(context.game, state, values);
        write_priors(context.game, state, moves.iter().copied(), priors);
        Ok(())
    }
}

fn write_values<G: Evaluates>(game: &G, state: &G::State, values: &mut [f32]) {
    let worth = game.worth(state);
    let mover = match game.turn(state) {
        Turn::Player(mover) => mover,
        _ => 0,
    };
    (values[mover], values[1 - mover]) = (worth, -worth);
}

/// What each move is worth one move later, as a softmax.
fn write_priors<G: Evaluates>(
    game: &G,
    state: &G::State,
    moves: impl Iterator<Item = G::Move>,
    priors: &mut [f32],
) {
    /// How much a move that looks better is preferred.
    const SHARPNESS: f32 = 4.0;
    let Turn::Player(mover) = game.turn(state) else { return priors.fill(1.0) };
    for (prior, mv) in priors.iter_mut().zip(moves) {
        let next = game.after(state, mv);
        let worth = match game.turn(&next) {
            Turn::Player(other) if other == mover => game.worth(&next),
            Turn::Player(_) => -game.worth(&next),
            _ => game.payoff(&next, mover).signum() as f32,
        };
        *prior = (SHARPNESS * worth).exp();
    }
}

/// The games that have one, for a program that knows games only by name.
#[derive(Clone, Copy, Debug, Default)]
pub struct AnyByHand;

macro_rules! by_hand {
    ($($Name:ident)+) => {
        impl AnyGame {
            /// Whether the game has an evaluation by hand.
            pub fn has_evaluation(&self) -> bool {
                matches!(self, $(AnyGame::$Name(_))|+)
            }
        }

        impl Evaluator<Arc<AnyGame>> for AnyByHand {
            fn evaluate(
                &self,
                state: &mut AnyState,
                context: &mut Context<'_, Arc<AnyGame>>,
                values: &mut [f32],
            ) -> Result<(), NoValue> {
                match (&**context.game, state) {
                    $((AnyGame::$Name(game), AnyState::$Name(state)) => {
                        write_values::<$Name>(game, state, values);
                    })+
                    _ => return Err(NoEvaluation.into()),
                }
                Ok(())
            }

            fn has_priors(&self) -> bool {
                true
            }

            fn evaluate_with_priors(
                &self,
                state: &mut AnyState,
                moves: &[AnyMove],
                context: &mut Context<'_, Arc<AnyGame>>,
                values: &mut [f32],
                priors: &mut [f32],
            ) -> Result<(), NoValue> {
                match (&**context.game, &*state) {
                    $((AnyGame::$Name(game), AnyState::$Name(state)) => {
                        let own = moves.iter().filter_map(|mv| match mv {
                            AnyMove::$Name(mv) => Some(*mv),
                            _ => None,
                        });
                        write_values::<$Name>(game, state, values);
                        write_priors::<$Name>(game, state, own, priors);
                    })+
                    _ => return Err(NoEvaluation.into()),
                }
                Ok(())
            }
        }
    };
}

by_hand!(ConnectFour Othello);

/// The game has no evaluation by hand.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("this game has no evaluation of its own")]
struct NoEvaluation;
