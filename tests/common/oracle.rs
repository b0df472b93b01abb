//! Exhaustive minimax by plain recursion. It shares nothing with the engine
//! but the rules.

use proofwood::{Game, Outcome, Turn};
use std::collections::HashMap;

/// The truth about a position: what each player can secure there when all
/// others work against it. For one player and for two with zero sum that is
/// the game's value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Truth {
    /// As payoffs.
    pub scores: Vec<i32>,
    /// As outcomes.
    pub outcomes: Vec<Outcome>,
}

impl Truth {
    /// Solves a position for every player.
    pub fn of<G: Game>(game: &G, state: &G::State) -> Truth {
        Solution::of(game, state).root
    }

    fn at_the_end<G: Game>(game: &G, state: &G::State) -> Truth {
        let scores: Vec<i32> = (0..game.num_players()).map(|p| game.payoff(state, p)).collect();
        let outcomes = scores.iter().enumerate().map(|(p, &score)| game.outcome(p, score));
        Truth { outcomes: outcomes.collect(), scores }
    }

    /// What the moves of `mover` are worth together: the most to itself, the
    /// least to everybody else.
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

/// The truth about a position and each of its moves.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The position.
    pub root: Truth,
    /// What each move leads to, in the order of the game.
    pub moves: Vec<Truth>,
}

impl Solution {
    /// Solves a position and its moves.
    pub fn of<G: Game>(game: &G, state: &G::State) -> Solution {
        let Turn::Player(mover) = game.turn(state) else {
            return Solution { root: Truth::at_the_end(game, state), moves: Vec::new() };
        };
        let mut moves = Vec::new();
        game.legal_moves(state, &mut moves);
        let moves: Vec<Truth> =
            moves.iter().map(|&mv| Truth::of(game, &game.after(state, mv))).collect();
        Solution { root: Truth::choice(mover, &moves), moves }
    }
}

/// The same search for games with many ways to one position: it remembers the
/// positions it has solved by their hashes.
#[derive(Debug, Default)]
pub struct Memory(HashMap<u64, Truth>);

impl Memory {
    /// Solves a position and its moves.
    pub fn solve<G: Game>(&mut self, game: &G, state: &G::State) -> Solution {
        let Turn::Player(mover) = game.turn(state) else { return Solution::of(game, state) };
        let mut moves = Vec::new();
        game.legal_moves(state, &mut moves);
        let moves: Vec<Truth> =
            moves.iter().map(|&mv| self.truth(game, &game.after(state, mv))).collect();
        Solution { root: Truth::choice(mover, &moves), moves }
    }

    fn truth<G: Game>(&mut self, game: &G, state: &G::State) -> Truth {
        let hash = game.hash(state).expect("the game has a hash");
        if let Some(known) = self.0.get(&hash) {
            return known.clone();
        }
        let truth = self.solve(game, state).root;
        self.0.insert(hash, truth.clone());
        truth
    }
}
