//! Tests of the best move: it respects proven values, however early a search is stopped, and the
//! principal variation is legal.

use proofwood::prover::shortest_win;
use proofwood::{
    Budget, Config, Game, Goal, MoveReport, ProverConfig, Report, Rng, Search, StopReason, Turn,
    Value, search,
};
use proofwood_games::{ConnectFour, Mnk};
use proofwood_testkit::check::check_line;
use proofwood_testkit::dice::Dice;
use proofwood_testkit::oracle::Solution;
use proofwood_testkit::random_game::RandomGame;
use proofwood_testkit::rounds::rounds;
use proofwood_testkit::toy::{Position, toy};

/// The worst and the best outcome that a value leaves open.
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

/// The range of results that a move leaves open: outcomes or scores, depending on the goal.
fn stakes<M>(goal: Goal, mv: &MoveReport<M>) -> (i32, i32) {
    match goal {
        Goal::Outcome => prospect(mv.proven),
        _ => (mv.bounds.lower.unwrap_or(i32::MIN), mv.bounds.upper.unwrap_or(i32::MAX)),
    }
}

/// Compares the best move with the report's own table of moves.
fn check_choice<G: Game>(report: &Report<G>, config: &Config) {
    let Some(best) = report.best_move else { return };
    let best = report.moves.iter().find(|mv| mv.mv == best).expect("a legal move");
    let any = |value: Value| report.moves.iter().any(|mv| mv.proven == value);
    let each_for_itself = report.paranoid && !report.paranoid_pruning;
    if each_for_itself && config.goal == Goal::Score {
        // In this case the payoffs of a win against all others, and of a proven loss, decide.
        return;
    }
    assert_eq!(best.proven == Value::Win, any(Value::Win), "a proven win is played");
    if each_for_itself {
        // A result that only a coalition can force decides nothing.
        return;
    }
    let all_lost = report.moves.iter().all(|mv| mv.proven == Value::Loss);
    assert_eq!(best.proven == Value::Loss, all_lost, "a proven loss is not played");
    // Of the other moves, none is proven to be better.
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
    for number in 0..rounds(2500) {
        let mut dice = Dice::new(number);
        let game = RandomGame::new(number);
        let (solver, score_bounds) = dice.pick(&[(true, true), (true, false), (false, true)]);
        let goals = if score_bounds { [Goal::Outcome, Goal::Score] } else { [Goal::Outcome; 2] };
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
            if report.stop_reason == Some(StopReason::Solved) {
                check_solved_choice(&report, &config, &solution);
                break;
            }
        }
    }
    // There were enough cases with something to decide.
    assert!(chosen > rounds(4000) && narrow > rounds(600), "{chosen} {narrow}");
}

fn check_solved_choice<G: Game>(report: &Report<G>, config: &Config, solution: &Solution) {
    let player = report.to_move.expect("the game goes on");
    let best = report.best_move.expect("a move");
    let index = report.moves.iter().position(|mv| mv.mv == best).expect("a legal move");
    let after = &solution.moves[index];
    // Without bounds and zero sum, only a win is distinguished from other outcomes.
    if report.proven != Value::NotWin {
        assert_eq!(after.outcomes[player], solution.root.outcomes[player], "the value is kept");
    }
    if config.goal == Goal::Score {
        assert_eq!(after.scores[player], solution.root.scores[player], "the score is kept");
    }
}

#[test]
fn solved_lines_of_real_games_are_played_to_the_end() {
    let tic_tac_toe = Mnk::new(3, 3, 3, 2).expect("a board");
    let connect_four = ConnectFour::new(4, 4, 3).expect("a board");
    assert_eq!(play_out(&tic_tac_toe), 0);
    assert_eq!(play_out(&connect_four), 1);
}

/// Plays a game between two searches that solve every position; returns player 0's payoff.
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

/// The number of moves to a proven win is correct: it is never less than in the shortest win, as
/// found by a prover, and decreases with each move of the winner, whatever the other player does.
#[test]
fn a_proven_win_comes_nearer_with_each_move() {
    let (mut told, mut dice) = (0, Rng::new(5));
    for seed in 0..60u32 {
        let game = Mnk::new(4, 4, 3, 2).expect("a board");
        let mut state = game.initial_state();
        let random = |state: &_, dice: &mut Rng| {
            game.random_move(state, &mut Vec::new(), dice).expect("a move")
        };
        for _ in 0..2 + seed % 4 {
            if game.turn(&state) != Turn::Over {
                let mv = random(&state, &mut dice);
                game.play(&mut state, mv);
            }
        }
        let mut before: Option<(u32, usize)> = None;
        while game.turn(&state) != Turn::Over {
            let config = Config::default().threads(1).memory(16 << 20).seed(seed.into());
            // The number is derived only from proofs in the tree itself.
            let config = config.transpositions(false);
            let budget = Budget::default().playouts(20_000);
            let report = search(game.clone(), state, config, &budget).expect("an answer");
            let mover = report.to_move.expect("a player");
            let winner = match report.proven {
                Value::Win => mover,
                Value::Loss => 1 - mover,
                _ => {
                    assert_eq!((report.ends_in, before), (None, None));
                    break;
                }
            };
            if let Some(plies) = report.ends_in {
                told += 1;
                let prover = ProverConfig::default().threads(1).table(1 << 16);
                let (toy, root) = (toy(game.clone()).0, Position::of(state));
                let least = shortest_win(toy, root, winner, &prover, &Budget::default())
                    .expect("an answer");
                assert!(plies >= least.moves.expect("a win"), "{plies}");
                assert!(plies > 1 || least.moves == Some(1));
                before = Some((plies, winner));
            }
            let mv = match mover == winner {
                true => report.best_move.expect("a move"),
                false => random(&state, &mut dice),
            };
            if least_is_one(&game, state, mover) && mover == winner {
                assert_eq!(report.ends_in, Some(1), "a win at once is the soonest");
            }
            game.play(&mut state, mv);
        }
        if let (Turn::Over, Some((_, winner))) = (game.turn(&state), before) {
            assert!(game.payoff(&state, winner) > 0, "who was proven to win has won");
        }
    }
    assert!(told > 50, "{told}");
}

fn least_is_one(game: &Mnk, state: <Mnk as Game>::State, player: usize) -> bool {
    let mut moves = Vec::new();
    game.legal_moves(&state, &mut moves);
    moves.into_iter().any(|mv| {
        let mut after = state;
        game.play(&mut after, mv);
        game.turn(&after) == Turn::Over && game.payoff(&after, player) > 0
    })
}

/// A player who has lost plays the move that delays the loss longest according to the tree's
/// proofs, not a move whose number of moves to the loss is unknown.
#[test]
fn a_lost_player_holds_out_longest() {
    let game = Mnk::new(4, 4, 3, 2).unwrap();
    let mut root = game.initial_state();
    for text in ["b2", "a2", "a4"] {
        let mv = game.parse_move(&root, text).unwrap();
        game.play(&mut root, mv);
    }
    let config = Config::default().threads(1).seed(1);
    let report = search(game.clone(), root, config, &Budget::default()).unwrap();
    assert_eq!(report.proven, Value::Loss);
    let best = report.best_move.map(|mv| game.move_text(&root, mv));
    assert_eq!(best.as_deref(), Some("a1"));
}
