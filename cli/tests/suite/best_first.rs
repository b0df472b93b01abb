//! The provers that keep a tree, from the command line, and the experiment of
//! the paper on PPNS.

use crate::common::{complaint, documents, json, run};

#[test]
fn every_algorithm_answers() {
    for algorithm in ["pns", "pn2", "mcpns", "ppns"] {
        let answer = json(&format!("solve tic-tac-toe --algorithm {algorithm} --json"));
        assert_eq!((&answer["proven"], &answer["algorithm"]), (&"draw".into(), &algorithm.into()));
        assert!(answer["questions"].as_array().unwrap().iter().all(|q| q["answer"] == "disproven"));
        let score = format!("solve othello:4 --algorithm {algorithm} --goal score --json");
        assert_eq!(json(&score)["bounds"], serde_json::json!([-8, -8]), "{algorithm}");
        // A draw is not a win, and not a loss either.
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
    assert_eq!(answer["settled"], false);
    let question = &answer["questions"][0];
    assert!(question["answer"].is_null() && question["estimate"].as_f64().is_some(), "{answer}");
    let (status, text, _) = run(arguments);
    assert_eq!(status, 10);
    assert!(text.contains("Not settled") && text.contains("estimate"), "{text}");
    assert!(!text.contains(", proven"), "{text}");
}

#[test]
fn options_of_other_algorithms_are_refused() {
    let refused = [
        ("--algorithm pns --tt 64M", "--tt is for auto, ab, dfpn, pds and df-ppns and not for pns"),
        ("--algorithm dfpn --theta 0.1", "--theta is for mcpns, ppns and df-ppns and not for dfpn"),
        (
            "--algorithm mcpns --precision 0.1",
            "--precision is for ppns and df-ppns and not for mcpns",
        ),
        ("--precision 0.1", "add --algorithm ppns"),
        ("--algorithm ppns --theta 0.5", "less than 0.5"),
        ("--algorithm ppns --precision x", "should be a number"),
        ("--algorithm ppns --playouts-per-leaf 0", "from 1"),
    ];
    for (options, why) in refused {
        let error = complaint(&format!("solve tic-tac-toe {options}"), 2);
        assert!(error.contains(why), "{options}: {error}");
    }
}

#[test]
fn the_experiment_writes_runs_tables_and_figures() {
    let out = std::env::temp_dir().join(format!("proofwood-ppns-{}", std::process::id()));
    let arguments = format!(
        "reproduce ppns --positions 2 --nodes 400 --time 5s --plies 40,44 --memory 64M --out {}",
        out.display()
    );
    let (status, text, errors) = run(&arguments);
    assert_eq!((status, errors.as_str()), (0, ""));
    assert_eq!(text.matches("\n### ").count(), 3, "{text}");
    assert!(text.contains("| pns ") && text.contains("61.0 %"), "{text}");
    let runs = documents(&std::fs::read_to_string(out.join("runs.jsonl")).unwrap());
    // Estimates may have been held against runs of their own.
    let compared = runs.iter().filter(|run| run["method"] != "truth");
    assert_eq!(compared.count(), 2 * (19 + 9 + 9));
    for name in ["connect-four-12.svg", "othello-40.svg", "othello-44.svg", "othello.svg"] {
        let figure = std::fs::read_to_string(out.join(name)).unwrap();
        assert!(figure.starts_with("<svg") && figure.contains("ppns"), "{name}");
    }
    std::fs::remove_dir_all(&out).unwrap();
    assert!(complaint("reproduce ppns --methods foo", 2).contains("nothing begins with 'foo'"));
    // A whole name is one method; the beginning of a name is all methods that begin so.
    let methods = |names: &str| {
        let arguments = "reproduce ppns --game othello --plies 44 --positions 1 --nodes 50 --json";
        let runs = documents(&run(&format!("{arguments} --memory 64M --methods {names}")).1);
        let name = |run: &serde_json::Value| run["method"].as_str().unwrap().to_string();
        runs.iter().map(name).collect::<Vec<_>>()
    };
    assert_eq!(methods("ppns,df-p"), ["ppns", "df-ppns", "df-ppns θ=0.01 pr=1e-5"]);
    assert!(complaint("reproduce ppns --from x.csv", 2).contains("--game"));
    assert!(complaint("reproduce ppns --from paper --nodes 1 --positions 1", 2).contains("22, 26"));
}

#[test]
fn the_experiment_takes_positions_from_all_places() {
    let table = |from: &str, plies: u32| {
        let (status, text, errors) = run(&format!(
            "reproduce ppns --methods pns --nodes 300 --memory 64M --plies {plies} {from}"
        ));
        assert_eq!((status, errors.as_str()), (0, ""));
        text
    };
    let text = table("--from paper", 22);
    // Of 192 and 75 boards some are won or over.
    assert!(text.contains("Connect Four after 12 plies, the authors' positions, 190 positions"));
    assert!(
        text.contains("Othello after 22 plies, the authors' positions, 70 positions"),
        "{text}"
    );
    let text = table("--positions 3", 44);
    assert!(text.contains("Connect Four after 12 plies, the authors' positions, 3 positions"));
    assert!(text.contains("Othello after 44 random plies, 3 positions"), "{text}");
    let file = std::env::temp_dir().join(format!("proofwood-from-{}.csv", std::process::id()));
    std::fs::write(&file, "id,moves\na,4444\nb,43655644233456\n").unwrap();
    let text = table(&format!("--game connect-four --from {}", file.display()), 44);
    assert!(text.contains("positions of") && text.contains("2 positions"), "{text}");
    assert!(!text.contains("61.0 %"), "the paper knows nothing of these: {text}");
    std::fs::remove_file(&file).unwrap();
    let text = table("--positions 2 --from random", 44);
    assert!(text.contains("Connect Four after 12 random plies, 2 positions"), "{text}");
}
