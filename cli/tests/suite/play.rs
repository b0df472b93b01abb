//! Games against the engine, with input from a pipe.

use crate::common::{complaint, outcome, proofwood, run_with_input};

/// Plays a game in which the engine always chooses the same moves.
fn play(arguments: &str, input: &str) -> (i32, String) {
    let arguments = format!("play {arguments} --playouts 500 --threads 1 --seed 1");
    let (status, output, errors) = run_with_input(&arguments, input);
    assert_eq!(errors, "", "{arguments}");
    (status, output)
}

/// Each move of the engine here is the only one that does not lose, so the output does not depend
/// on the search.
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
    assert!(output.contains("A draw."), "{output}");
    assert_eq!(output.matches("The game is over; enter undo, new or quit").count(), 2, "{output}");
    assert!(output.contains("no move to take back"), "{output}");
    assert!(output.trim_end().lines().last().unwrap().starts_with("Moves: "), "{output}");
}

#[test]
fn undo_goes_back_to_the_persons_own_move() {
    let (_, output) = play("connect-four:4x4", "1\n1\nundo\nundo\nmoves\nundo\n");
    let boards: Vec<&str> = output.split("\n\n").filter(|part| part.contains(". . . .")).collect();
    assert_eq!(boards.first(), boards.last(), "{output}");
    assert!(output.contains("1 2 3 4 (4)\n"), "{output}");
    assert!(output.contains("no move to take back"), "{output}");
}

#[test]
fn a_new_game_forgets_the_old_one() {
    let (_, output) = play("tic-tac-toe --moves a1,b1", "a2\nnew\nquit\n");
    assert!(output.contains("o plays a3"), "{output}");
    // No move was played in the new game.
    assert!(!output.contains("Moves:"), "{output}");
}

#[test]
fn analysis_says_what_search_says() {
    let (_, output) = play("connect-four --engine none --moves 112233", "analyse\n4\n");
    assert!(output.contains("x wins with 4, proven."), "{output}");
    assert!(output.contains("x wins."), "{output}");
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
    assert!(output.contains("o plays"), "{output}");
    // White must pass in this position.
    let forced = "othello:4 --engine none --moves a2a3b4c1a4";
    let (status, output, errors) = play(forced, b"b1\npass\nb1\nquit\n");
    assert_eq!(status, 2);
    assert!(errors.contains("legal moves: pass"), "{errors}");
    assert!(output.contains("pass b1"), "{output}");
    assert!(
        complaint("play tic-tac-toe --engine 2", 2).contains("there is no player '2'; give x, o")
    );
}

#[test]
fn a_beginner_finds_the_way() {
    let (status, output) = play("connect-four", "help\nq\n");
    assert_eq!(status, 0);
    assert!(output.contains("x to move\n\nYou are x. Enter help for the commands.\n"), "{output}");
    assert!(output.contains("A move is a column number"), "{output}");
    assert!(output.contains("quit      end the program (also q, exit and Ctrl-D)"), "{output}");
    assert!(!output.contains("A position is"), "{output}");
    let (_, output) = play("los-alamos --engine White", "q\n");
    assert!(output.contains("You are Black.") && output.contains("White plays "), "{output}");
    let (_, output) = play("chinese-checkers --engine none", "q\n");
    assert!(output.contains("You play A and B and C."), "{output}");
}

/// Checks that the current board precedes each question, even if a die was just rolled.
#[test]
fn the_board_stands_before_every_question() {
    let (_, output) = play("pig:20 --engine none", "roll\nroll\nroll\nq\n");
    for rolled in output.split("Chance: ").skip(1) {
        let (_, after) = rolled.split_once('\n').unwrap();
        assert!(after.starts_with("\nA: "), "{output}");
        assert!(after.contains(" to move\n"), "{output}");
    }
    assert_eq!(output.matches("Chance: ").count(), 3, "{output}");
}

#[test]
fn results_and_worths_name_the_side() {
    let (_, output) = play("connect-four --moves 1122334 --engine none", "q\n");
    assert!(output.contains("\nx wins.\n"), "{output}");
    let (_, output) = play("connect-four --moves 112233", "5\nhint\n");
    assert!(output.contains("o plays 4 ("), "{output}");
    let (_, output) = play("connect-four --moves 112233 --engine none", "hint\n");
    assert!(output.contains("4 (x wins, proven)"), "{output}");
    let (_, output) = play("connect-four", "hint\n");
    assert!(output.contains(" % for x)"), "{output}");
    let (_, output) = play("othello:4 --moves a2a3b4c1a4passb1a1d2c4d4passd1d3", "q\n");
    assert!(output.contains("X wins (X +6, O -6)."), "{output}");
}

/// Checks that the byte-order mark that PowerShell writes before the first line is ignored.
#[test]
fn a_byte_order_mark_is_no_text() {
    let (status, output) = play("tic-tac-toe", "\u{feff}b2\nq\n");
    assert_eq!(status, 0);
    assert!(output.contains("b2") && !output.contains("nknown"), "{output}");
}
