//! An evaluator whose values and priors are random functions of the position.

use crate::dice::Dice;
use proofwood::evaluate::{BatchContext, BatchEvaluator, Context, Evaluator, Leaf, NoValue};
use proofwood::{Game, Turn};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Random values and priors, determined by the position and a seed.
#[derive(Clone, Copy, Debug)]
pub struct Guesses {
    /// The seed; different seeds yield different values for the same position.
    pub seed: u64,
}

impl Guesses {
    fn dice<S: Hash>(self, state: &S) -> Dice {
        let mut hasher = DefaultHasher::new();
        (self.seed, state).hash(&mut hasher);
        Dice::new(hasher.finish())
    }

    /// Fills in the priors of a position's moves: some are 0, in some positions all of them.
    pub fn priors<S: Hash>(self, state: &S, priors: &mut [f32]) {
        let mut dice = self.dice(state);
        let all = dice.chance(95);
        for prior in priors {
            *prior = if all && dice.chance(80) { dice.below(1000) as f32 } else { 0.0 };
        }
    }
}

impl Guesses {
    fn values<G: Game<State: Hash>>(self, game: &G, state: &G::State, values: &mut [f32]) {
        let mut dice = self.dice(&(state, "values"));
        for value in &mut *values {
            *value = dice.below(2001) as f32 / 1000.0 - 1.0;
        }
        if game.zero_sum() {
            values[1] = -values[0];
        }
    }
}

impl<G: Game<State: Hash>> BatchEvaluator<G> for Guesses {
    fn evaluate_batch(
        &self,
        leaves: &mut [Leaf<G>],
        context: &mut BatchContext<'_, G>,
    ) -> Result<(), NoValue> {
        for leaf in leaves {
            let state = leaf.state().clone();
            self.values(context.game, &state, &mut leaf.values);
            self.priors(&state, &mut leaf.priors);
        }
        Ok(())
    }
}

impl<G: Game<State: Hash>> Evaluator<G> for Guesses {
    fn evaluate(
        &self,
        state: &mut G::State,
        context: &mut Context<'_, G>,
        values: &mut [f32],
    ) -> Result<(), NoValue> {
        assert!(context.game.turn(state) != Turn::Over, "a game that is over has its payoffs");
        self.values(context.game, &*state, values);
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
        let mut legal = Vec::new();
        context.game.legal_moves(state, &mut legal);
        assert!(legal == moves, "the moves are those of the position");
        self.priors(&*state, priors);
        self.evaluate(state, context, values)
    }
}
