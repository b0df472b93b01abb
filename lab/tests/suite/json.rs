//! Compares the laboratory's page on JSON with the output of its commands.

use crate::common::{documents, outcome, proofwood as lab};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use tempfile::TempDir;

const PAGE: &str = include_str!("../../notes/json.md");

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

/// Whether a value has the type that the page gives.
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

/// Adds all fields of an object, and of the objects in it, to `found`.
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

/// Commands that print the objects of each section. Together they print every possible field.
const RUNS: &[(&str, &str)] = &[
    ("cactus", "cactus results.jsonl"),
    ("ladder", "ladder tic-tac-toe --games 2 --over playouts --values 5,10"),
    ("deadline", "deadline tic-tac-toe --time 2ms --searches 3 --threads 1"),
    ("proofs", "proofs set.csv --runs 1 --threads 1"),
    (
        "reproduce table1",
        "reproduce table1 reversi --formulas rank --c-pn 0 --playouts 5 --games 2 --out cells",
    ),
    (
        "reproduce ppns",
        "reproduce ppns --game othello --plies 48 --methods pns --nodes 2000 --time 5s \
         --memory 64M --positions 1 --out ppns",
    ),
    (
        "reproduce df-pn",
        "reproduce df-pn --sizes 10 --positions 1 --table 8 --nodes 3000 --only loa-easy \
         --methods dfpn --out dfpn",
    ),
    ("machines", "machines tic-tac-toe --machines 1,2 --algorithm dfpn --tt 1M"),
];

#[test]
fn every_field_is_on_the_page() {
    let folder = TempDir::new().unwrap();
    let set = "id,game,moves\na,connect-four,112233\nb,tic-tac-toe,a1 b2\n";
    fs::write(folder.path().join("set.csv"), set).unwrap();
    let results = "{\"line\":2,\"solved\":true,\"seconds\":0.5}\n";
    fs::write(folder.path().join("results.jsonl"), results).unwrap();
    let mut sections = sections();
    for (title, run) in RUNS {
        let known = sections.remove(title).unwrap_or_else(|| panic!("no section {title}"));
        let mut unseen = known.clone();
        let ran = lab(&format!("{run} --json")).current_dir(folder.path()).output();
        let (_, output, _) = outcome(ran.expect("it starts"));
        let printed = documents(&output);
        assert!(!printed.is_empty(), "{run} prints nothing");
        for object in printed {
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
        assert!(unseen.is_empty(), "{title}: no run prints {unseen:?}");
    }
    assert!(sections.is_empty(), "no run shows {:?}", sections.keys());
}
