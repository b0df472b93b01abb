//! Computes best play exhaustively, assuming that each player maximises its own value: expectimax
//! for one-player games and two-player zero-sum games, max^n for other games (Luckhardt and Irani,
//! *An Algorithmic Solution of N-Person Games*, 1986). It shares only the rules with the engine.
//!
//! If two moves have the same value for the player to move, the other players may prefer one of
//! them, and max^n has more than one solution. Values are therefore intervals that contain all
//! solutions and all mixtures of them.

use proofwood::{Game, Goal, Turn};
use std::collections::HashMap;
use std::hash::Hash;

/// The least and the greatest possible value of each player, from −1 to 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Values(Vec<(f64, f64)>);

impl Values {
    /// Returns the values of a finished game, as defined by [`Goal`].
    fn at_the_end<G: Game>(game: &G, state: &G::State, goal: Goal) -> Values {
        let value = |player| {
            let payoff = game.payoff(state, player);
            let outcome = f64::from(game.outcome(player, payoff).value());
            let range = game.payoff_range(player);
            let (least, most) = (f64::from(*range.start()), f64::from(*range.end()));
            let unbounded = *range.start() == i32::MIN || *range.end() == i32::MAX;
            if goal == Goal::Outcome || unbounded || least == most {
                return outcome;
            }
            let place = 2.0 * (f64::from(payoff) - least) / (most - least) - 1.0;
            if game.has_chance() { place } else { (outcome + place) / 2.0 }
        };
        Values((0..game.num_players()).map(|player| (value(player), value(player))).collect())
    }

    fn mean(outcomes: &[(Values, u32)]) -> Values {
        let all: f64 = outcomes.iter().map(|&(_, weight)| f64::from(weight)).sum();
        let end = |of: &dyn Fn(&Values) -> f64| -> f64 {
            outcomes.iter().map(|(values, weight)| of(values) * f64::from(*weight) / all).sum()
        };
        let players = 0..outcomes[0].0.0.len();
        Values(players.map(|p| (end(&|v| v.0[p].0), end(&|v| v.0[p].1))).collect())
    }

    /// Returns the values after `mover` chooses a move that is best for itself.
    fn chosen(mover: usize, moves: &[(Values, u32)]) -> Values {
        let secured = moves.iter().map(|(values, _)| values.0[mover].0).fold(-1.0, f64::max);
        let chosen: Vec<&Values> = moves
            .iter()
            .map(|(values, _)| values)
            .filter(|values| values.0[mover].1 >= secured - 1e-9)
            .collect();
        let least = |p: usize| chosen.iter().map(|values| values.0[p].0).fold(1.0, f64::min);
        let most = |p: usize| chosen.iter().map(|values| values.0[p].1).fold(-1.0, f64::max);
        let players = 0..moves[0].0.0.len();
        Values(players.map(|p| (if p == mover { secured } else { least(p) }, most(p))).collect())
    }

    /// Returns the distance of `mean` from the interval of `player`; 0 if the interval contains it.
    pub fn distance(&self, player: usize, mean: f64) -> f64 {
        let (least, most) = self.0[player];
        (least - mean).max(mean - most).max(0.0)
    }

    /// Returns a player's least and greatest value.
    pub fn of(&self, player: usize) -> (f64, f64) {
        self.0[player]
    }
}

/// The values of a position and of its children.
pub struct BestPlay {
    /// The values of the position itself.
    pub root: Values,
    /// The values after each move or outcome, in the order in which the game lists them.
    pub moves: Vec<Values>,
}

impl BestPlay {
    /// Solves `state` exhaustively for a goal.
    pub fn of<G: Game<State: Eq + Hash>>(game: &G, state: &G::State, goal: Goal) -> BestPlay {
        BestPlay::remembering(game, state, goal, &mut HashMap::new())
    }

    fn remembering<G: Game<State: Eq + Hash>>(
        game: &G,
        state: &G::State,
        goal: Goal,
        solved: &mut HashMap<G::State, Values>,
    ) -> BestPlay {
        let turn = game.turn(state);
        if turn == Turn::Over {
            return BestPlay { root: Values::at_the_end(game, state, goal), moves: Vec::new() };
        }
        let mut legal = Vec::new();
        game.legal_moves(state, &mut legal);
        let mut moves = Vec::with_capacity(legal.len());
        for mv in legal {
            let weight = if turn == Turn::Chance { game.chance_weight(state, mv) } else { 1 };
            let next = game.after(state, mv);
            let values = match solved.get(&next) {
                Some(known) => known.clone(),
                None => {
                    let values = BestPlay::remembering(game, &next, goal, solved).root;
                    solved.insert(next, values.clone());
                    values
                }
            };
            moves.push((values, weight));
        }
        let root = match turn {
            Turn::Player(mover) => Values::chosen(mover, &moves),
            _ => Values::mean(&moves),
        };
        BestPlay { root, moves: moves.into_iter().map(|(values, _)| values).collect() }
    }
}
