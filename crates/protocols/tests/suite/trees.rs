//! Trees that queries of `analyze` save and load.

use crate::client::{documents, run_with_input};
use std::fs;
use std::path::{Path, PathBuf};

fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("trees-{name}"));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a folder");
    path
}

fn analyzed(folder: &Path, queries: &[&str]) -> Vec<serde_json::Value> {
    let command = format!(
        "analyze connect-four --jobs 1 --threads 1 --playouts 500 --trees {}",
        folder.display()
    );
    let input: String = (0..)
        .zip(queries)
        .map(|(id, query): (u32, _)| {
            format!("{{\"id\": {id}, \"options\": {{\"seed\": 3}}, {query}}}\n")
        })
        .collect();
    let output = run_with_input(&command, input);
    let mut answers = documents(&output);
    answers.sort_by_key(|answer| answer["id"].as_u64());
    assert_eq!(answers.len(), queries.len(), "{output}");
    answers
}

#[test]
fn queries_go_on_with_saved_trees() {
    let folder = folder("queries");
    let answers = analyzed(
        &folder,
        &[
            r#""save_tree": "a""#,
            r#""load_tree": "a", "save_tree": "b.tree""#,
            r#""playouts": 1000"#,
            r#""load_tree": "a", "save_tree": "a""#,
            r#""load_tree": "a", "save_tree": "a", "force": true"#,
            r#""load_tree": "a", "moves": "4", "save_tree": "c""#,
            r#""load_tree": "a", "options": {"goal": "score"}"#,
            r#""load_tree": "no""#,
            r#""load_tree": "a", "playouts": 1"#,
        ],
    );
    let visits = |answer: &serde_json::Value| {
        let infos = answer["moves"].as_array().expect("a list").clone();
        infos.iter().map(|info| info["visits"].as_u64().expect("a number")).sum::<u64>()
    };
    assert_eq!(
        (&answers[0]["saved_tree"], &answers[1]["saved_tree"]),
        (&"a".into(), &"b.tree".into())
    );
    // A search without an interruption grows the same tree.
    assert_eq!(answers[1]["moves"], answers[2]["moves"]);
    let error = |at: usize, part: &str| {
        let error = answers[at]["error"].as_str().unwrap_or_else(|| panic!("{}", answers[at]));
        assert!(error.contains(part), "{error}");
    };
    error(3, "a already exists; \"force\": true replaces it");
    assert_eq!(answers[4]["saved_tree"], "a");
    error(5, "the file was saved with the position");
    error(6, "the setting goal");
    error(7, "cannot read");
    assert!(visits(&answers[8]) > visits(&answers[1]) - 2, "{answers:#?}");
    // Refused queries have created no files.
    let mut names: Vec<_> =
        fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["a", "b.tree"]);
}

#[test]
fn queries_reach_no_file_beside_their_trees() {
    let folder = folder("reach");
    let answers = analyzed(
        &folder,
        &[
            r#""save_tree": "../a""#,
            r#""load_tree": "/etc/passwd""#,
            r#""save_tree": 3"#,
            r#""save_tree": "a", "algorithm": "gpn""#,
            r#""save_tree": "a", "moves": "4", "turns": [0, 1]"#,
        ],
    );
    let fields = ["save_tree", "load_tree", "save_tree", "save_tree", "save_tree"];
    for (answer, field) in answers.iter().zip(fields) {
        assert!(answer["error"].is_string() && answer["field"] == field, "{answer}");
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    let query = "{\"id\": 1, \"save_tree\": \"a\", \"playouts\": 1}\n";
    let output = run_with_input("analyze tic-tac-toe", query);
    assert!(documents(&output)[0]["error"].as_str().unwrap().contains("--trees DIR"), "{output}");
}
