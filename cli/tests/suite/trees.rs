//! Saving and loading trees.

use crate::common::{complaint, documents, json, run, run_with_input};
use std::fs;
use std::path::{Path, PathBuf};

fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("trees-{name}"));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a folder");
    path
}

const SEARCH: &str = "search connect-four --threads 1 --memory 64M --json --seed 3 --playouts 2000";

#[test]
fn a_search_goes_on_with_a_saved_tree() {
    let folder = folder("saved");
    let (first, second) = (folder.join("first.tree"), folder.join("second.tree"));
    let (first, second) = (first.display(), second.display());
    let one = json(&format!("{SEARCH} --save-tree {first}"));
    let two = json(&format!("{SEARCH} --load-tree {first} --save-tree {second}"));
    let visits = |answer: &serde_json::Value| {
        let moves = answer["moves"].as_array().expect("a list").clone();
        moves.iter().map(|mv| mv["visits"].as_u64().expect("a number")).sum::<u64>()
    };
    assert!(visits(&one) < 2001 && visits(&two) > 3990, "{one} {two}");
    assert!(one["nodes"].as_u64() < two["nodes"].as_u64());
    // One file may be both loaded and replaced.
    let error = complaint(&format!("{SEARCH} --load-tree {second} --save-tree {second}"), 2);
    assert!(error.contains("--force replaces it, --save-tree FILE takes another"), "{error}");
    let audited = format!("{SEARCH} --load-tree {second} --save-tree {second} --force --audit on");
    assert_eq!(json(&audited)["audit"], "ok");
    let proven = folder.join("proven.tree");
    let solve = format!(
        "search tic-tac-toe --threads 2 --json --memory 16M --time 60s --save-tree {}",
        proven.display()
    );
    assert_eq!(json(&solve)["proven"], "draw");
    let again = json(&solve.replace("--save-tree", "--load-tree"));
    assert_eq!((&again["proven"], again["settled"].as_bool()), (&"draw".into(), Some(true)));
}

#[test]
fn trees_that_cannot_be_used_are_refused() {
    let folder = folder("refused");
    let file = folder.join("a.tree");
    let path = file.display();
    assert_eq!(run(&format!("{SEARCH} --save-tree {path}")).0, 0);
    let why = |arguments: &str, part: &str| {
        let error = complaint(arguments, 2);
        assert!(error.contains(part), "{error}");
    };
    why(
        &format!("search othello --load-tree {path}"),
        "about the game 'connect-four', not 'othello'",
    );
    why(&format!("{SEARCH} --load-tree {path} --moves 4"), "it is about the position '");
    why(
        &format!("{SEARCH} --load-tree {path} --goal score"),
        "the setting goal 'goal outcome', not 'goal score'",
    );
    why(&format!("{SEARCH} --load-tree {path}/no"), "cannot read");
    why(&format!("{SEARCH} --load-tree {}", folder.display()), "directory");
    let whole = fs::read(&file).unwrap();
    fs::write(&file, &whole[..whole.len() / 2]).unwrap();
    why(&format!("{SEARCH} --load-tree {path}"), "it is cut short");
    fs::write(&file, "hello").unwrap();
    why(&format!("{SEARCH} --load-tree {path}"), "it does not begin with 'proofwood-tree'");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "nothing half-made is left");
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
    let (status, output, errors) = run_with_input(&command, &input);
    assert_eq!((status, errors.as_str()), (0, ""));
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
    // The tree is the same as that of one search without an interruption.
    assert_eq!(answers[1]["moves"], answers[2]["moves"]);
    let error = |at: usize, part: &str| {
        let error = answers[at]["error"].as_str().unwrap_or_else(|| panic!("{}", answers[at]));
        assert!(error.contains(part), "{error}");
    };
    error(3, "a exists already; \"force\": true replaces it");
    assert_eq!(answers[4]["saved_tree"], "a");
    error(5, "it is about the position");
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
    let (_, output, _) = run_with_input("analyze tic-tac-toe", query);
    assert!(documents(&output)[0]["error"].as_str().unwrap().contains("--trees DIR"), "{output}");
    complaint("analyze --trees /dev/null", 2);
}
