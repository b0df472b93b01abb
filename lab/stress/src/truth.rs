//! Exact solutions of small positions, and the comparison of reports with them.

use crate::knowing::{Knowing, Sided};
use proofwood::{Config, Game, Goal, Outcome, Report, StopReason, Turn, Value};
use proofwood_testkit::check::{check_claims, check_means};
use proofwood_testkit::expectimax;
use proofwood_testkit::oracle::Solution;
use proofwood_testkit::random_game::{Path, RandomGame};
use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

pub(crate) enum Truth {
    Unknown,
    /// The outcome that each player can secure.
    Secured(Solution),
    /// Expected payoffs, in games with chance.
    Means(expectimax::Solution),
}

/// Computes exact solutions of a game's positions.
pub(crate) trait Oracle<S> {
    fn truth(&self, state: &S) -> Truth;

    /// Whether a player can force a win within `moves` moves; false if that cannot be computed.
    fn is_won_within(&self, state: &S, moves: u32) -> bool;
}

impl Oracle<Sided> for Knowing {
    fn truth(&self, state: &Sided) -> Truth {
        match self.has_chance() {
            true => Truth::Means(expectimax::Solution::of(&self.game, &state.path)),
            false => Truth::Secured(Solution::of(&self.game, &state.path)),
        }
    }

    fn is_won_within(&self, state: &Sided, moves: u32) -> bool {
        let mut seen = HashMap::new();
        (0..self.num_players())
            .any(|winner| wins_within(&self.game, &state.path, winner, moves, &mut seen))
    }
}

/// Whether `winner` can force a win within `moves` moves. Stores the answer for each position and
/// number of moves; the stored answers are for one winner only.
fn wins_within(
    game: &RandomGame,
    at: &Path,
    winner: usize,
    left: u32,
    seen: &mut HashMap<(Path, usize, u32), bool>,
) -> bool {
    if let Some(&known) = seen.get(&(*at, winner, left)) {
        return known;
    }
    let mut moves = Vec::new();
    let wins = match game.turn(at) {
        Turn::Over => game.outcome(winner, game.payoff(at, winner)) == Outcome::Win,
        Turn::Player(mover) if left > 0 => {
            game.legal_moves(at, &mut moves);
            let mut after = moves.iter().map(|&mv| game.after(at, mv));
            let mut wins = |next| wins_within(game, &next, winner, left - 1, seen);
            if mover == winner { after.any(&mut wins) } else { after.all(&mut wins) }
        }
        _ => false,
    };
    seen.insert((*at, winner, left), wins);
    wins
}

impl Truth {
    /// Compares a report with the solution; returns whether there is one.
    pub(crate) fn check<G: Game>(&self, report: &Report<G>, config: &Config) -> bool {
        match self {
            Truth::Unknown => return false,
            Truth::Secured(solution) => check_claims(report, config, solution),
            Truth::Means(solution) => check_means(report, config, solution),
        }
        true
    }

    /// Asserts that the chosen move keeps the proven value, and that a win takes no longer than the
    /// report states; returns whether the choice was proven best.
    pub(crate) fn check_choice<G: Game>(
        &self,
        game: &G,
        report: &Report<G>,
        config: &Config,
        is_won_within: impl Fn(u32) -> bool,
    ) -> bool {
        let (Truth::Secured(truth), Some(mover)) = (self, report.to_move) else { return false };
        let two_sided = game.zero_sum() || game.num_players() == 1;
        if !two_sided {
            return false;
        }
        if let Some(moves) = report.ends_in {
            assert!(is_won_within(moves), "nobody wins within {moves} moves");
        }
        let best = report.moves.iter().position(|mv| Some(mv.mv) == report.best_move);
        let best = &truth.moves[best.expect("the best move is a move")];
        if config.goal == Goal::Outcome {
            let wins = report.moves.iter().any(|mv| mv.proven == Value::Win);
            let prunes = config.solver || config.score_bounds;
            let won = best.outcomes[mover] == Outcome::Win;
            assert!(won || !wins || !prunes, "a proven win is not played");
            for (mv, truth) in report.moves.iter().zip(&truth.moves) {
                let right = f64::from(truth.outcomes[mover].value());
                assert!(
                    mv.worth.is_none_or(|worth| worth == right),
                    "{:?} is not {right}",
                    mv.worth
                );
            }
        }
        if report.stop_reason != Some(StopReason::Solved) {
            return false;
        }
        match config.goal {
            Goal::Score => assert_eq!(best.scores[mover], truth.root.scores[mover], "the score"),
            // Without bounds and zero sum a search does not distinguish a draw from a loss.
            _ if config.score_bounds || game.zero_sum() => {
                assert_eq!(best.outcomes[mover], truth.root.outcomes[mover], "the outcome");
            }
            _ => {}
        }
        true
    }
}

/// A game in the registry whose small positions can be solved. Positions are compared by their
/// texts, not by the keys on which the engine relies.
pub(crate) struct Named<G>(pub(crate) Arc<G>);

impl<G: Game> Oracle<G::State> for Named<G> {
    fn truth(&self, state: &G::State) -> Truth {
        const MOST: usize = 8000;
        let game = ByText(Arc::clone(&self.0));
        let solve = || Solution::within(MOST, &game, &game.texted(state.clone()));
        let solution = if self.0.has_chance() { None } else { solve() };
        solution.map_or(Truth::Unknown, Truth::Secured)
    }

    fn is_won_within(&self, _: &G::State, _: u32) -> bool {
        true
    }
}

struct ByText<G>(Arc<G>);

/// A position with its text, by which positions are compared.
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
