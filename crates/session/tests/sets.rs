//! Tests sets of positions that are solved over several runs.

use proofwood::CancelToken;
use proofwood_session::files::Force;
use proofwood_session::input::given::Given;
use proofwood_session::input::position_file::Entry;
use proofwood_session::solving::observer::{Observer, Unobserved};
use proofwood_session::solving::set::{LineAnswer, Set, SetTask, Watcher};
use proofwood_session::{Ended, Trouble};
use serde_json::Value;
use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};

/// A run and its answers.
#[derive(Debug)]
struct Run {
    ended: Ended,
    counts: String,
    answers: Vec<Value>,
}

/// A watcher that stores the answers of a run.
struct Kept<'a>(&'a RefCell<Vec<Value>>);

impl Watcher for Kept<'_> {
    fn observer<'o>(&'o self, _: &'o str) -> Box<dyn Observer + 'o> {
        Box::new(Unobserved)
    }

    fn show(&self, _: &Entry, _: LineAnswer<'_>, json: &str) -> Result<(), Trouble> {
        self.0.borrow_mut().push(serde_json::from_str(json).unwrap());
        Ok(())
    }

    fn count(&self, _: u64, _: u64, _: u64) {}

    fn complain(&self, what: &str) {
        panic!("{what}");
    }
}

/// Solves the positions in a folder with command-line options. If these name no algorithm, each
/// position is searched with 3000 playouts.
fn solve(folder: &Path, options: &str) -> Result<Run, String> {
    solve_game("connect-four", folder, options)
}

fn solve_game(game: &str, folder: &Path, options: &str) -> Result<Run, String> {
    let resumes = options.starts_with("--resume");
    let mut given = Given::default();
    let words: Vec<&str> = options.trim_start_matches("--resume").split_whitespace().collect();
    for pair in words.chunks(2) {
        given.give(pair[0].trim_start_matches("--"), pair[1].into());
    }
    if !options.contains("--algorithm") {
        given.give("playouts", "3000".into());
    }
    let answers = RefCell::default();
    let run = || {
        let (limits, provers, options) = given.read()?;
        let budget = limits.budget(None)?;
        let (positions, out) = (folder.join("set.csv"), folder.join("results.jsonl"));
        let task = SetTask {
            game: Some(game),
            positions: positions.to_str().unwrap(),
            out: Some(&out),
            force: Force::default(),
            certificates: None,
            resumes,
            shortest: false,
            solver: provers.solver(Some(game), options, budget.playouts.is_some())?,
            budget,
            cancel: CancelToken::new(),
            remote: None,
        };
        Set::prepare(task, Kept(&answers))?.run()
    };
    let (ended, counts) = run().map_err(|failure: Trouble| failure.to_string())?;
    Ok(Run { ended, counts: counts.text("no time"), answers: answers.into_inner() })
}

/// Parses a text with one JSON document on each line.
fn documents(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

/// Creates a folder with a file of positions.
fn folder(name: &str, lines: usize) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("resuming-{name}"));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a folder");
    let rows = (0..lines).map(|number| format!("p{number},{}\n", "172635".repeat(number % 3)));
    fs::write(path.join("set.csv"), format!("id,moves\n{}", rows.collect::<String>())).unwrap();
    path
}

fn ids(folder: &Path) -> Vec<String> {
    let text = fs::read_to_string(folder.join("results.jsonl")).unwrap();
    assert!(text.ends_with('\n'));
    let results = documents(&text);
    results.iter().map(|result| result["id"].as_str().unwrap().to_string()).collect()
}

#[test]
fn a_half_written_line_is_written_again() {
    let folder = folder("half", 4);
    assert_eq!(solve(&folder, "").unwrap().ended, Ended::Unsolved);
    let out = folder.join("results.jsonl");
    let whole = fs::read_to_string(&out).unwrap();
    let first: Vec<&str> = whole.lines().collect();
    for cut in [whole.len() - 1, whole.len() - 40] {
        fs::write(&out, &whole[..cut]).unwrap();
        let run = solve(&folder, "--resume").unwrap();
        assert_eq!(run.ended, Ended::Unsolved);
        assert!(run.counts.contains("3 answered by an earlier run"), "{}", run.counts);
        let again = fs::read_to_string(&out).unwrap();
        assert_eq!(again.lines().take(3).collect::<Vec<_>>(), first[..3]);
        assert_eq!(ids(&folder), ["p0", "p1", "p2", "p3"]);
    }
    let Run { answers, counts, .. } = solve(&folder, "--resume").unwrap();
    assert!(answers.is_empty(), "nothing is solved twice");
    assert!(counts.contains("of 4 solved"), "{counts}");
    assert!(counts.contains("4 answered by an earlier run"), "{counts}");
}

#[test]
fn answers_cut_short_and_errors_are_asked_again() {
    let folder = folder("again", 3);
    solve(&folder, "").unwrap();
    let out = folder.join("results.jsonl");
    let text = fs::read_to_string(&out).unwrap();
    let cut = text.replacen("\"stop_reason\":\"playouts\"", "\"stop_reason\":\"cancelled\"", 1);
    assert_ne!(cut, text);
    fs::write(&out, format!("{cut}{{\"line\":9,\"error\":\"oh\"}}\n")).unwrap();
    assert_eq!(solve(&folder, "--resume").unwrap().answers[0]["id"], "p0");
    assert_eq!(ids(&folder), ["p1", "p2", "p0"]);
}

#[test]
fn results_of_something_else_are_refused() {
    let folder = folder("foreign", 2);
    solve(&folder, "").unwrap();
    let out = folder.join("results.jsonl");
    // Errors and incomplete lines are not removed from another run's file, either.
    let more = "{\"line\":9,\"error\":\"oh\"}\n{\"line\":1";
    fs::write(&out, fs::read_to_string(&out).unwrap() + more).unwrap();
    let before = fs::read(&out).unwrap();
    let refuse = |more: &str, what: &str| {
        let error = solve(&folder, more).unwrap_err();
        assert!(error.contains(what), "{error}");
        assert_eq!(fs::read(&out).unwrap(), before, "nothing is changed");
    };
    refuse("", "--resume continues the results in it, --force replaces it");
    let dfpn = "--resume --algorithm dfpn";
    refuse(dfpn, "has algorithm 'gpn', but the algorithm is now 'dfpn'");
    refuse("--resume --goal score", "has goal 'outcome', but the goal is now 'score'");
    let set = folder.join("set.csv");
    fs::write(&set, "id,moves\np1,\np1,2\n").unwrap();
    refuse("--resume", "the result for line 2 has id 'p0', but the id is now 'p1'");
    fs::write(&set, "id,moves\np0,1\np1,2\n").unwrap();
    refuse("--resume", "the result for line 2 has position");
    fs::remove_file(&out).unwrap();
    fs::write(&set, "id,moves\np0,44\n").unwrap();
    solve(&folder, &format!("{dfpn} --nodes 10")).unwrap();
    let error = solve(&folder, &format!("{dfpn} --player 1")).unwrap_err();
    assert!(error.contains("has player '0', but the player is now '1'"), "{error}");
    fs::write(&out, "some text\n").unwrap();
    let error = solve(&folder, "--resume").unwrap_err();
    assert!(
        error.contains("results.jsonl, line 1: this is not a result of an earlier run"),
        "{error}"
    );
    assert_eq!(fs::read_to_string(&out).unwrap(), "some text\n");
}

/// Checks that a mismatch in a later line is found before an earlier line is solved.
#[test]
fn all_results_are_compared_before_one_is_written() {
    let folder = folder("compared", 3);
    solve(&folder, "").unwrap();
    let (out, set) = (folder.join("results.jsonl"), folder.join("set.csv"));
    let mut results: Vec<String> =
        fs::read_to_string(&out).unwrap().lines().map(str::to_string).collect();
    // There are results for lines 2 and 4, but not for line 3.
    results.remove(1);
    fs::write(&out, results.join("\n") + "\n").unwrap();
    let before = fs::read(&out).unwrap();
    let rows = fs::read_to_string(&set).unwrap();
    for (rows, what) in [
        (rows.replace("p2,", "p2,7"), "the result for line 4 has position"),
        (rows.replace("p2,", "q,"), "the result for line 4 has id 'p2', but the id is now 'q'"),
        (rows.replace("p2,", "p2,9"), "line 4 has a result but is invalid: move 1: '9'"),
        (
            rows.lines().take(3).collect::<Vec<_>>().join("\n"),
            "line 4 has a result but no position",
        ),
    ] {
        fs::write(&set, &rows).unwrap();
        let error = solve(&folder, "--resume").unwrap_err();
        assert!(error.contains(what), "{what}: {error}");
        assert_eq!(fs::read(&out).unwrap(), before, "{what}");
    }
    fs::write(&set, &rows).unwrap();
    let counts = solve(&folder, "--resume").unwrap().counts;
    assert!(counts.contains("2 answered by an earlier run"), "{counts}");
    assert_eq!(ids(&folder), ["p0", "p2", "p1"]);
}

#[test]
fn results_that_no_run_writes_are_refused() {
    let folder = folder("altered", 1);
    solve(&folder, "").unwrap();
    let out = folder.join("results.jsonl");
    let whole = fs::read_to_string(&out).unwrap();
    let value = |value: &str| whole.replace("\"proven\":\"unknown\"", value);
    for (text, why) in [
        (
            value("\"proven\":\"winn\""),
            "line 1: this is not a result of an earlier run: 'winn' is not",
        ),
        (value("\"proven\":7"), "invalid type"),
        (
            whole.replace("\"solved\":false", "\"solved\":true"),
            "it is marked as solved, but its value",
        ),
    ] {
        assert_ne!(text, whole);
        fs::write(&out, &text).unwrap();
        let error = solve(&folder, "--resume").unwrap_err();
        assert!(error.contains(why), "{why}: {error}");
        assert_eq!(fs::read_to_string(&out).unwrap(), text);
    }
}

/// Checks that damaged or edited results are refused, such as a value that contradicts its bounds.
#[test]
fn results_that_cannot_be_are_refused() {
    let folder = folder("damaged", 0);
    let (set, out) = (folder.join("set.csv"), folder.join("results.jsonl"));
    fs::write(&set, "moves\n11112222\n33221\n442\n").unwrap();
    for algorithm in ["dfpn", "gpn"] {
        let _ = fs::remove_file(&out);
        let options = format!("--resume --algorithm {algorithm} --threads 1 --time 60s");
        let run = || solve_game("connect-four:5x4", &folder, &options);
        assert_eq!(run().unwrap().ended, Ended::Done);
        let whole = fs::read_to_string(&out).unwrap();
        let results = documents(&whole);
        for (number, result) in results.iter().enumerate() {
            let value = result["proven"].as_str().unwrap();
            let to_move = result["to_move"].as_u64().unwrap();
            let wrong = ["win", "draw", "loss", "not-win", "not-loss", "unknown"]
                .into_iter()
                // A weaker value that is also true is accepted.
                .filter(|wrong| {
                    let weaker = [("loss", "not-win"), ("draw", "not-win"), ("draw", "not-loss")];
                    *wrong != value && !weaker.contains(&(value, wrong))
                })
                .map(|wrong| ("proven", serde_json::json!(wrong)))
                .chain([
                    ("solved", false.into()),
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
                let error = run().unwrap_err();
                let line = format!("line {}", result["line"]);
                assert!(error.contains(&line) || error.contains("not a result"), "{error}");
                assert_eq!(fs::read_to_string(&out).unwrap(), text, "it stays as it is");
            }
        }
        fs::write(&out, whole).unwrap();
        assert_eq!(run().unwrap().ended, Ended::Done);
    }
}
