//! Checks that random moves are drawn uniformly.

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

/// Draws every move 100 times on average. Among many positions, a fair draw occasionally appears
/// unfair; a longer series of draws then decides.
fn check<G: Game>(spec: &str, game: &G, state: &G::State, rng: &mut Rng) {
    let mut moves = Vec::new();
    game.legal_moves(state, &mut moves);
    if moves.len() <= 1000 && !is_even(game, state, &moves, 100, rng) {
        let even = is_even(game, state, &moves, 3000, rng);
        assert!(even, "{spec}: moves are not drawn evenly in {}", game.state_text(state));
    }
}

/// Returns whether all moves occur about equally often. The sum of squares (chi-squared) has the
/// mean n − 1 and the variance 2 (n − 1).
fn is_even<G: Game>(
    game: &G,
    state: &G::State,
    moves: &[G::Move],
    each: usize,
    rng: &mut Rng,
) -> bool {
    let mut counts = vec![0usize; moves.len()];
    let mut buffer = Vec::new();
    for _ in 0..each * moves.len() {
        buffer.clear();
        let mv = game.random_move(state, &mut buffer, rng).expect("a move");
        counts[moves.iter().position(|&m| m == mv).expect("a legal move")] += 1;
    }
    let square = |&count: &usize| (count as f64 - each as f64).powi(2) / each as f64;
    let chi: f64 = counts.iter().map(square).sum();
    let freedom = (moves.len() - 1) as f64;
    chi <= freedom + 6.0 * (2.0 * freedom).sqrt() + 6.0
}

#[test]
fn random_moves_are_uniform() {
    for spec in specs() {
        with_game(spec, Draw { spec }).expect(spec);
    }
}
