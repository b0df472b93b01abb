//! A network as the evaluator of a search.

use crate::network::{Layers, Network, Neurons, softmax};
use proofwood::Turn;
use proofwood::evaluate::{Context, Evaluator, NoValue};
use proofwood_games::Planes;
use std::sync::Arc;

/// Evaluates leaves with a network, which also provides priors for the moves.
#[derive(Clone, Debug)]
pub struct ByNetwork {
    network: Arc<Network>,
}

/// The error for a network that belongs to another game or board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the network is for {network}, not for {game}")]
pub struct OtherGame {
    /// The network's game and board.
    pub network: String,
    /// The requested game and board.
    pub game: String,
}

impl ByNetwork {
    /// Creates an evaluator for this game.
    ///
    /// # Errors
    /// Returns an error if the network is for another game or board.
    pub fn new<G: Planes>(
        network: impl Into<Arc<Network>>,
        game: &G,
    ) -> Result<ByNetwork, OtherGame> {
        let network = network.into();
        let shape = (network.board.as_str(), network.inputs, network.outputs);
        if shape != (&game.board(), game.inputs(), game.outputs()) {
            return Err(OtherGame { network: network.board.clone(), game: game.board() });
        }
        Ok(ByNetwork { network })
    }
}

/// Evaluates a position and stores each player's value in `values`.
#[inline]
fn look<G: Planes>(layers: &Layers<'_>, game: &G, state: &G::State, values: &mut [f32]) -> Neurons {
    let mut sums = layers.nothing_on();
    game.look(state, |input| layers.add(&mut sums, input));
    let neurons = layers.think(&sums);
    let mover = match game.turn(state) {
        Turn::Player(mover) => mover,
        _ => 0,
    };
    (values[mover], values[1 - mover]) = (neurons.value, -neurons.value);
    neurons
}

impl<G: Planes> Evaluator<G> for ByNetwork {
    fn evaluate(
        &self,
        state: &mut G::State,
        context: &mut Context<'_, G>,
        values: &mut [f32],
    ) -> Result<(), NoValue> {
        look(&self.network.layers(), context.game, state, values);
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
        let (layers, game) = (self.network.layers(), context.game);
        let neurons = look(&layers, game, state, values);
        for (prior, &mv) in priors.iter_mut().zip(moves) {
            *prior = layers.logit(&neurons, game.output(mv));
        }
        softmax(priors);
        Ok(())
    }
}
