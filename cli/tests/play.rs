//! Games against the engine, through a pipe.

mod common;

use common::{complaint, outcome, proofwood, run_with_input};

/// A game whose engine always plays the same.
fn play(arguments: &str, input: &str) -> (i32, String) {
    let arguments = format!("play {arguments} --playouts 500 --threads 1 --seed 1");
    let (status, output, errors) = run_with_input(&arguments, input);
    assert_eq!(errors, "", "{arguments}");
    (status, output)
}

/// Every move of the engine here is the only one that does not lose, so that
/// what is written does not depend on how it searches.
#[test]
fn a_game_from_beginning_to_end() {
    let input = "help\nmoves\nb1\nundo\nb1\nboard\na3\nc2\nhint\nc3\n";
    let arguments = "play tic-tac-toe --moves b2,a1 --playouts 1e6";
    let (status, output, errors) = run_with_input(arguments, input);
    assert_eq!((status, errors.as_str()), (0, ""));
    insta::assert_snapshot!("play", output);
}

#[test]
fn the_engine_can_begin_and_finish_a_game() {
    let (status, output) = play("tic-tac-toe --engine all", "hint\nmoves\nundo\nquit\n");
    assert_eq!(status, 0);
    assert!(output.contains("Game over: player 0: 0, player 1: 0"), "{output}");
    assert_eq!(output.matches("The game is over; undo, new or quit").count(), 2, "{output}");
    assert!(output.contains("no move of yours"), "{output}");
    assert!(output.trim_end().lines().last().unwrap().starts_with("Moves: "), "{output}");
}

#[test]
fn undo_goes_back_to_the_persons_own_move() {
    let (_, output) = play("connect-four:4x4", "1\n1\nundo\nundo\nmoves\nundo\n");
    let boards: Vec<&str> = output.split("\n\n").filter(|part| part.contains(". . . .")).collect();
    assert_eq!(boards.first(), boards.last(), "{output}");
    assert!(output.contains("1 2 3 4 (4)\n"), "{output}");
    assert!(output.contains("no move of yours"), "{output}");
}

#[test]
fn a_new_game_forgets_the_old_one() {
    let (_, output) = play("tic-tac-toe --moves a1,b1", "a2\nnew\nquit\n");
    assert!(output.contains("Player 1 plays a3"), "{output}");
    // Nothing was played in the new one.
    assert!(!output.contains("Moves:"), "{output}");
}

#[test]
fn analysis_says_what_search_says() {
    let (_, output) = play("connect-four --engine none --moves 112233", "analyse\n4\n");
    assert!(output.contains("Player 0 wins with 4, proven."), "{output}");
    assert!(output.contains("Game over: player 0: 1, player 1: -1"), "{output}");
}

#[test]
fn what_cannot_be_played_is_said_and_the_game_goes_on() {
    let play = |game: &str, input: &[u8]| {
        let arguments = format!("play {game} --playouts 500 --threads 1 --seed 1");
        outcome(proofwood(&arguments).write_stdin(input).output().unwrap())
    };
    let (status, output, errors) = play("tic-tac-toe", b"z9\n\xff\nb2\n");
    assert_eq!(status, 2);
    let errors: Vec<&str> = errors.lines().collect();
    assert_eq!(errors.len(), 2, "{errors:?}");
    assert!(errors[0].contains("'z9' is not a legal move here"), "{errors:?}");
    assert!(errors[1].contains("this line is not UTF-8 text"), "{errors:?}");
    assert!(output.contains("Player 1 plays"), "{output}");
    // White must pass here.
    let forced = "othello:4 --engine none --moves a2a3b4c1a4";
    let (status, output, errors) = play(forced, b"b1\npass\nb1\nquit\n");
    assert_eq!(status, 2);
    assert!(errors.contains("The only move is pass"), "{errors}");
    assert!(output.contains("pass b1"), "{output}");
    assert!(complaint("play tic-tac-toe --engine 2", 2).contains("players from 0 to 1"));
}
