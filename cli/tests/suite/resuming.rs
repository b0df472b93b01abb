//! Sets of positions that are solved in several runs.

use crate::common::{self, documents};
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
        // Every printed answer must already be in the file.
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
fn positions_from_a_pipe_are_compared_too() {
    let folder = folder("piped", 3);
    assert_eq!(common::run(&arguments(&folder, "")).0, 10);
    let (out, set) = (folder.join("results.jsonl"), folder.join("set.csv"));
    let before = fs::read(&out).unwrap();
    let rows = fs::read_to_string(&set).unwrap();
    let piped = arguments(&folder, "--resume").replace(set.to_str().unwrap(), "-");
    let (status, output, error) = common::run_with_input(&piped, &rows.replace("p2,", "q,"));
    assert_eq!((status, output.as_str()), (2, ""), "{error}");
    assert!(error.contains("has id 'p2', but the id is now 'q'"), "{error}");
    assert_eq!(fs::read(&out).unwrap(), before);
    let (_, output, error) = common::run_with_input(&piped, &rows);
    assert_eq!(error, "");
    assert!(output.contains("3 answered by an earlier run"), "{output}");
    let error = common::complaint("solve connect-four --resume", 2);
    assert!(error.contains("--positions"), "{error}");
}
