//! The move to play respects what is proven, however early a search is
//! stopped, and the line behind it is legal.

use proofwood::{Budget, Config, Game, Goal, MoveReport, Report, Search, StopReason, Value};
use proofwood_games::{ConnectFour, Mnk};
use proofwood_testkit::check::check_line;
use proofwood_testkit::dice::Dice;
use proofwood_testkit::oracle::Solution;
use proofwood_testkit::random_game::RandomGame;

/// The outcomes that a value leaves open, worst and best.
fn prospect(value: Value) -> (i32, i32) {
    match value {
        Value::Win => (1, 1),
        Value::Draw => (0, 0),
        Value::Loss => (-1, -1),
        Value::NotLoss => (0, 1),
        Value::NotWin => (-1, 0),
        _ => (-1, 1),
    }
}

/// What a move may still be worth in the unit of the question.
fn stakes<M>(goal: Goal, mv: &MoveReport<M>) -> (i32, i32) {
    match goal {
        Goal::Win => prospect(mv.proven),
        _ => (mv.bounds.lower.unwrap_or(i32::MIN), mv.bounds.upper.unwrap_or(i32::MAX)),
    }
}

/// Holds the best move against the report's own table.
fn check_choice<G: Game>(report: &Report<G>, config: &Config) {
    let Some(best) = report.best_move else { return };
    let best = report.moves.iter().find(|mv| mv.mv == best).expect("a legal move");
    let any = |value: Value| report.moves.iter().any(|mv| mv.proven == value);
    let each_for_itself = report.paranoid && !report.paranoid_pruning;
    if each_for_itself && config.goal == Goal::Score {
        // A win against all others is worth what it pays, and so is what is proven to be lost.
        return;
    }
    assert_eq!(best.proven == Value::Win, any(Value::Win), "a proven win is played");
    if each_for_itself {
        // What others together could do decides nothing.
        return;
    }
    let all_lost = report.moves.iter().all(|mv| mv.proven == Value::Loss);
    assert_eq!(best.proven == Value::Loss, all_lost, "a proven loss is not played");
    // Among those that are left, no other is proven to be better.
    let (low, high) = stakes(config.goal, best);
    let rivals: Vec<(i32, i32)> = report
        .moves
        .iter()
        .filter(|mv| (mv.proven == Value::Win) == any(Value::Win))
        .filter(|mv| (mv.proven == Value::Loss) == all_lost)
        .map(|mv| stakes(config.goal, mv))
        .collect();
    assert!(rivals.iter().all(|rival| rival.0 <= high), "{rivals:?} beat {low} to {high}");
}

#[test]
fn proofs_decide_the_final_move() {
    let (mut chosen, mut narrow) = (0, 0);
    for number in 0..2500 {
        let mut dice = Dice::new(number);
        let game = RandomGame::new(number);
        let (solver, score_bounds) = dice.pick(&[(true, true), (true, false), (false, true)]);
        let goals = if score_bounds { [Goal::Win, Goal::Score] } else { [Goal::Win; 2] };
        let config = Config::default()
            .solver(solver)
            .score_bounds(score_bounds)
            .goal(dice.pick(&goals))
            .paranoid(dice.chance(50))
            .look_ahead(dice.chance(50))
            .threads(dice.pick(&[1, 1, 2, 4]))
            .seed(number)
            .memory(16 << 20);
        let root = game.initial_state();
        let solution = Solution::of(&game, &root);
        let mut search = Search::new(game, root, config.clone()).expect("it fits");
        for playouts in [1, 5, 20, 100, 300] {
            let report = search.search(&Budget::default().playouts(playouts)).expect("a game");
            check_choice(&report, &config);
            check_line(search.game(), &root, &report);
            chosen += 1;
            let lost = report.moves.iter().filter(|mv| mv.proven == Value::Loss).count();
            narrow += u32::from(lost > 0 && lost < report.moves.len());
            if report.stop_reason == Some(StopReason::Settled) {
                check_settled_choice(&report, &config, &solution);
                break;
            }
        }
    }
    // The rules had something to decide.
    assert!(chosen > 4000 && narrow > 600, "{chosen} {narrow}");
}

/// When the question is settled, the best move keeps the value.
fn check_settled_choice<G: Game>(report: &Report<G>, config: &Config, solution: &Solution) {
    let player = report.to_move.expect("the game goes on");
    let best = report.best_move.expect("a move");
    let index = report.moves.iter().position(|mv| mv.mv == best).expect("a legal move");
    let after = &solution.moves[index];
    // Without bounds nothing but a win is told apart where the sum is not zero.
    if report.value != Value::NotWin {
        assert_eq!(after.outcomes[player], solution.root.outcomes[player], "the value is kept");
    }
    if config.goal == Goal::Score {
        assert_eq!(after.scores[player], solution.root.scores[player], "the score is kept");
    }
}

#[test]
fn settled_lines_of_real_games_are_played_to_the_end() {
    let tic_tac_toe = Mnk::new(3, 3, 3, 2).expect("a board");
    let connect_four = ConnectFour::new(4, 4, 3).expect("a board");
    assert_eq!(play_out(&tic_tac_toe), 0);
    assert_eq!(play_out(&connect_four), 1);
}

/// Two searches that settle every position play each other; answers what the
/// first player receives.
fn play_out<G: Game + Clone>(game: &G) -> i32 {
    let mut state = game.initial_state();
    while game.turn(&state) != proofwood::Turn::Over {
        let config = Config::default().threads(2);
        let report = proofwood::search(
            game.clone(),
            state.clone(),
            config,
            &Budget::default().playouts(1_000_000),
        )
        .expect("a sound game");
        check_line(game, &state, &report);
        game.play(&mut state, report.best_move.expect("a move"));
    }
    game.payoff(&state, 0)
}
