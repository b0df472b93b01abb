//! Static evaluation as an evaluator with priors.
//!
//! The evaluator works for games with [`DomainKnowledge::evaluate`], and is also an example of how
//! to write an evaluator with priors. A move's prior is derived from the static evaluation of the
//! position after the move, from the point of view of the side that plays it. Replace this estimate
//! if you have a better one.

use proofwood::evaluate::{Context, Evaluator, NoValue};
use proofwood::{DomainKnowledge, Game, Turn};

/// An evaluator that returns the game's static evaluation, and priors derived from it.
///
/// ```
/// use proofwood::{Budget, Config, Game, Search};
/// use proofwood_any_game::ByHand;
/// use proofwood_games::Othello;
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

impl<G: Game> Evaluator<G> for ByHand {
    fn evaluate(
        &self,
        state: &mut G::State,
        context: &mut Context<'_, G>,
        values: &mut [f32],
    ) -> Result<(), NoValue> {
        write_values(context.game, state, values)
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
        write_values(context.game, state, values)?;
        write_priors(context.game, state, moves, priors)
    }
}

fn worth<G: Game>(game: &G, state: &G::State) -> Result<f32, NoValue> {
    game.knowledge().evaluate(state).ok_or_else(|| NoEvaluation.into())
}

fn write_values<G: Game>(game: &G, state: &G::State, values: &mut [f32]) -> Result<(), NoValue> {
    let worth = worth(game, state)?;
    let mover = match game.turn(state) {
        Turn::Player(mover) => mover,
        _ => 0,
    };
    (values[mover], values[1 - mover]) = (worth, -worth);
    Ok(())
}

/// Computes the priors of the moves: a softmax of the static evaluations after them.
fn write_priors<G: Game>(
    game: &G,
    state: &G::State,
    moves: &[G::Move],
    priors: &mut [f32],
) -> Result<(), NoValue> {
    /// The inverse temperature of the softmax.
    const SHARPNESS: f32 = 4.0;
    let Turn::Player(mover) = game.turn(state) else {
        priors.fill(1.0);
        return Ok(());
    };
    for (prior, &mv) in priors.iter_mut().zip(moves) {
        let next = game.after(state, mv);
        let worth = match game.turn(&next) {
            Turn::Player(other) if other == mover => worth(game, &next)?,
            Turn::Player(_) => -worth(game, &next)?,
            _ => game.payoff(&next, mover).signum() as f32,
        };
        *prior = (SHARPNESS * worth).exp();
    }
    Ok(())
}

#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("this game has no static evaluation")]
struct NoEvaluation;
