//! Tests of games with dice.

mod dice;
mod ewn;
mod pig;
mod value_iteration;

use proofwood::{Game, Rng, Turn};

/// Plays random games and checks that every chance node has the number of outcomes that `outcomes`
/// returns, all of them with weight 1.
fn check_weights<G: Game>(game: &G, outcomes: impl Fn(&G::State) -> usize) {
    let mut rng = Rng::new(3);
    let mut moves = Vec::new();
    for _ in 0..20 {
        let mut state = game.initial_state();
        while game.turn(&state) != Turn::Over {
            moves.clear();
            game.legal_moves(&state, &mut moves);
            if game.turn(&state) == Turn::Chance {
                assert_eq!(moves.len(), outcomes(&state), "{}", game.state_text(&state));
                let mut weights = moves.iter().map(|&mv| game.chance_weight(&state, mv));
                assert!(weights.all(|weight| weight == 1), "{}", game.state_text(&state));
            }
            moves.clear();
            let mv = game.random_move(&state, &mut moves, &mut rng).expect("a move");
            game.play(&mut state, mv);
        }
    }
}

fn mean<G: Game>(game: &G, state: &G::State, mut value: impl FnMut(&G::State) -> f64) -> f64 {
    let mut outcomes = Vec::new();
    game.legal_moves(state, &mut outcomes);
    let (mut sum, mut weights) = (0.0, 0.0);
    for outcome in outcomes {
        let weight = f64::from(game.chance_weight(state, outcome));
        sum += weight * value(&game.after(state, outcome));
        weights += weight;
    }
    sum / weights
}
