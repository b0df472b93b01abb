//! Exhaustive expectimax in exact rational numbers. It shares only the rules with the engine.

use num_bigint::BigInt;
use num_rational::BigRational;
use proofwood::internals::Fixed;
use proofwood::{Expected, Game, Outcome, Turn, Value};
use std::collections::HashMap;
use std::hash::Hash;

/// The exact results of a position in a game with chance. For each player they are the results that
/// the player can secure if all other players work against it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Truth {
    /// The expected payoff of each player.
    pub means: Vec<BigRational>,
    /// The outcome of each player in the worst case of chance.
    pub sure: Vec<Outcome>,
    /// The outcome of each player in the best case of chance.
    pub lucky: Vec<Outcome>,
}

impl Truth {
    fn at_the_end<G: Game>(game: &G, state: &G::State) -> Truth {
        let payoffs: Vec<i32> = (0..game.num_players()).map(|p| game.payoff(state, p)).collect();
        let outcomes: Vec<Outcome> =
            payoffs.iter().enumerate().map(|(p, &payoff)| game.outcome(p, payoff)).collect();
        let means = payoffs.iter().map(|&payoff| BigRational::from(BigInt::from(payoff)));
        Truth { means: means.collect(), sure: outcomes.clone(), lucky: outcomes }
    }

    /// Computes a position's results from the results of its moves or outcomes, with their weights.
    fn deduced(turn: Turn, moves: &[(Truth, u32)]) -> Truth {
        fn best<V: Ord + Clone>(own: bool, values: impl Iterator<Item = V>) -> V {
            if own { values.max() } else { values.min() }.expect("there is a move")
        }
        let weights: BigInt = moves.iter().map(|(_, weight)| BigInt::from(*weight)).sum();
        let mean = |player: usize| -> BigRational {
            let sum: BigRational = moves
                .iter()
                .map(|(truth, weight)| &truth.means[player] * BigInt::from(*weight))
                .sum();
            sum / weights.clone()
        };
        let players = 0..moves[0].0.means.len();
        let by = |player: usize| turn == Turn::Player(player);
        let chance = turn == Turn::Chance;
        Truth {
            means: players
                .clone()
                .map(|p| match chance {
                    true => mean(p),
                    false => best(by(p), moves.iter().map(|(truth, _)| truth.means[p].clone())),
                })
                .collect(),
            sure: players
                .clone()
                .map(|p| best(by(p), moves.iter().map(|(truth, _)| truth.sure[p])))
                .collect(),
            lucky: players
                .map(|p| best(by(p) || chance, moves.iter().map(|(truth, _)| truth.lucky[p])))
                .collect(),
        }
    }

    /// Returns whether a proven value is true for `player`.
    pub fn allows(&self, player: usize, value: Value) -> bool {
        let (sure, lucky) = (self.sure[player], self.lucky[player]);
        match value {
            Value::Win => sure == Outcome::Win,
            Value::Draw => sure >= Outcome::Draw && lucky <= Outcome::Draw,
            Value::Loss => lucky == Outcome::Loss,
            Value::NotWin => sure != Outcome::Win,
            Value::NotLoss => sure != Outcome::Loss,
            Value::Unknown => true,
            other => panic!("what is {other:?}?"),
        }
    }

    /// Asserts that bounds contain the expected payoff of `player`, and that exact bounds equal it.
    pub fn check(&self, player: usize, expected: Expected, what: &str) {
        let mean = &self.means[player];
        let holds = expected.lower.is_none_or(|lower| rational(lower) <= *mean)
            && expected.upper.is_none_or(|upper| *mean <= rational(upper));
        assert!(holds, "{what}: {expected:?} without {mean}");
        if let Some(exact) = expected.exact() {
            assert_eq!(rational(exact), *mean, "{what}");
        }
    }
}

/// Converts a fixed-point number into an equal rational.
pub fn rational(fixed: Fixed) -> BigRational {
    BigRational::new(fixed.to_bits().into(), BigInt::from(1u64 << Fixed::DIGITS))
}

/// The exact results of a position and of its children.
pub struct Solution {
    /// The results of the position itself.
    pub root: Truth,
    /// The results after each move or outcome, in the order in which the game lists them.
    pub moves: Vec<Truth>,
}

impl Solution {
    /// Solves `state` exhaustively.
    pub fn of<G: Game<State: Eq + Hash>>(game: &G, state: &G::State) -> Solution {
        Solution::remembering(game, state, &mut HashMap::new())
    }

    fn remembering<G: Game<State: Eq + Hash>>(
        game: &G,
        state: &G::State,
        solved: &mut HashMap<G::State, Truth>,
    ) -> Solution {
        let turn = game.turn(state);
        if turn == Turn::Over {
            return Solution { root: Truth::at_the_end(game, state), moves: Vec::new() };
        }
        let mut legal = Vec::new();
        game.legal_moves(state, &mut legal);
        let mut moves = Vec::with_capacity(legal.len());
        for mv in legal {
            let weight = if turn == Turn::Chance { game.chance_weight(state, mv) } else { 1 };
            let next = game.after(state, mv);
            let truth = match solved.get(&next) {
                Some(known) => known.clone(),
                None => {
                    let truth = Solution::remembering(game, &next, solved).root;
                    solved.insert(next, truth.clone());
                    truth
                }
            };
            moves.push((truth, weight));
        }
        let root = Truth::deduced(turn, &moves);
        Solution { root, moves: moves.into_iter().map(|(truth, _)| truth).collect() }
    }
}
