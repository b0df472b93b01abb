//! Tests of Othello's static bounds for its last moves.

use crate::oracle::Oracle;
use proofwood::{DomainKnowledge, Game, Rng, StaticBound, Turn};
use proofwood_games::Othello;

/// Checks static bounds for few empty cells against plain recursion, on all boards, with passes,
/// and both with and without the option that empty cells count for the winner.
#[test]
fn foreseen_endgames_are_those_of_exhaustive_play() {
    let (mut static_bound, mut asked) = (0, 0);
    for (size, empties) in [(4, false), (4, true), (6, false), (8, false), (8, true)] {
        let game = Othello::new(size, empties).unwrap();
        let mut oracle = Oracle::new(&game, 0);
        let mut rng = Rng::new(size as u64);
        for _ in 0..30 {
            let mut state = game.initial_state();
            while game.turn(&state) != Turn::Over {
                let empty = game.state_text(&state).matches('-').count();
                match game.knowledge().static_bound(&state, &mut Vec::new()) {
                    StaticBound::Payoff(payoff) => {
                        static_bound += 1;
                        assert_eq!(payoff, oracle.value(&state), "{}", game.board_text(&state));
                    }
                    _ => assert!(empty > 5, "{}", game.board_text(&state)),
                }
                asked += 1;
                let mv = game.random_move(&state, &mut Vec::new(), &mut rng).unwrap();
                game.play(&mut state, mv);
            }
        }
    }
    assert!(static_bound > 500 && static_bound < asked / 4, "{static_bound} of {asked}");
}

/// Checks static bounds for prover questions with few empty cells against plain recursion, for both
/// players, near the value and far from it.
#[test]
fn answers_of_endgames_are_those_of_exhaustive_play() {
    let (mut answers, mut sharp) = (0, 0);
    for (size, empties) in [(4, false), (4, true), (6, false), (6, true), (8, false), (8, true)] {
        let game = Othello::new(size, empties).unwrap();
        let most = (size * size) as i32;
        let mut oracle = Oracle::new(&game, 0);
        let mut rng = Rng::new(size as u64);
        for _ in 0..if size == 4 { 200 } else { 12 } {
            let mut state = game.initial_state();
            while game.turn(&state) != Turn::Over {
                let empty = game.state_text(&state).matches('-').count();
                let near = [-1, 0, 1, 2, 9 - rng.below(19) as i32];
                for off in near.into_iter().filter(|_| empty <= 9) {
                    let right = oracle.value(&state);
                    let at_least = (right + off).clamp(-most, most + 1);
                    let told = game.knowledge().static_bound_at(&state, at_least, &mut Vec::new());
                    let holds = match told {
                        StaticBound::AtLeast(bound) => at_least <= bound && bound <= right,
                        StaticBound::AtMost(bound) => right <= bound && bound < at_least,
                        _ => false,
                    };
                    let board = game.board_text(&state);
                    assert!(holds, "{told:?} for {at_least}, right is {right}:\n{board}");
                    answers += 1;
                    let exact = [StaticBound::AtLeast(right), StaticBound::AtMost(right)];
                    sharp += u32::from(exact.contains(&told));
                }
                let mv = game.random_move(&state, &mut Vec::new(), &mut rng).unwrap();
                game.play(&mut state, mv);
            }
        }
    }
    assert!(answers > 5_000 && sharp > answers / 4, "{sharp} of {answers}");
}
