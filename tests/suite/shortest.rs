//! Compares the shortest wins with those found by exhaustive search, in games with keys, without
//! keys, and with keys for some positions.

use proofwood::prover::shortest_win;
use proofwood::{Algorithm, Budget, Game, Outcome, ProverConfig, Turn};
use proofwood_testkit::random_game::RandomGame;
use proofwood_testkit::toy::toy;

const DEEPEST: u16 = 8;

/// Returns whether `winner` can force a win within `left` moves.
fn wins<G: Game>(game: &G, state: &G::State, winner: usize, left: u32) -> bool {
    let mover = match game.turn(state) {
        Turn::Over => return game.outcome(winner, game.payoff(state, winner)) == Outcome::Win,
        _ if left == 0 => return false,
        Turn::Player(mover) => mover,
        Turn::Chance => unreachable!("no chance"),
    };
    let mut moves = Vec::new();
    game.legal_moves(state, &mut moves);
    let mut ends = moves.iter().map(|&mv| wins(game, &game.after(state, mv), winner, left - 1));
    if mover == winner { ends.any(|wins| wins) } else { ends.all(|wins| wins) }
}

fn soonest<G: Game>(game: &G, state: &G::State, winner: usize) -> Option<u32> {
    (0..=u32::from(DEEPEST)).find(|&left| wins(game, state, winner, left))
}

/// With any kind of keys, a result for one number of moves is not used for another number, and a
/// result for one position of the line is not used for the next position.
#[test]
fn soonest_wins_are_right_with_hashes_and_without() {
    let (mut found, mut long) = (0, 0);
    for seed in 0..300 {
        let mut game = RandomGame::with_players(seed, 2);
        game.hashed = [0, 60, 100][seed as usize % 3];
        game.depth = game.depth.min(DEEPEST);
        let root = game.initial_state();
        if !game.zero_sum() || game.turn(&root) == Turn::Over {
            continue;
        }
        let hashed = game.hashed;
        let (game, root) = toy(game);
        for winner in 0..2 {
            let Some(moves) = soonest(&game, &root, winner) else { continue };
            let algorithm = [Algorithm::Auto, Algorithm::Ab, Algorithm::Dfpn][seed as usize % 3];
            let config = ProverConfig::default().algorithm(algorithm).threads(1).table(1 << 16);
            let budget = Budget::default().nodes(1_000_000);
            let answer = shortest_win(game.clone(), root.clone(), winner, &config, &budget);
            let answer = answer.expect("a sound game");
            let what = format!("seed {seed}, hashed {hashed}, winner {winner}");
            assert_eq!(answer.moves, Some(moves), "{what}");
            assert_eq!(answer.line.len(), moves as usize, "{what}");
            let mut state = root.clone();
            for (&mv, left) in answer.line.iter().zip((0..moves).rev()) {
                game.play(&mut state, mv);
                assert_eq!(soonest(&game, &state, winner), Some(left), "{what}");
            }
            (found, long) = (found + 1, long + u32::from(moves > 3));
        }
    }
    assert!(found > 50 && long > 10, "{found} found, {long} of them long");
}
