//! Computes the value of Pig, which can be endless, by value iteration.

use proofwood::{Game, Turn};
use proofwood_games::Pig;
use std::collections::HashMap;

/// Returns, for every reachable position, beginning with the start, the probability that the first
/// player wins if all others play against that player.
pub fn values(target: u16, players: usize) -> Vec<f64> {
    let game = Pig::new(target, players, None).unwrap();
    let mut number = HashMap::from([(game.initial_state(), 0)]);
    let mut states = vec![game.initial_state()];
    let mut next: Vec<Vec<usize>> = Vec::new();
    while let Some(&state) = states.get(next.len()) {
        let mut moves = Vec::new();
        if game.turn(&state) != Turn::Over {
            game.legal_moves(&state, &mut moves);
        }
        let positions = moves.into_iter().map(|mv| game.after(&state, mv)).map(|after| {
            *number.entry(after).or_insert_with(|| {
                states.push(after);
                states.len() - 1
            })
        });
        next.push(positions.collect());
    }
    // Scores never fall, so positions with equal scores depend only on each other and on positions
    // with more points.
    let mut order: Vec<usize> = (0..states.len()).collect();
    let points = |at: usize| states[at].scores();
    order.sort_by_key(|&at| (std::cmp::Reverse(points(at).iter().sum::<u16>()), points(at)));
    let mut values = vec![0.0; states.len()];
    for group in order.chunk_by(|&a, &b| points(a) == points(b)) {
        let mut change = 1.0;
        while change > 1e-13 {
            change = 0.0f64;
            for &at in group.iter().rev() {
                let mut after = next[at].iter().map(|&next| values[next]);
                let value = match game.turn(&states[at]) {
                    Turn::Over => f64::from(u8::from(game.payoff(&states[at], 0) > 0)),
                    Turn::Chance => after.sum::<f64>() / 6.0,
                    Turn::Player(0) => after.fold(0.0, f64::max),
                    Turn::Player(_) => after.by_ref().fold(1.0, f64::min),
                };
                change = change.max((value - values[at]).abs());
                values[at] = value;
            }
        }
    }
    values
}
