//! Tests of Connect Four's static bounds from threats.

use crate::oracle::Oracle;
use proofwood::{DomainKnowledge, Game, Rng, StaticBound, Turn};
use proofwood_games::ConnectFour;

/// Checks static bounds against plain recursion, on larger boards only near the end.
#[test]
fn foreseen_winners_win_and_foreseen_moves_are_best() {
    let (mut payoffs, mut narrowed, mut asked) = (0, 0, 0);
    for (width, height, k, most_empty) in [
        (4, 4, 3, 16),
        (4, 4, 4, 16),
        (5, 3, 3, 15),
        (3, 5, 3, 15),
        (7, 6, 4, 12),
        (6, 5, 4, 14),
        (8, 7, 4, 11),
        (9, 6, 5, 11),
        (2, 3, 1, 6),
        (3, 3, 2, 9),
    ] {
        let game = ConnectFour::new(width, height, k).expect("a board");
        let mut oracle = Oracle::new(&game, 0);
        let mut rng = Rng::new(width as u64);
        for _ in 0..60 {
            let mut state = game.initial_state();
            while let Turn::Player(mover) = game.turn(&state) {
                let empty = game.state_text(&state).matches('.').count();
                if empty <= most_empty {
                    asked += 1;
                    let value = oracle.value(&state);
                    let board = game.board_text(&state);
                    let mut moves = Vec::new();
                    match game.knowledge().static_bound_for_prover(&state, &mut moves) {
                        StaticBound::Payoff(payoff) => {
                            payoffs += 1;
                            assert_eq!(payoff, value, "{board}");
                        }
                        StaticBound::Moves => {
                            let after = moves.iter().map(|&mv| game.after(&state, mv));
                            let values = after.map(|next| oracle.value(&next));
                            let best = if mover == 0 { values.max() } else { values.min() };
                            assert_eq!(best, Some(value), "{board}{moves:?}");
                            let all = game.mobility(&state, &mut Vec::new());
                            narrowed += usize::from(moves.len() < all);
                        }
                        other => panic!("{other:?}"),
                    }
                }
                let mv = game.random_move(&state, &mut Vec::new(), &mut rng).expect("a move");
                game.play(&mut state, mv);
            }
        }
    }
    assert!(payoffs > 500 && narrowed > 300, "{payoffs} and {narrowed} of {asked}");
}
