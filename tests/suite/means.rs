//! The central test of means: in long searches of random games with any settings, the means and the
//! chosen move are those of best play.
//!
//! An oracle (`proofwood_testkit::best_play`) computes the limit of a mean: expectimax, or max^n if
//! each player plays for itself. The distance after a given number of playouts depends on luck, and
//! a few searches are slow to correct an early impression, so most means must be near the limit and
//! a few may be far from it. If a proof ends a search, the mean is not compared, and the move must
//! be right without exception.
//!
//! However short a search is, its reported means are within its proven bounds.

use num_bigint::BigInt;
use num_rational::BigRational;
use proofwood::inspect::NodeView;
use proofwood::options::Bias;
use proofwood::{
    Bounds, Budget, Config, Game, Goal, Outcome, Report, Search, StopReason, Turn, Value,
};
use proofwood_testkit::best_play::BestPlay;
use proofwood_testkit::dice::Dice;
use proofwood_testkit::expectimax::Solution;
use proofwood_testkit::random_game::{Payoffs, RandomGame, Shape};
use proofwood_testkit::rounds::rounds;
use std::collections::BTreeMap;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Switches {
    solver: bool,
    bounds: bool,
    chance: bool,
    /// Whether each player plays for itself, in games of more than two sides.
    free: bool,
}

/// A game of few positions, so that a search visits each of them often.
fn game(number: u64, chance: bool, goal: Goal, dice: &mut Dice) -> RandomGame {
    let players = dice.pick(&[1, 2, 2, 2, 3, 3, 4]);
    let mut game = RandomGame::with_players(number, players);
    (game.shape, game.depth) =
        dice.pick(&[(Shape::Bushy(3), 4), (Shape::Bushy(2), 6), (Shape::Bushy(4), 3)]);
    game.early = dice.pick(&[0, 15, 40]);
    if chance {
        game.chance = dice.pick(&[30, 50]);
        game.weights = dice.pick(&[&[1], &[1, 2, 3, 5]]);
    }
    // With chance, scores need a declared range for their means to be compared.
    let endless = matches!(game.payoffs, Payoffs::Extreme | Payoffs::GeneralExtreme);
    if chance && endless {
        game.payoffs = if game.zero_sum() { Payoffs::Scores(5) } else { Payoffs::General(5) };
    }
    game.tight |= chance && goal == Goal::Score;
    if goal == Goal::Outcome { game.with_a_question() } else { game }
}

fn config(switches: Switches, goal: Goal, dice: &mut Dice) -> Config {
    Config::default()
        .solver(switches.solver)
        .score_bounds(switches.bounds)
        .paranoid(!switches.free)
        .goal(goal)
        // A bias that does not fade would shift the means.
        .bias(Bias::None)
        // The C of UCT's theorem. With the smaller default, chosen for play, a search corrects an
        // early impression later.
        .c(std::f64::consts::SQRT_2)
        .threads(dice.pick(&[1, 1, 1, 2]))
        .seed(dice.below(1 << 30) as u64)
        .look_ahead(dice.chance(50))
        .transpositions(dice.chance(50))
        .memory(64 << 20)
}

#[derive(Clone, Copy, Debug)]
struct Distance {
    mean: f64,
    choice: f64,
}

/// Compares the mean and the chosen move with best play by all players.
fn distance(report: &Report<RandomGame>, truth: &BestPlay) -> Distance {
    let player = report.player;
    let mut mean = report.mean.map_or(0.0, |mean| truth.root.distance(player, mean));
    let mut choice = 0.0;
    for (mv, truth_of_move) in report.moves.iter().zip(&truth.moves) {
        if let Some(value) = mv.mean
            && mv.visits >= report.total_playouts / 4
        {
            mean = mean.max(truth_of_move.distance(player, value));
        }
        if report.best_move == Some(mv.mv) {
            choice = (truth.root.of(player).0 - truth_of_move.of(player).1).max(0.0);
        }
    }
    Distance { mean, choice }
}

/// If a search has proven what can be forced, checks that the chosen move keeps it.
fn check_forced(
    report: &Report<RandomGame>,
    goal: Goal,
    game: &RandomGame,
    root: &<RandomGame as Game>::State,
) {
    let Some(best) = report.best_move else { return };
    let truth = Solution::of(game, root);
    let number = report.moves.iter().position(|mv| mv.mv == best).expect("a legal move");
    let (player, chosen) = (report.player, &truth.moves[number]);
    if goal == Goal::Score {
        // A difference that is due to rounding does not count.
        let off = &truth.root.means[player] - &chosen.means[player];
        let little = BigRational::new(BigInt::from(1), BigInt::from(1_000_000));
        assert!(off < little, "{off} is given away");
    } else if truth.root.sure[player] == Outcome::Win {
        assert_eq!(chosen.sure[player], Outcome::Win);
    }
}

#[test]
fn long_searches_come_to_best_play() {
    const GAMES: u64 = 150;
    const PLAYOUTS: u64 = 20_000;
    /// The greatest distance from best play that counts as near.
    const FAR: f64 = 0.05;
    let mut kinds: BTreeMap<Switches, Vec<(u64, Distance)>> = BTreeMap::new();
    let (mut solved, mut forced) = (0, 0);
    for (number, setting) in (0..rounds(GAMES)).flat_map(|number| (0..16).map(move |s| (number, s)))
    {
        let on = |bit: u64| setting >> bit & 1 == 1;
        let mut dice = Dice::new(number * 16 + setting);
        let goal = if on(1) { dice.pick(&[Goal::Outcome, Goal::Score]) } else { Goal::Outcome };
        let game = game(number, on(2), goal, &mut dice);
        let two_sided = game.zero_sum() || game.players == 1;
        let switches = Switches { solver: on(0), bounds: on(1), chance: on(2), free: on(3) };
        let root = game.initial_state();
        if two_sided && switches.free || game.turn(&root) == Turn::Over {
            continue;
        }
        let config = config(switches, goal, &mut dice);
        let mut search = Search::new(game.clone(), root, config.clone()).expect("it fits");
        let report = search.search(&Budget::default().playouts(PLAYOUTS)).expect("sound rules");
        let is_solved = report.stop_reason == Some(StopReason::Solved);
        if is_solved && !switches.free {
            check_forced(&report, goal, &game, &root);
            forced += 1;
        }
        // A search for what can be forced against all others ignores the others' own interests.
        if !two_sided && !switches.free {
            continue;
        }
        let best_play = BestPlay::of(&game, &root, goal);
        let mut off = distance(&report, &best_play);
        // Two threads never grow the same tree twice. If their tree corrects an early impression
        // late, they get more playouts.
        if config.threads > 1 && off.mean > FAR && !is_solved {
            let report = search.search(&Budget::default().playouts(4 * PLAYOUTS));
            off = distance(&report.expect("sound rules"), &best_play);
        }
        // If draws and losses are not distinguished, "no win" is all that can be proven.
        let blind = !game.zero_sum() && !switches.bounds;
        if is_solved && !blind {
            assert!(off.choice < 1e-6, "{off:?} in {number} {game:?} {config:?}");
            solved += 1;
        } else if !is_solved {
            kinds.entry(switches).or_default().push((number, off));
        }
    }
    assert!(
        solved > rounds(200) && forced > rounds(200),
        "{solved} solved, {forced} of them for one side"
    );
    // Games without chance and with two sides are solved.
    assert!(kinds.len() >= 12, "{:?}", kinds.keys());
    for (switches, all) in &kinds {
        let far = |what: fn(&Distance) -> f64| -> Vec<&(u64, Distance)> {
            all.iter().filter(|(_, distance)| what(distance) > FAR).collect()
        };
        let (means, choices) = (far(|d| d.mean), far(|d| d.choice));
        assert!(means.len() * 25 <= all.len(), "{switches:?}, {} in all: {means:?}", all.len());
        assert!(choices.len() * 50 <= all.len(), "{switches:?}, {} in all: {choices:?}", all.len());
    }
}

/// The range that proven outcomes and payoffs leave for a mean, for a player with this range of
/// payoffs.
fn ends(value: Value, bounds: Bounds, goal: Goal, range: [i32; 2]) -> [f64; 2] {
    let outcomes = match value {
        Value::Win => [1.0, 1.0],
        Value::NotLoss => [0.0, 1.0],
        Value::Draw => [0.0, 0.0],
        Value::NotWin => [-1.0, 0.0],
        Value::Loss => [-1.0, -1.0],
        _ => [-1.0, 1.0],
    };
    if goal == Goal::Outcome {
        return outcomes;
    }
    let [least, most] = range.map(f64::from);
    let place = |payoff: i32| 2.0 * (f64::from(payoff) - least) / (most - least) - 1.0;
    let places = [bounds.lower.map_or(-1.0, place), bounds.upper.map_or(1.0, place)];
    [0, 1].map(|end| (outcomes[end] + places[end]) / 2.0)
}

/// Checks a mean against the proven range; returns whether there was anything to compare.
fn check_within(mean: Option<f64>, ends: [f64; 2], what: &dyn Fn() -> String) -> bool {
    const ROUNDING: f64 = 1e-6;
    let Some(mean) = mean else { return false };
    let is_within = ends[0] - ROUNDING <= mean && mean <= ends[1] + ROUNDING;
    assert!(is_within, "{mean} is not in {ends:?}: {}", what());
    ends != [-1.0, 1.0]
}

fn check_below<'t>(
    node: NodeView<'t, RandomGame>,
    proven: &dyn Fn(&NodeView<'t, RandomGame>) -> [f64; 2],
    what: &dyn Fn() -> String,
) -> u64 {
    let here = u64::from(check_within(node.mean(), proven(&node), what));
    here + node.children().into_iter().map(|c| check_below(c, proven, what)).sum::<u64>()
}

#[test]
fn no_mean_is_beyond_what_is_proven() {
    let mut compared = 0;
    for number in 0..rounds(600) {
        let mut dice = Dice::new(number);
        let (chance, free) = (dice.chance(30), dice.chance(50));
        let game = match chance {
            true => RandomGame::with_chance(number),
            false => RandomGame::new(number),
        };
        let root = game.initial_state();
        let two_sided = game.zero_sum() || game.players == 1;
        let solver = dice.chance(80);
        let bounds = dice.chance(70);
        let goal = match bounds && game.tight && !chance {
            true => dice.pick(&[Goal::Outcome, Goal::Score]),
            false => Goal::Outcome,
        };
        let switches = Switches { solver, bounds, chance, free: free && !two_sided };
        let config = config(switches, goal, &mut dice).memory(1 << 20);
        let mut search = Search::new(game.clone(), root, config).expect("it fits");
        let budget = Budget::default().playouts(dice.pick(&[20, 100, 500, 2_000]));
        let report = search.search(&budget).expect("sound rules");
        let player = report.player;
        let what = || format!("{number}, {goal:?}, {switches:?}, {game:?}");
        let range = |one: usize| [*game.payoff_range(one).start(), *game.payoff_range(one).end()];
        // Without a range, scores count as outcomes.
        let [least, most] = range(player);
        let unbounded = least == i32::MIN || most == i32::MAX || least >= most;
        let goal = if unbounded { Goal::Outcome } else { goal };
        let proven = |value: Value, bounds: Bounds, one: usize| {
            // With chance, a win that cannot be forced is still possible.
            let value = if chance && value == Value::NotWin { Value::Unknown } else { value };
            let [least, most] = ends(value, bounds, goal, range(one));
            match (two_sided, free) {
                (true, _) => [least, most],
                // The others may not want a result that they could force together.
                (false, true) => [least, 1.0],
                (false, false) if one == player => [least, most],
                (false, false) => [-1.0, 1.0],
            }
        };
        let root = proven(report.proven, report.bounds, player);
        compared += u64::from(check_within(report.mean, root, &what));
        for mv in &report.moves {
            let move_ends = proven(mv.proven, mv.bounds, player);
            compared += u64::from(check_within(mv.mean, move_ends, &what));
        }
        let of_node = |node: &NodeView<'_, RandomGame>| {
            let one = node.player();
            proven(node.value(one), node.bounds(one), one)
        };
        let tree = search.tree().expect("at rest");
        compared += check_below(tree.root(), &of_node, &what);
    }
    assert!(compared > rounds(10_000), "{compared}");
}
