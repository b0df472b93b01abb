//! Tests of trees that are saved and loaded.

use proofwood::inspect::SavedError;
use proofwood::options::{Bias, PlayoutPolicy};
use proofwood::{Budget, Config, Game, Goal, Report, Search, StopReason, Turn, Value};
use proofwood_games::{Awari, ConnectFour, Hex, Mnk, Othello, Pig};
use proofwood_testkit::check::is_true;
use proofwood_testkit::dice::Dice;
use proofwood_testkit::oracle::Solution;
use proofwood_testkit::random_game::RandomGame;
use proofwood_testkit::sticks::SticksOrForfeit;
use proofwood_testkit::toy::{listed, toy};
use sha2::{Digest, Sha256};

const SPEC: &str = "a game";

fn new<G: Game + Clone>(game: &G, config: &Config) -> Search<G> {
    Search::new(game.clone(), game.initial_state(), config.clone()).expect("it fits")
}

fn run<G: Game>(search: &mut Search<G>, playouts: u64) -> Report<G> {
    search.search(&Budget::default().playouts(playouts)).expect("a sound game")
}

fn saved<G: Game>(search: &Search<G>) -> Vec<u8> {
    let mut file = Vec::new();
    search.save_tree(SPEC, &mut file).expect("memory");
    file
}

fn load<G: Game>(search: &mut Search<G>, file: &[u8]) -> Result<(), SavedError> {
    search.load_tree(SPEC, file)
}

fn audit<G: Game>(search: &mut Search<G>) {
    search.audit().unwrap_or_else(|wrong| panic!("{wrong}"));
}

/// The parts of a report that do not depend on the clock, on the run, or on the places of nodes.
fn figures<G: Game>(report: &Report<G>) -> String {
    let Report {
        proven: value, bounds, expected, mean, proof_numbers, best_move, pv, moves, ..
    } = report;
    let (playouts, nodes) = (report.total_playouts, report.nodes);
    format!(
        "{value:?} {bounds:?} {expected:?} {mean:?} {proof_numbers:?} {best_move:?} {pv:?} \
         {moves:?} {playouts} {nodes}"
    )
}

fn refused(result: Result<(), SavedError>) -> String {
    let text = result.expect_err("it must be refused").to_string();
    assert!(!text.contains('\n') && !text.is_empty(), "{text}");
    text
}

fn signed(mut file: Vec<u8>) -> Vec<u8> {
    file.truncate(file.len() - 32);
    let digest = Sha256::digest(&file);
    file.extend_from_slice(&digest);
    file
}

fn goes_on_as_if_there_was_no_pause<G: Game + Clone>(game: G, config: Config, playouts: u64) {
    let config = config.threads(1).seed(7).memory(256 << 20);
    let mut whole = new(&game, &config);
    run(&mut whole, playouts);
    let file = saved(&whole);
    run(&mut whole, playouts);
    let mut loaded = new(&game, &config);
    load(&mut loaded, &file).expect("its own file");
    assert!(saved(&loaded) == file, "what was loaded is what was saved");
    audit(&mut loaded);
    run(&mut loaded, playouts);
    assert_eq!(figures(&loaded.snapshot()), figures(&whole.snapshot()));
    assert!(saved(&loaded) == saved(&whole), "every node is the same");
    audit(&mut loaded);
}

#[test]
fn one_thread_goes_on_as_if_there_was_no_pause() {
    let usual = Config::default();
    for bias in [Bias::None, Bias::Rank, Bias::Max, Bias::Sum, Bias::RankLudii] {
        goes_on_as_if_there_was_no_pause(ConnectFour::default(), usual.clone().bias(bias), 5000);
    }
    goes_on_as_if_there_was_no_pause(ConnectFour::default(), usual.clone(), 100_000);
    let score = usual.clone().goal(Goal::Score).audit(true);
    goes_on_as_if_there_was_no_pause(Othello::new(6, false).expect("a board"), score.clone(), 5000);
    goes_on_as_if_there_was_no_pause(Pig::new(20, 2, None).expect("a game"), score.clone(), 5000);
    goes_on_as_if_there_was_no_pause(
        listed(Awari::new(3, 2, false).expect("a board")).0,
        score,
        2000,
    );
    goes_on_as_if_there_was_no_pause(toy(Hex::new(5, 5).expect("a board")).0, usual.clone(), 3000);
    let three = Mnk::new(4, 4, 3, 3).expect("a board");
    goes_on_as_if_there_was_no_pause(three.clone(), usual.clone(), 5000);
    goes_on_as_if_there_was_no_pause(three, usual.paranoid(true), 5000);
}

fn settings(dice: &mut Dice) -> Config {
    let score_bounds = dice.chance(80);
    let goal = if score_bounds { dice.pick(&[Goal::Outcome, Goal::Score]) } else { Goal::Outcome };
    let config = Config::default()
        // With less exploration a tree hardly fills a small memory, and is rarely pruned.
        .c(std::f64::consts::SQRT_2)
        .audit(dice.chance(60))
        .goal(goal)
        .score_bounds(score_bounds)
        .solver(dice.chance(75))
        .look_ahead(dice.chance(60))
        .paranoid(dice.chance(40))
        .transpositions(dice.chance(70))
        .foresight(dice.chance(70))
        .seed(dice.below(1 << 30) as u64)
        .threads(dice.pick(&[1, 1, 2, 4]))
        .expand_after(dice.pick(&[1, 1, 2, 5]))
        .c_pn(dice.pick(&[0.0, 0.1]))
        .memory(dice.pick(&[16 << 10, 16 << 10, 64 << 10, 1 << 20, 64 << 20]));
    match dice.chance(75) {
        true => config.bias(dice.pick(&[Bias::Max, Bias::Rank, Bias::Sum])),
        false => config.c_pn(0.0),
    }
}

/// A loaded tree equals the saved one and its own recomputation, for games of every kind, after
/// moves, and in little memory, where nodes lose their children.
#[test]
fn any_tree_comes_back() {
    let (mut kept, mut solved) = (0, 0);
    for seed in 0..600u64 {
        let game = match seed % 3 {
            0 => RandomGame::new(seed),
            1 => RandomGame::with_players(seed, 1 + seed as usize % 4),
            _ => RandomGame::with_chance(seed),
        };
        if game.key(&game.initial_state()).is_none() {
            continue;
        }
        let mut dice = Dice::new(seed);
        let config = settings(&mut dice);
        let Ok(mut search) = Search::new(game.clone(), game.initial_state(), config.clone()) else {
            continue;
        };
        for _ in 0..dice.below(4) {
            run(&mut search, 1 + dice.below(400) as u64);
            if dice.chance(30)
                && let Some(mv) = search.snapshot().best_move
                && search.advance(mv).is_err()
            {
                break;
            }
        }
        if search.can_be_saved().is_err() {
            continue;
        }
        let report = search.snapshot();
        kept += u64::from(report.prunes > 0);
        solved += u64::from(report.proven.is_decided());
        let file = saved(&search);
        let position = *search.position();
        let more = config.clone().memory(64 << 20).threads(dice.pick(&[1, 2]));
        let mut loaded = Search::new(game, position, more).expect("it fits");
        load(&mut loaded, &file).unwrap_or_else(|wrong| panic!("seed {seed}: {wrong}"));
        audit(&mut loaded);
        let after = loaded.snapshot();
        assert_eq!((after.proven, after.bounds), (report.proven, report.bounds), "seed {seed}");
        assert_eq!(after.expected, report.expected, "seed {seed}");
        assert_eq!(after.total_playouts, report.total_playouts, "seed {seed}");
        run(&mut loaded, 500);
        audit(&mut loaded);
        assert!(load(&mut search, &file).is_ok() || config.memory < 1 << 20, "seed {seed}");
    }
    assert!(kept > 10 && solved > 50, "{kept} pruned, {solved} solved");
}

#[test]
fn what_many_threads_have_grown_comes_back() {
    let config = Config::default().threads(4).memory(64 << 20).audit(true);
    let game = ConnectFour::default();
    let mut search = new(&game, &config);
    let report = run(&mut search, 30_000);
    let file = saved(&search);
    for threads in [1, 3, 4] {
        let mut loaded = new(&game, &config.clone().threads(threads).seed(3).c(2.0));
        load(&mut loaded, &file).expect("only what a node means must be the same");
        let (after, before) = (loaded.snapshot(), &report);
        assert_eq!((after.total_playouts, &after.pv), (before.total_playouts, &before.pv));
        assert_eq!(after.proof_numbers, before.proof_numbers);
        audit(&mut loaded);
        run(&mut loaded, 10_000);
        audit(&mut loaded);
    }
}

#[test]
fn what_was_proven_stays_proven() {
    let game = Mnk::new(3, 3, 3, 2).expect("a board");
    let config = Config::proving().threads(2).memory(16 << 20);
    let mut search = new(&game, &config);
    assert_eq!(search.search(&Budget::default()).expect("an answer").proven, Value::Draw);
    let file = saved(&search);
    let mut loaded = new(&game, &config.clone().threads(1));
    load(&mut loaded, &file).expect("its own file");
    let report = loaded.search(&Budget::default()).expect("an answer");
    assert_eq!((report.proven, report.playouts), (Value::Draw, 0));
}

/// A saved tree keeps a background prover's values of the root's children, one of which ends the
/// game.
#[test]
fn what_was_told_comes_back() {
    for bounds in [true, false] {
        let (game, root) = toy(SticksOrForfeit(12));
        let config = Config::default().threads(1).memory(4 << 20).score_bounds(bounds);
        let config = config.prover_share(0.9).transpositions(false);
        let new = || Search::new(game.clone(), root.clone(), config.clone()).expect("it fits");
        let mut search = new();
        let report = run(&mut search, 100_000);
        assert_eq!((report.proven, report.stop_reason), (Value::Loss, Some(StopReason::Solved)));
        audit(&mut search);
        let mut loaded = new();
        load(&mut loaded, &saved(&search)).expect("a sound file");
        assert_eq!(figures(&loaded.snapshot()), figures(&search.snapshot()), "bounds {bounds}");
    }
}

#[test]
fn damaged_files_are_refused_and_nothing_changes() {
    let game = Mnk::new(3, 3, 3, 2).expect("a board");
    let config = Config::default().threads(1).memory(1 << 20);
    let mut search = new(&game, &config);
    run(&mut search, 60);
    let file = saved(&search);
    let mut other = new(&game, &config);
    run(&mut other, 10);
    let before = saved(&other);
    for place in 0..file.len() {
        let mut damaged = file.clone();
        damaged[place] ^= 1 << (place % 8);
        refused(load(&mut other, &damaged));
    }
    for length in 0..file.len() {
        refused(load(&mut other, &file[..length]));
    }
    for text in [&b""[..], b"\n", b"proofwood-checkpoint 2\n", b"hello\n\n\n"] {
        assert_eq!(
            refused(load(&mut other, text)),
            "the file does not begin with 'proofwood-tree'"
        );
    }
    let longer = [&file[..], b"x"].concat();
    assert_eq!(
        refused(load(&mut other, &longer)),
        "the file is damaged: data follows its checksum"
    );
    assert!(saved(&other) == before);
    load(&mut other, &file).expect("the file is sound");
}

/// A forged file with a correct checksum can claim more than the search proved, but nothing that
/// the rules or the other nodes contradict.
#[test]
fn a_forger_proves_nothing_below_what_the_rules_say() {
    for seed in 0..40 {
        let game = RandomGame::new(seed);
        let root = game.initial_state();
        if game.turn(&root) == Turn::Over || game.key(&root).is_none() {
            continue;
        }
        let truth = Solution::of(&game, &root);
        // These settings exclude claims that only the checksum protects.
        let config = Config::default()
            .threads(1)
            .memory(8 << 20)
            .transpositions(false)
            .foresight(false)
            .audit(seed % 2 == 0);
        let mut search = new(&game, &config);
        run(&mut search, 30);
        let file = saved(&search);
        let mut dice = Dice::new(seed);
        for _ in 0..400 {
            let mut forged = file.clone();
            for _ in 0..1 + dice.below(3) {
                let place = dice.below(forged.len() - 32);
                forged[place] ^= 1 << dice.below(8);
            }
            let mut loaded = new(&game, &config);
            if load(&mut loaded, &signed(forged.clone())).is_ok() {
                audit(&mut loaded);
                if !has_claims(&loaded) {
                    let tree = loaded.tree().expect("at rest");
                    for (child, truth) in tree.root().children().iter().zip(&truth.moves) {
                        for (player, &outcome) in truth.outcomes.iter().enumerate() {
                            let value = child.value(player);
                            assert!(is_true(value, outcome), "seed {seed}: {value:?}");
                        }
                    }
                }
                let _ = loaded.search(&Budget::default().playouts(50));
            }
        }
    }
}

/// Returns whether a node of the tree has a proven value that does not follow from its children.
fn has_claims<G: Game>(search: &Search<G>) -> bool {
    let tree = search.tree().expect("at rest");
    let mut open = vec![tree.root()];
    while let Some(node) = open.pop() {
        if node.is_pruned() || node.stage() == proofwood::inspect::NodeStage::Known {
            return true;
        }
        open.extend(node.children());
    }
    false
}

#[test]
fn foreign_files_are_refused_with_a_reason() {
    let game = ConnectFour::default();
    let config = Config::default().threads(1).memory(1 << 20);
    let mut search = new(&game, &config);
    run(&mut search, 2000);
    let file = saved(&search);
    let why = refused(search.load_tree("another game", &file[..]));
    assert_eq!(why, "the file was saved with the game 'a game', not 'another game'");
    let mut elsewhere = new(&game, &config);
    elsewhere.advance(3).expect("a legal move");
    let why = refused(load(&mut elsewhere, &file));
    assert!(why.starts_with("the file was saved with the position '"), "{why}");
    let settings: [(&str, Config); 5] = [
        ("goal", config.clone().goal(Goal::Score)),
        ("proof-numbers", config.clone().c_pn(0.1)),
        ("solver", config.clone().solver(false)),
        ("playout-policy", config.clone().playout_policy(PlayoutPolicy::Random)),
        ("playout-cap", config.clone().playout_cap(20)),
    ];
    for (name, other) in settings {
        let why = refused(load(&mut new(&game, &other), &file));
        assert!(why.contains(&format!("the setting {name}")), "{why}");
    }
    let mut small = new(&game, &config.clone().memory(32 << 10));
    let why = refused(load(&mut small, &file));
    assert!(why.contains("bytes of memory, but the search has 32768"), "{why}");
    run(&mut small, 100);
}

#[test]
fn trees_that_cannot_be_kept() {
    let game = ConnectFour::default();
    let mut search = new(&game, &Config::default().threads(1).memory(1 << 20));
    search.start(&Budget::default().playouts(100)).expect("it starts");
    assert!(refused(search.save_tree(SPEC, Vec::new())).contains("running"));
    search.wait().expect("an answer");
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    assert!(matches!(search.save_tree(SPEC, Full), Err(SavedError::Write(_))));
}
