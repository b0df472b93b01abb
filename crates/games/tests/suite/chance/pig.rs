use super::value_iteration::values;
use super::{check_weights, mean};
use crate::bad_input::{no_game, refused, same};
use crate::recorded::openspiel;
use proofwood::{Game, Turn};
use proofwood_games::Pig;
use proofwood_games::pig::{Move, State};

#[test]
fn openspiel_games() {
    let translate = |mv: &str| match mv {
        "stop" => "hold".to_string(),
        mv => mv.trim_start_matches("Roll ").to_string(),
    };
    // The drawing contains the scores, which are the first word of our text, then the turn's total,
    // which is 0 at the end, and the player who would move.
    let board = |last: &str| {
        let numbers: Vec<usize> =
            last.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse().ok()).collect();
        let [scores @ .., 0, _player] = &numbers[..] else { panic!("{last}") };
        scores.iter().map(usize::to_string).collect()
    };
    openspiel("pig", &Pig::new(20, 2, None).unwrap(), translate, board);
    openspiel("pig_3p", &Pig::new(20, 3, None).unwrap(), translate, board);
}

#[test]
fn the_die_is_fair() {
    check_weights(&Pig::default(), |_| 6);
}

/// Compares the mean gain in a turn and the probability of no gain with known values for a player
/// who rolls until the turn's total is at least 20.
#[test]
fn holding_at_20() {
    let game = Pig::default();
    let start = game.initial_state();
    let gain = |scores: [u16; 3]| f64::from(scores[0]);
    assert!((turn(&game, &start, 0, &gain) - 8.14).abs() < 0.005);
    let nothing = |scores: [u16; 3]| f64::from(u8::from(scores[0] == 0));
    assert!((turn(&game, &start, 0, &nothing) - 0.6245).abs() < 0.00005);
}

fn turn(game: &Pig, state: &State, total: u8, value: &dyn Fn([u16; 3]) -> f64) -> f64 {
    match game.turn(state) {
        Turn::Player(1) => value(state.scores()),
        Turn::Player(_) if total >= 20 => value(game.after(state, Move::Hold).scores()),
        _ => {
            let rolling = game.after(state, Move::Roll);
            let mut outcomes = 0..;
            mean(game, &rolling, |next| {
                let points = outcomes.next().expect("six outcomes") + 1;
                turn(game, next, total + points, value)
            })
        }
    }
}

fn first_wins(target: u16) -> f64 {
    values(target, 2)[0]
}

/// Compares the values for small targets with value iteration by an independent program, and the
/// value for target 100 with the result of Neller and Presser (2004).
#[test]
fn best_play() {
    for (target, expected) in
        [(2, 6.0 / 7.0), (10, 0.7094243226), (20, 0.6155585498), (30, 0.5679147445)]
    {
        let found = first_wins(target);
        assert!((found - expected).abs() < 1e-9, "to {target}: {found}");
    }
    if cfg!(not(debug_assertions)) {
        let found = first_wins(100);
        assert!((found - 0.5306).abs() < 0.00005, "to 100: {found}");
    }
}

#[test]
fn turns_and_payoffs() {
    let game = Pig::new(10, 3, Some(7)).unwrap();
    let play = |state: &mut State, moves: &str| {
        for mv in game.split_moves(moves) {
            game.play(state, game.parse_move(state, mv).expect(mv));
        }
    };
    let mut state = game.initial_state();
    play(&mut state, "roll 6 roll 3 hold, hold, r 5 r 1");
    assert_eq!(game.state_text(&state), "9/0/0 A 0 t3");
    let mut won = state;
    play(&mut won, "roll 2");
    assert_eq!(
        game.parse_move(&won, "roll").unwrap_err().to_string(),
        "'roll' is not a legal move here; legal moves: hold"
    );
    play(&mut won, "stop");
    assert_eq!(game.state_text(&won), "11/0/0 B 0 t4");
    assert_eq!(game.turn(&won), Turn::Over);
    assert_eq!([0, 1, 2].map(|player| game.payoff(&won, player)), [2, -1, -1]);
    play(&mut state, "h h h roll");
    assert_eq!(game.turn(&state), Turn::Chance);
    assert_eq!(game.state_text(&state), "9/0/0 A 0 roll t6");
    assert_eq!(game.board_text(&state), "A: 9 + 0, rolling\nB: 0\nC: 0\nturns played: 6 of 7\n",);
    play(&mut state, "1");
    assert_eq!(game.state_text(&state), "9/0/0 B 0 t7");
    assert_eq!(game.turn(&state), Turn::Over);
    assert_eq!([0, 1, 2].map(|player| game.payoff(&state, player)), [0; 3]);
}

#[test]
fn positions() {
    let game = Pig::new(20, 2, None).unwrap();
    refused(
        &game,
        &[
            ("", "'' must have one score for each of the 2 players, such as 0/0"),
            ("0/0/0 A 0", "'0/0/0' must have one score for each of the 2 players, such as 0/0"),
            ("0/x 1 0", "'x' is not a score"),
            ("0/0", "the player to move is missing; add A to B after the scores"),
            ("0/0 C", "there is no player 'C'; the players are A to B"),
            (
                "0/1 A 0",
                "B cannot have 1 points: a turn adds 0 or at least 2, and the game ends at 20",
            ),
            (
                "0/26 A 0",
                "B cannot have 26 points: a turn adds 0 or at least 2, and the game ends at 20",
            ),
            ("0/25 B 0", "B has 25 points and won with the last turn, so A must be to move"),
            ("20/20 A 0", "A has 20 points and won with the last turn, so B must be to move"),
            ("0/20 A 2", "B has already won, so no turn can be in progress"),
            ("0/0 A 1", "a turn that starts with 0 of 20 points cannot have a total of 1"),
            ("15/0 A 11", "a turn that starts with 15 of 20 points cannot have a total of 11"),
            // Before the last roll of 6 the game would have been over.
            ("18/0 A 7", "a turn that starts with 18 of 20 points cannot have a total of 7"),
            ("15/0 A 6 roll", "a player with 21 of 20 points does not roll"),
            (
                "0/0 A 0 t3",
                "unexpected 't3'; a position looks like 23/17 B 6 roll: the scores, the player, \
                 the turn's total, and roll while the die is rolling",
            ),
        ],
    );
    same(&game, "15/4 A 0", &["15/4 A", " 15/4  a  0 ", "15/4 1"]);
    same(&game, "15/4 B 5 roll", &["15/4 B 5 ROLL"]);
    let short = Pig::new(20, 2, Some(4)).unwrap();
    refused(
        &short,
        &[
            ("0/0 A 0 t5", "5 turns were played, but the game ends after 4"),
            (
                "0/0 A 0 t1",
                "1 turns cannot lead to this position; expected 0, or 0 plus a multiple of 2",
            ),
            (
                "2/0 A 0 t0",
                "0 turns cannot lead to this position; expected 2, or 2 plus a multiple of 2",
            ),
            (
                "0/2 B 0 t1",
                "1 turns cannot lead to this position; expected 3, or 3 plus a multiple of 2",
            ),
            ("2/0 A 2 t4", "the game ends after 4 turns, so no turn can be in progress"),
        ],
    );
    same(&short, "0/0 B 3 t1", &["0/0 B 3", "0/0 B 3 T1"]);
    same(&short, "0/2 B 3 roll t3", &["0/2 B 3 roll"]);
    let over = short.parse_state("2/0 A 0 t4").unwrap();
    assert_eq!((short.turn(&over), short.payoff(&over, 0)), (Turn::Over, 0));
}

#[test]
fn moves() {
    let game = Pig::default();
    let start = game.initial_state();
    for (text, mv) in [("roll", Move::Roll), ("R", Move::Roll), ("h", Move::Hold)] {
        assert_eq!(game.parse_move(&start, text), Ok(mv));
    }
    let error = game.parse_move(&start, "3").unwrap_err().to_string();
    assert_eq!(error, "'3' is not a legal move here; legal moves: roll hold");
    let rolling = game.after(&start, Move::Roll);
    assert_eq!(game.parse_move(&rolling, "roll 3"), Ok(Move::Die(3)));
    for text in ["0", "7", "roll", "hold", "roll 9", ""] {
        assert_eq!(
            game.parse_move(&rolling, text).unwrap_err().to_string(),
            format!("'{text}' is not a legal move here; legal moves: 1 2 3 4 5 6"),
        );
    }
}

#[test]
fn impossible_games() {
    no_game(
        "pig:100,players=4",
        "pig: '4' is not a valid value for players; it must be a number from 2 to 3",
    );
    no_game(
        "pig:0",
        "pig: '0' is not a valid value for TARGET; it must be a number from 1 to 10000",
    );
    assert!(Pig::new(0, 2, None).is_err());
    assert!(Pig::new(10, 1, None).is_err());
    assert!(Pig::new(10, 2, Some(0)).is_err());
}
