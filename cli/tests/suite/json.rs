//! Compares the book's declarations of JSON with the types and the output of the commands.

use crate::common::{self, documents, outcome, proofwood};
use crate::types::Types;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use tempfile::TempDir;

/// The declarations on the book's page on JSON. `PROOFWOOD_DECLARE=1` rewrites them.
const PAGE: &str = include_str!("../../../docs/src/json.d.ts");

macro_rules! source {
    ($file:literal: $($rust:literal = $page:literal)+) => {
        (include_str!(concat!("../../../", $file)), &[$(($rust, $page)),+][..])
    };
}

/// Reads all types that commands print or read as JSON.
fn types() -> Types {
    Types::read(&[
        source!("crates/any-game/src/answer/mod.rs":
            "View" = "View" "Answered" = "Answered" "Answer" = "Answer" "Setting" = "Setting"
            "MoveAnswer" = "Move"
            "ProofAnswer" = "ProofAnswer" "QuestionAnswer" = "Question"
            "ShortestAnswer" = "Shortest" "CheckedAnswer" = "Checked" "ClaimAnswer" = "Claim"),
        source!("crates/any-game/src/answer/write.rs": "ExpectedAnswer" = "Expected"),
        source!("crates/session/src/json.rs":
            "AnswerJson" = "Searched" "CertificateJson" = "Certificate" "ErrorJson" = "BadLine"
            "PlyJson" = "Ply" "PerftJson" = "Perft" "RecommendedJson" = "Recommended"
            "GameJson" = "Game" "GameOptionJson" = "GameOption" "CheckJson" = "CheckedFile"),
        source!("cli/src/commands/replay.rs": "Shown" = "Shown"),
        source!("crates/session/src/contest/games.rs":
            "GameRecord" = "GameRecord" "Spent" = "Spent" "Settings" = "Settings"),
        source!("crates/session/src/contest/standing.rs": "Interval" = "Interval"),
        source!("crates/session/src/contest/sprt.rs": "Sprt" = "Sprt"),
        source!("crates/session/src/contest/result.rs": "MatchResult" = "Match" "SprtResult" = "SprtResult"),
        source!("crates/session/src/review/ply.rs":
            "PlyJson" = "Reviewed" "KnownJson" = "Known" "ThrownJson" = "Thrown"),
        source!("cli/src/commands/export.rs": "WrittenJson" = "Written"),
        source!("crates/session/src/contest/tune.rs": "Candidate" = "Candidate"),
        source!("cli/src/commands/tune.rs": "Tuned" = "Tuned"),
        source!("crates/session/src/bench/scale.rs": "Row" = "Scaled"),
        source!("crates/session/src/bench/speed.rs": "Speed" = "Speed" "Row" = "SpeedRow"),
        source!("crates/session/src/bench/advice.rs":
            "Advice" = "Advice" "Row" = "AdviceRow" "Strength" = "Strength"),
        source!("crates/protocols/src/analyze/answer.rs": "Reply" = "Reply"),
        source!("crates/any-game/src/query/mod.rs":
            "Task" = "Task" "Stop" = "Stop" "Where" = "Where" "Part" = "Part" "Open" = "Open"
            "Walk" = "Walk"),
    ])
}

/// A temporary folder in which commands run, removed when the test ends.
struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(TempDir::new().unwrap())
    }

    /// Runs a command and returns the objects that it prints.
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

/// Commands that print the objects of each type with all possible fields.
const RUNS: &[(&str, &[&str])] = &[
    ("Game", &["games"]),
    (
        "Shown",
        &[
            "show tic-tac-toe",
            "replay pig:5 --moves roll,5,hold --each",
            "replay --record games.jsonl --number 1",
        ],
    ),
    ("Reviewed", &["review moves.txt --game tic-tac-toe --playouts 3000 --threads 1"]),
    ("GameRecord", &["replay --record games.jsonl"]),
    ("Perft", &["perft connect-four --depth 2"]),
    (
        "Searched",
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
        "Searched",
        &[
            "solve --positions set.csv --algorithm dfpn --certificate more",
            "solve connect-four:4x4,k=3 --shortest --algorithm dfpn",
            "solve othello:6 --algorithm ppns --nodes 200 --goal win",
            "solve tic-tac-toe",
        ],
    ),
    ("BadLine", &["solve connect-four --positions bad.csv"]),
    ("CheckedFile", &["check proofs/line-2.proof proofs/line-3.proof", "check set.csv"]),
    ("Written", &["export proofs/line-3.proof --html a.html --dot a.dot --sgf a.sgf"]),
    (
        "Match",
        &[
            "match tic-tac-toe --a= --b= --games 2 --playouts 5 --sprt 0,50 --record a.jsonl",
            "match tic-tac-toe --a= --b= --games 2 --playouts 5 --openings set.txt --record b.jsonl",
        ],
    ),
    ("Tuned", &["tune tic-tac-toe --games 8 --last 2 --playouts 20 --bias max --c-pn 0.1,1 --c 1"]),
    ("Scaled", &["scale tic-tac-toe --threads 1 --time 10ms --rounds 1 --games 2"]),
    ("Speed", &["bench connect-four:4x4 --playouts 300 --rounds 1 --threads 1"]),
    (
        "Advice",
        &["bench tic-tac-toe --threads auto --playouts 50 --rounds 1 --games 2 --move-time 2ms"],
    ),
];

#[test]
fn declarations_are_those_of_the_types() {
    let types = types();
    let page = format!(
        "type integer = number;\ntype Proven = \
         \"win\" | \"draw\" | \"loss\" | \"not-win\" | \"not-loss\" | \"unknown\";\n{}",
        types.script()
    );
    if std::env::var_os("PROOFWOOD_DECLARE").is_some() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        fs::write(root.join("../docs/src/json.d.ts"), page).unwrap();
        return;
    }
    assert_eq!(PAGE, page, "run the test with PROOFWOOD_DECLARE=1");
}

#[test]
fn every_field_is_declared_and_printed() {
    let folder = Folder::new();
    let set = "id,game,moves\na,connect-four,112233\nb,tic-tac-toe,a1 b2\n";
    fs::write(folder.0.path().join("set.csv"), set).unwrap();
    fs::write(folder.0.path().join("set.txt"), "a1\nb2\n").unwrap();
    fs::write(folder.0.path().join("moves.txt"), "a1 b2 a2 c3 a3\n").unwrap();
    fs::write(folder.0.path().join("bad.csv"), "id,moves\nb,99\n").unwrap();
    folder.run("solve --positions set.csv --out results.jsonl");
    folder.run("match tic-tac-toe --a= --b= --games 2 --playouts 5 --record games.jsonl");
    let types = types();
    let mut seen = BTreeSet::new();
    for (name, runs) in RUNS {
        for object in runs.iter().flat_map(|run| folder.run(run)) {
            types.check(name, &object, &mut |name, field| {
                seen.insert(format!("{name}.{field}"));
            });
        }
    }
    // Other tests cover queries and their answers.
    let of_protocols = ["Reply", "Task", "Stop", "Where", "Part", "Open", "Walk"];
    let rare = ["Answer.counters", "ProofAnswer.counters", "Move.pv", "GameRecord.forfeit"];
    for (name, declared) in types.iter().filter(|(name, _)| !of_protocols.contains(name)) {
        for field in declared.fields.iter().filter(|field| !field.flat) {
            let field = format!("{name}.{}", field.name);
            assert!(seen.contains(&field) || rare.contains(&&*field), "no run prints {field}");
        }
    }
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
    // This command does not request JSON.
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
