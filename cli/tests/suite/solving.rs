//! Positions with known values, and sets of positions.

use crate::common::{self, documents, json, run, run_with_input};
use std::collections::HashMap;

#[test]
fn tic_tac_toe_is_a_draw() {
    let answer = json("solve tic-tac-toe --algorithm gpn --json");
    assert_eq!(answer["proven"], "draw");
    assert_eq!(answer["bounds"], serde_json::json!([0, 0]));
    assert!(answer["playouts"].as_u64().unwrap() < 30_000, "{answer}");
}

/// Checks that by default a prover answers and is named, and that the search with playouts answers
/// instead if the game has chance or if an option applies only to that search.
#[test]
fn what_solves_is_chosen() {
    let answer = json("solve tic-tac-toe --json");
    assert_eq!((&answer["proven"], &answer["algorithm"]), (&"draw".into(), &"auto".into()));
    for question in answer["questions"].as_array().unwrap() {
        assert!(["ab", "dfpn"].contains(&question["answered_by"].as_str().unwrap()), "{answer}");
    }
    let (status, text, _) = run("solve connect-four --moves 112233");
    assert_eq!(status, 0);
    assert!(text.contains("x wins with 4, proven.") && text.contains("Prover   "), "{text}");
    for option in ["--playouts 1e5", "--seed 3", "--c-pn 2", "--bytes 64M", "--preset uct"] {
        let answer = json(&format!("solve tic-tac-toe --json {option}"));
        assert!(answer["playouts"].is_u64(), "{option}: {answer}");
    }
    let answer = json("solve pig:5,turns=3 --json");
    assert!(answer["expected"]["exact"].is_boolean(), "{answer}");
    // A win is a question for provers, even with chance.
    let answer = json("solve pig:6 --moves roll,6 --goal win --json");
    assert_eq!((&answer["proven"], &answer["algorithm"]), (&"win".into(), &"auto".into()));
    let answer = json("solve tic-tac-toe --tt 1M --goal draw-or-better --json");
    assert_eq!(answer["proven"], "not-loss");
    let error = common::complaint("solve tic-tac-toe --theta 0.1", 2);
    assert!(
        error.contains(
            "--theta does not apply to auto, the default algorithm: add --algorithm mcpns"
        ),
        "{error}"
    );
    let error = common::complaint("solve tic-tac-toe --tt 1M --c-pn 2", 2);
    assert!(error.contains("--tt applies to provers, not to gpn"), "{error}");
}

/// Checks that proofs by `ab` and `auto` can be written as certificates and resumed.
#[test]
fn the_default_proves_in_pieces() {
    let folder = std::env::temp_dir().join(format!("proofwood-auto.{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for algorithm in ["", "--algorithm ab", "--algorithm auto"] {
        let name = |end: &str| folder.join(end).display().to_string();
        let (table, proof) = (name("a.table"), name("a.proof"));
        let solve =
            format!("solve connect-four:5x4 --threads 2 {algorithm} --checkpoint {table} --resume");
        let solve = solve.replace("  ", " ");
        assert_eq!(run(&format!("{solve} --nodes 3000")).0, 10);
        assert_eq!(run(&format!("{solve} --certificate {proof}")).0, 0);
        let (status, text, _) = run(&format!("check {proof}"));
        assert_eq!(status, 0, "{text}");
        std::fs::remove_file(&table).unwrap();
        std::fs::remove_file(&proof).unwrap();
    }
    std::fs::remove_dir(&folder).unwrap();
}

#[test]
fn the_soonest_win_is_told() {
    let answer = json("solve connect-four:4x4,k=3 --shortest --json");
    assert_eq!(answer["shortest"]["winner"], 0);
    assert_eq!(answer["shortest"]["moves"], 9);
    assert_eq!(answer["shortest"]["pv"].as_array().unwrap().len(), 9);
    // A shortest win, of 23 moves, is reported, although longer wins are proven first.
    for algorithm in ["auto", "gpn --threads 1"] {
        let answer = json(&format!(
            "solve connect-four --moves 475772722323 --shortest --json --algorithm {algorithm}"
        ));
        assert_eq!(answer["shortest"]["moves"], 23, "{answer}");
        assert_eq!(answer["pv"], answer["shortest"]["pv"], "{answer}");
        assert_eq!(answer["best_move"], answer["pv"][0], "{answer}");
    }
    let draw = json("solve tic-tac-toe --algorithm dfpn --shortest --json");
    assert!(draw["shortest"]["winner"].is_null() && draw["shortest"]["moves"].is_null());
    assert_eq!(run("solve connect-four:4x4,k=3 --shortest --nodes 50").0, 10);
    assert_eq!(run("solve pig:20 --shortest").0, 2);
}

#[test]
fn the_soonest_wins_of_a_set_are_told() {
    let folder = std::env::temp_dir().join(format!("proofwood-soonest.{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let set = folder.join("set.txt");
    std::fs::write(&set, "1 1 2 2\n1 2 1 2\nno move\n").unwrap();
    let command = format!("solve connect-four:4x4,k=3 --positions {} --shortest", set.display());
    let (status, text, _) = run(&command);
    assert_eq!(status, 2, "{text}");
    let told = text.lines().filter(|line| line.starts_with("Shortest x wins in 1 move, counting"));
    assert_eq!(told.count(), 2, "{text}");
    let (_, text, _) = run(&format!("{command} --json"));
    let answer: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    assert_eq!(answer["shortest"]["moves"], 1);
    let out = folder.join("out.jsonl");
    let (status, _, error) = run(&format!("{command} --out {} --resume", out.display()));
    assert_eq!(status, 2);
    assert!(error.contains("--shortest cannot resume"), "{error}");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn small_othello_is_lost_by_eight() {
    let answer = json("solve othello:4 --goal score --json");
    assert_eq!(answer["bounds"], serde_json::json!([-8, -8]));
    assert_eq!(answer["proven"], "loss");
    assert_eq!(answer["stop_reason"], "solved");
}

#[test]
fn the_status_tells_whether_a_position_is_solved() {
    assert_eq!(run("solve connect-four --moves 112233").0, 0);
    assert_eq!(run("solve connect-four --playouts 100").0, 10);
    assert_eq!(run("search connect-four --playouts 100").0, 0);
    let input = "112233\n44\n";
    assert_eq!(run_with_input("solve connect-four --positions - --playouts 100", input).0, 10);
}

/// Checks that no answer is wrong, and that no position except perhaps the 14-ply draw stays
/// unsolved.
#[test]
fn the_positions_of_the_peers() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/solver_positions.csv");
    let mut exact = HashMap::new();
    for record in csv::Reader::from_path(file).unwrap().records() {
        let record = record.unwrap();
        if &record[0] == "connect_four" {
            exact.insert(record[1].to_string(), record[4].to_string());
        }
    }
    assert_eq!(exact.len(), 8);
    let arguments = ["solve", "connect-four", "--playouts", "3e6", "--json", "--positions", file];
    let output = assert_cmd::Command::new(common::PROGRAM).args(arguments).output().unwrap();
    let (_, output, errors) = common::outcome(output);
    assert_eq!(errors, "");
    let answers = documents(&output);
    let ids: Vec<&str> = answers.iter().map(|answer| answer["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["0", "1", "2", "3", "4", "5", "6", "7"]);
    for answer in &answers {
        let id = answer["id"].as_str().unwrap();
        let value = answer["proven"].as_str().unwrap();
        match id {
            "1" => assert!(!matches!(value, "win" | "loss"), "{answer}"),
            _ => assert_eq!(value, exact[id], "{answer}"),
        }
    }
}

#[test]
fn answers_come_in_the_order_of_the_lines() {
    let moves = ["112233", "4433", "", "7766", "1122334"];
    let rows: Vec<String> =
        moves.iter().enumerate().map(|(id, moves)| format!("p{id},\"{moves}\",x\n")).collect();
    let input = format!("id,moves_1based,note\n{}", rows.concat());
    let (_, output, errors) =
        run_with_input("solve connect-four --positions - --playouts 200 --json", &input);
    assert_eq!(errors, "");
    let answers = documents(&output);
    let ids: Vec<&str> = answers.iter().map(|answer| answer["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["p0", "p1", "p2", "p3", "p4"]);
    let lines: Vec<u64> = answers.iter().map(|answer| answer["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, [2, 3, 4, 5, 6]);
}

#[test]
fn a_column_can_name_the_game() {
    let input = "game,position\nconnect_four,112233\ntic-tac-toe,xx./oo./... x\n";
    let (status, output, errors) = run_with_input("solve --positions - --json", input);
    assert_eq!((status, errors.as_str()), (0, ""));
    let answers = documents(&output);
    assert_eq!(answers[0]["game"], "connect_four");
    assert_eq!(answers[1]["best_move"], "c3");
    let (status, output, _) = run_with_input("solve tic-tac-toe --positions -", input);
    assert_eq!(status, 0);
    assert!(output.contains("1 line for other games skipped"), "{output}");
}

/// Checks that each answer is printed before the next line is read.
#[test]
fn answers_are_not_held_back() {
    use std::io::{BufRead, BufReader, Write};
    let mut child = std::process::Command::new(common::PROGRAM)
        .args(["solve", "connect-four", "--positions", "-", "--playouts", "50", "--json"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    for moves in ["112233", "44", "1122334"] {
        writeln!(input, "{moves}").unwrap();
        input.flush().unwrap();
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        assert!(documents(&line)[0]["position"].is_string(), "{line}");
    }
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(10));
}

#[test]
fn provers_say_what_they_asked() {
    for algorithm in ["auto", "ab", "dfpn", "pds", "df-ppns"] {
        let small = format!("solve othello:4 --algorithm {algorithm} --goal score --tt 64K --json");
        let answer = json(&small);
        assert_eq!(answer["bounds"], serde_json::json!([-8, -8]), "{answer}");
        assert_eq!((&answer["proven"], &answer["goal"]), (&"loss".into(), &"score".into()));
        assert_eq!(answer["algorithm"], algorithm);
        let questions = answer["questions"].as_array().unwrap();
        assert!(questions.iter().all(|question| question["answer"].is_string()), "{answer}");
    }
    let answer = json("solve tic-tac-toe --algorithm dfpn --json --threads 2");
    assert_eq!((&answer["proven"], &answer["goal"]), (&"draw".into(), &"outcome".into()));
    let asked = |n: usize| (&answer["questions"][n]["player"], &answer["questions"][n]["at_least"]);
    assert_eq!((asked(0), asked(1)), ((&0.into(), &1.into()), (&1.into(), &1.into())));
    let (status, text, _) = run("solve tic-tac-toe --algorithm dfpn --goal win");
    assert_eq!(status, 0);
    assert!(text.contains("x cannot force a win, proven."), "{text}");
    assert!(text.contains("can x force a win?  no"), "{text}");
    let (status, text, _) = run("solve tic-tac-toe --algorithm dfpn --goal draw-or-better");
    assert_eq!((status, text.contains("x does not lose, proven.")), (0, true), "{text}");
    assert_eq!(run("solve connect-four --algorithm dfpn --nodes 1e4").0, 10);
}

#[test]
fn provers_solve_files_of_positions() {
    let input = "112233\n33722321517246\n";
    let (status, output, errors) =
        run_with_input("solve connect-four --algorithm dfpn --positions - --json", input);
    assert_eq!((status, errors.as_str()), (0, ""));
    let values: Vec<_> = documents(&output).iter().map(|answer| answer["proven"].clone()).collect();
    assert_eq!(values, ["win", "loss"]);
    // With one thread the prover answers the same questions every time. The lost position is proven
    // without repetitions, so no question remains.
    let one = "solve connect-four --algorithm dfpn --threads 1 --positions -";
    let (_, text, _) = run_with_input(one, input);
    let rows: Vec<Vec<&str>> =
        text.lines().take(2).map(|line| line.split_whitespace().take(2).collect()).collect();
    assert_eq!(rows, [["1", "win"], ["2", "loss"]], "{text}");
    assert!(!text.contains("make sure"), "a row has the answer alone: {text}");
    assert!(text.contains("2 of 2 solved (1 won, 0 drawn, 1 lost)"), "{text}");
}
