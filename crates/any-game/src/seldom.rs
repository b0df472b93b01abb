//! What is seldom asked of a game, and need not be quick: it is compiled for one type that
//! stands for all games, and not for each.

use crate::ShortestAnswer;
use proofwood::certificate::{Certificate, Checked, Listed, Refusal};
use proofwood::{
    Budget, Game, ProverConfig, RulesError, RulesReport, SearchError, check_rules, line_text,
    shortest_win,
};
use proofwood_games::{AnyGame, AnyState};
use std::any::Any;
use std::io::BufRead;
use std::sync::Arc;

/// The questions.
pub(crate) trait AskedSeldom: Send + Sync {
    /// Checks a certificate about this game, and tells what it lists.
    fn check(
        &self,
        certificate: Certificate<Box<dyn BufRead>>,
        tell: &mut dyn FnMut(Listed<'_>) -> bool,
    ) -> Result<Checked, Refusal>;
    /// Checks the rules by random play.
    fn check_rules(&self, seed: u64, games: u64) -> Result<RulesReport, RulesError>;
    /// Proves how soon this player can force a win from `state`; where that is of another type
    /// than the positions of this game, from the position that `text` says.
    fn shortest_win(
        &self,
        state: &dyn Any,
        text: &dyn Fn() -> String,
        winner: usize,
        config: &ProverConfig,
        budget: &Budget,
    ) -> Result<ShortestAnswer, SearchError>;
    /// The position among those of any game; `text` as above. `None` where this is no game
    /// of the registry.
    fn among_all(
        &self,
        state: &dyn Any,
        text: &dyn Fn() -> String,
    ) -> Option<(Arc<AnyGame>, AnyState)>;
}

/// A game of which they are asked.
pub(crate) struct Seldom<G>(pub(crate) G);

impl<G: Game + Clone> AskedSeldom for Seldom<G> {
    fn check(
        &self,
        certificate: Certificate<Box<dyn BufRead>>,
        tell: &mut dyn FnMut(Listed<'_>) -> bool,
    ) -> Result<Checked, Refusal> {
        certificate.check_each(&self.0, tell)
    }

    fn check_rules(&self, seed: u64, games: u64) -> Result<RulesReport, RulesError> {
        check_rules(&self.0, seed, games)
    }

    fn shortest_win(
        &self,
        state: &dyn Any,
        text: &dyn Fn() -> String,
        winner: usize,
        config: &ProverConfig,
        budget: &Budget,
    ) -> Result<ShortestAnswer, SearchError> {
        let game = &self.0;
        let state = self.own_state(state, text);
        let found = shortest_win(game.clone(), state.clone(), winner, config, budget)?;
        Ok(ShortestAnswer {
            winner,
            moves: found.moves,
            more_than: found.more_than,
            pv: line_text(game, &state, &found.line),
            nodes: found.effort.nodes,
            stop_reason: found.stop_reason,
        })
    }

    fn among_all(
        &self,
        state: &dyn Any,
        text: &dyn Fn() -> String,
    ) -> Option<(Arc<AnyGame>, AnyState)> {
        let game = (&self.0 as &dyn Any).downcast_ref::<AnyGame>()?;
        let state = (&self.own_state(state, text) as &dyn Any).downcast_ref().cloned();
        state.map(|state| (Arc::new(game.clone()), state))
    }
}

impl<G: Game> Seldom<G> {
    /// A state of this game; read from its text where it is of another type.
    fn own_state(&self, state: &dyn Any, text: &dyn Fn() -> String) -> G::State {
        match state.downcast_ref::<G::State>() {
            Some(state) => state.clone(),
            None => self.0.parse_state(&text()).expect("a position's own text can be read"),
        }
    }
}
