//! Tests of playouts without proofs: values belong to the right player, and plain UCT finds the
//! best move of exhaustive search.

use proofwood::internals::bare_playouts;
use proofwood::options::{Bias, VirtualLoss};
use proofwood::{Budget, Config, Game, Goal, Report, Rng, Search, Turn, search};
use proofwood_games::Mnk;
use proofwood_testkit::dice::Dice;
use proofwood_testkit::oracle::Solution;
use proofwood_testkit::random_game::{RandomGame, Shape};
use proofwood_testkit::toy::toy;
use std::ops::RangeInclusive;

/// A configuration without proofs.
fn plain() -> Config {
    // With the C of UCT's theorem; the smaller default, chosen for play, needs more playouts.
    let config = Config::default().c(std::f64::consts::SQRT_2);
    config.solver(false).score_bounds(false).bias(Bias::None).memory(64 << 20)
}

/// The players move in the order `order`; the payoffs are always the same.
#[derive(Clone)]
struct Fixed {
    order: Vec<usize>,
    payoffs: Vec<i32>,
}

impl Game for Fixed {
    type State = usize;
    type Move = u8;

    fn initial_state(&self) -> usize {
        0
    }
    fn turn(&self, &ply: &usize) -> Turn {
        self.order.get(ply).map_or(Turn::Over, |&player| Turn::Player(player))
    }
    fn legal_moves(&self, _ply: &usize, moves: &mut Vec<u8>) {
        moves.extend(0..3);
    }
    fn play(&self, ply: &mut usize, _mv: u8) {
        *ply += 1;
    }
    fn payoff(&self, _ply: &usize, player: usize) -> i32 {
        self.payoffs[player]
    }
    fn num_players(&self) -> usize {
        self.payoffs.len()
    }
    fn payoff_range(&self, _player: usize) -> RangeInclusive<i32> {
        -4..=4
    }
    fn key(&self, &ply: &usize) -> Option<u64> {
        Some(ply as u64 + 1)
    }
    fn zero_sum(&self) -> bool {
        self.payoffs.len() == 2 && self.payoffs[0] == -self.payoffs[1]
    }
}

#[test]
fn means_are_those_of_the_side_to_move() {
    let orders = [vec![0, 1, 1, 0], vec![1, 0, 1], vec![2, 2, 0, 1], vec![3, 0, 3, 2], vec![0; 4]];
    for order in orders {
        let players = 1 + order.iter().max().expect("a player");
        for payoffs in [vec![4, -4, 0, 2], vec![-1, 1, 3, -4], vec![0; 4], vec![2, 3, -2, 1]] {
            let (game, root) =
                toy(Fixed { order: order.clone(), payoffs: payoffs[..players].to_vec() });
            // Proven values may end the search at once, and count with their value.
            for (goal, threads, solver) in [
                (Goal::Outcome, 1, false),
                (Goal::Outcome, 4, false),
                (Goal::Outcome, 1, true),
                (Goal::Outcome, 4, true),
                (Goal::Score, 1, true),
                (Goal::Score, 2, false),
            ] {
                let config = plain()
                    .goal(goal)
                    .threads(threads)
                    .solver(solver)
                    .score_bounds(goal == Goal::Score)
                    .look_ahead(false);
                let budget = Budget::default().playouts(200);
                let report =
                    search(game.clone(), root.clone(), config, &budget).expect("a sound game");
                let payoff = payoffs[order[0]];
                let sign = f64::from(payoff.signum());
                let worth = match goal {
                    Goal::Outcome => sign,
                    _ => (sign + f64::from(payoff) / 4.0) / 2.0,
                };
                assert!(report.mean == Some(worth), "{:?} is not {worth}", report.mean);
                let all = report.moves.iter().filter_map(|mv| mv.mean);
                assert!(all.clone().count() > 0 && all.clone().all(|value| value == worth));
            }
        }
    }
}

/// If draws and losses are not distinguished, a proven position's mean still includes its playouts,
/// because other threads may visit it before its parent excludes it.
#[test]
fn what_cannot_be_told_does_not_count() {
    let (game, root) = toy(Fixed { order: vec![0; 4], payoffs: vec![0] });
    for seed in 0..100 {
        let config = plain().threads(4).solver(true).look_ahead(false).seed(seed);
        let budget = Budget::default().playouts(200);
        let report = search(game.clone(), root.clone(), config, &budget).expect("a sound game");
        assert_eq!(report.mean, Some(0.0), "seed {seed}");
    }
}

/// A leaf is expanded by the visit that follows its first `visits` visits. If a search checks
/// children for the end of the game and counts no proof numbers, that visit tries a move, and the
/// next one expands.
#[test]
fn a_leaf_is_expanded_by_the_visit_after_so_many() {
    for (visits, tries) in [(1, false), (2, false), (5, false), (1, true), (5, true)] {
        let (game, root) = toy(Fixed { order: vec![0, 1, 0, 1], payoffs: vec![1, -1] });
        let config = plain().threads(1).expand_after(visits).look_ahead(tries);
        let visits = visits + u64::from(tries);
        let mut search = Search::new(game, root, config).expect("it fits");
        for _ in 0..20 {
            let report = search.search(&Budget::default().playouts(1)).expect("a sound game");
            let unexpanded = report.moves.iter().all(|mv| mv.visits <= visits);
            assert_eq!(report.nodes == 4, unexpanded, "{:?}", report.moves);
        }
    }
}

fn most_visited<G: Game>(report: &Report<G>) -> usize {
    let visits = report.moves.iter().enumerate().map(|(i, mv)| (mv.visits, i));
    visits.max().expect("there are moves").1
}

/// Plain UCT finds the best move for one and two players, who move in any order.
#[test]
fn plain_uct_comes_to_the_best_move() {
    let mut decided = 0;
    for number in 0..450 {
        let mut dice = Dice::new(number);
        let mut game = RandomGame::with_players(number, dice.pick(&[1, 2, 2]));
        (game.shape, game.depth) = (Shape::Bushy(3), 4);
        let root = game.initial_state();
        let Turn::Player(mover) = game.turn(&root) else { continue };
        let solution = Solution::of(&game, &root);
        if game.players == 2 && !game.zero_sum() {
            continue;
        }
        let config = plain()
            .seed(number)
            .threads(dice.pick(&[1, 2]))
            .virtual_loss(dice.pick(&[VirtualLoss::Unobserved, VirtualLoss::None]));
        let budget = Budget::default().playouts(20_000);
        let report = search(game.clone(), root, config, &budget).expect("a sound game");
        let best = solution.root.outcomes[mover];
        let chosen = solution.moves[most_visited(&report)].outcomes[mover];
        assert_eq!(chosen, best, "{number} {game:?}");
        decided += u32::from(solution.moves.iter().any(|mv| mv.outcomes[mover] != best));
    }
    assert!(decided > 50, "only {decided}");
}

/// Player 0 leaves the choice to player 1 or to player 2, who play for themselves. Player 1's best
/// move is also good for player 0, and player 2's best move is bad for it.
#[derive(Clone, Copy)]
struct Trust;

impl Game for Trust {
    type State = Vec<u8>;
    type Move = u8;

    fn initial_state(&self) -> Vec<u8> {
        Vec::new()
    }
    fn turn(&self, path: &Vec<u8>) -> Turn {
        match path[..] {
            [] => Turn::Player(0),
            [first] => Turn::Player(1 + usize::from(first)),
            _ => Turn::Over,
        }
    }
    fn legal_moves(&self, _path: &Vec<u8>, moves: &mut Vec<u8>) {
        moves.extend([0, 1]);
    }
    fn play(&self, path: &mut Vec<u8>, mv: u8) {
        path.push(mv);
    }
    fn payoff(&self, path: &Vec<u8>, player: usize) -> i32 {
        let payoffs = match path[..] {
            [0, 0] => [1, 1, -1],
            [0, _] => [-1, -1, 1],
            [_, 0] => [-1, 1, 1],
            _ => [1, -1, -1],
        };
        payoffs[player]
    }
    fn num_players(&self) -> usize {
        3
    }
}

/// A playout assumes that players play for themselves, not against player 0.
#[test]
fn three_players_look_after_themselves() {
    for threads in [1, 4] {
        let budget = Budget::default().playouts(3000);
        let config = plain().threads(threads).look_ahead(false);
        let (game, root) = toy(Trust);
        let report = search(game, root, config, &budget).expect("a sound game");
        let visits: Vec<u64> = report.moves.iter().map(|mv| mv.visits).collect();
        assert!(visits[0] > 2 * visits[1], "{visits:?}");
    }
}

/// `bare_playouts` returns the number of player 0's wins minus the number of its losses.
#[test]
fn bare_playouts_count_wins_less_losses() {
    for (payoffs, worth) in [([3, -3], 100), ([-1, 1], -100), ([0, 0], 0), ([2, 2], 100)] {
        for order in [vec![0, 1, 0], vec![1, 1, 0]] {
            let game = Fixed { order, payoffs: payoffs.to_vec() };
            assert_eq!(bare_playouts(&game, &0, &mut Rng::new(1), 100), worth, "{payoffs:?}");
        }
    }
    // At random the first player of tic-tac-toe wins 58.5 % and loses 28.8 %: 0.297 per game (Beck,
    // Combinatorial Games, 2008), give or take 0.009.
    let game = Mnk::new(3, 3, 3, 2).expect("a board");
    let sum = bare_playouts(&game, &game.initial_state(), &mut Rng::new(1), 10_000);
    assert!((2700..=3240).contains(&sum), "{sum}");
    let game = Mnk::new(3, 3, 3, 3).expect("a board");
    let alone = bare_playouts(&game, &game.initial_state(), &mut Rng::new(1), 1000);
    assert!((-1000..=1000).contains(&alone), "{alone}");
}
