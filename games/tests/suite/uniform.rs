//! Random moves are drawn uniformly.

use crate::promises::specs;
use proofwood::{Game, Rng, Turn};
use proofwood_games::{GameVisitor, with_game};

struct Draw {
    spec: &'static str,
}

impl GameVisitor for Draw {
    type Output = ();

    fn visit<G: Game>(self, game: G) {
        let mut rng = Rng::new(5);
        for _ in 0..3 {
            let mut state = game.initial_state();
            while game.turn(&state) != Turn::Over {
                check(self.spec, &game, &state, &mut rng);
                let mv = game.random_move(&state, &mut Vec::new(), &mut rng).expect("a move");
                game.play(&mut state, mv);
            }
        }
    }
}

/// Draws every move 100 times on average. The sum of squares has the mean
/// n − 1 and the variance 2 (n − 1); six deviations never happen by chance.
fn check<G: Game>(spec: &str, game: &G, state: &G::State, rng: &mut Rng) {
    const EACH: usize = 100;
    let mut moves = Vec::new();
    game.legal_moves(state, &mut moves);
    if moves.len() > 1000 {
        return;
    }
    let mut counts = vec![0usize; moves.len()];
    let mut buffer = Vec::new();
    for _ in 0..EACH * moves.len() {
        buffer.clear();
        let mv = game.random_move(state, &mut buffer, rng).expect("a move");
        counts[moves.iter().position(|&m| m == mv).expect("a legal move")] += 1;
    }
    let square = |&count: &usize| (count as f64 - EACH as f64).powi(2) / EACH as f64;
    let chi: f64 = counts.iter().map(square).sum();
    let freedom = (moves.len() - 1) as f64;
    let most = freedom + 6.0 * (2.0 * freedom).sqrt() + 6.0;
    assert!(chi <= most, "{spec}: {counts:?} in {}", game.state_text(state));
}

#[test]
fn random_moves_are_uniform() {
    for spec in specs() {
        with_game(spec, Draw { spec }).expect(spec);
    }
}
