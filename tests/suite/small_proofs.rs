//! Small proofs by two or three threads for Miri and ThreadSanitizer: every prover, and a
//! certificate of each proof.

use proofwood::certificate::{Certificate, Root};
use proofwood::{Algorithm, Budget, Game, Outcome, ProofSearch, ProverConfig, Value};
use proofwood_testkit::oracle::Solution;
use proofwood_testkit::random_game::{RandomGame, Shape};

/// The number of games; small under Miri, which is a thousand times slower.
const GAMES: u64 = if cfg!(miri) { 2 } else { 50 };

fn game(number: u64) -> RandomGame {
    let mut game = RandomGame::with_players(number, 2);
    game.depth = game.depth.min(4);
    if let Shape::Bushy(most) = &mut game.shape {
        *most = (*most).min(6);
    }
    game
}

fn config(algorithm: Algorithm, threads: usize) -> ProverConfig {
    ProverConfig::default()
        .algorithm(algorithm)
        .threads(threads)
        .audit(true)
        .keep_proofs(true)
        // The table is sometimes full, and the tree has a few of Miri's small chunks.
        .table(1 << 10)
        .memory(64 << 10)
        .pn2_growth([20.0, 10.0])
        .playouts_per_leaf(2)
}

#[test]
fn every_prover_is_right_and_can_show_it() {
    let mut shown = 0;
    for number in 0..GAMES {
        let game = game(number);
        let root = game.initial_state();
        let truth = Solution::of(&game, &root).root;
        for (algorithm, threads) in Algorithm::ALL.iter().copied().zip([2, 3, 2, 2, 3, 2, 2, 3, 2])
        {
            let config = config(algorithm, threads);
            let mut search = ProofSearch::new(game.clone(), root, config).expect("it fits");
            let report = search.search(&Budget::default()).expect("an answer");
            let what = format!("{algorithm} of game {number}");
            let value = match truth.outcomes[report.player] {
                Outcome::Win => Value::Win,
                Outcome::Draw => Value::Draw,
                Outcome::Loss => Value::Loss,
            };
            assert_eq!(report.proven, value, "{what}");
            let mut file = Vec::new();
            if search.certify("a game", &Root::default(), None, &mut file).is_ok() {
                let read = Certificate::open(&file[..]);
                let checked = read.and_then(|file| file.check(&game));
                checked.unwrap_or_else(|wrong| panic!("{what}: {wrong}"));
                shown += 1;
            }
        }
    }
    assert!(shown > 0);
}
