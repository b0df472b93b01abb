//! The central test: for any game, options, number of threads and moment of a stop, the tree equals
//! its own sequential recomputation, its figures add up, and no claim is false.
//!
//! Every case is generated from its number, so the number in a failure message is enough to repeat
//! it.

use proofwood::evaluate::{Batching, LeafEvaluation};
use proofwood::inspect::{NodeStage, NodeView};
use proofwood::options::{Bias, VirtualLoss};
use proofwood::{
    Budget, CancelToken, Config, Game, Goal, Report, Search, SearchError, StopReason, Turn, Value,
};
use proofwood_games::{ConnectFour, Mnk, Othello, PGame, p_game::Leaves};
use proofwood_testkit::check::{check_claims, check_figures};
use proofwood_testkit::dice::Dice;
use proofwood_testkit::graph::Graph;
use proofwood_testkit::guesses::Guesses;
use proofwood_testkit::oracle::Solution;
use proofwood_testkit::random_game::{Path, RandomGame};
use proofwood_testkit::rounds::rounds;
use proofwood_testkit::toy::toy;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

const BIASES: [Bias; 5] = [Bias::None, Bias::Rank, Bias::Max, Bias::Sum, Bias::RankLudii];

/// Draws a configuration with one of the 64 combinations of the switches.
fn config(switches: usize, dice: &mut Dice) -> Config {
    let on = |bit: usize| switches >> bit & 1 == 1;
    let (score_bounds, proof_numbers) = (on(1), on(2));
    let goal = if score_bounds { dice.pick(&[Goal::Outcome, Goal::Score]) } else { Goal::Outcome };
    let config = Config::default()
        .audit(true)
        .solver(on(0))
        .score_bounds(score_bounds)
        .look_ahead(on(3))
        .transpositions(on(4))
        .paranoid(on(5))
        .goal(goal)
        .seed(dice.below(1 << 30) as u64)
        .threads(dice.pick(&[1, 1, 2, 2, 3, 4, 8, 16]))
        .c(dice.pick(&[std::f64::consts::SQRT_2, 0.0, 0.3, 5.0]))
        .expand_after(dice.pick(&[1, 1, 1, 2, 7]))
        .virtual_loss(dice.pick(&[VirtualLoss::Unobserved, VirtualLoss::None]))
        .memory(dice.pick(&[16 << 10, 16 << 10, 64 << 10, 1 << 20, 64 << 20]));
    if proof_numbers {
        config.bias(dice.pick(&BIASES)).c_pn(dice.pick(&[1.0, 0.2, 10.0]))
    } else {
        config.c_pn(0.0)
    }
}

/// The condition that ends a search of a case.
#[derive(Clone, Copy, Debug)]
enum End {
    Playouts(u64),
    Nodes(u64),
    Bytes(u64),
    Time(Duration),
    CancelledBefore,
    CancelledAfter(Duration),
    StoppedAfter(Duration),
}

const MOST: u64 = 4000;

impl End {
    fn draw(dice: &mut Dice) -> End {
        let moment = Duration::from_micros(dice.below(600) as u64);
        match dice.below(16) {
            0..=2 => End::Playouts(1 + dice.below(20) as u64),
            3..=7 => End::Playouts(1 + dice.below(600) as u64),
            8..=9 => End::Playouts(MOST),
            10 => End::Nodes(1 + dice.below(300) as u64),
            11 => End::Bytes(1 + dice.below(20_000) as u64),
            12 => End::Time(moment + Duration::from_micros(1)),
            13 => End::CancelledBefore,
            14 => End::CancelledAfter(moment),
            _ => End::StoppedAfter(moment),
        }
    }

    fn run<G: Game, L: LeafEvaluation<G>>(self, search: &mut Search<G, L>) -> Report<G> {
        let limited = Budget::default().playouts(MOST);
        let token = CancelToken::new();
        let budget = match self {
            End::Playouts(playouts) => limited.playouts(playouts),
            End::Nodes(nodes) => limited.nodes(nodes),
            End::Bytes(bytes) => limited.bytes(bytes),
            End::Time(time) => limited.time(time),
            End::CancelledBefore | End::CancelledAfter(_) => limited.cancel(&token),
            End::StoppedAfter(_) => limited,
        };
        let before = search.snapshot();
        if matches!(self, End::CancelledBefore) {
            token.cancel();
        }
        search.start(&budget).expect("nothing runs yet");
        match self {
            End::CancelledAfter(moment) => {
                std::thread::sleep(moment);
                token.cancel();
            }
            End::StoppedAfter(moment) => {
                std::thread::sleep(moment);
                search.snapshot();
                search.stop();
            }
            _ => {}
        }
        let report = search.wait().expect("the game keeps its contract");
        let limits = (budget.playouts.unwrap_or(u64::MAX), budget.nodes, budget.bytes);
        check_reason(&before, &report, limits);
        report
    }
}

/// Checks that the search ended for the reason that it reports, and respected its limits.
fn check_reason<G: Game>(
    before: &Report<G>,
    report: &Report<G>,
    (playouts, nodes, bytes): (u64, Option<u64>, Option<u64>),
) {
    match report.stop_reason.expect("it has ended") {
        StopReason::Playouts => assert_eq!(report.playouts, playouts, "not all were played"),
        StopReason::Nodes => assert!(nodes.is_some()),
        StopReason::Bytes => assert!(bytes.is_some()),
        StopReason::Memory => panic!("playouts were limited"),
        _ => assert!(report.playouts <= playouts),
    }
    assert!(nodes.is_none_or(|nodes| report.nodes <= nodes.max(before.nodes)), "too many nodes");
    assert!(bytes.is_none_or(|bytes| report.bytes <= bytes.max(before.bytes)), "too many bytes");
    assert_eq!(report.total_playouts, before.total_playouts + report.playouts);
}

/// Runs all cases, each with a name that suffices to repeat it. Fails at the end if one of them
/// failed.
fn run_cases(cases: impl Iterator<Item = (String, impl FnOnce())>) {
    let mut failed = 0;
    for (name, case) in cases {
        if catch_unwind(AssertUnwindSafe(case)).is_err() {
            eprintln!("in the case {name}\n");
            failed += 1;
        }
    }
    assert_eq!(failed, 0, "cases failed");
}

/// The number of runs whose report counts at least one pruning, and the number of moves after which
/// part of the tree was kept.
static PRUNES: AtomicU64 = AtomicU64::new(0);
static KEPT: AtomicU64 = AtomicU64::new(0);

/// Runs a few searches on one tree, audits each and compares it with the solution; plays moves and
/// sets positions between them.
fn check_case(game: &RandomGame, config: &Config, ends: &[End], dice: Dice) {
    let search = Search::new(game.clone(), game.initial_state(), config.clone());
    check_search(&mut search.expect("it fits"), ends, dice, |_| ());
}

/// Runs a case on any search, and calls a further check after each run.
fn check_search<L: LeafEvaluation<RandomGame>>(
    search: &mut Search<RandomGame, L>,
    ends: &[End],
    mut dice: Dice,
    check: impl Fn(&Search<RandomGame, L>),
) {
    let (game, config) = (search.game().clone(), search.config().clone());
    for end in ends {
        let root = *search.position();
        let report = end.run(search);
        check_audit(search, &report, end);
        check(search);
        assert!(report.bytes <= config.memory);
        check_figures(&game, &root, &report);
        // The oracle does not solve games with chance.
        if !game.has_chance() {
            check_claims(&report, &config, &Solution::of(&game, &root));
        }
        PRUNES.fetch_add(u64::from(report.prunes > 0), Ordering::Relaxed);
        for _ in 0..dice.pick(&[0, 0, 1, 1, 2]) {
            move_on(search, &report, &mut dice);
        }
    }
}

/// Checks that the tree passes the audit, and that the report agrees with the tree.
fn check_audit<G: Game, L: LeafEvaluation<G>>(
    search: &mut Search<G, L>,
    report: &Report<G>,
    end: &End,
) {
    let audit = search.audit().unwrap_or_else(|wrong| panic!("{wrong} after {end:?}"));
    assert_eq!(audit.visits, report.total_playouts);
    if report.reclaiming {
        assert!(audit.nodes <= report.nodes, "more nodes than reported");
    } else {
        assert_eq!(audit.nodes, report.nodes, "nodes reported");
    }
    let swept = search.snapshot();
    assert!(!swept.reclaiming, "an audit sweeps first");
    assert_eq!(swept.nodes, audit.nodes, "nodes after the sweep");
}

/// Plays the best move or a random one, or returns to the start; checks that the tree keeps its
/// values of the new position.
fn move_on<L: LeafEvaluation<RandomGame>>(
    search: &mut Search<RandomGame, L>,
    report: &Report<RandomGame>,
    dice: &mut Dice,
) {
    let (game, root) = (search.game().clone(), *search.position());
    if game.turn(&root) == Turn::Over || dice.chance(5) {
        return fits(search.set_position(game.initial_state()));
    }
    let known = search.snapshot();
    let number = dice.below(known.moves.len().max(1));
    let Some(chosen) = known.moves.get(number) else { return };
    let best = report.best_move.filter(|mv| known.moves.iter().any(|m| m.mv == *mv));
    let mv = if dice.chance(50) { best.unwrap_or(chosen.mv) } else { chosen.mv };
    let before = known.moves.iter().find(|m| m.mv == mv).expect("one of them");
    fits(search.advance(mv));
    let after = search.snapshot();
    KEPT.fetch_add(u64::from(after.total_playouts > 0), Ordering::Relaxed);
    assert_eq!(*search.position(), game.after(&root, mv));
    for (old, new) in before.proof_numbers.iter().zip(&after.proof_numbers) {
        assert!(!old.is_proven() || new.is_proven(), "a proof was lost: {old}, now {new}");
        assert!(!old.is_infinite() || new.is_infinite(), "a disproof was lost: {old}, now {new}");
    }
    assert!(after.total_playouts <= before.visits);
    // If the game is over, or chance decides, the bounds may be another player's.
    if (after.to_move, after.player, search.config().paranoid)
        == (known.to_move, known.player, false)
    {
        assert!(after.bounds.lower >= before.bounds.lower, "a bound was lost");
    }
}

/// Checks that a move succeeded, or that the position has more moves than the memory holds.
fn fits(moved: Result<(), SearchError>) {
    match moved {
        Ok(()) | Err(SearchError::Memory { .. }) => {}
        Err(error) => panic!("{error}"),
    }
}

/// The number of games for each of the 64 combinations of the switches.
const GAMES_A_SETTING: usize = 50;

#[test]
fn trees_equal_their_recomputation_and_claim_nothing_false() {
    run_cases((0..64 * rounds(GAMES_A_SETTING)).map(|number| {
        let mut dice = Dice::new(number as u64);
        let config = config(number % 64, &mut dice);
        let game = RandomGame::new(number as u64);
        let ends: Vec<End> = (0..1 + dice.below(6)).map(|_| End::draw(&mut dice)).collect();
        (format!("{number}: {game:?}, {config:?}, {ends:?}"), move || {
            check_case(&game, &config, &ends, dice);
        })
    }));
    let counts = [&PRUNES, &KEPT].map(|count| count.load(Ordering::Relaxed));
    assert!(counts.iter().all(|&count| count > rounds(200)), "too few prunes or moves: {counts:?}");
}

static WITH_PRIORS: AtomicU64 = AtomicU64::new(0);

/// Checks that every node has the evaluator's priors for its position. The root may not have priors
/// yet.
fn check_priors<L: LeafEvaluation<RandomGame>>(search: &Search<RandomGame, L>, guesses: Guesses) {
    fn check(node: NodeView<'_, RandomGame>, game: &RandomGame, state: &Path, guesses: Guesses) {
        let children = node.children();
        let mut right = vec![0.0; children.len()];
        guesses.priors(state, &mut right);
        let sum: f32 = right.iter().sum();
        let decides = matches!(game.turn(state), Turn::Player(_));
        let waits = node.mv().is_none() && children.iter().all(|child| child.prior().is_none());
        for (child, right) in children.iter().zip(right.iter().filter(|_| decides && !waits)) {
            let prior = child.prior().expect("a node with children has priors");
            let right =
                f64::from(if sum > 0.0 { right / sum } else { 1.0 / children.len() as f32 });
            assert!((prior - right).abs() <= right / 4000.0 + 1e-9, "{prior}, should be {right}");
            WITH_PRIORS.fetch_add(1, Ordering::Relaxed);
        }
        for child in children.iter().filter(|child| child.stage() == NodeStage::Expanded) {
            let mv = child.mv().expect("it is below the root");
            check(*child, game, &game.after(state, mv), guesses);
        }
    }
    let tree = search.tree().expect("it is at rest");
    check(tree.root(), search.game(), search.position(), guesses);
}

#[test]
fn trees_with_priors_equal_their_recomputation() {
    run_cases((0..64 * rounds(12)).map(|number| {
        let mut dice = Dice::new(0xfeed + number as u64);
        let config = config(number % 64, &mut dice)
            .noise(dice.pick(&[0.0, 0.0, 0.25, 1.0]))
            .temperature(dice.pick(&[0.0, 0.0, 1.0, 0.3]))
            .temperature_moves(dice.pick(&[30, 1]));
        let game = match dice.chance(30) {
            true => RandomGame::with_chance(number as u64),
            false => RandomGame::new(number as u64),
        };
        let ends: Vec<End> = (0..1 + dice.below(6)).map(|_| End::draw(&mut dice)).collect();
        let guesses = Guesses { seed: number as u64 };
        (format!("{number}: {game:?}, {config:?}, {ends:?}"), move || {
            let start = game.initial_state();
            if number % 2 == 0 {
                let search = Search::with_evaluator(game, start, config, guesses);
                let check = |search: &Search<_, _>| check_priors(search, guesses);
                return check_search(&mut search.expect("it fits"), &ends, dice, check);
            }
            let batching = Batching::default()
                .size(dice.pick(&[1, 4, 16, 64]))
                .calls(dice.pick(&[0, 1, 1, 3]))
                .cache(dice.pick(&[0, 1 << 12, 1 << 20]))
                .wait(Duration::from_micros(dice.pick(&[0, 100, 1000])));
            let search = Search::with_batches(game, start, config, guesses, batching);
            let check = |search: &Search<_, _>| check_priors(search, guesses);
            check_search(&mut search.expect("it fits"), &ends, dice, check);
        })
    }));
    let compared = WITH_PRIORS.load(Ordering::Relaxed);
    assert!(compared > rounds(100_000), "too few priors: {compared}");
}

/// Tests games that may never end, with playouts that are cut off.
#[test]
fn games_with_circles_claim_nothing_false() {
    let mut solved = 0;
    for seed in 0..rounds(1500) {
        let game = Graph::new(seed);
        if game.turn(&0) == Turn::Over {
            continue;
        }
        let mut dice = Dice::new(0xc1c1e + seed);
        let config = config(dice.below(64), &mut dice).playout_cap(50);
        let what = format!("{seed}: {game:?}, {config:?}");
        let (toy, root) = toy(game.clone());
        let mut search = Search::new(toy, root, config).expect("it fits");
        for playouts in [30, 500] {
            let report = search.search(&Budget::default().playouts(playouts)).expect(&what);
            search.audit().unwrap_or_else(|wrong| panic!("{wrong} in {what}"));
            let player = report.player;
            let wins = game.secures(player, 1)[0];
            assert!(report.proven != Value::Win || wins, "{what}");
            assert!(report.proven != Value::Loss || !wins, "{what}");
            solved += u64::from(report.proven != Value::Unknown);
            if let Some(lower) = report.bounds.lower.filter(|&lower| lower > -game.most) {
                assert!(game.secures(player, lower)[0], "{what}: {lower}");
            }
        }
    }
    assert!(solved > rounds(300), "too few are solved: {solved}");
}

/// Many threads search small trees, so that announcements, claims and releases often coincide.
#[test]
fn crowds_on_small_trees() {
    run_cases((0..300).map(|number| {
        let mut dice = Dice::new(0xc0de + number);
        let config = config(dice.below(64) | 3, &mut dice)
            .threads(dice.pick(&[4, 8, 16]))
            .memory(64 << 20)
            .expand_after(1);
        let mut game = RandomGame::new(dice.below(1 << 20) as u64);
        game.depth = game.depth.min(4);
        (format!("{number}: {game:?}, {config:?}"), move || {
            check_case(&game, &config, &[End::Playouts(64), End::Playouts(MOST)], dice);
        })
    }));
}

/// Searches a real game several times, and audits the tree each time.
fn check_real<G: Game>(game: G, config: Config, ends: &[End]) {
    let root = game.initial_state();
    let mut search = Search::new(game, root, config).expect("it fits");
    for end in ends {
        let root = search.position().clone();
        let report = end.run(&mut search);
        check_audit(&mut search, &report, end);
        check_figures(search.game(), &root, &report);
        if let Some(best) = report.best_move {
            fits(search.advance(best));
        }
    }
}

/// Tests trees that fill several chunks of the arena, and trees that soon fill their memory.
#[test]
fn real_games_on_large_and_on_full_arenas() {
    const LARGE: u64 = 60_000;
    // Every twelve cases contain each game twice, with much memory and with little.
    run_cases((0..rounds(36)).map(|number| {
        let mut dice = Dice::new(0xbead + number);
        let full = number % 2 == 1;
        let config = config(dice.below(64), &mut dice)
            .threads(dice.pick(&[2, 4, 8]))
            .expand_after(1)
            .memory(if full { 200 << 10 } else { 256 << 20 });
        let ends =
            [End::Playouts(LARGE), End::StoppedAfter(Duration::from_millis(3)), End::Playouts(999)];
        (format!("{number}: {config:?}"), move || match number / 2 % 6 {
            0 => check_real(ConnectFour::default(), config, &ends),
            1 => check_real(Othello::new(8, false).expect("a board"), config, &ends),
            2 => check_real(Mnk::new(5, 5, 4, 3).expect("a board"), config, &ends),
            3 => check_real(Mnk::new(6, 4, 4, 4).expect("a board"), config, &ends),
            4 => check_real(
                toy(PGame::new(3, 30, number, 4, Leaves::Values(9)).expect("a tree")).0,
                config,
                &ends,
            ),
            // Blocks of children nearly as large as a chunk.
            _ => check_real(
                toy(PGame::new(30_000, 2, number, 0, Leaves::Values(9)).expect("a tree")).0,
                config.memory(64 << 20),
                &[End::Playouts(200), End::Playouts(300)],
            ),
        })
    }));
}
