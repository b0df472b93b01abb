//! Playouts of [`AnyGame`].

use proofwood::Game;
use proofwood::evaluate::{Context, DefaultRollout, NoValue, Rollout};
use proofwood_games::{AnyGame, AnyState, OwnTypes};
use std::sync::Arc;

/// The playouts of [`DefaultRollout`] for [`AnyGame`]. Each is played with the game's own type, so
/// it is as fast as a playout of that game.
#[derive(Clone, Copy, Debug)]
pub struct AnyRollout(DefaultRollout);

impl From<DefaultRollout> for AnyRollout {
    fn from(playout: DefaultRollout) -> AnyRollout {
        AnyRollout(playout)
    }
}

/// Each playout dispatches to the game's type once. With separate calls to [`AnyGame`], it would
/// dispatch three times per move.
impl Rollout<Arc<AnyGame>> for AnyRollout {
    fn rollout(
        &self,
        state: &mut AnyState,
        context: &mut Context<'_, Arc<AnyGame>>,
        values: &mut [f32],
    ) -> Result<(), NoValue> {
        let game = context.game;
        game.with_own_types(state, OnePlayout { playout: self.0, context, values })
    }
}

struct OnePlayout<'p, 'c> {
    playout: DefaultRollout,
    context: &'p mut Context<'c, Arc<AnyGame>>,
    values: &'p mut [f32],
}

impl OwnTypes for OnePlayout<'_, '_> {
    type Output = Result<(), NoValue>;

    fn run<G: Game>(
        self,
        game: &G,
        state: &mut G::State,
        moves: &mut Vec<G::Move>,
    ) -> Result<(), NoValue> {
        let mut context = self.context.with_game(game, moves);
        self.playout.rollout(state, &mut context, self.values)
    }
}
