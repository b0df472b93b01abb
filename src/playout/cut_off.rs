//! Rollouts that are cut off, and errors of the policies that choose their moves.

use super::context::Context;
use super::evaluation::NoValue;
use super::rollout::{
    DefaultRollout, Informed, PolicyRollout, RandomRollout, RolloutPolicy, UniformRandom,
};
use crate::error::{EvaluatorError, GameError};
use crate::game::{Game, Turn};
use crate::settings::{Goal, PlayoutPolicy};
use crate::threads::{Event, count};
use std::any::{TypeId, type_name};

impl<P: 'static> PolicyRollout<P> {
    /// Computes the values of a rollout that has reached its cap.
    // Always inlined, for the same reason as `rollout`.
    #[inline(always)]
    pub(super) fn cut_off<G: Game>(
        &self,
        state: &G::State,
        context: &mut Context<'_, G>,
        values: &mut [f32],
    ) -> Result<(), NoValue>
    where
        P: RolloutPolicy<G>,
    {
        let game = context.game;
        let turn = game.turn(state);
        let over = turn == Turn::Over;
        if !over {
            count(Event::CutOff);
        }
        // If the goal is the score, values are computed from payoffs only.
        if let (Turn::Player(mover), [_, _], Goal::Outcome) = (turn, &*values, context.utility.goal)
            && let Some(worth) = self.policy.evaluate(game, state)
        {
            // Written so that NaN is refused, too.
            if !(-1.0..=1.0).contains(&worth) {
                return Err(EvaluatorError::Value { player: mover, value: worth }.into());
            }
            (values[mover], values[1 - mover]) = (worth, -worth);
            return Ok(());
        }
        for (player, value) in values.iter_mut().enumerate() {
            let payoff = if over { game.payoff(state, player) } else { 0 };
            *value = context.utility(player, payoff);
        }
        Ok(())
    }

    /// Returns whether the game itself draws the moves.
    pub(super) fn draws_by_rules() -> bool {
        [TypeId::of::<UniformRandom>(), TypeId::of::<Informed>()].contains(&TypeId::of::<P>())
    }

    /// Returns the error for a policy that chose no move, or a chance node without outcomes.
    #[cold]
    pub(super) fn no_move<G: Game>(game: &G, state: &G::State) -> NoValue {
        let mut moves = Vec::new();
        game.legal_moves(state, &mut moves);
        match game.turn(state) {
            Turn::Chance => GameError::NoOutcome.into(),
            _ if moves.is_empty() => GameError::NoMoves.into(),
            _ if Self::draws_by_rules() => GameError::NoRandomMove.into(),
            _ => EvaluatorError::NoMove { policy: type_name::<P>() }.into(),
        }
    }

    /// Checks that a user-defined policy's move is legal. Slow, because it lists the moves.
    pub(super) fn check_legal<G: Game>(
        game: &G,
        state: &G::State,
        mv: G::Move,
    ) -> Result<(), NoValue> {
        let mut legal = Vec::new();
        if game.turn(state) != Turn::Chance {
            game.legal_moves(state, &mut legal);
            if !legal.contains(&mv) {
                let (policy, mv) = (type_name::<P>(), format!("{mv:?}"));
                return Err(EvaluatorError::IllegalMove { policy, mv }.into());
            }
        }
        Ok(())
    }
}

impl From<RandomRollout> for DefaultRollout {
    fn from(playout: RandomRollout) -> DefaultRollout {
        let PolicyRollout { policy: UniformRandom, cap } = playout;
        let policy = PlayoutPolicy::Random;
        DefaultRollout { policy, cap: Some(cap), asks_game: false }
    }
}
