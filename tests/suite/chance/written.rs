//! Tests of trees listed node by node, for special cases of chance nodes.

use proofwood::internals::Fixed;
use proofwood::options::Bias;
use proofwood::{
    Budget, Config, Game, Goal, Report, Search, SearchError, StopReason, Turn, Value, search,
};
use proofwood_testkit::check::check_means;
use proofwood_testkit::expectimax::{Solution, rational};
use std::collections::HashMap;
use std::ops::RangeInclusive;

/// A game given as a list of nodes.
#[derive(Clone, Debug)]
struct Written {
    players: usize,
    zero_sum: bool,
    range: RangeInclusive<i32>,
    nodes: HashMap<u32, Node>,
}

#[derive(Clone, Debug)]
enum Node {
    /// The player to move, and the nodes after its moves.
    Choice(usize, Vec<u32>),
    /// The outcomes of chance: the weight of each, and the node after it.
    Roll(Vec<(u32, u32)>),
    End(Vec<i32>),
}

impl Written {
    fn one(nodes: impl IntoIterator<Item = (u32, Node)>) -> Written {
        let nodes = nodes.into_iter().collect();
        Written { players: 1, zero_sum: false, range: -100..=100, nodes }
    }

    fn two(nodes: impl IntoIterator<Item = (u32, Node)>) -> Written {
        Written { players: 2, zero_sum: true, ..Written::one(nodes) }
    }

    fn branch(&self, state: u32, mv: u16) -> (u32, u32) {
        match &self.nodes[&state] {
            Node::Choice(_, next) => (1, next[usize::from(mv)]),
            Node::Roll(outcomes) => outcomes[usize::from(mv)],
            Node::End(_) => panic!("the game is over"),
        }
    }
}

impl Game for Written {
    type State = u32;
    type Move = u16;

    fn initial_state(&self) -> u32 {
        0
    }
    fn turn(&self, state: &u32) -> Turn {
        match &self.nodes[state] {
            Node::Choice(player, _) => Turn::Player(*player),
            Node::Roll(_) => Turn::Chance,
            Node::End(_) => Turn::Over,
        }
    }
    fn legal_moves(&self, state: &u32, moves: &mut Vec<u16>) {
        let count = match &self.nodes[state] {
            Node::Choice(_, next) => next.len(),
            Node::Roll(outcomes) => outcomes.len(),
            Node::End(_) => panic!("the game is over"),
        };
        moves.extend(0..count as u16);
    }
    fn play(&self, state: &mut u32, mv: u16) {
        *state = self.branch(*state, mv).1;
    }
    fn payoff(&self, state: &u32, player: usize) -> i32 {
        match &self.nodes[state] {
            Node::End(payoffs) => payoffs[player],
            _ => panic!("the game is not over"),
        }
    }
    fn num_players(&self) -> usize {
        self.players
    }
    fn zero_sum(&self) -> bool {
        self.zero_sum
    }
    fn payoff_range(&self, _: usize) -> RangeInclusive<i32> {
        self.range.clone()
    }
    fn has_chance(&self) -> bool {
        true
    }
    fn chance_weight(&self, state: &u32, outcome: u16) -> u32 {
        self.branch(*state, outcome).0
    }
}

use Node::{Choice, End, Roll};
use proofwood_testkit::toy::{Position, Toy, toy};

fn searched(game: Written, config: Config, budget: &Budget) -> Result<Report<Toy>, SearchError> {
    let (game, root) = toy(game);
    search(game, root, config, budget)
}

fn score(game: &Written, config: Config) -> Report<Toy> {
    let config = config.goal(Goal::Score).audit(true);
    let (toy, root) = toy(game.clone());
    let mut search = Search::new(toy, root, config).expect("it fits");
    let report = search.search(&Budget::default().playouts(10_000)).expect("sound rules");
    search.audit().unwrap_or_else(|wrong| panic!("{wrong}"));
    let solution = Solution::of(game, &0);
    check_means(&report, search.config(), &solution);
    report
}

fn exact(report: &Report<Toy>) -> Option<f64> {
    report.expected?.exact().map(Fixed::to_f64)
}

/// If the root is a chance node, the statistics are from the point of view of the player who moved
/// last, and the report names that player.
#[test]
fn a_move_to_chance_keeps_whose_values_they_are() {
    let game = Written::two([
        (0, Choice(1, vec![1])),
        (1, Roll(vec![(4, 2), (1, 3)])),
        (2, End(vec![1, -1])),
        (3, End(vec![0, 0])),
    ]);
    // Nothing is proven, so that only playouts count.
    let config =
        Config::default().solver(false).score_bounds(false).audit(true).threads(1).bias(Bias::None);
    let (game, root) = toy(game);
    let mut search = Search::new(game, root, config).expect("it fits");
    let budget = Budget::default().playouts(1000);
    search.search(&budget).expect("sound rules");
    search.advance(0).expect("legal");
    let kept = search.snapshot();
    assert!(kept.total_playouts > 900 && kept.to_move.is_none() && kept.player == 1);
    for report in [kept, search.search(&budget).expect("sound rules")] {
        let mean = report.mean.expect("playouts");
        assert!(
            (mean + 0.8).abs() < 0.05,
            "the second player loses four times of five, not {mean}"
        );
        assert_eq!(report.moves[0].mean, Some(-1.0));
    }
    search.audit().unwrap_or_else(|wrong| panic!("{wrong}"));
    search.set_position(Position::of(1u32)).expect("a position");
    let fresh = search.search(&budget).expect("sound rules");
    assert!(fresh.player == 0 && fresh.mean.expect("playouts") > 0.7);
}

#[test]
fn chance_at_the_root() {
    let game = Written::two([
        (0, Roll(vec![(3, 1), (1, 2)])),
        (1, Choice(0, vec![3, 4])),
        (2, Choice(1, vec![3, 4])),
        (3, End(vec![8, -8])),
        (4, End(vec![2, -2])),
    ]);
    for threads in [1, 4] {
        let report = score(&game, Config::default().threads(threads));
        assert_eq!(report.stop_reason, Some(StopReason::Solved));
        assert_eq!((report.to_move, report.best_move, exact(&report)), (None, None, Some(6.5)));
        let probabilities: Vec<_> = report.moves.iter().map(|mv| mv.probability).collect();
        assert_eq!(probabilities, [Some(0.75), Some(0.25)]);
        assert!(report.pv.is_empty());
        assert_eq!(report.bounds.exact(), None, "no whole number is the value");
        assert_eq!((report.bounds.lower, report.bounds.upper), (Some(6), Some(7)));
    }
}

/// Tests two chance nodes and two choices of the same player in a row, and a chance node with a
/// single outcome.
#[test]
fn rows_of_rolls_and_of_choices() {
    let game = Written::two([
        (0, Choice(0, vec![1, 2])),
        (1, Choice(0, vec![3, 4])),
        (2, Roll(vec![(7, 4)])),
        (3, Roll(vec![(1, 5), (1, 6)])),
        (4, End(vec![3, -3])),
        (5, Roll(vec![(1, 7), (3, 8)])),
        (6, Choice(1, vec![4, 7])),
        (7, End(vec![20, -20])),
        (8, End(vec![0, 0])),
    ]);
    // 3: (20/4 + 3) / 2 = 4.
    for threads in [1, 2, 8] {
        let report = score(&game, Config::default().threads(threads));
        assert_eq!((exact(&report), report.best_move), (Some(4.0), Some(0)));
        assert_eq!(report.moves[1].expected.and_then(|e| e.exact()).map(Fixed::to_f64), Some(3.0));
        // The line ends where chance decides.
        assert_eq!(report.pv, [0, 0]);
    }
}

/// A mean that is not a multiple of 2^-31 is never reported as exact.
#[test]
fn a_third_is_not_exact() {
    let game = Written::one([
        (0, Choice(0, vec![1, 4])),
        (1, Roll(vec![(1, 2), (2, 3)])),
        (2, End(vec![1])),
        (3, End(vec![0])),
        (4, End(vec![0])),
    ]);
    let report = score(&game, Config::default().threads(1));
    assert_eq!(report.stop_reason, Some(StopReason::Solved));
    let expected = report.expected.expect("bounds are on");
    assert!(expected.rounded && expected.exact().is_none() && expected.is_final());
    assert_eq!(expected.to_string(), "0.333333..0.333334");
    let third = rational(expected.lower.unwrap()) * num_bigint::BigInt::from(3);
    assert!(third < num_rational::BigRational::from(num_bigint::BigInt::from(1)));
    // If the rounded value is not chosen, the answer is exact.
    let mut other = game;
    other.nodes.insert(4, End(vec![1]));
    assert_eq!(exact(&score(&other, Config::default().threads(1))), Some(1.0));
}

/// While an outcome has no bound, the mean has no bound either.
#[test]
fn unbounded_outcomes() {
    let mut game = Written::one([
        (0, Roll(vec![(1, 1), (1, 2)])),
        (1, End(vec![4])),
        (2, Choice(0, vec![1, 3])),
        (3, Roll(vec![(1, 1), (1, 2)])),
    ]);
    game.range = i32::MIN..=i32::MAX;
    let budget = Budget::default().playouts(2000);
    let config = Config::default().threads(1).goal(Goal::Score);
    let report = searched(game, config, &budget).expect("sound rules");
    // Play may repeat, so a payoff above 4 is not excluded.
    let expected = report.expected.expect("bounds are on");
    assert_eq!((expected.lower.map(Fixed::to_f64), expected.upper), (Some(4.0), None));
}

#[test]
fn weights_that_are_wrong_or_great() {
    let game = |weights: [u32; 2]| {
        Written::one([
            (0, Choice(0, vec![1])),
            (1, Roll(vec![(weights[0], 2), (weights[1], 3)])),
            (2, End(vec![10])),
            (3, End(vec![20])),
        ])
    };
    for at_root in [false, true] {
        let mut game = game([1, 0]);
        if at_root {
            let roll = game.nodes[&1].clone();
            game.nodes.insert(0, roll);
        }
        let budget = Budget::default().playouts(1000);
        let error = searched(game, Config::default().threads(2), &budget).expect_err("no weight");
        let message = "the game broke its contract: the chance outcome 1 has weight 0; leave \
                       out outcomes that cannot happen";
        assert_eq!(error.to_string(), message);
    }
    // The sum exceeds 32 bits, in the tree and in playouts.
    let report = score(&game([u32::MAX; 2]), Config::default().threads(1));
    assert_eq!(exact(&report), Some(15.0));
    let mut most = game([1, 1]);
    most.nodes.insert(1, Roll(vec![(u32::MAX, 2); 65_535]));
    let report = score(&most, Config::default().threads(1));
    assert_eq!(exact(&report), Some(10.0));
}

/// The least payoff cannot occur in a zero-sum game, because its negative would overflow.
#[test]
fn the_least_payoff_in_a_zero_sum() {
    let mut game = Written::two([(0, Roll(vec![(1, 1)])), (1, End(vec![i32::MIN, i32::MAX]))]);
    game.range = i32::MIN..=i32::MAX;
    let budget = Budget::default().playouts(10);
    let error = searched(game, Config::default().threads(1), &budget).expect_err("no opposite");
    assert!(error.to_string().contains("the payoff -2147483648 cannot be negated"), "{error}");
}

/// A win is proven only if every outcome wins; a winning mean is not enough.
#[test]
fn wins_whatever_the_dice_show() {
    let lottery = |worst: i32| {
        Written::two([
            (0, Choice(0, vec![1])),
            (1, Roll(vec![(1, 2), (1, 3)])),
            (2, End(vec![100, -100])),
            (3, End(vec![worst, -worst])),
        ])
    };
    let budget = Budget::default().playouts(200);
    for (worst, value, reason) in [
        (1, Value::Win, StopReason::Solved),
        (-1, Value::NotWin, StopReason::Playouts),
        (0, Value::NotWin, StopReason::Playouts),
    ] {
        let report =
            searched(lottery(worst), Config::default().threads(1), &budget).expect("sound rules");
        assert_eq!((report.proven, report.stop_reason), (value, Some(reason)), "{worst}");
    }
    // The other player loses for certain.
    let mut lost = lottery(1);
    lost.nodes.insert(0, Choice(1, vec![1]));
    let report = searched(lost, Config::default().threads(1), &budget).expect("sound rules");
    assert_eq!((report.proven, report.stop_reason), (Value::Loss, Some(StopReason::Solved)));
}

/// One of two outcomes is proven at once and not visited again, but counts in the mean.
#[test]
fn solved_outcomes_count_though_nobody_enters_them() {
    const DEPTH: u32 = 24;
    /// A game of coin tosses. Tails at the first toss ends it with a payoff of 1. Otherwise, 24
    /// coins are tossed, and the payoff is 1 if the number of heads is even, else −1; this is too
    /// long to be solved.
    struct Coins;
    impl Game for Coins {
        /// The numbers of coins tossed and of heads among them; 99 marks the certain outcome.
        type State = (u32, u32);
        type Move = bool;
        fn initial_state(&self) -> (u32, u32) {
            (0, 0)
        }
        fn turn(&self, &(tossed, _): &(u32, u32)) -> Turn {
            if tossed >= DEPTH { Turn::Over } else { Turn::Chance }
        }
        fn legal_moves(&self, _: &(u32, u32), moves: &mut Vec<bool>) {
            moves.extend([false, true]);
        }
        fn play(&self, state: &mut (u32, u32), heads: bool) {
            *state = match (state.0, heads) {
                (0, false) => (99, 99),
                (tossed, heads) => (tossed + 1, state.1 + u32::from(heads)),
            };
        }
        fn payoff(&self, &(_, heads): &(u32, u32), _: usize) -> i32 {
            if heads == 99 || heads % 2 == 0 { 1 } else { -1 }
        }
        fn num_players(&self) -> usize {
            1
        }
        fn payoff_range(&self, _: usize) -> RangeInclusive<i32> {
            -1..=1
        }
        fn has_chance(&self) -> bool {
            true
        }
        fn chance_weight(&self, &(tossed, _): &(u32, u32), heads: bool) -> u32 {
            if tossed == 0 && !heads { 3 } else { 1 }
        }
    }
    for goal in [Goal::Score, Goal::Outcome] {
        for threads in [1, 4] {
            let config = Config::default().goal(goal).threads(threads);
            let budget = Budget::default().playouts(20_000);
            let (game, root) = toy(Coins);
            let report = search(game, root, config, &budget).expect("sound rules");
            assert_eq!(report.stop_reason, Some(StopReason::Playouts));
            let visits: Vec<u64> = report.moves.iter().map(|mv| mv.visits).collect();
            assert!(visits[0] < 50, "{visits:?} with goal {goal:?}");
            let mean = report.mean.unwrap();
            assert!((mean - 0.75).abs() < 0.02, "{mean} with goal {goal:?}");
        }
    }
}

#[test]
fn outcomes_are_taken_by_weight() {
    let game = Written::two([(0, Roll(vec![(1, 1), (2, 1), (5, 1)])), (1, Choice(0, vec![0, 0]))]);
    let config = Config::default().threads(1).playout_cap(10);
    let budget = Budget::default().playouts(8000);
    let report = searched(game, config, &budget).expect("sound rules");
    let visits: Vec<u64> = report.moves.iter().map(|mv| mv.visits).collect();
    for (visits, due) in visits.iter().zip([1000, 2000, 5000]) {
        assert!(visits.abs_diff(due) <= 200, "{visits} instead of {due}");
    }
}
