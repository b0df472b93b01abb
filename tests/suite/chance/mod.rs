//! Tests of games with chance, whose results are compared with exhaustive expectimax.

mod gamble;
mod written;

use proofwood::options::Bias;
use proofwood::{
    Algorithm, Budget, Config, Game, Goal, Outcome, ProverConfig, Report, Search, SearchError,
    StopReason, Turn, Value, prove,
};
use proofwood_testkit::check::check_means;
use proofwood_testkit::dice::Dice;
use proofwood_testkit::expectimax::Solution;
use proofwood_testkit::random_game::RandomGame;
use proofwood_testkit::rounds::rounds;

/// Draws the settings that matter in games with chance.
fn config(dice: &mut Dice) -> Config {
    let score_bounds = dice.chance(80);
    let goal = if score_bounds { dice.pick(&[Goal::Outcome, Goal::Score]) } else { Goal::Outcome };
    let config = Config::default()
        .audit(true)
        .goal(goal)
        .score_bounds(score_bounds)
        .solver(dice.chance(75))
        .look_ahead(dice.chance(60))
        .paranoid(dice.chance(40))
        .transpositions(dice.chance(70))
        .seed(dice.below(1 << 30) as u64)
        .threads(dice.pick(&[1, 1, 2, 2, 3, 4, 8, 16]))
        .c(dice.pick(&[std::f64::consts::SQRT_2, 0.3, 5.0]))
        .expand_after(dice.pick(&[1, 1, 2, 5]))
        .memory(dice.pick(&[16 << 10, 64 << 10, 1 << 20, 64 << 20]));
    match dice.chance(75) {
        true => config.bias(dice.pick(&[Bias::Max, Bias::Rank, Bias::Sum])),
        false => config.c_pn(0.0),
    }
}

/// Plays the best move, a random one or any outcome; checks that proven values of the new position
/// are kept.
fn move_on(search: &mut Search<RandomGame>, report: &Report<RandomGame>, dice: &mut Dice) {
    let (game, root) = (search.game().clone(), *search.position());
    let Some(before) = report.moves.get(dice.below(report.moves.len().max(1))) else { return };
    match search.advance(before.mv) {
        Ok(()) => {}
        // A position may have more moves than a small memory holds.
        Err(SearchError::Memory { .. }) => return,
        Err(error) => panic!("{error}"),
    }
    assert_eq!(*search.position(), game.after(&root, before.mv));
    let after = search.snapshot();
    for (old, new) in before.proof_numbers.iter().zip(&after.proof_numbers) {
        assert!(old.is_open() || old == new, "a proof was lost: {old}, now {new}");
    }
    assert!(after.total_playouts <= before.visits);
    if let (true, Some(old), Some(new)) =
        (after.player == report.player, before.expected, after.expected)
    {
        assert!(old.lower <= new.lower, "a bound was lost: {old}, now {new}");
        assert!(old.upper.is_none() || new.upper.is_some_and(|end| Some(end) <= old.upper));
        assert!(!old.is_final() || new.is_final(), "{old} was final, {new} is not");
    }
    // Values below a chance node stay those of the player who moved before it.
    match game.turn(search.position()) {
        Turn::Player(mover) => assert_eq!(after.player, mover),
        Turn::Chance => assert_eq!(after.player, report.player),
        Turn::Over => assert_eq!(after.player, 0),
    }
}

/// The central test for games with chance: for any settings, moment of a stop, moves, outcomes and
/// size of memory, the tree equals its own recomputation and no claim is false.
#[test]
fn random_trees_equal_their_recomputation_and_claim_nothing_false() {
    let (mut prunes, mut kept) = (0, 0);
    for number in 0..rounds(1500) {
        let mut dice = Dice::new(number);
        let game = RandomGame::with_chance(number);
        let config = config(&mut dice).disprove_rest(number % 2 == 1);
        let root = game.initial_state();
        let mut search = Search::new(game.clone(), root, config.clone()).expect("it fits");
        for _ in 0..1 + dice.below(5) {
            let solution = Solution::of(&game, search.position());
            let playouts = dice.pick(&[1, 5, 30, 100, 1000, 4000]);
            let report = search.search(&Budget::default().playouts(playouts)).expect("sound rules");
            let case = || format!("{number}: {game:?} {config:?} {playouts}");
            let audit = search.audit().unwrap_or_else(|wrong| panic!("{wrong} in {}", case()));
            assert_eq!(audit.visits, report.total_playouts, "{}", case());
            assert_eq!(report.to_move.is_none(), report.best_move.is_none(), "{}", case());
            let visits: u64 = report.moves.iter().map(|mv| mv.visits).sum();
            assert_eq!(visits, report.total_playouts, "{}", case());
            let means = report.moves.iter().map(|mv| mv.mean).chain([report.mean]).flatten();
            means.for_each(|mean| assert!((-1.0..=1.0).contains(&mean), "{mean} in {}", case()));
            let all: f64 = report.moves.iter().filter_map(|mv| mv.probability).sum();
            let sum = if report.to_move.is_none() && !report.moves.is_empty() { 1.0 } else { 0.0 };
            assert!((all - sum).abs() < 1e-9, "probabilities of {all} in {}", case());
            let claims = || check_means(&report, &config, &solution);
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(claims))
                .unwrap_or_else(|_| panic!("in {}", case()));
            for _ in 0..dice.pick(&[0, 0, 1, 1, 2]) {
                let known = search.snapshot();
                move_on(&mut search, &known, &mut dice);
                let moved = search.snapshot();
                kept += u32::from(moved.to_move.is_none() && moved.total_playouts > 0);
            }
            prunes += report.prunes;
        }
    }
    assert!(prunes > 0, "no memory was full");
    assert!(kept > 0, "no tree of a chance root was kept");
}

/// A prover proves only what holds for every outcome of chance.
#[test]
fn provers_have_chance_against_them() {
    for number in 0..200 {
        let mut game = RandomGame::with_chance(number);
        game.depth = game.depth.min(5);
        let root = game.initial_state();
        let truth = Solution::of(&game, &root).root;
        for &algorithm in Algorithm::ALL {
            let config = ProverConfig::default()
                .algorithm(algorithm)
                .threads(1 + number as usize % 2)
                .table(1 << 20)
                .memory(64 << 20)
                .playouts_per_leaf(2)
                .audit(true);
            let report = prove(game.clone(), root, config, &Budget::default().nodes(10_000_000))
                .expect("sound rules");
            // Chance may still give the player what it cannot force.
            let told = match truth.sure[report.player] {
                Outcome::Win => report.proven == Value::Win,
                Outcome::Draw => matches!(report.proven, Value::NotLoss | Value::Draw),
                Outcome::Loss => matches!(report.proven, Value::NotWin | Value::Loss),
            };
            let allowed = truth.allows(report.player, report.proven);
            let what = format!("{} on {number}: {game:?}", algorithm.name());
            assert!(told && allowed, "{:?}, {what}", report.proven);
            assert!(report.to_move.is_some() || report.best_move.is_none(), "{what}");
        }
    }
}

/// With enough playouts the expected payoff is found: exactly, or as closely as fixed-point numbers
/// allow.
#[test]
fn scores_are_solved() {
    let (mut exact, mut rounded) = (0, 0);
    for number in 0..600 {
        let mut dice = Dice::new(0xd1ce ^ number);
        let mut game = RandomGame::with_chance(number);
        game.depth = game.depth.min(6);
        let config = config(&mut dice)
            .goal(Goal::Score)
            .score_bounds(true)
            .paranoid(true)
            .disprove_rest(number % 2 == 1)
            .expand_after(1)
            .memory(256 << 20);
        let root = game.initial_state();
        let solution = Solution::of(&game, &root);
        let mut search = Search::new(game.clone(), root, config.clone()).expect("it fits");
        let report = search.search(&Budget::default().playouts(400_000)).expect("sound rules");
        let case = format!("{number}: {game:?} {config:?}");
        assert!(
            matches!(report.stop_reason, Some(StopReason::Solved | StopReason::GameOver)),
            "{:?} {:?} in {case}",
            report.stop_reason,
            report.expected
        );
        search.audit().unwrap_or_else(|wrong| panic!("{wrong} in {case}"));
        check_means(&report, &config, &solution);
        let expected = report.expected.expect("bounds are on");
        let player = report.to_move.unwrap_or(0);
        match expected.exact() {
            Some(_) => exact += 1,
            None => {
                rounded += 1;
                assert!(expected.rounded, "{case}");
                // Every chance node on the path widens the interval by one unit at each end.
                let ends = [expected.lower, expected.upper].map(|end| end.unwrap().to_bits());
                assert!(ends[1] - ends[0] <= 2 * i64::from(game.depth), "{expected:?} in {case}");
            }
        }
        // A mean that is a multiple of 2^-31 at every node must be exact.
        if solution.root.means[player].is_integer() && game.weights_are_powers_of_two() {
            assert!(expected.exact().is_some(), "{expected:?} in {case}");
        }
    }
    assert!(exact > 100 && rounded > 100, "{exact} exact, {rounded} rounded");
}

#[test]
fn one_seed_one_tree() {
    let game = RandomGame::with_chance(12);
    for config in [Config::default(), Config::default().goal(Goal::Score)] {
        let run = |parts: &[u64]| {
            let config = config.clone().threads(1).seed(5);
            let mut search = Search::new(game.clone(), game.initial_state(), config).unwrap();
            for &playouts in parts {
                search.search(&Budget::default().playouts(playouts)).expect("sound rules");
            }
            let report = search.snapshot();
            format!("{:?} {:?} {:?} {}", report.moves, report.mean, report.expected, report.nodes)
        };
        assert_eq!(run(&[2000]), run(&[700, 1300]), "{config:?}");
    }
}
