//! Saving and loading trees.

use crate::common::{complaint, json, run};
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
    assert!(
        error.contains("--force replaces it, and --save-tree FILE writes to another"),
        "{error}"
    );
    let audited = format!("{SEARCH} --load-tree {second} --save-tree {second} --force --audit on");
    assert_eq!(json(&audited)["audit"], "ok");
    let proven = folder.join("proven.tree");
    let solve = format!(
        "search tic-tac-toe --threads 2 --json --memory 16M --time 60s --save-tree {}",
        proven.display()
    );
    assert_eq!(json(&solve)["proven"], "draw");
    let again = json(&solve.replace("--save-tree", "--load-tree"));
    assert_eq!((&again["proven"], again["solved"].as_bool()), (&"draw".into(), Some(true)));
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
        "with the game 'connect-four', not 'othello'",
    );
    why(
        &format!("{SEARCH} --load-tree {path} --moves 4"),
        "the file was saved with the position '",
    );
    why(
        &format!("{SEARCH} --load-tree {path} --goal score"),
        "the setting goal 'goal outcome', not 'goal score'",
    );
    why(&format!("{SEARCH} --load-tree {path}/no"), "cannot read");
    why(&format!("{SEARCH} --load-tree {}", folder.display()), "directory");
    let whole = fs::read(&file).unwrap();
    fs::write(&file, &whole[..whole.len() / 2]).unwrap();
    why(&format!("{SEARCH} --load-tree {path}"), "the file is truncated");
    fs::write(&file, "hello").unwrap();
    why(&format!("{SEARCH} --load-tree {path}"), "the file does not begin with 'proofwood-tree'");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "nothing half-made is left");
}
