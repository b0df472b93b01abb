//! What plain recursion says of a position, where it is small enough.

use proofwood::{Game, Outcome, Turn};
use proofwood_testkit::oracle::Solution;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The most positions that recursion may have to solve.
const MOST: usize = 8000;

/// Solves a position of a game in the registry, unless that takes too long.
/// Positions are told apart by their text: the hash that the engine trusts is
/// not trusted here.
pub(crate) fn of_named<G: Game>(game: &Arc<G>, state: &G::State) -> Option<Solution> {
    let game = ByText(Arc::clone(game));
    let state = game.texted(state.clone());
    Solution::within(MOST, &game, &state)
}

/// A game whose positions can be told apart.
struct ByText<G>(Arc<G>);

/// A position with the text that says all about it.
#[derive(Clone)]
struct Texted<S> {
    state: S,
    text: String,
}

impl<S> PartialEq for Texted<S> {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl<S> Eq for Texted<S> {}

impl<S> Hash for Texted<S> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.text.hash(hasher);
    }
}

impl<G: Game> ByText<G> {
    fn texted(&self, state: G::State) -> Texted<G::State> {
        Texted { text: self.0.state_text(&state), state }
    }
}

impl<G: Game> Game for ByText<G> {
    type State = Texted<G::State>;
    type Move = G::Move;

    fn initial_state(&self) -> Self::State {
        self.texted(self.0.initial_state())
    }

    fn turn(&self, state: &Self::State) -> Turn {
        self.0.turn(&state.state)
    }

    fn legal_moves(&self, state: &Self::State, moves: &mut Vec<G::Move>) {
        self.0.legal_moves(&state.state, moves);
    }

    fn play(&self, state: &mut Self::State, mv: G::Move) {
        *state = self.texted(self.0.after(&state.state, mv));
    }

    fn payoff(&self, state: &Self::State, player: usize) -> i32 {
        self.0.payoff(&state.state, player)
    }

    fn num_players(&self) -> usize {
        self.0.num_players()
    }

    fn outcome(&self, player: usize, payoff: i32) -> Outcome {
        self.0.outcome(player, payoff)
    }
}
