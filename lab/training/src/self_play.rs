//! Games of the engine against itself, and the training examples from them.

use crate::learn::Lesson;
use proofwood::evaluate::{Context, DefaultRollout, Evaluator, NoValue, Rollout};
use proofwood::{Budget, Config, Report, Rng, Search, SearchError, Turn, Value};
use proofwood_games::Planes;
use proofwood_nets::ByNetwork;
use std::sync::Arc;

/// The evaluator of leaves: playouts in the first generation, the network in later ones. One type
/// serves for both, so that the search is compiled only once.
#[derive(Clone)]
pub(crate) enum Teacher {
    Playouts(DefaultRollout),
    Network(ByNetwork),
}

impl<G: Planes> Evaluator<G> for Teacher {
    fn evaluate(
        &self,
        state: &mut G::State,
        context: &mut Context<'_, G>,
        values: &mut [f32],
    ) -> Result<(), NoValue> {
        match self {
            Teacher::Playouts(playout) => playout.rollout(state, context, values),
            Teacher::Network(network) => network.evaluate(state, context, values),
        }
    }

    fn has_priors(&self) -> bool {
        matches!(self, Teacher::Network(_))
    }

    fn evaluate_with_priors(
        &self,
        state: &mut G::State,
        moves: &[G::Move],
        context: &mut Context<'_, G>,
        values: &mut [f32],
        priors: &mut [f32],
    ) -> Result<(), NoValue> {
        match self {
            Teacher::Playouts(playout) => {
                priors.fill(1.0);
                playout.rollout(state, context, values)
            }
            Teacher::Network(network) => {
                network.evaluate_with_priors(state, moves, context, values, priors)
            }
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Terms {
    pub(crate) playouts: u64,
    /// The maximum number of random moves before a game.
    pub(crate) random_moves: u32,
}

/// The weight of the next position's value in a position's own value, as in TD(λ) (Sutton 1988).
/// The remaining weight is that of the mean of the position's own search. A proven value is used
/// unchanged.
const LAMBDA: f32 = 0.8;

/// The number of moves at the beginning of a game that are drawn with probabilities proportional to
/// their visits, as in AlphaZero.
const DRAWN_MOVES: u32 = 12;

/// Plays a game and returns the training examples of its positions. The seed determines the game.
pub(crate) fn play<G: Planes>(
    game: &Arc<G>,
    teacher: &Teacher,
    terms: Terms,
    seed: u64,
) -> Result<Vec<Lesson>, SearchError> {
    let config = Config::default().threads(1).memory(32 << 20).seed(seed).noise(0.25);
    let config = config.temperature(1.0).temperature_moves(DRAWN_MOVES);
    let start = opening(game, terms.random_moves, &mut Rng::new(seed));
    let mut search = Search::with_evaluator(Arc::clone(game), start, config, teacher.clone())?;
    let budget = Budget::default().playouts(terms.playouts);
    let mut seen = Vec::new();
    while let Turn::Player(mover) = game.turn(search.position()) {
        let report = search.search(&budget)?;
        let Some(best) = report.best_move else { break };
        let (value, is_proven) = value(&report);
        let mut lesson = Lesson { inputs: Vec::new(), policy: policy(&**game, &report), value };
        game.look(search.position(), |input| lesson.inputs.push(input as u16));
        seen.push((mover, is_proven, lesson));
        search.advance(best)?;
    }
    let end = search.position();
    let mut later = game.outcome(0, game.payoff(end, 0)).value() as f32;
    for (mover, is_proven, lesson) in seen.iter_mut().rev() {
        let sign = if *mover == 0 { 1.0 } else { -1.0 };
        if !*is_proven {
            lesson.value = (1.0 - LAMBDA) * lesson.value + LAMBDA * sign * later;
        }
        later = sign * lesson.value;
    }
    // A position with a single move would only repeat the example of the next position.
    let lessons = seen.into_iter().map(|(_, _, lesson)| lesson);
    Ok(lessons.filter(|lesson| lesson.policy.len() > 1).collect())
}

/// A position that is not over, after at most `most` random moves.
fn opening<G: Planes>(game: &G, most: u32, rng: &mut Rng) -> G::State {
    let (mut state, mut moves) = (game.initial_state(), Vec::new());
    for _ in 0..rng.below(most + 1) {
        moves.clear();
        game.legal_moves(&state, &mut moves);
        let after = game.after(&state, moves[rng.below(moves.len() as u32) as usize]);
        if game.turn(&after) == Turn::Over {
            break;
        }
        state = after;
    }
    state
}

/// The root's value for the side to move according to a search's report, and whether it is proven.
fn value<G: Planes>(report: &Report<Arc<G>>) -> (f32, bool) {
    match report.proven {
        Value::Win => (1.0, true),
        Value::Draw => (0.0, true),
        Value::Loss => (-1.0, true),
        _ => (report.mean.unwrap_or(0.0) as f32, false),
    }
}

/// The share of each move: its share of the visits or, if a win or a draw is proven, an equal share
/// for each move that is proven to keep that value.
fn policy<G: Planes>(game: &G, report: &Report<Arc<G>>) -> Vec<(u16, f32)> {
    let keeps = matches!(report.proven, Value::Win | Value::Draw);
    let weight = |known: &proofwood::MoveReport<G::Move>| match keeps {
        true => f32::from(u8::from(known.proven == report.proven)),
        false => known.visits as f32,
    };
    let all: f32 = report.moves.iter().map(weight).sum();
    let even = 1.0 / report.moves.len() as f32;
    let share = |known| if all > 0.0 { weight(known) / all } else { even };
    report.moves.iter().map(|known| (game.output(known.mv) as u16, share(known))).collect()
}
