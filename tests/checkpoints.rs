//! Proofs that go on from a file.

mod common;

use common::graph::Graph;
use common::oracle::Solution;
use common::random_game::RandomGame;
use proofwood::{
    Algorithm, Budget, CheckpointError, Game, Outcome, ProofGoal, ProofReport, ProofSearch,
    ProverConfig, Turn, Value,
};
use proofwood_games::{ConnectFour, Othello};
use std::time::Duration;

fn new<G: Game + Clone>(game: &G, config: &ProverConfig) -> ProofSearch<G> {
    ProofSearch::new(game.clone(), game.initial_state(), config.clone()).expect("a configuration")
}

fn saved<G: Game>(search: &ProofSearch<G>) -> Vec<u8> {
    let mut file = Vec::new();
    search.save("a game", &mut file).expect("memory");
    file
}

/// Proves in short runs, each of which knows of the one before from a file.
fn in_pieces<G: Game + Clone>(game: &G, config: &ProverConfig, nodes: u64) -> ProofReport<G> {
    let mut file: Option<Vec<u8>> = None;
    for piece in 0..40 {
        let mut search = new(game, config);
        if let Some(file) = &file {
            search.load("a game", &file[..]).expect("its own file");
        }
        // What the table has no room for must be found in one piece.
        let budget = Budget::default().nodes(nodes << piece);
        let report = search.search(&budget).expect("a sound game");
        if report.settled {
            return report;
        }
        file = Some(saved(&search));
    }
    panic!("it does not end: {config:?}")
}

fn table_provers() -> impl Iterator<Item = Algorithm> {
    [Algorithm::Dfpn, Algorithm::Pds].into_iter()
}

#[test]
fn proofs_in_pieces_are_right() {
    for seed in 0..300 {
        let game = RandomGame::new(seed);
        if game.turn(&game.initial_state()) == Turn::Over {
            continue;
        }
        let truth = Solution::of(&game, &game.initial_state()).root;
        for algorithm in table_provers() {
            let config = ProverConfig::default()
                .algorithm(algorithm)
                .goal(ProofGoal::Score)
                .threads(1 + seed as usize % 2)
                .table(1 << 16);
            let report = in_pieces(&game, &config, 5);
            assert_eq!(report.bounds.exact(), Some(truth.scores[report.player]), "seed {seed}");
        }
    }
}

#[test]
fn circles_in_pieces_are_right() {
    for seed in 0..400 {
        let game = Graph::new(seed);
        if game.turn(&game.initial_state()) == Turn::Over {
            continue;
        }
        for algorithm in table_provers() {
            let config = ProverConfig::default()
                .algorithm(algorithm)
                .goal(ProofGoal::Win)
                .player(0)
                .threads(1)
                .table(1 << 16);
            let report = in_pieces(&game, &config, 3);
            let win = proofwood::Question::threshold(&game, 0, Outcome::Win);
            let wins = win.is_some_and(|win| game.secures(0, win)[0]);
            assert_eq!(report.value == Value::Win, wins, "seed {seed}");
        }
    }
}

#[test]
fn a_proof_goes_on_where_it_was() {
    let game = Othello::new(4, false).expect("a board");
    let config = ProverConfig::default().goal(ProofGoal::Score).threads(1).table(16 << 20);
    let whole = new(&game, &config).search(&Budget::default()).expect("a sound game");
    assert_eq!(whole.bounds.exact(), Some(-8));
    let mut first = new(&game, &config);
    let most = whole.effort.nodes * 3 / 4;
    assert!(!first.search(&Budget::default().nodes(most)).expect("a sound game").settled);
    let mut second = new(&game, &config);
    second.load("a game", &saved(&first)[..]).expect("its own file");
    let rest = second.search(&Budget::default()).expect("a sound game");
    assert_eq!(rest.bounds.exact(), Some(-8));
    assert!(rest.effort.nodes < whole.effort.nodes / 2, "{rest:?} after {whole:?}");
    // A finished proof is there at once.
    let mut third = new(&game, &config);
    third.load("a game", &saved(&second)[..]).expect("its own file");
    let known = third.search(&Budget::default()).expect("a sound game");
    assert_eq!(known.bounds.exact(), Some(-8));
    assert!(known.effort.nodes < 1000, "{known:?}");
}

#[test]
fn checkpoints_are_taken_while_threads_work() {
    let game = ConnectFour::new(5, 4, 4).expect("a board");
    let config = ProverConfig::default().threads(4).table(1 << 20);
    let answer = new(&game, &config).search(&Budget::default()).expect("a sound game").value;
    let mut search = new(&game, &config);
    search.start(&Budget::default()).expect("a budget");
    let mut files = Vec::new();
    while search.is_running() && files.len() < 20 {
        files.push(saved(&search));
        std::thread::sleep(Duration::from_millis(2));
    }
    search.wait().expect("a sound game");
    assert!(!files.is_empty());
    for file in &files {
        let mut search = new(&game, &config);
        search.load("a game", &file[..]).expect("its own file");
        let report = search.search(&Budget::default()).expect("a sound game");
        assert_eq!(report.value, answer);
    }
}

#[test]
fn damaged_and_foreign_checkpoints_are_refused() {
    let game = ConnectFour::new(4, 4, 4).expect("a board");
    let config = ProverConfig::default().threads(1).table(1 << 12);
    let mut search = new(&game, &config);
    search.search(&Budget::default().nodes(2000)).expect("a sound game");
    let file = saved(&search);
    let refuse = |file: &[u8]| -> String {
        new(&game, &config).load("a game", file).expect_err("it is bad").to_string()
    };
    for length in (0..file.len()).step_by(7) {
        refuse(&file[..length]);
    }
    assert_eq!(refuse(&file[..file.len() - 1]), "it is cut short");
    assert_eq!(refuse(&[&file[..], b"x"].concat()), "something follows its digest");
    for at in (0..file.len()).step_by(11) {
        let mut changed = file.clone();
        changed[at] ^= 1;
        refuse(&changed);
    }
    assert_eq!(refuse(b"a text\n"), "it is no checkpoint");
    let error = new(&game, &config).load("another game", &file[..]).expect_err("foreign");
    assert!(matches!(error, CheckpointError::Foreign { what: "the game", .. }), "{error}");
    let after = game.after(&game.initial_state(), 1);
    let mut elsewhere = ProofSearch::new(game.clone(), after, config.clone()).expect("a position");
    let error = elsewhere.load("a game", &file[..]).expect_err("foreign").to_string();
    assert!(error.starts_with("it is about the position"), "{error}");
    let text = String::from_utf8_lossy(&file).replace("proofwood 0.", "proofwood 9.");
    assert!(refuse(text.as_bytes()).starts_with("it is about the program 'proofwood 9."));
}
