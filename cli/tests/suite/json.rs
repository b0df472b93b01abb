//! The book's page on JSON, held against what the commands print.

use crate::common::{self, documents, outcome, proofwood};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use tempfile::TempDir;

const PAGE: &str = include_str!("../../../docs/src/json.md");

/// The fields that the page names, section by section, with their types.
fn sections() -> BTreeMap<&'static str, BTreeMap<&'static str, &'static str>> {
    let mut sections = BTreeMap::new();
    for section in PAGE.split("\n## ").skip(1) {
        let (title, text) = section.split_once('\n').expect("a section has a text");
        let rows = text.lines().filter_map(|line| line.strip_prefix("| `"));
        let fields = rows.map(|row| {
            let (path, rest) = row.split_once("` | ").expect(row);
            let (kind, meaning) = rest.split_once(" | ").expect(row);
            assert!(!meaning.trim_end_matches([' ', '|']).is_empty(), "{row}");
            (path, kind)
        });
        let fields: BTreeMap<_, _> = fields.collect();
        assert!(!fields.is_empty(), "{title} names no field");
        assert!(sections.insert(title, fields).is_none(), "{title} is there twice");
    }
    sections
}

/// Whether a value is of the type that the page gives.
fn fits(value: &Value, kind: &str) -> bool {
    match value {
        Value::Null => kind.contains("null"),
        Value::Bool(_) => kind.contains("true or false"),
        Value::Number(n) if n.is_f64() => kind.replace("whole number", "").contains("number"),
        Value::Number(_) => kind.contains("number"),
        Value::String(text) => kind.contains("text") || kind.contains(&format!("\"{text}\"")),
        Value::Array(list) => {
            kind.strip_prefix("list of ").is_some_and(|kind| list.iter().all(|v| fits(v, kind)))
        }
        Value::Object(_) => kind.contains("object"),
    }
}

/// All fields of an object and of those within it.
fn fields(prefix: &str, object: &Value, found: &mut Vec<(String, Value)>) {
    for (key, value) in object.as_object().expect("an object") {
        let path = format!("{prefix}{key}");
        if value.is_object() {
            fields(&format!("{path}."), value, found);
        }
        for element in value.as_array().into_iter().flatten().filter(|e| e.is_object()) {
            fields(&format!("{path}[]."), element, found);
        }
        found.push((path, value.clone()));
    }
}

/// A folder to run commands in, which is gone when the test is over.
struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(TempDir::new().unwrap())
    }

    /// The objects that a command prints.
    fn run(&self, arguments: &str) -> Vec<Value> {
        let arguments = format!("{arguments} --json");
        let ran = proofwood(&arguments).current_dir(self.0.path()).output().expect("it starts");
        let (_, output, _) = outcome(ran);
        let mut printed = documents(&output);
        assert!(!printed.is_empty(), "{arguments} prints nothing");
        if let [Value::Array(list)] = &mut printed[..] {
            printed = std::mem::take(list);
        }
        printed
    }
}

/// Runs that print the objects of each section, with every field that there may be.
const RUNS: &[(&str, &[&str])] = &[
    ("games", &["games"]),
    (
        "show and replay",
        &[
            "show tic-tac-toe",
            "replay pig:5 --moves roll,5,hold --each",
            "replay --record games.jsonl --number 1",
        ],
    ),
    ("review", &["review moves.txt --game tic-tac-toe --playouts 3000 --threads 1"]),
    ("replay a record", &["replay --record games.jsonl"]),
    ("perft", &["perft connect-four --depth 2"]),
    (
        "search, and solve",
        &[
            "search connect-four --playouts 100 --audit on",
            "search othello --playouts 100 --leaves game",
            "search pig:20 --moves roll --playouts 100 --goal score",
            "search pig:20 --playouts 100 --goal score",
            "solve --positions set.csv --algorithm gpn --certificate proofs",
            "solve connect-four:4x4,k=3 --algorithm gpn --shortest",
        ],
    ),
    (
        "solve with a prover",
        &[
            "solve --positions set.csv --algorithm dfpn --certificate more",
            "solve connect-four:4x4,k=3 --shortest --algorithm dfpn",
            "solve othello:6 --algorithm ppns --nodes 200 --goal win",
            "solve tic-tac-toe",
        ],
    ),
    ("A line without an answer", &["solve connect-four --positions bad.csv"]),
    ("check", &["check proofs/line-2.proof proofs/line-3.proof", "check set.csv"]),
    ("export", &["export proofs/line-3.proof --html a.html --dot a.dot --sgf a.sgf"]),
    (
        "match",
        &[
            "match tic-tac-toe --a= --b= --games 2 --playouts 5 --sprt 0,50 --record a.jsonl",
            "match tic-tac-toe --a= --b= --games 2 --playouts 5 --openings set.txt --record b.jsonl",
        ],
    ),
    ("tune", &["tune tic-tac-toe --games 8 --last 2 --playouts 20 --bias max --c-pn 0.1,1 --c 1"]),
    ("scale", &["scale tic-tac-toe --threads 1 --time 10ms --rounds 1 --games 2"]),
    ("bench", &["bench connect-four:4x4 --playouts 300 --rounds 1 --threads 1"]),
    (
        "bench --threads auto",
        &["bench tic-tac-toe --threads auto --playouts 50 --rounds 1 --games 2 --move-time 2ms"],
    ),
    ("An error", &["show backgammmon", "search connect-four --playouts many", "search --no-such"]),
];

#[test]
fn every_field_is_on_the_page() {
    let folder = Folder::new();
    let set = "id,game,moves\na,connect-four,112233\nb,tic-tac-toe,a1 b2\n";
    fs::write(folder.0.path().join("set.csv"), set).unwrap();
    fs::write(folder.0.path().join("set.txt"), "a1\nb2\n").unwrap();
    fs::write(folder.0.path().join("moves.txt"), "a1 b2 a2 c3 a3\n").unwrap();
    fs::write(folder.0.path().join("bad.csv"), "id,moves\nb,99\n").unwrap();
    folder.run("solve --positions set.csv --out results.jsonl");
    folder.run("match tic-tac-toe --a= --b= --games 2 --playouts 5 --record games.jsonl");
    let mut sections = sections();
    for (title, runs) in RUNS {
        let known = sections.remove(title).unwrap_or_else(|| panic!("no section {title}"));
        let mut unseen = known.clone();
        for run in *runs {
            for object in folder.run(run) {
                let mut found = Vec::new();
                fields("", &object, &mut found);
                for (path, value) in found {
                    let kind = known.get(&*path).unwrap_or_else(|| {
                        panic!("{run}: the page's section '{title}' has no field {path}")
                    });
                    assert!(fits(&value, kind), "{run}: {path} is {value}, not {kind}");
                    unseen.remove(&*path);
                }
            }
        }
        assert!(unseen.is_empty(), "{title}: no run prints {unseen:?}");
    }
    assert!(sections.is_empty(), "no run shows {:?}", sections.keys());
}

#[test]
fn errors_are_answers_too() {
    let folder = Folder::new();
    for (arguments, said) in [
        ("show otello", "did you mean 'othello'?"),
        ("search connect-four --moves 9", "move 1: '9' is not a legal move"),
        ("search othello --no-such-option", "there is no option '--no-such-option'"),
    ] {
        let [answer] = &folder.run(arguments)[..] else { panic!("{arguments}") };
        let error = answer["error"].as_str().unwrap();
        assert!(error.contains(said) && !error.contains('\n'), "{arguments}: {error}");
    }
    // Nobody has asked for JSON here.
    let (status, output, _) = common::run("show otello");
    assert_eq!((status, output.as_str()), (2, ""));
}

#[test]
fn players_have_numbers_and_names() {
    let folder = Folder::new();
    let name = |arguments: &str| {
        let [answer] = &folder.run(arguments)[..] else { panic!("{arguments}") };
        let player = answer["to_move"].as_u64().expect(arguments) as usize;
        answer["players"][player].as_str().expect(arguments).to_string()
    };
    assert_eq!(name("show los-alamos"), "White");
    assert_eq!(name("search othello --moves f5 --playouts 10"), "O");
    assert_eq!(name("solve tic-tac-toe --moves b2 --algorithm dfpn"), "o");
    assert_eq!(name("show p-game:2,4 --moves 1"), "player 1");
}
