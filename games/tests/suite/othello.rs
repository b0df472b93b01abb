//! Othello: what the rules foresee of its last moves.

use crate::oracle::Oracle;
use proofwood::{Foreseen, Game, Insight, Rng, Turn};
use proofwood_games::Othello;

/// The last few empty cells are foreseen as plain recursion plays them out, on all
/// boards, with passes, and with empty cells for the winner or not.
#[test]
fn foreseen_endgames_are_those_of_exhaustive_play() {
    let (mut foreseen, mut asked) = (0, 0);
    for (size, empties) in [(4, false), (4, true), (6, false), (8, false), (8, true)] {
        let game = Othello::new(size, empties).unwrap();
        let mut oracle = Oracle::new(&game, 0);
        let mut rng = Rng::new(size as u64);
        for _ in 0..30 {
            let mut state = game.initial_state();
            while game.turn(&state) != Turn::Over {
                let empty = game.state_text(&state).matches('-').count();
                match game.insight().foreseen(&state, &mut Vec::new()) {
                    Foreseen::Payoff(payoff) => {
                        foreseen += 1;
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
    assert!(foreseen > 500 && foreseen < asked / 4, "{foreseen} of {asked}");
}
