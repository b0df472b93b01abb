//! Calls to a game that are rare, so that they need not be fast. They are compiled for only one
//! type, which represents all games.

use crate::ShortestAnswer;
use proofwood::certificate::{Certificate, Checked, Listed, Refusal};
use proofwood::prover::shortest_win;
use proofwood::rules::{RulesError, RulesReport};
use proofwood::{Budget, Game, ProverConfig, SearchError, check_rules, line_text};
use proofwood_games::{AnyGame, AnyState};
use std::any::Any;
use std::io::BufRead;
use std::sync::Arc;

/// Calls to a game that need not be fast.
pub(crate) trait ColdCalls: Send + Sync {
    /// Checks a certificate about this game, and passes its entries to `tell`.
    fn check(
        &self,
        certificate: Certificate<Box<dyn BufRead>>,
        tell: &mut dyn FnMut(Listed<'_>) -> bool,
    ) -> Result<Checked, Refusal>;
    /// Checks the rules by random play.
    fn check_rules(&self, seed: u64, games: u64) -> Result<RulesReport, RulesError>;
    /// Proves the shortest win of a player from `state` or, if that is not a state of this game's
    /// type, from the position with the text `text`.
    fn shortest_win(
        &self,
        state: &dyn Any,
        text: &dyn Fn() -> String,
        winner: usize,
        config: &ProverConfig,
        budget: &Budget,
    ) -> Result<ShortestAnswer, SearchError>;
    /// Converts the position to a position of [`AnyGame`]. As in
    /// [`shortest_win`](Self::shortest_win), the position is read from `text` if `state` has
    /// another type. Returns `None` if the game is not in the registry.
    fn among_all(
        &self,
        state: &dyn Any,
        text: &dyn Fn() -> String,
    ) -> Option<(Arc<AnyGame>, AnyState)>;
}

/// The game that receives the calls.
///
/// Like other generic code, these calls are compiled for `Arc<G>`, so that nothing needs to be
/// compiled for `G` as well.
pub(crate) struct Cold<G>(pub(crate) Arc<G>);

impl<G: Game> ColdCalls for Cold<G> {
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
        let found = shortest_win(Arc::clone(game), state.clone(), winner, config, budget)?;
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
        let game = (&self.0 as &dyn Any).downcast_ref::<Arc<AnyGame>>()?;
        let state = (&self.own_state(state, text) as &dyn Any).downcast_ref().cloned();
        state.map(|state| (Arc::clone(game), state))
    }
}

impl<G: Game> Cold<G> {
    /// Returns a state of this game, read from its text if `state` is of another type.
    fn own_state(&self, state: &dyn Any, text: &dyn Fn() -> String) -> G::State {
        match state.downcast_ref::<G::State>() {
            Some(state) => state.clone(),
            None => self.0.parse_state(&text()).expect("a position's own text can be read"),
        }
    }
}
