//! Provers that grow a tree, run from the command line, and the experiment of the paper on PPNS.

use crate::common::{complaint, json, run};

#[test]
fn every_algorithm_answers() {
    for algorithm in ["pns", "pn2", "mcpns", "ppns"] {
        let answer = json(&format!("solve tic-tac-toe --algorithm {algorithm} --json"));
        assert_eq!((&answer["proven"], &answer["algorithm"]), (&"draw".into(), &algorithm.into()));
        assert!(answer["questions"].as_array().unwrap().iter().all(|q| q["answer"] == "disproven"));
        let score = format!("solve othello:4 --algorithm {algorithm} --goal score --json");
        assert_eq!(json(&score)["bounds"], serde_json::json!([-8, -8]), "{algorithm}");
        // A draw is neither a win nor a loss.
        let (status, text, _) =
            run(&format!("solve tic-tac-toe --algorithm {algorithm} --goal win"));
        assert_eq!(status, 0);
        assert!(text.contains("cannot force a win") && !text.contains("loses"), "{text}");
    }
}

#[test]
fn threads_share_leaves() {
    for algorithm in ["mcpns", "ppns"] {
        for threads in [1, 2, 5] {
            let what = format!("--algorithm {algorithm} --threads {threads}");
            let answer = json(&format!("solve othello:4 {what} --goal score --json"));
            assert_eq!(answer["bounds"], serde_json::json!([-8, -8]), "{what}");
        }
    }
}

#[test]
fn an_estimate_is_called_an_estimate() {
    for algorithm in ["ppns", "df-ppns"] {
        check_estimate(algorithm);
    }
}

fn check_estimate(algorithm: &str) {
    let arguments = &format!("solve othello:6 --algorithm {algorithm} --precision 0.2 --goal win");
    let answer = json(&format!("{arguments} --json"));
    assert_eq!(
        (&answer["proven"], &answer["stop_reason"]),
        (&"unknown".into(), &"estimated".into())
    );
    assert_eq!(answer["solved"], false);
    let question = &answer["questions"][0];
    assert!(question["answer"].is_null() && question["estimate"].as_f64().is_some(), "{answer}");
    let (status, text, _) = run(arguments);
    assert_eq!(status, 10);
    assert!(text.contains("Not solved") && text.contains("estimate"), "{text}");
    assert!(!text.contains(", proven"), "{text}");
}

#[test]
fn options_of_other_algorithms_are_refused() {
    let refused = [
        ("--algorithm pns --tt 64M", "--tt applies to auto, ab, dfpn, pds and df-ppns, not to pns"),
        ("--algorithm dfpn --theta 0.1", "--theta applies to mcpns, ppns and df-ppns, not to dfpn"),
        (
            "--algorithm mcpns --precision 0.1",
            "--precision applies to ppns and df-ppns, not to mcpns",
        ),
        ("--precision 0.1", "add --algorithm ppns"),
        ("--algorithm ppns --theta 0.5", "less than 0.5"),
        ("--algorithm ppns --precision x", "should be a number"),
        ("--algorithm ppns --playouts-per-leaf 0", "at least 1"),
    ];
    for (options, why) in refused {
        let error = complaint(&format!("solve tic-tac-toe {options}"), 2);
        assert!(error.contains(why), "{options}: {error}");
    }
}
