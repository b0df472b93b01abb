//! Exhaustive minimax by plain recursion with a memo of solved positions. It shares only the rules
//! with the engine.

use proofwood::{Game, Outcome, Turn};
use std::collections::HashMap;
use std::hash::Hash;

/// The exact results of a position: for each player, those that the player can secure if all others
/// work against it. In one-player and two-player zero-sum games, these are the values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Truth {
    /// The results as payoffs, by player.
    pub scores: Vec<i32>,
    /// The results as outcomes, by player.
    pub outcomes: Vec<Outcome>,
}

impl Truth {
    fn at_the_end<G: Game>(game: &G, state: &G::State) -> Truth {
        let scores: Vec<i32> = (0..game.num_players()).map(|p| game.payoff(state, p)).collect();
        let outcomes = scores.iter().enumerate().map(|(p, &score)| game.outcome(p, score));
        Truth { outcomes: outcomes.collect(), scores }
    }

    /// Computes a position's results from those of its moves: the best for `mover`, the worst for
    /// each other player.
    fn choice(mover: usize, moves: &[Truth]) -> Truth {
        fn chosen<V: Ord>(own: bool, values: impl Iterator<Item = V>) -> V {
            let value = if own { values.max() } else { values.min() };
            value.expect("a position that is not over has a move")
        }
        let players = 0..moves[0].scores.len();
        Truth {
            scores: players
                .clone()
                .map(|p| chosen(p == mover, moves.iter().map(|mv| mv.scores[p])))
                .collect(),
            outcomes: players
                .map(|p| chosen(p == mover, moves.iter().map(|mv| mv.outcomes[p])))
                .collect(),
        }
    }
}

/// The exact results of a position and after each of its moves.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The results of the position itself.
    pub root: Truth,
    /// The results after each move, in the order in which the game lists them.
    pub moves: Vec<Truth>,
}

impl Solution {
    /// Solves a position and its moves.
    pub fn of<G: Game<State: Eq + Hash>>(game: &G, state: &G::State) -> Solution {
        Solution::within(usize::MAX, game, state).expect("nothing is too large")
    }

    /// Solves a position and its moves; `None` if more than `most` positions follow it.
    pub fn within<G: Game<State: Eq + Hash>>(
        most: usize,
        game: &G,
        state: &G::State,
    ) -> Option<Solution> {
        Solution::remembering(game, state, &mut HashMap::new(), most)
    }

    /// Solves a position with a memo of solved positions.
    fn remembering<G: Game<State: Eq + Hash>>(
        game: &G,
        state: &G::State,
        solved: &mut HashMap<G::State, Truth>,
        most: usize,
    ) -> Option<Solution> {
        let Turn::Player(mover) = game.turn(state) else {
            return Some(Solution { root: Truth::at_the_end(game, state), moves: Vec::new() });
        };
        let mut legal = Vec::new();
        game.legal_moves(state, &mut legal);
        let mut moves = Vec::with_capacity(legal.len());
        for mv in legal {
            let next = game.after(state, mv);
            let truth = match solved.get(&next) {
                Some(known) => known.clone(),
                None if solved.len() >= most => return None,
                None => {
                    let truth = Solution::remembering(game, &next, solved, most)?.root;
                    solved.insert(next, truth.clone());
                    truth
                }
            };
            moves.push(truth);
        }
        Some(Solution { root: Truth::choice(mover, &moves), moves })
    }
}
