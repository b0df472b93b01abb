//! Tests that write the proofs of every prover as certificates and check them.

use proofwood::certificate::{CertificateError, Claim, Promise, Root};
use proofwood::{
    Algorithm, Budget, CancelToken, Config, Game, Goal, ProofGoal, ProofSearch, ProverConfig,
    Search, Turn, Value,
};
use proofwood_games::{ConnectFour, Minichess, Minishogi, Mnk, Othello};
use proofwood_testkit::certificates::file::{check_file, first};
use proofwood_testkit::certificates::graph::Graph;
use proofwood_testkit::certificates::second;
use proofwood_testkit::certificates::truth::Truth;
use proofwood_testkit::dice::Dice;
use proofwood_testkit::random_game::RandomGame;
use proofwood_testkit::rounds::rounds;
use proofwood_testkit::toy::{Toy, listed, toy};

/// The playout limit of a search that proves nothing.
const MOST: u64 = 30_000;

/// Proves a position, writes and checks a certificate; returns the checked claims.
fn certify<G: Game + Clone>(game: &G, root: &Root, config: ProverConfig) -> Vec<Claim> {
    let state = root.find(game).expect("a root");
    let config = config.keep_proofs(true);
    let mut search = ProofSearch::new(game.clone(), state, config).expect("a configuration");
    let report = search.search(&Budget::default()).expect("a sound game");
    assert!(report.solved, "{root:?} {:?} {:?}", report.effort, search.config());
    let mut file = Vec::new();
    match search.certify("a game", root, None, &mut file) {
        Ok(_) => {
            let checked = check_file(game, &file).expect("a certificate");
            assert_eq!(second::check(game, &file), first(game, &file));
            checked.claims.iter().map(|claim| claim.claim).collect()
        }
        Err(CertificateError::NoProof(why)) => {
            assert!(why.contains("nothing that needs a proof has been proven yet"), "{why}");
            Vec::new()
        }
        Err(error) => panic!("{error}"),
    }
}

fn certify_playouts<G: Game + Clone>(game: &G, root: &Root, config: Config) -> Vec<Claim> {
    let state = root.find(game).expect("a root");
    let mut search = Search::new(game.clone(), state, config).expect("a configuration");
    search.search(&Budget::default().playouts(MOST)).expect("a sound game");
    let mut file = Vec::new();
    match search.certify("a game", root, None, &mut file) {
        Ok(_) => {
            let checked = check_file(game, &file).expect("a certificate");
            assert_eq!(second::check(game, &file), first(game, &file));
            checked.claims.iter().map(|claim| claim.claim).collect()
        }
        Err(CertificateError::NoProof(why)) => {
            assert!(why.contains("nothing that needs a proof has been proven yet"), "{why}");
            Vec::new()
        }
        Err(error) => panic!("{error}"),
    }
}

fn promises(claims: &[Claim]) -> Vec<Promise> {
    claims.iter().map(|claim| claim.promise).collect()
}

/// Draws a configuration with any algorithm and a table of any size.
fn drawn(seed: u64) -> ProverConfig {
    let mut dice = Dice::new(seed);
    let goals = [ProofGoal::Outcome, ProofGoal::Win, ProofGoal::DrawOrBetter, ProofGoal::Score];
    ProverConfig::default()
        .algorithm(dice.pick(Algorithm::ALL))
        .goal(dice.pick(&goals))
        .threads(dice.pick(&[1, 1, 2]))
        .table(dice.pick(&[64, 512, 1 << 20]))
        .playouts_per_leaf(dice.pick(&[1, 2, 8]))
}

#[test]
fn random_trees() {
    let mut shown = 0;
    for seed in 0..rounds(1500) {
        let game = RandomGame::new(seed);
        if game.turn(&game.initial_state()) == Turn::Over {
            continue;
        }
        for player in 0..game.num_players() {
            shown += certify(&game, &Root::default(), drawn(seed).player(player)).len();
        }
    }
    assert!(shown > rounds(1500), "{shown}");
}

#[test]
fn random_trees_with_playouts() {
    let mut shown = 0;
    for seed in 0..rounds(600) {
        let game = RandomGame::new(seed);
        let mut dice = Dice::new(seed);
        let (solver, score_bounds) = dice.pick(&[(true, true), (true, false), (false, true)]);
        let goal =
            if score_bounds { dice.pick(&[Goal::Outcome, Goal::Score]) } else { Goal::Outcome };
        let config = Config::default()
            .solver(solver)
            .score_bounds(score_bounds)
            .goal(goal)
            .paranoid(dice.chance(50))
            .transpositions(dice.chance(50))
            .threads(dice.pick(&[1, 2]))
            .memory(16 << 20);
        shown += certify_playouts(&game, &Root::default(), config).len();
    }
    assert!(shown > rounds(400), "{shown}");
}

#[test]
fn random_graphs() {
    let (mut endless, mut shown) = (0, 0);
    for seed in 0..rounds(1500) {
        let game = Graph::new(seed);
        if game.turn(&0) == Turn::Over {
            continue;
        }
        for player in 0..game.players {
            let config = drawn(seed).player(player);
            for claim in certify(&toy(game.clone()).0, &Root::default(), config) {
                let (Promise::AtLeast(payoff) | Promise::Below(payoff)) = claim.promise;
                let truth = Truth::new(&game, &0, claim.player, payoff);
                assert!(truth.is_true(claim, &0), "seed {seed}: {claim}");
                endless += u32::from(matches!(claim.promise, Promise::Below(_)));
                shown += 1;
            }
        }
    }
    assert!(shown > rounds(1000) && endless > rounds(300), "{shown} {endless}");
}

#[test]
fn tic_tac_toe_is_a_draw() {
    let game = Mnk::new(3, 3, 3, 2).expect("a board");
    let draw = [Promise::AtLeast(0), Promise::Below(1)];
    for &algorithm in Algorithm::ALL {
        let config = ProverConfig::default().algorithm(algorithm).threads(1).table(1 << 10);
        assert_eq!(promises(&certify(&game, &Root::default(), config)), draw);
    }
    let config = Config::proving().threads(1);
    assert_eq!(promises(&certify_playouts(&game, &Root::default(), config)), draw);
}

#[test]
fn small_othello_is_lost_by_eight() {
    let game = Othello::new(4, false).expect("a board");
    let score = [Promise::AtLeast(-8), Promise::Below(-7)];
    for &algorithm in Algorithm::ALL {
        let config = ProverConfig::default()
            .algorithm(algorithm)
            .goal(ProofGoal::Score)
            .threads(2)
            .table(1 << 16);
        assert_eq!(promises(&certify(&game, &Root::default(), config)), score);
    }
    let config = Config::proving().goal(Goal::Score).threads(1);
    assert_eq!(promises(&certify_playouts(&game, &Root::default(), config)), score);
}

#[test]
fn a_prover_beside_the_playouts_shows_what_it_has_solved() {
    let config = || Config::proving().threads(1).prover_share(0.8).memory(256 << 20);
    let game = Mnk::new(3, 3, 3, 2).expect("a board");
    let draw = [Promise::AtLeast(0), Promise::Below(1)];
    assert_eq!(promises(&certify_playouts(&game, &Root::default(), config())), draw);
    let game = Othello::new(4, false).expect("a board");
    let score = [Promise::AtLeast(-8), Promise::Below(-7)];
    let claims = certify_playouts(&game, &Root::default(), config().goal(Goal::Score));
    assert_eq!(promises(&claims), score);
    // A draw, a win and a loss for the side to move.
    let game = ConnectFour::new(7, 6, 4).expect("a board");
    for (moves, claims) in [("274552224131661", 2), ("436556442334561", 1), ("6614446666373154", 1)]
    {
        let root = Root::default().moves(moves.chars());
        assert_eq!(certify_playouts(&game, &root, config()).len(), claims, "{moves}");
    }
}

#[test]
fn three_players_and_a_coalition() {
    let game = Mnk::new(3, 3, 3, 3).expect("a board");
    for player in 0..3 {
        let config = ProverConfig::default().player(player).threads(1).table(1 << 14);
        let claims = certify(&game, &Root::default(), config);
        assert!(!claims.is_empty() && claims.iter().all(|claim| claim.player == player));
    }
}

#[test]
fn connect_four_and_mates() {
    let game = ConnectFour::new(7, 6, 4).expect("a board");
    let root = Root::default().moves("43655644233456".chars());
    let config = ProverConfig::default().threads(1).table(1 << 20);
    assert!(!certify(&game, &root, config).is_empty());
    mates(
        listed(Minichess::gardner()).0,
        include_str!("../../crates/games/tests/data/mates/gardner.csv"),
    );
    mates(
        listed(Minichess::los_alamos(false)).0,
        include_str!("../../crates/games/tests/data/mates/losalamos.csv"),
    );
    mates(
        listed(Minishogi::new(false)).0,
        include_str!("../../crates/games/tests/data/mates/minishogi.csv"),
    );
}

fn mates(game: Toy, rows: &str) {
    for row in rows.lines().skip(1).step_by(20) {
        let root = Root::default().position(row.split(',').nth(1).expect("a position"));
        let config = ProverConfig::default().goal(ProofGoal::Win).threads(1).table(1 << 14);
        assert!(
            matches!(promises(&certify(&game, &root, config))[..], [Promise::AtLeast(1)]),
            "{row}"
        );
    }
}

#[test]
fn a_cancelled_certificate_is_not_written() {
    let game = Othello::new(4, false).expect("a board");
    let mut search =
        ProofSearch::new(game.clone(), game.initial_state(), ProverConfig::default().table(1 << 8))
            .expect("a configuration");
    assert_eq!(search.search(&Budget::default()).expect("a game").proven, Value::Loss);
    let cancel = CancelToken::new();
    cancel.cancel();
    let error = search.certify("othello:4", &Root::default(), Some(&cancel), Vec::new());
    assert!(matches!(error, Err(CertificateError::Stopped(_))));
}

#[test]
fn what_is_open_is_not_claimed() {
    let game = ConnectFour::new(7, 6, 4).expect("a board");
    let mut search = ProofSearch::new(
        game.clone(),
        game.initial_state(),
        ProverConfig::default().table(1 << 20),
    )
    .expect("a configuration");
    search.search(&Budget::default().nodes(1000)).expect("a sound game");
    let error = search.certify("connect-four", &Root::default(), None, Vec::new());
    assert!(matches!(error, Err(CertificateError::NoProof(_))));
}
