//! Tests `analyze`: its schema, the fields of queries, and the order of answers.

use crate::client::{Client, documents, run_with_input};
use serde_json::{Value, json};
use std::fs;
use std::process::Command;

/// Queries that cause every kind of answer.
const QUERIES: &str = r#"{"id": "a", "game": "connect-four", "moves": "44", "playouts": 100}
{"id": "b", "game": "tic-tac-toe", "moves": ["b2"], "turns": [0, 1], "priorities": [1, 2], "playouts": 50}
{"id": "f", "game": "tic-tac-toe", "foo": 1}
{"id": "c", "game": "othello:4", "algorithm": "dfpn", "goal": "score"}
{"id": "d", "game": "othello", "moves": "zz"}
{"id": "e", "game": "othello", "options": {"c-pn": 0.5, "preset": "uct", "solver": true}, "playouts": "1e2"}
{"id": 7, "ask": "version"}
{"id": "m", "game": "othello", "playouts": 10, "save_tree": "m.tree", "force": true}
{"id": "n", "game": "othello", "playouts": 10, "load_tree": "../m.tree"}
{"id": "g", "game": "othello", "time": "1h", "every": 0.02}
{"id": "h", "game": "othello", "priority": -1, "time": "1h"}
{"id": "i", "game": "pig:20", "playouts": 100, "goal": "score"}
{"id": "j", "game": "tic-tac-toe", "algorithm": "gpn", "moves": "a1", "every": 0.001}
{"id": "k", "game": "tic-tac-toe", "moves": "a1 a2 b1 b2 c1"}
{"id": "o", "ask": "search", "game": "tic-tac-toe", "moves": ["b2"], "avoid_moves": ["a1"], "playouts": 9}
{"id": "p", "ask": "solve", "game": "tic-tac-toe"}
{"id": "l", "game": "hex:4", "algorithm": "dfpn", "goal": "win", "every": 0.001, "nodes": 20000}
"#;

const ENDS: &str = r#"{"id": "x", "ask": "stop", "which": "g"}
{"id": "y", "ask": "stop"}
"#;

#[test]
fn queries_and_answers_keep_to_the_schema() {
    let folder = std::env::temp_dir().join(format!("proofwood-schema-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let trees = folder.join("trees");
    let command = format!("analyze --jobs 1 --threads 1 --trees {}", trees.display());
    let mut client = Client::start(&command);
    client.say(QUERIES);
    let mut answers = Vec::new();
    // All queries are answered except those that run for an hour.
    let final_of = |answers: &[Value], id: &str| {
        let answers = answers.iter().filter(|a| a["id"] == id && a["done"] == true);
        answers.count()
    };
    let mut reports = 0;
    while reports < 2 {
        let answer: Value = serde_json::from_str(&client.hear()).unwrap();
        reports += usize::from(answer["id"] == "g" && answer["done"] == false);
        answers.push(answer);
    }
    client.say(ENDS);
    answers.extend(documents(&client.end()));
    for id in ["a", "c", "e", "g", "h", "i", "j", "k", "l", "m", "o", "p"] {
        assert_eq!(final_of(&answers, id), 1, "{id}: {answers:#?}");
    }
    assert_eq!(final_of(&answers, "b"), 2);
    let of = |id: &str| answers.iter().rfind(|a| a["id"] == id).unwrap();
    assert_eq!(of("d")["field"], "moves");
    assert_eq!(of("h")["no_results"], true);
    assert_eq!(
        (&of("m")["saved_tree"], &of("n")["field"]),
        (&json!("m.tree"), &json!("load_tree"))
    );
    assert_eq!((&of("c")["proven"], &of("c")["algorithm"]), (&json!("loss"), &json!("dfpn")));
    assert_eq!((&of("f")["field"], &of("x")["stopped"]), (&json!("foo"), &json!(true)));

    fs::write(folder.join("schema.json"), run_with_input("analyze --schema", "")).unwrap();
    let lines: Vec<String> = answers.iter().map(Value::to_string).collect();
    fs::write(folder.join("answers"), lines.join("\n")).unwrap();
    // All lines but two are valid queries.
    let wrong = |line: &&str| line.contains("../") || line.contains("foo");
    let queries: Vec<&str> = QUERIES.lines().filter(|line| !wrong(line)).collect();
    fs::write(folder.join("queries"), format!("{}\n{ENDS}", queries.join("\n"))).unwrap();
    let check = r##"
import json, sys
try:
    import jsonschema
except ImportError:
    sys.exit(77)
schema = json.load(open("schema.json"))
jsonschema.Draft202012Validator.check_schema(schema)
def validator(part):
    return jsonschema.Draft202012Validator({"$ref": "#/$defs/" + part, "$defs": schema["$defs"]})
for kind, name in [("query", "queries"), ("answer", "answers")]:
    for line in open(name):
        if line.strip():
            validator(kind).validate(json.loads(line))
for wrong in [{}, {"id": "a", "done": False}, {"id": "a", "done": True, "error": 1}]:
    assert not validator("answer").is_valid(wrong), wrong
assert not validator("query").is_valid({"id": "a", "foo": 1})
"##;
    let python = std::env::var("PROOFWOOD_PYTHON").unwrap_or_else(|_| "python3".into());
    let checked = Command::new(python).args(["-c", check]).current_dir(&folder).output();
    let _ = fs::remove_dir_all(&folder);
    match checked {
        Ok(output) if output.status.success() => {}
        Ok(output) if output.status.code() != Some(77) => {
            panic!("{}", String::from_utf8_lossy(&output.stderr))
        }
        _ => eprintln!("skipped: there is no python3 with jsonschema"),
    }
}

#[test]
fn priorities_come_first() {
    let mut client = Client::start("analyze tic-tac-toe --jobs 1 --threads 1");
    // The first query keeps the only worker busy until all others wait.
    client.say("{\"id\": \"busy\", \"game\": \"othello\", \"time\": \"1h\"}\n");
    for (id, priority) in [("low", -1), ("middle", 0), ("high", 9), ("middle too", 0)] {
        let query = json!({ "id": id, "priority": priority, "playouts": 1 });
        client.say(&format!("{query}\n"));
    }
    client.say("{\"id\": \"end\", \"ask\": \"stop\", \"which\": \"busy\"}\n");
    let ids: Vec<String> = documents(&client.end())
        .iter()
        .map(|answer| answer["id"].as_str().unwrap().to_string())
        .filter(|id| id != "end" && id != "busy")
        .collect();
    assert_eq!(ids, ["high", "middle", "middle too", "low"]);
}

#[test]
fn many_positions_are_answered_once_each() {
    let queries: String = (0..2000)
        .map(|id| format!("{{\"id\": {id}, \"moves\": \"b2\", \"turns\": [0, 1]}}\n"))
        .collect();
    let output = run_with_input("analyze tic-tac-toe --jobs 3 --playouts 2", queries);
    let mut seen: Vec<(u64, u64)> = documents(&output)
        .iter()
        .map(|a| (a["id"].as_u64().unwrap(), a["turn"].as_u64().unwrap()))
        .collect();
    seen.sort_unstable();
    let all: Vec<(u64, u64)> = (0..2000).flat_map(|id| [(id, 0), (id, 1)]).collect();
    assert_eq!(seen, all);
}

fn asked(fields: &str) -> Value {
    let query = format!("{{\"id\": \"q\", {fields}}}\n");
    let mouth = "analyze tic-tac-toe --threads 1 --playouts 20";
    let output = run_with_input(mouth, query);
    let answer = documents(&output).pop().unwrap();
    assert_eq!(answer["id"], "q", "{fields}: {answer}");
    answer
}

/// Checks that each error names the field as the query spells it.
#[test]
fn errors_name_their_fields() {
    for (fields, field) in [
        (r#""playouts": -1"#, "playouts"),
        (r#""playouts": 1.5"#, "playouts"),
        (r#""playouts": 0"#, "playouts"),
        (r#""time": "abc""#, "time"),
        (r#""cpu_time": -1"#, "cpu_time"),
        (r#""bytes": "many""#, "bytes"),
        (r#""options": {"c-pn": "abc"}"#, "options"),
        (r#""options": {"nonsense": 1}"#, "options"),
        (r#""options": {"theta": 0.5}"#, "options"),
        (r#""options": {"preset": "none"}"#, "options"),
        (r#""options": ["c"]"#, "options"),
        (r#""algorithm": "magic""#, "algorithm"),
        (r#""algorithm": "dfpn", "playouts": 20"#, "playouts"),
        (r#""ask": "search", "algorithm": "dfpn""#, "algorithm"),
        (r#""ask": "think""#, "ask"),
        (r#""ask": "stop", "turns": "all""#, "turns"),
        (r#""ask": "stop", "wich": "a""#, "wich"),
        (r#""goal": "magic""#, "goal"),
        (r#""time": 1e400"#, "time"),
        (r#""options": {"c": 1e400}"#, "options"),
        (r#""load_tree": "none""#, "load_tree"),
        (r#""moves": "b2 b2""#, "moves"),
        (r#""moves": [["x", "b2"]]"#, "moves"),
        (r#""every": 0"#, "every"),
        (r#""turns": [1]"#, "turns"),
        (r#""allow_moves": []"#, "allow_moves"),
        (r#""allow_moves": "b2""#, "allow_moves"),
        (r#""avoid_moves": ["d4"]"#, "avoid_moves"),
        (r#""analyzeTurns": [0]"#, "analyzeTurns"),
    ] {
        let answer = asked(fields);
        assert_eq!(answer["field"], field, "{fields}: {answer}");
        let error = answer["error"].as_str().unwrap_or_else(|| panic!("{fields}: {answer}"));
        assert!(!error.starts_with('-') && answer["done"] == true, "{answer}");
    }
}

#[test]
fn solving_needs_no_algorithm() {
    let solved = asked(r#""ask": "solve", "time": "60s""#);
    assert_eq!((&solved["proven"], &solved["algorithm"]), (&json!("draw"), &json!("auto")));
}

#[test]
fn moves_are_allowed_and_avoided() {
    // The move a3 wins at once.
    let begin = r#""moves": "a1 b1 a2 b2", "#;
    let (allowed, avoided) = (r#"["c1", "c3"]"#, r#"["a3"]"#);
    for (fields, moves) in [
        (format!("{begin}\"allow_moves\": {allowed}"), 2),
        (format!("{begin}\"avoid_moves\": {avoided}"), 4),
        (format!("{begin}\"allow_moves\": {allowed}, \"avoid_moves\": {avoided}"), 2),
        (format!("{begin}\"turns\": [4], \"avoid_moves\": {avoided}"), 4),
    ] {
        let answer = asked(&fields);
        let known = answer["moves"].as_array().unwrap_or_else(|| panic!("{answer}"));
        assert_eq!(known.len(), moves, "{fields}");
        assert!(known.iter().all(|known| known["move"] != "a3"), "{fields}");
        assert_ne!(answer["best_move"], "a3");
    }
    for other in ["\"algorithm\": \"gpn\"", "\"turns\": [0, 4]"] {
        let answer = asked(&format!("{begin}\"avoid_moves\": {avoided}, {other}"));
        assert_eq!(answer["field"], "avoid_moves", "{other}: {answer}");
    }
}
