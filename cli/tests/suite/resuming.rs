//! Sets of positions that are solved in several runs.

use crate::common::{self, complaint, documents, run};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Creates a folder with a file of positions.
fn folder(name: &str, lines: usize) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("resuming-{name}"));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a folder");
    let rows = (0..lines).map(|number| format!("p{number},{}\n", "172635".repeat(number % 3)));
    fs::write(path.join("set.csv"), format!("id,moves\n{}", rows.collect::<String>())).unwrap();
    path
}

fn arguments(folder: &Path, more: &str) -> String {
    let (set, out) = (folder.join("set.csv"), folder.join("results.jsonl"));
    format!(
        "solve connect-four --positions {} --out {} --playouts 3000 {more}",
        set.display(),
        out.display()
    )
}

fn ids(folder: &Path) -> Vec<String> {
    let text = fs::read_to_string(folder.join("results.jsonl")).unwrap();
    assert!(text.ends_with('\n'));
    let results = documents(&text);
    results.iter().map(|result| result["id"].as_str().unwrap().to_string()).collect()
}

#[test]
fn a_killed_run_goes_on() {
    const LINES: usize = 80;
    let folder = folder("killed", LINES);
    let all: Vec<String> = (0..LINES).map(|number| format!("p{number}")).collect();
    let mut kills = 0;
    for run in 0.. {
        assert!(run < 40);
        let arguments = arguments(&folder, "--resume --json");
        let mut child = Command::new(common::PROGRAM)
            .args(arguments.split_whitespace())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        // Every printed answer is in the file.
        let printed: Vec<String> = lines.by_ref().take(7).map(|line| line.unwrap()).collect();
        let ended = printed.len() < 7;
        if !ended {
            child.kill().unwrap();
            kills += 1;
        }
        child.wait().unwrap();
        let text = fs::read_to_string(folder.join("results.jsonl")).unwrap();
        for line in &printed {
            assert!(text.contains(line), "run {run}: {line} is lost");
        }
        if ended {
            break;
        }
    }
    assert!(kills >= 3, "{kills}");
    assert_eq!(ids(&folder), all, "every position once, in order");
}

#[test]
fn a_half_written_line_is_written_again() {
    let folder = folder("half", 4);
    assert_eq!(run(&arguments(&folder, "")).0, 10);
    let out = folder.join("results.jsonl");
    let whole = fs::read_to_string(&out).unwrap();
    let first: Vec<&str> = whole.lines().collect();
    for cut in [whole.len() - 1, whole.len() - 40] {
        fs::write(&out, &whole[..cut]).unwrap();
        let (status, output, errors) = run(&arguments(&folder, "--resume"));
        assert_eq!((status, errors.as_str()), (10, ""));
        assert!(output.contains("3 of them by an earlier run"), "{output}");
        let again = fs::read_to_string(&out).unwrap();
        assert_eq!(again.lines().take(3).collect::<Vec<_>>(), first[..3]);
        assert_eq!(ids(&folder), ["p0", "p1", "p2", "p3"]);
    }
    let (_, output, _) = run(&arguments(&folder, "--resume --json"));
    assert_eq!(output, "", "nothing is solved twice");
    let (_, output, _) = run(&arguments(&folder, "--resume"));
    assert!(output.contains("of 4 solved"), "{output}");
    assert!(output.contains("4 of them by an earlier run"), "{output}");
}

#[test]
fn answers_cut_short_and_errors_are_asked_again() {
    let folder = folder("again", 3);
    run(&arguments(&folder, ""));
    let out = folder.join("results.jsonl");
    let text = fs::read_to_string(&out).unwrap();
    let cut = text.replacen("\"stop_reason\":\"playouts\"", "\"stop_reason\":\"cancelled\"", 1);
    assert_ne!(cut, text);
    fs::write(&out, format!("{cut}{{\"line\":9,\"error\":\"oh\"}}\n")).unwrap();
    let (_, output, errors) = run(&arguments(&folder, "--resume --json"));
    assert_eq!(errors, "");
    assert_eq!(documents(&output)[0]["id"], "p0");
    assert_eq!(ids(&folder), ["p1", "p2", "p0"]);
}

#[test]
fn results_of_something_else_are_refused() {
    let folder = folder("foreign", 2);
    run(&arguments(&folder, ""));
    let out = folder.join("results.jsonl");
    // Lines to be solved again are not removed from another run's file either.
    let more = "{\"line\":9,\"error\":\"oh\"}\n{\"line\":1";
    fs::write(&out, fs::read_to_string(&out).unwrap() + more).unwrap();
    let before = fs::read(&out).unwrap();
    let refuse = |more: &str, what: &str| {
        let error = complaint(&arguments(&folder, more), 2);
        assert!(error.contains(what), "{error}");
        assert_eq!(fs::read(&out).unwrap(), before, "nothing is changed");
    };
    refuse("", "--resume goes on with the results in it, --force replaces it");
    let dfpn = arguments(&folder, "--resume --algorithm dfpn").replace("--playouts 3000", "");
    let error = complaint(&dfpn, 2);
    assert!(error.contains("has the algorithm 'gpn', and now it is 'dfpn'"), "{error}");
    refuse("--resume --goal score", "has the goal 'outcome', and now it is 'score'");
    let set = folder.join("set.csv");
    fs::write(&set, "id,moves\np1,\np1,2\n").unwrap();
    refuse("--resume", "the result for line 2 has the id 'p0', and now it is 'p1'");
    fs::write(&set, "id,moves\np0,1\np1,2\n").unwrap();
    refuse("--resume", "the result for line 2 has the position");
    let player = dfpn.replace("--algorithm", "--player 1 --algorithm");
    let of_dfpn = folder.join("dfpn.jsonl").display().to_string();
    let (dfpn, player) =
        [dfpn, player].map(|a| a.replace(&out.display().to_string(), &of_dfpn)).into();
    fs::write(&set, "id,moves\np0,44\n").unwrap();
    assert_eq!(run(&dfpn.replace("--resume", "--nodes 10")).0, 10);
    let error = complaint(&player, 2);
    assert!(error.contains("has the player '0', and now it is '1'"), "{error}");
    fs::write(&set, "id,moves\np0,1\n").unwrap();
    let error = complaint("solve connect-four --resume", 2);
    assert!(error.contains("--positions"), "{error}");
    fs::write(&out, "some text\n").unwrap();
    let error = complaint(&arguments(&folder, "--resume"), 2);
    assert!(error.contains("results.jsonl, line 1: this is no result to go on from"), "{error}");
    assert_eq!(fs::read_to_string(&out).unwrap(), "some text\n");
}

/// Line 1 of another file may lack a result, so that line 2 is the first that does not match.
#[test]
fn all_results_are_compared_before_one_is_written() {
    let folder = folder("compared", 3);
    run(&arguments(&folder, ""));
    let (out, set) = (folder.join("results.jsonl"), folder.join("set.csv"));
    let mut results: Vec<String> =
        fs::read_to_string(&out).unwrap().lines().map(str::to_string).collect();
    // There are results for lines 2 and 4, but not for line 3.
    results.remove(1);
    fs::write(&out, results.join("\n") + "\n").unwrap();
    let before = fs::read(&out).unwrap();
    let rows = fs::read_to_string(&set).unwrap();
    for (rows, what) in [
        (rows.replace("p2,", "p2,7"), "the result for line 4 has the position"),
        (rows.replace("p2,", "q,"), "the result for line 4 has the id 'p2', and now it is 'q'"),
        (rows.replace("p2,", "p2,9"), "line 4 has a result, but now: move 1: '9'"),
        (
            rows.lines().take(3).collect::<Vec<_>>().join("\n"),
            "line 4 has a result but no position",
        ),
    ] {
        fs::write(&set, &rows).unwrap();
        let error = complaint(&arguments(&folder, "--resume"), 2);
        assert!(error.contains(what), "{what}: {error}");
        assert_eq!(fs::read(&out).unwrap(), before, "{what}");
        // Positions from a pipe are compared, too.
        let piped = arguments(&folder, "--resume").replace(set.to_str().unwrap(), "-");
        let (status, output, error) = common::run_with_input(&piped, &rows);
        assert_eq!((status, output.as_str()), (2, ""), "{error}");
        assert!(error.contains(what), "{what}: {error}");
        assert_eq!(fs::read(&out).unwrap(), before, "{what}");
    }
    fs::write(&set, &rows).unwrap();
    let piped = arguments(&folder, "--resume").replace(set.to_str().unwrap(), "-");
    let (_, output, error) = common::run_with_input(&piped, &rows);
    assert_eq!(error, "");
    assert!(output.contains("2 of them by an earlier run"), "{output}");
    assert_eq!(ids(&folder), ["p0", "p2", "p1"]);
}

#[test]
fn results_that_no_run_writes_are_refused() {
    let folder = folder("altered", 1);
    run(&arguments(&folder, ""));
    let out = folder.join("results.jsonl");
    let whole = fs::read_to_string(&out).unwrap();
    let value = |value: &str| whole.replace("\"proven\":\"unknown\"", value);
    for (text, why) in [
        (
            value("\"proven\":\"winn\""),
            "line 1: this is no result to go on from: its value is 'winn'",
        ),
        (value("\"proven\":7"), "invalid type"),
        (whole.replace("\"settled\":false", "\"settled\":true"), "it is settled, and its value"),
    ] {
        assert_ne!(text, whole);
        fs::write(&out, &text).unwrap();
        let error = complaint(&arguments(&folder, "--resume"), 2);
        assert!(error.contains(why), "{why}: {error}");
        assert_eq!(fs::read_to_string(&out).unwrap(), text);
    }
}

/// A file was damaged or edited: a value contradicts its bounds, a move is illegal, and so on.
#[test]
fn results_that_cannot_be_are_refused() {
    let folder = folder("damaged", 0);
    let (set, out) = (folder.join("set.csv"), folder.join("results.jsonl"));
    fs::write(&set, "moves\n11112222\n33221\n442\n").unwrap();
    let arguments = |algorithm: &str| {
        let (set, out) = (set.display(), out.display());
        let limits = "--threads 1 --time 60s";
        format!(
            "solve connect-four:5x4 --positions {set} --out {out} --resume {algorithm} {limits}"
        )
    };
    for algorithm in ["--algorithm dfpn", "--algorithm gpn"] {
        let _ = fs::remove_file(&out);
        assert_eq!(run(&arguments(algorithm)).0, 0);
        let whole = fs::read_to_string(&out).unwrap();
        let results = documents(&whole);
        for (number, result) in results.iter().enumerate() {
            let value = result["proven"].as_str().unwrap();
            let to_move = result["to_move"].as_u64().unwrap();
            let wrong = ["win", "draw", "loss", "not-win", "not-loss", "unknown"]
                .into_iter()
                // A weaker value that is also true may stay.
                .filter(|wrong| {
                    let weaker = [("loss", "not-win"), ("draw", "not-win"), ("draw", "not-loss")];
                    *wrong != value && !weaker.contains(&(value, wrong))
                })
                .map(|wrong| ("proven", serde_json::json!(wrong)))
                .chain([
                    ("settled", false.into()),
                    ("best_move", "9".into()),
                    ("to_move", (1 - to_move).into()),
                    ("nodes", u64::MAX.into()),
                    ("seconds", (-1).into()),
                ]);
            for (field, wrong) in wrong {
                let mut lines = results.clone();
                lines[number][field] = wrong.clone();
                let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
                fs::write(&out, &text).unwrap();
                let error = complaint(&arguments(algorithm), 2);
                let line = format!("line {}", result["line"]);
                assert!(error.contains(&line) || error.contains("no result"), "{error}");
                assert_eq!(fs::read_to_string(&out).unwrap(), text, "it stays as it is");
            }
        }
        fs::write(&out, whole).unwrap();
        assert_eq!(run(&arguments(algorithm)).0, 0);
    }
}
